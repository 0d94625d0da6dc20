"""Places in a text asset: line, object and property.

The lines of Unity's YAML are read once, with a stack of the open keys and list items: no document is built, and for a
sprite atlas of 76,000 references the time remains linear.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.unity.yaml.documents import documents
from assetdb.unity.yaml.text_asset import name_of_document

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from assetdb.unity.yaml.documents import Document

_LINE: Final = re.compile(rb"( *)((?:- )*)(?:(\"[^\"\n]{0,500}\"|[^\s:{'\"\[][^:\n]{0,500}):(?=[\s]|\Z))?")
_ITEM_ONLY: Final = re.compile(rb"( *)-\s*\Z")
_LINE_LIMIT: Final = 2000  # a key is at the start of its line; the longest line seen has 3.94 MB
_PATH_LIMIT: Final = 2000  # characters; the deepest property of 15,000 public assets is a tenth of it
_OVERRIDE: Final = b"propertyPath"
_NEXT_OVERRIDE: Final = re.compile(rb"[0-9a-fA-F]{32},\s*type: \d\}\s*\n *propertyPath: ([^\r\n]{0,500})")
_OWNER: Final = re.compile(rb"\n  m_GameObject:\s*\{fileID:\s*(-?\d{1,19})\}")
_SCRIPT: Final = re.compile(rb"\n  m_Script:\s*\{fileID:\s*-?\d{1,19},\s*guid:\s*([0-9a-fA-F]{32})(?=[,}\s])")


class Place(NamedTuple):
    """The place of a byte in a file.

    Attributes:
        line: 1-based.
        class_id: of the object whose document contains it; 0 in files without documents (metas, JSON).
        file_id: that object's anchor, or 0.
        name: the object's name, or that of a component's GameObject, or ``""``.
        script: GUID of a MonoBehaviour's script, 32 digits, or ``""``.
        path: ``m_Materials[0]``, or ``""`` if there are no properties (uxml, uss).
        override: in a prefab instance, the property overridden there, or ``""``.
    """

    line: int
    class_id: int
    file_id: int
    name: str
    script: str
    path: str
    override: str


def places(data: bytes, offsets: Sequence[int]) -> list[Place]:
    """Return the places of ascending byte offsets."""
    objects = documents(data)
    starts = [document.start for document in objects]
    by_id = {document.file_id: document for document in objects}
    names: dict[int, str] = {}
    found: list[Place] = []
    line, counted = 1, 0
    for number, group in groupby(offsets, lambda offset: bisect_right(starts, offset) - 1):
        start, end = (objects[number].start, objects[number].end) if number >= 0 else (0, len(data))
        class_id, file_id = (objects[number].class_id, objects[number].file_id) if number >= 0 else (0, 0)
        name, script = _object(data, objects[number], by_id, names) if number >= 0 else ("", "")
        here = list(group)
        for offset, (path, override) in zip(here, _paths(data, start, end, here), strict=True):
            line += data.count(b"\n", counted, offset)
            counted = offset
            found.append(Place(line, class_id, file_id, name, script, path, override))
    return found


def described(data: bytes) -> Iterator[tuple[Document, str, str]]:
    """Yield each document with its object's name and script."""
    objects = documents(data)
    by_id = {document.file_id: document for document in objects}
    names: dict[int, str] = {}
    for document in objects:
        yield document, *_object(data, document, by_id, names)


def _object(data: bytes, document: Document, by_id: dict[int, Document], names: dict[int, str]) -> tuple[str, str]:
    script = _SCRIPT.search(data, document.start, document.end)
    name = _name(data, document, names)
    if not name:
        owner = _OWNER.search(data, document.start, document.end)
        holder = by_id.get(int(owner[1])) if owner else None
        name = _name(data, holder, names) if holder is not None else ""
    return name, script[1].decode().lower() if script else ""


def _name(data: bytes, document: Document, names: dict[int, str]) -> str:
    """Return an object's name, which is searched for once."""
    name = names.get(document.start)
    if name is None:
        name = names[document.start] = name_of_document(data, document.start, document.end).decode("utf-8", "replace")
    return name


def _paths(data: bytes, start: int, end: int, offsets: Iterable[int]) -> Iterator[tuple[str, str]]:
    """Yield property path and override of offsets in a document."""
    stack: list[tuple[int, bytes, int]] = []  # column, key or b"" for a list item, number of the item
    override, override_column = b"", -1
    next_line = start
    for offset in offsets:
        if offset > end:  # in the header of the next document, or after the end
            yield "", ""
            continue
        while next_line <= offset and next_line < end:
            line_end = data.find(b"\n", next_line, end)
            line_end = line_end if line_end >= 0 else end
            line = data[next_line : min(line_end, next_line + _LINE_LIMIT)].rstrip(b"\r")
            next_line = line_end + 1
            if line.strip():
                indent = len(line) - len(line.lstrip(b" "))
                if indent < override_column:
                    override, override_column = b"", -1
                if _open(line, stack) == _OVERRIDE:
                    override, override_column = line.partition(b":")[2].strip(), stack[-1][0]
        if stack and stack[-1][1] == b"target" and not override:
            ahead = _NEXT_OVERRIDE.match(data, offset, end)
            yield _text(stack), ahead[1].decode("utf-8", "replace") if ahead else ""
        else:
            yield _text(stack), override.decode("utf-8", "replace")


def _open(line: bytes, stack: list[tuple[int, bytes, int]]) -> bytes:
    """Push a line's list items and key; return its key."""
    match = _LINE.match(line)
    if match is None:
        return b""
    column = len(match[1])
    items = len(match[2]) // 2 or (1 if _ITEM_ONLY.match(line) else 0)
    for dash in range(column, column + 2 * items, 2):
        while stack and stack[-1][0] > dash:
            stack.pop()
        if stack and stack[-1][:2] == (dash, b""):
            stack[-1] = (dash, b"", stack[-1][2] + 1)
        else:
            stack.append((dash, b"", 0))
    if match[3] is None:
        return b""
    column += 2 * items
    while stack and stack[-1][0] >= column:
        stack.pop()
    key = match[3].strip(b"\"'")
    stack.append((column, key, 0))
    return key


def _text(stack: Sequence[tuple[int, bytes, int]]) -> str:
    text = ""
    for column, key, number in stack:
        if not key:
            text += f"[{number}]"
        elif column:
            text += ("." if text else "") + key.decode("utf-8", "replace")
        if len(text) > _PATH_LIMIT:  # a hostile file of two thousand levels would make a megabyte for each reference
            return text[:_PATH_LIMIT] + "\u2026"
    return text
