"""Files of a project that the next commit would not have."""

from __future__ import annotations

import os
from hashlib import sha256
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.errors import HistoryError
from assetdb.history.git.entries import SUBMODULE
from assetdb.history.git.repository import Repository
from assetdb.history.git.submodules import with_submodules
from assetdb.settings.configuration import read_configuration
from assetdb.settings.project import (
    ASSET_ROOTS,
    META,
    asset_file,
    asset_prefix,
    asset_roots,
    folded,
    folder_and_parents,
    lone_assets,
)
from assetdb.system.failures import excuse
from assetdb_formats.globs import path_matcher

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from assetdb.history.git.entries import Entries, Entry


class Untracked(NamedTuple):
    """Files of the disk that git lacks, by paths in the database.

    Attributes:
        added: files that ``git add`` would take, and files of ``git add -N``, of which it has the names alone.
        ignored: files that ``git add`` leaves out, but for files that the settings say a step of the team restores.
        inner: files of submodules that their used commits lack, and their own git does not ignore, metas in
            another case than their assets' also by the usual names.
        others: metas among the first two with names in another case than their assets', by the usual names.
        failure: why git cannot tell of all files, although there is a repository; else ``""``.
    """

    added: frozenset[str] = frozenset()
    ignored: frozenset[str] = frozenset()
    failure: str = ""
    inner: frozenset[str] = frozenset()
    others: Mapping[str, str] = MappingProxyType({})

    def has(self, path: str) -> bool:
        """Whether git does not have a file, submodules apart."""
        return path in self.added or path in self.ignored or path in self.others

    def meta_of(self, asset: str) -> str:
        """Return an asset's meta, in any case if git lacks it."""
        return self.others.get(f"{asset}{META}", f"{asset}{META}")

    def is_in_no_clone(self, path: str) -> bool:
        """Whether no clone has a file, also one of a submodule."""
        return self.has(path) or path in self.inner

    @property
    def digest(self) -> str:
        """A digest of all paths, ``""`` without any."""
        if not self.added and not self.ignored and not self.inner:
            return ""
        paths = "\0".join((*sorted(self.added), "", *sorted(self.ignored), "", *sorted(self.inner)))
        return sha256(paths.encode("utf-8", "surrogateescape")).hexdigest()


NONE: Final = Untracked()


def find_untracked(root: str, repository: Repository | None = None) -> Untracked:
    """Return the files of a project that git does not have.

    There are none without a repository. One that was compared with the disk already does not list all files again.

    Files of submodules are judged by the commits that the index names, which a clone gets. Files of other repositories
    in the project are left out: their own git has them.
    """
    try:
        repository = repository or Repository(root)
        tops = _tops(root)
        repository.look_at_disk(tops)
        entries = repository.index_against_disk()
        named = [path for path, entry in entries.items() if entry is None]
        added = _paths(root, [*repository.untracked(tops), *named])
        ignored, absent = ignored_in(repository), set[bytes]()
        inner = _paths(root, _inner(repository, entries, tops, absent))
        inner = inner.union(_metas_in_another_case(root, inner))
        others = _metas_in_another_case(root, added | ignored)
        return Untracked(added, ignored, _without_commit(repository, entries, absent), inner, others)
    except HistoryError as error:
        if not any(map(_is_repository, folder_and_parents(root))):
            return NONE
        return Untracked(failure=str(error).replace(f" in {root}", ""))


def _metas_in_another_case(root: str, paths: Collection[str]) -> dict[str, str]:
    """Return metas in another case than their assets, by usual names.

    BoatAttack has ``AiController.cs`` and ``AIcontroller.cs.meta``.
    """
    found: dict[str, str] = {}
    folders: dict[str, dict[str | bytes, str]] = {}
    for meta in sorted(path for path in paths if path.endswith(META)):
        asset = meta.removesuffix(META)
        if asset in paths or os.path.lexists(asset_file(root, asset)):
            continue
        folder, _, name = asset.rpartition("/")
        if folder not in folders:
            folders[folder] = _without_metas(root, folder)
        paired = folders[folder].pop(folded(os.fsencode(name)), "")
        if paired:
            found[f"{folder}/{paired}{META}"] = meta
    return found


def _without_metas(root: str, folder: str) -> dict[str | bytes, str]:
    """Return the names in a folder that have no usual meta."""
    try:
        return lone_assets(frozenset(os.listdir(asset_file(root, folder))))
    except OSError as error:
        excuse(folder, error)
        return {}


def _inner(repository: Repository, entries: Entries, tops: Collection[str], absent: set[bytes]) -> Iterator[bytes]:
    """Yield the files of submodules that their used commits lack.

    Args:
        repository: of the project.
        entries: of the index, where it differs from the disk.
        tops: folders of assets.
        absent: gets the paths of submodules whose used commits are not available.
    """
    used: Entries = {
        path: entry
        for path, entry in entries.items()
        if entry is not None
        and entry.kind == SUBMODULE
        and ("." in tops or os.fsdecode(path.partition(b"/")[0]) in tops)
    }
    yield from (path for path, entry in with_submodules(repository, used, absent).items() if entry is None)


def _without_commit(repository: Repository, entries: Entries, absent: Iterable[bytes]) -> str:
    """Return why submodules that are checked out cannot be judged, or ``""``."""
    for path in sorted(absent):
        name, entry = os.fsdecode(path), entries[path]
        place = os.path.join(repository.root, name)
        if entry is not None and _is_repository(place):
            try:
                Repository(place)
            except HistoryError:  # its .git leads nowhere, or git trusts the folder of the project alone
                return f"git cannot read the submodule {name}: run git status in it"
            return f"{name} has not the commit {entry.oid[:10]} that the project uses: run git fetch in it"
    return ""


def _is_repository(folder: str) -> bool:
    """Whether git finds a repository here: ``.git`` needs a HEAD."""
    place = os.path.join(folder, ".git")
    return os.path.isfile(place) or os.path.lexists(os.path.join(place, "HEAD"))


def ignored_in(repository: Repository, entries: Mapping[bytes, Entry | None] = MappingProxyType({})) -> frozenset[str]:
    """Return the ignored files of a project that nothing restores.

    Args:
        repository: of the project.
        entries: of another revision, where it differs from the disk: what it has is not ignored there, although the
            next commit may take it out of git (``git rm --cached``).

    Raises:
        HistoryError: git fails.
        ConfigurationError: ``assetdb.toml`` is wrong.
    """
    root = repository.root
    kept = {path for path, entry in entries.items() if entry is not None}
    found = _paths(root, (path for path in repository.ignored(_tops(root)) if path not in kept))
    settings = read_configuration(root).check if found else None
    if settings is None or not settings.restored:
        return found
    is_restored = path_matcher(settings.restored)
    return frozenset(path for path in found if not is_restored(path))


def rule_of(root: str, paths: Iterable[str]) -> dict[str, str]:
    """Return git's rules that ignore files, by path.

    For example ``.gitignore:3 `*.meta` ``; a path that git does not ignore is left out.
    """
    prefix = asset_prefix(root)
    given = b"".join(os.fsencode(path.removeprefix(prefix)) + b"\0" for path in paths)
    try:
        told = Repository(root).output("check-ignore", "-v", "-z", "--stdin", accept=(0, 1), given=given)
    except HistoryError:
        return {}
    cells = [os.fsdecode(cell) for cell in told.split(b"\0")]
    rows = zip(cells[::4], cells[1::4], cells[2::4], cells[3::4], strict=False)
    return {prefix + path: f"{source}:{line} `{pattern}`" for source, line, pattern, path in rows}


def _tops(root: str) -> tuple[str, ...]:
    """Return the folders of assets, as git names them."""
    roots = asset_roots(root)
    return roots if roots == ASSET_ROOTS else (".",)


def _paths(root: str, names: Iterable[bytes]) -> frozenset[str]:
    prefix = asset_prefix(root)
    top = os.fsencode(root)
    return frozenset(prefix + os.fsdecode(name) for name in names if not os.path.isdir(os.path.join(top, name)))
