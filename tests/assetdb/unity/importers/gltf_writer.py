"""Writes binary glTF around a JSON value."""

from __future__ import annotations

import json
from struct import pack


def glb(value: object) -> bytes:
    text = json.dumps(value).encode()
    text += b" " * (-len(text) % 4)
    return (
        b"glTF"
        + pack("<II", 2, 20 + len(text) + 12)
        + pack("<I", len(text))
        + b"JSON"
        + text
        + pack("<I", 4)
        + b"BIN\0...."
    )
