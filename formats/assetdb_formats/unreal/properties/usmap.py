"""Mappings (.usmap): schemas of classes and structs.

Unversioned properties cannot be read without them.

The format is the modding community's: a tool dumps names, enumerations and schemas out of a running game. Versions
0 to 4.
"""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.files import read_file
from assetdb_formats.unreal.codecs.compression import decompress
from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.properties.tags import TypeName
from assetdb_formats.unreal.reader import Reader

if TYPE_CHECKING:
    from assetdb_formats.unreal.codecs.compression import OodleDecoder

MAGIC: Final = 0x30C4
LARGEST_USMAP: Final = 64 << 20  # bytes of a file; the largest of 14 real ones has 3 MB
NEWEST: Final = 4
_DEEPEST: Final = 16  # types within types
_MOST_PROPERTIES: Final = 1 << 16  # of a class with its supers; the most seen are some hundreds
_NONE: Final = 0
_COMPRESSIONS: Final = {1: "Oodle", 2: "Brotli", 3: "Zstd"}
_NO_NAME: Final = 0xFFFFFFFF
_TYPES: Final = (
    "ByteProperty",
    "BoolProperty",
    "IntProperty",
    "FloatProperty",
    "ObjectProperty",
    "NameProperty",
    "DelegateProperty",
    "DoubleProperty",
    "ArrayProperty",
    "StructProperty",
    "StrProperty",
    "TextProperty",
    "InterfaceProperty",
    "MulticastDelegateProperty",
    "WeakObjectProperty",
    "LazyObjectProperty",
    "AssetObjectProperty",
    "SoftObjectProperty",
    "UInt64Property",
    "UInt32Property",
    "UInt16Property",
    "Int64Property",
    "Int16Property",
    "Int8Property",
    "MapProperty",
    "SetProperty",
    "EnumProperty",
    "FieldPathProperty",
    "OptionalProperty",
    "Utf8StrProperty",
    "AnsiStrProperty",
)
_SCHEMA: Final = Struct("<IIHH")
_PROPERTY: Final = Struct("<HBI")


class SchemaProperty(NamedTuple):
    """A property, which has ``array_size`` slots of its class from ``place`` on."""

    name: str
    place: int
    array_size: int
    type: TypeName


class Schema(NamedTuple):
    """The properties of one class or struct, without its super's."""

    name: str
    super_name: str
    property_count: int
    properties: list[SchemaProperty]


class Mappings:
    """All schemas and enumerations of one game."""

    def __init__(self, schemas: dict[str, Schema], enumerations: dict[str, dict[int, str]]) -> None:
        self.schemas = schemas
        self.enumerations = enumerations
        self._slots: dict[str, list[tuple[SchemaProperty, int] | None]] = {}

    def slots(self, name: str) -> list[tuple[SchemaProperty, int] | None]:
        """Return (property, array index) for each number of an unversioned header.

        The derived class comes first.

        Raises:
            UnrealError: the schema or one of its supers is not in the mappings, or they form a ring.
        """
        found = self._slots.get(name)
        if found is not None:
            return found
        found = []
        current = name
        seen: set[str] = set()
        while current:
            schema = self.schemas.get(current)
            if schema is None or current in seen:
                raise UnrealError(f"the mappings have no schema of {current}", field=f"schema {name}")
            seen.add(current)
            if len(found) + schema.property_count > _MOST_PROPERTIES:
                raise UnrealError(f"more than {_MOST_PROPERTIES} properties", field=f"schema {name}")
            own: list[tuple[SchemaProperty, int] | None] = [None] * schema.property_count
            for prop in schema.properties:
                for element in range(prop.array_size):
                    if prop.place + element < len(own):
                        own[prop.place + element] = (prop, element)
            found += own
            current = schema.super_name
        self._slots[name] = found
        return found


def read_usmap_file(path: str, oodle: OodleDecoder | None = None) -> Mappings:
    """Read the mappings in a file."""
    try:
        return read_usmap(read_file(path, largest=LARGEST_USMAP), oodle)
    except UnrealError as error:
        raise error.at(path) from None


def read_usmap(data: bytes, oodle: OodleDecoder | None = None) -> Mappings:
    """Read mappings.

    Compressed ones need an extra: ``zstd``, ``brotli`` or (for ``oodle``) ``oodle``.

    Raises:
        MissingExtraError: they are compressed, and the decompressor is not installed.
        UnrealError: they are damaged, of an unknown newer version, or compressed in an unknown way.
    """
    reader = Reader(data)
    magic = reader.u16("magic")
    if magic != MAGIC:
        raise UnrealError(f"starts with 0x{magic:04X}, not with 0x{MAGIC:04X}: not a .usmap", offset=0, field="magic")
    version = reader.u8("version")
    if version > NEWEST:
        raise UnrealError(f"a .usmap of version {version}; 0 to {NEWEST} are known", offset=2, field="version")
    if version >= 1 and reader.i32("has_versioning"):
        reader.take(8, "file_versions")
        reader.take(20 * reader.count(reader.i32("custom_versions"), 20, "custom_versions"), "custom_versions")
        reader.take(4, "net_changelist")
    compression = reader.u8("compression")
    compressed_size, size = reader.u32("compressed_size"), reader.u32("size")
    return _read_body(_decompress(reader.take(compressed_size, "body"), compression, size, oodle), version)


def _decompress(body: bytes, compression: int, size: int, oodle: OodleDecoder | None) -> bytes:
    if compression == _NONE:
        if len(body) != size:
            raise UnrealError(f"{len(body)} bytes, but the header has a size of {size}", field="body")
        return body
    method = _COMPRESSIONS.get(compression)
    if method is None:
        raise UnrealError(f"compressed with number {compression}; none to {max(_COMPRESSIONS)} are known", field="body")
    return decompress(method, body, size, oodle)


def _read_body(body: bytes, version: int) -> Mappings:
    reader = Reader(body)
    names = []
    for _ in range(reader.count(reader.u32("names"), 1, "names")):
        length = reader.u16("names") if version >= 2 else reader.u8("names")
        names.append(reader.take(length, "names").decode("utf-8", "replace"))
    enumerations = _read_enumerations(reader, names, version)
    schemas: dict[str, Schema] = {}
    for _ in range(reader.count(reader.u32("schemas"), _SCHEMA.size, "schemas")):
        ((name_index, super_index, property_count, serializable),) = reader.rows(_SCHEMA, 1, "schemas")
        name = _name(names, name_index, reader)
        field = f"schemas.{name}"
        properties = []
        for _ in range(reader.count(serializable, 8, field)):
            ((place, array_size, own_name),) = reader.rows(_PROPERTY, 1, field)
            own = _name(names, own_name, reader)
            properties.append(SchemaProperty(own, place, array_size, _type(reader, names, 0)))
        super_name = "" if super_index == _NO_NAME else _name(names, super_index, reader)
        schemas[name] = Schema(name, super_name, property_count, properties)
    return Mappings(schemas, enumerations)


def _read_enumerations(reader: Reader, names: list[str], version: int) -> dict[str, dict[int, str]]:
    found: dict[str, dict[int, str]] = {}
    for _ in range(reader.count(reader.u32("enumerations"), 5, "enumerations")):
        name = _name(names, reader.u32("enumerations"), reader)
        count = reader.u16("enumerations") if version >= 3 else reader.u8("enumerations")
        values: dict[int, str] = {}
        for number in range(reader.count(count, 4, "enumerations")):
            value = reader.u64("enumerations") if version >= 4 else number
            values[value] = _name(names, reader.u32("enumerations"), reader)
        found[name] = values
    return found


def _name(names: list[str], index: int, reader: Reader) -> str:
    if index >= len(names):
        raise reader.error(f"names number {index} of {len(names)}", "names")
    return names[index]


def _type(reader: Reader, names: list[str], depth: int) -> TypeName:
    """Read a type: its number, then its element types."""
    if depth > _DEEPEST:
        raise reader.error("types nest too deep", "schemas")
    number = reader.u8("schemas")
    name = _TYPES[number] if number < len(_TYPES) else f"UnknownProperty{number}"
    if name == "EnumProperty":
        inner = _type(reader, names, depth + 1)
        return TypeName(name, (TypeName(_name(names, reader.u32("schemas"), reader)), inner))
    if name == "StructProperty":
        return TypeName(name, (TypeName(_name(names, reader.u32("schemas"), reader)),))
    if name in {"ArrayProperty", "SetProperty", "OptionalProperty"}:
        return TypeName(name, (_type(reader, names, depth + 1),))
    if name == "MapProperty":
        return TypeName(name, (_type(reader, names, depth + 1), _type(reader, names, depth + 1)))
    return TypeName(name)
