"""Comparison of two ``.casset`` bundles: headers, objects, values."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from assetdb_formats.casset.identity import uuid_text
from assetdb_formats.casset.model import Delegate, Reference, TypedArray, is_array
from assetdb_formats.casset.queries.flatten import Leaf, leaves
from assetdb_formats.casset.queries.objects import dependency_text, place
from assetdb_formats.processes import tracked

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from assetdb_formats.casset.model import Bundle, BundleObject, Layout, Value
    from assetdb_formats.processes import Progress

    Header: TypeAlias = "str | tuple[str, ...] | None"


class HeaderChange(NamedTuple):
    """A fact of the bundle that differs; None where it is missing."""

    what: str
    old: Header
    new: Header


class ValueChange(NamedTuple):
    """A value that differs, with its type; None where missing."""

    field: str
    old: Leaf | None
    new: Leaf | None


class ObjectChange(NamedTuple):
    """An object that differs, with its path in either bundle or None."""

    old: str | None
    new: str | None
    class_name: str
    values: tuple[ValueChange, ...] = ()


class BundleDiff(NamedTuple):
    """All that differs between two bundles; false if nothing does."""

    header: tuple[HeaderChange, ...]
    objects: tuple[ObjectChange, ...]

    def __bool__(self) -> bool:
        return bool(self.header or self.objects)


def diff_bundles(old: Bundle, new: Bundle, *, progress: Progress = None) -> BundleDiff:
    """Compare two bundles, pairing objects by UUID, else by path."""
    header = tuple(
        HeaderChange(what, before, after) for what, before, after in _header_pairs(old, new) if before != after
    )
    pairs, removed, added = _paired(old, new)
    objects = [ObjectChange(place(old, entry), None, entry.class_name) for entry in removed]
    objects += [ObjectChange(None, place(new, entry), entry.class_name) for entry in added]
    same = {before.uuid: after.uuid for before, after in pairs}
    for before, after in tracked(pairs, progress):
        values = value_changes(before, after, same)
        moved = (before.path, before.name, before.class_name) != (after.path, after.name, after.class_name)
        if values or moved:
            objects.append(ObjectChange(place(old, before), place(new, after), after.class_name, values))
    return BundleDiff(header, tuple(objects))


def value_changes(old: BundleObject, new: BundleObject, same: Mapping[bytes, bytes]) -> tuple[ValueChange, ...]:
    """Return the values that differ, in the order of their paths.

    ``same`` leads from UUIDs of the old bundle to UUIDs of the new: in a copy with UUIDs of its own, a reference to the
    object of the same path is the same.
    """
    before = {leaf.path: leaf for leaf in leaves(old)}
    after = {leaf.path: leaf for leaf in leaves(new)}
    return tuple(
        ValueChange(path, left, right)
        for path in dict.fromkeys((*before, *after))
        if _key(left := before.get(path), same) != _key(right := after.get(path), {})
    )


def _key(leaf: Leaf | None, same: Mapping[bytes, bytes]) -> object:
    """Return the comparison key of a leaf."""
    return None if leaf is None else (leaf.type, _value_key(leaf.value, same))


def _value_key(value: Value, same: Mapping[bytes, bytes]) -> object:
    if is_array(value):
        return [_value_key(item, same) for item in value]
    match value:
        case float():
            return repr(value)  # NaN is NaN here, and -0 is not 0
        case Reference() | Delegate():
            target = (same.get(value.object, value.object), same.get(value.bundle, value.bundle))
            return (*target, value.function) if isinstance(value, Delegate) else target
        case TypedArray():
            return [_value_key(item, same) for item in value.values]
        case _:
            return value


def _header_pairs(old: Bundle, new: Bundle) -> Iterator[tuple[str, Header, Header]]:
    yield "format", old.format_name, new.format_name
    yield "name", old.name, new.name
    yield "uuid", uuid_text(old.uuid), uuid_text(new.uuid)
    yield "source", old.source, new.source
    yield "dependencies", tuple(map(dependency_text, old.dependencies)), tuple(map(dependency_text, new.dependencies))
    before, after = ({layout.name: layout for layout in bundle.schema} for bundle in (old, new))
    for name in dict.fromkeys((*before, *after)):
        yield f"type {name}", _fields(before.get(name)), _fields(after.get(name))


def _fields(layout: Layout | None) -> tuple[str, ...] | None:
    return None if layout is None else tuple(f"{field.name} {field.type_name}" for field in layout.fields)


def _paired(
    old: Bundle, new: Bundle
) -> tuple[list[tuple[BundleObject, BundleObject]], list[BundleObject], list[BundleObject]]:
    by_uuid = {entry.uuid: entry for entry in new.objects}
    old_uuids = {entry.uuid for entry in old.objects}
    by_path = {entry.path: entry for entry in new.objects if entry.uuid not in old_uuids}
    pairs, removed, used = [], [], set()
    for entry in old.objects:
        other = by_uuid.get(entry.uuid) or by_path.get(entry.path)
        if other is None or other.offset in used:
            removed.append(entry)
        else:
            pairs.append((entry, other))
            used.add(other.offset)
    return pairs, removed, [entry for entry in new.objects if entry.offset not in used]
