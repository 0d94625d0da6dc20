"""Counts and shortened lists in messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

_SHOWN: Final = 3


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: ``1 file``, ``2,000 files``."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def listed(texts: Sequence[str], most: int = _SHOWN) -> str:
    """Return some texts and how many more: ``a, b and 2 more``."""
    more = f" and {len(texts) - most:,} more" if len(texts) > most else ""
    return ", ".join(texts[:most]) + more
