"""Facts of one package: tables, properties, damage."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from assetdb_formats.unreal.codecs.oodle import OodleProcess
from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.files.package_file import file_beside
from assetdb_formats.unreal.packages.package import TABLES
from assetdb_formats.unreal.properties.decoded import ObjectReference, Opaque, Property
from assetdb_formats.unreal.properties.exports import PropertyReader

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from assetdb_formats.unreal.files.package_file import Source
    from assetdb_formats.unreal.packages.metadata import PackageMetadata, TypeResource
    from assetdb_formats.unreal.packages.objects import Export, Import
    from assetdb_formats.unreal.packages.package import Package
    from assetdb_formats.unreal.packages.payloads import DataResource, Trailer
    from assetdb_formats.unreal.packages.references import SoftObjectPath
    from assetdb_formats.unreal.packages.registry import RegistryData
    from assetdb_formats.unreal.packages.summary import Summary
    from assetdb_formats.unreal.packages.thumbnails import Thumbnail
    from assetdb_formats.unreal.packages.tiles import WorldTile
    from assetdb_formats.unreal.properties.decoded import TextKey
    from assetdb_formats.unreal.properties.text import GatherableText
    from assetdb_formats.unreal.properties.usmap import Mappings

ADVICE_OTHER_GAME: Final = "the mappings are another game's, or of another version of it"


class ImportInfo(NamedTuple):
    """An import with its full path."""

    path: str
    record: Import


class ExportInfo(NamedTuple):
    """An export with its full path and short class name."""

    path: str
    class_name: str
    record: Export


class PackageInfo(NamedTuple):
    """The tables of a package; None if damaged or not stored.

    ``damage`` are sentences with offset and field; ``searchable_names`` are by the path of the object; ``name_hashes``
    are the two of each name, without and with regard to case, None before UE4 504.
    """

    summary: Summary
    size: int
    damage: tuple[str, ...]
    damaged_tables: tuple[str, ...]
    names: tuple[str, ...] | None
    imports: tuple[ImportInfo, ...] | None
    exports: tuple[ExportInfo, ...] | None
    depends: tuple[tuple[int, ...], ...] | None
    preload_dependencies: tuple[int, ...] | None
    soft_packages: tuple[str, ...] | None
    soft_object_paths: tuple[SoftObjectPath, ...] | None
    searchable_names: Mapping[str, tuple[str, ...]] | None
    registry: RegistryData | None
    thumbnails: tuple[Thumbnail, ...] | None
    gatherable_text: tuple[GatherableText, ...] | None
    metadata: PackageMetadata | None
    import_type_hierarchies: tuple[tuple[int, tuple[TypeResource, ...]], ...] | None
    data_resources: tuple[DataResource, ...] | None
    world_tile: WorldTile | None
    trailer: Trailer | None
    name_hashes: tuple[tuple[int, int], ...] | None = None


class ExportValues(NamedTuple):
    """The properties of an export, with references as paths."""

    export: int
    error: str = ""
    writes_itself: bool = False
    body: object = None
    properties: Mapping[str, Any] = {}
    rows: Mapping[str, Mapping[str, Any]] = {}
    source_files: str = ""
    soft_references: tuple[str, ...] = ()
    native_bytes: int = 0
    texts: tuple[TextKey, ...] = ()


class PropertyReport(NamedTuple):
    """The properties of all exports, faults, and notes on unread data."""

    exports: tuple[ExportValues, ...]
    damage: tuple[str, ...]
    notes: tuple[str, ...]


def describe_package(package: Package) -> PackageInfo:
    """Read every table of a package, noting damaged ones."""

    def paths_of(count: int, sign: int) -> list[str]:
        return [package.paths.path(sign * number) for number in range(1, count + 1)]

    with_paths: dict[str, Callable[[], Any]] = {
        "imports": lambda: map(ImportInfo, paths_of(len(package.imports), -1), package.imports),
        "exports": lambda: (
            ExportInfo(path, package.class_name(record.class_index), record)
            for path, record in zip(paths_of(len(package.exports), 1), package.exports, strict=True)
        ),
        "searchable_names": lambda: {
            package.paths.path(found.object_index): tuple(found.names) for found in package.searchable_names
        },
    }
    damage = tuple(map(str, package.damage()))
    found: dict[str, Any] = {}
    damaged = []
    for name in ("names", "name_hashes", *TABLES[1:]):
        try:
            table = with_paths[name]() if name in with_paths else getattr(package, name)
            is_record = table is None or isinstance(table, (dict, tuple))
            found[name] = table if is_record else tuple(table)
        except UnrealError:  # which is among the damage
            found[name] = None
            damaged.append(name)
    return PackageInfo(package.summary, package.source.size, damage, tuple(damaged), **found)


def read_all_properties(
    package: Package,
    exports: Source | None = None,
    mappings: Mappings | None = None,
    oodle: OodleProcess | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> PropertyReport:
    """Read the properties of every export.

    Args:
        package: the package.
        exports: its .uexp, where it has one.
        mappings: the game's mappings, for unversioned properties.
        oodle: decodes what a few classes compress; by default a process of its own, started on need.
        progress: called with (exports read, exports).

    Raises:
        UnrealError: they are unversioned and there are no mappings; or the tables they need are damaged.
    """
    if oodle is None:
        with OodleProcess() as own:
            return read_all_properties(package, exports, mappings, own, progress)
    reader = PropertyReader(package, exports, mappings, oodle)
    found: list[ExportValues] = []
    damage: list[str] = []
    notes: list[str] = []
    for number in range(len(reader)):
        if progress is not None:
            progress(number, len(reader))
        try:
            export = reader.read(number)
        except UnrealError as error:
            damage.append(str(error))
            found.append(ExportValues(number, str(error)))
            continue
        if export.writes_itself and export.body is None:
            path = package.paths.path(number + 1)
            class_name = package.class_name(package.exports.rows[number][0])
            notes.append(f"{path}: {class_name} writes itself, its {export.tail.size:,} bytes are not read")
        found.append(
            ExportValues(
                number,
                "",
                export.writes_itself,
                None if export.body is None else _value(package, export.body),
                _values(package, export.properties),
                {name: _values(package, row) for name, row in export.rows},
                export.source_files,
                tuple(sorted({str(path) for path in export.references.soft})),
                export.tail.size,
                tuple(dict.fromkeys(export.references.texts)),
            )
        )
    if mappings is not None and damage and package.summary.unversioned_properties:
        notes.append(_wrong_mappings(len(damage), len(reader)))
    return PropertyReport(tuple(found), tuple(damage), tuple(notes))


def read_properties_of_file(
    path: str,
    package: Package,
    mappings: Mappings | None = None,
    oodle: OodleProcess | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> PropertyReport:
    """Read the properties of every export of an open package."""
    try:
        return read_all_properties(package, file_beside(path, ".uexp"), mappings, oodle, progress)
    except UnrealError as error:
        raise error.at(path) from None


def _wrong_mappings(failed: int, exports: int) -> str:
    """Explain why exports cannot be read with the given mappings."""
    if failed == exports:
        return f"{ADVICE_OTHER_GAME}: {failed} of {exports} exports end early"
    return (
        f"{failed} of {exports} exports end early: the mappings may be of another version of the game, or lack what a "
        "Blueprint declares"
    )


def _values(package: Package, properties: list[Property]) -> dict[str, Any]:
    """Return properties by name; nesting was bounded when they were read."""
    found: dict[str, Any] = {}
    for prop in properties:
        key = f"{prop.name}[{prop.array_index}]" if prop.array_index else prop.name
        found[key] = _value(package, prop.value)
    return found


def _value(package: Package, value: object) -> object:
    if isinstance(value, ObjectReference):
        try:
            return package.paths.path(value.object_index) or None
        except UnrealError as error:
            return f"({error})"
    if isinstance(value, Opaque):
        return f"({value.size} bytes)"
    if isinstance(value, dict):
        return {str(key): _value(package, item) for key, item in value.items()}
    if isinstance(value, list):
        if value and all(isinstance(item, Property) for item in value):
            return _values(package, value)
        return [_value(package, item) for item in value]
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, tuple):
        return str(value) if hasattr(value, "_fields") else [_value(package, item) for item in value]
    return value
