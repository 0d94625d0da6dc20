"""Unresolved merges: the objects and properties that a file has twice.

Pure.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from io import BytesIO
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.unity.yaml.documents import documents
from assetdb.unity.yaml.property_path import places

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.unity.yaml.documents import Document
    from assetdb.unity.yaml.property_path import Place

MOST: Final = 1000
"""Maximum number reported for one file."""

# Seven, or more where a merge was merged again: the markers of the inner one are longer. ``|||||||`` is of diff3.
_MARKER: Final = re.compile(rb"(<{7,99}|>{7,99}|\|{7,99}|={7,99})(?: [^\r\n]*)?\r?\Z")
_MARKER_STARTS: Final = (b"<<<<<<<", b"=======", b"|||||||", b">>>>>>>")
_COMMON: Final = -1
_OURS, _BASE, _THEIRS = 0, 1, 2
_DEEPEST: Final = 100
_LONGEST_VALUE: Final = 80
_OVERRIDE: Final = re.compile(rb"[^\n]*\n(?: [^\n]*\n)? *propertyPath: ([^\r\n]{0,500})")
_KEY: Final = re.compile(rb" *(?:- )*([^\s:{'\"\[][^:\r\n]{0,200}):(?:[ \r]|\Z)")
_LINE_LIMIT: Final = 2000
_LINES_OF_ONE: Final = 50
_HEADER: Final = b"--- !u!"
_OVERRIDE_KEY: Final = b"propertyPath:"
_OVERRIDE_VALUE: Final = b"value:"


class Conflict(NamedTuple):
    """One property, or whole object, that differs between two sides.

    Attributes:
        line: its first line, 1-based, in the file with its markers.
        class_id: of the object; 0 in files without objects.
        file_id: the anchor of the object; 0 in files without objects.
        name: of the object, or of the GameObject that the component is on; ``""`` without a name.
        script: GUID of the script of a MonoBehaviour, or ``""``.
        script_id: fileID of that script in its file.
        property: as the file writes it; of an override what is overridden; ``""`` if the object as a whole is meant.
        ours: the value above ``=======``, at most 80 characters; None if it is not there. ``""`` for an object.
        theirs: the value below ``=======``, in the form of ``ours``.
    """

    line: int
    class_id: int
    file_id: int
    name: str
    script: str
    script_id: int
    property: str
    ours: str | None
    theirs: str | None


def conflicted(data: bytes, most: int = MOST) -> list[Conflict]:
    """Return up to ``most`` conflicts of a text asset, in order.

    Where one side's text is no property, such as a list that only one side has, each of its lines still has the
    property that it belongs to.
    """
    lines = list(_sides_of(data))
    if all(side == _COMMON for side, _, _ in lines):
        return []
    texts = [_text_of(lines, side, most) for side in (_OURS, _THEIRS)]
    # Objects that both sides have are reported by their properties.
    whole = texts[0].headers.symmetric_difference(texts[1].headers)
    found: dict[tuple[int, int, str], tuple[list[_Line], list[_Line]]] = {}
    for text, side in zip(texts, (0, 1), strict=True):
        for row in _conflicting(text, whole):
            found.setdefault((row.class_id, row.file_id, row.property), ([], []))[side].append(row)
    conflicts = []
    for (class_id, file_id, name), (ours, theirs) in found.items():
        if [row.text for row in ours] == [row.text for row in theirs]:
            continue  # equal lines between others that differ
        first = min((*ours, *theirs), key=lambda row: row.line)
        values = (_value(ours, name), _value(theirs, name))
        conflicts.append(
            Conflict(first.line, class_id, file_id, first.name, first.script, first.script_id, name, *values)
        )
    return sorted(conflicts, key=lambda item: item.line)[:most]


def sides(data: bytes) -> tuple[bytes, bytes]:
    """Return a file's two sides."""
    lines = list(_sides_of(data))
    ours, theirs = (
        b"".join(text for origin, text, _ in lines if origin in (_COMMON, side)) for side in (_OURS, _THEIRS)
    )
    return ours, theirs


class _Text(NamedTuple):
    """One side of a file with conflicts.

    Attributes:
        data: the file as on that side.
        rows: offset in ``data``, number in the file with its markers, and text of each conflicting line.
        documents: of ``data``.
        headers: fileIDs of the objects that begin in a conflict.
    """

    data: bytes
    rows: list[tuple[int, int, bytes]]
    documents: list[Document]
    headers: set[int]


class _Line(NamedTuple):
    """A conflicting line of one side, and its place."""

    line: int
    class_id: int
    file_id: int
    name: str
    script: str
    script_id: int
    property: str
    text: bytes


def _sides_of(data: bytes) -> Iterator[tuple[int, bytes, int]]:
    """Yield side, text and number of each line that is no marker.

    Of an inner merge, the side is used that is used of the outer one.
    """
    stack: list[tuple[int, int]] = []  # length of the markers, and the current part of the merge
    for number, line in enumerate(BytesIO(data), 1):
        marker = _MARKER.match(line.rstrip(b"\n")) if line.startswith(_MARKER_STARTS) else None
        if marker is not None:
            sign, length = marker[1][:1], len(marker[1])
            if sign == b"<" and len(stack) < _DEEPEST:
                stack.append((length, _OURS))
                continue
            if stack and length == stack[-1][0]:
                if sign == b">":
                    stack.pop()
                    continue
                if sign == b"|" and stack[-1][1] == _OURS:
                    stack[-1] = (length, _BASE)
                    continue
                if sign == b"=" and stack[-1][1] != _THEIRS:
                    stack[-1] = (length, _THEIRS)
                    continue
        if not stack:
            yield _COMMON, line, number
        elif all(part == stack[0][1] for _, part in stack):
            yield stack[0][1], line, number


def _text_of(lines: list[tuple[int, bytes, int]], side: int, most: int) -> _Text:
    """Return one side, with as many conflicting lines as are shown."""
    parts = []
    rows: list[tuple[int, int, bytes]] = []
    begun = []
    offset = 0
    for origin, text, number in lines:
        if origin in (_COMMON, side):
            if origin == side and text.strip() and len(rows) < _LINES_OF_ONE * most:
                rows.append((offset, number, text.rstrip()))
                if text.startswith(_HEADER):
                    begun.append(offset)
            parts.append(text)
            offset += len(text)
    data = b"".join(parts)
    found = documents(data)
    starts = [document.start for document in found]  # where the header ends
    at = [bisect_left(starts, offset) for offset in begun]
    return _Text(data, rows, found, {found[number].file_id for number in at if number < len(found)})


def _conflicting(text: _Text, whole: set[int]) -> Iterator[_Line]:
    """Yield the conflicting lines of a side, with their places."""
    starts = [document.start for document in text.documents]
    offsets: list[int] = []
    last = 0
    for offset, _, line in text.rows:
        if line.startswith(_HEADER):
            number = bisect_left(starts, offset)
            last = starts[number] + 1 if number < len(starts) else offset
        elif not (line.endswith(b"}") and b"{" not in line and offsets):  # ``type: 3}`` belongs to the line before
            last = offset + len(line) - len(line.lstrip(b" -"))
        offsets.append(min(last, len(text.data)))
    for offset, place, (_, number, line) in zip(offsets, places(text.data, offsets), text.rows, strict=True):
        if place.file_id in whole:
            yield _Line(number, *place[1:5], place.script_id, "", line)
        elif not line.startswith(_HEADER):
            name = _property(text.data, offset, line, place)
            yield _Line(number, *place[1:5], place.script_id, name, line)


def _property(data: bytes, offset: int, line: bytes, place: Place) -> str:
    """Return the property of a line; of an override, the overridden one."""
    if place.override:
        return place.override
    ahead = _OVERRIDE.match(data, offset) if place.path.endswith(".target") else None
    if ahead is not None:
        return ahead[1].decode("utf-8", "replace")
    key = _KEY.match(line[:_LINE_LIMIT]) if not place.path else None
    return key[1].decode("utf-8", "replace") if key is not None else place.path


def _value(rows: list[_Line], name: str) -> str | None:
    """Return the value of a side for a message, None without one."""
    if not rows:
        return None
    lines = [row.text[:_LINE_LIMIT].strip() for row in rows] if name else []
    if any(line.startswith(_OVERRIDE_KEY) for line in lines):  # the value of an override, not its target
        lines = [line for line in lines if line.startswith(_OVERRIDE_VALUE)]
    keys = [_KEY.match(line) for line in lines]
    values = [(line[key.end() :] if key is not None else line).strip() for line, key in zip(lines, keys, strict=True)]
    text = b" ".join(filter(None, values)).decode("utf-8", "replace")
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 1] + "\u2026"
