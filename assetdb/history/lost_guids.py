"""GUIDs that a repository has lost, from one pass over history.

>>> gone = read_gone("Village", "lost-guids")
>>> [held.path for held in gone.held.values()], gone.is_whole
(['Assets/Prefabs/Tower.prefab'], True)

A file that was moved is among them, under its former path: whoever asks looks first at what the project has.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.errors import FileError, HistoryError
from assetdb.history.git.entries import FILE, commits_in
from assetdb.history.git.objects import read_blobs
from assetdb.history.git.questions import Held
from assetdb.history.git.repository import Repository
from assetdb.history.git.stamp import came_with_commit, history_stamp
from assetdb.settings.project import META, asset_file, asset_prefix, asset_roots
from assetdb.system.reading import read_file, read_small
from assetdb.unity.metas.meta import MetaReader
from assetdb.version import VERSION
from assetdb_formats.atomic import replace_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assetdb.history.git.entries import Entries

_TIMEOUT: Final = 5.0  # seconds for one pass; the newest commits go first
_AGAIN: Final = 600.0  # seconds after which a pass that was too slow is made again
_MOST_METAS: Final = 200_000  # metas read in one pass
_LARGEST: Final = 1 << 28
_LOG: Final = (
    *("log", "-z", "--raw", "--no-abbrev", "--no-renames", "--diff-filter=DM", "--relative"),
    *("--format=%x01%h", "--no-color", "--no-ext-diff", "--no-show-signature"),
)
METAS: Final = (":(glob)**/*.meta",)


class Gone(NamedTuple):
    """The GUIDs that a history removed.

    Attributes:
        commit: the newest one, in full; ``""`` if there is no repository, or no commit.
        is_shallow: whether the clone is shallow.
        is_whole: whether all available commits were read in time.
        held: by GUID its last file, and the commit (short) that removed it.
    """

    commit: str
    is_shallow: bool
    is_whole: bool
    held: dict[str, Held]


NO_HISTORY: Final = Gone("", is_shallow=False, is_whole=True, held={})


class _Loss(NamedTuple):
    """A meta that a commit deleted, or rewrote to ``after``."""

    commit: str
    path: str
    before: str
    after: str


def read_gone(root: str, path: str, timeout: float = _TIMEOUT) -> Gone:
    """Return GUIDs that history lost, continuing from the last pass's file.

    A pass that was too slow is made again after a while: a busy machine, or a disk that was not read yet, slows one.
    """
    try:
        repository = Repository(root)
        commit = repository.head().commit
    except HistoryError:
        return NO_HISTORY._replace(is_whole=not history_stamp(root))  # without a repository nothing is unknown
    if not commit:
        return NO_HISTORY
    known = _read(path)
    shallow = repository.is_shallow()
    is_settled = known.is_whole or _is_recent(path)
    if (known.commit, known.is_shallow) == (commit, shallow) and is_settled:
        return known
    is_base = known.is_shallow == shallow and _is_ancestor(repository, known.commit, commit)
    older = known if is_base else NO_HISTORY
    continues = is_base and is_settled
    held, is_whole = _pass(repository, f"{older.commit}..{commit}" if continues else commit, timeout)
    found = Gone(commit, shallow, is_whole and (older.is_whole or not continues), {**older.held, **held})
    _write(path, found)
    return found


def find_uncommitted(root: str) -> dict[str, Held] | None:
    """Return GUIDs of HEAD's metas that the disk lacks, with files.

    None if git fails.
    """
    try:
        repository = Repository(root)
        entries = repository.revision_against_disk(repository.head(), only=METAS)
        return {guid: Held(row.path, "") for guid, row in holders(repository, entries, root).items()}
    except HistoryError:
        return None


def former_holder(held: Held, root: str) -> str:
    """Return words such as ``was Assets/Old/X.cs until 3f2c1ab``."""
    if held.commit:
        return f"was {held.path} until {held.commit}"
    asset = asset_file(root, held.path)
    if os.path.lexists(asset + META):
        guid, _, _ = MetaReader().read(read_file(asset + META) or b"")  # a crash of the editor leaves it empty
        return f"was {held.path}, whose meta has {'another' if guid else 'no'} GUID now, and that is not committed"
    if os.path.lexists(asset):
        return f"was {held.path}, whose meta is gone, and that is not committed"
    return f"was {held.path} and its deletion is not committed"


class Holder(NamedTuple):
    """A meta in a revision, its asset's database path, and its blob."""

    meta: bytes
    path: str
    oid: str


def holders(repository: Repository, entries: Entries, root: str) -> dict[str, Holder]:
    """Return the metas of one side that another side lacks, by GUID."""
    metas = [(path, entry.oid) for path, entry in entries.items() if _is_meta(path) and entry and entry.kind == FILE]
    prefix = asset_prefix(root)
    found = {}
    for (path, oid), guid in zip(metas, read_guids(repository, [oid for _, oid in metas]), strict=True):
        if guid:
            asset = prefix + path[: -len(META)].decode("utf-8", "surrogateescape")
            found[guid] = Holder(path, asset, oid)
    return found


def read_guids(repository: Repository, oids: Sequence[str]) -> Iterator[str | None]:
    """Yield metas' GUIDs in order, ``""`` without one, None without a blob.

    Raises:
        HistoryError: git fails, or an object is not a blob.
    """
    reader = MetaReader()
    for blob in read_blobs(repository, oids):
        yield reader.read(next(blob.pieces(), b""))[0].decode("ascii") if blob is not None else None


def _is_meta(path: bytes) -> bool:
    return path.endswith(META.encode())


def _is_ancestor(repository: Repository, older: str, newer: str) -> bool:
    if not older:
        return False
    try:
        return repository.output("merge-base", older, newer, accept=(0, 1)).strip() == older.encode()
    except HistoryError:  # a commit that was garbage collected
        return False


def _pass(repository: Repository, revisions: str, timeout: float) -> tuple[dict[str, Held], bool]:
    """Return losses of commits, and whether there was time for all."""
    prefix = asset_prefix(repository.root)
    folders = [""] if prefix else [f"{name}/" for name in asset_roots(repository.root)]
    places = [f":(glob){folder}**/*{META}" for folder in folders]
    end = time.monotonic() + timeout
    try:
        digits = repository.short_digits()
        losses = list(_losses(repository.output(*_LOG, revisions, "--", *places, timeout=timeout)))
        guids, is_whole = _guids(repository, losses, end)
    except HistoryError:  # too slow, too much, or a partial clone without these files: unknown
        return {}, False
    held: dict[str, Held] = {}
    for loss in losses:
        guid = guids.get(loss.before, "")
        if guid and guid not in held and guids.get(loss.after, "") != guid:
            held[guid] = Held(prefix + loss.path.removesuffix(META), loss.commit[:digits])
    return held, is_whole


def _losses(log: bytes) -> Iterator[_Loss]:
    """Yield the losses in git's log, the newest commit first."""
    for commit, rows in commits_in(log):
        for path, (status, old, new) in rows.items():
            yield _Loss(commit, path.decode("utf-8", "surrogateescape"), old, "" if status == "D" else new)


def _guids(repository: Repository, losses: Sequence[_Loss], end: float) -> tuple[dict[str, str], bool]:
    """Return GUIDs of metas by object name, deleted first, and completeness."""
    wanted = dict.fromkeys(loss.before for loss in losses if not loss.after)
    wanted.update(dict.fromkeys(oid for loss in losses if loss.after for oid in (loss.before, loss.after)))
    oids = [oid for oid in wanted if set(oid) != {"0"}]
    found: dict[str, str] = {}
    is_whole = len(oids) <= _MOST_METAS
    oids = oids[:_MOST_METAS]
    for oid, guid in zip(oids, read_guids(repository, oids), strict=True):
        is_whole = is_whole and guid is not None
        found[oid] = guid or ""
        if time.monotonic() > end:
            return found, False
    return found, is_whole


def _read(path: str) -> Gone:
    import msgspec  # noqa: PLC0415 - a fifth of an unchanged check, which asks for no history in most projects

    try:
        version, gone = msgspec.msgpack.decode(read_small(path, _LARGEST), type=tuple[str, Gone])
    except (OSError, FileError, msgspec.DecodeError, UnicodeError):
        return NO_HISTORY
    # A made-up pass of a commit could have none of the GUIDs that its history lost.
    return gone if version == VERSION and not came_with_commit(path) else NO_HISTORY


def _is_recent(path: str) -> bool:
    """Whether the last pass is too young to be made again."""
    try:
        return abs(time.time() - os.stat(path).st_mtime) < _AGAIN
    except OSError:
        return False


def _write(path: str, gone: Gone) -> None:
    """Write the result of a pass, if that is possible."""
    import msgspec  # noqa: PLC0415 - as above

    held = {guid: Held(_plain(row.path), row.commit) for guid, row in gone.held.items()}
    try:
        replace_file(path, [msgspec.msgpack.encode((VERSION, gone._replace(held=held)))])
    except OSError:
        return


def _plain(path: str) -> str:
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
