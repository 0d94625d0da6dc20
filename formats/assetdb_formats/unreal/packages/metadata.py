"""Package metadata (5.6 on): key and value pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.unreal.packages.names import TableReader

if TYPE_CHECKING:
    from assetdb_formats.unreal.packages.references import SoftObjectPath
    from assetdb_formats.unreal.packages.summary import Summary

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
    """Read the metadata, which names objects by soft object path."""
    if summary.metadata_offset <= 0:
        return EMPTY
    reader = TableReader(data, summary.metadata_offset, _FIELD, names)
    object_count, root_count = reader.i32(_FIELD), reader.i32(_FIELD)
    objects = []
    for number in range(reader.count(object_count, 8, _FIELD)):
        field = f"{_FIELD}[{number}]"
        path = reader.i32(field)
        if not 0 <= path < len(soft_object_paths):
            what = f"names soft object path {path} of {len(soft_object_paths)}"
            raise reader.error(what, field, offset=reader.position - 4)
        objects.append((soft_object_paths[path], _pairs(reader, reader.i32(field), field)))
    return PackageMetadata(objects, _pairs(reader, root_count, f"{_FIELD}.package"))


def _pairs(reader: TableReader, count: int, field: str) -> dict[str, str]:
    return {reader.name(field): reader.string(field) for _ in range(reader.count(count, 12, field))}


def read_import_type_hierarchies(
    data: bytes, summary: Summary, names: list[str]
) -> list[tuple[int, tuple[TypeResource, ...]]]:
    """Read super types of imported types, by object index (5.7)."""
    field = "import_type_hierarchies"
    if summary.import_type_hierarchy_count == 0:
        return []
    reader = TableReader(data, summary.import_type_hierarchy_offset, field, names)
    return [
        (
            reader.i32(field),
            tuple(TypeResource(*(reader.name(field) for _ in range(4))) for _ in reader.items(32, field)),
        )
        for _ in range(reader.count(summary.import_type_hierarchy_count, 8, field))
    ]
