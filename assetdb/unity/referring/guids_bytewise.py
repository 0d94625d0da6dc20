"""GUIDs in a text by every 32nd byte, for the compiled wheel.

No run of 32 can hide between two such bytes, and around one is looked only where it is a digit. Compiled by mypyc that
takes a third of the time of :mod:`assetdb.unity.referring.guids`, interpreted three to seven times as much: each is
imported only where it is fast (``assetdb.unity.referring.references``). They always answer the same. Without this one
a compiled wheel's cold bake takes 23 % more processor time (unity-explorer; unitystation 14 %).
"""

from __future__ import annotations

from assetdb.unity.referring.guids import DIGITS, ENDS

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

    from mypy_extensions import i64

_IS_DIGIT: Final = bytes(byte in DIGITS for byte in range(256))
_IS_END: Final = bytes(byte in ENDS for byte in range(256))
_IS_SPACE: Final = bytes(byte in b" \t\n\r\f\v" for byte in range(256))


def text_guids(data: bytes) -> tuple[set[bytes], list[int]]:
    """Return the same as the other :func:`text_guids`."""
    is_digit, is_end, is_space = _IS_DIGIT, _IS_END, _IS_SPACE
    behind_key: set[bytes] = set()
    ended: list[int] = []
    size: i64 = len(data)
    place: i64 = 31
    while place < size:
        if not is_digit[data[place]]:
            place += 32
            continue
        start: i64 = place
        while start and is_digit[data[start - 1]]:
            start -= 1
        stop: i64 = place + 1
        while stop < size and is_digit[data[stop]]:
            stop += 1
        place = stop + 32  # a run that begins behind the byte at which this one ends has one there
        if stop - start < 32:
            continue
        before: i64 = start
        while before and is_space[data[before - 1]]:
            before -= 1
        if (  # byte by byte what ``endswith`` would ask for: called 530,000 times it takes as long as all the rest
            5 <= before < start
            and data[before - 1] == 0x3A
            and data[before - 2] == 0x64
            and data[before - 3] == 0x69
            and data[before - 4] == 0x75
            and data[before - 5] == 0x67
        ):  # ``guid:``
            behind_key.add(data[start : start + 32])
        if stop - start == 32 and (stop == size or is_end[data[stop]]):
            ended.append(start)
    return behind_key, ended


def ended_runs(data: bytes) -> list[int]:
    """Return only the offsets of :func:`text_guids`, for metas."""
    return text_guids(data)[1]
