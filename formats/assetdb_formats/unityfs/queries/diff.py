"""Comparison of two bundles: headers, objects, values."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias
from zlib import crc32

from assetdb_formats.processes import tracked
from assetdb_formats.unityfs.queries.summary import compressions
from assetdb_formats.unityfs.serialized_files.tree_values import leaves

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb_formats.processes import Progress
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


class ObjectChange(NamedTuple):
    """An object that differs.

    Attributes:
        change: ``+`` only in the new bundle, ``-`` only in the old one, ``~`` in both.
        object: ``file:PathID``.
        class_name: of the new one, where there are both; so are the other facts.
        name: ``m_Name``.
        values: which values differ; none where a class has no type tree.
    """

    change: str
    object: str
    class_name: str
    name: str
    values: tuple[ValueChange, ...] = ()


def header_changes(old: Bundle, new: Bundle) -> tuple[HeaderChange, ...]:
    """Return the differences of two bundles as a whole."""
    return tuple(
        HeaderChange(what, before, after)
        for (what, before), (_, after) in zip(_header(old), _header(new), strict=True)
        if before != after
    )


def object_changes(old: Bundle, new: Bundle, *, progress: Progress = None) -> Iterator[ObjectChange]:
    """Yield the changes of objects, paired by file and PathID.

    A bundle built under another name has another internal name: where each has one file, those are compared.
    """
    alone = all(sum(node.serialized for node in bundle.nodes) == 1 for bundle in (old, new))
    befores, afters = (
        {("" if alone else item.file.node.path, item.path_id): item for item in bundle.objects()}
        for bundle in (old, new)
    )
    for key in tracked(sorted(befores.keys() | afters.keys()), progress):
        before, after = befores.get(key), afters.get(key)
        if before is None and after is not None:
            yield _change("+", after)
        elif after is None and before is not None:
            yield _change("-", before)
        elif (
            before is not None
            and after is not None
            and (before.entry.size != after.entry.size or _checksum(before) != _checksum(after))
        ):
            yield _change("~", after)._replace(values=value_changes(before, after))


def value_changes(old: ObjectReader, new: ObjectReader) -> tuple[ValueChange, ...]:
    """Return the fields with different values, in order."""
    if not (old.has_layout and new.has_layout):
        return ()
    before, after = dict(leaves(old.value())), dict(leaves(new.value()))
    return tuple(
        ValueChange(field, before.get(field), after.get(field))
        for field in dict.fromkeys((*before, *after))
        if before.get(field) != after.get(field)
    )


def _change(change: str, found: ObjectReader) -> ObjectChange:
    return ObjectChange(change, found.id, found.class_name, found.name)


def _checksum(found: ObjectReader) -> int:
    value = 0
    for piece in found.file.pieces(found.entry):
        value = crc32(piece, value)
    return value


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
