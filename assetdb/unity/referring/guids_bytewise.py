"""GUIDs in a text by every 32nd byte, for the compiled wheel.

Every run of 32 digits contains such a byte, so only the bytes around one that is a digit are examined. Compiled by
mypyc that takes a third of the time of :mod:`assetdb.unity.referring.guids`, interpreted three to seven times as much:
``assetdb.unity.referring.references`` imports the faster one. Their results are the same. Without this one a compiled
wheel's cold bake takes 23 % more processor time (unity-explorer; unitystation 14 %).
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
    """Return the result of :func:`assetdb.unity.referring.guids.text_guids`."""
    is_digit, is_end, is_space = _IS_DIGIT, _IS_END, _IS_SPACE
    after_key: set[bytes] = set()
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
        place = stop + 32  # a later run of 32 digits has a byte there or before
        if stop - start < 32:
            continue
        before: i64 = start
        while before and is_space[data[before - 1]]:
            before -= 1
        if (  # byte by byte, because 530,000 calls of ``endswith`` take as long as all the rest
            5 <= before < start
            and data[before - 1] == 0x3A
            and data[before - 2] == 0x64
            and data[before - 3] == 0x69
            and data[before - 4] == 0x75
            and data[before - 5] == 0x67
            and stop - start == 32
            and (stop == size or data[stop] == 0x2C or data[stop] == 0x7D or is_space[data[stop]])
        ):  # ``guid:``
            after_key.add(data[start : start + 32])
        if stop - start == 32 and (stop == size or is_end[data[stop]]):
            ended.append(start)
    return after_key, ended


def ended_runs(data: bytes) -> list[int]:
    """Return only the offsets of :func:`text_guids`, for metas."""
    return text_guids(data)[1]
