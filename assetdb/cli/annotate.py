"""``assetdb annotate``."""

from __future__ import annotations

import errno
import os
import stat
import sys
from shutil import copyfileobj
from typing import TYPE_CHECKING

from assetdb.cli.lookup import add_project_arguments, opened
from assetdb.cli.terminal import printable
from assetdb.daemon.client import LARGEST_FILE, project_above
from assetdb.errors import AssetdbError, FileError
from assetdb.query.annotate import annotated
from assetdb.scan.reader import LARGEST_ASSET
from assetdb.system.reading import open_regular

if TYPE_CHECKING:
    import argparse
    from typing import BinaryIO


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
    try:
        data = _read(arguments)
    except FileError as error:
        if not arguments.textconv or arguments.opened is not None:
            raise
        print(f"assetdb: {printable(str(error))}", file=sys.stderr)
        with open(open_regular(arguments.file), "rb") as file:
            copyfileobj(file, sys.stdout.buffer)
        return 0
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


def _read(arguments: argparse.Namespace) -> bytes:
    """Return what is to be annotated: as much as a bake reads of a file, less of a device (a terminal, ``/dev/zero``).

    In a daemon that is only a file of its project, and not a large one.

    Raises:
        FileError: it has more, or is in a daemon no regular file.
        OSError: it cannot be read, or not there.
    """
    if arguments.file == "-":
        return _bounded(sys.stdin.buffer, "-", LARGEST_ASSET)
    path = os.path.join(arguments.cwd, arguments.file)
    if arguments.opened is None:
        with open(path, "rb") as file:
            is_device = stat.S_ISCHR(os.fstat(file.fileno()).st_mode)
            return _bounded(file, path, LARGEST_FILE if is_device else LARGEST_ASSET)
    if not os.path.realpath(path).startswith(os.path.join(os.path.realpath(arguments.opened.root), "")):
        raise OSError(errno.EPERM, "is no file of the project", path)
    with open(open_regular(path), "rb") as file:
        if os.fstat(file.fileno()).st_size > LARGEST_FILE:
            raise OSError(errno.EFBIG, "is too large for a daemon", path)
        return file.read(LARGEST_FILE)


def _bounded(file: BinaryIO, shown: str, most: int) -> bytes:
    """Return all of a file.

    Raises:
        FileError: that is more than ``most`` bytes.
    """
    data = file.read(most + 1)
    if len(data) > most:
        raise FileError(f"{shown}: has more than {most:,} bytes, the most that is annotated of it")
    return data
