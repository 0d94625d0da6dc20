"""Results that commands write to a file instead of the terminal."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from assetdb.cli.terminal import shown_path
from assetdb.errors import UsageError
from assetdb.settings.project import ASSET_ROOTS
from assetdb_formats.atomic import replace_file
from assetdb_formats.files import relative_path

if TYPE_CHECKING:
    from collections.abc import Iterable


def path_of_output(name: str, cwd: str, root: str) -> str:
    """Return the absolute path of a file that is no asset.

    Args:
        name: the file, as it was given.
        cwd: what it is relative to.
        root: of the project.

    Raises:
        UsageError: a folder is there, or the file would become an asset.
    """
    path = os.path.abspath(os.path.join(cwd, name))
    if os.path.isdir(path):
        raise UsageError(f"{shown_path(path)} is a folder: name a file")
    inside = relative_path(os.path.realpath(path), os.path.realpath(root)).split(os.sep)[0]
    if inside in ASSET_ROOTS:
        raise UsageError(f"{shown_path(path)}: a file there becomes an asset of the project: write it elsewhere")
    return path


def write_lines(path: str, lines: Iterable[str]) -> None:
    """Write lines to a file, a pipe or a terminal.

    A file is replaced atomically. A lone surrogate of a name is written as its escape.
    """
    pieces = (f"{line}\n".encode("utf-8", "backslashreplace") for line in lines)
    if os.path.exists(path) and not os.path.isfile(path):  # /dev/stdout, a pipe: nothing to replace
        with open(path, "wb") as file:
            file.writelines(pieces)
    else:
        replace_file(path, pieces)
