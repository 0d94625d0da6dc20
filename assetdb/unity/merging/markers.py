"""Git's conflict markers: written around open values, and read again."""

from __future__ import annotations

import re

from assetdb.unity.merging.pieces import Conflict, rendered

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

    from assetdb.unity.merging.pieces import Piece

SIZE: Final = 7
"""Characters of a marker, where git asks for no other number."""
MARKED: Final = "has conflict markers"
_LABELS: Final = ("ours", "base", "theirs")
_START: Final = re.compile(rb"^(<{7,})(?: [^\n]*)?\n", re.MULTILINE)


def marked(pieces: Sequence[Piece], *, size: int = SIZE, with_base: bool = False) -> bytes:
    """Return a text with markers around each open value.

    Args:
        pieces: the text.
        size: characters of a marker.
        with_base: whether to show the common ancestor, as git's style ``diff3``.
    """

    def choose(conflict: Conflict) -> bytes:
        begin, middle, between, end = (mark * size for mark in (b"<", b"|", b"=", b">"))
        ours, base, theirs = (label.encode() for label in _LABELS)
        shown = [begin + b" " + ours + b"\n", conflict.ours]
        if with_base:
            shown += [middle + b" " + base + b"\n", conflict.base]
        return b"".join([*shown, between + b"\n", conflict.theirs, end + b" " + theirs + b"\n"])

    return rendered(pieces, choose)


def read_markers(text: bytes) -> list[Piece]:
    """Return a text as pieces, with a conflict for its markers.

    A marker without its others is text. Line ends are LF.
    """
    pieces: list[Piece] = []
    at = 0
    for start in _START.finditer(text):
        if start.start() < at:
            continue
        size = len(start[1])
        found = _parts(text, start.end(), size)
        if found is None:
            continue
        base, ours, theirs, end = found
        if at < start.start():
            pieces.append(text[at : start.start()])
        pieces.append(Conflict(MARKED, 0, (), base, ours, theirs))
        at = end
    if at < len(text):
        pieces.append(text[at:])
    return pieces


def _parts(text: bytes, start: int, size: int) -> tuple[bytes, bytes, bytes, int] | None:
    """Return base, ours, theirs and the end of a conflict, or None."""
    between = _line(text, start, b"=" * size)
    end = _line(text, between[1], b">" * size) if between is not None else None
    if between is None or end is None:
        return None
    base = _line(text, start, b"|" * size)
    if base is None or base[0] > between[0]:
        return b"", text[start : between[0]], text[between[1] : end[0]], end[1]
    return text[base[1] : between[0]], text[start : base[0]], text[between[1] : end[0]], end[1]


def _line(text: bytes, start: int, mark: bytes) -> tuple[int, int] | None:
    """Return the bounds of the next line that is a marker."""
    found = re.compile(rb"^%b(?: [^\n]*)?(?:\n|\Z)" % re.escape(mark), re.MULTILINE).search(text, start)
    return found.span() if found is not None else None
