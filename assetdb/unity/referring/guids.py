r"""GUIDs in a text by regular expressions, fastest in pure Python.

Nearly all references are ``guid: <32 digits>``, found by one search (1 GB/s). Every other form contains a run of 32
hexadecimal digits before a quote or the end of a line. To find these, all digits are replaced by ``h`` and all ends by
``\n``, so that a plain search is enough (600 MB/s together). Of a large file every fifth byte is examined first:
without six digits in a row among these there is no run (unity-explorer: 95 MB of curves and vertices in two thirds of
the time).

Of the directories of a first bake, the native module finds these GUIDs (``native/src/guids.rs``), with equal results.
"""

from __future__ import annotations

from binascii import unhexlify

from assetdb.unity.patterns import Pattern

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

# No wrapped reference was ever seen to have its line break after ``guid:``, but allowing it costs nothing.
_REFERENCE: Final = Pattern(rb"guid:\s+([0-9a-fA-F]{32})(?=[,}\s]|\Z)")
# A reference with any 32 bytes: a tenth faster, and few distinct ones are left to check. If all of them are digits,
# the result is as with the other pattern; otherwise the text is searched again.
_ANY_BYTES: Final = Pattern(rb"guid:\s+((?s:.{32}))(?=[,}\s]|\Z)")
DIGITS: Final = b"0123456789abcdefABCDEF"
ENDS: Final = b"\r\n \t\"'\\"
"""The bytes that may follow a run that is a GUID."""
_SIMPLIFIED: Final = bytes(104 if byte in DIGITS else 10 if byte in ENDS else 105 for byte in range(256))
_RUN: Final = b"h" * 32
_ENDED_RUN: Final = _RUN + b"\n"
_HEAD: Final = 4096
_LARGE: Final = 1 << 16
_GRID: Final = 5  # with an even one, half of all large files seem to have a run, because of the even spacing of numbers
_RUN_IN_GRID: Final = b"h" * (len(_RUN) // _GRID)


def text_guids(data: bytes, grid_from: int = _LARGE) -> tuple[set[bytes], list[int]]:
    """Return the GUIDs after ``guid:``, and offsets of all runs.

    The digits are unchanged. The offsets are those, in order, of runs of exactly 32 digits before white space, a quote,
    a backslash or the end of the text; runs after ``guid:`` are among them.

    Args:
        data: the text.
        grid_from: size from which every fifth byte is examined first, with the same result.
    """
    if (
        len(data) > grid_from
        and data.find(b"guid: ", 0, _HEAD) < 0  # otherwise there is a run
        and data[::_GRID].translate(_SIMPLIFIED).find(_RUN_IN_GRID) < 0
    ):
        return set(), []
    simplified = data.translate(_SIMPLIFIED)
    run = simplified.find(_RUN)
    if run < 0:  # 91 of the 168 MB of unity-explorer
        return set(), []
    after_key = set(_ANY_BYTES.findall(data))
    try:
        unhexlify(b"".join(after_key))
    except ValueError:
        after_key = set(_REFERENCE.findall(data))
    return after_key, _ended(simplified, run)


def ended_runs(data: bytes) -> list[int]:
    """Return only the offsets of :func:`text_guids`, for metas."""
    return _ended(data.translate(_SIMPLIFIED), 0)


def _ended(simplified: bytes, start: int) -> list[int]:
    ended: list[int] = []
    offset = simplified.find(_ENDED_RUN, start)
    while offset >= 0:
        if not offset or simplified[offset - 1] != 104:
            ended.append(offset)
        offset = simplified.find(_ENDED_RUN, offset + 32)
    if simplified.endswith(_RUN) and (len(simplified) == 32 or simplified[-33] != 104):
        ended.append(len(simplified) - 32)
    return ended
