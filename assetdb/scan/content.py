"""Content ids of files, which outlast their identities.

After a clone, a checkout back and forth or a restored backup all times are new, and all bytes are what they were. What
was parsed is kept with a hash of its bytes, so that such a file is hashed, and not parsed.
"""

from __future__ import annotations

import os
import stat
from array import array
from itertools import chain

from xxhash import xxh3_128_digest

from assetdb.diagnostics import encode
from assetdb.scan.directory import SLASH
from assetdb.unity.kinds import LFS_POINTER_SIZES, is_lfs_pointer

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from typing import Final, Protocol

    from assetdb.scan.directory import DirectoryFacts
    from assetdb.scan.listing import Listing
    from assetdb.scan.place import Place

    class Files(Protocol):
        """Files of the directory that is being read, see :class:`assetdb.scan.changes.Changes`."""

        flags: int

        def read_file(self, name: bytes, /) -> tuple[bytes, int] | None:
            """Return the bytes and the identity of a file.

            None for one that cannot be read.
            """

        def read_yaml(self, name: bytes, /) -> tuple[bytes | None, int] | None:
            """Return bytes and identity; no bytes unless the file is YAML."""

        def status(self, name: bytes, /) -> os.stat_result | None:
            """Return the status of a file, None if it is unreadable."""


SIZE: Final = 16
"""Bytes of a content id."""
UNKNOWN: Final = bytes(SIZE)
"""No content id: the file is parsed again."""
UNREAD: Final = b"\xff" * SIZE
"""Of an asset whose bytes do not matter, as long as it is no Git LFS pointer: a texture.

Of a meta that stands alone, too, which is read with each listing."""
LOOKED_AT: Final = b"\xfe" * SIZE
"""Of an asset of an unknown kind that does not begin as Unity's YAML: nothing else of it matters."""

_MARKS: Final = frozenset((UNREAD, LOOKED_AT))

content_id: Callable[[bytes], bytes] = xxh3_128_digest
"""Return the content id of bytes: XXH3-128, big-endian."""


def with_same_content(
    known: DirectoryFacts, now: bytes, named: Collection[bytes], files: Files, reader: Place
) -> tuple[DirectoryFacts, bytes]:
    """Return a directory and identities, equal where contents are.

    Args:
        known: the directory with its facts.
        now: identities of its files now, as they are in no way trusted.
        named: files that are not to be compared: they are read in any case.
        files: reads what is no plain file.
        reader: of the directory.

    Raises:
        ScanError: what a file holds cannot be told just now.
    """
    if len(known.contents) * 8 != len(now) * SIZE or now == known.identities:
        return known, now
    before, after = array("q", known.identities), array("q", now)
    contents, prefix, flags = known.contents, reader.prefix, files.flags
    largest = min(reader.largest_meta, reader.largest_asset)
    open_file, status_of, read, close = os.open, os.fstat, os.read, os.close
    identity_of = reader.identities.of
    for number, name in enumerate(known.files.split(SLASH)):
        if before[number] == after[number] or name in named:
            continue
        wanted = contents[number * SIZE : number * SIZE + SIZE]
        if wanted == UNKNOWN:
            continue
        found = None
        if wanted not in _MARKS:
            try:
                descriptor = open_file(prefix + name, flags)
                try:
                    status = status_of(descriptor)
                    data = read(descriptor, status.st_size + 1) if 0 < status.st_size <= largest else b""
                finally:
                    close(descriptor)
                is_whole_file = len(data) == status.st_size and stat.S_ISREG(status.st_mode)
                if is_whole_file and content_id(data) == wanted:
                    found = identity_of(status)
            except OSError:
                pass
        if found is None:
            found = _identity_if_same(name, wanted, files, reader)
        if found is not None:
            before[number] = after[number] = found
    return known._replace(identities=before.tobytes()), after.tobytes()


def is_whole(known: DirectoryFacts, now: bytes, listing: Listing) -> bool:
    """Whether a directory's facts are right for a listing."""
    if known.identities != now or known.pair_count * 16 != len(known.guids):
        return False  # assets without a GUID are behind the others
    names = chain(chain.from_iterable(listing.pairs), (meta for _, meta in listing.folder_metas), listing.orphans)
    return (
        known.files == SLASH.join(names)
        and known.children == SLASH.join(listing.children)
        and known.links == SLASH.join(listing.links)
        and known.listing_diagnostics == encode(listing.diagnostics)
    )


def _identity_if_same(name: bytes, wanted: bytes, files: Files, reader: Place) -> int | None:
    """Return the identity of a file with the same content.

    None for another.
    """
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
