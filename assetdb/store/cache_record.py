"""The record of a bake: its cache and the file identities."""

from __future__ import annotations

from array import array

from assetdb.errors import DatabaseError
from assetdb.scan.known import cache, cache_log, file_identities
from assetdb.scan.known.packed import fields_of
from assetdb.store.indexes.graph import each_guid, split
from assetdb.store.indexes.reader import Index
from assetdb.store.output import read_bytes
from assetdb.store.schema import in_order, places_of
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from assetdb.scan.directory import DirectoryFacts
    from assetdb.scan.known.cache import Cache
    from assetdb.scan.known.packed import PackedDirectories
    from assetdb.store.output import Output

    Pair = tuple[DirectoryFacts | None, DirectoryFacts | None]

_AT_ONCE = 1 << 15  # number of GUIDs that are sorted in 20 ms


class Saved(NamedTuple):
    """The inputs of a record besides directories.

    Attributes:
        files: sizes and identities of database and index.
        index_bytes: the bytes of the index.
        asset_count: how many entries the database has.
        problems: packed diagnostics of the project as a whole.
        settings: the settings, packed.
        check_stat: the compared fields of files.
        configuration: identity of ``assetdb.toml``.
    """

    files: tuple[int, int, int, int]
    index_bytes: bytes
    asset_count: int
    problems: bytes
    settings: bytes
    check_stat: str
    configuration: int


class UnfinishedCache(NamedTuple):
    """A written cache that is not in its place yet.

    Attributes:
        has_cache: whether a new one was written; otherwise the current one is kept.
        made_from: the workspace's state that it was made from.
        output: the output folder, even if settings name another now.
        files: sizes and identities of the database and the index that it belongs to.
    """

    has_cache: bool
    made_from: object
    output: Output
    files: tuple[int, int, int, int]


class Edit(NamedTuple):
    """An edit, ready to be written to the log of a cache.

    Attributes:
        record: the encoded edit.
        place: offset at which the log ends so far.
        seen: the file identities after the edit, in parts.
    """

    record: bytes
    place: int
    seen: list[bytes]


def edit(saved: Saved, output: Output, known: Cache, pairs: Collection[Pair]) -> Edit | None:
    """Encode the changes of a few directories.

    Args:
        saved: database and index after the edit.
        output: the output folder.
        known: its cache, with earlier edits.
        pairs: the directories before and after, in the end with their facts.

    Returns:
        None if the cache has to be written whole: much has changed, or there are other files or GUIDs.

    Raises:
        DamagedCacheError: the facts of the cache are damaged.
    """
    size = output.size_of_cache(known.prefix) if known.prefix else 0
    if not size or known.settings != saved.settings or known.log_records >= cache_log.MOST_RECORDS:
        return None
    both = [(old, new) for old, new in pairs if old is not None and new is not None]
    if len(both) < len(pairs) or len(pairs) > cache_log.MOST_DIRECTORIES:
        return None
    both = [(known.complete(old), known.complete(new)) for old, new in both]
    if any(_names(old) != _names(new) for old, new in both):
        return None
    before = read_bytes(output.seen)
    made = file_identities.Made(saved.files[1], saved.files[3], saved.configuration, saved.check_stat)
    index_bytes = saved.index_bytes or read_bytes(output.index)
    try:
        found = file_identities.patched(before, made, known.rows_checksum, both, Index(memoryview(index_bytes)))
    except DatabaseError:
        return None
    if found is None:
        return None
    checksums = file_identities.read_checksums(before)
    checksum = checksums[1] if checksums is not None and checksums[0] == saved.files[3] else None
    seen = file_identities.with_checksums(
        found[0], file_identities.checksum_of(index_bytes) if checksum is None else checksum
    )
    changed = [new for _, new in both]
    record = cache_log.record(known, saved.files, saved.asset_count, saved.problems, changed, found[1])
    if known.log_size + len(record) > cache_log.most_bytes(size):
        return None
    return Edit(record, known.log_size, seen)


def write_edit(made: Edit, output: Output) -> None:
    """Write an edit to the log, then the identities.

    The caller holds the lock.

    Raises:
        OSError: they cannot be written.
    """
    output.append(made.record, made.place)
    output.begin_seen(made.seen)
    output.finish_seen()


def _names(directory: DirectoryFacts) -> tuple[bytes, ...]:
    return directory.files, directory.guids, directory.folders, directory.folder_guids


def begin(
    saved: Saved,
    output: Output,
    directories: PackedDirectories | Sequence[DirectoryFacts],
    rows: file_identities.Rows | None,
    *,
    whole: bool,
    is_wanted: Callable[[], bool],
) -> bool:
    """Write cache and identities to temporary files, without the lock.

    Args:
        saved: database and index that they belong to.
        output: the output folder.
        directories: all of the project, with their facts.
        rows: the identities of the files of each row, if already made.
        whole: whether the cache is written, and not only the identities.
        is_wanted: whether to continue; otherwise False is returned.

    Raises:
        OSError: it cannot be written.
    """
    try:
        rows = rows or rows_of(directories)
        if whole and not output.begin_cache(encode_cache(saved, directories, rows), is_wanted):
            return False
        output.begin_seen(encode_seen(saved, rows))
    except BaseException:  # no memory, or the daemon is about to end
        output.drop_cache()
        raise
    return True


def finish(begun: UnfinishedCache, *, is_wanted: bool) -> bool:
    """Put cache and identities in place; the caller holds the lock.

    Returns False if they are not wanted or gone, or database or index have changed; then they are removed.

    Raises:
        OSError: they cannot be put in place.
    """
    output = begun.output
    if not is_wanted or begun.files != output.identities():
        output.drop_cache()
        return False
    return (not begun.has_cache or output.finish_cache()) and output.finish_seen()


def encode_cache(
    saved: Saved, directories: PackedDirectories | Sequence[DirectoryFacts], rows: file_identities.Rows
) -> list[bytes]:
    """Encode the cache, of all directories, each with its facts."""
    checksum = file_identities.checksum_of(rows[2])
    return cache.encode(saved.settings, saved.files, saved.asset_count, saved.problems, directories, checksum)


def rows_of(directories: PackedDirectories | Sequence[DirectoryFacts]) -> file_identities.Rows:
    """Return the identities of the files of each row."""
    places = _places(fields_of(directories).joined("guids"))
    return file_identities.rows(places, folders_of(directories), directories)


def encode_seen(saved: Saved, rows: file_identities.Rows) -> list[bytes]:
    """Encode the seen identities."""
    made = file_identities.Made(saved.files[1], saved.files[3], saved.configuration, saved.check_stat)
    return file_identities.encode(made, rows, file_identities.checksum_of(saved.index_bytes))


def folders_of(directories: PackedDirectories | Sequence[DirectoryFacts]) -> list[bytes]:
    """Return the distinct GUIDs of folders (16 bytes each) in order."""
    return sorted(set(split(fields_of(directories).joined("folder_guids"))))


def _places(guids: bytes) -> array[int]:
    """Return the place of each distinct 16-byte GUID, -1 for a duplicate.

    From ``_AT_ONCE`` GUIDs on, those with the same first byte are sorted together: sorting a million at once would
    delay a daemon's answers by 0.6 s, and take 150 MB.
    """
    if len(guids) < 16 * _AT_ONCE:
        buckets = [array("I", range(len(guids) // 16))]
    else:
        buckets = [array("I") for _ in range(256)]
        for place, first in enumerate(guids[::16]):
            buckets[first].append(place)
    places = array("q")
    for some in buckets:
        order, found, _ = in_order(b"".join([guids[place * 16 : place * 16 + 16] for place in some]))
        places.fromlist(places_of(each_guid(found), map(some.__getitem__, order)))
    return places
