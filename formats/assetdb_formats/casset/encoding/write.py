"""Writing of a bundle: unchanged bytes where nothing was edited."""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING, Final

from assetdb_formats.casset.encoding import bundle3
from assetdb_formats.casset.encoding.bundle2 import encode_bundle2
from assetdb_formats.casset.encoding.encode import Output, encode_string, put_values
from assetdb_formats.casset.encoding.text import encode_text
from assetdb_formats.casset.errors import CassetError
from assetdb_formats.casset.model import FieldType, Format, Kind

if TYPE_CHECKING:
    from assetdb_formats.casset.model import Bundle, Field, Layout

_U32: Final = Struct("<I")
_U64: Final = Struct("<Q")


def encode_bundle(bundle: Bundle) -> bytes:
    """Return a bundle's file in its original format."""
    return b"".join(encode_pieces(bundle))


def encode_pieces(bundle: Bundle) -> list[bytes | memoryview]:
    """Return a bundle's file in pieces, so blobs are not copied.

    Raises :class:`CassetError`, with the field, for a value that its type cannot hold.
    """
    if bundle.format is Format.TEXT:
        return encode_text(bundle)
    if bundle.format is Format.BUNDLE_2:
        return encode_bundle2(bundle)
    return _encode_bundle3(bundle)


def _encode_bundle3(bundle: Bundle) -> list[bytes | memoryview]:
    output = Output()
    header = output.reserve(bundle3.HEADER)
    output.add(encode_string(bundle.name, "name"))
    output.add(_U32.pack(len(bundle.dependencies)))
    for dependency in bundle.dependencies:
        if not isinstance(dependency, bytes) or len(dependency) != 16:
            raise CassetError("a dependency is a UUID of 16 bytes", field="dependencies")
        output.add(dependency)
    output.add(bytes((bundle.cooked,)))
    if bundle.version[1]:
        output.add(encode_string(bundle.source, "source"))
    output.add(bundle.header_extra)
    schema_offset = output.size
    _put_schema(output, bundle.schema)
    output.add(bundle.gap)
    data = output.reserve(bundle3.TABLE)
    for number, entry in enumerate(bundle.objects):
        if entry.raw is not None:
            output.add(entry.raw)
            continue
        object_header = output.reserve(bundle3.OBJECT)
        output.add(encode_string(entry.path, f"objects[{number}].path"))
        output.add(encode_string(entry.name, f"objects[{number}].name"))
        output.add(entry.extra)
        header_size = output.size - object_header.offset - 12
        fields = output.reserve(_U64)
        try:
            if not 0 <= entry.schema < len(bundle.schema) or entry.layout != bundle.schema[entry.schema]:
                what = f"the object's layout is not schema entry {entry.schema}"
                raise CassetError(what)  # noqa: TRY301 - it gets the number of the object below
            put_values(output, entry.layout, entry.values, bundle.schema, sized=bundle.format is Format.SIZED_3)
        except CassetError as error:
            raise error.inside(f"objects[{number}]") from None
        output.fill(fields, output.size - fields.offset)
        size = output.size - object_header.offset
        output.fill(object_header, size, header_size, entry.uuid, entry.is_asset, entry.schema)
    if bundle.format is not Format.SIZED_3:
        output.add(bytes(4))
    output.fill(data, output.size - data.offset, len(bundle.objects))
    output.add(bytes(8))
    magic, uuid = bundle3.MAGIC, bundle.uuid
    output.fill(header, magic, bundle.checksum, *bundle.version, schema_offset, data.offset, uuid)
    return output.pieces


def _put_schema(output: Output, layouts: tuple[Layout, ...]) -> None:
    table = output.reserve(bundle3.TABLE)
    for number, layout in enumerate(layouts):
        entry = layout.raw if layout.raw is not None else _encode_layout(layout, f"schema[{number}]")
        output.add(_U32.pack(len(entry) + 4))
        output.add(entry)
    output.add(bytes(4))
    output.fill(table, output.size - table.offset, len(layouts))


def _encode_layout(layout: Layout, where: str) -> bytes:
    pieces = [bytes((layout.kind,)), encode_string(layout.name, f"{where}.name")]
    if layout.kind != Kind.OPAQUE:
        pieces += (_U32.pack(layout.version), _U32.pack(len(layout.fields)))
        for field in layout.fields:
            pieces.append(encode_string(field.name, f"{where}.fields"))
            pieces.append(_type_bytes(field))
    return b"".join(pieces)


def _type_bytes(field: Field) -> bytes:
    code = bytes((field.type,))
    if field.type in (FieldType.STRUCT, FieldType.STRUCT_ARRAY):
        return code + _U32.pack(field.schema)
    if field.type == FieldType.ARRAY:
        return code + bytes((field.element,))
    return code
