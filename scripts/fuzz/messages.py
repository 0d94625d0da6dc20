"""Damage of messages and texts, as bytes and as JSON."""

from __future__ import annotations

import json
import random
from typing import Any

WORDS = (
    *(b"--- !u!1 &1\n", b"--- !u!1001 &9223372036854775807\n", b"{fileID: ", b"guid: ", b"}", b"\r", b"\n", b"\r\n"),
    *(b"  m_Father: {fileID: 4}\n", b"  m_PrefabInstance: {fileID: 3000}\n", b"- target: ", b"&", b"'", b'"', b": "),
    *("ä𝄞".encode(), b"\t", b"0" * 32, b"f" * 32, b"\0", b"# ", b"-", b"propertyPath: a\n      value: b\n"),
)
VALUES: tuple[Any, ...] = (None, -1, 1 << 31, 1 << 63, 1e300, "", "x", "file:///", [], {}, True, "\ud7ff")


def damaged(chance: random.Random, data: bytes, others: list[bytes]) -> bytes:
    """Return bytes with one to four things wrong."""
    for _ in range(chance.randint(1, 4)):
        start = chance.randrange(len(data) + 1)
        end = min(len(data), start + chance.choice((1, 3, 30, 300)))
        part = chance.choice((b"", bytes([chance.randrange(256)]), chance.choice(WORDS), data[start:end] * 2))
        if chance.random() < 0.1:
            other = chance.choice(others)
            part = other[chance.randrange(len(other) + 1) :][:2000]
        data = data[:start] + part + data[end if chance.random() < 0.7 else start :]
    return data


def damaged_value(chance: random.Random, value: Any) -> Any:  # noqa: ANN401 - JSON
    """Return JSON with one value replaced, renamed, or gone."""
    ways: list[tuple[Any, Any]] = []
    waiting = [value]
    while waiting:
        item = waiting.pop()
        for key in list(item) if isinstance(item, dict) else range(len(item)):
            ways.append((item, key))
            if isinstance(item[key], dict | list):
                waiting.append(item[key])
    if ways:
        holder, key = chance.choice(ways)
        if isinstance(holder, dict) and chance.random() < 0.3:
            holder[key + "x"] = holder.pop(key)
        else:
            holder[key] = chance.choice(VALUES)
    return value


def damaged_message(chance: random.Random, message: dict[str, Any], others: list[bytes]) -> bytes:
    """Return a message that is damaged as JSON or as bytes."""
    if chance.random() < 0.5:
        return json.dumps(damaged_value(chance, message)).encode()
    return damaged(chance, json.dumps(message).encode(), others)
