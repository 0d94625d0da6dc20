"""Bodies of Interchange nodes: attributes by key (5.1 on)."""

from __future__ import annotations

from struct import Struct
from typing import Any, Final

from assetdb_formats.unreal.reader import Reader

_ENTRY: Final = Struct("<QQiI16s")  # offset, size, type, flags, hash of the value
_NUMBERS: Final = {1: Struct("<?"), 12: Struct("<i"), 21: Struct("<B")}
_TEXTS: Final = frozenset({18, 34})  # text, and the path of an object


def read_attributes(data: bytes, start: int, end: int) -> tuple[dict[str, Any], int]:
    """Read an attribute storage: a table of keys, then their values.

    It is at ``start`` of ``data``. Booleans, numbers and text are decoded; values of other types stay bytes.

    Returns:
        The attributes by key, and the offset after the storage.
    """
    reader = Reader(data, start, end)
    field = "attributes"
    reader.take(12, field)  # bytes that are not used any more, and from which share of them on it is written anew
    entries = [
        (reader.string(field), *_ENTRY.unpack(reader.take(_ENTRY.size, field)))
        for _ in reader.items(4 + _ENTRY.size, field)
    ]
    size = reader.u64(field)
    values = reader.take(reader.count(size, 1, field), field)
    found: dict[str, Any] = {}
    for key, offset, length, kind, _, _ in entries:
        if offset + length > size:
            raise reader.error(f"{length} bytes at {offset}, the values have {size}", f"{field}.{key}")
        found[key] = _value(values[offset : offset + length], kind)
    return found, reader.position


def _value(stored: bytes, kind: int) -> object:
    number = _NUMBERS.get(kind)
    if number is not None and len(stored) == number.size:
        return number.unpack(stored)[0]
    if kind in _TEXTS and stored[-2:] == b"\0\0" and len(stored) % 2 == 0:
        return stored[:-2].decode("utf-16-le", "surrogatepass")
    return stored
