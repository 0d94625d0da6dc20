"""GUIDs of metas that Tuanjie and Unity China write encoded.

Their base64 has 41 bytes. The first 8 by exclusive or with a fixed number are the first 8 hexadecimal digits (89 of 89
samples); the rest is encoded in a way that is not known, so such an asset has no GUID for anybody but that editor.
"""

from __future__ import annotations

from binascii import Error, a2b_base64

from assetdb.unity.patterns import Pattern

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

_ENCODED: Final = Pattern(rb"(?:\A|\n)guid: ([A-Za-z0-9+/]{55}=)[ \t\r]*(?=\n|\Z)")
_MASK: Final = 0x3F4A2F851A9D634B
_DIGITS: Final = 8
_HEX: Final = frozenset(b"0123456789abcdef")


def encoded_guid(meta: bytes) -> tuple[str, str]:
    """Return an encoded GUID and its first 8 digits, empty without one."""
    match = _ENCODED.search(meta)
    if match is None:
        return "", ""
    try:
        decoded = a2b_base64(match[1])
    except Error:
        return "", ""
    digits = (int.from_bytes(decoded[:_DIGITS], "big") ^ _MASK).to_bytes(_DIGITS, "big")
    return (match[1].decode(), digits.decode()) if _HEX.issuperset(digits) else ("", "")
