"""``assetdb stop``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from assetdb.cli.parsing import add_manners
from assetdb.cli.terminal import printable, shown_path, waiting
from assetdb.daemon import process
from assetdb.errors import NotRunningError
from assetdb.settings.effective import read_settings

if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``assetdb stop``."""
    parser.add_argument(
        "--project", metavar="DIR", help="the Unity project (default: here, or the nearest folder above)"
    )
    parser.add_argument("--out-dir", metavar="DIR", help="where its files are (default: Library/assetdb)")
    add_manners(parser)


def run(arguments: argparse.Namespace) -> int:
    """Stop the daemon of a project; 1 if there is none."""
    settings = read_settings(arguments.project, arguments.out_dir)
    try:
        pid = process.stop(settings.root, settings.folder, None if arguments.quiet else waiting)
    except NotRunningError as error:
        print(f"assetdb: {printable(str(error))}", file=sys.stderr)
        return 1
    print(f"stopped watching {shown_path(settings.root)} (process {pid})")
    return 0
