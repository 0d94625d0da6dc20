"""Spelling of paths on disks that ignore case."""

from __future__ import annotations

import os

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

_NOT_KEPT: Final = ". "  # Windows takes `x.txt.` and `x.txt ` for x.txt


def as_listed(root: str, path: str) -> str:
    """Return a path with the names that the disk lists.

    ``Assets/X.TXT`` is ``Assets/x.txt`` where the disk takes them for one file (Windows, macOS, folders of ext4 with
    casefold); elsewhere, and from the first absent name on, the names stay as they are.
    """
    above = os.path.join(root, "")
    if not path.startswith(above):
        return path
    here = root
    for name in path[len(above) :].split(os.sep):
        here = os.path.join(here, _listed(here, name))
    return here


def _listed(folder: str, name: str) -> str:
    """Return a name as the listing of its folder has it."""
    if name.isascii() and not name.endswith(tuple(_NOT_KEPT)):
        # Almost all names end here: on a disk that tells cases apart, nothing has the other one. A listing of each
        # folder would take seconds for thousands of paths.
        other = name.swapcase()
        if other == name or not os.path.lexists(os.path.join(folder, other)):
            return name
    try:
        own = os.lstat(os.path.join(folder, name))
        names = os.listdir(folder)
    except OSError:
        return name
    if name in names:
        return name
    from assetdb.query.selecting.folding import fold  # noqa: PLC0415 - only where the spelling differs

    wanted = fold(name.rstrip(_NOT_KEPT))
    for listed in names:
        if fold(listed) == wanted:
            status = os.lstat(os.path.join(folder, listed))
            if (status.st_dev, status.st_ino) == (own.st_dev, own.st_ino):
                return listed
    return name
