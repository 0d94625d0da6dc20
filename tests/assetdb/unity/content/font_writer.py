"""Writes fonts that have nothing but a table of names."""

from __future__ import annotations

from struct import pack
from typing import NamedTuple


class Text(NamedTuple):
    text: str
    kind: int = 1
    platform: int = 3
    encoding: int = 1
    language: int = 0x409


def font(*texts: Text, collection: bool = False, tables: int = 2) -> bytes:
    raw = [text.text.encode("ascii" if text.platform == 1 else "utf-16-be") for text in texts]
    records, offset = b"", 0
    for text, data in zip(texts, raw, strict=True):
        records += pack(">6H", text.platform, text.encoding, text.language, text.kind, len(data), offset)
        offset += len(data)
    names = pack(">3H", 0, len(texts), 6 + len(records)) + records + b"".join(raw)
    head = pack(">4s3I", b"ttcf", 0x10000, 1, 16) if collection else b""
    place = len(head) + 12 + 16 * tables
    other = pack(">4s3I", b"head", 0, place, 0) * (tables - 1)
    return head + pack(">4s4H", b"OTTO", tables, 0, 0, 0) + other + pack(">4s3I", b"name", 0, place, len(names)) + names
