"""The ContainerHeader chunk: packages and their imports.

It is stored uncompressed in every container seen, so the package graph of a build needs no decompressor.
Versions (engine): none (4.25 to 4.27, without magic), 0 Initial, 1 LocalizedPackages (5.0),
2 OptionalSegmentPackages (5.1, 5.2), 3 NoExportInfo (5.3, 5.4), 4 SoftPackageReferences (5.5),
5 SoftPackageReferencesOffset (5.6 and later). 5.8 shortened the hashes of shader maps from 20 to 8 bytes without a
version: the width with which the views fill the bytes behind the entries is theirs. The containers of 5.8 that were
seen have no shader maps.

A store entry holds views ``{u32 count, u32 offset from this view}`` into the bytes behind all entries.
"""

from __future__ import annotations

import struct
import sys
from array import array
from bisect import bisect_left
from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.iostore.directory_index import read_string
from assetdb_formats.unreal.reader import Reader
from assetdb_formats.unreal.zen.name_batch import NameBatch, read_batch, read_names_apart

if TYPE_CHECKING:
    from collections.abc import Iterator

MAGIC: Final = 0x496F436E
NEWEST_VERSION: Final = 5
BEFORE_VERSIONS: Final = -1

_LOCALIZED: Final = 1
_OPTIONAL_SEGMENT: Final = 2
_NO_EXPORT_INFO: Final = 3
_SOFT_REFERENCES: Final = 4
_SOFT_REFERENCES_OFFSET: Final = 5
_SHADER_HASHES: Final = (20, 8)
_PAIR: Final = struct.Struct("<QQ")
_NAMED: Final = struct.Struct("<QII")
_NAMED_PAIR: Final = struct.Struct("<QQII")


class StoreEntry(NamedTuple):
    """A package's entry in the container header; ids are package ids.

    ``export_count`` and ``bundle_count`` are None from header version 3 on, ``load_order`` and ``size`` (bytes of
    its exports) None from engine 5 on.
    """

    imports: tuple[int, ...]
    shader_maps: tuple[bytes, ...] = ()
    export_count: int | None = None
    bundle_count: int | None = None
    load_order: int | None = None
    size: int | None = None


class Redirect(NamedTuple):
    """A package that replaces another."""

    source: int
    target: int
    source_name: str


class LocalizedPackage(NamedTuple):
    """A package that has localized variants.

    Engine 4 lists each variant (``culture``, ``target``); engine 5 only the source, and derives the variants'
    names (``/Game/L10N/<culture>/...``) as it runs.
    """

    source: int
    source_name: str = ""
    culture: str = ""
    target: int | None = None


class ContainerHeader(NamedTuple):
    """A parsed ContainerHeader chunk.

    ``version`` is -1 for engine 4. ``packages`` and ``optional_packages`` map package id to entry in file order;
    ``soft_references`` package id to the ids of the packages it refers to softly.
    """

    version: int
    container_id: int
    packages: Mapping[int, StoreEntry]
    optional_packages: Mapping[int, StoreEntry]
    localized: tuple[LocalizedPackage, ...]
    redirects: tuple[Redirect, ...]
    soft_references: dict[int, tuple[int, ...]]


def parse_container_header(data: bytes) -> ContainerHeader:
    """Read a ContainerHeader chunk.

    Raises:
        UnrealError: it is not a header, is of a version newer than 5, or a count or an offset is wrong.
    """
    reader = Reader(data)
    if len(data) >= 8 and int.from_bytes(data[:4], "little") == MAGIC:
        reader.position = 4
        version = reader.u32("version")
        if version > NEWEST_VERSION:
            raise reader.error(f"version {version}; versions 0 to {NEWEST_VERSION} are known", "version", offset=4)
        return _engine_5(reader, version)
    return _engine_4(reader)


def _engine_5(reader: Reader, version: int) -> ContainerHeader:
    container_id = reader.u64("container_id")
    if version < _OPTIONAL_SEGMENT:
        reader.u32("package_count")
    packages = _packages(reader, version, "packages")
    optional = _packages(reader, version, "optional_packages") if version >= _OPTIONAL_SEGMENT else {}
    names = read_batch(reader, "names")
    named = version >= _LOCALIZED
    localized = _localized(reader, names) if named else _cultures(reader)
    redirects = _redirects(reader, names if named else None)
    soft: dict[int, tuple[int, ...]] = {}
    present = version >= _SOFT_REFERENCES
    if version >= _SOFT_REFERENCES_OFFSET:
        field = "soft_references.offset"
        offset, size = reader.i64(field), reader.i64(field)
        present = size > 0
        if present and (offset != reader.position or size > reader.left):
            what = f"soft references of {size} bytes at {offset}, {reader.left} bytes are left"
            raise reader.error(what, field)
    if present and reader.u32("soft_references.present"):
        soft = _soft_references(reader, list(packages))
    _check_end(reader)
    return ContainerHeader(version, container_id, packages, optional, localized, redirects, soft)


def _engine_4(reader: Reader) -> ContainerHeader:
    container_id = reader.u64("container_id")
    count = reader.u32("package_count")
    names = reader.view(reader.u32("names.size"), "names")
    hashes = reader.view(reader.u32("names.hashes.size"), "names.hashes")
    hashes_at = reader.position - len(hashes)
    read_names_apart(names, hashes, base=16, hashes_base=hashes_at)  # nothing refers to them, but they must make sense
    packages = _packages(reader, BEFORE_VERSIONS, "packages")
    if len(packages) != count:
        raise reader.error(f"{len(packages)} packages where {count} are declared", "packages")
    localized = _cultures(reader)
    redirects = _redirects(reader)
    _check_end(reader)
    return ContainerHeader(BEFORE_VERSIONS, container_id, packages, {}, localized, redirects, {})


def _check_end(reader: Reader) -> None:
    if reader.left and any(reader.view(reader.left)):  # a chunk can be zeros up to the end of its block
        raise reader.error("more follows", "container_header")


def _packages(reader: Reader, version: int, field: str) -> Mapping[int, StoreEntry]:
    count = reader.count(reader.u32(f"{field}.ids"), 8, f"{field}.ids")
    ids = array("Q", bytes(reader.view(8 * count, f"{field}.ids")))
    if sys.byteorder == "big":
        ids.byteswap()
    base = reader.base + reader.position + 4
    data = reader.take(reader.u32(f"{field}.entries.size"), f"{field}.entries")
    if not ids:
        return {}
    if version == BEFORE_VERSIONS:
        # 4.27 has entries of 32 bytes, 4.25 and 4.26 of 16; the one whose views end with the data is right.
        layout = next((known for known in (_ENGINE_4_27, _ENGINE_4_26) if _closes(data, len(ids), known)), None)
        if layout is None:
            raise UnrealError("entries of neither 32 nor 16 bytes fit", offset=base, field=f"{field}.entries")
    else:
        layout = _WITH_EXPORTS if version < _NO_EXPORT_INFO else _WITHOUT_EXPORTS
        if version >= _SOFT_REFERENCES_OFFSET:
            layout = next((known for known in _BY_SHADER_HASH if _closes(data, len(ids), known)), layout)
    _check_views(data, len(ids), layout, field, base)
    return StoreEntries(ids, data, layout)


class _Layout(NamedTuple):
    """A form of the store entry: its struct and field offsets."""

    entry: struct.Struct
    view: int  # number of the imported packages' count among the unpacked fields
    view_offset: int  # its offset in bytes
    shaders: bool
    exports: int | None = None
    size: int | None = None
    load_order: int | None = None
    shader_hash: int = _SHADER_HASHES[0]


_WITHOUT_EXPORTS: Final = _Layout(struct.Struct("<IIII"), 0, 0, shaders=True)
_BY_SHADER_HASH: Final = tuple(_WITHOUT_EXPORTS._replace(shader_hash=size) for size in _SHADER_HASHES)
_WITH_EXPORTS: Final = _Layout(struct.Struct("<IIIIII"), 2, 8, shaders=True, exports=0)
_ENGINE_4_27: Final = _Layout(struct.Struct("<QIIIIII"), 5, 24, shaders=False, exports=1, size=0, load_order=3)
_ENGINE_4_26: Final = _Layout(struct.Struct("<IIII"), 2, 8, shaders=False, exports=0)


def _closes(data: bytes, count: int, layout: _Layout) -> bool:
    size = layout.entry.size
    if count * size > len(data):
        return False
    hashes = layout.shader_hash if layout.shaders else 0
    at, rows = layout.view, layout.entry.iter_unpack(memoryview(data)[: count * size])
    views: int = sum(8 * row[at] + (hashes * row[at + 2] if hashes else 0) for row in rows)
    return count * size + views == len(data)


class StoreEntries(Mapping[int, StoreEntry]):
    """Store entries by package id, created on access to save memory."""

    __slots__ = ("_data", "_ids", "_layout", "_order")

    def __init__(self, ids: array[int], data: bytes, layout: _Layout) -> None:
        self._data = data
        self._layout = layout
        # Ids are sorted in every container seen, and need no order of their own then.
        in_order = all(before <= after for before, after in pairwise(ids))
        self._order = None if in_order else array("I", sorted(range(len(ids)), key=ids.__getitem__))
        self._ids = ids

    def __len__(self) -> int:
        return len(self._ids)

    def __iter__(self) -> Iterator[int]:
        return iter(self._ids)

    def __getitem__(self, identity: int) -> StoreEntry:
        number = self._find(identity)
        if number is None:
            raise KeyError(identity)
        return self._entry(number)

    def __contains__(self, identity: object) -> bool:
        return isinstance(identity, int) and self._find(identity) is not None

    def _find(self, identity: int) -> int | None:
        if self._order is None:
            place = bisect_left(self._ids, identity)
        else:
            place = bisect_left(self._order, identity, key=self._ids.__getitem__)
        if place == len(self._ids):
            return None
        number = place if self._order is None else self._order[place]
        return number if self._ids[number] == identity else None

    def _entry(self, number: int) -> StoreEntry:
        layout = self._layout
        start = number * layout.entry.size
        row = layout.entry.unpack_from(self._data, start)
        at = layout.view
        imports: tuple[int, ...] = ()
        shaders: tuple[bytes, ...] = ()
        if row[at]:
            imports = struct.unpack_from(f"<{row[at]}Q", self._data, start + layout.view_offset + row[at + 1])
        if layout.shaders and row[at + 2]:
            first = start + layout.view_offset + 8 + row[at + 3]
            width = layout.shader_hash
            shaders = tuple(
                self._data[place : place + width] for place in range(first, first + width * row[at + 2], width)
            )
        return StoreEntry(
            imports,
            shaders,
            None if layout.exports is None else row[layout.exports],
            None if layout.exports is None else row[layout.exports + 1],
            None if layout.load_order is None else row[layout.load_order],
            None if layout.size is None else row[layout.size],
        )


def _check_views(data: bytes, count: int, layout: _Layout, field: str, base: int) -> None:
    """Check that views lie after the entries and share no bytes."""
    size = layout.entry.size
    if count * size > len(data):
        raise UnrealError(f"{count} entries of {size} bytes in {len(data)}", offset=base, field=f"{field}.entries")
    spare = len(data) - count * size  # views share no bytes
    at = layout.view
    for number, row in enumerate(layout.entry.iter_unpack(memoryview(data)[: count * size])):
        start = number * size + layout.view_offset
        if row[at]:
            first = start + row[at + 1]
            spare -= 8 * row[at]
            if first < count * size or first + 8 * row[at] > len(data) or spare < 0:
                raise _view_error(base + start, f"{field}.entries[{number}].imports")
        if layout.shaders and row[at + 2]:
            first = start + 8 + row[at + 3]
            spare -= layout.shader_hash * row[at + 2]
            if first < count * size or first + layout.shader_hash * row[at + 2] > len(data) or spare < 0:
                raise _view_error(base + start + 8, f"{field}.entries[{number}].shaders")


def _view_error(offset: int, field: str) -> UnrealError:
    return UnrealError("points outside the entries, or into another's", offset=offset, field=field)


def _localized(reader: Reader, names: NameBatch) -> tuple[LocalizedPackage, ...]:
    count, base = reader.u32("localized"), reader.position
    return tuple(
        LocalizedPackage(source, names.resolve(index, number, f"localized[{place}].name", base + 16 * place))
        for place, (source, index, number) in enumerate(reader.rows(_NAMED, count, "localized"))
    )


def _redirects(reader: Reader, names: NameBatch | None = None) -> tuple[Redirect, ...]:
    """Read redirects, which have names from version 1 on."""
    count, base = reader.u32("redirects"), reader.position
    if names is None:
        return tuple(Redirect(source, target, "") for source, target in reader.rows(_PAIR, count, "redirects"))
    return tuple(
        Redirect(source, target, names.resolve(index, number, f"redirects[{place}].name", base + 24 * place))
        for place, (source, target, index, number) in enumerate(reader.rows(_NAMED_PAIR, count, "redirects"))
    )


def _cultures(reader: Reader) -> tuple[LocalizedPackage, ...]:
    localized: list[LocalizedPackage] = []
    for number in range(reader.count(reader.u32("cultures"), 8, "cultures")):
        field = f"cultures[{number}]"
        culture = read_string(reader, field)
        rows = reader.rows(_PAIR, reader.u32(field), field)
        localized += [LocalizedPackage(source, "", culture, target) for source, target in rows]
    return tuple(localized)


def _soft_references(reader: Reader, packages: list[int]) -> dict[int, tuple[int, ...]]:
    """Read soft references: shared ids, then each package's view of indices.

    The indices are u32 into the ids. No public container has any; the form is as in the store entries, as the open
    readers describe it, and is accepted only where every view and every index is inside its table.
    """
    ids = reader.integers("Q", reader.u32("soft_references.ids"), "soft_references.ids")
    base = reader.position + 4
    data = reader.take(reader.u32("soft_references.indices.size"), "soft_references.indices")
    if len(data) < 8 * len(packages):
        raise UnrealError(
            f"{len(data)} bytes for {len(packages)} packages", offset=base, field="soft_references.indices"
        )
    found: dict[int, tuple[int, ...]] = {}
    spare = len(data) - 8 * len(packages)
    for number, package in enumerate(packages):
        count, offset = struct.unpack_from("<II", data, 8 * number)
        if not count:
            continue
        start = 8 * number + offset
        spare -= 4 * count
        if start < 8 * len(packages) or start + 4 * count > len(data) or spare < 0:
            raise _view_error(base + 8 * number, f"soft_references.indices[{number}]")
        places = struct.unpack_from(f"<{count}I", data, start)
        if max(places) >= len(ids):
            raise UnrealError(
                f"refers to package {max(places)} of {len(ids)}",
                offset=base + start,
                field=f"soft_references.indices[{number}]",
            )
        found[package] = tuple(ids[place] for place in places)
    return found
