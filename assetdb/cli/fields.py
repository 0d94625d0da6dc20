"""Records as JSON: named tuples as objects, with all that they hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from assetdb.cli.terminal import plain

if TYPE_CHECKING:
    from collections.abc import Callable


def as_json(value: object, text: Callable[[str], str] = plain) -> Any:  # noqa: ANN401 - whatever JSON has
    """Return a value for JSON; its reader has bounded its depth."""
    if isinstance(value, str):
        return text(value)
    if isinstance(value, (int, float)) or value is None:
        return value
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value).hex()
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name.rstrip("_"): as_json(item, text) for name, item in value._asdict().items()}
    if isinstance(value, Mapping):
        return {text(str(key)): as_json(item, text) for key, item in value.items()}
    if isinstance(value, Sequence):
        return [as_json(item, text) for item in value]
    return str(value)


def fields_of(record: tuple[Any, ...], text: Callable[[str], str] = plain, **names: str) -> dict[str, Any]:
    """Return a named tuple for JSON, ``class_name`` as ``class``, others as named."""
    names["class_name"] = "class"
    return {names.get(name, name): value for name, value in as_json(record, text).items()}
