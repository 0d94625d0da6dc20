"""Content ids of files, which do not depend on their identities.

After a clone, a checkout back and forth or a restored backup, all times are new but the bytes are unchanged. Facts are
kept with a hash of the bytes, so that such a file is hashed and not parsed.
"""

from __future__ import annotations

import os
import stat
from array import array
from itertools import chain

from assetdb.diagnostics import decode, encode
from assetdb.scan.content_id import SIZE, content_id, hasher
from assetdb.scan.directory import SLASH, asset_rows, utf8
from assetdb.scan.walking.listing import shown
from assetdb.system.shared_opening import open_shared
from assetdb.unity.kinds import LFS_POINTER_SIZES, is_lfs_pointer
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from typing import Final, Protocol

    from assetdb.diagnostics import Diagnostic
    from assetdb.scan.directory import AssetRow, DirectoryFacts
    from assetdb.scan.reading_position import Place
    from assetdb.scan.walking.listing import Listing

    class Files(Protocol):
        """Files of the directory that is being read, see :class:`assetdb.scan.changes.Changes`."""

        flags: int

        def read_file(self, name: bytes, /) -> tuple[bytes, int] | None:
            """Return bytes and identity of a file, None if it is unreadable."""

        def read_yaml(self, name: bytes, /) -> tuple[bytes | None, int] | None:
            """Return bytes and identity; no bytes unless the file is YAML."""

        def status(self, name: bytes, /) -> os.stat_result | None:
            """Return the status of a file, None if it is unreadable."""


UNKNOWN: Final = bytes(SIZE)
"""No content id: parse the file again."""
UNREAD: Final = b"\xff" * SIZE
"""The content id of an asset whose bytes matter only if they are a Git LFS pointer, such as a texture.

Orphaned metas have it, too, since they are read with each listing."""
LOOKED_AT: Final = b"\xfe" * SIZE
"""The content id of an asset of an unknown kind, of which only matters that it is not Unity's YAML."""

_MARKS: Final = frozenset((UNREAD, LOOKED_AT))


class KnownAsset(NamedTuple):
    """The known facts of one asset in a changed directory.

    Attributes:
        identities: of asset and meta as they were.
        contents: content ids of both.
        same: whether they are unchanged, and can be trusted.
        row: as it was; None for one without a GUID.
        diagnostics: as they were.
    """

    identities: bytes
    contents: bytes
    same: bool
    row: AssetRow | None
    diagnostics: list[Diagnostic]


def with_same_content(
    known: DirectoryFacts, current: bytes, named: Collection[bytes], files: Files, reader: Place
) -> tuple[DirectoryFacts, bytes]:
    """Return a directory and identities, equal for files of equal content.

    Args:
        known: the directory with its facts.
        current: identities that its files have now, untrusted.
        named: files to read in any case.
        files: reads other than regular files.
        reader: of the directory.

    Raises:
        ScanError: a file cannot be read now.
    """
    if len(known.contents) * 8 != len(current) * SIZE or current == known.identities:
        return known, current
    before, after = array("q", known.identities), array("q", current)
    contents, prefix, flags = known.contents, reader.prefix, files.flags
    largest = min(reader.largest_meta, reader.largest_asset)
    open_file, status_of, read, close = open_shared, os.fstat, os.read, os.close
    identity_of = reader.identities.of
    digest: Callable[[bytes], bytes] | None = None
    for number, name in enumerate(known.files.split(SLASH)):
        if before[number] == after[number] or name in named:
            continue
        wanted = contents[number * SIZE : number * SIZE + SIZE]
        if wanted == UNKNOWN:
            continue
        found = None
        if wanted not in _MARKS:
            digest = digest or hasher()
            try:
                descriptor = open_file(prefix + name, flags)
                try:
                    status = status_of(descriptor)
                    data = read(descriptor, status.st_size + 1) if 0 < status.st_size <= largest else b""
                finally:
                    close(descriptor)
                is_whole_file = len(data) == status.st_size and stat.S_ISREG(status.st_mode)
                if is_whole_file and digest(data) == wanted:
                    found = identity_of(status)
            except OSError:
                pass
        if found is None:
            found = _identity_if_same(name, wanted, files, reader)
        if found is not None:
            before[number] = after[number] = found
    return known._replace(identities=before.tobytes()), after.tobytes()


def ids_of_same_folders(known: DirectoryFacts, current: bytes) -> dict[bytes, bytes]:
    """Return the content ids of unchanged metas of folders."""
    found = {}
    for number, meta in enumerate(known.files.split(SLASH)[2 * known.pair_count :], 2 * known.pair_count):
        content = known.contents[number * SIZE : number * SIZE + SIZE]
        if known.identities[number * 8 : number * 8 + 8] == current[number * 8 : number * 8 + 8] and content not in (
            b"",
            UNREAD,
        ):
            found[meta] = content
    return found


def is_whole(known: DirectoryFacts, current: bytes, listing: Listing) -> bool:
    """Whether a directory's facts match a listing."""
    if known.identities != current or known.pair_count * 16 != len(known.guids):
        return False  # assets without a GUID come last
    names = chain(chain.from_iterable(listing.pairs), (meta for _, meta in listing.folder_metas), listing.orphans)
    return (
        known.files == SLASH.join(names)
        and known.children == SLASH.join(listing.children)
        and known.links == SLASH.join(listing.links)
        and known.listing_diagnostics == encode(listing.diagnostics)
    )


def _identity_if_same(name: bytes, wanted: bytes, files: Files, reader: Place) -> int | None:
    """Return the identity of a file with equal content, else None."""
    if wanted == LOOKED_AT:
        looked = files.read_yaml(name)
        return looked[1] if looked is not None and looked[0] is None else None
    if wanted == UNREAD:
        status = files.status(name)
        if status is None or not stat.S_ISREG(status.st_mode):
            return None
        if status.st_size not in LFS_POINTER_SIZES:
            return reader.identities.of(status)
    read = files.read_file(name)
    if read is None:
        return None
    is_same = not is_lfs_pointer(read[0]) if wanted == UNREAD else content_id(read[0]) == wanted
    return read[1] if is_same else None


def assets_of(directory: DirectoryFacts, current: bytes) -> dict[tuple[bytes, bytes], KnownAsset]:
    """Return known facts by asset and meta; ``current`` are identities now."""
    names = directory.files.split(SLASH)[: directory.pair_count * 2] if directory.files else []
    pairs = list(zip(names[::2], names[1::2], strict=True))
    rows: list[AssetRow | None] = list(asset_rows(directory))
    rows += [None] * (len(pairs) - len(rows))
    by_path: dict[str, list[Diagnostic]] = {}
    for diagnostic in decode(directory.file_diagnostics):
        by_path.setdefault(diagnostic.path.removesuffix(".meta"), []).append(diagnostic)
    prefix = utf8(directory.path) + SLASH
    found = {}
    for number, (pair, row) in enumerate(zip(pairs, rows, strict=True)):
        before = directory.identities[number * 16 : number * 16 + 16]
        same = before == current[number * 16 : number * 16 + 16]
        ids = directory.contents[number * 32 : number * 32 + 32] or UNKNOWN * 2
        found[pair] = KnownAsset(before, ids, same, row, by_path.get(shown(prefix + pair[0]), []) if by_path else [])
    return found
