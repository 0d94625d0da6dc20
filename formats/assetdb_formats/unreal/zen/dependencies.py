"""Load order in a zen package: arcs or lists.

    4.26, 4.27   bundles {u32 first entry, u32 count}; for each package waited for {u64 id, i32 n, n x {i32 bundle
                 there, i32 bundle here}}
    5.0 to 5.2   graph data: bundles {u64 offset, u32 first entry, u32 count}, {i32 n, n x {i32 from, i32 to}} inside
                 the package, then for each imported package (of its store entry) {i32 n, n x {i32 import, u8 command,
                 i32 bundle here}}
    5.3 and on   for each export {i32 first entry, 4 x u32 count}, and one list of the objects they mean

That the four counts begin with "create before create" was found by laying zen packages beside the cooked ones they
were made from. Objects of the engine's own code are left out: they are always there.
"""

from __future__ import annotations

import struct
from typing import Final, NamedTuple

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.reader import Reader
from assetdb_formats.unreal.zen.package import ZenForm, ZenPackage

_BUNDLE_4: Final = struct.Struct("<II")
_BUNDLE_5: Final = struct.Struct("<QII")
_ARC: Final = struct.Struct("<ii")
_EXTERNAL_ARC: Final = struct.Struct("<iBi")
_HEADER: Final = struct.Struct("<i4I")


class Bundle(NamedTuple):
    """A bundle: the range of its entries in `ZenPackage.bundle`."""

    first: int
    size: int


class Arc(NamedTuple):
    """An arc: bundle ``target`` waits for bundle ``source``."""

    source: int
    target: int


class ImportArc(NamedTuple):
    """An arc: a bundle waits for an import (5.0 to 5.2).

    ``command`` is 0 for its creation, 1 for its serialization.
    """

    source: int
    command: int
    target: int


class PackageArcs(NamedTuple):
    """A package to wait for (None: by store entry), and its arcs."""

    package: int | None
    arcs: tuple[Arc | ImportArc, ...]


class ExportDependencies(NamedTuple):
    """An export's dependencies, as object indices of legacy packages."""

    create_before_create: tuple[int, ...]
    serialize_before_create: tuple[int, ...]
    create_before_serialize: tuple[int, ...]
    serialize_before_serialize: tuple[int, ...]


class ZenDependencies(NamedTuple):
    """The load order of a package's exports."""

    bundles: tuple[Bundle, ...]
    arcs: tuple[Arc, ...]
    packages: tuple[PackageArcs, ...]
    exports: tuple[ExportDependencies, ...]


def read_dependencies(data: bytes | memoryview, package: ZenPackage) -> ZenDependencies:
    """Read the dependencies of ``package``, which was read from ``data``.

    Raises:
        UnrealError: a table does not close, or means entries that are not there.
    """
    reader = Reader(data, end=package.header_size)
    tables = package.tables
    if package.form is ZenForm.ENGINE_4:
        count = (tables.dependencies - tables.bundle_entries) // 8 - len(package.bundle)
        reader.seek(tables.bundle_entries, "export_bundles")
        bundles = _bundles(reader, _BUNDLE_4, count, package)
        reader.seek(tables.dependencies, "graph")
        packages = tuple(
            PackageArcs(reader.u64(f"graph[{number}]"), _arcs(reader, f"graph[{number}].arcs"))
            for number in range(reader.count(reader.u32("graph"), 12, "graph"))
        )
        return ZenDependencies(bundles, (), packages, ())
    reader.seek(tables.dependencies, "graph")
    if package.form is ZenForm.GRAPH_DATA:
        bundles = _bundles(reader, _BUNDLE_5, None, package)
        arcs = _arcs(reader, "graph.arcs")
        found: list[PackageArcs] = []
        while reader.left:
            field = f"graph.imported[{len(found)}]"
            rows = reader.rows(_EXTERNAL_ARC, reader.u32(field), field)
            found.append(PackageArcs(None, tuple(ImportArc(*row) for row in rows)))
        return ZenDependencies(bundles, arcs, tuple(found), ())
    return ZenDependencies((), (), (), _exports(reader, package))


def _bundles(reader: Reader, row: struct.Struct, count: int | None, package: ZenPackage) -> tuple[Bundle, ...]:
    """Read ``count`` bundle headers, or enough to have all entries."""
    bundles: list[Bundle] = []
    entries = len(package.bundle)
    done = 0
    while done < entries if count is None else len(bundles) < count:
        field = f"export_bundles[{len(bundles)}]"
        at = reader.position
        ((*_, first, size),) = reader.rows(row, 1, field)
        if first != done or not 0 < size <= entries - done:
            raise reader.error(
                f"{size} entries from {first} on, where {entries - done} from {done} on are left", field, offset=at
            )
        done += size
        bundles.append(Bundle(first, size))
    return tuple(bundles)


def _arcs(reader: Reader, field: str) -> tuple[Arc, ...]:
    return tuple(Arc(*row) for row in reader.rows(_ARC, reader.u32(field), field))


def _exports(reader: Reader, package: ZenPackage) -> tuple[ExportDependencies, ...]:
    tables = package.tables
    field = "dependency_bundle_headers"
    rows = list(_HEADER.iter_unpack(reader.view(tables.dependency_entries - tables.dependencies, field)))
    count = (tables.imported_names - tables.dependency_entries) // 4
    entries = reader.integers("i", count, "dependency_bundle_entries")
    lowest, highest = min(entries, default=0), max(entries, default=0)
    if highest > len(package.exports) or -lowest > len(package.imports):
        what = (
            f"mean objects {lowest} to {highest} of {len(package.imports)} imports and {len(package.exports)} exports"
        )
        raise UnrealError(what, offset=tables.dependency_entries, field="dependency_bundle_entries")
    spare = count  # headers share no entries
    found = []
    for number, (first, *counts) in enumerate(rows):
        spare -= sum(counts)
        nothing = first == -1 and not any(counts)  # as 5.8 writes it
        if not nothing and (first < 0 or first + sum(counts) > count or spare < 0):
            what = f"{sum(counts)} entries from {first} on, of {count}"
            raise UnrealError(what, offset=tables.dependencies + _HEADER.size * number, field=f"{field}[{number}]")
        parts = []
        for size in counts:
            parts.append(entries[first : first + size])
            first += size  # noqa: PLW2901 - a cursor from here on
        found.append(ExportDependencies(*parts))
    return tuple(found)
