"""Files of submodules, in place of the entries that name their commits."""

from __future__ import annotations

import os
from itertools import islice
from typing import TYPE_CHECKING, Final

from assetdb.errors import HistoryError
from assetdb.history.git.entries import SUBMODULE
from assetdb.history.git.repository import Repository

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from assetdb.history.git.entries import Entries, Entry

_MOST_SUBMODULES: Final = 1000


def with_submodules(repository: Repository, entries: Entries, absent: set[bytes] | None = None) -> Entries:
    """Return entries with submodules replaced by their files.

    Args:
        repository: of the project.
        entries: by path, relative to the project.
        absent: gets the paths of submodules whose commit is not available, which are left out.
    """
    found: Entries = {}
    places: list[str] | None = None
    count = 0
    for path, entry in entries.items():
        place = os.path.join(repository.root, os.fsdecode(path))
        is_here = _is_repository(place)
        if entry is None or entry.kind != SUBMODULE:
            found[path] = entry
            if entry is None and is_here:
                found.update(dict.fromkeys((path + b"/" + name for name in _indexed(place)), None))
            continue
        count += 1
        files: Entries | None = None
        if is_here and count <= _MOST_SUBMODULES:
            files = _changed_files(repository, path, entry, place)
        elif count <= _MOST_SUBMODULES:
            places = _places(repository) if places is None else places
            files = _moved_files(repository, path, entry, places)
        if files is not None:
            found.update(files)
        elif absent is not None:
            absent.add(path)
    return found


def absent_changes(
    repository: Repository, old: Entries, new: Entries, absent: Container[bytes]
) -> dict[bytes, tuple[str, str]]:
    """Return old and new commits of submodules that cannot be compared.

    Args:
        repository: of the project.
        old: entries of one side that differ from the disk, by path.
        new: entries of the other side, by path.
        absent: submodules whose commit is not available on one of them.

    Returns:
        By path; ``""`` on a side without the submodule.
    """
    index = repository.submodules() if old or new else {}
    found = {}
    for path in sorted(old.keys() | new.keys()):
        commits = _commit(old.get(path, index.get(path))), _commit(new.get(path, index.get(path)))
        if commits[0] == commits[1]:
            continue
        is_of_index = _commit(index.get(path)) and (path not in old or path not in new)
        place = os.path.join(repository.root, os.fsdecode(path))
        if path in absent or (is_of_index and not _is_repository(place)):
            found[path] = commits
    return found


def _commit(entry: Entry | None) -> str:
    """Return the commit of a submodule, ``""`` for anything else."""
    return entry.oid if entry is not None and entry.kind == SUBMODULE else ""


def _changed_files(repository: Repository, path: bytes, entry: Entry, place: str) -> Entries | None:
    """Return a submodule's files that differ from its commit, None if unavailable."""
    try:
        inner = Repository(place, fetch=repository.fetches)
        own = inner.revision_against_disk(inner.revision(entry.oid), tops=(".",))
    except HistoryError:  # the commit is unavailable: the disk replaces it
        return None
    return {
        path + b"/" + name: item and item._replace(submodule=item.submodule or place)
        for name, item in with_submodules(inner, own).items()
    }


def _moved_files(repository: Repository, path: bytes, entry: Entry, places: Iterable[str]) -> Entries | None:
    """Return the files of a submodule that moved, None if unavailable."""
    for place in places:
        try:
            inner = Repository(place, fetch=repository.fetches)
            tree = inner.tree(inner.revision(entry.oid).tree)
        except HistoryError:
            continue
        files = ((name, item) for name, item in tree.items() if item.kind != SUBMODULE)
        return {path + b"/" + name: item._replace(submodule=place) for name, item in files}
    return None


def _places(repository: Repository) -> list[str]:
    """Return the folders of the submodules that are checked out."""
    names = map(os.fsdecode, islice(repository.submodules(), _MOST_SUBMODULES))
    return list(filter(_is_repository, (os.path.join(repository.root, name) for name in names)))


def _is_repository(place: str) -> bool:
    return os.path.lexists(os.path.join(place, ".git"))


def _indexed(place: str) -> Iterable[bytes]:
    """Return the files of a submodule, none if git fails."""
    try:
        return Repository(place).index()
    except HistoryError:
        return ()
