"""A package: its summary, and tables read on demand."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.files.package_file import BytesSource
from assetdb_formats.unreal.packages.metadata import (
    PackageMetadata,
    TypeResource,
    read_import_type_hierarchies,
    read_metadata,
)
from assetdb_formats.unreal.packages.names import read_name_hashes, read_names
from assetdb_formats.unreal.packages.objects import ExportTable, ImportTable, ObjectPaths
from assetdb_formats.unreal.packages.payloads import (
    FIRST_TRAILER,
    DataResource,
    Trailer,
    read_data_resources,
    read_trailer,
    starts_trailer,
)
from assetdb_formats.unreal.packages.references import (
    Depends,
    SearchableNames,
    SoftObjectPath,
    read_depends,
    read_preload_dependencies,
    read_searchable_names,
    read_soft_object_paths,
    read_soft_packages,
)
from assetdb_formats.unreal.packages.registry import RegistryData, read_registry
from assetdb_formats.unreal.packages.summary import Summary, read_summary
from assetdb_formats.unreal.packages.thumbnails import Thumbnail, read_thumbnails
from assetdb_formats.unreal.packages.tiles import WorldTile, read_world_tile
from assetdb_formats.unreal.properties.text import GatherableText, read_gatherable_text

if TYPE_CHECKING:
    from array import array

    from assetdb_formats.unreal.files.package_file import Source
    from assetdb_formats.unreal.versions import PackageVersion

_FIRST_WITH_NAME_HASHES: Final = 504  # version of UE4
TABLES: Final = (
    "names",
    "imports",
    "exports",
    "depends",
    "preload_dependencies",
    "soft_packages",
    "soft_object_paths",
    "searchable_names",
    "registry",
    "thumbnails",
    "gatherable_text",
    "metadata",
    "import_type_hierarchies",
    "data_resources",
    "world_tile",
    "trailer",
)


class Package:
    """The tables of one .uasset or .umap.

    Making one reads the summary alone; each table is read (and checked) at its first use and raises
    :class:`~assetdb_formats.unreal.errors.UnrealError` if *it* is damaged, so that the others stay usable.

    Args:
        data: the file, or its first ``total_header_size`` bytes (then the trailer is not there).
        assume: the version of an unversioned package (see
        :func:`assetdb_formats.unreal.files.inference.infer_version`). source: the whole file, where ``data`` is its
        header alone.

    Raises:
        UnrealError: if the summary cannot be read.
    """

    def __init__(self, data: bytes, assume: PackageVersion | None = None, source: Source | None = None) -> None:
        self.data = data
        self.source: Source = source or BytesSource(data)
        self.summary: Summary = read_summary(data, assume)

    @cached_property
    def names(self) -> list[str]:
        """The name table."""
        summary = self.summary
        after = summary.total_header_size
        for offset in (
            summary.soft_object_path_offset,
            summary.gatherable_text_offset,
            summary.import_offset,
            summary.export_offset,
        ):
            if summary.name_offset < offset < after:
                after = offset
        return read_names(
            self.data,
            summary.name_offset,
            summary.name_count,
            after,
            hashed=summary.version.ue4 >= _FIRST_WITH_NAME_HASHES,
        )

    @property
    def name_hashes(self) -> tuple[tuple[int, int], ...] | None:
        """The two hashes of each name; None where the version stores none."""
        summary = self.summary
        if summary.version.ue4 < _FIRST_WITH_NAME_HASHES:
            return None
        return tuple(read_name_hashes(self.data, summary.name_offset, summary.name_count))

    @cached_property
    def imports(self) -> ImportTable:
        """The objects of other packages that this one needs."""
        summary = self.summary
        return ImportTable(
            self.data,
            summary.import_offset,
            summary.import_count,
            self.names,
            summary.version,
            editor=summary.editor,
            end=summary.export_offset,
        )

    @cached_property
    def exports(self) -> ExportTable:
        """The objects of this package."""
        summary = self.summary
        return ExportTable(
            self.data,
            summary.export_offset,
            summary.export_count,
            self.names,
            summary.version,
            unversioned_properties=summary.unversioned_properties,
        )

    @cached_property
    def depends(self) -> Depends:
        """For each export, the object indices that it depends on."""
        exports = self.exports
        return read_depends(self.data, self.summary, exports.offset + len(exports) * exports.layout.row.size)

    @cached_property
    def preload_dependencies(self) -> array[int]:
        """The object indices that exports' ``dependencies`` count into (cooked)."""
        return read_preload_dependencies(self.data, self.summary)

    @cached_property
    def soft_packages(self) -> list[str]:
        """The packages that soft references lead to, as they stand in the file."""
        return read_soft_packages(self.data, self.summary, self.names)

    @cached_property
    def soft_object_paths(self) -> list[SoftObjectPath]:
        """The soft object paths that property data refers to by number (5.1 on)."""
        return read_soft_object_paths(self.data, self.summary, self.names)

    @cached_property
    def searchable_names(self) -> list[SearchableNames]:
        """The names that can be searched for, such as gameplay tags."""
        return read_searchable_names(self.data, self.summary, self.names)

    @cached_property
    def registry(self) -> RegistryData:
        """The asset registry section: assets with their tags, and what is used in the game."""
        return read_registry(self.data, self.summary, self.names)

    @cached_property
    def thumbnails(self) -> list[Thumbnail]:
        """The thumbnail table."""
        return read_thumbnails(self.data, self.summary)

    @cached_property
    def gatherable_text(self) -> list[GatherableText]:
        """The texts to translate."""
        return read_gatherable_text(self.data, self.summary)

    @cached_property
    def metadata(self) -> PackageMetadata:
        """The metadata of objects and of the package (5.6 on)."""
        soft_object_paths = self.soft_object_paths if self.summary.metadata_offset > 0 else []
        return read_metadata(self.data, self.summary, self.names, soft_object_paths)

    @cached_property
    def import_type_hierarchies(self) -> list[tuple[int, tuple[TypeResource, ...]]]:
        """The super types of imported types (5.7)."""
        return read_import_type_hierarchies(self.data, self.summary, self.names)

    @cached_property
    def data_resources(self) -> list[DataResource]:
        """Where the bulk data of a cooked package is (5.2 on)."""
        return read_data_resources(self.data, self.summary)

    @cached_property
    def world_tile(self) -> WorldTile | None:
        """Where a World Composition level lies; None where there is none."""
        return read_world_tile(self.data, self.summary)

    @cached_property
    def trailer(self) -> Trailer | None:
        """The trailer; None where there is none, or where only the header's bytes were given.

        Early access of 5.0 (1002) wrote something else there, without a tag: eight zeros where there is no payload.
        """
        offset = self.summary.payload_toc_offset
        source = self.source
        if offset <= 0 or (offset >= source.size and source.size == self.summary.total_header_size):
            return None
        if self.summary.version.ue5 < FIRST_TRAILER and not starts_trailer(source, offset):
            return None
        return read_trailer(source, offset)

    @cached_property
    def paths(self) -> ObjectPaths:
        """Full paths of object indices."""
        imports, exports = self.imports, self.exports
        return ObjectPaths(
            (imports.name_column("object_name"), imports.column("outer_index")),
            (exports.name_column("object_name"), exports.column("outer_index")),
        )

    def class_name(self, class_index: int) -> str:
        """Return the short name of the class that ``class_index`` means; exports of class 0 are classes themselves."""
        if class_index == 0:
            return "Class"
        return self.paths.path(class_index).rpartition("/")[2].rpartition(".")[2].rpartition(":")[2]

    def tables(self) -> dict[str, Any]:
        """Read every table; raises at the first that is damaged."""
        return {name: getattr(self, name) for name in TABLES}

    def damage(self) -> list[UnrealError]:
        """Read every table, with names and paths resolved, and return what is wrong; empty for a sound package."""
        found: list[UnrealError] = []
        seen: set[tuple[int | None, str]] = set()

        def attempt(table: str) -> None:
            try:
                value = getattr(self, table)
                if table in {"imports", "exports", "paths"}:
                    value.check()
            except UnrealError as error:
                # A table that needs a damaged one fails with the same error: once is enough.
                if (error.offset, error.field) not in seen:
                    seen.add((error.offset, error.field))
                    # Its traceback leads back to this list: a ring that would hold what was half read.
                    error.__traceback__ = error.__context__ = None
                    found.append(error)

        for table in (*TABLES, "paths"):
            attempt(table)
        return found
