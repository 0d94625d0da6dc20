"""The text format of March and April 2023.

``key: value`` lines of one asset, ended by a zero byte.

Three sets of keys were written (with ``assetName``, with ``wrapMode``, with empty ``assetObjectStore`` and
``childAssets`` lists), with either line end. UUIDs are decimal numbers of 64 bits.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assetdb_formats.casset.errors import CassetError
from assetdb_formats.casset.model import Bundle, BundleObject, Field, FieldType, Format, Kind, Layout

if TYPE_CHECKING:
    from assetdb_formats.casset.model import Value

MAGIC: Final = b"_TypeId:"
LARGEST: Final = 1 << 20
"""Bytes of a text bundle; the largest seen has 203."""
_LINE: Final = re.compile(r"([A-Za-z_]\w*):(?: (.*))?", re.DOTALL)
_ITEM: Final = re.compile(r"  (?:\[\]|- (?!\[\]\Z)(.+))", re.DOTALL)  # "- []" would be read as an empty list


def read_text(data: bytes) -> Bundle:
    """Read a text bundle, with its lines as one object's values."""
    if len(data) > LARGEST:
        raise CassetError(f"a text bundle of over {LARGEST} bytes; they have a few hundred", offset=0, field="text")
    if not data.endswith(b"\0") or data.count(b"\0") != 1:
        at = data.find(b"\0")
        raise CassetError("does not end with its only zero byte", offset=len(data) if at < 0 else at, field="end")
    line_end = "\r\n" if b"\r\n" in data else "\n"
    found: dict[str, str | list[str]] = {}
    offset = 0
    for line, raw in enumerate(data[:-1].split(line_end.encode())):
        _read_line(raw, offset, f"line {line + 1}", found)
        offset += len(raw) + len(line_end)
    texts = {name: value for name, value in found.items() if isinstance(value, str)}
    fields = tuple(
        Field(name, FieldType.STRING if name in texts else FieldType.ARRAY, -1, FieldType.STRING) for name in found
    )
    values: list[Value] = [tuple(value) if isinstance(value, list) else value for value in found.values()]
    for key in ("_TypeId", "name", "uuid"):
        if key not in texts:
            raise CassetError("is missing", field=key, offset=0)
    number = texts["uuid"]
    if not (number.isascii() and number.isdecimal() and len(number) <= 20 and int(number) < 1 << 64):
        raise CassetError(f"{number[:40]!r} is not a 64-bit number", field="uuid", offset=data.find(b"\nuuid:") + 1)
    uuid = int(number).to_bytes(8, "little")
    layout = Layout(Kind.CLASS, texts["_TypeId"], fields=fields)
    entry = BundleObject(uuid, 1, -1, texts["name"], texts["name"], layout, tuple(values), 0, len(data))
    return Bundle(
        format=Format.TEXT,
        version=(0, 0, 0),
        uuid=uuid,
        name=texts.get("assetName", texts["name"]),
        objects=(entry,),
        line_end=line_end,
    )


def _read_line(raw: bytes, offset: int, where: str, found: dict[str, str | list[str]]) -> None:
    """Add a value, or an item to the last list."""
    text = raw.decode("utf-8", "surrogateescape")
    if "\n" in text or "\r" in text:
        raise CassetError("two kinds of line ends", offset=offset, field=where)
    line = _LINE.fullmatch(text)
    if line is not None:
        name, value = line.groups()
        if name in found:
            raise CassetError("duplicate key", offset=offset, field=name)
        found[name] = [] if value is None else value
        return
    item = _ITEM.fullmatch(text)
    last = next(reversed(found), "")
    listed = found.get(last)
    if item is None or not isinstance(listed, list):
        raise CassetError("neither 'key: value' nor an item of a list", offset=offset, field=where)
    if item[1] is None and listed:
        raise CassetError("an empty list after its items", offset=offset, field=last)
    # An empty list is kept as one item "[]": a key without any line below it is written otherwise.
    listed.append(item[1] if item[1] is not None else "[]")


def encode_text(bundle: Bundle) -> list[bytes | memoryview]:
    """Return the pieces of the file of a text bundle.

    Raises:
        CassetError: the format has no place for a value, such as an empty item of a list.
    """
    entry = bundle.objects[0]
    lines = []
    for field, value in zip(entry.layout.fields, entry.values, strict=True):
        if isinstance(value, str):
            lines.append(f"{field.name}: {_checked(value, field.name)}")
        elif isinstance(value, tuple):
            lines.append(f"{field.name}:")
            lines += [f"  {'[]' if item == '[]' else f'- {_checked(item, field.name)}'}" for item in value]
        else:
            raise CassetError("a text bundle holds strings and tuples of strings", field=field.name)
    data = bundle.line_end.join(lines).encode("utf-8", "surrogateescape") + b"\0"
    again = read_text(data).objects[0]
    for field, before, after in zip(again.layout.fields, entry.values, again.values, strict=True):
        if before != after:
            raise CassetError("would be read back as another value", field=field.name)
    return [data]


def _checked(value: object, field: str) -> str:
    if not isinstance(value, str) or any(character in value for character in "\r\n\0"):
        raise CassetError("a text bundle holds strings of one line", field=field)
    try:
        value.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as failure:  # half of a surrogate pair
        raise CassetError(f"the string cannot be written: {failure.reason}", field=field) from None
    return value
