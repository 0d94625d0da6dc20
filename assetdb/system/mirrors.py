"""A mirror: a tree at another time, mostly of links.

Mirrors are registered here, in this process. A link of a mirror counts as its target; every other link, also of a
repository, stays a link.
"""

from __future__ import annotations

import os
import stat

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Final

_MOST_LINKS: Final = 40  # the limit of Linux
_MIRRORS: Final[dict[bytes, tuple[bytes, frozenset[bytes]]]] = {}
"""By the real path of each mirror: the mirrored tree, and the files of that tree that are unavailable."""
_REAL: Final[dict[bytes, bytes]] = {}
"""The real path of the last folder: a scan asks of each file in a folder, and each look at the path took 0.1 ms."""


def announce(mirror: str, tree: str, absent: Iterable[bytes] = ()) -> None:
    """Register a mirror: its links count as files of the tree.

    Args:
        mirror: the folder.
        tree: what it mirrors.
        absent: files, relative to the mirror, represented by dangling links.
    """
    _REAL.clear()
    _MIRRORS[os.path.realpath(os.fsencode(mirror))] = os.path.realpath(os.fsencode(tree)), frozenset(absent)


def forget(mirror: str) -> None:
    """Unregister a mirror."""
    _REAL.clear()
    _MIRRORS.pop(os.path.realpath(os.fsencode(mirror)), None)


def is_absent(path: bytes | str) -> bool:
    """Whether a file of a mirror is absent from its tree."""
    return any(inside in absent for _, inside, _, absent in _mirrors_around(path))


def tree_of(mirror: bytes) -> bytes:
    """Return the tree that a folder mirrors, ``b""`` if none."""
    return _MIRRORS[real][0] if _MIRRORS and (real := os.path.realpath(mirror)) in _MIRRORS else b""


def link_out(path: str, root: str) -> str:
    """Return the target of a link out of a project, else ``""``.

    Git stores links, and a pull request may bring one to a key. The links of a mirror lead to the tree, or to content
    that git keeps; a link of the tree behind a link of the mirror is examined.
    """
    if not os.path.islink(path):
        return ""
    mirror = os.path.realpath(root)
    tree = os.fsdecode(tree_of(os.fsencode(root))) or mirror
    place = path
    for _ in range(_MOST_LINKS):
        place = os.path.join(os.path.realpath(os.path.dirname(place)), os.path.basename(place))
        if not os.path.islink(place):
            break
        target = os.path.normpath(os.path.join(os.path.dirname(place), os.readlink(place)))
        target = os.path.join(os.path.realpath(os.path.dirname(target)), os.path.basename(target))
        is_own = mirror != tree and _is_in(place, mirror)
        if not is_own and not _is_in(target, tree) and not _is_in(target, mirror):
            return os.path.realpath(target)
        place = target
    return ""


def _is_in(path: str, folder: str) -> bool:
    return path.startswith(os.path.join(folder, ""))


def is_at_or_below(path: bytes, folder: bytes) -> bool:
    """Whether a real path is a folder or lies in it."""
    return os.path.join(path, b"").startswith(os.path.join(folder, b""))


def stands_for(path: bytes | str) -> os.stat_result | None:
    """Return the status of a mirrored file by absolute path, else None."""
    for real, inside, tree, _ in _mirrors_around(path):
        try:
            target = os.readlink(real)
            if target == os.path.join(tree, inside):
                return os.lstat(target)
        except OSError:
            return None
    return None


def _mirrors_around(path: bytes | str) -> Iterator[tuple[bytes, bytes, bytes, frozenset[bytes]]]:
    """Yield places of a path in mirrors, with tree and absent files."""
    if _MIRRORS:
        folder, name = os.path.split(os.path.abspath(os.fsencode(path)))
        real = os.path.join(_real(folder), name)
        for mirror, (tree, absent) in tuple(_MIRRORS.items()):  # other threads register theirs meanwhile
            if real.startswith(mirror + os.fsencode(os.sep)):
                yield real, real[len(mirror) + 1 :], tree, absent


def _real(folder: bytes) -> bytes:
    known = _REAL.get(folder)
    if known is None:
        known = os.path.realpath(folder)
        _REAL.clear()
        _REAL[folder] = known
    return known


def is_folder(entry: os.DirEntry[str] | os.DirEntry[bytes]) -> bool:
    """Whether an entry is a folder, or a mirror's link to one."""
    if entry.is_dir(follow_symlinks=False):
        return True
    if not _MIRRORS or not entry.is_symlink():
        return False
    found = stands_for(entry.path)
    return found is not None and stat.S_ISDIR(found.st_mode)
