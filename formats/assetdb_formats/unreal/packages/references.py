"""Reference tables: depends, preload, soft packages and paths, names."""

from __future__ import annotations

import sys
from array import array
from struct import Struct, error, unpack_from
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.packages.names import name_at
from assetdb_formats.unreal.strings import string_at, utf8_string_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb_formats.unreal.packages.summary import Summary

# FFortniteMainBranchObjectVersion: from 192 on (5.6) the sub-path of a soft object path is UTF-8 without a NUL.
# It is a custom version, no file version, decides it: every editor file of 5.6 and 5.7 breaks without it.
FORTNITE_MAIN_BRANCH: Final = "601D1886AC644F84AA16D3DE0DEAC7D6"
UTF8_SUB_PATHS: Final = 192

_I32: Final = Struct("<i")
_TWO: Final = Struct("<ii")


class SoftObjectPath(NamedTuple):
    """A reference by name, loaded only on demand."""

    package_name: str
    asset_name: str
    sub_path: str

    def __str__(self) -> str:
        path = f"{self.package_name}.{self.asset_name}" if self.asset_name else self.package_name
        return f"{path}:{self.sub_path}" if self.sub_path else path


class SearchableNames(NamedTuple):
    """Names (such as gameplay tags) that the package mentions, under the object that gives them their meaning."""

    object_index: int
    names: tuple[str, ...]


class Depends:
    """For each export the object indices that it depends on, read where they are when they are asked for."""

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
    """Read, for every export, the object indices that must be loaded before it.

    ``export_end`` is where the export table ends: 4.14 and 4.15 write offset 0 and put the table there.
    """
    offset = summary.depends_offset
    if offset == 0 and 508 <= summary.version.ue4 <= 510:
        offset = export_end
    if offset <= 0 or not summary.export_count:
        return Depends(data, array("I"))
    found = array("I")
    position = offset
    left = len(data)
    try:
        for _ in range(summary.export_count):
            (count,) = _I32.unpack_from(data, position)
            found.append(position)
            position += 4
            end = position + 4 * count
            if count < 0 or end > left:
                raise UnrealError(
                    f"counts {count} indices, {left - position} bytes are left",
                    offset=position - 4,
                    field=f"depends[{len(found) - 1}]",
                )
            position = end
    except error:
        raise UnrealError("the table is cut off", offset=position, field=f"depends[{len(found)}]") from None
    return Depends(data, found)


def read_preload_dependencies(data: bytes, summary: Summary) -> array[int]:
    """Read the object indices that cooked exports point into with their first dependency."""
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
    count, position = summary.soft_package_reference_count, summary.soft_package_reference_offset
    if count <= 0 or position <= 0:
        if count < 0:
            raise UnrealError(f"counts {count} packages", offset=position, field="soft_package_references")
        return []
    by_name = summary.version.ue4 >= 514
    if count * (8 if by_name else 4) > len(data) - position:
        raise UnrealError(
            f"counts {count} packages, {len(data) - position} bytes are left",
            offset=position,
            field="soft_package_references",
        )
    if by_name:
        return [
            name_at(names, data, start, "soft_package_references") for start in range(position, position + 8 * count, 8)
        ]
    found = []
    for number in range(count):
        text, position = string_at(data, position, f"soft_package_references[{number}]")
        found.append(text)
    return found


def utf8_sub_paths(summary: Summary) -> bool:
    """Whether sub-paths are UTF-8; packages without custom versions go by the file version of 5.6."""
    if summary.version.ue5 < 1013:
        return False
    stated = summary.custom_version(FORTNITE_MAIN_BRANCH)
    if stated >= 0 or not summary.unversioned:
        return stated >= UTF8_SUB_PATHS
    return summary.version.ue5 >= 1016


def read_soft_object_paths(data: bytes, summary: Summary, names: list[str]) -> list[SoftObjectPath]:
    """Read the list that property data of 5.1 and later refers to by index."""
    count, position = summary.soft_object_path_count, summary.soft_object_path_offset
    if count == 0:
        return []
    if count < 0 or position <= 0 or count * 20 > len(data) - position:
        raise UnrealError(
            f"{count} paths at {position} do not lie in the data", offset=position, field="soft_object_paths"
        )
    sub_path_at = utf8_string_at if utf8_sub_paths(summary) else string_at
    found = []
    for number in range(count):
        field = f"soft_object_paths[{number}]"
        package_name = name_at(names, data, position, field)
        asset_name = name_at(names, data, position + 8, field)
        sub_path, position = sub_path_at(data, position + 16, field)
        found.append(SoftObjectPath(package_name, asset_name, sub_path))
    return found


def read_searchable_names(data: bytes, summary: Summary, names: list[str]) -> list[SearchableNames]:
    """Read the names that can be searched for, by the object they belong to."""
    position = summary.searchable_names_offset
    if position <= 0:
        return []
    found: list[SearchableNames] = []
    try:
        (count,) = _I32.unpack_from(data, position)
        position += 4
        if count < 0 or count * 8 > len(data) - position:
            raise UnrealError(f"counts {count} objects", offset=position - 4, field="searchable_names")
        for number in range(count):
            field = f"searchable_names[{number}]"
            owner, name_count = _TWO.unpack_from(data, position)
            position += 8
            if name_count < 0 or name_count * 8 > len(data) - position:
                raise UnrealError(f"counts {name_count} names", offset=position - 4, field=field)
            end = position + 8 * name_count
            found.append(
                SearchableNames(owner, tuple(name_at(names, data, start, field) for start in range(position, end, 8)))
            )
            position = end
    except error:
        raise UnrealError("the table is cut off", offset=position, field="searchable_names") from None
    return found
