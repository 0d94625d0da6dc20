"""The life of an asset in git's history.

A meta is followed through moves by its GUID: git detects renames by similarity, and all metas are similar.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.history.git.entries import commits_in, differences_in
from assetdb.history.lost_guids import METAS, holders, read_guids
from assetdb.settings.project import META, asset_prefix, asset_roots, folded, lone_assets, lone_metas

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.history.git.repository import Repository

ADDED: Final = "added"
CHANGED: Final = "changed"
DELETED: Final = "deleted"
MOVED: Final = "moved"
NEW_GUID: Final = "new GUID"
_MOST_MOVES: Final = 1_000
_UNCHANGED: Final = ("", "", "")
_LOG: Final = (
    *("log", "-z", "--raw", "--no-abbrev", "--no-renames", "--no-relative", "--no-color", "--no-ext-diff"),
    *("--no-show-signature", "--format=%x01%H%x1f%P%x1f%aI%x1f%an%x1f%s"),
)
_DELETIONS: Final = (
    *("log", "-z", "--name-only", "--no-renames", "--diff-filter=D", "--relative", "--format="),
    *("--no-color", "--no-ext-diff", "--no-show-signature"),
)


class Event(NamedTuple):
    """A commit of an asset's life.

    Attributes:
        commit: its full hash; ``""`` if not committed yet.
        short: its short hash, as long as HEAD's.
        time: when it was written, in ISO 8601 with the zone.
        author: a name.
        subject: the first line of the message.
        change: :data:`ADDED`, :data:`CHANGED`, :data:`DELETED`, :data:`MOVED` or :data:`NEW_GUID`.
        path: of the asset, after the commit; for a deletion, before it. Relative to the top of the repository if the
            project's folder had another name then.
        old_path: of a move, else ``""``.
        old_guid: of a new GUID, else ``""``.
    """

    commit: str
    short: str
    time: str
    author: str
    subject: str
    change: str
    path: str
    old_path: str = ""
    old_guid: str = ""

    @property
    def day(self) -> str:
        """The date in the author's zone."""
        return self.time[:10]

    @property
    def where(self) -> str:
        """The path in words, with the former path and GUID."""
        moved = f"{self.old_path} -> {self.path}" if self.old_path else self.path
        return f"{moved} (was {self.old_guid})" if self.old_guid else moved


class _Commit(NamedTuple):
    """A commit of an asset.

    Attributes:
        meta: status, old and new blob of the meta, None if it did not change.
        file: status of the asset itself, ``""`` if it did not change.
    """

    oid: str
    parents: str
    time: str
    author: str
    subject: str
    meta: tuple[str, str, str] | None
    file: str

    def event(self, change: str, path: str, old_path: str = "", old_guid: str = "") -> Event:
        """Return an event of this commit."""
        return Event(self.oid, self.oid, self.time, self.author, self.subject, change, path, old_path, old_guid)


def life_of(repository: Repository, guid: str, path: str) -> Iterator[Event]:
    """Yield the commits of an asset except merges, the newest first.

    Args:
        repository: of the project.
        guid: 32 hex digits, lower case.
        path: of the asset, current or last, as in the database.

    Raises:
        HistoryError: git fails, or takes too long.
    """
    prefix = asset_prefix(repository.root)
    if not repository.head().tree:
        return  # before the first commit
    digits = repository.short_digits()

    def shown(place: str) -> str:
        return prefix + place.removeprefix(repository.prefix) if place.startswith(repository.prefix) else place

    for event in _events(repository, guid, repository.prefix + path.removeprefix(prefix)):
        old_path = shown(event.old_path) if event.old_path else ""
        yield event._replace(short=event.commit[:digits], path=shown(event.path), old_path=old_path)


def former_guid(repository: Repository, path: str) -> str:
    """Return the GUID that a path had last, or ``""``.

    Raises:
        HistoryError: git fails, or takes too long.
    """
    if not repository.head().tree:
        return ""
    here = repository.prefix + path.removeprefix(asset_prefix(repository.root))
    for commit in _commits(repository, "HEAD", *_names(repository, "HEAD", here)):
        if commit.meta is not None:
            status, old, new = commit.meta
            return _guids(repository, [old if status == "D" else new])[0]
    return ""


def former_paths(repository: Repository, name: str) -> tuple[str, ...]:
    """Return the paths that commits took a name from, sorted.

    Args:
        repository: of the project.
        name: of a file or folder, with its extension or without; a path is no name.

    Raises:
        HistoryError: git fails, or takes too long.
    """
    if not name or not repository.head().tree or any(char in name for char in ("/", os.sep, "\0")):
        return ()
    prefix = asset_prefix(repository.root)
    literal = re.sub(r"([*?\[\\])", r"\\\1", name)
    folders = ("",) if prefix else tuple(f"{root}/" for root in asset_roots(repository.root))
    places = (f":(glob){folder}**/{literal}{end}" for folder in folders for end in (META, f".*{META}"))
    deleted = repository.output(*_DELETIONS, "HEAD", "--", *places).split(b"\0")
    paths = {os.fsdecode(meta.strip(b"\n")).removesuffix(META) for meta in deleted if meta.strip(b"\n")}
    return tuple(
        sorted(prefix + path for path in paths if name in {(last := os.path.basename(path)), os.path.splitext(last)[0]})
    )


def _events(repository: Repository, guid: str, path: str) -> Iterator[Event]:
    former = _committed_path(repository, guid, path)
    if former:
        former, _ = _names(repository, "HEAD", former)
        yield Event("", "", "", "", "not committed", MOVED, path, former)
    here, start = former or path, "HEAD"
    for _ in range(_MOST_MOVES):
        source = ""
        here, meta = _names(repository, start, here)
        for commit in _commits(repository, start, here, meta):
            status, old, new = commit.meta or _UNCHANGED
            if status == "A":
                source = _source(repository, commit.oid, guid)
                if source:
                    start = commit.parents.partition(" ")[0]
                    source, _ = _names(repository, start, source)
                if source == here:  # the meta got the name of its asset
                    yield commit.event(CHANGED, here)
                else:
                    yield commit.event(MOVED if source else ADDED, here, source)
                if source:
                    break
            elif status == "D":
                yield commit.event(DELETED, here)
                guid = _guids(repository, [old])[0] or guid
            elif status:
                before, after = _guids(repository, [old, new])
                is_new = bool(before and after) and before != after
                yield commit.event(NEW_GUID if is_new else CHANGED, here, "", before if is_new else "")
                guid = before or guid
            elif commit.file == "A" and (source := _source_beside(repository, commit, here, meta)):
                start = commit.parents.partition(" ")[0]
                yield commit.event(MOVED, here, source)
                break
            else:  # the meta is unchanged
                yield commit.event({"A": ADDED, "D": DELETED}.get(commit.file, CHANGED), here)
        if not source:
            return
        here = source


def _committed_path(repository: Repository, guid: str, path: str) -> str:
    """Return HEAD's path of a GUID that the disk has elsewhere."""
    head = repository.head()
    if os.fsencode(path.removeprefix(repository.prefix) + META) in repository.tree(head.tree):
        return ""
    lost = holders(repository, repository.revision_against_disk(head, only=METAS), repository.root).get(guid)
    return head.prefix + os.fsdecode(lost.meta).removesuffix(META) if lost is not None else ""


def _names(repository: Repository, commit: str, path: str) -> tuple[str, str]:
    """Return the paths of an asset and its meta in a commit.

    BoatAttack has ``AiController.cs`` and ``AIcontroller.cs.meta``: either name leads to both. The paths are relative
    to the top of the repository.
    """
    folder, slash, _ = path.rpartition("/")
    listed = repository.output(
        "ls-tree", "-z", "--name-only", "--full-tree", commit, *([folder + slash] if slash else [])
    )
    names = {os.fsdecode(name) for name in listed.split(b"\0") if name}
    key, meta = folded(os.fsencode(path)), path + META
    return (
        path if path in names else lone_assets(names).get(key, path),
        meta if meta in names else lone_metas(names).get(key, meta),
    )


def _source_beside(repository: Repository, commit: _Commit, path: str, meta_path: str) -> str:
    """Return an asset's path before it was renamed by case alone.

    Its meta kept the name; ``""`` if the parent has no asset of that name.
    """
    parent, former = commit.parents.partition(" ")[0], meta_path.removesuffix(META)
    if former == path or not parent:
        return ""
    return former if repository.output("ls-tree", "-z", "--name-only", "--full-tree", parent, former) else ""


def _commits(repository: Repository, start: str, path: str, meta_path: str) -> Iterator[_Commit]:
    """Yield the commits of a meta and its asset.

    The paths are relative to the top of the repository. For a folder only its meta counts, not its contents.
    """
    words = (f":(top,literal){meta_path}", f":(top,literal){path}")
    for head, rows in commits_in(repository.output(*_LOG, start, "--", *words)):
        fields = head.split("\x1f", 4)
        meta, (file, _, _) = rows.get(os.fsencode(meta_path)), rows.get(os.fsencode(path), _UNCHANGED)
        if len(fields) == 5 and (meta is not None or file):
            oid, parents, time, author, subject = fields
            yield _Commit(oid, parents, time, author, subject, meta, file)


def _source(repository: Repository, commit: str, guid: str) -> str:
    """Return the path that a commit moved a GUID from, or ``""``."""
    raw = repository.output(
        "diff-tree",
        "-r",
        "-z",
        "--raw",
        "--no-abbrev",
        "--no-renames",
        "--no-ext-diff",
        "--no-commit-id",
        "--no-relative",
        "--diff-filter=DM",
        commit,
        "--",
        ":(top,glob)**/*.meta",
    )
    deleted = {path: entry.oid for path, entry, _ in differences_in(raw) if entry is not None}
    for name, deleted_guid in zip(deleted, _guids(repository, list(deleted.values())), strict=True):
        if deleted_guid == guid:
            return os.fsdecode(name).removesuffix(META)
    return ""


def _guids(repository: Repository, oids: list[str]) -> list[str]:
    """Return the GUIDs of metas, ``""`` if there is none."""
    return [guid or "" for guid in read_guids(repository, oids)]
