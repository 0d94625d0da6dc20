"""Lines of a text asset that Unity refuses to read.

Pure: bytes in, faults out. To read every line by the rules costs a tenth of a first check. So searches of the whole
file find the few values and lines that are not in every object (texts that are quoted or wrapped, lines without a key);
such a value is then read alone, and the whole object only where that leaves a doubt.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.unity.yaml.nodes import SCALAR, UnreadableError, read_nodes
from assetdb.unity.yaml.scalars import scalar_fault, scalar_span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assetdb.unity.yaml.nodes import Node

NO_SPACE: Final = "has a dash without the space behind it"
SECOND_HEAD: Final = "begins with %YAML, which is allowed once, at the beginning of the file"
BEHIND_QUOTE: Final = "has text behind a closing quote"
COLON_IN_TEXT: Final = "has a colon and a space in a text without quotes"
CONTROL: Final = "has a control character"

_START: Final = itemgetter(3)
_BLANK: Final = b" \t\r"
# A value before a deeper line or a dash, a line without a key, a dash without its space, the head of a file, a quoted
# key. A reference over two lines is no such value. Keys consist of ``\w``: the class ``[^:\n]`` takes twice the time.
_WITHOUT_KEY: Final = rb"(?!:)[^:\n]*+(?:\n|\Z))|-\r?\n|%YAML |'|\")"
_UNUSUAL: Final = re.compile(rb"\n( *+)(?:\w++(?:: ()[^{\n].*+\n\1[ -]|" + _WITHOUT_KEY)
# The same, and a plain value with a colon and a space, which Unity up to 2019.2 refuses.
_UNUSUAL_FOR_LIBYAML: Final = re.compile(
    rb"\n( *+)(?:\w++(?:: ()(?:[^{\n'\"][^:\n]*+(?::[^ \n][^:\n]*+)*+: |[^{\n].*+\n\1[ -])|" + _WITHOUT_KEY
)
_QUOTES: Final = (b": '", b': "', b"- '", b'- "')
_BEHIND_BRACE: Final = re.compile(rb"\}[^\r\n]")
_OPEN_BRACE: Final = re.compile(rb"[:-] \{")
_OPEN_BRACKET: Final = re.compile(rb"\[(?<=: \[)(?!\])")
_SECOND_HEAD: Final = b"\n%YAML "
_BARE_DASH: Final = re.compile(rb"\n *+(?:- )*+(-)\r?\n")
_CONTROLS: Final = bytes(number for number in range(32) if number not in b"\n\r")
_CONTROL: Final = re.compile(rb"[\x00-\x09\x0b\x0c\x0e-\x1f]")
_COLON: Final = re.compile(rb":[ \n]")


class Refusal(NamedTuple):
    """One thing that Unity refuses.

    Attributes:
        offset: of the wrong byte.
        reason: what its line has.
    """

    offset: int
    reason: str


def find_refusals(
    data: bytes, documents: Sequence[tuple[int, int, bool, int, int]], *, is_balanced: bool, libyaml: bool = False
) -> list[Refusal]:
    """Return the first refusal of each object.

    Args:
        data: the whole file.
        documents: the result of :func:`assetdb.unity.yaml.documents.cut`.
        is_balanced: whether it has as many closing as opening braces.
        libyaml: whether Unity up to 2019.2 reads it.
    """
    doubts = _doubts(data, is_balanced=is_balanced, libyaml=libyaml)
    second = data.find(_SECOND_HEAD) if doubts else -1
    if second >= 0:
        return [Refusal(second + 1, SECOND_HEAD)]
    found = []
    done = -1
    for place in doubts:
        number = bisect_right(documents, place, key=_START) - 1
        if number <= done:
            continue
        done = number
        start, end = documents[number][3:]
        refusal = _in_object(data[start:end], libyaml=libyaml)
        if refusal is not None:
            found.append(Refusal(start + refusal.offset, refusal.reason))
    return found


def _doubts(data: bytes, *, is_balanced: bool, libyaml: bool) -> list[int]:
    """Return places of objects to be read line by line, in order."""
    unusual = _UNUSUAL_FOR_LIBYAML if libyaml else _UNUSUAL
    has_quotes = b"'" in data or b'"' in data
    rare = [pattern for pattern in (_BEHIND_BRACE, _OPEN_BRACKET) if pattern.search(data) is not None]
    if not is_balanced:
        rare.append(_OPEN_BRACE)
    if libyaml and len(data.translate(None, _CONTROLS)) != len(data):
        rare.append(_CONTROL)
    if not rare and not has_quotes and unusual.search(data) is None:  # nearly all files
        return []
    found = [
        (match.start() + 1, -1) if match[2] is None or match[0].endswith(b"-") else (match.start(2), len(match[1]))
        for match in unusual.finditer(data)
    ]
    for pattern in rare:
        found += [(match.start(), -1) for match in pattern.finditer(data)]
    for opening in _QUOTES if has_quotes else ():
        place = data.find(opening)
        while place >= 0:
            found.append((place + 2, 0))
            place = data.find(opening, place + 2)
    return _without_sound_texts(data, sorted(found), libyaml=libyaml)


def _without_sound_texts(data: bytes, found: Sequence[tuple[int, int]], *, libyaml: bool) -> list[int]:
    """Return the places that are neither a sound text nor in one.

    Args:
        data: the whole file.
        found: a place, and the column of its key where a value begins there, else -1.
        libyaml: whether Unity up to 2019.2 reads it.
    """
    places = []
    sound = 0
    for place, indent in found:
        if place < sound:
            continue
        if indent >= 0:
            start, end, quote = scalar_span(data, place, indent)
            raw = data[start:end]
            is_sound = scalar_fault(raw, quote, libyaml=libyaml) is None and not _text_behind(data, end)
            is_sound = is_sound and not data.startswith(b"\n%b- " % (b" " * indent), data.find(b"\n", end))
            if is_sound and not (libyaml and (_CONTROL.search(raw) or (not quote and _COLON.search(raw)))):
                sound = end
                continue
        places.append(place)
    return places


def _text_behind(data: bytes, end: int) -> int:
    """Return where text follows in the line, or 0."""
    line_end = data.find(b"\n", end)
    rest = data[end : line_end if line_end >= 0 else len(data)]
    return end + len(rest) - len(rest.lstrip(_BLANK)) if rest.strip(_BLANK) else 0


def _in_object(body: bytes, *, libyaml: bool) -> Refusal | None:
    """Return the first thing that Unity refuses in an object."""
    texts: list[tuple[int, int]] = []
    found = None
    try:
        for node in read_nodes(body, libyaml=libyaml):
            if node.kind == SCALAR:
                found = found or _in_scalar(body, node, libyaml=libyaml)
                texts.append((node.start, node.end))
    except UnreadableError as error:
        found = found if found is not None and found.offset < error.place else Refusal(error.place, error.reason)
    if not libyaml:
        for dash in _BARE_DASH.finditer(body):
            place = dash.start(1)
            number = bisect_right(texts, (place, len(body))) - 1
            if (number < 0 or place >= texts[number][1]) and (found is None or place < found.offset):
                return Refusal(place, NO_SPACE)
    return found


def _in_scalar(body: bytes, node: Node, *, libyaml: bool) -> Refusal | None:
    """Return the refusal in a value or behind it."""
    behind = _text_behind(body, node.end) if node.quoted else 0
    if libyaml:
        raw = body[node.start : node.end]
        control = _CONTROL.search(raw)
        colon = _COLON.search(raw) if not node.quoted else None
        if control is not None:
            return Refusal(node.start + control.start(), CONTROL)
        if colon is not None:
            return Refusal(node.start + colon.start(), COLON_IN_TEXT)
        if behind:
            return Refusal(behind, BEHIND_QUOTE)
    return None
