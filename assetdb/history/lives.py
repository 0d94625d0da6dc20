"""The lives of all assets, from one pass over git's history.

They are as :func:`assetdb.history.life.life_of` tells them, which asks git once for each asset and each of its moves.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.errors import HistoryError
from assetdb.history.git.entries import commits_in
from assetdb.history.life import ADDED, CHANGED, DELETED, MOVED, NEW_GUID
from assetdb.history.lost_guids import METAS, holders, read_guids
from assetdb.settings.project import META, asset_prefix, asset_roots

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from assetdb.history.git.repository import Repository

    Rows = Mapping[bytes, tuple[str, str, str]]
    """Status, old and new blob of the files of a commit, by path."""

MOST_COMMITS: Final = 5_000
"""Commits that are read."""
MOST_CHANGES: Final = 20
"""Changes of an asset that are kept; the others are counted."""
_FEW: Final = 250  # commits that are read if git needs too long for, or prints too much of, the others
_TIMEOUT: Final = 20.0
_MOST_METAS: Final = 50_000  # of whose blobs the GUIDs are read; of more, the same blob is the same meta
_META: Final = META.encode()
_LOG: Final = (
    *("log", "-z", "--raw", "--no-abbrev", "--no-renames", "--relative", "--no-color", "--no-ext-diff"),
    *("--no-show-signature", "--format=%x01%H%x1f%aI%x1f%an%x1f%s"),
)


class Commit(NamedTuple):
    """A commit: short hash, time (ISO 8601), author, subject."""

    short: str
    time: str
    author: str
    subject: str


class Change(NamedTuple):
    """A change of an asset by a commit.

    Attributes:
        commit: its number among the commits, -1 of a move that is not committed.
        change: as :class:`assetdb.history.life.Event` has it.
        old_path: of a move, else ``""``.
    """

    commit: int
    change: str
    old_path: str = ""


class Lives(NamedTuple):
    """The changes of assets.

    Attributes:
        commits: the newest first.
        changes: of each asset the newest, newest first.
        counts: how many changes each asset has in these commits.
        is_cut: whether there are older commits that were not read.
    """

    commits: tuple[Commit, ...]
    changes: tuple[tuple[Change, ...], ...]
    counts: tuple[int, ...]
    is_cut: bool


def lives_of(repository: Repository, assets: Sequence[tuple[str, str]], most: int = MOST_COMMITS) -> Lives:
    """Return the changes of assets by commits except merges.

    Args:
        repository: of the project.
        assets: GUID and path of each, as in the database.
        most: commits that are read, the newest first.

    Raises:
        HistoryError: git fails, or takes too long.
    """
    if not repository.head().tree:
        return Lives((), ((),) * len(assets), (0,) * len(assets), is_cut=False)
    prefix = asset_prefix(repository.root)
    found, is_cut = _commits(repository, ["."] if prefix else list(asset_roots(repository.root)), most)
    digits = repository.short_digits()
    lives = _Lives(prefix, assets, _guids(repository, [rows for _, rows in found]))
    lives.start(_moved_since(repository))
    for number, (_, rows) in enumerate(found):
        lives.read(number, rows)
    commits = (head.split("\x1f", 3) for head, _ in found)
    return Lives(
        tuple(Commit(oid[:digits], *rest) for oid, *rest in commits),
        tuple(map(tuple, lives.changes)),
        tuple(lives.counts),
        is_cut=is_cut or repository.is_shallow(),
    )


def _commits(repository: Repository, places: Sequence[str], most: int) -> tuple[list[tuple[str, Rows]], bool]:
    """Return commits with their rows, and whether there are more."""
    try:
        log = repository.output(*_LOG, f"--max-count={most + 1}", "HEAD", "--", *places, timeout=_TIMEOUT)
    except HistoryError:  # it is slow, or a commit is very large
        most = min(_FEW, most)
        log = repository.output(*_LOG, f"--max-count={most + 1}", "HEAD", "--", *places, timeout=_TIMEOUT)
    found: list[tuple[str, Rows]] = list(commits_in(log))
    return found[:most], len(found) > most


def _moved_since(repository: Repository) -> dict[str, str]:
    """Return HEAD's paths of metas that the disk has elsewhere, by GUID."""
    head = repository.head()
    held = holders(repository, repository.revision_against_disk(head, only=METAS), repository.root)
    return {guid: os.fsdecode(row.meta.removesuffix(_META)) for guid, row in held.items()}


def _guids(repository: Repository, commits: Iterable[Rows]) -> dict[str, str]:
    """Return the GUIDs that tell moves and new GUIDs, by blob."""
    wanted: dict[str, None] = {}
    for rows in commits:
        metas = [row for path, row in rows.items() if path.endswith(_META)]
        if all(status == "A" for status, _, _ in metas):
            continue  # a move takes a meta away
        for status, old, new in metas:
            if status != "D":
                wanted[new] = None
            if status != "A":
                wanted[old] = None
    if len(wanted) > _MOST_METAS:
        return {}
    oids = list(wanted)
    return {oid: guid or "" for oid, guid in zip(oids, read_guids(repository, oids), strict=True)}


class _Lives:
    """The changes of assets, and their paths in older commits."""

    def __init__(self, prefix: str, assets: Sequence[tuple[str, str]], guids: Mapping[str, str]) -> None:
        self._prefix = prefix
        self._assets = assets
        self._guids = guids
        self._at: dict[bytes, list[int]] = {}
        self.changes: list[list[Change]] = [[] for _ in assets]
        self.counts = [0] * len(assets)

    def start(self, moved: Mapping[str, str]) -> None:
        """Take the paths of HEAD; ``moved`` has the paths of moved GUIDs."""
        for number, (guid, path) in enumerate(self._assets):
            here = path.removeprefix(self._prefix)
            if guid in moved and moved[guid] != here:
                self._add(number, Change(-1, MOVED, self._prefix + moved[guid]))
                here = moved[guid]
            self._at.setdefault(os.fsencode(here), []).append(number)

    def read(self, commit: int, rows: Rows) -> None:
        """Take a commit that is older than those before."""
        moved: list[tuple[bytes, bytes]] = []
        sources: dict[str, bytes] | None = None
        for place in dict.fromkeys(path.removesuffix(_META) for path in rows):
            if place not in self._at:
                continue
            meta, file = rows.get(place + _META), rows.get(place)
            source = b""
            if meta is not None and meta[0] == "A":
                sources = self._sources(rows) if sources is None else sources
                source = sources.get(self._identity(meta[2]), b"")
            change = MOVED if source else self._change(meta, file)
            for number in self._at[place]:
                self._add(number, Change(commit, change, self._prefix + os.fsdecode(source) if source else ""))
            if source:
                moved.append((place, source))
        numbers = [(source, self._at.pop(place)) for place, source in moved]
        for source, these in numbers:
            self._at.setdefault(source, []).extend(these)

    def _change(self, meta: tuple[str, str, str] | None, file: tuple[str, str, str] | None) -> str:
        status, old, new = meta or file or ("", "", "")
        if meta is not None and status not in "AD":
            before, after = self._guids.get(old, ""), self._guids.get(new, "")
            return NEW_GUID if before and after and before != after else CHANGED
        return {"A": ADDED, "D": DELETED}.get(status, CHANGED)

    def _sources(self, rows: Rows) -> dict[str, bytes]:
        """Return the paths that a commit took away, by their GUIDs."""
        return dict(reversed(list(self._gone(rows))))

    def _gone(self, rows: Rows) -> Iterator[tuple[str, bytes]]:
        for path, (status, old, _) in rows.items():
            if status in ("D", "M") and path.endswith(_META):
                yield self._identity(old), path.removesuffix(_META)

    def _identity(self, oid: str) -> str:
        """Return a meta's GUID, its blob if it was not read."""
        return self._guids.get(oid) or oid

    def _add(self, number: int, change: Change) -> None:
        self.counts[number] += 1
        if len(self.changes[number]) < MOST_CHANGES:
            self.changes[number].append(change)
