"""MD4 (RFC 1320), which OpenSSL 3 often refuses.

Unity names bundles and objects with it.
"""

from __future__ import annotations

from struct import Struct

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

_BLOCK: Final = Struct("<16I")
_STATE: Final = Struct("<4I")
_LENGTH: Final = Struct("<Q")
_MASK: Final = 0xFFFFFFFF
_ROUND_2: Final = (0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15)
_ROUND_3: Final = (0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15)
_SHIFTS_1: Final = (3, 7, 11, 19)
_SHIFTS_2: Final = (3, 5, 9, 13)
_SHIFTS_3: Final = (3, 9, 11, 15)


def md4(data: bytes) -> bytes:
    """Return the 16-byte MD4 digest of ``data``."""
    padded = data + b"\x80" + b"\0" * ((55 - len(data)) % 64) + _LENGTH.pack(len(data) * 8 & 0xFFFFFFFFFFFFFFFF)
    state = (0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476)
    for words in _BLOCK.iter_unpack(padded):
        a, b, c, d = state
        for step in range(16):
            total = a + (b & c | ~b & d) + words[step] & _MASK
            shift = _SHIFTS_1[step & 3]
            a, b, c, d = d, (total << shift | total >> 32 - shift) & _MASK, b, c
        for step in range(16):
            total = a + (b & c | b & d | c & d) + words[_ROUND_2[step]] + 0x5A827999 & _MASK
            shift = _SHIFTS_2[step & 3]
            a, b, c, d = d, (total << shift | total >> 32 - shift) & _MASK, b, c
        for step in range(16):
            total = a + (b ^ c ^ d) + words[_ROUND_3[step]] + 0x6ED9EBA1 & _MASK
            shift = _SHIFTS_3[step & 3]
            a, b, c, d = d, (total << shift | total >> 32 - shift) & _MASK, b, c
        state = (
            state[0] + a & _MASK,
            state[1] + b & _MASK,
            state[2] + c & _MASK,
            state[3] + d & _MASK,
        )
    return _STATE.pack(*state)
