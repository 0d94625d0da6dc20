"""Damage of messages and texts, as bytes and as JSON."""

from __future__ import annotations

import json
import random
from typing import Any

from scripts.fuzz.running import damage

WORDS = (
    *(b"--- !u!1 &1\n", b"--- !u!1001 &9223372036854775807\n", b"{fileID: ", b"guid: ", b"}", b"\r", b"\n", b"\r\n"),
    *(b"  m_Father: {fileID: 4}\n", b"  m_PrefabInstance: {fileID: 3000}\n", b"- target: ", b"&", b"'", b'"', b": "),
    *("ä𝄞".encode(), b"\t", b"0" * 32, b"f" * 32, b"\0", b"# ", b"-", b"propertyPath: a\n      value: b\n"),
)
VALUES: tuple[Any, ...] = (None, -1, 1 << 31, 1 << 63, 1e300, "", "x", "file:///", [], {}, True, "\ud7ff")


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
    return damage(json.dumps(message).encode(), chance, others, WORDS)
