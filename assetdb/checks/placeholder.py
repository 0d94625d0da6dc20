"""GUIDs that nobody drew: typed by a person, or made up by an assistant that counts upwards.

``a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6`` and ``0123456789abcdef0123456789abcdef`` look random to whoever writes them. Each
is a GUID that somebody else will write too. Of a million random GUIDs none is taken for one.
"""

from __future__ import annotations

from typing import Final

_DISTANCES: Final = (1, 2, 4)
_MOST_STEPS: Final = 13  # 300,000 random GUIDs reached 11
_LONGEST_PERIOD: Final = 8
_DIGITS: Final = 32


def is_placeholder(guid: str) -> bool:
    """Whether a GUID of 32 hex digits counts up or down, or repeats itself.

    It counts where, over one distance of 1, 2 or 4 digits, 14 or more digits are by one larger than the one before (or
    by one smaller, all in one direction); it repeats where its period is 8 digits or less.
    """
    digits = [int(digit, 16) for digit in guid]
    for distance in _DISTANCES:
        steps = [after - before for before, after in zip(digits, digits[distance:], strict=False)]
        if max(steps.count(1), steps.count(-1)) > _MOST_STEPS:
            return True
    return any(guid[period:] == guid[: _DIGITS - period] for period in range(1, _LONGEST_PERIOD + 1))
