"""Comparison of names, and their edit distance."""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

LEAST_PART: Final = 3
"""Minimum length of a significant part of a name."""
MOST_OFF: Final = 3
"""Maximum difference in length of similar names."""


def fold(text: str) -> str:
    """Return a text for comparison without case and normal form."""
    if text.isascii():
        return text.casefold()
    from unicodedata import normalize  # noqa: PLC0415 - 1 ms, and most names are ASCII

    return normalize("NFC", normalize("NFC", text).casefold())
