"""Replacing a file: whole or not at all. The one place where :mod:`formats` writes to a disk."""

from __future__ import annotations

import os

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable


def replace_file(path: str, pieces: Iterable[bytes | memoryview]) -> None:
    """Write ``pieces`` to a temporary file beside ``path`` and put it in its place.

    Whatever fails, ``path`` is as it was and no temporary file is left. A symbolic link at ``path`` is replaced, not
    followed. On Windows no memory map of the old file may be open.
    """
    folder, name = os.path.split(path)
    temporary = os.path.join(folder, f".{os.getpid()}.{name[:40]}.temporary")
    try:
        with open(temporary, "xb") as file:
            file.writelines(pieces)
        os.replace(temporary, path)
    except FileExistsError:  # another writer's: not ours to remove
        raise
    except BaseException:
        if os.path.lexists(temporary):
            os.unlink(temporary)
        raise
