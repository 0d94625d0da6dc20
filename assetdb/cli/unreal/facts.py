"""Facts of `assetdb_formats.unreal` as JSON: named tuples become objects, bytes hexadecimal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assetdb.cli.unreal.archives import displayed


def as_json(value: object) -> Any:  # noqa: ANN401 - whatever JSON has
    """Return a fact for JSON.

    Facts are nested a few levels deep, which their readers bound.
    """
    if isinstance(value, str):
        return displayed(value)
    if isinstance(value, (int, float)) or value is None:
        return value
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value).hex()
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name.rstrip("_"): as_json(item) for name, item in value._asdict().items()}
    if isinstance(value, Mapping):
        return {displayed(str(key)): as_json(item) for key, item in value.items()}
    if isinstance(value, Sequence):
        return [as_json(item) for item in value]
    return str(value)
