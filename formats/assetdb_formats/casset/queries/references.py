"""References of a bundle, from its values.

The dependency list that the engine writes into a bundle is wrong in both directions: it names a bundle once for each
object that is referred to, and omits bundles that only delegates, events or arrays of structs refer to (the
engine's own test bundle ``DepQuirks`` shows both).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from assetdb_formats.casset.model import Delegate, Reference, StructValue, TypedArray, is_array

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assetdb_formats.casset.model import Bundle, BundleObject, Field, Value

Steps: TypeAlias = "tuple[str | int, ...]"
"""The way to a value from its object: names of fields and numbers of elements."""


class Use(NamedTuple):
    """A reference, with the object and field that contain it."""

    source: BundleObject
    field: str
    object: bytes
    bundle: bytes
    function: str | None = None


def bundle_references(bundle: Bundle) -> Iterator[Use]:
    """Yield every reference of a bundle in byte order."""
    for entry in bundle.objects:
        yield from object_references(entry)


def object_references(entry: BundleObject) -> Iterator[Use]:
    """Yield every reference of an object in the order of its bytes."""
    for steps, value in walk(entry):
        if isinstance(value, Reference):
            yield Use(entry, path_text(steps), value.object, value.bundle)
        elif isinstance(value, Delegate):
            yield Use(entry, path_text(steps), value.object, value.bundle, value.function)


def walk(entry: BundleObject) -> Iterator[tuple[Steps, Value]]:
    """Yield every leaf of an object with its path, in byte order."""
    stack: list[Iterator[tuple[Steps, Value]]] = [_members((), entry.layout.fields, entry.values)]
    while stack:
        for steps, value in stack[-1]:
            if isinstance(value, StructValue):
                stack.append(_members(steps, value.layout.fields, value.values))
                break
            if isinstance(value, TypedArray):
                stack.append(_elements(steps, value.values))
                break
            if is_array(value):
                stack.append(_elements(steps, value))
                break
            yield steps, value
        else:
            stack.pop()


def path_text(steps: Steps) -> str:
    """Return the path of a value for people, such as ``inners[0].obj``."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps).removeprefix(".")


def _members(steps: Steps, fields: Sequence[Field], values: Sequence[Value]) -> Iterator[tuple[Steps, Value]]:
    return (((*steps, field.name), value) for field, value in zip(fields, values, strict=False))


def _elements(steps: Steps, values: Sequence[Value]) -> Iterator[tuple[Steps, Value]]:
    return (((*steps, number), value) for number, value in enumerate(values))
