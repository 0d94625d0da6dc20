"""Tagged objects of JSON catalogs: keys and serialized data.

A byte for the type, then the value: 0 ASCII and 1 UTF-16 text with an int32 byte length, 2 UInt16, 3 UInt32, 4 Int32,
5 Hash128 and 6 Type with a byte length and ASCII digits, 7 an object: assembly and class with a byte length each and
JSON in UTF-16 with an int32 byte length. The byte lengths overflow silently in Unity's writer above 255.
"""

from __future__ import annotations

import json
from codecs import utf_16_le_decode
from functools import lru_cache
from struct import Struct
from typing import Any, Final

from assetdb_formats.addressables.errors import AddressablesError, CatalogReader, UnwritableError
from assetdb_formats.addressables.model import (
    BUNDLE_FIELDS,
    BUNDLE_OPTIONS_CLASS,
    RESOURCE_MANAGER_ASSEMBLY,
    BundleOptions,
    Data,
    DirectoryAsset,
    Hash128,
    JsonObject,
    LoadRequestOptions,
    Number,
    Opaque,
    TypeName,
)

ASCII: Final = 0
UNICODE: Final = 1
UINT16: Final = 2
UINT32: Final = 3
INT32: Final = 4
HASH128: Final = 5
TYPE: Final = 6
JSON: Final = 7
TAG_NAMES: Final = {
    ASCII: "AsciiString",
    UNICODE: "UnicodeString",
    UINT16: "UInt16",
    UINT32: "UInt32",
    INT32: "Int32",
    HASH128: "Hash128",
    TYPE: "Type",
    JSON: "JsonObject",
}
_LENGTH: Final = Struct("<i")
_BYTE_MAX: Final = 255
_MOST_TYPES: Final = 64  # of objects in a catalog: two or three
BINARY_ONLY: Final = (Opaque, LoadRequestOptions, DirectoryAsset)  # data that no JSON catalog can hold


def ascii_text(raw: bytes) -> str:
    """Decode as Unity's ASCII decoder does, with question marks for others."""
    return raw.decode("ascii") if raw.isascii() else "".join(chr(byte) if byte < 128 else "?" for byte in raw)


def utf16_text(raw: bytes, offset: int, field: str) -> str:
    """Decode UTF-16, lone surrogates included. Raises AddressablesError on half units."""
    if len(raw) & 1:
        raise AddressablesError(f"UTF-16 text of {len(raw)} bytes", offset=offset, field=field)
    return raw.decode("utf-16-le", "surrogatepass")


def read_tagged(data: bytes, offset: int, field: str) -> tuple[Data, int]:
    """Read the object at an offset; return it and its end."""
    if 0 <= offset < len(data) and data[offset] == JSON:
        found = _read_json_object(data, offset)
        if found is not None:
            return found
    reader = CatalogReader(data)
    reader.seek(offset, field)
    tag = reader.u8(f"{field}.tag")
    value: Data
    if tag == ASCII:
        value = ascii_text(reader.take(reader.i32(f"{field}.length"), field))
    elif tag == UNICODE:
        value = utf16_text(reader.take(reader.i32(f"{field}.length"), field), offset, field)
    elif tag == UINT16:
        value = Number(reader.u16(field), "UInt16")
    elif tag == UINT32:
        value = Number(reader.u32(field), "UInt32")
    elif tag == INT32:
        value = reader.i32(field)
    elif tag == HASH128:
        value = Hash128(ascii_text(reader.take(reader.u8(f"{field}.length"), field)))
    elif tag == TYPE:
        # Unity writes 16 raw bytes here and reads text, so no real file has one; kept as the digits of the bytes.
        value = TypeName(None, reader.take(reader.u8(f"{field}.length"), field).hex())
    elif tag == JSON:
        assembly = ascii_text(reader.take(reader.u8(f"{field}.assembly.length"), f"{field}.assembly"))
        name = ascii_text(reader.take(reader.u8(f"{field}.class.length"), f"{field}.class"))
        raw = reader.take(reader.i32(f"{field}.json.length"), f"{field}.json")
        value = JsonObject(TypeName(assembly, name), utf16_text(raw, offset, f"{field}.json"))
    else:
        raise AddressablesError(f"unknown object tag {tag}", offset=offset, field=field)
    return value, reader.position


def _read_json_object(data: bytes, offset: int) -> tuple[JsonObject, int] | None:
    """Read an object of the common kind quickly; None where unusual.

    The extra data of a large catalog holds 1,800 of them, nearly all of one type (1.4 us each so, 9 us with a reader).
    """
    size = len(data)
    begin = offset + 2
    middle = begin + data[offset + 1] if begin <= size else size
    if middle >= size:
        return None
    end = middle + 1 + data[middle]
    if end + 4 > size:
        return None
    (length,) = _LENGTH.unpack_from(data, end)
    text = data[end + 4 : end + 4 + length]
    kind = _type_name(data[begin:middle], data[middle + 1 : end])
    if len(text) != length or length & 1 or kind is None:
        return None
    # By its own function: bytes.decode looks the codec up and calls it through Python (0.3 us).
    return JsonObject(kind, utf_16_le_decode(text, "surrogatepass", True)[0]), end + 4 + length  # noqa: FBT003 - by place


@lru_cache(maxsize=_MOST_TYPES)
def _type_name(assembly: bytes, name: bytes) -> TypeName | None:
    return TypeName(assembly.decode("ascii"), name.decode("ascii")) if assembly.isascii() and name.isascii() else None


def write_tagged(value: Data) -> bytes:
    """Return the bytes of an object as Unity's writer makes them.

    Raises UnwritableError for what JSON catalogs cannot hold (binary-only kinds, null).
    """
    if isinstance(value, str):
        if value.isascii():
            return bytes((ASCII,)) + _LENGTH.pack(len(value)) + value.encode("ascii")
        raw = value.encode("utf-16-le", "surrogatepass")
        return bytes((UNICODE,)) + _LENGTH.pack(len(raw)) + raw
    if isinstance(value, int):
        return bytes((INT32,)) + _LENGTH.pack(value)
    if isinstance(value, Hash128):
        return bytes((HASH128, len(value.digits))) + value.digits.encode("ascii")
    if isinstance(value, Number) and value.kind in ("UInt16", "UInt32"):
        tag, size = (UINT16, 2) if value.kind == "UInt16" else (UINT32, 4)
        return bytes((tag,)) + value.value.to_bytes(size, "little")
    if isinstance(value, TypeName) and value.assembly is None:
        raw = bytes.fromhex(value.name)
        return bytes((TYPE, len(raw))) + raw
    if isinstance(value, BundleOptions):
        value = bundle_json(value)
    if isinstance(value, JsonObject):
        assembly = (value.type.assembly or "").encode("ascii", "replace")
        name = value.type.name.encode("ascii", "replace")
        raw = value.text.encode("utf-16-le", "surrogatepass")
        if len(assembly) > _BYTE_MAX or len(name) > _BYTE_MAX:
            raise UnwritableError(f"the name of type {value.type.name[:60]!r} is over 255 bytes and would be cut")
        return b"".join(
            (bytes((JSON, len(assembly))), assembly, bytes((len(name),)), name, _LENGTH.pack(len(raw)), raw)
        )
    raise UnwritableError(f"a JSON catalog cannot hold a {type(value).__name__}")


def is_bundle_options(value: Data) -> bool:
    """Whether an object is a bundle's options, parsed or as JSON."""
    return isinstance(value, BundleOptions) or (
        isinstance(value, JsonObject) and value.type.name.endswith("AssetBundleRequestOptions")
    )


def bundle_options(value: Data) -> BundleOptions | None:
    """Return a bundle's options; None for other objects and broken JSON."""
    if isinstance(value, BundleOptions):
        return value
    if not isinstance(value, JsonObject) or not value.type.name.endswith("AssetBundleRequestOptions"):
        return None
    try:
        fields = json.loads(value.text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(fields, dict):
        return None
    known: dict[str, Any] = {}
    for name, attribute in BUNDLE_FIELDS.items():
        default = BundleOptions._field_defaults[attribute]
        given = fields.get(name, default)
        if type(given) is not type(default) and not (attribute == "bundle_name" and given is None):
            return None
        known[attribute] = given
    return BundleOptions(**known, shape=tuple(fields), type=value.type)


def bundle_json(options: BundleOptions) -> JsonObject:
    """Return bundle options as JsonUtility's JSON, in their original shape."""
    shape = options.shape or tuple(BUNDLE_FIELDS)
    # Unknown fields of the shape are left out: their values were not read.
    fields = {name: getattr(options, BUNDLE_FIELDS[name]) for name in shape if name in BUNDLE_FIELDS}
    if fields.get("m_BundleName", "") is None:
        fields["m_BundleName"] = ""
    text = json.dumps(fields, separators=(",", ":"), ensure_ascii=False)
    return JsonObject(options.type or TypeName(RESOURCE_MANAGER_ASSEMBLY, BUNDLE_OPTIONS_CLASS), text)
