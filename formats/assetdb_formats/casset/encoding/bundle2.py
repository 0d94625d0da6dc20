# ruff: noqa: TRY301 - an error anywhere in a walk gets its path from the stack, in one place
"""Bundles of format 2.0 (June to November 2024).

Their objects name their own fields and types.

The header has the version at +08 (where format 3 has its checksum), the checksum at +10, the data offset at +14 and
UUIDs of 64 bits; dependencies are strings. An object is ``.OBJECT.``, its names, and a map of named values; arrays
and maps say their size, so each is checked against it.
"""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING, Final, NamedTuple
from zlib import crc32

from assetdb_formats.casset.encoding.encode import Output, encode_string, encode_value
from assetdb_formats.casset.encoding.scalars import DECODERS, named_string, need, short, string
from assetdb_formats.casset.errors import CassetError
from assetdb_formats.casset.model import (
    Bundle,
    BundleObject,
    Field,
    FieldType,
    Format,
    Kind,
    Layout,
    Reference,
    StructValue,
    TypedArray,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assetdb_formats.casset.model import Data, Value, Values

MAGIC: Final = b"\0BUNDLE\0"
OBJECT_MAGIC: Final = b"\0OBJECT\0"
HEADER: Final = Struct("<8sIIIQ8s")
OBJECT: Final = Struct("<8s8sB")
TABLE: Final = Struct("<QI")
_U64: Final = Struct("<Q")
_MATRIX: Final = Struct("<16f")
_UUID_SIZE: Final = 8

# Type bytes of this format that format 3 gives to other types, or does not have.
TO_MODEL: Final = {
    **{code: code for code in range(FieldType.NULL, FieldType.STRING + 1)},
    0x0D: FieldType.BLOB,
    0x0E: FieldType.REFERENCE,
    0x10: FieldType.STRUCT,
    0x11: FieldType.TYPED_ARRAY,
    0x81: FieldType.VEC2,
    0x82: FieldType.VEC3,
    0x83: FieldType.VEC4,
    0x84: FieldType.MATRIX4,
}
FROM_MODEL: Final = {int(model): code for code, model in TO_MODEL.items()}
_MAP: Final = 0x10


class _Frame(NamedTuple):
    """A map (with keys) or an array that is being read."""

    has_keys: bool
    name: str
    wanted: int
    end: int
    fields: list[Field]
    values: list[Value]


def is_bundle2(data: Data) -> bool:
    """Whether a bundle's data offset fits format 2.0."""
    if len(data) < HEADER.size:
        return False
    _, major, _, _, offset, _ = HEADER.unpack_from(data)
    return major == 2 and data[offset : offset + 8] in (OBJECT_MAGIC, bytes(8))


def read_bundle2(data: Data) -> Bundle:
    """Read a whole bundle of format 2.0.

    An object that cannot be read has a ``problem``; as objects say no size, the next one is found by its magic.
    """
    if len(data) < HEADER.size:
        raise CassetError(f"needs {HEADER.size} bytes, {len(data)} are left", offset=0, field="header")
    magic, major, minor, checksum, offset, uuid = HEADER.unpack_from(data)
    if magic != MAGIC or major != 2:
        raise CassetError(f"is not a bundle of version 2: {major}.{minor}", offset=8, field="version")
    stop = len(data) - 8
    if not HEADER.size <= offset <= stop:
        raise CassetError(f"points to {offset}, outside {HEADER.size}..{stop}", offset=20, field="data offset")
    name, position = named_string(data, HEADER.size, offset, "name")
    if offset - position < 5:
        raise CassetError(f"needs 5 bytes, {offset - position} are left", offset=position, field="dependencies")
    count = int.from_bytes(data[position : position + 4], "little")
    position += 4
    if count > offset - position:
        what = f"counts {count} strings, {offset - position} bytes are left"
        raise CassetError(what, offset=position - 4, field="dependencies")
    dependencies = []
    for number in range(count):
        dependency, position = named_string(data, position, offset, f"dependencies[{number}]")
        dependencies.append(dependency)
    if position >= offset:
        raise CassetError("needs 1 byte, 0 are left", offset=position, field="cooked")
    cooked = data[position]
    if data[stop:] != bytes(8):
        raise CassetError("the file does not end with 8 zero bytes", offset=stop, field="end")
    objects = _objects(data, offset, stop)
    problems = []
    if checksum:
        what = f"the checksum is {checksum:08x}: every version of the engine wrote 0"
        problems.append(CassetError(what, offset=16, field="checksum"))
    for number, found in enumerate(objects):
        problem = found.problem or _checksum_problem(data, found)
        if problem is not None:
            problems.append(problem.inside(f"objects[{number}]"))
    return Bundle(
        format=Format.BUNDLE_2,
        version=(major, minor, 0),
        uuid=uuid,
        name=name,
        objects=tuple(objects),
        dependencies=tuple(dependencies),
        cooked=cooked,
        checksum=checksum,
        header_extra=data[position + 1 : offset],
        problems=tuple(problems),
    )


def _objects(data: Data, position: int, stop: int) -> list[BundleObject]:
    objects: list[BundleObject] = []
    while position < stop:
        if data[position : position + 8] != OBJECT_MAGIC:
            field = f"objects[{len(objects)}].magic"
            raise CassetError("neither an object nor the end of the file", offset=position, field=field)
        found = _object(data, position, stop)
        objects.append(found)
        position += found.size
    return objects


def _object(data: Data, start: int, stop: int) -> BundleObject:
    uuid, is_asset, path, class_name, name, source = b"", 0, "", "", "", ""
    fields: list[Field] = []
    values: list[Value] = []
    try:
        need(OBJECT.size, start, stop)
        _, uuid, is_asset = OBJECT.unpack_from(data, start)
        path, position = named_string(data, start + OBJECT.size, stop, "path")
        class_name, position = named_string(data, position, stop, "class")
        name, position = named_string(data, position, stop, "name")
        if is_asset:
            source, position = named_string(data, position, stop, "source")
        need(8, position, stop)
        offset: int = _U64.unpack_from(data, position)[0]
        position += 8
        if not position <= offset < stop:
            raise CassetError(f"points to {offset}, outside {position}..{stop}", offset=position - 8, field="offset")
        if data[offset] != _MAP:
            raise CassetError(f"is of type {data[offset]:02X}, not a map", offset=offset, field="fields")
        extra = data[position:offset]
        position = _map(data, offset + 1, stop, fields, values)
        need(4, position, stop)
        position += 4
        extra += data[position - 4 : position]  # the object's checksum is kept with the extra bytes: its last four
        raw, problem = None, None
    except CassetError as error:
        following = data.find(OBJECT_MAGIC, start + 8, stop)
        position = stop if following < 0 else following
        extra, raw, problem = b"", memoryview(data)[start:position], error
    return BundleObject(
        uuid=uuid,
        is_asset=is_asset,
        schema=-1,
        path=path,
        name=name,
        layout=Layout(Kind.CLASS, class_name, fields=tuple(fields)),
        values=tuple(values),
        offset=start,
        size=position - start,
        source=source,
        extra=extra,
        raw=raw,
        problem=problem,
    )


def _checksum_problem(data: Data, entry: BundleObject) -> CassetError | None:
    """Check the object's CRC against its data; 0 means none.

    The data is that from the map of its fields up to the CRC. The engine wrote only 0; the format's description
    has no more than "CRC", and the engine has CRC-32.
    """
    stored = int.from_bytes(entry.extra[-4:], "little")
    if not stored:
        return None
    end = entry.offset + entry.size - 4
    texts = (entry.path, entry.class_name, entry.name, *((entry.source,) if entry.is_asset else ()))
    start = entry.offset + OBJECT.size + sum(len(encode_string(text)) for text in texts) + 8 + len(entry.extra) - 4
    found = crc32(memoryview(data)[start:end])
    if found == stored:
        return None
    return CassetError(f"is {stored:08x}, the CRC-32 of the data is {found:08x}", offset=end, field="crc")


def _map(data: Data, position: int, stop: int, fields: list[Field], values: list[Value]) -> int:
    """Read the field map of an object into lists; return its end."""
    frame, position = _open(data, position, stop, "", has_keys=True)
    frame = frame._replace(fields=fields, values=values)
    stack = [frame]
    try:
        while True:
            frame = stack[-1]
            if len(frame.values) == frame.wanted:
                if position != frame.end:
                    raise CassetError(f"{frame.end - position} bytes are left after the last value", offset=position)
                stack.pop()
                if not stack:
                    return position
                value: Value = (
                    StructValue(Layout(Kind.STRUCT, "", fields=tuple(frame.fields)), tuple(frame.values))
                    if frame.has_keys
                    else TypedArray(tuple(frame.fields), tuple(frame.values))
                )
                stack[-1].values.append(value)
                continue
            name = ""
            if frame.has_keys:
                name, position = string(data, position, frame.end)
            if position >= frame.end:
                raise short(1, position, frame.end)
            code = TO_MODEL.get(data[position])
            if code is None:
                raise CassetError(f"unknown type {data[position]:02X}", offset=position)
            position += 1
            frame.fields.append(Field(name, code))
            if code in (FieldType.STRUCT, FieldType.TYPED_ARRAY):
                inner, position = _open(data, position, frame.end, name, has_keys=code == FieldType.STRUCT)
                stack.append(inner)
                continue
            value, position = _value(data, position, frame.end, code)
            frame.values.append(value)
    except CassetError as error:
        path = _path(stack)  # with the name of the field that has no value
        if len(fields) > len(values):
            fields.pop()
        raise CassetError(error.what, offset=error.offset, field=path) from None


def _open(data: Data, position: int, stop: int, name: str, *, has_keys: bool) -> tuple[_Frame, int]:
    """Read the size (itself excluded) and count of a container."""
    need(12, position, stop)
    size, count = TABLE.unpack_from(data, position)
    if not 4 <= size <= stop - position - 8:
        raise CassetError(f"declares {size} bytes, {stop - position - 8} are left", offset=position)
    smallest = 2 if has_keys else 1
    if count * smallest > size - 4:
        raise CassetError(f"counts {count} values in {size - 4} bytes", offset=position + 8)
    return _Frame(has_keys, name, count, position + 8 + size, [], []), position + 12


def _value(data: Data, position: int, end: int, code: int) -> tuple[Value, int]:
    if code == FieldType.REFERENCE:
        need(16, position, end)
        return Reference(data[position : position + 8], data[position + 8 : position + 16]), position + 16
    if code == FieldType.MATRIX4:
        need(_MATRIX.size, position, end)
        return _MATRIX.unpack_from(data, position), position + _MATRIX.size
    return DECODERS[code](data, position, end)


def _path(stack: Sequence[_Frame]) -> str:
    path = "fields"
    for frame in stack:
        if not frame.has_keys:
            path += f"[{len(frame.values)}]"
        elif len(frame.fields) > len(frame.values):
            path += f".{frame.fields[-1].name}"
    return path


def encode_bundle2(bundle: Bundle) -> list[bytes | memoryview]:
    """Return the pieces of the file of a bundle of format 2.0."""
    output = Output()
    header = output.reserve(HEADER)
    output.add(encode_string(bundle.name, "name"))
    output.add(len(bundle.dependencies).to_bytes(4, "little"))
    for dependency in bundle.dependencies:
        output.add(encode_string(dependency, "dependencies"))
    output.add(bytes((bundle.cooked,)))
    output.add(bundle.header_extra)
    major, minor, _ = bundle.version
    output.fill(header, MAGIC, major, minor, bundle.checksum, output.size, bundle.uuid)
    for number, entry in enumerate(bundle.objects):
        if entry.raw is not None:
            output.add(entry.raw)
            continue
        output.add(OBJECT.pack(OBJECT_MAGIC, entry.uuid, entry.is_asset))
        for text in (entry.path, entry.class_name, entry.name, *((entry.source,) if entry.is_asset else ())):
            output.add(encode_string(text, f"objects[{number}]"))
        extra, checksum = entry.extra[:-4], entry.extra[-4:] or bytes(4)
        output.add(_U64.pack(output.size + 8 + len(extra)))
        output.add(extra)
        output.add(bytes((_MAP,)))
        try:
            _put_map(output, entry.layout.fields, entry.values)
        except CassetError as error:
            raise error.inside(f"objects[{number}]") from None
        output.add(checksum)
    output.add(bytes(8))
    return output.pieces


def _put_map(output: Output, fields: tuple[Field, ...], values: Values) -> None:
    """Append a map and the maps and arrays in it.

    Those wait on a stack of (position of the size, whether it has keys, remaining items).
    """
    stack = [(output.reserve(TABLE), True, zip(fields, values, strict=True), len(values))]
    while stack:
        hole, has_keys, items, count = stack[-1]
        for field, value in items:
            if has_keys:
                output.add(encode_string(field.name, "key"))
            is_null = value is None and field.type == FieldType.REFERENCE  # a reference to nothing has no type here
            code = FROM_MODEL.get(FieldType.NULL if is_null else field.type)
            if code is None:
                raise CassetError(f"format 2.0 has no type {field.type_name}", field=field.name)
            output.add(bytes((code,)))
            if isinstance(value, StructValue) and field.type == FieldType.STRUCT:
                pairs = zip(value.layout.fields, value.values, strict=True)
                stack.append((output.reserve(TABLE), True, pairs, len(value.values)))
                break
            if isinstance(value, TypedArray) and field.type == FieldType.TYPED_ARRAY:
                pairs = zip(value.elements, value.values, strict=True)
                stack.append((output.reserve(TABLE), False, pairs, len(value.values)))
                break
            if isinstance(value, Reference) and field.type == FieldType.REFERENCE:
                if len(value.object) != _UUID_SIZE or len(value.bundle) != _UUID_SIZE:
                    raise CassetError("format 2.0 has UUIDs of 64 bits", field=field.name)
                output.add(value.object + value.bundle)
                continue
            for piece in () if is_null else encode_value(field, value):
                output.add(piece)
        else:
            stack.pop()
            output.fill(hole, output.size - hole.offset - 8, count)
