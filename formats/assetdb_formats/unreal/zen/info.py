"""The tables of a zen package, with named objects.

Ids, hashes, flags and object indices are hexadecimal texts, as people look them up.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.codecs.city_hash import name_hash, package_id
from assetdb_formats.files import open_file
from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.packages.summary import guid_text
from assetdb_formats.unreal.zen import object_index
from assetdb_formats.unreal.zen.dependencies import ImportArc, read_dependencies
from assetdb_formats.unreal.zen.import_names import Naming, paths_from_names
from assetdb_formats.unreal.zen.package import FIRST_READ, SERIALIZE, ZenForm, header_size, parse_zen_package

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assetdb_formats.unreal.iostore.build import Build
    from assetdb_formats.unreal.zen.dependencies import (
        Arc,
        Bundle,
        ExportDependencies,
        PackageArcs,
        ZenDependencies,
    )
    from assetdb_formats.unreal.zen.package import BulkData, Versioning, ZenPackage

_LARGEST_HEADER: Final = 256 << 20
_ENGINES: Final = {
    ZenForm.ENGINE_4: "4.26 to 4.27",
    ZenForm.GRAPH_DATA: "5.0 to 5.2",
    ZenForm.DEPENDENCY_BUNDLES: "5.3 to 5.5",
    ZenForm.CELLS: "5.6 and later",
}
_KINDS: Final = {
    object_index.EXPORT: "export",
    object_index.SCRIPT: "script",
    object_index.PACKAGE: "package",
    object_index.NONE: "none",
}
_COMMANDS: Final = {0: "create", SERIALIZE: "serialize"}
_FILTERS: Final = {0: "none", 1: "not for client", 2: "not for server"}


class ZenName(NamedTuple):
    """A name with its stored hash, and whether that is right."""

    name: str
    hash: str
    hash_right: bool


class ZenReference(NamedTuple):
    """A referenced object; ``path`` is None where nothing names it.

    ``kind`` is ``export`` (of this package), ``script`` (the engine's own) or ``package`` (of a different package).
    """

    path: str | None
    kind: str
    object_index: str


class ZenExport(NamedTuple):
    """An object in the package.

    ``public_hash`` is its id for importers (engine 4: its global import index). ``offset`` is the offset of its data in
    the chunk, ``cooked_offset`` the one in the table.
    """

    path: str
    name: str
    class_: ZenReference | None
    outer: ZenReference | None
    super_: ZenReference | None
    template: ZenReference | None
    public_hash: str
    flags: str
    filter: str
    cooked_offset: int
    offset: int
    size: int


class ZenSummary(NamedTuple):
    """The header; sizes in bytes."""

    name: str
    source_name: str | None
    package_id: str
    flags: str
    header_size: int
    cooked_header_size: int
    offsets: Mapping[str, int]


class ZenVersions(NamedTuple):
    """The versions that the package was saved with; ``custom`` by GUID."""

    zen: int
    ue4: int
    ue5: int
    licensee: int
    custom: Mapping[str, int]


class BundleEntry(NamedTuple):
    """A step of loading: an export is created or serialized."""

    export: int
    command: str


class ArcInfo(NamedTuple):
    """An arc: ``to_bundle`` waits for ``from_bundle`` or import ``source``."""

    to_bundle: int
    from_bundle: int | None = None
    source: int | None = None
    command: str = ""


class AwaitedPackage(NamedTuple):
    """A package that bundles wait for, named where it is stored."""

    package: str | None
    id: str | None
    arcs: tuple[ArcInfo, ...]


class ZenInfo(NamedTuple):
    """A zen package, table by table.

    Attributes:
        form: the form of its tables.
        engine: releases that write this form.
        size: bytes of the whole package.
        summary: its header.
        versions: None where it states none.
        names: its name table.
        imported_packages: names of the packages that it imports, or their ids.
        imported_public_hashes: of the exports that it imports.
        imports: what it imports; None for an unused place.
        exports: its objects.
        bulk_data: pieces of bulk data.
        bundle_entries: the order of loading (up to 5.2).
        dependencies: of each export what it waits for (5.3 on), as indices of legacy packages.
        bundles: runs of bundle entries (up to 5.2).
        arcs: which bundle waits for which (5.0 to 5.2).
        dependency_packages: packages that bundles wait for (up to 5.2).
        damage: what is wrong, in sentences; where the dependencies are damaged, they are empty.
    """

    form: ZenForm
    engine: str
    size: int
    summary: ZenSummary
    versions: ZenVersions | None
    names: tuple[ZenName, ...]
    imported_packages: tuple[str, ...]
    imported_public_hashes: tuple[str, ...]
    imports: tuple[ZenReference | None, ...]
    exports: tuple[ZenExport, ...]
    bulk_data: tuple[BulkData, ...]
    bundle_entries: tuple[BundleEntry, ...]
    dependencies: tuple[ExportDependencies, ...]
    bundles: tuple[Bundle, ...]
    arcs: tuple[ArcInfo, ...]
    dependency_packages: tuple[AwaitedPackage, ...]
    damage: tuple[str, ...]

    @property
    def bundled(self) -> bool:
        """Whether bundles and arcs define the load order (up to 5.2)."""
        return self.form < ZenForm.DEPENDENCY_BUNDLES


def read_zen_header(path: str) -> tuple[bytes, int]:
    """Return a zen package file's header, and the file's size.

    A few bytes behind the header may be included.

    Raises:
        OSError: it cannot be read.
        UnrealError: it states a header larger than any.
    """
    with open_file(path) as file:
        data = file.read(FIRST_READ)
        size = os.fstat(file.fileno()).st_size
        wanted = header_size(data)
        if wanted > _LARGEST_HEADER:
            what = f"a header of {wanted} bytes; at most {_LARGEST_HEADER} are read"
            raise UnrealError(what, offset=4, field="summary.header_size", path=path)
        return data + file.read(max(0, min(wanted, size) - len(data))), size


def zen_file_info(path: str, build: Build | None = None) -> ZenInfo:
    """Return the facts of a zen file, with names from ``build``."""
    data, size = read_zen_header(path)
    try:
        package = parse_zen_package(data)
        naming = Naming(package, paths=paths_from_names(package)) if build is None else build.naming(package)
        return zen_info(data, package, naming, size)
    except UnrealError as error:
        raise (error if error.path else error.at(path)) from None


def packed_zen_info(build: Build, identity: int) -> ZenInfo:
    """Return the facts of a package in a build.

    Raises:
        KeyError: no container has it.
        UnrealError: it cannot be read, or its tables are damaged.
    """
    data = build.read(identity)
    package = parse_zen_package(data)
    return zen_info(data, package, build.naming(package), len(data))


def zen_info(data: bytes, package: ZenPackage, naming: Naming, size: int | None = None) -> ZenInfo:
    """Return the facts in the tables of ``package``.

    It was parsed from ``data``.

    Args:
        data: its header at least.
        package: the package that ``data`` was parsed to.
        naming: names what it refers to.
        size: bytes of the whole package, where ``data`` is not all of it.
    """
    whole = len(data) if size is None else size
    damage: list[str] = []
    dependencies: ZenDependencies | None = None
    try:
        dependencies = read_dependencies(data, package)
    except UnrealError as error:
        damage.append(str(error))
    damage += [f"names[{index}]: its hash is another name's" for index in package.names.wrong_hashes()]
    spans = package.export_spans()
    for number, (start, length) in enumerate(spans):
        if start + length > whole:
            damage.append(f"exports[{number}]: {length} bytes at {start} do not lie in {whole}")
    return ZenInfo(
        package.form,
        _ENGINES[package.form],
        whole,
        _summary(package),
        None if package.versioning is None else _versions(package.versioning),
        tuple(
            ZenName(name, f"{stored:016x}", name_hash(name) == stored)
            for name, stored in zip(package.names.names, package.names.hashes, strict=False)
        ),
        tuple(naming.imported),
        tuple(f"{each:016x}" for each in package.imported_hashes),
        tuple(_reference(index, naming) for index in package.imports),
        tuple(_export(package, number, spans[number][0], naming) for number in range(len(package.exports))),
        package.bulk_data,
        tuple(BundleEntry(number, _COMMANDS.get(command, str(command))) for number, command in package.bundle),
        () if dependencies is None else dependencies.exports,
        () if dependencies is None else dependencies.bundles,
        () if dependencies is None else tuple(map(_arc, dependencies.arcs)),
        () if dependencies is None else _awaited(dependencies.packages, naming),
        tuple(damage),
    )


def _summary(package: ZenPackage) -> ZenSummary:
    return ZenSummary(
        package.name,
        package.source_name or None,
        f"{package_id(package.name):016x}",
        f"0x{package.flags:08X}",
        package.header_size,
        package.cooked_header_size,
        {name: offset for name, offset in package.tables._asdict().items() if offset >= 0},
    )


def _versions(versioning: Versioning) -> ZenVersions:
    custom = {guid_text(key): number for key, number in versioning.custom}
    return ZenVersions(versioning.zen, versioning.ue4, versioning.ue5, versioning.licensee, custom)


def _export(package: ZenPackage, number: int, offset: int, naming: Naming) -> ZenExport:
    export = package.exports[number]
    return ZenExport(
        f"{package.name}.{package.export_path(number)}",
        export.name,
        _reference(export.class_, naming),
        _reference(export.outer, naming),
        _reference(export.super_, naming),
        _reference(export.template, naming),
        f"{export.public_hash:016x}",
        f"0x{export.flags:08X}",
        _FILTERS.get(export.filter, str(export.filter)),
        export.offset,
        offset,
        export.size,
    )


def _reference(index: int, naming: Naming) -> ZenReference | None:
    kind = _KINDS[object_index.kind(index)]
    return None if kind == "none" else ZenReference(naming.name(index), kind, f"{index:016x}")


def _awaited(packages: tuple[PackageArcs, ...], naming: Naming) -> tuple[AwaitedPackage, ...]:
    names = {package_id(name): name for name in naming.imported}
    names |= {package_id(name): name for name in {path.partition(".")[0] for path in naming.paths.values()}}
    found = []
    for number, each in enumerate(packages):
        arcs = tuple(map(_arc, each.arcs))
        if each.package is not None:
            found.append(AwaitedPackage(names.get(each.package), f"{each.package:016x}", arcs))
        elif number < len(naming.imported):
            name = naming.imported[number]
            found.append(AwaitedPackage(name, f"{package_id(name):016x}", arcs))
        else:
            found.append(AwaitedPackage(None, None, arcs))
    return tuple(found)


def _arc(arc: Arc | ImportArc) -> ArcInfo:
    if isinstance(arc, ImportArc):
        return ArcInfo(arc.target, source=arc.source, command=_COMMANDS.get(arc.command, str(arc.command)))
    return ArcInfo(arc.target, from_bundle=arc.source)
