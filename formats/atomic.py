"""Replacing a file: whole or not at all. The one place where :mod:`formats` writes to a disk."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def replace_file(path: str, pieces: Iterable[bytes | memoryview], *, directory: int | None = None) -> int:
    """Write ``pieces`` to a temporary file beside ``path`` and put it in its place; return its size in bytes.

    Whatever fails, ``path`` is as it was and no temporary file is left; errors name ``path``. A symbolic link at
    ``path`` is replaced, not followed. On Windows no memory map of the old file may be open. ``directory`` (not on
    Windows) is a descriptor of the folder that ``path`` is relative to: whoever moves or links folders meanwhile does
    not lead the file elsewhere.
    """
    folder, name = os.path.split(path)
    temporary = os.path.join(folder, f".{os.getpid()}.{name[:40]}.temporary")
    places = {} if directory is None else {"src_dir_fd": directory, "dst_dir_fd": directory}

    def opener(opened: str, flags: int) -> int:
        return os.open(opened, flags, 0o666, dir_fd=directory)

    try:
        with open(temporary, "xb", opener=opener) as file:
            file.writelines(pieces)
            size = file.tell()
        os.replace(temporary, path, **places)
    except FileExistsError:  # another writer's: not ours to remove
        raise
    except BaseException as error:
        with suppress(FileNotFoundError):
            os.unlink(temporary, dir_fd=directory)
        if isinstance(error, OSError) and error.filename == temporary:
            error.filename, error.filename2 = path, None
        raise
    return size
