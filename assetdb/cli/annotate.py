"""``assetdb annotate``."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from assetdb.cli.lookup import add_project_arguments, opened
from assetdb.errors import AssetdbError
from assetdb.unity.annotation import annotate
from assetdb.unity.builtin import built_in_file

if TYPE_CHECKING:
    import argparse

    from assetdb.naming import Resolver

_SELF = ""  # the GUID that stands for the file itself, which may be an old version in a temporary file


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``assetdb annotate``."""
    parser.add_argument("file", metavar="FILE", help="a prefab, scene, asset or meta; - reads stdin")
    parser.add_argument(
        "--textconv",
        action="store_true",
        help="for git diff: print the file as it is where it cannot be annotated; git config diff.unity.textconv"
        ' "assetdb annotate --textconv", and in .gitattributes *.prefab diff=unity',
    )
    add_project_arguments(parser, json=False)


def run(arguments: argparse.Namespace) -> int:
    """Print a file with names as comments; every other byte is as it was."""
    data = _read(arguments.file)
    if arguments.project is None and not arguments.textconv and arguments.file != "-":
        arguments.project = _project_above(arguments.file)
    try:
        text = _annotated(data, opened(arguments).resolver)
    except (AssetdbError, OSError) as error:
        if not arguments.textconv:
            raise
        # git stops a whole `git log -p` where a textconv fails.
        print(f"assetdb: {error}", file=sys.stderr)
        text = data
    sys.stdout.flush()
    sys.stdout.buffer.write(text)
    return 0


def _read(path: str) -> bytes:
    if path == "-":
        return sys.stdin.buffer.read()
    with open(path, "rb") as file:
        return file.read()


def _project_above(path: str) -> str | None:
    """Return the project that a file is in, or None: then the working directory decides."""
    folder = os.path.dirname(os.path.abspath(path))
    while not (
        os.path.isdir(os.path.join(folder, "Assets")) and os.path.isdir(os.path.join(folder, "ProjectSettings"))
    ):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return folder


def _annotated(data: bytes, resolver: Resolver) -> bytes:
    resolver.add_content(_SELF, data)

    def name_of(guid: bytes, file_id: int | None, override: bool) -> str | None:  # noqa: FBT001 - a callback
        if file_id is None and not built_in_file(guid) and resolver.locate(guid.hex()) is None:
            return None  # most likely no GUID at all
        name = resolver.name(guid.hex(), file_id, override=override)
        if name.name:
            return name.name
        return f"{name.path.rpartition('/')[2]}: {name.reason}" if name.path else None

    return annotate(data, name_of, lambda file_id: resolver.local_name(_SELF, file_id))
