"""The package file summary, first in .uasset and .umap.

The order of its fields and their gates were checked byte by byte on packages of 30 engine versions; 5.6 moved the
hash and the header size before the custom versions and dropped the GUID. What is fixed for one version is one
``struct``; text and arrays stand between them.
"""

from __future__ import annotations

from functools import lru_cache
from operator import itemgetter
from struct import Struct, error
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from assetdb_formats.unreal.errors import UnrealError, UnversionedPackageError
from assetdb_formats.unreal.strings import string_at, string_bytes
from assetdb_formats.unreal.versions import NEWEST_UE4, NEWEST_UE5, OLDEST_LEGACY, PackageVersion

if TYPE_CHECKING:
    from collections.abc import Callable

PACKAGE_TAG: Final = 0x9E2A83C1
SWAPPED_TAG: Final = 0xC1832A9E
FILTER_EDITOR_ONLY: Final = 0x80000000
UNVERSIONED_PROPERTIES: Final = 0x00002000
COOKED: Final = 0x00000200

_I32: Final = Struct("<i")
_U32: Final = Struct("<I")
_I64: Final = Struct("<q")
_TWO: Final = Struct("<ii")
_UNSIGNED_TWO: Final = Struct("<II")
_START: Final = Struct("<Ii")
_CUSTOM_VERSION: Final = Struct("<16si")
_TAGGED_CUSTOM_VERSION: Final = Struct("<Ii")
_ENGINE: Final = Struct("<3HI")


class EngineVersion(NamedTuple):
    """Which engine saved a package, or which it is compatible with."""

    major: int
    minor: int
    patch: int
    changelist: int
    branch: str

    def __str__(self) -> str:
        text = f"{self.major}.{self.minor}.{self.patch}"
        if self.changelist:
            text += f"-{self.changelist & 0x7FFFFFFF}"
        return f"{text}+{self.branch}" if self.branch else text


class CustomVersion(NamedTuple):
    """The version of an engine part, named by its GUID."""

    key: str
    version: int


class Summary(NamedTuple):
    """All fields of the summary.

    Fields that a version does not have are 0 or empty, and -1 for the two latest offsets.

    Offsets and sizes are bytes from the start of the package. GUIDs are the 16 bytes as stored; where there is no
    persistent GUID it is the GUID. Before UE5 1001 all names count as referenced from exports.
    """

    legacy_version: int
    ue3_version: int
    version: PackageVersion
    licensee_version: int
    unversioned: bool
    saved_hash: bytes
    total_header_size: int
    custom_version_data: bytes
    custom_version_count: int
    package_name: str
    package_flags: int
    name_count: int
    name_offset: int
    soft_object_path_count: int
    soft_object_path_offset: int
    localization_id: str
    gatherable_text_count: int
    gatherable_text_offset: int
    export_count: int
    export_offset: int
    import_count: int
    import_offset: int
    cell_export_count: int
    cell_export_offset: int
    cell_import_count: int
    cell_import_offset: int
    metadata_offset: int
    depends_offset: int
    soft_package_reference_count: int
    soft_package_reference_offset: int
    searchable_names_offset: int
    thumbnail_table_offset: int
    import_type_hierarchy_count: int
    import_type_hierarchy_offset: int
    guid: bytes
    persistent_guid: bytes
    owner_persistent_guid: bytes
    generation_data: bytes
    generation_count: int
    saved_by: EngineVersion
    compatible_with: EngineVersion
    compression_flags: int
    compressed_chunks: int
    package_source: int
    additional_packages: tuple[str, ...]
    asset_registry_offset: int
    bulk_data_offset: int
    world_tile_offset: int
    chunk_ids: tuple[int, ...]
    preload_dependency_count: int
    preload_dependency_offset: int
    names_referenced_from_exports: int
    payload_toc_offset: int
    data_resource_offset: int
    end: int

    @property
    def editor(self) -> bool:
        """Whether editor-only data was kept when the package was saved."""
        return not self.package_flags & FILTER_EDITOR_ONLY

    @property
    def cooked(self) -> bool:
        """Whether the package was cooked for a platform."""
        return bool(self.package_flags & COOKED)

    @property
    def unversioned_properties(self) -> bool:
        """Whether properties have no tags, so that a .usmap is needed."""
        return bool(self.package_flags & UNVERSIONED_PROPERTIES)

    @property
    def custom_versions(self) -> list[CustomVersion]:
        """The custom versions in file order."""
        data = self.custom_version_data
        if self.legacy_version == -2:
            return [CustomVersion(f"{tag:08X}", number) for tag, number in _TAGGED_CUSTOM_VERSION.iter_unpack(data)]
        if self.legacy_version <= -6:
            return [CustomVersion(guid_text(key), number) for key, number in _CUSTOM_VERSION.iter_unpack(data)]
        found, position = [], 0
        for _ in range(self.custom_version_count):  # checked when it was cut out: each has a friendly name
            key, number = _CUSTOM_VERSION.unpack_from(data, position)
            found.append(CustomVersion(guid_text(key), number))
            _, position = string_at(data, position + 20, "custom_versions")
        return found

    def custom_version(self, key: str) -> int:
        """Return the custom version of ``key``, or -1 without one."""
        return next((found.version for found in self.custom_versions if found.key == key), -1)

    @property
    def generations(self) -> list[tuple[int, int]]:
        """Counts of (exports, names) at each earlier save that was kept."""
        row = Struct("<ii4x" if self.version.ue4 < 196 else "<ii")
        return list(row.iter_unpack(self.generation_data))


def guid_text(stored: bytes) -> str:
    """Return a stored FGuid (four words) as 32 upper-case hex digits."""
    return "".join(stored[start : start + 4][::-1].hex() for start in (0, 4, 8, 12)).upper()


def _always(_version: PackageVersion, _editor: bool) -> bool:  # noqa: FBT001 - the signature of every gate
    return True


def _ue4(number: int) -> Callable[[PackageVersion, bool], bool]:
    return lambda version, _editor: version.ue4 >= number


def _ue5(number: int) -> Callable[[PackageVersion, bool], bool]:
    return lambda version, _editor: version.ue5 >= number


_Gate = tuple[str, str, "Callable[[PackageVersion, bool], bool]"]
_COUNTS: Final[tuple[_Gate, ...]] = (  # between the flags (or the localization id) and the generations
    ("gatherable_text_count", "i", _ue4(459)),
    ("gatherable_text_offset", "i", _ue4(459)),
    ("export_count", "i", _always),
    ("export_offset", "i", _always),
    ("import_count", "i", _always),
    ("import_offset", "i", _always),
    ("cell_export_count", "i", _ue5(1015)),
    ("cell_export_offset", "i", _ue5(1015)),
    ("cell_import_count", "i", _ue5(1015)),
    ("cell_import_offset", "i", _ue5(1015)),
    ("metadata_offset", "i", _ue5(1014)),
    ("depends_offset", "i", _always),
    ("soft_package_reference_count", "i", _ue4(384)),
    ("soft_package_reference_offset", "i", _ue4(384)),
    ("searchable_names_offset", "i", _ue4(510)),
    ("thumbnail_table_offset", "i", _always),
    ("import_type_hierarchy_count", "i", _ue5(1018)),
    ("import_type_hierarchy_offset", "i", _ue5(1018)),
    ("guid", "16s", lambda version, _editor: version.ue5 < 1016),
    ("persistent_guid", "16s", lambda version, editor: editor and version.ue4 >= 518),
    ("owner_persistent_guid", "16s", lambda version, editor: editor and 518 <= version.ue4 < 520),
    ("generation_count", "i", _always),
)
_LAST: Final[tuple[_Gate, ...]] = (  # after the chunk ids
    ("preload_dependency_count", "i", _ue4(507)),
    ("preload_dependency_offset", "i", _ue4(507)),
    ("names_referenced_from_exports", "i", _ue5(1001)),
    ("payload_toc_offset", "q", _ue5(1002)),
    ("data_resource_offset", "i", _ue5(1009)),
)
_ABSENT: Final[dict[str, Any]] = {
    "guid": b"",
    "persistent_guid": b"",
    "owner_persistent_guid": b"",
    "payload_toc_offset": -1,
    "data_resource_offset": -1,
}
_WRITTEN_ABSENT: Final = {**_ABSENT, "guid": bytes(16)}
_UE3: Final = 864  # which every version since writes
_HASH_FIRST: Final = 1016  # UE5: hash and header size stand before the custom versions
_SOFT_OBJECT_PATHS: Final = 1008
# A field that a version does not have, but whose meaning another field carries there.
_STANDS_FOR: Final = {"names_referenced_from_exports": "name_count"}
_STANDS_FOR_IN_EDITOR: Final = {**_STANDS_FOR, "persistent_guid": "guid"}
# The fields that read_summary() reads one by one, in the order in which it lines up their values, as Summary has them.
_GATED: Final = frozenset(name for name, _, _ in (*_COUNTS, *_LAST))
_READ_ALONG: Final = tuple(name for name in Summary._fields if name not in _GATED)


class _Layout(NamedTuple):
    """The fixed facts of one version, with and without editor-only data."""

    counts: Struct
    last: Struct
    pick: Callable[[tuple[Any, ...]], tuple[Any, ...]]
    absent: tuple[Any, ...]


@lru_cache(maxsize=256)
def _layout(version: PackageVersion, editor: bool) -> _Layout:  # noqa: FBT001 - a cache key
    counts = [(name, code) for name, code, gate in _COUNTS if gate(version, editor)]
    last = [(name, code) for name, code, gate in _LAST if gate(version, editor)]
    order = [*_READ_ALONG, *(name for name, _ in counts), *(name for name, _ in last)]
    missing = [name for name in Summary._fields if name not in order]
    order += missing
    stands_for = _STANDS_FOR_IN_EDITOR if editor else _STANDS_FOR
    return _Layout(
        counts=Struct("<" + "".join(code for _, code in counts)),
        last=Struct("<" + "".join(code for _, code in last)),
        pick=itemgetter(
            *(order.index(stands_for.get(name, name) if name in missing else name) for name in Summary._fields)
        ),
        absent=tuple(_ABSENT.get(name, 0) for name in missing),
    )


def package_tag(data: bytes) -> int:
    """Return the first four bytes as a number; 0 if fewer."""
    return int(_U32.unpack_from(data)[0]) if len(data) >= 4 else 0


def is_unversioned(data: bytes) -> bool:
    """Whether these bytes start an unversioned package."""
    if len(data) < 24 or package_tag(data) != PACKAGE_TAG:
        return False
    (legacy,) = _I32.unpack_from(data, 4)
    start = 8 if legacy == -4 else 12  # after the legacy version and, nearly always, the version of Unreal 3
    words = 3 if legacy <= -8 else 2
    return OLDEST_LEGACY <= legacy < 0 and not any(data[start : start + 4 * (words - 1)])


def read_summary(data: bytes, assume: PackageVersion | None = None) -> Summary:
    """Read the summary that ``data`` starts with.

    Args:
        data: the package, or its first bytes (at least the summary).
        assume: the version of an *unversioned* package; not looked at when the package carries its own.

    Raises:
        UnversionedPackageError: if the package carries no version and ``assume`` is None.
        UnrealError: if this is not a package, one of Unreal 3, one newer than is known (with the number found),
            or one that ends too early.
    """
    position = 0
    field = "tag"
    try:
        tag, legacy = _START.unpack_from(data)
        if tag != PACKAGE_TAG:
            raise _not_a_package(tag)
        field = "legacy_version"
        if legacy >= 0:
            raise UnrealError(f"LegacyFileVersion {legacy}: a package of Unreal 3 or before", offset=4, field=field)
        if legacy < OLDEST_LEGACY:
            raise UnrealError(
                f"LegacyFileVersion {legacy} is newer than {OLDEST_LEGACY}, the newest known", offset=4, field=field
            )
        position, field = 8, "version"
        ue3 = 0
        if legacy != -4:
            (ue3,) = _I32.unpack_from(data, position)
            position += 4
        (ue4,) = _I32.unpack_from(data, position)
        ue5 = 0
        if legacy <= -8:
            (ue5,) = _I32.unpack_from(data, position + 4)
            position += 4
        (licensee,) = _I32.unpack_from(data, position + 4)
        position += 8
        unversioned = ue4 == 0 and ue5 == 0
        if unversioned:
            if assume is None:
                raise UnversionedPackageError(
                    "the package carries no version (cooked, unversioned): name one", offset=8, field=field
                )
            version = assume
        else:
            if ue4 > NEWEST_UE4 or ue5 > NEWEST_UE5:
                raise UnrealError(
                    f"file version UE4 {ue4}, UE5 {ue5} is newer than UE4 {NEWEST_UE4}, UE5 {NEWEST_UE5}, "
                    "the newest known (5.7)",
                    offset=8,
                    field=field,
                )
            if ue4 < 0 or ue5 < 0 or 0 < ue5 < 1000:
                raise UnrealError(f"file version UE4 {ue4}, UE5 {ue5} does not exist", offset=8, field=field)
            version = PackageVersion(ue4, ue5)
        ue4, ue5 = version
        if 138 <= ue4 <= 142:
            position += 8  # two cooked versions, of five builds before the first release
        saved_hash = b""
        header_size = 0
        field = "total_header_size"
        if ue5 >= 1016:
            saved_hash = data[position : position + 20]
            (header_size,) = _I32.unpack_from(data, position + 20)
            position += 24
        field = "custom_versions"
        (custom_count,) = _I32.unpack_from(data, position)
        start = position + 4
        position = _after_custom_versions(data, start, custom_count, legacy)
        custom_data = data[start:position]
        field = "total_header_size"
        if ue5 < 1016:
            (header_size,) = _I32.unpack_from(data, position)
            position += 4
        package_name, position = string_at(data, position, "package_name")
        field = "package_flags"
        (flags,) = _U32.unpack_from(data, position)
        name_count, name_offset = _TWO.unpack_from(data, position + 4)
        position += 12
        soft_count = soft_offset = 0
        if ue5 >= 1008:
            soft_count, soft_offset = _TWO.unpack_from(data, position)
            position += 8
        editor = not flags & FILTER_EDITOR_ONLY
        localization = ""
        if editor and ue4 >= 516:
            localization, position = string_at(data, position, "localization_id")
        layout = _layout(version, editor)
        field = "table offsets"
        counts = layout.counts.unpack_from(data, position)
        position += layout.counts.size
        field = "generations"
        size = counts[-1] * (12 if ue4 < 196 else 8)
        if counts[-1] < 0 or size > len(data) - position:
            raise UnrealError(f"counts {counts[-1]} generations", offset=position - 4, field=field)
        generations = data[position : position + size]
        position += size
        field = "saved_by"
        if ue4 >= 336:
            saved_by, position = _engine(data, position, field)
        else:
            saved_by = EngineVersion(4, 0, 0, _U32.unpack_from(data, position)[0], "")
            position += 4
        compatible_with = saved_by
        if ue4 >= 444:
            field = "compatible_with"
            compatible_with, position = _engine(data, position, field)
        field = "compressed_chunks"
        compression, chunks = _UNSIGNED_TWO.unpack_from(data, position)
        if chunks:
            raise UnrealError(f"{chunks} compressed chunks; Unreal 4 has none", offset=position + 4, field=field)
        field = "additional_packages"
        source, additional_count = _UNSIGNED_TWO.unpack_from(data, position + 8)
        position += 16
        additional: tuple[str, ...] = ()
        if additional_count:
            additional, position = _strings(data, position, additional_count, field)
        if legacy > -7:
            field = "texture_allocations"
            if _I32.unpack_from(data, position)[0]:
                raise UnrealError("texture allocations; Unreal 4 has none", offset=position, field=field)
            position += 4
        field = "asset_registry_offset"
        bulk = tile = 0
        (registry,) = _I32.unpack_from(data, position)
        position += 4
        if ue4 >= 212:
            (bulk,) = _I64.unpack_from(data, position)
            position += 8
        if ue4 >= 224:
            (tile,) = _I32.unpack_from(data, position)
            position += 4
        field = "chunk_ids"
        chunk_ids: tuple[int, ...] = ()
        if ue4 >= 278:
            (chunk_count,) = _I32.unpack_from(data, position)
            position += 4
            if ue4 < 326:
                chunk_ids = (chunk_count,) if chunk_count >= 0 else ()
            elif chunk_count:
                if chunk_count < 0 or 4 * chunk_count > len(data) - position:
                    raise UnrealError(f"counts {chunk_count} chunk ids", offset=position - 4, field=field)
                chunk_ids = Struct(f"<{chunk_count}i").unpack_from(data, position)
                position += 4 * chunk_count
        field = "preload_dependency_count"
        last = layout.last.unpack_from(data, position)
        position += layout.last.size
    except error:
        raise UnrealError("the summary is cut off", offset=min(position, len(data)), field=field) from None
    return Summary._make(
        layout.pick(
            (
                legacy,
                ue3,
                version,
                licensee,
                unversioned,
                saved_hash,
                header_size,
                custom_data,
                custom_count,
                package_name,
                flags,
                name_count,
                name_offset,
                soft_count,
                soft_offset,
                localization,
                generations,
                saved_by,
                compatible_with,
                compression,
                chunks,
                source,
                additional,
                registry,
                bulk,
                tile,
                chunk_ids,
                position,
                *counts,
                *last,
                *layout.absent,
            )
        )
    )


def _engine(data: bytes, position: int, field: str) -> tuple[EngineVersion, int]:
    numbers = _ENGINE.unpack_from(data, position)
    branch, position = string_at(data, position + _ENGINE.size, field)
    return EngineVersion._make((*numbers, branch)), position


def _not_a_package(tag: int) -> UnrealError:
    if tag == SWAPPED_TAG:
        return UnrealError("the package is big-endian (saved for a console of the time)", offset=0, field="tag")
    return UnrealError(f"starts with 0x{tag:08X}, not with the package tag 0x{PACKAGE_TAG:08X}", offset=0, field="tag")


def _after_custom_versions(data: bytes, position: int, count: int, legacy: int) -> int:
    """Return the offset after ``count`` custom versions."""
    size = 8 if legacy == -2 else 20 if legacy <= -6 else 24
    if count < 0 or count * size > len(data) - position:
        raise UnrealError(
            f"counts {count} custom versions, {len(data) - position} bytes are left",
            offset=position - 4,
            field="custom_versions",
        )
    if size != 24:
        return position + count * size
    for number in range(count):
        _, position = string_at(data, position + 20, f"custom_versions[{number}].friendly_name")
    return position


def _strings(data: bytes, position: int, count: int, field: str) -> tuple[tuple[str, ...], int]:
    if count * 4 > len(data) - position:
        raise UnrealError(
            f"counts {count} strings, {len(data) - position} bytes are left", offset=position, field=field
        )
    found = []
    for number in range(count):
        text, position = string_at(data, position, f"{field}[{number}]")
        found.append(text)
    return tuple(found), position


def pack_summary(version: PackageVersion, *, unversioned: bool, values: dict[str, Any]) -> bytes:
    """Return a cooked package's summary as stored, from fields by name.

    Missing ones are 0 or empty. ``package_name`` is text, ``custom_version_data`` rows of (GUID, i32), ``generations``
    pairs of counts.
    """
    ue4, ue5 = version
    editor = False
    legacy = -7 if not ue5 else -8 if ue5 < _HASH_FIRST else -9

    def part(gates: tuple[_Gate, ...]) -> bytes:
        present = [(name, code) for name, code, gate in gates if gate(version, editor)]
        return Struct("<" + "".join(code for _, code in present)).pack(
            *(values.get(name, _WRITTEN_ABSENT.get(name, 0)) for name, _ in present)
        )

    numbers = (0, 0) if unversioned else (ue4, ue5)
    parts = [_U32.pack(PACKAGE_TAG), _TWO.pack(legacy, 0 if unversioned else _UE3), _I32.pack(numbers[0])]
    if legacy <= -8:
        parts.append(_I32.pack(numbers[1]))
    parts.append(_I32.pack(values.get("licensee_version", 0)))
    header_size = _I32.pack(values["total_header_size"])
    custom: bytes = values.get("custom_version_data", b"")
    if ue5 >= _HASH_FIRST:
        parts += [bytes(20), header_size]
    parts += [_I32.pack(len(custom) // _CUSTOM_VERSION.size), custom]
    if ue5 < _HASH_FIRST:
        parts.append(header_size)
    parts += [string_bytes(values["package_name"]), _U32.pack(values["package_flags"])]
    parts.append(_TWO.pack(values["name_count"], values["name_offset"]))
    if ue5 >= _SOFT_OBJECT_PATHS:
        parts.append(_TWO.pack(0, values["import_offset"]))
    parts.append(part(_COUNTS[:-1]))
    generations = values.get("generations", ())
    parts += [_I32.pack(len(generations)), *(_TWO.pack(*counts) for counts in generations)]
    engine = _ENGINE.pack(0, 0, 0, 0) + string_bytes("")
    parts += [engine, engine, _UNSIGNED_TWO.pack(0, 0), _UNSIGNED_TWO.pack(0, 0)]
    parts += [_I32.pack(values["asset_registry_offset"]), _I64.pack(values["bulk_data_offset"])]
    parts += [_TWO.pack(0, 0), part(_LAST)]  # no world tile, no chunk ids
    return b"".join(parts)
