"""What a bake leaves for the next one and for questions: the cache, and what was seen of the files behind each row."""

from __future__ import annotations

from assetdb.scan import cache, seen
from assetdb.scan.packed import fields_of
from assetdb.store.graph import each_guid, split
from assetdb.store.schema import in_order, places_of
from formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assetdb.scan.directory import DirectoryFacts
    from assetdb.scan.packed import PackedDirectories


class Saved(NamedTuple):
    """The files that a record belongs to, and what it depends on besides directories.

    Attributes:
        files: sizes and identities of database and index.
        index_bytes: those of the index.
        asset_count: how many there are.
        problems: packed diagnostics of the project as a whole.
        settings: packed.
        check_stat: what identities are made of.
        configuration: identity of ``assetdb.toml``.
    """

    files: tuple[int, int, int, int]
    index_bytes: bytes
    asset_count: int
    problems: bytes
    settings: bytes
    check_stat: str
    configuration: int


class EncodedCache(NamedTuple):
    """Cache (empty where it stays) and record of what was seen as they are written.

    Attributes:
        cache: parts.
        seen: likewise.
        made_from: what a workspace held when they were made.
        files: sizes and identities of the database and the index that they belong to.
    """

    cache: list[bytes]
    seen: list[bytes]
    made_from: object
    files: tuple[int, int, int, int]


def encode_cache(saved: Saved, directories: PackedDirectories | Sequence[DirectoryFacts]) -> list[bytes]:
    """Encode the cache, of all directories, each with its facts."""
    return cache.encode(saved.settings, saved.files, saved.asset_count, saved.problems, directories)


def encode_seen(
    saved: Saved, directories: PackedDirectories | Sequence[DirectoryFacts], rows: seen.Rows | None = None
) -> list[bytes]:
    """Encode what was seen of the files of the same directories: ``rows``, where these are made already."""
    if rows is None:
        order, guids, distinct = in_order(fields_of(directories).joined("guids"))
        places = order if distinct else places_of(each_guid(guids), order)
        rows = seen.rows(places, folders_of(directories), directories)
    made = seen.Made(saved.files[1], saved.files[3], saved.configuration, saved.check_stat)
    return seen.encode(made, rows, seen.checksum_of(saved.index_bytes))


def folders_of(directories: PackedDirectories | Sequence[DirectoryFacts]) -> list[bytes]:
    """Return the distinct GUIDs of folders (16 bytes each) in order."""
    return sorted(set(split(fields_of(directories).joined("folder_guids"))))
