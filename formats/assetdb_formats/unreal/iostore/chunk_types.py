"""Chunk ids: the object and the kind of data.

A chunk id is 12 bytes: u64 id, u16 index, u8 padding, u8 type. For package data the id is the package id, so
a package's exports, bulk data and optional bulk data share it. The types were numbered anew with version 5
(engine 5.0); both numberings are those that the readers of both engine generations agree on.
"""

from __future__ import annotations

from struct import Struct
from typing import Final

CHUNK_ID_SIZE: Final = 12
CHUNK_ID: Final = Struct("<QHBB")

_TYPES_UE4: Final = {
    0: "Invalid",
    1: "InstallManifest",
    2: "ExportBundleData",
    3: "BulkData",
    4: "OptionalBulkData",
    5: "MemoryMappedBulkData",
    6: "LoaderGlobalMeta",
    7: "LoaderInitialLoadMeta",
    8: "LoaderGlobalNames",
    9: "LoaderGlobalNameHashes",
    10: "ContainerHeader",
    11: "ShaderCodeLibrary",
    12: "ShaderCode",
}
_TYPES_UE5: Final = {
    0: "Invalid",
    1: "ExportBundleData",
    2: "BulkData",
    3: "OptionalBulkData",
    4: "MemoryMappedBulkData",
    5: "ScriptObjects",
    6: "ContainerHeader",
    7: "ExternalFile",
    8: "ShaderCodeLibrary",
    9: "ShaderCode",
    10: "PackageStoreEntry",
    11: "DerivedData",
    12: "EditorDerivedData",
    13: "PackageResource",
}

# The first TOC version that counts chunk types the new way.
FIRST_UE5_NUMBERING: Final = 5

# What a chunk without a file name is called when it is extracted.
SUFFIXES: Final = {
    "ExportBundleData": ".uasset",
    "BulkData": ".ubulk",
    "OptionalBulkData": ".uptnl",
    "MemoryMappedBulkData": ".m.ubulk",
}


def type_names(toc_version: int) -> dict[int, str]:
    """Return the chunk type names of a TOC version, by number."""
    return _TYPES_UE5 if toc_version >= FIRST_UE5_NUMBERING else _TYPES_UE4


def type_name(number: int, toc_version: int) -> str:
    """Return a chunk type's name, ``Type<number>`` where it has none."""
    return type_names(toc_version).get(number) or f"Type{number}"


def type_number(name: str, toc_version: int) -> int | None:
    """Return a chunk type's number by name; None if missing."""
    return next((number for number, known in type_names(toc_version).items() if known == name), None)


def chunk_id(identity: int, kind: int, part: int = 0) -> bytes:
    """Return the chunk id of a package, container or hash, by type."""
    return CHUNK_ID.pack(identity, part, 0, kind)
