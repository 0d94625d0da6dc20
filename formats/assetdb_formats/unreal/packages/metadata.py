"""Package metadata (5.6 on): key and value pairs."""

from __future__ import annotations

from struct import Struct, error
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.packages.names import name_at
from assetdb_formats.unreal.strings import string_at

if TYPE_CHECKING:
    from assetdb_formats.unreal.packages.references import SoftObjectPath
    from assetdb_formats.unreal.packages.summary import Summary

_I32: Final = Struct("<i")
_TWO: Final = Struct("<ii")
_FIELD: Final = "metadata"


class PackageMetadata(NamedTuple):
    """Metadata of objects, and of the package itself."""

    objects: list[tuple[SoftObjectPath, dict[str, str]]]
    package: dict[str, str]


EMPTY: Final = PackageMetadata([], {})


class TypeResource(NamedTuple):
    """One super type of an imported type."""

    type_name: str
    package_name: str
    class_name: str
    class_package_name: str


def read_metadata(
    data: bytes, summary: Summary, names: list[str], soft_object_paths: list[SoftObjectPath]
) -> PackageMetadata:
    """Read the metadata that ``metadata_offset`` points to.

    Objects are named by their number in the soft object paths.

    Raises:
        UnrealError: if it does not lie within the data.
    """
    position = summary.metadata_offset
    if position <= 0:
        return EMPTY
    objects = []
    try:
        object_count, root_count = _TWO.unpack_from(data, position)
        position += 8
        if not (0 <= object_count <= len(data) // 8 and 0 <= root_count <= len(data) // 12):
            raise UnrealError(
                f"counts {object_count} objects and {root_count} pairs", offset=position - 8, field=_FIELD
            )
        for number in range(object_count):
            field = f"{_FIELD}[{number}]"
            (path,) = _I32.unpack_from(data, position)
            if not 0 <= path < len(soft_object_paths):
                raise UnrealError(
                    f"names soft object path {path} of {len(soft_object_paths)}", offset=position, field=field
                )
            (count,) = _I32.unpack_from(data, position + 4)
            pairs, position = _pairs(data, position + 8, count, names, field)
            objects.append((soft_object_paths[path], pairs))
        root, position = _pairs(data, position, root_count, names, f"{_FIELD}.package")
    except error:
        raise UnrealError("the metadata is cut off", offset=position, field=_FIELD) from None
    return PackageMetadata(objects, root)


def _pairs(data: bytes, position: int, count: int, names: list[str], field: str) -> tuple[dict[str, str], int]:
    if count < 0 or count * 12 > len(data) - position:
        raise UnrealError(f"counts {count} pairs", offset=position - 4, field=field)
    pairs = {}
    for _ in range(count):
        key = name_at(names, data, position, field)
        pairs[key], position = string_at(data, position + 8, field)
    return pairs, position


def read_import_type_hierarchies(
    data: bytes, summary: Summary, names: list[str]
) -> list[tuple[int, tuple[TypeResource, ...]]]:
    """Read the super types of imported types, by the import's object index (5.7; off by default in the engine)."""
    count, position = summary.import_type_hierarchy_count, summary.import_type_hierarchy_offset
    field = "import_type_hierarchies"
    if count == 0:
        return []
    if count < 0 or position <= 0 or count * 8 > len(data) - position:
        raise UnrealError(f"counts {count} imports", offset=position, field=field)
    found = []
    try:
        for _ in range(count):
            index, type_count = _TWO.unpack_from(data, position)
            position += 8
            end = position + type_count * 32
            if type_count < 0 or end > len(data):
                raise UnrealError(f"counts {type_count} types", offset=position - 4, field=field)
            found.append(
                (
                    index,
                    tuple(
                        TypeResource(*(name_at(names, data, start + 8 * part, field) for part in range(4)))
                        for start in range(position, end, 32)
                    ),
                )
            )
            position = end
    except error:
        raise UnrealError("the table is cut off", offset=position, field=field) from None
    return found
