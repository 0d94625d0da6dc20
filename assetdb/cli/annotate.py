"""``assetdb annotate``."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from assetdb.annotating import annotated
from assetdb.cli.lookup import add_project_arguments, opened
from assetdb.cli.terminal import printable
from assetdb.errors import AssetdbError
from assetdb.watch.client import project_above

if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``assetdb annotate``."""
    parser.add_argument("file", metavar="FILE", help="a prefab, scene, asset or meta; - reads stdin")
    parser.add_argument(
        "--textconv",
        action="store_true",
        help="for git diff: print the file as it is where it cannot be annotated; git config diff.unity.textconv"
        ' "assetdb annotate --textconv --", and in .gitattributes *.prefab diff=unity',
    )
    add_project_arguments(parser, json=False)


def run(arguments: argparse.Namespace) -> int:
    """Print a file with names as comments; every other byte is as it was."""
    data = _read(os.path.join(arguments.cwd, arguments.file) if arguments.file != "-" else "-")
    if arguments.project is None and not arguments.textconv and arguments.file != "-":
        arguments.project = project_above(arguments.file)
    try:
        text = annotated(data, opened(arguments).resolver)
    except (AssetdbError, OSError) as error:
        if not arguments.textconv:
            raise
        # git stops a whole `git log -p` where a textconv fails.
        print(f"assetdb: {printable(str(error))}", file=sys.stderr)
        text = data
    sys.stdout.flush()
    sys.stdout.buffer.write(text)
    return 0


def _read(path: str) -> bytes:
    if path == "-":
        return sys.stdin.buffer.read()
    with open(path, "rb") as file:
        return file.read()
