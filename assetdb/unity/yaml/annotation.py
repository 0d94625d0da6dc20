"""Annotation of YAML with names as comments.

    m_Script: {fileID: 11500000, guid: 7d602c2080b53413fa393df6b2c0af43, type: 3} # Health.cs
    m_GameObject: {fileID: 3215} # Player / Body

Nothing else changes, neither line ends nor spaces: without these comments the text is the original, byte for byte. For
that the last `` # `` of every line must begin an added comment: lines that contain one already (in a quoted text)
get an empty comment.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assetdb.system.escaping import printable
from assetdb.unity.referring.other_forms import other_references
from assetdb.unity.referring.texts import without_texts
from assetdb.unity.yaml.objects import OVERRIDE_TARGET

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Referred = tuple[int, bytes | None, int | None, bool]
    """Last byte of a reference, GUID (None: the file's own), fileID, and whether it is the target of an override."""

_MARK: Final = b" # "
_SEPARATOR: Final = "; "
# Unity breaks lines of more than 80 columns after ``guid: ...,``; other tools may break them at any space.
_REFERENCE: Final = re.compile(
    rb"\{\s{0,99}fileID:\s{1,99}(-?\d{1,20})"
    rb"(?:,\s{1,99}guid:\s{1,99}([0-9a-fA-F]{32})(?:,\s{1,99}type:\s{1,99}-?\d{1,9})?)?\s{0,99}\}"
)
# Text before a value: a key, a list item, or another value of a flow list (or the line break between them).
_BEFORE_VALUE: Final = re.compile(rb"(?:[:,-]\s{1,99}|\[\s{0,99})\Z")
_BEFORE_LENGTH: Final = 100
_CLOSED_TEXT: Final = (b"'", b'"')


def annotate(
    data: bytes,
    name_of: Callable[[bytes, int | None, bool], str | None],
    local_name_of: Callable[[int], str | None],
) -> bytes:
    """Return an asset or meta with names as comments.

    Args:
        data: the file; line ends are preserved.
        name_of: the name of the object of a GUID (16 bytes) and a fileID, or of the asset if the fileID is None
            (``guid:`` of a meta, ``m_AssetGUID:``); None if there is none to show. The third argument is whether the
            reference is the target of an override of a prefab instance.
        local_name_of: the name of an object of this file by its fileID; None if there is none to show.
    """
    return with_comments(data, list(named(find_referred(data), name_of, local_name_of)))


def with_comments(data: bytes, names_at: list[tuple[int, str]]) -> bytes:
    """Return data with a comment after each line with a named position."""
    names: dict[int, list[str]] = {}
    lines = _Lines(data)
    for position, name in sorted(names_at):
        names.setdefault(lines.end(position), []).append(name)
    lines = _Lines(data)
    position = data.find(_MARK)
    while position >= 0:
        end = lines.end(position)
        names.setdefault(end, [])
        position = data.find(_MARK, end)
    parts: list[bytes] = []
    start = 0
    for end in sorted(names):
        parts += (data[start:end], _MARK, _SEPARATOR.join(dict.fromkeys(names[end])).encode())
        start = end
    parts.append(data[start:])
    return b"".join(parts)


class _Lines:
    """Ends of lines for ascending positions, each searched once."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.known = -1
        self.body = 0

    def end(self, position: int) -> int:
        """Return the end of a line's text, before its line end."""
        if position > self.known:
            found = self.data.find(b"\n", position)
            self.known = len(self.data) if found < 0 else found
            crlf = found > 0 and self.data[found - 1] == 0x0D
            self.body = self.known - 1 if crlf else self.known
        return self.body


def named(
    referred: Iterable[Referred],
    name_of: Callable[[bytes, int | None, bool], str | None],
    local_name_of: Callable[[int], str | None],
) -> Iterator[tuple[int, str]]:
    """Yield position (of the last byte) and name of references."""
    known: dict[tuple[bytes | None, int | None, bool], str] = {}
    for position, guid, file_id, is_target in referred:
        key = guid, file_id, is_target
        name = known.get(key)
        if name is None:
            found = name_of(guid, file_id, is_target) if guid is not None else local_name_of(file_id or 0)
            known[key] = name = "" if found is None else _printable(found)
        if name:
            yield position, name


def find_referred(data: bytes) -> list[Referred]:
    """Return the references that may have a comment."""
    found: list[Referred] = []
    for match in _REFERENCE.finditer(without_texts(data)):
        file_id = int(match[1])
        if file_id == 0 or not _BEFORE_VALUE.search(data, max(0, match.start() - _BEFORE_LENGTH), match.start()):
            continue
        guid = bytes.fromhex(match[2].decode()) if match[2] else None
        is_target = data.endswith(OVERRIDE_TARGET, 0, match.start())
        found.append((match.end() - 1, guid, file_id, is_target))
    lines = _Lines(data)
    for reference in other_references(data, "yaml"):
        if reference.file_id is not None and not data.startswith(_CLOSED_TEXT, lines.end(reference.offset) - 1):
            continue  # JSON in a text that continues on the next line: a comment would become part of it
        found.append((reference.offset, reference.guid, reference.file_id, False))
    return found


def _printable(name: str) -> str:
    """Return a name on one line without control characters or ``#``."""
    name = printable(name)
    return name.replace("#", "\\#") if "#" in name else name
