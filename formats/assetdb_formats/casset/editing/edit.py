"""Edits of a bundle: rename, retarget, change a value.

Each returns a new bundle.

Values are checked against their types when the bundle is written
(:func:`assetdb_formats.casset.encoding.write.encode_bundle`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assetdb_formats.casset.encoding.scalars import VECTOR_CODES
from assetdb_formats.casset.errors import EditError, NotInBundleError
from assetdb_formats.casset.model import (
    Delegate,
    Field,
    FieldType,
    Format,
    Reference,
    StructValue,
    TypedArray,
    element_type,
    is_array,
)
from assetdb_formats.casset.queries.references import bundle_references, path_text, walk

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from assetdb_formats.casset.model import Bundle, BundleObject, Value, Values
    from assetdb_formats.casset.queries.references import Steps

_STEP: Final = re.compile(r"\.?([^.\[\]]+)|\[(\d{1,9})\]")


def rename(bundle: Bundle, uuid: bytes, name: str) -> Bundle:
    """Rename the object with a UUID, and the paths below it.

    The bundle itself is the object with the bundle's UUID.

    NotInBundleError if there is no such object, EditError for an empty name, one with a dot in it, which would be a
    path, and one that gives the path of another object.
    """
    number = _find(bundle, uuid)
    renamed = bundle.objects[number]
    is_bundle = uuid == bundle.uuid and bundle.format is not Format.TEXT
    if "." in name and not is_bundle:
        raise EditError(f"{name!r} contains a dot, which separates the names of a path")
    if not name:
        raise EditError("an empty name")
    path = renamed.path if is_bundle else ".".join((*renamed.path.split(".")[:-1], name))
    objects = []
    for entry in bundle.objects:
        new = entry
        if not is_bundle and entry.path.startswith(f"{renamed.path}."):
            new = _editable(entry)._replace(path=path + entry.path[len(renamed.path) :])
        objects.append(new)
    new = _editable(renamed)._replace(name=name, path=path)
    if any(field.name == "name" for field in new.layout.fields):
        new = replace_value(new, ("name",), name)
    objects[number] = new
    if not is_bundle:
        moved = {new.path for new, old in zip(objects, bundle.objects, strict=True) if new is not old}
        for old in bundle.objects:
            if old.path in moved and old is not renamed and not old.path.startswith(f"{renamed.path}."):
                raise EditError(f"there is an object {old.path!r} already")
    has_own_name = bundle.format is Format.TEXT and bundle.name != renamed.name  # assetName
    named = name if uuid == bundle.uuid and not has_own_name else bundle.name
    return _edited(bundle._replace(name=named), objects)


def retarget(bundle: Bundle, old: Reference, new: Reference | None) -> Bundle:
    """Point every reference and delegate from ``old`` to ``new``, or nowhere.

    The declared dependencies follow: the new bundle is added if it is not there, the old one taken out if nothing
    refers to it any more. NotInBundleError if nothing refers to ``old``.
    """
    objects = []
    found = False
    for entry in bundle.objects:
        replaced: dict[Steps, Value] = {}
        for steps, value in walk(entry):
            if not isinstance(value, Reference | Delegate) or (value.object, value.bundle) != old:
                continue
            found = True
            replaced[steps] = new
            if new is not None and isinstance(value, Delegate):
                replaced[steps] = Delegate(new.object, new.bundle, value.function)
        objects.append(replace_values(_editable(entry), replaced) if replaced else entry)
    if not found:
        raise NotInBundleError(f"nothing refers to object {old.object.hex()} of bundle {old.bundle.hex()}")
    edited_bundle = _edited(bundle, objects)
    if bundle.format in (Format.TEXT, Format.BUNDLE_2):  # their dependencies are not UUIDs
        return edited_bundle
    dependencies = list(bundle.dependencies)
    if new is not None and new.bundle != bundle.uuid and new.bundle not in dependencies:
        dependencies.append(new.bundle)
    if all(use.bundle != old.bundle for use in bundle_references(edited_bundle)):
        dependencies = [dependency for dependency in dependencies if dependency != old.bundle]
    return edited_bundle._replace(dependencies=tuple(dependencies))


def set_value(bundle: Bundle, uuid: bytes, path: str, value: Value) -> Bundle:
    """Change the value at a path (``strings[2]``). Raises NotInBundleError."""
    number = _find(bundle, uuid)
    edited = replace_value(_editable(bundle.objects[number]), parse_path(path), value)
    return _edited(bundle, [*bundle.objects[:number], edited, *bundle.objects[number + 1 :]])


def _edited(bundle: Bundle, objects: list[BundleObject]) -> Bundle:
    """Return the bundle with changed objects, clearing checksums of format 2.0."""
    if bundle.format is Format.BUNDLE_2:
        objects = [
            new if new is old else new._replace(extra=new.extra[:-4] + bytes(4))
            for old, new in zip(bundle.objects, objects, strict=True)
        ]
    return bundle._replace(objects=tuple(objects))


def parse_path(path: str) -> Steps:
    """Parse a path as people write it; raises NotInBundleError."""
    steps: list[str | int] = []
    position = 0
    while position < len(path):
        found = _STEP.match(path, position)
        if found is None:
            raise NotInBundleError(f"{path!r} is not a path of a value")
        steps.append(found[1] if found[1] is not None else int(found[2]))
        position = found.end()
    return tuple(steps)


def field_at(entry: BundleObject, steps: Steps) -> Field:
    """Return the field at ``steps``, named by path. Raises NotInBundleError."""
    field = Field("", FieldType.STRUCT)
    for parent, position in _way(entry, steps):
        field = _part(field, parent, position)
    return field._replace(name=path_text(steps))


def _part(field: Field, value: Value, position: int) -> Field:
    """Return the field of one part of a composite value."""
    if isinstance(value, StructValue):
        return value.layout.fields[position]
    if isinstance(value, TypedArray):
        return value.elements[position]
    if field.type in VECTOR_CODES:
        return Field("", FieldType.F32 if VECTOR_CODES[field.type][-1] == "f" else FieldType.S32)
    return Field("", element_type(field.type, field.element), field.schema)


def value_at(entry: BundleObject, steps: Steps) -> Value:
    """Return the value at ``steps`` of an object; raises NotInBundleError."""
    parent, position = _way(entry, steps)[-1]
    return _values(parent)[position]


def _way(entry: BundleObject, steps: Steps) -> list[tuple[Value, int]]:
    """Return the parents of a value, each with the next one's place."""
    if not steps:
        raise NotInBundleError("an empty path")
    way: list[tuple[Value, int]] = []
    value: Value = StructValue(entry.layout, entry.values)
    for step in steps:
        way.append((value, _position(value, step)))
        value = _values(value)[way[-1][1]]
    return way


def replace_value(entry: BundleObject, steps: Steps, value: Value) -> BundleObject:
    """Return the object with the value at ``steps`` replaced."""
    return replace_values(entry, {steps: value})


def replace_values(entry: BundleObject, replaced: Mapping[Steps, Value]) -> BundleObject:
    """Return the object with the values at some paths replaced.

    No path may lead into another. Each array and struct is made once, the innermost first: an array of 20,000
    references that was copied for each took 6 s.
    """
    levels: dict[int, dict[Steps, Value]] = {}
    for steps, value in replaced.items():
        levels.setdefault(len(steps), {})[steps] = value
    whole = StructValue(entry.layout, entry.values)
    for depth in range(max(levels), 0, -1):
        parents: dict[Steps, list[tuple[str | int, Value]]] = {}
        for steps, value in levels.get(depth, {}).items():
            parents.setdefault(steps[:-1], []).append((steps[-1], value))
        for steps, parts in parents.items():
            parent = value_at(entry, steps) if steps else whole
            levels.setdefault(depth - 1, {})[steps] = _with_parts(parent, parts)
    made = levels[0][()] if max(levels) else None
    if not isinstance(made, StructValue):
        raise NotInBundleError("an empty path")
    return entry._replace(values=made.values)


def _with_parts(value: Value, parts: Sequence[tuple[str | int, Value]]) -> Value:
    """Return a composite value with some of its parts replaced."""
    values = [*_values(value)]
    for step, part in parts:
        values[_position(value, step)] = part
    changed = tuple(values)
    if isinstance(value, StructValue):
        return StructValue(value.layout, changed)
    if isinstance(value, TypedArray):
        return TypedArray(value.elements, changed)
    return changed


def _values(value: Value) -> Values:
    if isinstance(value, StructValue | TypedArray):
        return value.values
    if is_array(value):
        return value
    raise NotInBundleError(f"{type(value).__name__} has no parts")


def _position(value: Value, step: str | int) -> int:
    values = _values(value)
    if isinstance(step, int):
        if isinstance(value, StructValue) or step >= len(values):
            raise NotInBundleError(f"no value at {step!r}")
        return step
    if isinstance(value, StructValue):
        for position, field in enumerate(value.layout.fields[: len(values)]):
            if field.name == step:
                return position
    raise NotInBundleError(f"no value at {step!r}")


def _find(bundle: Bundle, uuid: bytes) -> int:
    for number, entry in enumerate(bundle.objects):
        if entry.uuid == uuid:
            return number
    raise NotInBundleError(f"the bundle has no object {uuid.hex()}")


def _editable(entry: BundleObject) -> BundleObject:
    if entry.raw is not None:
        raise EditError(f"the object {entry.path!r} could not be read to its end, so it is not edited")
    return entry
