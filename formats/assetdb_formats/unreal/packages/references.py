"""Reference tables: depends, preload, soft packages and paths, names."""

from __future__ import annotations

import sys
from array import array
from struct import Struct, unpack_from
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.packages.names import TableReader
from assetdb_formats.unreal.strings import utf8_string_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb_formats.unreal.packages.summary import Summary

# FFortniteMainBranchObjectVersion: from 192 on (5.6) the sub-path of a soft object path is UTF-8 without a NUL.
# It is a custom version, no file version, decides it: every editor file of 5.6 and 5.7 breaks without it.
FORTNITE_MAIN_BRANCH: Final = "601D1886AC644F84AA16D3DE0DEAC7D6"
UTF8_SUB_PATHS: Final = 192

_I32: Final = Struct("<i")


class SoftObjectPath(NamedTuple):
    """A reference by name, loaded only on demand."""

    package_name: str
    asset_name: str
    sub_path: str

    def __str__(self) -> str:
        path = f"{self.package_name}.{self.asset_name}" if self.asset_name else self.package_name
        return f"{path}:{self.sub_path}" if self.sub_path else path


class SearchableNames(NamedTuple):
    """The searchable names of an object, such as gameplay tags."""

    object_index: int
    names: tuple[str, ...]


class Depends:
    """The object indices that each export depends on, read on access."""

    __slots__ = ("_data", "_starts")

    def __init__(self, data: bytes, starts: array[int]) -> None:
        self._data = data
        self._starts = starts

    def __len__(self) -> int:
        return len(self._starts)

    def __getitem__(self, number: int) -> tuple[int, ...]:
        start = self._starts[number]
        (count,) = _I32.unpack_from(self._data, start)
        return unpack_from(f"<{count}i", self._data, start + 4)

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return map(self.__getitem__, range(len(self)))


def read_depends(data: bytes, summary: Summary, export_end: int) -> Depends:
    """Read each export's dependencies.

    4.14 and 4.15 write offset 0 and put the table at ``export_end``.
    """
    offset = summary.depends_offset
    if offset == 0 and 508 <= summary.version.ue4 <= 510:
        offset = export_end
    found = array("I")
    position = offset
    for number in range(summary.export_count if offset > 0 else 0):  # without a Reader: versions are tried with it
        count = _I32.unpack_from(data, position)[0] if position <= len(data) - 4 else -1
        found.append(position)
        position += 4 + 4 * count
        if count < 0 or position > len(data):
            raise UnrealError(f"{count} indices do not lie in the data", offset=found[-1], field=f"depends[{number}]")
    return Depends(data, found)


def read_preload_dependencies(data: bytes, summary: Summary) -> array[int]:
    """Read the preload dependencies, which cooked exports index."""
    count, offset = summary.preload_dependency_count, summary.preload_dependency_offset
    if count <= 0:
        return array("i")
    if not 0 < offset <= len(data) - 4 * count:
        raise UnrealError(f"{count} indices at {offset} do not lie in the data", offset=offset, field="preload")
    found = array("i", data[offset : offset + 4 * count])
    if sys.byteorder == "big":
        found.byteswap()
    return found


def read_soft_packages(data: bytes, summary: Summary, names: list[str]) -> list[str]:
    """Read the packages that soft references lead to.

    Before UE4 484 these are whole object paths, and from 4.20 on a package may list itself: both are returned as
    they stand in the file.
    """
    count, offset = summary.soft_package_reference_count, summary.soft_package_reference_offset
    field = "soft_package_references"
    if count == 0 or (count > 0 and offset <= 0):
        return []
    reader = TableReader(data, offset, field, names)
    if summary.version.ue4 >= 514:
        return [reader.name(field) for _ in range(reader.count(count, 8, field))]
    return [reader.string(f"{field}[{number}]") for number in range(reader.count(count, 4, field))]


def utf8_sub_paths(summary: Summary) -> bool:
    """Whether sub-paths are UTF-8, by custom or file version."""
    if summary.version.ue5 < 1013:
        return False
    stated = summary.custom_version(FORTNITE_MAIN_BRANCH)
    if stated >= 0 or not summary.unversioned:
        return stated >= UTF8_SUB_PATHS
    return summary.version.ue5 >= 1016


def read_soft_object_paths(data: bytes, summary: Summary, names: list[str]) -> list[SoftObjectPath]:
    """Read the soft object paths that properties index (5.1 on)."""
    if summary.soft_object_path_count == 0:
        return []
    reader = TableReader(data, summary.soft_object_path_offset, "soft_object_paths", names)
    utf8 = utf8_sub_paths(summary)
    found = []
    for number in range(reader.count(summary.soft_object_path_count, 20, "soft_object_paths")):
        field = f"soft_object_paths[{number}]"
        package_name, asset_name = reader.name(field), reader.name(field)
        if utf8:
            sub_path, reader.position = utf8_string_at(data, reader.position, field)
        else:
            sub_path = reader.string(field)
        found.append(SoftObjectPath(package_name, asset_name, sub_path))
    return found


def read_searchable_names(data: bytes, summary: Summary, names: list[str]) -> list[SearchableNames]:
    """Read the searchable names, by the object they belong to."""
    if summary.searchable_names_offset <= 0:
        return []
    reader = TableReader(data, summary.searchable_names_offset, "searchable_names", names)
    found: list[SearchableNames] = []
    for number in reader.items(8, "searchable_names"):
        field = f"searchable_names[{number}]"
        owner = reader.i32(field)
        found.append(SearchableNames(owner, tuple(reader.name(field) for _ in reader.items(8, field))))
    return found
