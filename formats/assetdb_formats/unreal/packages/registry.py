"""The asset registry section of an editor package."""

from __future__ import annotations

from struct import Struct, error, unpack_from
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.packages.names import name_at
from assetdb_formats.unreal.strings import string_at

if TYPE_CHECKING:
    from assetdb_formats.unreal.packages.summary import Summary

_I32: Final = Struct("<i")
_I64: Final = Struct("<q")
_U32: Final = Struct("<I")
_FIELD: Final = "asset_registry"


class RegistryAsset(NamedTuple):
    """One asset: ``class_name`` is short (``Blueprint``) before 5.1 and a path (``/Script/Engine.Blueprint``) since."""

    object_path: str
    class_name: str
    tags: dict[str, str]


class RegistryData(NamedTuple):
    """The whole section; the bits are None where the version has none (before 4.26, and in cooked packages).

    ``imports_used_in_game[n]`` says whether import ``n`` is needed outside the editor; ``soft_packages_used_in_game``
    says the same of the soft package references. ``extra_dependencies`` are (package, flags) of 5.5 and later.
    """

    assets: list[RegistryAsset]
    imports_used_in_game: list[bool] | None
    soft_packages_used_in_game: list[bool] | None
    extra_dependencies: list[tuple[str, int]]


EMPTY: Final = RegistryData([], None, None, [])


def read_registry(data: bytes, summary: Summary, names: list[str]) -> RegistryData:
    """Read the section that ``asset_registry_offset`` points to.

    Raises:
        UnrealError: if it does not lie within the data.
    """
    position = summary.asset_registry_offset
    if position <= 0:
        return EMPTY
    assets: list[RegistryAsset] = []
    try:
        count, position = _asset_count(data, summary, position)
        for number in range(count):
            field = f"{_FIELD}[{number}]"
            path, position = string_at(data, position, field)
            class_name, position = string_at(data, position, field)
            (tag_count,) = _I32.unpack_from(data, position)
            position += 4
            if tag_count < 0 or tag_count * 8 > len(data) - position:
                raise UnrealError(f"counts {tag_count} tags", offset=position - 4, field=field)
            tags = {}
            for _ in range(tag_count):
                key, position = string_at(data, position, field)
                tags[key], position = string_at(data, position, field)
            assets.append(RegistryAsset(path, class_name, tags))
    except error:
        raise UnrealError("the section is cut off", offset=position, field=_FIELD) from None
    return RegistryData(assets, *read_registry_bits(data, summary, names))


def read_first_asset(data: bytes, summary: Summary) -> tuple[str, str]:
    """Read only the path and the class of the first asset: what a scan of many packages needs; ("", "") for none.

    Raises:
        UnrealError: if it does not lie within the data.
    """
    position = summary.asset_registry_offset
    if position <= 0:
        return "", ""
    try:
        count, position = _asset_count(data, summary, position)
    except error:
        raise UnrealError("the section is cut off", offset=position, field=_FIELD) from None
    if not count:
        return "", ""
    path, position = string_at(data, position, _FIELD)
    return path, string_at(data, position, _FIELD)[0]


def _asset_count(data: bytes, summary: Summary, position: int) -> tuple[int, int]:
    if summary.version.ue4 >= 521 and summary.editor:
        position += 8  # where the bits are
    (count,) = _I32.unpack_from(data, position)
    position += 4
    if count < 0 or count * 12 > len(data) - position:
        raise UnrealError(f"counts {count} assets", offset=position - 4, field=_FIELD)
    return count, position


def read_registry_bits(
    data: bytes, summary: Summary, names: list[str]
) -> tuple[list[bool] | None, list[bool] | None, list[tuple[str, int]]]:
    """Read only the end of the section: (imports used in game, soft packages used in game, extra dependencies).

    Raises:
        UnrealError: if it does not lie within the data.
    """
    position = summary.asset_registry_offset
    if position <= 0 or summary.version.ue4 < 521 or not summary.editor:
        return None, None, []
    field = f"{_FIELD}.dependency_data_offset"
    try:
        (offset,) = _I64.unpack_from(data, position)
        if offset <= 0:
            return None, None, []
        if offset > len(data):
            raise UnrealError(f"points to {offset}, after the end", offset=position, field=field)
        position = offset
        imports, position = _bits(data, position, f"{_FIELD}.imports_used_in_game")
        soft, position = _bits(data, position, f"{_FIELD}.soft_packages_used_in_game")
        if summary.version.ue5 < 1013:
            return imports, soft, []
        field = f"{_FIELD}.extra_dependencies"
        (count,) = _I32.unpack_from(data, position)
        position += 4
        if count < 0 or count * 12 > len(data) - position:
            raise UnrealError(f"counts {count} packages", offset=position - 4, field=field)
        extra = [
            (name_at(names, data, start, field), _U32.unpack_from(data, start + 8)[0])
            for start in range(position, position + 12 * count, 12)
        ]
    except error:
        raise UnrealError("the section is cut off", offset=position, field=field) from None
    return imports, soft, extra


def _bits(data: bytes, position: int, field: str) -> tuple[list[bool], int]:
    """Read a bit array: an int32 count of bits, then words with the first bit lowest."""
    (count,) = _I32.unpack_from(data, position)
    position += 4
    words = (count + 31) // 32
    if count < 0 or words * 4 > len(data) - position:
        raise UnrealError(f"counts {count} bits", offset=position - 4, field=field)
    values = unpack_from(f"<{words}I", data, position)
    return [bool(values[bit >> 5] >> (bit & 31) & 1) for bit in range(count)], position + 4 * words
