"""The record of a bake: its cache and the file identities."""

from __future__ import annotations

from array import array

from assetdb.scan.known import cache, file_identities
from assetdb.scan.known.packed import fields_of
from assetdb.store.indexes.graph import each_guid, split
from assetdb.store.schema import in_order, places_of
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from assetdb.scan.directory import DirectoryFacts
    from assetdb.scan.known.packed import PackedDirectories
    from assetdb.store.output import Output

_AT_ONCE = 1 << 15  # number of GUIDs that are sorted in 20 ms


class Saved(NamedTuple):
    """The inputs of a record besides directories.

    Attributes:
        files: sizes and identities of database and index.
        index_bytes: the bytes of the index.
        asset_count: how many entries the database has.
        problems: packed diagnostics of the project as a whole.
        settings: packed.
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
        if whole and not output.begin_cache(encode_cache(saved, directories), is_wanted):
            return False
        output.begin_seen(encode_seen(saved, directories, rows))
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


def encode_cache(saved: Saved, directories: PackedDirectories | Sequence[DirectoryFacts]) -> list[bytes]:
    """Encode the cache, of all directories, each with its facts."""
    return cache.encode(saved.settings, saved.files, saved.asset_count, saved.problems, directories)


def encode_seen(
    saved: Saved,
    directories: PackedDirectories | Sequence[DirectoryFacts],
    rows: file_identities.Rows | None = None,
) -> list[bytes]:
    """Encode the seen identities of directories, or of ``rows`` already made."""
    if rows is None:
        places = _places(fields_of(directories).joined("guids"))
        rows = file_identities.rows(places, folders_of(directories), directories)
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
