"""The status file of a daemon."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

from assetdb.daemon.endpoint import Endpoint
from assetdb.daemon.files.own_status import OwnStatus
from assetdb.daemon.files.status_file import STATUS_NAME
from assetdb_formats.atomic import temporary_of

if TYPE_CHECKING:
    from pathlib import Path


def test_the_temporary_file_of_a_killed_daemon_goes(tmp_path: Path) -> None:
    left = temporary_of(str(tmp_path / STATUS_NAME), 24795)
    other = temporary_of(str(tmp_path / "asset-db.bin"), 24795)
    for path in (left, other):
        with open(path, "xb") as file:
            file.write(b"{")
    with socket.socket() as listening:
        status = OwnStatus()
        status.write(str(tmp_path), "/project", Endpoint(listening, port=1))
    assert status.is_in(str(tmp_path))
    # That of the database is for the holder of its lock: a bake may be writing it.
    assert {path.name for path in tmp_path.iterdir()} == {STATUS_NAME, other.rpartition("/")[2].rpartition("\\")[2]}
