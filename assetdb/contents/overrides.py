"""Overrides of a PrefabInstance: property values, removed components and objects."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.unity.referring.guid_shapes import written_guid
from assetdb.unity.yaml.scalars import scalar_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.unity.yaml.objects import TextObject

_MODIFICATION: Final = b"\n    - target:"
_PATH: Final = b"\n      propertyPath:"
_VALUE: Final = b"\n      value:"
_OBJECT: Final = b"\n      objectReference:"
_REFERENCE: Final = re.compile(
    rb"\s{0,99}\{fileID: (-?\d{1,20})(?:,\s{1,99}guid: ([0-9a-fA-F]{32})(?:,\s{1,99}type: -?\d{1,9})?)?\s{0,99}\}"
)
# Such a reference with a GUID of any shape, or an empty one.
_WRITTEN: Final = re.compile(
    rb"\s{0,99}\{fileID: (-?\d{1,20})"
    rb"(?:,\s{1,99}guid:[ \t]{0,99}([^,{}\r\n]{0,200}?)\s{0,99}(?:,\s{1,99}type: -?\d{1,9})?)?\s{0,99}\}"
)
# About 97 %; quoted, wrapped and non-ASCII values are read slowly.
_PLAIN: Final = re.compile(
    _REFERENCE.pattern
    + rb"\n      propertyPath: ([\w.\[\]]{1,500})\n      value:([\w .()/+-]{0,500})\n      objectReference:"
    + _REFERENCE.pattern
)
_REMOVED_COMPONENTS: Final = b"\n    m_RemovedComponents:"
_REMOVED_OBJECTS: Final = b"\n    m_RemovedGameObjects:"
_ROW: Final = re.compile(rb"\n    - \{fileID: (-?\d{1,20})")
_KEY: Final = re.compile(rb"\n {0,4}[A-Za-z_]")
_ARRAY: Final = re.compile(r"\.?\bArray\.data\[(\d{1,9})\]")
_SIZE: Final = ".Array.size"
MOST_DIGITS: Final = 9
"""Digits of an index or a size; Python refuses to read thousands."""


class Reference(NamedTuple):
    """A reference ``{fileID: ..., guid: ...}``, without GUID within a file."""

    file_id: int
    guid: str


_NOTHING: Final = Reference(0, "")


class Override(NamedTuple):
    """One property value that a PrefabInstance sets.

    Attributes:
        target: fileID of the object in the source of the instance.
        path: of the property, as documents have it: ``m_Materials[0]``, ``m_LocalPosition.x``; an array's size is
            ``m_Materials.size``.
        value: text; ``""`` if an object is referred to.
        reference: the object, where it is one.
    """

    target: int
    path: str
    value: str
    reference: Reference


def property_path(text: str) -> str:
    """Return a ``propertyPath`` of Unity as documents have it: ``m_Materials.Array.data[0]`` is ``m_Materials[0]``."""
    if text.endswith(_SIZE):
        text = text[: -len(_SIZE)] + ".size"
    return _ARRAY.sub(r"[\1]", text) if "Array" in text else text


def index_of(digits: str) -> int | None:
    """Return the index in a property path, None for anything else."""
    return int(digits) if digits.isdecimal() and len(digits) <= MOST_DIGITS else None


def overrides_of(instance: TextObject) -> Iterator[Override]:
    """Yield the values that a PrefabInstance sets, in file order."""
    for _, override in placed_overrides(instance):
        yield override


def placed_overrides(instance: TextObject) -> Iterator[tuple[int, Override]]:
    """Yield the same values, each with its line's offset in the body."""
    rows = instance.body.split(_MODIFICATION)
    start = len(rows[0])
    for row in rows[1:]:
        start += len(_MODIFICATION)
        plain = _PLAIN.match(row)
        if plain is not None:
            target, _, path, value, file_id, guid = plain.groups()
            set_object = Reference(int(file_id), guid.decode().lower() if guid else "")
            text = value.decode().strip()
            line = start + plain.start(3) - len(b"      propertyPath: ")
            yield line, Override(int(target), property_path(path.decode()), text, set_object)
        else:
            override = _read_slowly(row)
            if override is not None:
                yield start + row.find(_PATH) + 1, override
        start += len(row)


def _read_slowly(row: bytes) -> Override | None:
    target = _REFERENCE.match(row)
    path = row.find(_PATH)
    value = row.find(_VALUE, path)
    if target is None or path < 0 or value < 0:
        return None
    reference = row.find(_OBJECT, value)
    found = _WRITTEN.match(row, reference + len(_OBJECT)) if reference >= 0 else None
    return Override(
        int(target[1]),
        property_path(scalar_at(row, path + len(_PATH), 6)),
        scalar_at(row, value + len(_VALUE), 6),
        Reference(int(found[1]), _guid_of(found[2])) if found else _NOTHING,
    )


def _guid_of(written: bytes | None) -> str:
    return "" if written is None else written_guid(written.decode("utf-8", "replace"))


def damaged_overrides(instance: TextObject) -> list[bytes]:
    """Return the rows of a PrefabInstance that cannot be read."""
    rows = instance.body.split(_MODIFICATION)[1:]
    return [row for row in rows if _PLAIN.match(row) is None and _read_slowly(row) is None]


def removed_by(instance: TextObject) -> frozenset[int]:
    """Return fileIDs, in its source, of objects that a PrefabInstance removes."""
    return frozenset((*_rows(instance.body, _REMOVED_COMPONENTS), *_rows(instance.body, _REMOVED_OBJECTS)))


def _rows(body: bytes, key: bytes) -> Iterator[int]:
    start = body.find(key)
    if start < 0:
        return
    start += len(key)
    following = _KEY.search(body, start)
    for match in _ROW.finditer(body, start, following.start() if following is not None else len(body)):
        yield int(match[1])
