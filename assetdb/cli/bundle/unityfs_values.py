"""Values of a Unity object, flat or as JSON."""

from __future__ import annotations

import base64
import math
from typing import TYPE_CHECKING, Any, Final

from assetdb.cli.terminal import json_line
from assetdb.unity.engine.classes import class_name
from assetdb_formats.unityfs.serialized_files.tree_values import PPtr

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb_formats.unityfs.serialized_files.tree_values import Value

_SHOWN_NUMBERS: Final = 8
_SHOWN_CHARACTERS: Final = 100


def class_name_of(class_id: int) -> str | None:
    """Return Unity's name of a class number, or None.

    For builds without type trees; the table has not all.
    """
    return class_name(class_id) or None


def shown(value: Value, target: Callable[[PPtr], str]) -> str:
    """Return one value for people.

    ``target`` names the target of a reference.
    """
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


def plain(text: str) -> str:
    """Return text without lone surrogates.

    They are bytes that are not UTF-8: JSON has none.
    """
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def as_json(value: Value) -> Any:  # noqa: ANN401 - what json.dumps takes
    """Return a value for JSON.

    Bytes in base64, references as their two numbers, NaN and infinity as text.
    """
    # Containers are filled after they were made, from a list of what is still to fill: no recursion.
    root: list[Any] = []
    waiting: list[tuple[Value, Callable[[Any], None]]] = [(value, root.append)]
    while waiting:
        item, put = waiting.pop()
        if isinstance(item, PPtr):
            put({"file_id": item.file_id, "path_id": item.path_id})
        elif isinstance(item, dict):
            fields: dict[str, Any] = dict.fromkeys(map(plain, item))
            put(fields)
            waiting.extend((child, _setter(fields, plain(key))) for key, child in item.items())
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


def _setter(fields: dict[str, Any], key: str) -> Callable[[Any], None]:
    def put(value: object) -> None:
        fields[key] = value

    return put
