"""The asset registry section of an editor package."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.unreal.packages.names import TableReader

if TYPE_CHECKING:
    from assetdb_formats.unreal.packages.summary import Summary

_FIELD: Final = "asset_registry"


class TaggedAsset(NamedTuple):
    """An asset and its tags; from 5.1 on ``class_name`` is a path."""

    object_path: str
    class_name: str
    tags: dict[str, str]

    @property
    def short_class(self) -> str:
        """The class without its module."""
        return self.class_name.rpartition(".")[2]

    def has(self, tag: str, value: str | None = None) -> bool:
        """Whether the asset has a tag, with ``value`` where given."""
        return tag in self.tags and (value is None or self.tags[tag] == value)


class RegistryData(NamedTuple):
    """The registry section; bits are None before 4.26 and if cooked.

    ``imports_used_in_game[n]`` is whether import ``n`` is needed outside the editor; ``soft_packages_used_in_game`` is
    about soft references. ``extra_dependencies`` are (package, flags) from 5.5 on.
    """

    assets: list[TaggedAsset]
    imports_used_in_game: list[bool] | None
    soft_packages_used_in_game: list[bool] | None
    extra_dependencies: list[tuple[str, int]]


EMPTY: Final = RegistryData([], None, None, [])


def read_registry(data: bytes, summary: Summary, names: list[str]) -> RegistryData:
    """Read the section that ``asset_registry_offset`` points to."""
    if summary.asset_registry_offset <= 0:
        return EMPTY
    reader, count = _first_asset(data, summary)
    assets: list[TaggedAsset] = []
    for number in range(count):
        field = f"{_FIELD}[{number}]"
        path, class_name = reader.string(field), reader.string(field)
        tags = {reader.string(field): reader.string(field) for _ in reader.items(8, field)}
        assets.append(TaggedAsset(path, class_name, tags))
    return RegistryData(assets, *read_registry_bits(data, summary, names))


def read_first_asset(data: bytes, summary: Summary) -> tuple[str, str]:
    """Read path and class of the first asset; ("", "") without one."""
    if summary.asset_registry_offset <= 0:
        return "", ""
    reader, count = _first_asset(data, summary)
    return (reader.string(_FIELD), reader.string(_FIELD)) if count else ("", "")


def _first_asset(data: bytes, summary: Summary) -> tuple[TableReader, int]:
    """Return a reader at the first asset, and the number of assets."""
    reader = TableReader(data, summary.asset_registry_offset, _FIELD)
    if summary.version.ue4 >= 521 and summary.editor:
        reader.need(8, _FIELD)  # where the bits are
    return reader, len(reader.items(12, _FIELD))


def read_registry_bits(
    data: bytes, summary: Summary, names: list[str]
) -> tuple[list[bool] | None, list[bool] | None, list[tuple[str, int]]]:
    """Read imports and soft packages used in game, and extra dependencies."""
    if summary.asset_registry_offset <= 0 or summary.version.ue4 < 521 or not summary.editor:
        return None, None, []
    field = f"{_FIELD}.dependency_data_offset"
    reader = TableReader(data, summary.asset_registry_offset, field, names)
    offset = reader.i64(field)
    if offset <= 0:
        return None, None, []
    reader.seek(offset, field)
    imports = _bits(reader, f"{_FIELD}.imports_used_in_game")
    soft = _bits(reader, f"{_FIELD}.soft_packages_used_in_game")
    if summary.version.ue5 < 1013:
        return imports, soft, []
    field = f"{_FIELD}.extra_dependencies"
    return imports, soft, [(reader.name(field), reader.u32(field)) for _ in reader.items(12, field)]


def _bits(reader: TableReader, field: str) -> list[bool]:
    """Read a bit array: an int32 bit count, then words."""
    count = reader.count(reader.i32(field), 0, field)
    words = reader.count((count + 31) // 32, 4, field)
    digits = f"{int.from_bytes(reader.view(4 * words, field), 'little'):0{count}b}"
    return [digit == "1" for digit in digits[::-1][:count]]
