"""A package: its summary, and tables read on demand."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.files.package_file import BytesSource
from assetdb_formats.unreal.packages.metadata import read_import_type_hierarchies, read_metadata
from assetdb_formats.unreal.packages.names import read_name_hashes, read_names
from assetdb_formats.unreal.packages.objects import ExportTable, ImportTable, ObjectPaths
from assetdb_formats.unreal.packages.payloads import FIRST_TRAILER, read_data_resources, read_trailer, starts_trailer
from assetdb_formats.unreal.packages.references import (
    read_depends,
    read_preload_dependencies,
    read_searchable_names,
    read_soft_object_paths,
    read_soft_packages,
)
from assetdb_formats.unreal.packages.registry import read_registry
from assetdb_formats.unreal.packages.summary import Summary, read_summary
from assetdb_formats.unreal.packages.thumbnails import read_thumbnails
from assetdb_formats.unreal.packages.tiles import read_world_tile
from assetdb_formats.unreal.properties.text import read_gatherable_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb_formats.unreal.files.package_file import Source
    from assetdb_formats.unreal.packages.payloads import Trailer
    from assetdb_formats.unreal.packages.registry import TaggedAsset
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

    depends = cached_property(lambda self: read_depends(self.data, self.summary, self.exports.end))
    """For each export, the object indices that it depends on."""
    preload_dependencies = cached_property(lambda self: read_preload_dependencies(self.data, self.summary))
    """The object indices that exports' ``dependencies`` count into (cooked)."""
    soft_packages = cached_property(lambda self: read_soft_packages(self.data, self.summary, self.names))
    """The packages of the soft references, as stored."""
    soft_object_paths = cached_property(lambda self: read_soft_object_paths(self.data, self.summary, self.names))
    """The soft object paths that property data index (5.1 on)."""
    searchable_names = cached_property(lambda self: read_searchable_names(self.data, self.summary, self.names))
    """The names that can be searched for, such as gameplay tags."""
    registry = cached_property(lambda self: read_registry(self.data, self.summary, self.names))
    """Assets with their tags, and which imports and soft references the game uses."""
    thumbnails = cached_property(lambda self: read_thumbnails(self.data, self.summary))
    """The thumbnail table."""
    gatherable_text = cached_property(lambda self: read_gatherable_text(self.data, self.summary))
    """The texts to translate."""
    metadata = cached_property(
        lambda self: read_metadata(
            self.data, self.summary, self.names, self.soft_object_paths if self.summary.metadata_offset > 0 else []
        )
    )
    """The metadata of objects and of the package (5.6 on)."""
    import_type_hierarchies = cached_property(
        lambda self: read_import_type_hierarchies(self.data, self.summary, self.names)
    )
    """The super types of imported types (5.7)."""
    data_resources = cached_property(lambda self: read_data_resources(self.data, self.summary))
    """Where the bulk data of a cooked package is (5.2 on)."""
    world_tile = cached_property(lambda self: read_world_tile(self.data, self.summary))
    """Where a World Composition level lies; None where there is none."""

    @cached_property
    def trailer(self) -> Trailer | None:
        """The trailer; None without one, or if only the header was given.

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
        return ObjectPaths(self.imports, self.exports)

    def class_name(self, class_index: int) -> str:
        """Return the short class at ``class_index``; class 0 is a class."""
        if class_index == 0:
            return "Class"
        return self.paths.path(class_index).rpartition("/")[2].rpartition(".")[2].rpartition(":")[2]

    def tables(self) -> dict[str, Any]:
        """Read every table; raises at the first that is damaged."""
        return {name: getattr(self, name) for name in TABLES}

    def damage(self) -> list[UnrealError]:
        """Read every table, name and path; return the faults."""
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


def tagged_assets(package: Package, *, class_name: str = "") -> Iterator[TaggedAsset]:
    """Yield a package's assets, or a class's (name or path)."""
    wanted = class_name.lower()
    for asset in package.registry.assets:
        if not wanted or wanted in (asset.class_name.lower(), asset.short_class.lower()):
            yield asset
