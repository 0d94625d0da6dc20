"""Placeholder GUIDs: typed by a person or invented by an assistant.

``a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6`` and ``0123456789abcdef0123456789abcdef`` look random to their authors, but somebody
else will write them too. None of a million random GUIDs is mistaken for one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_DISTANCES: Final = (1, 2, 4)
_MOST_STEPS: Final = 13  # 300,000 random GUIDs reached 11
_LONGEST_PERIOD: Final = 8
_DIGITS: Final = 32
_ALPHABET: Final = b"0123456789abcdef"
_NO_DIGIT: Final = b"?"
_UP: Final = bytes.maketrans(_ALPHABET, _ALPHABET[1:] + _NO_DIGIT)
_DOWN: Final = bytes.maketrans(_ALPHABET, _NO_DIGIT + _ALPHABET[:-1])
# A text with a period of 1 to 4 has one of 5 to 8, too: a multiple of it.
_PERIODS: Final = (5, 6, 7, 8)


def is_placeholder(guid: str) -> bool:
    """Whether 32 hex digits were typed: they count, or repeat themselves.

    They count if 14 or more are each one larger (or each one smaller) than the digit 1, 2 or 4 places before; they
    repeat if their period is 8 digits or less.
    """
    digits = [int(digit, 16) for digit in guid]
    for distance in _DISTANCES:
        steps = [after - before for before, after in zip(digits, digits[distance:], strict=False)]
        if max(steps.count(1), steps.count(-1)) > _MOST_STEPS:
            return True
    return any(guid[period:] == guid[: _DIGITS - period] for period in range(1, _LONGEST_PERIOD + 1))


def placeholders(packed: bytes) -> Iterator[int]:
    """Yield the numbers of the placeholders among many GUIDs.

    Each has 16 bytes; see :func:`is_placeholder`. All are compared at once, as one number for each distance: 60,000
    GUIDs take 60 ms, and one by one 1.2 s.
    """
    digits = packed.hex().encode("ascii")
    found: set[int] = set()
    for distance in _DISTANCES:
        width = _DIGITS - distance
        for table in (_UP, _DOWN):
            same = _compared(digits.translate(table)[:-distance], digits[distance:])
            found.update(
                start for start in range(0, len(digits), _DIGITS) if same.count(0, start, start + width) > _MOST_STEPS
            )
    for period in _PERIODS:
        same = _compared(digits[:-period], digits[period:])
        zeros = bytes(_DIGITS - period)
        found.update(start for start in range(0, len(digits), _DIGITS) if same.startswith(zeros, start))
    yield from (start // _DIGITS for start in sorted(found))


def _compared(one: bytes, other: bytes) -> bytes:
    """Return bytes that are zero where two equally long texts agree."""
    return (int.from_bytes(one, "big") ^ int.from_bytes(other, "big")).to_bytes(len(one), "big")
