"""The persistent call of a UnityEvent around a position in YAML."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.unity.yaml.scalars import scalar_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.lsp.documents.open_documents import Document

METHOD: Final = "m_MethodName"
TYPE: Final = "m_TargetAssemblyTypeName"
_TARGET: Final = "m_Target"
_ROW: Final = re.compile(rb"\s{0,99}(?:- )?(m_MethodName|m_TargetAssemblyTypeName|m_Target):(?: |\Z)(.*)")
_PATH: Final = re.compile(
    rb"\s{1,99}propertyPath: '?(.{0,999}\.)(m_MethodName|m_TargetAssemblyTypeName|m_Target)'?\s*\Z"
)
_VALUE: Final = re.compile(rb"\s{1,99}value:(?: |\Z)(.*)")
_OBJECT: Final = re.compile(rb"\s{1,99}objectReference: (.*)")
_OWNER: Final = re.compile(rb"\s{0,99}- target: (.*)")
_REFERENCE: Final = re.compile(rb"\{fileID: (-?\d{1,19})(?:,\s{1,9}guid: ([0-9a-f]{32}))?")
_AROUND: Final = 12  # lines of a call before its arguments, wrapped ones included
_OVERRIDES: Final = 200  # lines of a prefab instance in which other rows of a call are searched for


class EventCall(NamedTuple):
    """A call, as far as its text says.

    Attributes:
        method: its name, or ``""``.
        type: of the target with namespace, ``""`` if the text does not say.
        guid: of the target's asset, ``""`` for this file.
        file_id: of the target, 0 if the text does not say.
        is_type: whether the position is on the type.
        start: offset of the name at the position, in bytes.
        end: offset behind the name.
    """

    method: str
    type: str
    guid: str
    file_id: int
    is_type: bool
    start: int
    end: int


def event_call_at(document: Document, offset: int) -> EventCall | None:
    """Return the call that has a position on its method or type."""
    text = document.text
    line = text.line_at(offset)
    row = text.line(line)
    found = _ROW.match(row)
    if found is not None and found[1].decode() != _TARGET:
        name, first, value = found[1].decode(), found.start(2), found[2]
        rows = _rows_around(document, line)
    else:
        overridden = _VALUE.match(row)
        path = _PATH.match(text.line(line - 1)) if overridden is not None and line else None
        if overridden is None or path is None or path[2].decode() == _TARGET:
            return None
        name, first, value = path[2].decode(), overridden.start(1), overridden[1]
        rows = _overrides_around(document, line, path[1])
    start = text.line_start(line) + first
    if not start <= offset <= start + len(value) or not value.strip():
        return None
    rows[name] = value
    target = _REFERENCE.match(rows.get(_TARGET, b""))
    return EventCall(
        scalar_at(rows.get(METHOD, b""), 0, 0),
        scalar_at(rows.get(TYPE, b""), 0, 0).partition(",")[0],
        target[2].decode() if target and target[2] else "",
        int(target[1]) if target else 0,
        is_type=name == TYPE,
        start=start,
        end=start + len(value.rstrip()),
    )


def _rows_around(document: Document, line: int) -> dict[str, bytes]:
    """Return the rows of a call in its component."""
    text = document.text
    found: dict[str, bytes] = {}
    for number in range(line, max(-1, line - _AROUND), -1):
        row = _ROW.match(text.line(number))
        if row is not None:
            found.setdefault(row[1].decode(), row[2])
            if row[1].decode() == _TARGET:
                break
    for number in range(line + 1, min(line + _AROUND, text.line_count)):
        row = _ROW.match(text.line(number))
        if row is not None and row[1].decode() in found:
            break
        if row is not None:
            found[row[1].decode()] = row[2]
    return found


def _overrides_around(document: Document, line: int, call: bytes) -> dict[str, bytes]:
    """Return the rows of one call among the overrides of an instance."""
    owner = _OWNER.match(_owner_line(document, line))
    found: dict[str, bytes] = {}
    for number, path in _paths_around(document, line):
        text = document.text
        row_owner = _OWNER.match(_owner_line(document, number))
        if path[1] != call or owner is None or row_owner is None or row_owner[1] != owner[1]:
            continue
        name = path[2].decode()
        value = (_OBJECT if name == _TARGET else _VALUE).match(text.line(number + 1 + (name == _TARGET)))
        if value is not None:
            found.setdefault(name, value[1])
    return found


def _paths_around(document: Document, line: int) -> Iterator[tuple[int, re.Match[bytes]]]:
    text = document.text
    for number in range(max(0, line - _OVERRIDES), min(line + _OVERRIDES, text.line_count)):
        path = _PATH.match(text.line(number))
        if path is not None:
            yield number, path


def _owner_line(document: Document, line: int) -> bytes:
    """Return the ``- target:`` line above, joined with a wrapped end."""
    text = document.text
    for number in range(line, max(-1, line - 4), -1):
        if _OWNER.match(text.line(number)):
            rows = (text.line(each).strip() for each in range(number, line))
            return b" ".join(row for row in rows if not row.startswith(b"propertyPath:"))
    return b""
