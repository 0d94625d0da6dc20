"""The package format inside containers ("zen"): names, imports, exports, imported packages.

It has no tag and rarely a version, so what differs between engines is inferred, and accepted only where the
tables close:

    4.26, 4.27   64-byte summary without header size; names and hashes apart
    5.0 to 5.2   40-byte summary and one offset (graph data)
    5.3 to 5.5   40-byte summary and three offsets (dependency bundles, imported package names)
    5.6 and on   two more offsets (Verse cells)

The algorithm id at the head of the name batch tells which of the last three it is; the bulk data map, which 5.2
brought and 5.4 padded, is what fills the gap between the names and the next table.
"""

from __future__ import annotations

import struct
from enum import IntEnum
from typing import Final, NamedTuple

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.packages.objects import DEEPEST, LONGEST_PATH
from assetdb_formats.unreal.reader import Reader
from assetdb_formats.unreal.zen import object_index
from assetdb_formats.unreal.zen.name_batch import HASH_ALGORITHM, NameBatch, read_batch, read_names_apart

_SUMMARY_4: Final = struct.Struct("<8I 6i I I")
_SUMMARY_5: Final = struct.Struct("<6I 4i")
_SUMMARY_4_SIZE: Final = 64
_EXPORT: Final = struct.Struct("<QQIIQQQQQIB3x")
_BULK: Final = struct.Struct("<qqqI4x")
_CUSTOM_VERSION: Final = struct.Struct("<16si")
_DEPENDENCY_BUNDLE: Final = 20
_UE4_FILE_VERSIONS: Final = range(214, 1000)
SERIALIZE: Final = 1
FIRST_READ: Final = 1 << 16
"""Bytes that say what `header_size` is to know."""
_LEGACY_TAG: Final = 0x9E2A83C1.to_bytes(4, "little")


class ZenForm(IntEnum):
    """The forms of a package, oldest first."""

    ENGINE_4 = 0
    GRAPH_DATA = 1
    DEPENDENCY_BUNDLES = 2
    CELLS = 3


# Offsets of the summary behind the first four.
_OFFSETS: Final = {ZenForm.GRAPH_DATA: 1, ZenForm.DEPENDENCY_BUNDLES: 3, ZenForm.CELLS: 3}


class Export(NamedTuple):
    """An object in the package; indices are FPackageObjectIndex.

    ``public_hash`` is its id for importers (0: private). ``offset`` is the stored one, of the legacy file it was made
    from; see `ZenPackage.export_spans`.
    """

    name: str
    offset: int
    size: int
    outer: int
    class_: int
    super_: int
    template: int
    public_hash: int
    flags: int
    filter: int


class BulkData(NamedTuple):
    """A piece of bulk data, with its offset in the chunk."""

    offset: int
    duplicate_offset: int
    size: int
    flags: int


class Versioning(NamedTuple):
    """The versions a package was saved with; custom ones by GUID."""

    zen: int
    ue4: int
    ue5: int
    licensee: int
    custom: tuple[tuple[bytes, int], ...]


class Tables(NamedTuple):
    """The offsets of the tables in the file.

    -1 is for a table that the form does not have. ``dependencies`` are the arcs between bundles up to 5.2 (graph data),
    the bundle headers from 5.3 on.
    """

    names: int
    name_hashes: int
    imported_hashes: int
    imports: int
    exports: int
    bundle_entries: int
    dependencies: int
    dependency_entries: int = -1
    imported_names: int = -1
    cell_imports: int = -1
    cell_exports: int = -1


class ZenPackage(NamedTuple):
    """A parsed package.

    ``imports`` are FPackageObjectIndex; ``imported_names`` (5.3 and later) are the names of the packages its store
    entry lists; ``imported_hashes`` are public export hashes that its imports refer to. ``bundle`` is the order in
    which exports are (number, 0 created or 1 serialized); ``graph`` (engine 4) the packages it waits for.
    """

    name: str
    source_name: str
    form: ZenForm
    header_size: int
    cooked_header_size: int
    flags: int
    versioning: Versioning | None
    names: NameBatch
    imports: tuple[int, ...]
    exports: tuple[Export, ...]
    imported_hashes: tuple[int, ...]
    imported_names: tuple[str, ...]
    bulk_data: tuple[BulkData, ...]
    bundle: tuple[tuple[int, int], ...]
    graph: tuple[int, ...]
    tables: Tables

    @property
    def bundle_ordered(self) -> bool:
        """Whether exports are stored in bundle order (up to 5.2)."""
        return self.form <= ZenForm.GRAPH_DATA

    def export_spans(self) -> list[tuple[int, int]]:
        """Return (start in the chunk, size) of every export's data.

        Up to 5.2 the data lies in the order of the bundles. Later it lies where the legacy file had it, counted
        from that file's header; 5.8 and 6.0 count from 0.
        """
        if self.bundle_ordered:
            spans = [(self.header_size, 0)] * len(self.exports)
            position = self.header_size
            for number, command in self.bundle:
                if command == SERIALIZE and number < len(self.exports):
                    spans[number] = (position, self.exports[number].size)
                    position += self.exports[number].size
            return spans
        first = min((export.offset for export in self.exports if export.size), default=0)
        shift = self.header_size - (self.cooked_header_size if first >= self.cooked_header_size else 0)
        return [(export.offset + shift, export.size) for export in self.exports]

    def export_path(self, number: int) -> str:
        """Return an export's path below its package, ``Outer.Inner``.

        Raises:
            UnrealError: its outers form a circle, or the path is out of proportion.
        """
        parts: list[str] = []
        length = 0
        while number < len(self.exports):
            parts.append(self.exports[number].name)
            length += len(parts[-1]) + 1
            if len(parts) > DEEPEST or length > LONGEST_PATH:
                what = f"lies in more than {DEEPEST} others, or has a path of over {LONGEST_PATH} characters"
                raise UnrealError(what, offset=self.tables.exports, field=f"exports[{number}].outer")
            outer = self.exports[number].outer
            if object_index.kind(outer) != object_index.EXPORT:
                break
            number = object_index.value(outer)
        return ".".join(reversed(parts))


def parse_zen_package(data: bytes | memoryview) -> ZenPackage:
    """Read the tables of a package, not its exports' data."""
    reader = Reader(data)
    if reader.left < 52:
        raise reader.error(f"{reader.left} bytes are not a zen package", "summary")
    start = _find_names(data)
    if start is not None:
        return _engine_5(reader, *start)
    if reader.left >= _SUMMARY_4_SIZE:
        return _engine_4(reader)
    raise reader.error("is not a zen package of a known engine", "summary")


def header_size(data: bytes | memoryview) -> int:
    """Return the size of a zen package's header, or 0."""
    if len(data) < _SUMMARY_4_SIZE or data[:4] == _LEGACY_TAG:
        return 0
    if _find_names(data) is not None:
        return int.from_bytes(data[4:8], "little")
    row = _SUMMARY_4.unpack_from(data)
    hashes_at, hashes_size, imports_at, exports_at, bundles_at, graph_at, graph_size = row[8:15]
    end = _SUMMARY_4_SIZE
    for table in (hashes_at, hashes_at + hashes_size, imports_at, exports_at, bundles_at, graph_at):
        if table < end:
            return 0
        end = table
    return graph_at + graph_size if row[6] == _SUMMARY_4_SIZE and graph_size >= 4 else 0


def _find_names(data: bytes | memoryview) -> tuple[ZenForm, int] | None:
    """Find the name batch by its algorithm id; return its form."""
    versioned = struct.unpack_from("<I", data)[0]
    if versioned > 1:
        return None
    for form in (ZenForm.GRAPH_DATA, ZenForm.DEPENDENCY_BUNDLES, ZenForm.CELLS):
        position = _SUMMARY_5.size + 4 * _OFFSETS[form]
        if versioned:
            if len(data) < position + 20:
                continue
            _, ue4, _, _, count = struct.unpack_from("<IIIII", data, position)
            if ue4 not in _UE4_FILE_VERSIONS:
                continue
            position += 20 + 20 * count
        if form is ZenForm.CELLS:
            position += 8
        if len(data) >= position + 16 and struct.unpack_from("<Q", data, position + 8)[0] == HASH_ALGORITHM:
            return form, position
    return None


def _engine_5(reader: Reader, form: ZenForm, names_at: int) -> ZenPackage:
    data = reader.data
    versioned, header_size, name_index, name_number, flags, cooked_header_size, *offsets = _SUMMARY_5.unpack_from(data)
    hashes_at, imports_at, exports_at, bundles_at = offsets
    rest = struct.unpack_from(f"<{_OFFSETS[form]}i", data, _SUMMARY_5.size)
    if not names_at <= header_size <= len(data):
        raise reader.error(f"header of {header_size} bytes in {len(data)}", "summary.header_size", offset=4)
    reader.end = header_size
    reader.position = _SUMMARY_5.size + 4 * len(rest)
    versioning = _versioning(reader) if versioned else None
    exports_end = bundles_at
    cells = (-1, -1)
    if form is ZenForm.CELLS:
        cells = struct.unpack("<ii", reader.view(8, "cells"))
        exports_end = min([at for at in cells if at > exports_at] + [bundles_at])
    reader.position = names_at
    names = read_batch(reader, "names")
    bulk = _bulk_data(reader, hashes_at)
    bundles_end = rest[0]
    hashes = _table(reader, "imported_public_export_hashes", hashes_at, imports_at, 8)
    imports = _table(reader, "imports", imports_at, exports_at, 8)
    exports = _exports(reader, exports_at, exports_end, names)
    bundle = _pairs(reader, "export_bundle_entries", bundles_at, bundles_end)
    later: tuple[int, int, int] = rest if len(rest) == 3 else (rest[0], -1, -1)
    imported: tuple[str, ...] = ()
    if len(rest) == 3:
        _table(reader, "dependency_bundle_entries", rest[1], rest[2], 4)
        if (rest[1] - rest[0]) % _DEPENDENCY_BUNDLE:
            raise reader.error(f"{rest[1] - rest[0]} bytes", "dependency_bundle_headers", offset=rest[0])
        imported = _imported_names(reader, rest[2])
    return ZenPackage(
        name=names.resolve(name_index, name_number, "summary.name", 8),
        source_name="",
        form=form,
        header_size=header_size,
        cooked_header_size=cooked_header_size,
        flags=flags,
        versioning=versioning,
        names=names,
        imports=tuple(imports),
        exports=exports,
        imported_hashes=tuple(hashes),
        imported_names=imported,
        bulk_data=bulk,
        bundle=bundle,
        graph=(),
        tables=Tables(names_at, -1, hashes_at, imports_at, exports_at, bundles_at, *later, *cells),
    )


def _engine_4(reader: Reader) -> ZenPackage:
    data = reader.data
    (
        name_index,
        name_number,
        source_index,
        source_number,
        flags,
        cooked_header_size,
        names_at,
        names_size,
        *offsets,
        graph_size,
        _pad,
    ) = _SUMMARY_4.unpack_from(data)
    hashes_at, hashes_size, imports_at, exports_at, bundles_at, graph_at = offsets
    header_size = graph_at + graph_size
    if not _SUMMARY_4_SIZE <= graph_at <= header_size <= len(data) or names_at != _SUMMARY_4_SIZE:
        raise reader.error("is not a zen package of a known engine", "summary")
    reader.end = header_size
    names = read_names_apart(
        _slice(reader, "names", names_at, names_at + names_size),
        _slice(reader, "names.hashes", hashes_at, hashes_at + hashes_size),
        base=names_at,
        hashes_base=hashes_at,
    )
    exports = _exports(reader, exports_at, bundles_at, names)
    size = graph_at - bundles_at
    headers = size - 16 * len(exports)  # each export is created once and serialized once
    if headers < 0 or headers % 8:
        raise reader.error(f"{size} bytes for {len(exports)} exports", "export_bundles", offset=bundles_at)
    return ZenPackage(
        name=names.resolve(name_index, name_number, "summary.name", 0),
        source_name=names.resolve(source_index, source_number, "summary.source_name", 8),
        form=ZenForm.ENGINE_4,
        header_size=header_size,
        cooked_header_size=cooked_header_size,
        flags=flags,
        versioning=None,
        names=names,
        imports=tuple(_table(reader, "imports", imports_at, exports_at, 8)),
        exports=exports,
        imported_hashes=(),
        imported_names=(),
        bulk_data=(),
        bundle=_pairs(reader, "export_bundle_entries", bundles_at + headers, graph_at),
        graph=_graph(reader, graph_at),
        tables=Tables(names_at, hashes_at, -1, imports_at, exports_at, bundles_at, graph_at),
    )


def _slice(reader: Reader, field: str, start: int, end: int) -> memoryview:
    if not 0 <= start <= end <= reader.end:
        raise reader.error(f"lies at {start} to {end} of {reader.end}", field)
    return memoryview(reader.data)[start:end]


def _table(reader: Reader, field: str, start: int, end: int, size: int) -> tuple[int, ...]:
    raw = _slice(reader, field, start, end)
    if len(raw) % size:
        raise reader.error(f"{len(raw)} bytes are not whole items of {size}", field, offset=start)
    return struct.unpack(f"<{len(raw) // size}{'Q' if size == 8 else 'i'}", raw)


def _pairs(reader: Reader, field: str, start: int, end: int) -> tuple[tuple[int, int], ...]:
    raw = _slice(reader, field, start, end)
    if len(raw) % 8:
        raise reader.error(f"{len(raw)} bytes are not whole items of 8", field, offset=start)
    return tuple(struct.iter_unpack("<II", raw))


def _exports(reader: Reader, start: int, end: int, names: NameBatch) -> tuple[Export, ...]:
    raw = _slice(reader, "exports", start, end)
    if len(raw) % _EXPORT.size:
        raise reader.error(f"{len(raw)} bytes are not whole items of {_EXPORT.size}", "exports", offset=start)
    exports = []
    for number, row in enumerate(_EXPORT.iter_unpack(raw)):
        offset, size, name, name_number, outer, class_, super_, template, public_hash, flags, filter_ = row
        text = names.resolve(name, name_number, f"exports[{number}].name", start + _EXPORT.size * number + 16)
        exports.append(Export(text, offset, size, outer, class_, super_, template, public_hash, flags, filter_))
    return tuple(exports)


def _versioning(reader: Reader) -> Versioning:
    zen = reader.u32("versioning.zen")
    ue4 = reader.i32("versioning.ue4")
    ue5 = reader.i32("versioning.ue5")
    licensee = reader.i32("versioning.licensee")
    custom = reader.rows(_CUSTOM_VERSION, reader.u32("versioning.custom"), "versioning.custom")
    return Versioning(zen, ue4, ue5, licensee, tuple(custom))


def _bulk_data(reader: Reader, end: int) -> tuple[BulkData, ...]:
    """Read the bulk data: nothing, or a size (or padding) and entries."""
    start = reader.position
    if end == start:
        return ()
    if end < start + 8:
        raise reader.error(f"names end at {start}, the next table begins at {end}", "bulk_data")
    size = reader.i64("bulk_data.size")
    if reader.position + size != end:
        if not 0 <= size < 8 or reader.left < size + 8:
            raise reader.error(f"{size} bytes, but {end - start - 8} are stored", "bulk_data.size", offset=start)
        reader.position += size  # 5.4 and later: that was the length of a padding to 8 bytes
        size = reader.i64("bulk_data.size")
    if reader.position + size != end or size % _BULK.size:
        raise reader.error(f"{size} bytes, but {end - reader.position} are stored", "bulk_data.size", offset=start)
    return tuple(BulkData(*row) for row in _BULK.iter_unpack(reader.view(size, "bulk_data")))


def _imported_names(reader: Reader, start: int) -> tuple[str, ...]:
    reader.seek(start, "imported_package_names")
    batch = read_batch(reader, "imported_package_names")
    numbers = reader.integers("I", len(batch), "imported_package_names.numbers")
    return tuple(
        batch.resolve(index, number, f"imported_package_names[{index}]", start) for index, number in enumerate(numbers)
    )


def _graph(reader: Reader, start: int) -> tuple[int, ...]:
    """Read engine 4's graph data: awaited packages and their arcs."""
    reader.seek(start, "graph")
    packages = []
    for number in range(reader.count(reader.u32("graph"), 12, "graph")):
        field = f"graph[{number}]"
        packages.append(reader.u64(field))
        reader.need(8 * reader.count(reader.u32(field), 8, field), field)
    return tuple(packages)
