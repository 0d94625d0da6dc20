"""A mirror: a tree at another time, mostly of links.

Mirrors are registered here, in this process. A link of a mirror counts as its target; every other link, including those
of a repository, stays a link.
"""

from __future__ import annotations

import os
import stat

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

_TREES: Final[dict[bytes, bytes]] = {}  # by the real path of each mirror: that of the tree it shows
_ABSENT: Final[dict[bytes, frozenset[bytes]]] = {}  # by the same path: files of that tree that are unavailable


def announce(mirror: str, tree: str, absent: Iterable[bytes] = ()) -> None:
    """Register a mirror: its links count as files of the tree.

    Args:
        mirror: the folder.
        tree: what it mirrors.
        absent: files, relative to the mirror, represented by dangling links.
    """
    real = os.path.realpath(os.fsencode(mirror))
    _TREES[real] = os.path.realpath(os.fsencode(tree))
    _ABSENT[real] = frozenset(absent)


def forget(mirror: str) -> None:
    """Unregister a mirror."""
    real = os.path.realpath(os.fsencode(mirror))
    _TREES.pop(real, None)
    _ABSENT.pop(real, None)


def is_absent(path: bytes | str) -> bool:
    """Whether a file of a mirror is absent from its tree."""
    if not any(_ABSENT.values()):
        return False
    folder, name = os.path.split(os.path.abspath(os.fsencode(path)))
    real = os.path.join(os.path.realpath(folder), name)
    return any(
        real[len(mirror) + 1 :] in few for mirror, few in list(_ABSENT.items()) if real.startswith(mirror + b"/")
    )


def tree_of(mirror: bytes) -> bytes:
    """Return the tree that a folder mirrors, ``b""`` if none."""
    return _TREES.get(os.path.realpath(mirror), b"") if _TREES else b""


def stands_for(path: bytes | str) -> os.stat_result | None:
    """Return the status of a mirrored file by absolute path, else None."""
    if not _TREES:
        return None
    place = os.path.abspath(os.fsencode(path))
    folder, name = os.path.split(place)
    real = os.path.join(os.path.realpath(folder), name)
    for mirror, tree in _TREES.items():
        if real.startswith(mirror + os.fsencode(os.sep)):
            try:
                target = os.readlink(real)
                if target == tree + real[len(mirror) :]:
                    return os.lstat(target)
            except OSError:
                return None
    return None


def is_folder(entry: os.DirEntry[str] | os.DirEntry[bytes]) -> bool:
    """Whether an entry is a folder, or a mirror's link to one."""
    if entry.is_dir(follow_symlinks=False):
        return True
    if not _TREES or not entry.is_symlink():
        return False
    found = stands_for(entry.path)
    return found is not None and stat.S_ISDIR(found.st_mode)
