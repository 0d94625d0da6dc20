"""Places in a text asset: line, object and property.

The lines of Unity's YAML are read once, with a stack of the open keys and list items: no document is built, and for a
sprite atlas of 76,000 references the time remains linear.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
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
_NEVER: Final = sys.maxsize
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
# The three ways in which Unity writes nearly all references: in a property of the object itself, in a row of one of its
# lists, and in an override of an instance. Nothing but the shape of the lines around these is read.
_CLASS_LINE: Final = re.compile(rb"\n[A-Za-z_]\w*+:\r?(?=\n)")
_OUTER_LINE: Final = re.compile(rb"\n ?[^ \r\n]")
_OWN_LINE: Final = re.compile(rb"  (?:([A-Za-z_]\w{0,200}+): |- )\{fileID: -?\d{1,20}, guid: ")
_LONGEST_OWN_LINE: Final = 300
_LIST: Final = re.compile(
    rb"  ([A-Za-z_]\w{0,200}+):\r?\n((?>(?:  - \{[^{}\n]{0,200}(?:\n {4,12}[^{}\n ][^{}\n]{0,200})?\}\r?\n)+))"
)
_ITEM: Final = b"\n  - "
_LIST_BEGINNINGS: Final = (b":\n  - ", b":\r\n  - ")
_INSTANCE: Final = re.compile(
    rb"\nPrefab(?:Instance)?:\n(?>(?:  (?!propertyPath)\w++: -?\d++\n){0,20})  m_Modification:\n"
    rb"(?:    serializedVersion: \d++\n)?    m_TransformParent: \{fileID: -?\d{1,20}\}\n    m_Modifications:\n"
)
_MODIFICATION: Final = re.compile(
    rb"    - target: \{fileID: -?\d{1,20}, guid: ([0-9a-f]{32}),(?: |\n {7,9})type: \d\}\n"
    rb"      propertyPath: ([\w.\[\]]{1,500})\n      value:[\w .()/+-]{0,500}\n"
    rb"      objectReference: \{fileID: -?\d{1,20}(?:, guid: ([0-9a-f]{32}),(?: |\n {7,9})type: \d)?\}\n"
)
_SCRIPT_KEY: Final = b"\n  m_Script:"
_OWNER_KEY: Final = b"\n  m_GameObject:"
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


def each_place(data: bytes, offsets: Iterable[int], objects: Objects | None = None) -> Iterator[Place]:
    """Yield the places of ascending byte offsets, one at a time."""
    objects = objects if objects is not None else Objects(data)
    starts = [document.start for document in objects.documents]
    class_id, file_id, name, script, script_id = 0, 0, "", "", SCRIPT_MAIN
    ways, following = _Ways(data, 0, len(data)), starts[0] if starts else _NEVER
    line, counted = 1, 0
    for offset in offsets:
        if offset >= following:
            number = bisect_right(starts, offset) - 1
            following = starts[number + 1] if number + 1 < len(starts) else _NEVER
            class_id, file_id, _, start, end = objects.documents[number]
            name, script, script_id = objects.described(number)
            ways = _Ways(data, start, end)
        path, override = ways.of(offset)
        line += data.count(b"\n", counted, offset)
        counted = offset
        yield Place(line, class_id, file_id, name, script, path, override, script_id)


class Objects:
    """The objects of a text asset, each described once.

    Attributes:
        documents: of the objects, in order.
    """

    def __init__(self, data: bytes) -> None:
        """Cut a text asset into its documents."""
        self._data = data
        self.documents = documents(data)
        self._by_id: dict[int, Document] | None = None
        self._names: dict[int, str] = {}
        self._known: dict[int, tuple[str, str, int]] = {}

    def described(self, number: int) -> tuple[str, str, int]:
        """Return name, script and script's fileID of a numbered document's object."""
        known = self._known.get(number)
        if known is None:
            known = self._known[number] = self._described(self.documents[number])
        return known

    def _described(self, document: Document) -> tuple[str, str, int]:
        data, start, end = self._data, document.start, document.end
        name = self._name(document)
        if not name:
            place = data.find(_OWNER_KEY, start, end)  # a tenth of what a search for the pattern takes
            owner = _OWNER.search(data, place, end) if place >= 0 else None
            if self._by_id is None:
                self._by_id = {document.file_id: document for document in self.documents}
            holder = self._by_id.get(int(owner[1])) if owner else None
            name = self._name(holder) if holder is not None else ""
        place = data.find(_SCRIPT_KEY, start, end)
        script = _SCRIPT.search(data, place, end) if place >= 0 else None
        return (name, script[2].decode().lower(), int(script[1])) if script else (name, "", SCRIPT_MAIN)

    def _name(self, document: Document) -> str:
        """Return an object's name, which is searched for once."""
        name = self._names.get(document.start)
        if name is None:
            found = name_of_document(self._data, document.start, document.end)
            name = self._names[document.start] = found.decode("utf-8", "replace")
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


class _Usual:
    """Usual references of one document, placed by their own lines.

    The lines before them are not read, only searched for whatever could give a line another meaning: then there is no
    answer. To read them takes three quarters of the time of an export.
    """

    def __init__(self, data: bytes, start: int, end: int) -> None:
        self._data = data
        self._start = start
        self._end = end
        self._limit = -1  # the first byte of which nothing is told, once it is looked for
        self._list, self._list_end, self._item, self._number = b"", -1, 0, 0
        instance = _INSTANCE.match(data, start, end)
        self._next_row = instance.end() if instance is not None else -1
        self._rows = 0
        self._row: re.Match[bytes] | None = None

    def place(self, offset: int) -> tuple[str, str] | None:
        """Return property path and override of a later offset, if certain."""
        while 0 <= self._next_row <= offset:
            self._row = _MODIFICATION.match(self._data, self._next_row, self._end)
            self._rows += 1
            self._next_row = self._row.end() if self._row is not None else -1
        row = self._row
        if row is not None and row.start() < offset < row.end():
            if offset not in (row.start(1), row.start(3)):
                return None
            key = "target" if offset == row.start(1) else "objectReference"
            return f"m_Modification.m_Modifications[{self._rows - 1}].{key}", row[2].decode()
        return self._of_own_line(offset)

    def _of_own_line(self, offset: int) -> tuple[str, str] | None:
        data = self._data
        if self._limit < 0:
            self._limit = self._first_unusual()
        if offset >= self._limit:
            return None
        # No further back than such a line is long: one line of a hostile file has 80,000 references.
        line = data.rfind(b"\n", max(self._start, offset - _LONGEST_OWN_LINE), offset) + 1
        found = _OWN_LINE.fullmatch(data, line, offset)
        if found is None:
            return None
        key: bytes | None = found[1]
        if key is None:
            return self._of_item(line)
        return (key.decode(), "") if key != _ENTRY else None

    def _of_item(self, line: int) -> tuple[str, str] | None:
        data = self._data
        if line >= self._list_end:
            low = max(self._start, self._list_end - 1)  # where the list before it ends, or each searched all before it
            first = max(data.rfind(beginning, low, line + len(_ITEM)) for beginning in _LIST_BEGINNINGS)
            found = _LIST.match(data, data.rfind(b"\n", low, max(first, low)) + 1, self._limit)
            if found is None or found.end() <= line or found[1] == _ENTRY:
                self._limit = line  # or each row of a long list would search for its beginning
                return None
            self._list, self._list_end, self._item, self._number = found[1], found.end(), found.start(2), 0
        self._number += data.count(_ITEM, self._item, line + len(_ITEM) - 1)
        self._item = line
        return f"{self._list.decode()}[{self._number}]", ""

    def _first_unusual(self) -> int:
        """Return where a line may belong to something else."""
        data, end = self._data, self._end
        head = _CLASS_LINE.match(data, self._start, end)
        if head is None:
            return 0
        outer = _OUTER_LINE.search(data, head.end(), end)
        end = outer.start() if outer is not None else end
        for mark in (b"\n  propertyPath", b"'", b'"'):
            found = data.find(mark, head.end(), end)
            end = found if found >= 0 else end
        return end


class _Ways:
    """The properties that lead to ascending offsets in one document."""

    def __init__(self, data: bytes, start: int, end: int) -> None:
        self._data = data
        self._start = start
        self._end = end
        self._usual = _Usual(data, start, end)
        self._lines: _Lines | None = None

    def of(self, offset: int) -> tuple[str, str]:
        """Return property path and override of an offset."""
        if offset > self._end:  # in the header of the next document, or after the end
            return "", ""
        found = self._usual.place(offset)
        if found is not None:
            return found
        if self._lines is None:
            self._lines = _Lines(self._data, self._start, self._end)
        self._lines.read_to(offset)
        return self._lines.place(offset)
