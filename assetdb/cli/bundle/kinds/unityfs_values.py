"""Values of a Unity object, flat or as JSON."""

from __future__ import annotations

import base64
import math
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from assetdb.cli.terminal import json_line, plain
from assetdb.unity.engine.classes import class_name
from assetdb_formats.unityfs.serialized_files.tree_values import PPtr

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb_formats.unityfs.serialized_files.tree_values import Value

_SHOWN_NUMBERS: Final = 8
_SHOWN_CHARACTERS: Final = 100


def class_name_of(class_id: int) -> str | None:
    """Return Unity's name of a class number, if it is known."""
    return class_name(class_id) or None


def shown(value: Value, target: Callable[[PPtr], str]) -> str:
    """Return one value for people, with references as ``target`` names them."""
    if isinstance(value, PPtr):
        return target(value) if value.path_id else "(none)"
    if isinstance(value, bytes):
        return f"{len(value)} bytes" if len(value) > 16 else value.hex(" ") or "0 bytes"
    if isinstance(value, list):
        numbers = ", ".join(map(str, value[:_SHOWN_NUMBERS]))
        return f"[{numbers}, … {len(value)} in all]" if len(value) > _SHOWN_NUMBERS else f"[{numbers}]"
    if isinstance(value, str):
        text = json_line(plain(value))
        return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}… ({len(value)} characters)"
    return "{}" if isinstance(value, dict) else str(value)


def shown_sides(old: Value | None, new: Value | None, target: Callable[[PPtr], str]) -> tuple[str, str]:
    """Return two values that differ, also where only their ends do.

    >>> shown_sides(bytes(20), bytes(19) + b"x", str)
    ('20 bytes', '20 bytes (first difference at [19])')
    """
    before, after = ("(none)" if value is None else shown(value, target) for value in (old, new))
    if before == after and isinstance(old, bytes | str | list) and isinstance(new, bytes | str | list):
        place = _first_difference(old, new)
        after += "" if place is None else f" (first difference at [{place}])"
    return before, after


def _first_difference(old: bytes | str | list[Value], new: bytes | str | list[Value]) -> int | None:
    """Return the first place of different parts, None without any."""
    if isinstance(old, list) or isinstance(new, list):
        pairs = enumerate(zip(old, new, strict=False))
        return next((place for place, pair in pairs if repr(pair[0]) != repr(pair[1])), None)
    first, end = 0, min(len(old), len(new))
    if old[:end] == new[:end]:
        return None
    while end - first > 1:  # halves, since a step for each of the 16 MB of a texture took 3 s
        middle = (first + end) // 2
        first, end = (middle, end) if old[first:middle] == new[first:middle] else (first, middle)
    return first


def as_json(value: Value) -> Any:  # noqa: ANN401 - what json.dumps takes
    """Return a value for JSON: bytes in base64, NaN as text."""
    # Containers are filled from a list of pending ones: no recursion.
    root: list[Any] = []
    waiting: list[tuple[Value, Callable[[Any], None]]] = [(value, root.append)]
    while waiting:
        item, put = waiting.pop()
        if isinstance(item, PPtr):
            put({"file_id": item.file_id, "path_id": item.path_id})
        elif isinstance(item, dict):
            fields: dict[str, Any] = dict.fromkeys(map(plain, item))
            put(fields)
            waiting.extend((child, partial(fields.__setitem__, plain(key))) for key, child in item.items())
        elif isinstance(item, list):
            items: list[Any] = []
            put(items)
            waiting.extend((child, items.append) for child in reversed(item))
        elif isinstance(item, bytes):
            put({"base64": base64.b64encode(item).decode("ascii")})
        elif isinstance(item, str):
            put(plain(item))
        elif isinstance(item, float) and not math.isfinite(item):
            put(str(item))
        else:
            put(item)
    return root[0]
