"""Command lines of clients, run inside the daemon."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.cli.arguments import call
from assetdb.cli.commands import find_command
from assetdb.cli.plain import RUN, STAGED, read
from assetdb.errors import AssetdbError
from assetdb_formats.binary import FormatError

if TYPE_CHECKING:
    from assetdb.query.snapshots.snapshot import Snapshot

_BROKEN = 2  # the exit code for usage and broken input


def run(words: list[str], cwd: str, project: Snapshot) -> int | None:
    """Run a command line; None where files report the error."""
    line = read(words)
    if line is None or line.served not in (RUN, STAGED):
        return None
    try:
        code = call(find_command(line.path).load(), line.values, opened=project, cwd=cwd)
    except (AssetdbError, FormatError, OSError):
        return None
    return code if code < _BROKEN else None
