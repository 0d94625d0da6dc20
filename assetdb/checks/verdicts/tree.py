"""The directories of a scan, and the difference between two scans.

A directory is a row of columns, as in the scan; equal rows are not compared in detail. The asset of a GUID changes with
the names and the content of its file and its meta, or with their identities if they have not been read.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.memo.contents import ABSENT, packed_contents
from assetdb.memo.tree import is_named_unread, may_refer
from assetdb.scan.content_id import SIZE
from assetdb.scan.directory import SLASH
from assetdb.scan.known.content import LOOKED_AT, UNKNOWN, UNREAD
from assetdb.system.identity import PACKED_RACY, RACY, has_racy

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from assetdb.scan.directory import DirectoryFacts
    from assetdb.workspace.workspace import Listing

_GUID: Final = 16
_MARKS: Final = frozenset((UNREAD, LOOKED_AT))
_NOT_READ: Final = frozenset((*_MARKS, UNKNOWN, b""))
_STAMP: Final = SIZE  # bytes of a stamp: a content id, or an identity as a number
_ANY: Final = bytes(_STAMP)  # whatever the content is
_IDENTITY: Final = len(PACKED_RACY)
_RACY: Final = packed_contents([RACY])
NEVER: Final = ""
"""The stamp of a file that counts as changed at any time."""


class Row(NamedTuple):
    """One directory.

    Most fields are those fields of :class:`assetdb.scan.directory.DirectoryFacts` that have the name.

    Attributes:
        files: names.
        identities: of the files.
        stamps: 16 bytes of each asset, and of its meta, which differ if the content does.
        guids: of the assets.
        folders: names.
        folder_guids: of the folders.
        oddities: the field ``listing_diagnostics``.
        pair_count: how many of the files are assets.
    """

    files: bytes
    identities: bytes
    stamps: bytes
    guids: bytes
    folders: bytes
    folder_guids: bytes
    oddities: bytes
    pair_count: int

    def is_of(self, directory: DirectoryFacts) -> bool:
        """Whether this is a directory's row, so that its GUIDs match."""
        return (
            self.files == directory.files
            and self.identities == directory.identities
            and self.oddities == directory.listing_diagnostics
            and not has_racy(self.identities)
        )

    def is_as(self, other: Row) -> bool:
        """Whether two rows have the same content, and times that prove it."""
        row: tuple[object, ...] = self._replace(identities=other.identities)
        return row == other and not has_racy(self.identities)


class Difference(NamedTuple):
    """The differences of a tree from an earlier one.

    Attributes:
        guids: those whose assets changed, 16 bytes each.
        read: text files that are new or changed, relative to the project.
        removed: text files that were removed.
        folders: directories that changed.
        stamps: by path, the earlier stamps of the changed and removed text files.
    """

    guids: set[bytes]
    read: list[bytes]
    removed: list[bytes]
    folders: list[bytes]
    stamps: dict[bytes, bytes]


def rows_of(
    listing: Listing,
    before: Mapping[bytes, Row],
    directories: Mapping[bytes, DirectoryFacts],
    content: Callable[[str], int],
) -> dict[bytes, Row]:
    """Return all directories of a listing.

    Args:
        listing: the result of a scan.
        before: known rows.
        directories: the directories of some known rows; most are unchanged in the next scan of a daemon.
        content: returns the content id of a file that no scan has read, by its path.

    Raises:
        DamagedCacheError: the cached facts of one are damaged.
    """
    complete, known_directory = listing.complete, directories.get
    found: dict[bytes, Row] = {}
    for path, directory in listing.directories.items():
        known = before.get(path)
        # To complete the directories of unitystation takes 40 ms, to compare them 2.
        if known is None or not (known_directory(path) is directory or known.is_of(directory)):
            known = _row(complete(directory), content)
        found[path] = known
    return found


def text_files(path: bytes, row: Row) -> Iterator[tuple[bytes, bytes, bytes]]:
    """Yield path, stamp and GUID (or ``b""``) of possibly referring assets."""
    names = row.files.split(SLASH)[: 2 * row.pair_count : 2]
    for number, name in enumerate(names):
        if may_refer(name):
            stamp = row.stamps[2 * number * _STAMP : (2 * number + 1) * _STAMP]
            yield path + SLASH + name, stamp, row.guids[number * _GUID : number * _GUID + _GUID]


def contents(path: bytes, row: Row) -> Iterator[tuple[bytes, bytes]]:
    """Yield each GUID (16 bytes) and its asset's stamp, ``b""`` if racy."""
    names = row.files.split(SLASH)
    for number in range(len(row.guids) // _GUID):
        pair = row.stamps[2 * number * _STAMP : 2 * (number + 1) * _STAMP]
        stamp = (
            b""
            if _RACY in (pair[:_STAMP], pair[_STAMP:])
            else b"\0".join((path, *names[2 * number : 2 * number + 2], pair))
        )
        yield row.guids[number * _GUID : number * _GUID + _GUID], stamp
    for number, name in enumerate(row.folders.split(SLASH) if row.folders else ()):
        yield row.folder_guids[number * _GUID : number * _GUID + _GUID], b"%s/%s" % (path, name)


def difference(before: Mapping[bytes, Row], after: Mapping[bytes, Row]) -> Difference:
    """Return the differences of two trees; racy times count as changes."""
    found = Difference(set(), [], [], [], {})
    for path in before.keys() | after.keys():
        old, new = before.get(path), after.get(path)
        if old is not None and new is not None and new.is_as(old):
            continue
        found.folders.append(path)
        old_contents = set(contents(path, old)) if old is not None else set()
        new_contents = set(contents(path, new)) if new is not None else set()
        found.guids.update(guid for guid, _ in old_contents ^ new_contents)
        found.guids.update(guid for guid, stamp in new_contents if not stamp)
        old_files = {file: facts for file, *facts in text_files(path, old)} if old is not None else {}
        new_files = {file: facts for file, *facts in text_files(path, new)} if new is not None else {}
        found.removed.extend(old_files.keys() - new_files.keys())
        for file, facts in new_files.items():
            if facts[0] == _RACY or facts != old_files.get(file):
                found.read.append(file)
            else:
                del old_files[file]
        found.stamps.update((file, facts[0]) for file, facts in old_files.items())
    return found


def with_changed(rows: dict[bytes, Row], contents: Mapping[bytes, bytes]) -> dict[bytes, Row]:
    """Return directories, with files marked that changed since their scan.

    Their facts are not of the content that was scanned: if that is restored, the file is read again.

    Args:
        rows: of a scan.
        contents: by path the content id of the bytes that were read after it, ``b""`` for none.
    """
    found = dict(rows)
    for folder in rows.keys() & {path.rpartition(SLASH)[0] for path in contents}:
        row, changed = rows[folder], []
        for number, name in enumerate(row.files.split(SLASH)[: 2 * row.pair_count : 2]):
            content = contents.get(folder + SLASH + name)
            stamp = row.stamps[2 * number * _STAMP : (2 * number + 1) * _STAMP]
            identity = _stamp_of_identity(row.identities, 2 * number)
            if content is not None and stamp not in (content, identity, _RACY, _ANY):
                changed.append(2 * number)
        found[folder] = _racy_at(row, changed)
    return found


def with_replaced(
    rows: dict[bytes, Row], paths: Collection[bytes], identity_of: Callable[[bytes], int]
) -> dict[bytes, Row]:
    """Return directories, with assets marked that were replaced since their scan.

    What was found in such an asset may be of the file that was there for a moment.

    Args:
        rows: of a scan.
        paths: of assets that were examined after it.
        identity_of: returns the identity of a file, as scans have it.
    """
    found = dict(rows)
    folders: dict[bytes, set[bytes]] = {}
    for path in paths:
        folder, _, name = path.rpartition(SLASH)
        folders.setdefault(folder, set()).add(name)
    for folder in rows.keys() & folders.keys():
        row, wanted = rows[folder], folders[folder]
        known = memoryview(row.identities).cast("q")
        names = row.files.split(SLASH)[: 2 * row.pair_count]
        changed = [
            place
            for place, name in enumerate(names)  # each asset before its meta
            if names[place & ~1] in wanted and known[place] not in (RACY, identity_of(folder + SLASH + name))
        ]
        found[folder] = _racy_at(row, changed)
    return found


def _racy_at(row: Row, places: Sequence[int]) -> Row:
    """Return a row with some files marked, itself without any."""
    if not places:
        return row
    stamps, identities = bytearray(row.stamps), bytearray(row.identities)
    for place in places:
        stamps[place * _STAMP : (place + 1) * _STAMP] = _RACY
        identities[place * _IDENTITY : (place + 1) * _IDENTITY] = PACKED_RACY
    return row._replace(stamps=bytes(stamps), identities=bytes(identities))


def _stamp_of_identity(identities: bytes, number: int) -> bytes:
    packed = identities[number * _IDENTITY : (number + 1) * _IDENTITY]
    return packed_contents([int.from_bytes(packed, sys.byteorder, signed=True)])


def stamp_of(file: str, content: Callable[[str], int]) -> str:
    """Return the stamp of a package's (unscanned) file and its meta."""
    found = content(file), content(f"{file}.meta")
    return NEVER if RACY in found or ABSENT in found else " ".join(map(str, found))


def _row(directory: DirectoryFacts, content: Callable[[str], int]) -> Row:
    return Row(
        directory.files,
        directory.identities,
        _stamps(directory, content),
        directory.guids,
        directory.folders,
        directory.folder_guids,
        directory.listing_diagnostics,
        directory.pair_count,
    )


def _stamps(directory: DirectoryFacts, content_of: Callable[[str], int]) -> bytes:
    """Return content stamps of assets and metas.

    These are hashes of the bytes that a scan has parsed, so that a clone, where all identities are new, is unchanged.
    Models and assemblies, which a scan does not read, are read here.
    """
    identities, contents = directory.identities, directory.contents
    found = []
    for number, name in enumerate(directory.files.split(SLASH)[: 2 * directory.pair_count]):
        content = contents[number * SIZE : number * SIZE + SIZE]
        if content in _MARKS and not is_named_unread(name):
            current = content_of(os.fsdecode(directory.path + SLASH + name))
            stamp = packed_contents([current]) if current != ABSENT else _RACY
        elif identities[number * _IDENTITY : (number + 1) * _IDENTITY] == PACKED_RACY:
            stamp = _RACY
        elif content in _MARKS:
            stamp = _ANY
        else:
            stamp = content if content not in _NOT_READ else _stamp_of_identity(identities, number)
        found.append(stamp)
    return b"".join(found)
