"""``Library/ArtifactDB``: the current imports of assets, since Unity 2019.3.

Read as Unity 6000.0 writes it. Three tables of LMDB are used:

- ``CurrentRevisions``: values of 60 bytes, GUID (16, the two digits of each byte exchanged), importer, artifact (16);
- ``ArtifactIDPropertyIDToProperty``: by the name of a property and the artifact; the fileID of the main object is
  ``MainObjectLocalIdentifierInFile``;
- ``ArtifactIDToArtifactMetaInfo``: by the artifact; the value has the file of the import, or the hash of its content,
  by which the file is called in ``Library/Artifacts``.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple

from assetdb.doctor.library.lmdb_file import LmdbFile
from assetdb_formats.binary import FormatError

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

_REVISIONS: Final = "CurrentRevisions"
_PROPERTIES: Final = "ArtifactIDPropertyIDToProperty"
_CONTENTS: Final = "ArtifactIDToArtifactMetaInfo"
_MAIN_OBJECT: Final = b"MainObjectLocalIdentifierInFile"
_ID: Final = 16
_REVISION: Final = 60
_NUMBER: Final = 8
# How a SerializedFile of version 22 begins: two old sizes that are 0, the version, an old place that is 0.
_START: Final = bytes(8) + (22).to_bytes(4, "big") + bytes(4)
_SIZE_PLACE: Final = 24
_HEADER: Final = 48
_SWAPPED: Final = bytes(byte >> 4 | (byte & 15) << 4 for byte in range(256))


class Artifact(NamedTuple):
    """One current import of an asset.

    Attributes:
        guid: of the asset.
        main: fileID of the main object.
        is_only: whether the asset has no other current import with a main object, as its preview.
        files: SerializedFiles in the database itself.
        names: names of its files in ``Library/Artifacts``.
    """

    guid: str
    main: int
    is_only: bool
    files: tuple[bytes, ...]
    names: tuple[str, ...]


def read_artifacts(file: BinaryIO, stored: Container[str]) -> Iterator[Artifact]:
    """Yield the current imports that have a main object.

    Args:
        file: the database.
        stored: the names of the files in ``Library/Artifacts``.

    Raises:
        FormatError: it is no such database, or changes while it is read.
    """
    database = LmdbFile(file)
    tables = database.tables()
    absent = [name for name in (_REVISIONS, _PROPERTIES, _CONTENTS) if name not in tables]
    if absent:
        raise FormatError(f"has no table {absent[0]}: the database of this version of Unity is not known")
    guids = {}
    for _, value in database.rows(tables[_REVISIONS]):
        if len(value) >= _REVISION:
            guids[value[_REVISION - _ID : _REVISION]] = value[:_ID].translate(_SWAPPED).hex()
    mains = {}
    for key, value in database.rows(tables[_PROPERTIES], lambda key: _MAIN_OBJECT in key and key[-_ID:] in guids):
        if len(value) == _NUMBER:
            mains[key[-_ID:]] = int.from_bytes(value, "little", signed=True)
    counts = Counter(guids[artifact] for artifact in mains)
    for key, value in database.rows(tables[_CONTENTS], lambda key: key[-_ID:] in mains):
        artifact = key[-_ID:]
        guid, files = guids[artifact], tuple(_files_in(value))
        names = () if files else _names_in(value, stored)
        yield Artifact(guid, mains[artifact], is_only=counts[guid] == 1, files=files, names=names)


def _files_in(value: bytes) -> Iterator[bytes]:
    """Yield the SerializedFiles that a value has."""
    start = value.find(_START)
    while start >= 0:
        size = int.from_bytes(value[start + _SIZE_PLACE : start + _SIZE_PLACE + _NUMBER], "big")
        if _HEADER <= size <= len(value) - start:
            yield value[start : start + size]
        start = value.find(_START, start + max(size, 1) if _HEADER <= size <= len(value) - start else start + 1)


def _names_in(value: bytes, stored: Container[str]) -> tuple[str, ...]:
    """Return the hashes in a value that are names of stored files."""
    places = (value[start : start + _ID].hex() for start in range(len(value) - _ID + 1))
    return tuple(dict.fromkeys(name for name in places if name in stored))
