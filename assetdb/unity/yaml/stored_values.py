"""Values of fields in text assets: of components, and of overrides.

Found by the names of the fields, wherever they stand; whose field a name is, is decided by its path and script.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.unity.yaml.documents import documents
from assetdb.unity.yaml.property_path import places

if TYPE_CHECKING:
    from collections.abc import Collection

_MONO_BEHAVIOUR: Final = 114
_SCRIPT: Final = re.compile(rb"\n  m_Script: \{fileID: 11500000, guid: ([0-9a-fA-F]{32})")
_REFERENCED: Final = re.compile(rb"type: \{class: ([^,\s]{1,500}),")
_COLUMN: Final = 2  # of the fields of an object itself
_REACH: Final = 1000  # bytes between the type of a SerializeReference and one of its values
OVERRIDE_ROW: Final = re.compile(
    rb"- target: \{fileID: (-?\d{1,20}), guid: ([0-9a-fA-F]{32}),\s+type: \d\}\r?\n +propertyPath: ([^\r\n]{1,1000})"
    rb"\r?\n +value: ?([^\r\n]*)\r?\n +objectReference: (?=(\{fileID: 0\})?)"
    rb"(?:\{fileID: (-?\d{1,20})(?:, guid: ([0-9a-fA-F]{32}))?)?"
)
"""An override: fileID and GUID of its target, property, value, ``{fileID: 0}`` if it refers to nothing, and fileID and
GUID of what it refers to."""
_ELEMENT: Final = re.compile(r"\.Array\.(?:data\[\d+\]|size)|\[\d+\]")
_ZERO: Final = re.compile(rb"(?:0|\[\]|\{\}|\{fileID: 0\}|\{(?:\w{1,20}: -?0(?:, )?){1,16}\})?")


class StoredValue(NamedTuple):
    """One value of a field.

    Attributes:
        offset: of the name, in bytes.
        name: of the field.
        parents: names of the fields around it, the outermost first, without the numbers of list items.
        script: GUID of the component's or asset's script; ``""`` for an override.
        reference: class of the SerializeReference that holds it (``Outer/Inner``), or ``""``.
        target: GUID and fileID of the overridden object, or None.
        is_default: whether it is zero or empty.
    """

    offset: int
    name: str
    parents: tuple[str, ...]
    script: str
    reference: str
    target: tuple[str, int] | None
    is_default: bool


def stored_values(data: bytes, names: Collection[str]) -> list[StoredValue]:
    """Return the values of fields with some names, in order."""
    wanted = [name.encode() for name in names]
    if not any(name in data for name in wanted):
        return []
    key = re.compile(rb"\n( +)(?:- )*(" + b"|".join(map(re.escape, wanted)) + rb"):(?: ([^\r\n]*))?(?=[\r\n]|\Z)")
    found: list[StoredValue] = []
    for item in documents(data):
        script = _SCRIPT.search(data, item.start, item.end) if item.class_id == _MONO_BEHAVIOUR else None
        if script is None or item.stripped:
            continue
        rows = list(key.finditer(data, item.start, item.end))
        deep = [row.start(2) for row in rows if row.start(2) - row.start(1) != _COLUMN]
        paths = dict(zip(deep, places(data, deep), strict=True))
        for row in rows:
            offset = row.start(2)
            way = _plain(paths[offset].path) if offset in paths else (row[2].decode(),)
            value = row[3] or b""
            is_default = _ZERO.fullmatch(value.strip()) is not None and not _continues(
                data, row.end(), offset - row.start(1)
            )
            found.append(
                StoredValue(
                    offset,
                    row[2].decode(),
                    way[:-1],
                    script[1].decode().lower(),
                    _reference(data, offset, way),
                    None,
                    is_default,
                )
            )
    return sorted([*found, *_overrides(data, frozenset(names))])


def _overrides(data: bytes, names: frozenset[str]) -> list[StoredValue]:
    """Return overrides with one of the names in their path."""
    found = []
    for row in OVERRIDE_ROW.finditer(data):
        way = _plain(row[3].decode("utf-8", "replace").strip("'\""))
        name = next((each for each in way if each in names), "")
        if name:
            is_default = _ZERO.fullmatch(row[4].strip()) is not None and row[5] is not None
            target = row[2].decode().lower(), int(row[1])
            found.append(StoredValue(row.start(3), name, way[: way.index(name)], "", "", target, is_default))
    return found


def _plain(path: str) -> tuple[str, ...]:
    """Return the names of a property path, without list items."""
    return tuple(_ELEMENT.sub("", path).split("."))


def _continues(data: bytes, end: int, column: int) -> bool:
    """Whether a value goes on in the next line."""
    indent = b" " * column
    start = data.find(b"\n", end) + 1
    line = data[start : start + len(indent) + 2] if start else b""
    return line.startswith((indent + b" ", indent + b"- "))


def _reference(data: bytes, offset: int, way: tuple[str, ...]) -> str:
    """Return the class of the SerializeReference that holds a value."""
    if way[:2] != ("references", "RefIds"):
        return ""
    found = _REFERENCED.findall(data, max(0, offset - _REACH), offset)
    return found[-1].decode("utf-8", "replace") if found else ""
