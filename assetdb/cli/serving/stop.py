"""``assetdb stop``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.cli.terminal import say, shown_path, waiting
from assetdb.client import control
from assetdb.errors import NotRunningError
from assetdb.settings.effective import read_settings

if TYPE_CHECKING:
    from assetdb.cli.arguments import DatabaseOptions


def stop(options: DatabaseOptions) -> int:
    """Stop the daemon of a project; 1 if there is none."""
    settings = read_settings(options.project, options.out_dir)
    try:
        pid = control.stop(settings.root, settings.folder, None if options.quiet else waiting)
    except NotRunningError as error:
        say(str(error))
        return 1
    print(f"stopped watching {shown_path(settings.root)} (process {pid})")
    return 0
