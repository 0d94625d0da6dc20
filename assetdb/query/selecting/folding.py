"""Comparison of names, and which of all may be like one."""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

    from assetdb.store.database import Database
    from assetdb.store.entry import Asset

LEAST_PART: Final = 3
"""Minimum length of a significant part of a name."""
MOST_OFF: Final = 3
"""Maximum difference in length of similar names."""

_GUID_DIGITS: Final = 32
_HEX: Final = frozenset("0123456789abcdef")


def fold(text: str) -> str:
    """Return a text for comparison without case and normal form."""
    if text.isascii():
        return text.casefold()
    from unicodedata import normalize  # noqa: PLC0415 - 1 ms, and most names are ASCII

    return normalize("NFC", normalize("NFC", text).casefold())


def alike(text: str, database: Database) -> Iterator[Asset]:
    """Yield assets that may be like a lower-case text, in GUID order.

    File names and GUIDs are compared by their bytes, in ASCII.
    """
    first, last, part = (piece.encode() for piece in (text[:2], text[-4:], text))
    least, most = len(text) - MOST_OFF, len(text) + MOST_OFF
    guids = database.guids().hex()
    near_guids = _HEX.issuperset(text) or least <= _GUID_DIGITS <= most
    for row, name in enumerate(database.file_names()):
        if name.startswith(first) or last in name or not name.isascii():
            sizes = len(name), len(name.rpartition(b".")[0])
            if (
                any(least <= size <= most for size in sizes)
                or (part in name and len(text) >= LEAST_PART)
                or not name.isascii()
            ):
                yield database.at(row)
                continue
        if near_guids:
            guid = guids[_GUID_DIGITS * row : _GUID_DIGITS * (row + 1)]
            if text in guid or guid[:2] == text[:2] or guid[-4:] == text[-4:]:
                yield database.at(row)
