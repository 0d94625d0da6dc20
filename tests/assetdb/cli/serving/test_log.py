"""The log of a daemon, as a clone may have it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from tests.assetdb.unity_project import make_project
from tests.needs import needs_links

if TYPE_CHECKING:
    from pathlib import Path


@needs_links
@pytest.mark.parametrize("name", ["asset-db.watch.log", "asset-db.watch.log.old"])
def test_a_log_that_is_a_link_is_not_opened(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    root = make_project(tmp_path / "Game")
    folder = root / "Library" / "assetdb"
    folder.mkdir(parents=True)
    (tmp_path / "secret").write_text("a key\n")
    (folder / name).symlink_to(tmp_path / "secret")
    assert main(["log", "--project", str(root)]) == 2
    shown = capsys.readouterr()
    assert "a key" not in shown.out + shown.err
    assert "is a link" in shown.err
    (folder / name).unlink()
    (folder / name).write_text("a line\n")
    assert main(["log", "--project", str(root)]) == 0
    assert capsys.readouterr().out == "a line\n"
