"""Places in a text asset: line, object and property.

The lines of Unity's YAML are read once, with a stack of the open keys and list items: no document is built, and for a
sprite atlas of 76,000 references the time remains linear.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.unity.kinds import SCRIPT_MAIN
from assetdb.unity.yaml.documents import documents
from assetdb.unity.yaml.scalars import is_last, key_span, scalar_at, scalar_span
from assetdb.unity.yaml.text_asset import name_of_document

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assetdb.unity.yaml.documents import Document

_LINE: Final = re.compile(rb"( *+)((?:- )*+)(?:([A-Za-z_]\w*+):(?= |\Z))?")  # with a key that needs no further look
_ITEM_ONLY: Final = re.compile(rb"( *)-\s*\Z")
_FLOWS: Final = (b"{", b"[")
_QUOTES: Final = (b"'", b'"')
_OTHER_TEXTS: Final = (b"{", b"[", b"<")  # JSON and UXML: a line there never continues on the next
_EMPTY_KEY: Final = b"''"
_ENTRY: Final = b"data"  # the key of each entry in a map of Unity 5
_ENTRY_OR_END: Final = rb"\n(?: {0,%d}(?=[^ \n])| {%d}(?=[^ \n])(data:)?)"
_LINE_LIMIT: Final = 2000  # a key is at the start of its line; the longest line seen has 3.94 MB
_LONGEST_OVERRIDE: Final = 500
_PATH_LIMIT: Final = 2000  # characters; the deepest property of 15,000 public assets is a tenth of it
_OVERRIDE: Final = b"propertyPath"
_NEXT_OVERRIDE: Final = re.compile(rb"[0-9a-fA-F]{32},\s*type: \d\}\s*\n *propertyPath:")
# Rows of a prefab instance, as Unity writes nearly all: scenes have thousands, and few are asked for.
_TARGET: Final = b"    - target: {"
_OVERRIDES: Final = re.compile(
    rb"(?>(?:    - target: \{fileID: -?\d{1,20}, guid: [0-9a-f]{32},(?: |\n {7,9})type: \d\}\n"
    rb"      propertyPath: [\w.\[\]]{1,500}\n      value:[\w .()/+-]{0,500}\n"
    rb"      objectReference: \{fileID: -?\d{1,20}(?:, guid: [0-9a-f]{32},(?: |\n {7,9})type: \d)?\}\n)+)"
)
# Properties of one object with values of one line: only the last of them can be part of the path of what follows.
_PROPERTY: Final = rb"(?!data:|propertyPath:)[A-Za-z_]\w*:(?: [\w.(+-][\w .()/+-]*| \{[\w:., +-]*\})?\n"
_PROPERTIES: Final = re.compile(rb"(?>( +)%b(?:\1%b)+)" % (_PROPERTY, _PROPERTY))
_OWNER: Final = re.compile(rb"\n  m_GameObject:\s*\{fileID:\s*(-?\d{1,19})\}")
_SCRIPT: Final = re.compile(rb"\n  m_Script:\s*\{fileID:\s*(-?\d{1,19}),\s*guid:\s*([0-9a-fA-F]{32})(?=[,}\s])")


class Place(NamedTuple):
    """The place of a byte in a file.

    Attributes:
        line: 1-based.
        class_id: of the object whose document contains it; 0 in files without documents (metas, JSON).
        file_id: that object's anchor, or 0.
        name: the object's name, or the name of a component's GameObject, or ``""``.
        script: GUID of a MonoBehaviour's script, 32 digits, or ``""``.
        path: ``m_Materials[0]``, or ``""`` if there are no properties (uxml, uss).
        override: in a prefab instance, the property overridden there, or ``""``.
        script_id: fileID of the script in its file: a class of a DLL, as Unity's UI was until 2018.
    """

    line: int
    class_id: int
    file_id: int
    name: str
    script: str
    path: str
    override: str
    script_id: int = SCRIPT_MAIN


def places(data: bytes, offsets: Iterable[int]) -> list[Place]:
    """Return the places of ascending byte offsets."""
    return list(each_place(data, offsets))


def each_place(data: bytes, offsets: Iterable[int]) -> Iterator[Place]:
    """Yield the places of ascending byte offsets, one at a time."""
    objects = documents(data)
    starts = [document.start for document in objects]
    by_id = {document.file_id: document for document in objects}
    names: dict[int, str] = {}
    line, counted = 1, 0
    for number, group in groupby(offsets, lambda offset: bisect_right(starts, offset) - 1):
        start, end = (objects[number].start, objects[number].end) if number >= 0 else (0, len(data))
        class_id, file_id = (objects[number].class_id, objects[number].file_id) if number >= 0 else (0, 0)
        name, script, script_id = _object(data, objects[number], by_id, names) if number >= 0 else ("", "", SCRIPT_MAIN)
        for offset, path, override in _paths(data, start, end, group):
            line += data.count(b"\n", counted, offset)
            counted = offset
            yield Place(line, class_id, file_id, name, script, path, override, script_id)


def described(data: bytes) -> Iterator[tuple[Document, str, str, int]]:
    """Yield each document with its object's name, script and script's fileID."""
    objects = documents(data)
    by_id = {document.file_id: document for document in objects}
    names: dict[int, str] = {}
    for document in objects:
        yield document, *_object(data, document, by_id, names)


def _object(data: bytes, document: Document, by_id: dict[int, Document], names: dict[int, str]) -> tuple[str, str, int]:
    script = _SCRIPT.search(data, document.start, document.end)
    name = _name(data, document, names)
    if not name:
        owner = _OWNER.search(data, document.start, document.end)
        holder = by_id.get(int(owner[1])) if owner else None
        name = _name(data, holder, names) if holder is not None else ""
    return (name, script[2].decode().lower(), int(script[1])) if script else (name, "", SCRIPT_MAIN)


def _name(data: bytes, document: Document, names: dict[int, str]) -> str:
    """Return an object's name, which is searched for once."""
    name = names.get(document.start)
    if name is None:
        name = names[document.start] = name_of_document(data, document.start, document.end).decode("utf-8", "replace")
    return name


class _Step(NamedTuple):
    """An open key or list item.

    Attributes:
        column: of the key or the dash.
        key: ``b""`` for a list item.
        number: of the item, or how often a map of Unity 5 had its key before.
        place: where its line begins.
    """

    column: int
    key: bytes
    number: int
    place: int


class _Lines:
    """The lines of a document, read once, and the open keys."""

    def __init__(self, data: bytes, start: int, end: int) -> None:
        self._data = data
        self._next = start
        self._end = end
        self._continues = not data.startswith(_OTHER_TEXTS)
        self._stack: list[_Step] = []
        self._numbered: dict[int, bool] = {}
        self._override, self._override_column = "", -1

    def read_to(self, offset: int) -> None:
        """Read the lines up to the one with an offset."""
        data, end = self._data, self._end
        while self._next <= offset and self._next < end:
            start = self._next
            if data.startswith(_TARGET, start):
                start = self._skip(start, offset)
            elif data.startswith(b" ", start):
                properties = _PROPERTIES.match(data, start, min(offset, end))
                if properties is not None:
                    start = data.rfind(b"\n", start, properties.end() - 1) + 1
            line_end = data.find(b"\n", start, end)
            line_end = line_end if line_end >= 0 else end
            line = data[start : min(line_end, start + _LINE_LIMIT)].rstrip(b"\r")
            self._next = line_end + 1
            if line.strip():
                indent = len(line) - len(line.lstrip(b" "))
                if indent < self._override_column:
                    self._override, self._override_column = "", -1
                key, value, column = self._open(line, start)
                if key == _OVERRIDE:
                    self._override = scalar_at(data, start + value, column)[:_LONGEST_OVERRIDE]
                    self._override_column = column
                if self._continues and _may_continue(data, line[value:], line_end, column):
                    text_end = scalar_span(data, start + value, column)[1]
                    if text_end > line_end:  # the lines of a text have no keys
                        line_end = data.find(b"\n", text_end, end)
                        self._next = (line_end if line_end >= 0 else end) + 1

    def _skip(self, start: int, offset: int) -> int:
        """Pass rows of overrides before an offset; return the last one's start."""
        rows = _OVERRIDES.match(self._data, start, min(offset, self._end))
        last = self._data.rfind(_TARGET, start, rows.end()) if rows is not None else start
        if last > start:
            self._override, self._override_column = "", -1
            self._open(_TARGET, start)
            skipped = self._data.count(_TARGET, start, last)
            self._stack[-2] = self._stack[-2]._replace(number=self._stack[-2].number + skipped - 1)
        return last

    def place(self, offset: int) -> tuple[str, str]:
        """Return property path and override of an offset in the last line."""
        if self._stack and self._stack[-1].key == b"target" and not self._override:
            ahead = _NEXT_OVERRIDE.match(self._data, offset, self._end)
            said = scalar_at(self._data, ahead.end(), self._stack[-1].column)[:_LONGEST_OVERRIDE] if ahead else ""
            return self._text(), said
        return self._text(), self._override

    def _open(self, line: bytes, place: int) -> tuple[bytes, int, int]:
        """Push a line's list items and key.

        Returns the key, where in the line its value begins, and the column that deeper lines of the value have passed.
        """
        stack = self._stack
        match = _LINE.match(line)
        if match is None:
            return b"", len(line), 0
        column = len(match[1])
        is_bare = line[column : column + 1] == b"-" and _ITEM_ONLY.match(line) is not None
        items = len(match[2]) // 2 or int(is_bare)
        for dash in range(column, column + 2 * items, 2):
            while stack and stack[-1].column > dash:
                stack.pop()
            if stack and stack[-1][:2] == (dash, b""):
                stack[-1] = stack[-1]._replace(number=stack[-1].number + 1)
            else:
                stack.append(_Step(dash, b"", 0, place))
        column += 2 * items
        value = len(line) if is_bare else match.end()
        key, behind = match[3], value
        if key is None:
            is_flow = line[value : value + 1] in _FLOWS
            end, behind, _ = (-1, -1, b"") if is_flow else key_span(line, value, len(line))
            if end < 0:
                return b"", value, max(column - 2, 0) if items else column
            key = line[value:end].strip(b"\"'") or _EMPTY_KEY
        number = 0
        while stack and stack[-1].column >= column:
            last = stack.pop()
            if last.column == column and key == last.key == _ENTRY:
                number = last.number + 1
        stack.append(_Step(column, key, number, place))
        while line[behind : behind + 1] == b" ":
            behind += 1
        return key, behind, column

    def _text(self) -> str:
        text = ""
        for step in self._stack:
            if not step.key:
                text += f"[{step.number}]"
            elif step.column:
                text += ("." if text else "") + step.key.decode("utf-8", "replace")
                if step.key == _ENTRY and (step.number or self._is_numbered(step)):
                    text += f"[{step.number}]"
            if (
                len(text) > _PATH_LIMIT
            ):  # a hostile file of two thousand levels would make a megabyte for each reference
                return text[:_PATH_LIMIT] + "\u2026"
        return text

    def _is_numbered(self, step: _Step) -> bool:
        """Whether the mapping of a ``data:`` has another one."""
        known = self._numbered.get(step.place)
        if known is None:
            pattern = _ENTRY_OR_END % (max(0, step.column - 1), step.column)
            line_end = self._data.find(b"\n", step.place, self._end)
            found = re.compile(pattern).search(self._data, max(line_end, step.place), self._end)
            known = self._numbered[step.place] = found is not None and found[1] is not None
        return known


def _may_continue(data: bytes, value: bytes, line_end: int, column: int) -> bool:
    """Whether a value may go on in the next line."""
    text = value.lstrip()
    return bool(text) and value[:1] not in _FLOWS and (text[:1] in _QUOTES or not is_last(data, line_end, column))


def _paths(data: bytes, start: int, end: int, offsets: Iterable[int]) -> Iterator[tuple[int, str, str]]:
    """Yield each offset in a document with property path and override."""
    lines = _Lines(data, start, end)
    for offset in offsets:
        if offset > end:  # in the header of the next document, or after the end
            yield offset, "", ""
            continue
        lines.read_to(offset)
        yield offset, *lines.place(offset)
