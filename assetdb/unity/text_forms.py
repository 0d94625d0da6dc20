"""Faults of text assets in JSON, XML or style sheets.

Pure: bytes in, the place and reason of the first fault out.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final
from xml.parsers.expat import ExpatError, ParserCreate

from assetdb.unity.kinds import BYTE_ORDER_MARK

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

TextFault = tuple[int, str]
"""Line, from 1 on, and what it has."""

_SPACE: Final = re.compile(r"[ \t\r\n]*")
_NO_UTF8: Final = "has bytes that are not UTF-8"
_TOO_DEEP: Final = "is nested too deeply"
_SHEET: Final = re.compile(
    rb"/\*|[{}]|\"[^\"\\\n]*+(?:\\(?s:.)[^\"\\\n]*+)*+(\"?)|'[^'\\\n]*+(?:\\(?s:.)[^'\\\n]*+)*+('?)"
)
_COMMENT_END: Final = b"*/"
_BRACES: Final = (b"{", b"}")


def fault_of(data: bytes, extension: str) -> TextFault | None:
    """Return why Unity cannot read a text asset, else None.

    Args:
        data: the file; an empty one has no fault.
        extension: in lower case, without the dot; ``json`` for any one JSON document.
    """
    find = _FORMS.get(extension)
    return find(data) if find is not None and data.strip() else None


def _json_fault(data: bytes) -> TextFault | None:
    """Return the fault of one JSON document."""
    return _fault_of_json(data, several=False)


def _graph_fault(data: bytes) -> TextFault | None:
    """Return the fault of a graph.

    It is one JSON object, from Shader Graph 10 on several behind one another.
    """
    return _fault_of_json(data, several=True)


def _fault_of_json(data: bytes, *, several: bool) -> TextFault | None:
    data = data.removeprefix(BYTE_ORDER_MARK)  # the codec utf-8-sig counts the places of errors without it
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        return _line(data, error.start), _NO_UTF8
    decoder = json.JSONDecoder(parse_int=str)  # Python refuses to convert an integer of more than 4,300 digits
    place = _behind_space(text, 0)
    try:
        while place < len(text):
            _, end = decoder.raw_decode(text, place)
            place = _behind_space(text, end)
            if place < len(text) and not several:
                return text.count("\n", 0, place) + 1, "has more behind the end of its JSON"
    except json.JSONDecodeError as error:
        return error.lineno, f"is not JSON ({error.msg})"
    except RecursionError:
        return text.count("\n", 0, place) + 1, _TOO_DEEP
    return None


def _behind_space(text: str, place: int) -> int:
    match = _SPACE.match(text, place)
    return match.end() if match is not None else place


class _EntityError(Exception):
    """Error of a document that declares entities, which may grow without bound."""


def _xml_fault(data: bytes) -> TextFault | None:
    """Return the fault of an XML document without entities of its own."""
    parser = ParserCreate()
    parser.EntityDeclHandler = _refuse_entity
    try:
        parser.Parse(data, True)  # noqa: FBT003 - it has no name
    except ExpatError as error:
        return error.lineno, f"is not XML ({str(error).partition(':')[0]})"
    except (_EntityError, LookupError, ValueError):  # an encoding that Python or expat lacks, as Shift_JIS
        return None
    return None


def _refuse_entity(*_: object) -> None:
    raise _EntityError


def _sheet_fault(data: bytes) -> TextFault | None:
    """Return the part of a style sheet that is not closed."""
    blocks: list[int] = []
    place = 0
    while match := _SHEET.search(data, place):
        start, place = match.span()
        if match[0] == b"/*":
            place = data.find(_COMMENT_END, place) + len(_COMMENT_END)
            if place < start + len(_COMMENT_END):
                return _line(data, start), "has a comment that is not closed"
        elif match[0] not in _BRACES:
            if not (match[1] or match[2]):
                return _line(data, start), "has a quote that is not closed"
        elif match[0] == b"{":
            blocks.append(start)
        elif not blocks:
            return _line(data, start), "has a closing brace too many"
        else:
            blocks.pop()
    return (_line(data, blocks[-1]), "has a brace that is not closed") if blocks else None


def _line(data: bytes, place: int) -> int:
    return data.count(b"\n", 0, place) + 1


_FORMS: Final[Mapping[str, Callable[[bytes], TextFault | None]]] = {
    "json": _json_fault,
    "inputactions": _json_fault,
    "shadergraph": _graph_fault,
    "shadersubgraph": _graph_fault,
    "uxml": _xml_fault,
    "xml": _xml_fault,
    "uss": _sheet_fault,
}
