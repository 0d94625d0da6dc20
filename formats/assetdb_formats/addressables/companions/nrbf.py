"""Reader of .NET BinaryFormatter streams (MS-NRBF) as plain data.

Nothing of the stream is instantiated.

An object becomes an ``Instance``: its class by name and its members. References are resolved on use, so a
circle in the data is a circle of numbers and nothing more.
"""

from __future__ import annotations

from struct import Struct
from typing import Any, Final, NamedTuple

from assetdb_formats.addressables.errors import AddressablesError, CatalogReader

# Record types of [MS-NRBF] 2.1.2.1.
_HEADER: Final = 0
_CLASS_WITH_ID: Final = 1
_SYSTEM_CLASS: Final = 2
_CLASS: Final = 3
_SYSTEM_CLASS_TYPED: Final = 4
_CLASS_TYPED: Final = 5
_STRING: Final = 6
_ARRAY: Final = 7
_PRIMITIVE_TYPED: Final = 8
_REFERENCE: Final = 9
_NULL: Final = 10
_END: Final = 11
_LIBRARY: Final = 12
_NULLS_256: Final = 13
_NULLS: Final = 14
_PRIMITIVE_ARRAY: Final = 15
_OBJECT_ARRAY: Final = 16
_STRING_ARRAY: Final = 17
# Binary types of 2.1.2.2.
_OF_PRIMITIVE: Final = 0
_OF_SYSTEM_CLASS: Final = 3
_OF_CLASS: Final = 4
_OF_PRIMITIVE_ARRAY: Final = 7
_CODES: Final = {
    1: Struct("<?"), 2: Struct("<B"), 6: Struct("<d"), 7: Struct("<h"), 8: Struct("<i"), 9: Struct("<q"),
    10: Struct("<b"), 11: Struct("<f"), 12: Struct("<q"), 13: Struct("<Q"), 14: Struct("<H"), 15: Struct("<I"),
    16: Struct("<Q"),
}  # fmt: skip
_MAX_DEPTH: Final = 64  # of records inside records; Unity's own stay below 8


class Reference(NamedTuple):
    """Another object of the stream, by its number."""

    identity: int


class Instance(NamedTuple):
    """An object: its class name in the stream, and its ordered members."""

    class_name: str
    members: dict[str, Any]


class _ClassInfo(NamedTuple):
    name: str
    members: tuple[str, ...]
    types: tuple[tuple[int, int], ...]  # binary type, primitive type


class Stream:
    """A parsed stream.

    ``objects`` maps numbers to instances, strings and lists; ``root`` is the first one's number.
    """

    def __init__(self, data: bytes) -> None:
        """Parse ``data``. Raises AddressablesError."""
        self._reader = CatalogReader(data)
        self._classes: dict[int, _ClassInfo] = {}
        self.objects: dict[int, Any] = {}
        self._depth = 0
        self._values = 0
        reader = self._reader
        if reader.u8("header") != _HEADER:
            raise AddressablesError("is not a BinaryFormatter stream", offset=0, field="header")
        self.root = reader.i32("header.rootId")
        reader.i32("header.headerId")
        if (reader.i32("header.major"), reader.i32("header.minor")) != (1, 0):
            raise AddressablesError("is not version 1.0", offset=9, field="header.major")
        while True:
            position = reader.position
            kind = reader.u8("record")
            if kind == _END:
                break
            if kind in (_NULLS, _NULLS_256, _NULL):
                raise AddressablesError("is null outside an object", offset=position, field="record")
            self._record(kind, position)

    def resolve(self, value: object) -> object:
        """Return a reference's object, any other value unchanged; None if dangling."""
        return self.objects.get(value.identity) if isinstance(value, Reference) else value

    def _record(self, kind: int, position: int) -> object:
        """Read a record that is a value, skipping libraries; nesting is bounded."""
        reader = self._reader
        while kind == _LIBRARY:
            reader.i32("library.id")
            self._string("library.name")
            position = reader.position
            kind = reader.u8("record")
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise AddressablesError(f"nests deeper than {_MAX_DEPTH}", offset=position, field="record")
        try:
            return self._value_record(kind, position)
        finally:
            self._depth -= 1

    def _value_record(self, kind: int, position: int) -> object:
        reader = self._reader
        if kind == _STRING:
            identity = reader.i32("string.id")
            self.objects[identity] = self._string("string")
            return Reference(identity)
        if kind == _REFERENCE:
            return Reference(reader.i32("reference"))
        if kind == _NULL:
            return None
        if kind == _PRIMITIVE_TYPED:
            return self._primitive(reader.u8("primitive.type"))
        if kind in (_CLASS, _SYSTEM_CLASS, _CLASS_TYPED, _SYSTEM_CLASS_TYPED):
            identity = reader.i32("class.id")
            info = self._class_info(kind)
            self._classes[identity] = info
            return self._instance(identity, info)
        if kind == _CLASS_WITH_ID:
            identity = reader.i32("class.id")
            other = reader.i32("class.metadataId")
            if other not in self._classes:
                raise AddressablesError(
                    f"names class {other}, which is not there", offset=position, field="class.metadataId"
                )
            return self._instance(identity, self._classes[other])
        if kind == _ARRAY:
            return self._array(position)
        if kind in (_PRIMITIVE_ARRAY, _OBJECT_ARRAY, _STRING_ARRAY):
            identity = reader.i32("array.id")
            length = reader.i32("array.length")
            primitive = reader.u8("array.type") if kind == _PRIMITIVE_ARRAY else 0
            kinds = (_OF_PRIMITIVE, primitive) if kind == _PRIMITIVE_ARRAY else (2, 0)
            self.objects[identity] = self._items(length, kinds)
            return Reference(identity)
        raise AddressablesError(f"has record type {kind}", offset=position, field="record")

    def _class_info(self, kind: int) -> _ClassInfo:
        reader = self._reader
        name = self._string("class.name")
        count = reader.count(reader.i32("class.members"), 1, "class.members")
        members = tuple(self._string("class.member") for _ in range(count))
        types: tuple[tuple[int, int], ...] = ((2, 0),) * count
        if kind in (_CLASS_TYPED, _SYSTEM_CLASS_TYPED):
            binary = [reader.u8("class.type") for _ in range(count)]
            types = tuple((code, self._type_info(code)) for code in binary)
        if kind in (_CLASS, _CLASS_TYPED):
            reader.i32("class.library")
        return _ClassInfo(name, members, types)

    def _type_info(self, code: int) -> int:
        reader = self._reader
        if code in (_OF_PRIMITIVE, _OF_PRIMITIVE_ARRAY):
            return reader.u8("class.primitive")
        if code == _OF_SYSTEM_CLASS:
            self._string("class.typeName")
        elif code == _OF_CLASS:
            self._string("class.typeName")
            reader.i32("class.typeLibrary")
        return 0

    def _instance(self, identity: int, info: _ClassInfo) -> Reference:
        self._reserve(len(info.members), "class.members")
        members: dict[str, Any] = {}
        self.objects[identity] = Instance(info.name, members)
        members.update(zip(info.members, self._values_of(info.types), strict=True))
        return Reference(identity)

    def _values_of(self, types: tuple[tuple[int, int], ...]) -> list[Any]:
        values: list[Any] = []
        reader = self._reader
        while len(values) < len(types):
            code, primitive = types[len(values)]
            if code == _OF_PRIMITIVE:
                values.append(self._primitive(primitive))
                continue
            position = reader.position
            kind = reader.u8("record")
            if kind in (_NULLS, _NULLS_256):
                values += [None] * self._null_count(kind, len(types) - len(values))
            else:
                values.append(self._record(kind, position))
        return values

    def _null_count(self, kind: int, left: int) -> int:
        reader = self._reader
        count = reader.i32("nulls") if kind == _NULLS else reader.u8("nulls")
        if not 0 < count <= left:
            raise reader.error(f"counts {count} nulls for {left} places", "nulls")
        return count

    def _array(self, position: int) -> Reference:
        reader = self._reader
        identity = reader.i32("array.id")
        shape = reader.u8("array.shape")
        rank = reader.count(reader.i32("array.rank"), 4, "array.rank")
        lengths = [reader.i32("array.length") for _ in range(rank)]
        if shape in (3, 4, 5):
            for _ in range(rank):
                reader.i32("array.bound")
        code = reader.u8("array.type")
        primitive = self._type_info(code)
        if rank != 1:
            raise AddressablesError(f"has {rank} dimensions", offset=position, field="array.rank")
        self.objects[identity] = self._items(lengths[0], (code, primitive))
        return Reference(identity)

    def _items(self, length: int, kind: tuple[int, int]) -> list[Any]:
        reader = self._reader
        self._reserve(length, "array.length")
        if kind[0] == _OF_PRIMITIVE and kind[1] in _CODES:
            code = _CODES[kind[1]]
            start = reader.need(length * code.size, "array")
            return [value for (value,) in code.iter_unpack(bytes(reader.data[start : start + length * code.size]))]
        return self._values_of((kind,) * length)

    def _reserve(self, count: int, field: str) -> None:
        """Check a number of values against all that the stream may hold.

        Nulls are counted, not written out: there may be more values than bytes, but not without end.
        """
        self._values += max(count, 0)
        if count < 0 or self._values > max(1 << 20, self._reader.end):
            raise self._reader.error(f"counts {count} items", field)

    def _primitive(self, code: int) -> object:
        reader = self._reader
        layout = _CODES.get(code)
        if layout is not None:
            return layout.unpack(reader.take(layout.size, "primitive"))[0]
        if code in (5, 18):  # Decimal is text too
            return self._string("primitive")
        if code == 3:
            first = reader.take(1, "primitive")
            more = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 3)[first[0] >> 4]
            return (first + reader.take(more, "primitive")).decode("utf-8", "replace")
        if code == 17:
            return None
        raise reader.error(f"has primitive type {code}", "primitive")

    def _string(self, field: str) -> str:
        reader = self._reader
        length = shift = 0
        while True:
            byte = reader.u8(field)
            length |= (byte & 0x7F) << shift
            if byte < 0x80:
                break
            shift += 7
            if shift > 28:
                raise reader.error("has a length of more than five bytes", field)
        return reader.take(length, field).decode("utf-8", "replace")
