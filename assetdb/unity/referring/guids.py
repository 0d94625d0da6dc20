r"""GUIDs in a text by regular expressions, fastest in pure Python.

Nearly all references are ``guid: <32 digits>``, found by one search (1 GB/s). For every other form one question is
asked first: is there a run of 32 hexadecimal digits before a quote or the end of a line? All digits become ``h`` and
all ends ``\n``, and then that is a plain search (600 MB/s together). A large file is sampled by a grid first:
where no six bytes in a row are digits of those that stand five apart, there is no run (unity-explorer: 95 MB of
curves and vertices in two thirds of the time).

Where the hot modules are compiled :mod:`assetdb.unity.referring.guids_bytewise` answers instead, always the same.
"""

from __future__ import annotations

from binascii import unhexlify

from assetdb.unity.patterns import Pattern

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

# No line of a wrapped reference was ever seen to end behind ``guid:``, but asking for it costs nothing.
_REFERENCE: Final = Pattern(rb"guid:\s+([0-9a-fA-F]{32})")
# The same with whatever follows: a tenth faster, and the distinct ones are few to look at. Where all that was taken are
# digits none of it was the beginning of another; where not, all is searched again.
_WHATEVER_FOLLOWS: Final = Pattern(rb"guid:\s+((?s:.{32}))")
DIGITS: Final = b"0123456789abcdefABCDEF"
ENDS: Final = b"\r\n \t\"'\\"
"""What may follow a run that may be a GUID."""
_SIMPLIFIED: Final = bytes(104 if byte in DIGITS else 10 if byte in ENDS else 105 for byte in range(256))
_RUN: Final = b"h" * 32
_ENDED_RUN: Final = _RUN + b"\n"
_HEAD: Final = 4096
_LARGE: Final = 1 << 16
_GRID: Final = 5  # an even one meets the even spacing of numbers: then half of all large files seem to have a run
_RUN_IN_GRID: Final = b"h" * (len(_RUN) // _GRID)


def text_guids(data: bytes, grid_from: int = _LARGE) -> tuple[set[bytes], list[int]]:
    """Return the GUIDs behind ``guid:``, and offsets of other runs.

    The digits are unchanged. The others are the offsets, in order, of runs of exactly 32 digits before
    white space, a quote, a backslash or the end of the text; those behind ``guid:`` are among them.

    Args:
        data: the text.
        grid_from: size from which texts are sampled by a grid first, with the same result.
    """
    if (
        len(data) > grid_from
        and data.find(b"guid: ", 0, _HEAD) < 0  # else there is a run, and the grid would be in vain
        and data[::_GRID].translate(_SIMPLIFIED).find(_RUN_IN_GRID) < 0
    ):
        return set(), []
    simplified = data.translate(_SIMPLIFIED)
    run = simplified.find(_RUN)
    if run < 0:  # 91 of the 168 MB of unity-explorer
        return set(), []
    behind_key = set(_WHATEVER_FOLLOWS.findall(data))
    try:
        unhexlify(b"".join(behind_key))
    except ValueError:
        behind_key = set(_REFERENCE.findall(data))
    return behind_key, _ended(simplified, run)


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
