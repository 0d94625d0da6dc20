"""Comparison of two bundles' headers, and two objects' values."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from assetdb_formats.unityfs.queries.summary import compressions
from assetdb_formats.unityfs.serialized_files.tree_values import PPtr, leaves

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assetdb_formats.unityfs.bundle import Bundle, ObjectReader
    from assetdb_formats.unityfs.serialized_files.tree_values import Value

    Header: TypeAlias = "str | tuple[str, ...]"


class HeaderChange(NamedTuple):
    """A fact of the whole bundle that differs."""

    what: str
    old: Header
    new: Header


class ValueChange(NamedTuple):
    """A field that differs; None where an object lacks it."""

    field: str
    old: Value | None
    new: Value | None


def header_changes(old: Bundle, new: Bundle) -> tuple[HeaderChange, ...]:
    """Return the differences of two bundles as a whole."""
    return tuple(
        HeaderChange(what, before, after)
        for (what, before), (_, after) in zip(_header(old), _header(new), strict=True)
        if before != after
    )


def value_changes(
    old: ObjectReader, new: ObjectReader, lead_alike: Callable[[PPtr, PPtr], bool] | None = None
) -> tuple[ValueChange, ...]:
    """Return the fields with different values, in order.

    ``lead_alike`` tells whether two references lead to the same object; by default if they are equal.
    """
    if not (old.has_layout and new.has_layout):
        return ()
    before, after = dict(leaves(old.value())), dict(leaves(new.value()))
    found = []
    for field in dict.fromkeys((*before, *after)):
        left, right = before.get(field), after.get(field)
        if _equal(left, right) or (
            lead_alike is not None and isinstance(left, PPtr) and isinstance(right, PPtr) and lead_alike(left, right)
        ):
            continue
        found.append(ValueChange(field, left, right))
    return tuple(found)


def _equal(left: Value | None, right: Value | None) -> bool:
    """Whether values are stored alike: NaN is NaN, 0 not -0."""
    if isinstance(left, float | list) and isinstance(right, float | list):
        return repr(left) == repr(right)
    return left == right


def _header(bundle: Bundle) -> Iterator[tuple[str, Header]]:
    archive = bundle.archive
    yield "format", f"{archive.signature} {archive.format}" if archive else "SerializedFile"
    yield "unity_version", archive.unity_version if archive else ""
    yield "compression", compressions(bundle)
    yield "files", tuple(node.path for node in bundle.nodes)
    yield "externals", tuple(external.path for file in bundle.files() for external in file.facts.externals)
    found = bundle.asset_bundle()
    yield "dependencies", found[1].dependencies if found else ()
    yield "container", tuple(entry.path for entry in found[1].container) if found else ()
