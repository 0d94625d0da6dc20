"""Refusals of a meta as a whole: its end, its GUID lines."""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

UNENDED_KEY: Final = "ends in a key without a value and a line end, which Unity refuses to read"
QUOTED_GUID: Final = "has its GUID in quotes: Unity ignores the asset"
SECOND_GUID: Final = "has a second guid line: which of the two Unity takes is not known"
_KEY: Final = b"guid:"
_LINE: Final = b"\n" + _KEY
_QUOTES: Final = (b'"', b"'")


def meta_refusal(data: bytes) -> tuple[int, str] | None:
    """Return line and reason of the refusal of a meta, or None."""
    first = 0 if data.startswith(_KEY) else data.find(_LINE) + 1
    if first or data.startswith(_KEY):
        value = first + len(_KEY)
        if data[value : value + 80].lstrip(b" ").startswith(_QUOTES):
            return _line_of(data, first), QUOTED_GUID
        second = data.find(_LINE, value)
        if second >= 0:
            return _line_of(data, second + 1), SECOND_GUID
    if data.endswith(b":"):
        return _line_of(data, len(data)), UNENDED_KEY
    return None


def _line_of(data: bytes, place: int) -> int:
    return data.count(b"\n", 0, place) + 1
