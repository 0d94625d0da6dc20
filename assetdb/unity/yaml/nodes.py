"""Nodes of Unity's text: mappings, lists and scalars with their places.

A document or a meta is read line by line. A line has a column, dashes of list items, a key, and perhaps a value; a
mapping or list begins on the next line. Scalars are read by :mod:`assetdb.unity.yaml.scalars`. Nothing is built, so
neither depth nor size of a file costs more than its lines, and a reader may stop at any node.
"""

from __future__ import annotations

import re

from assetdb.unity.yaml.scalars import UNCLOSED_QUOTE, key_span, scalar_fault, scalar_span, scalar_text
from assetdb_formats.binary import FormatError
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from typing import Final, Self

SCALAR: Final = 0
KEY: Final = 1
MAPPING: Final = 2
LIST: Final = 3
END: Final = 4
"""Kinds of nodes; an end closes the last mapping or list."""

UNCLOSED_FLOW: Final = "has a brace or bracket that is not closed"
BEHIND_FLOW: Final = "has text behind a closing brace or bracket"
NO_COMMA: Final = "has no comma between two values in braces"
NO_COLON: Final = "has a key in braces without a value"
NO_KEY: Final = "has no key"
NO_BLOCK: Final = "is indented as no line above it"
NO_SPACE: Final = "has a dash without the space behind it"
TOO_DEEP: Final = "is nested deeper than {} levels"

DEEPEST: Final = 64
_FLOWS: Final = (b"{", b"[")
_DASH_ENDS: Final = (b" ", b"", b"\r", b"\t")
_BLANK: Final = b" \t\r"
_NUMBER_SIGN: Final = 0x23
_ROOT: Final = -1
_ATOM: Final = rb"[^\s{}\[\],'\":]{1,99}"
_SIMPLE_FLOW: Final = re.compile(rb"\{\w{1,99}: %b(?>(?:,\s{1,99}\w{1,99}: %b){0,999})\}" % (_ATOM, _ATOM))
_LARGEST_SIMPLE: Final = 4096  # bytes whose nodes are made at once
_SIMPLE_ITEM: Final = re.compile(rb"(\w+): (%b)" % _ATOM)
_FLOW_SPACE: Final = re.compile(rb"\s*+")
_BLANK_LINES: Final = re.compile(rb"(?:[ \t\r]*+\n)++")
_FLOW_PLAIN: Final = re.compile(rb"[^,{}\[\]:]*+(?::(?![\s,{}\[\]])[^,{}\[\]:]*+)*")


class UnreadableError(FormatError):
    """Error of a line that Unity does not read.

    Attributes:
        reason: what the line has or is: :data:`NO_KEY`.
        line: its number in the text that was read, from 1 on.
        place: the byte in that text.
    """

    reason = ""
    line = 0
    place = 0

    @classmethod
    def of(cls, reason: str, data: bytes, place: int) -> Self:
        """Return the error of a byte in a text."""
        line = data.count(b"\n", 0, place) + 1
        error = cls(f"is not as Unity writes it: line {line} of its document {reason}")
        error.reason, error.line, error.place = reason, line, place
        return error

    def at(self, path: str) -> Self:
        """Return the same error with the file it was found in."""
        error = type(self)(self.what, offset=self.offset, field=self.field, path=path)
        error.reason, error.line, error.place = self.reason, self.line, self.place
        return error


class Node(NamedTuple):
    """A step through the text.

    Attributes:
        kind: one of the five above.
        start: of a key or scalar with its quotes; of a mapping or list its first byte.
        end: behind the last byte of a key or scalar; ``start`` for other kinds.
        text: of a key or scalar.
        quoted: whether a key or scalar has quotes.
        flow: whether a mapping or list has braces.
    """

    kind: int
    start: int
    end: int
    text: str = ""
    quoted: bool = False
    flow: bool = False


def read_nodes(data: bytes, *, libyaml: bool = False) -> Iterator[Node]:
    """Yield the nodes of one document or of a meta.

    Args:
        data: the lines after the document's header, from the end of its line on.
        libyaml: whether it is read by Unity up to 2019.2.

    Raises:
        UnreadableError: Unity does not read it, or it is too deep.
    """
    size = len(data)
    columns: list[int] = []  # of the open mappings and lists
    are_lists: list[bool] = []
    waiting, after_key, waiting_place = _ROOT, True, 0  # column of a key or dash without a value so far
    is_begun = False
    position = 0
    while position < size:
        line_end = data.find(b"\n", position)
        line_end = line_end if line_end >= 0 else size
        line = data[position:line_end].lstrip(b" \t")
        if not line or line[0] == _NUMBER_SIGN or (line[0] in _BLANK and not line.strip(_BLANK)):
            blank = _BLANK_LINES.match(data, position)
            # Unity writes no comment: what it does with one is not known.
            position = blank.end() if blank is not None else line_end + 1
            continue
        column = line_end - position - len(line)
        dash = line[:1] == b"-" and line[1:2] in _DASH_ENDS
        is_value = not is_begun or (
            waiting > _ROOT and (column > waiting or (after_key and dash and column == waiting))
        )
        if not is_value:
            if waiting > _ROOT:
                yield Node(SCALAR, waiting_place, waiting_place)
            while columns and columns[-1] > column:
                columns.pop()
                are_lists.pop()
                yield Node(END, position, position)
            if columns and columns[-1] == column and are_lists[-1] and not dash:
                columns.pop()
                are_lists.pop()
                yield Node(END, position, position)
            if not columns or columns[-1] != column:
                raise UnreadableError.of(NO_BLOCK, data, position)
            if dash and not are_lists[-1]:
                raise UnreadableError.of(NO_KEY, data, position)
        outer = waiting if is_value else _ROOT
        waiting, is_begun = _ROOT, True
        place = line_end - len(line)
        while True:  # each dash of the line, then its key or value
            if len(columns) > DEEPEST:
                raise UnreadableError.of(TOO_DEEP.format(DEEPEST), data, place)
            if dash:
                if is_value:
                    columns.append(column)
                    are_lists.append(True)
                    yield Node(LIST, place, place)
                place += 1
                while data[place : place + 1] in (b" ", b"\t"):
                    place += 1
                outer, is_value = column, True
                column = place - position
                if place >= line_end or data[place] == 0x0D:
                    if not libyaml and data[place - 1 : place] == b"-":
                        raise UnreadableError.of(NO_SPACE, data, place - 1)
                    waiting, after_key, waiting_place = outer, False, line_end
                    position = line_end + 1
                    break
                dash = data[place : place + 1] == b"-" and data[place + 1 : place + 2] in (*_DASH_ENDS, b"\n")
                continue
            is_flow = data[place : place + 1] in _FLOWS
            key_end, behind, quote = (-1, -1, b"") if is_flow else key_span(data, place, line_end)
            if key_end >= 0:
                if is_value:
                    columns.append(column)
                    are_lists.append(False)
                    yield Node(MAPPING, place, place)
                yield Node(KEY, place, key_end, scalar_text(data[place:key_end], quote), bool(quote))
                while data[behind : behind + 1] in (b" ", b"\t"):
                    behind += 1
                if behind >= line_end or data[behind] == 0x0D:
                    waiting, after_key, waiting_place = column, True, behind
                    position = line_end + 1
                    break
                place, outer = behind, column
                is_flow = data[place : place + 1] in _FLOWS
            elif not is_value or not columns:
                raise UnreadableError.of(NO_KEY, data, place)
            if is_flow:
                simple = _SIMPLE_FLOW.match(data, place)
                if simple is not None and simple.end() - place <= _LARGEST_SIMPLE:
                    yield from _simple_flow(data, place, simple.end())
                    end = simple.end()
                else:
                    end = yield from _flow(data, place, DEEPEST - len(columns), libyaml=libyaml)
                position = _next_line(data, end, BEHIND_FLOW)
            else:
                yield (node := _scalar(data, place, outer, libyaml=libyaml))
                position = _next_line(data, node.end, "")
            break
    if waiting > _ROOT:
        yield Node(SCALAR, waiting_place, waiting_place)
    for _ in columns:
        yield Node(END, size, size)


def whole_mapping(data: bytes, *, most: int) -> dict[str, object]:
    """Return a document as mappings, lists and texts.

    Of equal keys the last counts.

    Args:
        data: as :func:`read_nodes` takes it.
        most: how many nodes it may have.

    Raises:
        FormatError: Unity does not read it, or it has more nodes.
    """
    whole: dict[str, object] = {}
    open_now: list[dict[str, object] | list[object]] = []
    keys: list[str] = []
    for count, node in enumerate(read_nodes(data)):
        if count > most:
            raise FormatError("has too many values")
        if node.kind == KEY:
            keys[-1] = node.text
            continue
        if node.kind == END:
            open_now.pop()
            keys.pop()
            continue
        value: str | dict[str, object] | list[object] = node.text
        if node.kind != SCALAR:
            value = {} if node.kind == MAPPING else []
        if not open_now:
            if not isinstance(value, dict):
                raise FormatError("is not a mapping")
            whole = value
        elif isinstance(open_now[-1], dict):
            open_now[-1][keys[-1]] = value
        else:
            open_now[-1].append(value)
        if not isinstance(value, str):
            open_now.append(value)
            keys.append("")
    return whole


def _next_line(data: bytes, end: int, fault: str) -> int:
    """Return the start of the line after a value.

    Raises:
        UnreadableError: text follows the value, which is a fault.
    """
    line_end = data.find(b"\n", end)
    line_end = line_end if line_end >= 0 else len(data)
    if fault and data[end:line_end].strip(_BLANK):
        raise UnreadableError.of(fault, data, end)
    return line_end + 1


def _scalar(data: bytes, start: int, indent: int, *, libyaml: bool) -> Node:
    """Return the scalar at a place.

    Raises:
        UnreadableError: Unity does not read it.
    """
    start, end, quote = scalar_span(data, start, indent)
    raw = data[start:end]
    fault = scalar_fault(raw, quote, libyaml=libyaml)
    if fault is not None:
        raise UnreadableError.of(fault[0], data, start + fault[1])
    if quote and b"\n" in raw and _is_open_before(data, raw, end, indent):
        raise UnreadableError.of(UNCLOSED_QUOTE, data, start)
    return Node(SCALAR, start, end, scalar_text(raw, quote), bool(quote))


def _is_open_before(data: bytes, raw: bytes, end: int, indent: int) -> bool:
    """Whether a quote that was left open ends in a later text."""
    line_end = data.find(b"\n", end)
    if not data[end : line_end if line_end >= 0 else len(data)].strip(_BLANK):
        return False
    lines = (line for line in raw.split(b"\n")[1:] if line.strip(_BLANK))
    return any(len(line) - len(line.lstrip(b" ")) <= indent for line in lines)


def _simple_flow(data: bytes, start: int, end: int) -> list[Node]:
    """Return the nodes of short braces, as of references and vectors."""
    found = [Node(MAPPING, start, start, flow=True)]
    for item in _SIMPLE_ITEM.finditer(data, start, end):
        found.append(Node(KEY, item.start(1), item.end(1), item[1].decode("utf-8", "replace")))
        found.append(Node(SCALAR, item.start(2), item.end(2), item[2].decode("utf-8", "replace")))
    found.append(Node(END, end, end))
    return found


def _flow(data: bytes, start: int, deepest: int, *, libyaml: bool) -> Generator[Node, None, int]:
    """Yield the nodes of braces or brackets, and return their end.

    Raises:
        UnreadableError: they are not closed or too deep, or a key or comma is missing.
    """
    last = start  # the start of the last node
    closing: list[bytes] = []
    has_key, has_value = False, False  # what the current item has so far
    place = start
    while True:
        space = _FLOW_SPACE.match(data, place)
        place = space.end() if space is not None else place
        mark = data[place : place + 1]
        if not mark:
            raise UnreadableError.of(UNCLOSED_FLOW, data, start)
        if mark in (b",", b"}", b"]"):
            if mark != b"," and mark != closing[-1]:
                raise UnreadableError.of(UNCLOSED_FLOW, data, start)
            if has_key and not has_value:
                last = place
                yield Node(SCALAR, place, place)
            elif mark == b"," and not has_value:
                raise UnreadableError.of(NO_COMMA, data, place)
            place += 1
            has_key, has_value = False, False
            if mark != b",":
                closing.pop()
                last = place
                yield Node(END, place, place)
                has_value = True
                if not closing:
                    return place
                has_key = closing[-1] == b"}"
            continue
        if has_value:
            if data.find(b"\n", last, place) >= 0:  # the next line of the block
                raise UnreadableError.of(UNCLOSED_FLOW, data, start)
            raise UnreadableError.of(NO_COMMA, data, place)
        is_key = bool(closing) and closing[-1] == b"}" and not has_key
        if mark in _FLOWS:
            if is_key:
                raise UnreadableError.of(NO_KEY, data, place)
            if len(closing) >= deepest:
                raise UnreadableError.of(TOO_DEEP.format(DEEPEST), data, place)
            last = place
            yield Node(MAPPING if mark == b"{" else LIST, place, place, flow=True)
            closing.append(b"}" if mark == b"{" else b"]")
            has_key, has_value = False, False
            place += 1
            continue
        node = _in_flow(data, place, libyaml=libyaml)
        place = node.end
        if not is_key:
            last = node.start
            yield node
            has_value = True
            continue
        last = node.start
        yield node._replace(kind=KEY)
        space = _FLOW_SPACE.match(data, place)
        place = space.end() if space is not None else place
        if data[place : place + 1] != b":":
            if place == len(data):
                raise UnreadableError.of(UNCLOSED_FLOW, data, start)
            raise UnreadableError.of(NO_COLON, data, node.start)
        place += 1
        has_key = True


def _in_flow(data: bytes, start: int, *, libyaml: bool) -> Node:
    """Return the scalar in braces at a place.

    Raises:
        UnreadableError: Unity does not read it.
    """
    if data[start : start + 1] in (b"'", b'"'):
        return _scalar(data, start, _ROOT, libyaml=libyaml)
    match = _FLOW_PLAIN.match(data, start)
    raw = match[0].rstrip() if match is not None else b""
    return Node(SCALAR, start, start + len(raw), scalar_text(raw, b""))
