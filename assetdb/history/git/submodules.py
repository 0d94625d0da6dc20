"""Files of submodules, in place of the entries that name their commits."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from assetdb.errors import HistoryError
from assetdb.history.git.entries import SUBMODULE
from assetdb.history.git.repository import Repository

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assetdb.history.git.entries import Entries, Entry

_MOST_SUBMODULES: Final = 1000


def with_submodules(repository: Repository, entries: Entries) -> Entries:
    """Return entries with submodules replaced by their files.

    Only for available ones. ``entries`` are by path, relative to the project of ``repository``.
    """
    found: Entries = {}
    places: list[str] | None = None
    for number, (path, entry) in enumerate(entries.items()):
        place = os.path.join(repository.root, os.fsdecode(path))
        is_here = _is_repository(place)
        if entry is None or entry.kind != SUBMODULE:
            found[path] = entry
            if entry is None and is_here:
                found.update(dict.fromkeys((path + b"/" + name for name in _indexed(place)), None))
        elif number > _MOST_SUBMODULES:
            continue
        elif is_here:
            found.update(_changed_files(repository, path, entry, place))
        else:
            places = _places(repository) if places is None else places
            found.update(_moved_files(repository, path, entry, places))
    return found


def _changed_files(repository: Repository, path: bytes, entry: Entry, place: str) -> Entries:
    """Return the files of a submodule that differ from its commit."""
    try:
        inner = Repository(place, fetch=repository.fetches)
        own = inner.revision_against_disk(inner.revision(entry.oid), tops=(".",))
    except HistoryError:  # the commit is unavailable: the disk replaces it
        return {}
    return {
        path + b"/" + name: item and item._replace(submodule=item.submodule or place)
        for name, item in with_submodules(inner, own).items()
    }


def _moved_files(repository: Repository, path: bytes, entry: Entry, places: Iterable[str]) -> Entries:
    """Return the files of a submodule that moved, none if unavailable."""
    for place in places:
        try:
            inner = Repository(place, fetch=repository.fetches)
            tree = inner.tree(inner.revision(entry.oid).tree)
        except HistoryError:
            continue
        files = ((name, item) for name, item in tree.items() if item.kind != SUBMODULE)
        return {path + b"/" + name: item._replace(submodule=place) for name, item in files}
    return {}


def _places(repository: Repository) -> list[str]:
    """Return the folders of the submodules that are checked out."""
    names = [os.fsdecode(name) for name, item in repository.index().items() if item.kind == SUBMODULE]
    return list(filter(_is_repository, (os.path.join(repository.root, name) for name in names[:_MOST_SUBMODULES])))


def _is_repository(place: str) -> bool:
    return os.path.lexists(os.path.join(place, ".git"))


def _indexed(place: str) -> Iterable[bytes]:
    """Return the files of a submodule, none if git fails."""
    try:
        return Repository(place).index()
    except HistoryError:
        return ()
