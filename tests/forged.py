"""Two metas with different GUIDs, and one hash by XXH3-128 with seed 0.

XXH3 multiplies the halves of each lane of 8 bytes with those of a public secret by exclusive or: where the low half of
a lane equals its secret, the product is 0 whatever the high half is. The lanes themselves are added up, lane 2 of all
stripes of 64 bytes into one sum: so two such lanes of different stripes may exchange their high halves.
"""

from __future__ import annotations

SECRET = {1: bytes.fromhex("7240a4a4"), 5: bytes.fromhex("e03590e6")}
"""The low half of the secret of lane 2, by stripe."""
GUIDS = ("a" * 31 + "1", "b" * 31 + "2")
"""Those of the two metas."""
_LANE = 16
_STRIPE = 64


def forged_metas() -> tuple[bytes, bytes]:
    """Return the two metas: in each, the other's GUID is the end of a longer word."""
    return _meta(b"zzz\n", b"zzzz"), _meta(b"zzzz", b"zzz\n")


def _meta(*high_halves: bytes) -> bytes:
    text = b"fileFormatVersion: 2\n"
    for (stripe, low), high, guid in zip(SECRET.items(), high_halves, GUIDS, strict=True):
        text = (text + b"q: ").ljust(stripe * _STRIPE + _LANE, b".") + low + high + b"guid: " + guid.encode() + b"\n"
    return text + b"r: " + b"." * 300 + b"\n"
