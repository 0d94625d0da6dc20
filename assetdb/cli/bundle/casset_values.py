"""Values of a ``.casset`` object, flat, one path for each value."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from assetdb.cli.terminal import json_line
from assetdb_formats.casset.identity import uuid_text
from assetdb_formats.casset.model import (
    Blob,
    Delegate,
    FieldType,
    Reference,
    StructValue,
    TypedArray,
    is_array,
    type_name,
)
from assetdb_formats.casset.queries.flatten import leaves

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from assetdb_formats.casset.model import BundleObject, Value

_SHOWN_ELEMENTS: Final = 12
_SHOWN_CHARACTERS: Final = 100


def plain(value: Value, kind: str = "") -> Any:  # noqa: ANN401 - what json takes
    """Return a leaf's value for JSON.

    Bytes are hexadecimal, except UUIDs.
    """
    if is_array(value):
        return [plain(item, kind) for item in value]
    match value:
        case float() if not math.isfinite(value):
            return str(value)
        case str():
            return value.encode("utf-8", "backslashreplace").decode() if not value.isascii() else value
        case bytes():
            return uuid_text(value) if kind.startswith(type_name(FieldType.UUID)) else value.hex()
        case Blob():
            return {"size": len(value.data), "flags": value.flags}
        case Delegate():
            return {**_target(value.object, value.bundle), "function": plain(value.function)}
        case Reference():
            return _target(value.object, value.bundle)
        case StructValue():
            return {}
        case TypedArray():
            return [plain(item, element.type_name) for element, item in zip(value.elements, value.values, strict=True)]
        case _:
            return value


def _target(found: bytes, bundle: bytes) -> dict[str, str]:
    return {"object": uuid_text(found), "bundle": uuid_text(bundle)}


def shown(value: Value, kind: str, name_of: Callable[[bytes, bytes], str]) -> str:
    """Return a leaf's value for people.

    ``name_of`` names the target of a reference (object, bundle).
    """
    if is_array(value):
        return _listed(value, [kind] * len(value), name_of)
    match value:
        case None:
            return "none"
        case bool():
            return "true" if value else "false"
        case str():
            text = json_line(plain(value))
            return (
                text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}... ({len(value)} characters)"
            )
        case float():
            return f"{value:.9g}"
        case Blob():
            return f"{len(value.data):,} bytes" + (f", flags {value.flags:#x}" if value.flags else "")
        case Delegate():
            return f"{name_of(value.object, value.bundle)} {value.function}()"
        case Reference():
            return name_of(value.object, value.bundle)
        case bytes():
            text = plain(value, kind)
            return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}... ({len(value)} bytes)"
        case StructValue():
            return "{}"
        case TypedArray():
            kinds = [element.type_name for element in value.elements]
            return _listed(value.values, kinds, name_of)
        case _:
            return str(value)


def _listed(values: tuple[Value, ...], kinds: list[str], name_of: Callable[[bytes, bytes], str]) -> str:
    items = [shown(item, kind, name_of) for item, kind in zip(values[:_SHOWN_ELEMENTS], kinds, strict=False)]
    more = f", ... ({len(values)} in all)" if len(values) > _SHOWN_ELEMENTS else ""
    return f"[{', '.join(items)}{more}]"


def fields_of(entry: BundleObject) -> Mapping[str, Any]:
    """Return the values of an object for JSON: path to value."""
    return {leaf.path: plain(leaf.value, leaf.type) for leaf in leaves(entry)}
