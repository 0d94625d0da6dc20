"""References in some lines of an open document, with ranges."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.system.cancelling import check_cancelled
from assetdb.unity.kinds import DOCUMENTS, HEAD_BYTES, OTHER, SOURCE, is_yaml_head, kind_of
from assetdb.unity.referring.other_forms import other_references
from assetdb.unity.yaml.annotation import find_referred

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.lsp.documents.text import Text

YAML: Final = "yaml"
"""The form of references in prefabs, metas and the like; any other form is called by the extension of its files."""
_MARGIN: Final = 4  # lines of one reference: Unity wraps YAML at 80 columns, graphs have a line for each key
_GUID_LENGTH: Final = 32
_GUID: Final = re.compile(rb"(?<![0-9a-zA-Z])[0-9a-fA-F]{32}(?![0-9a-zA-Z])")


class LineReference(NamedTuple):
    """One reference.

    Attributes:
        start: offset of the brace, or of the first digit of a GUID.
        end: offset behind the last byte.
        guid: 32 lower-case hex digits, ``""`` for an object of the same file.
        file_id: the object, or None if the form names the asset as a whole.
        override: whether it is the target of an override of a prefab instance.
    """

    start: int
    end: int
    guid: str
    file_id: int | None
    override: bool


def form_of(path: str, text: Text) -> str:
    """Return the form of references in a file, or ``""``."""
    extension = path.rpartition("/")[2].rpartition(".")[2].lower()
    content = kind_of(extension).content
    if extension == "meta" or content in (DOCUMENTS, SOURCE):
        return YAML
    if content == OTHER:
        return ""
    return extension if content else YAML if is_yaml_head(text.slice(0, HEAD_BYTES)) else ""


def references_in_lines(text: Text, first: int, last: int, form: str) -> list[LineReference]:
    """Return the references that end in the lines from ``first`` to ``last``."""
    if not form:
        return []
    start = text.line_start(max(0, first - _MARGIN))
    data = text.slice(start, text.line_start(last + 1 + _MARGIN))
    low, high = text.line_start(max(0, first)) - start, text.line_start(last + 1) - start
    return [
        found._replace(start=found.start + start, end=found.end + start)
        for found in references_in(data, form)
        if low < found.end <= high
    ]


def first_references(text: Text, first: int, last: int, form: str, most: int) -> list[LineReference]:
    """Return the first references that end in some lines.

    Editors that draw a minimap request hints for every line of a 15 MB scene at once.
    """
    if form != YAML:
        return references_in_lines(text, first, last, form)[:most]
    found: list[LineReference] = []
    for begin, end in pairwise(text.lines):
        if begin <= last and end > first and len(found) < most:
            found += references_in_lines(text, max(first, begin), min(last, end - 1), form)
    if last >= text.lines[-1]:  # a last line without a line break
        found += references_in_lines(text, max(first, text.lines[-1]), last, form)
    return found[:most]


def references_in(data: bytes, form: str) -> list[LineReference]:
    """Return the references of a file or part, by their ends."""
    found = []
    if form == YAML:
        for position, guid, file_id, override in find_referred(data):
            digits = guid.hex() if guid is not None else ""
            if data[position] == 0x7D:  # the brace behind a reference; else a GUID begins here
                found.append(LineReference(data.rfind(b"{", 0, position), position + 1, digits, file_id, override))
            else:
                found.append(LineReference(position, position + _GUID_LENGTH, digits, file_id, override))
    else:
        for other in other_references(data, form):
            end = other.offset + _GUID_LENGTH
            found.append(LineReference(other.offset, end, other.guid.hex(), other.file_id, override=False))
    return sorted(found, key=lambda item: item.end)


def references_to_guid(
    text: Text, guid: str, file_id: int | None, form: str, *, near: int = 0
) -> Iterator[LineReference]:
    """Yield references to an asset or object, those around ``near`` first."""
    wanted = re.compile(guid.encode(), re.IGNORECASE)
    for start, data in _chunks_around(text, near):
        last = -1
        for match in wanted.finditer(data):
            line = text.line_at(start + match.start())
            if line == last:  # a file of one line is read once, not for each of its references
                continue
            last = line
            for found in references_in_lines(text, line, line + 1, form):
                if found.guid != guid or (file_id is not None and found.file_id not in (file_id, None)):
                    continue
                digits = wanted.search(text.slice(found.start, found.end))
                if digits is not None and text.line_at(found.start + digits.start()) == line:
                    yield found


def references_to_object(text: Text, file_id: int, *, near: int = 0) -> Iterator[tuple[int, int]]:
    """Yield references to an object of the text, those around ``near`` first."""
    wanted = re.compile(rb"\{[ ]*fileID:\s{1,99}%d\s{0,99}\}" % file_id)
    for start, data in _chunks_around(text, near):
        for match in wanted.finditer(data):
            yield start + match.start(), start + match.end()


def _chunks_around(text: Text, offset: int) -> Iterator[tuple[int, bytes]]:
    """Yield start and bytes of each chunk, nearest first."""
    here = text.chunk_at(offset)
    for number in sorted(range(len(text.chunks)), key=lambda number: abs(number - here)):
        check_cancelled()
        yield text.offsets[number], text.chunks[number].data


def reference_at(text: Text, offset: int, form: str) -> LineReference | None:
    """Return the reference, or else the 32 hex digits, around a byte."""
    line = text.line_at(offset)
    for found in references_in_lines(text, line, line + 1, form):
        if found.start <= offset <= found.end:
            return found
    start = text.line_start(line)
    around = max(start, offset - _GUID_LENGTH)
    for match in _GUID.finditer(text.slice(max(start, around - 1), min(offset + _GUID_LENGTH + 1, text.size))):
        begin = max(start, around - 1) + match.start()
        if begin <= offset <= begin + _GUID_LENGTH:
            return LineReference(begin, begin + _GUID_LENGTH, match[0].decode().lower(), None, override=False)
    return None
