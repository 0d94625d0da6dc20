"""References between bundles, and bundles without any."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.processes import tracked
from assetdb_formats.unityfs.bundle import ObjectReader
from assetdb_formats.unityfs.identity import archive_name
from assetdb_formats.unityfs.queries.neighbours import file_name
from assetdb_formats.unityfs.queries.objects import ObjectInfo, describe

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assetdb_formats.inputs import Input
    from assetdb_formats.processes import Progress
    from assetdb_formats.unityfs.bundle import Bundle
    from assetdb_formats.unityfs.queries.neighbours import BundleSet
    from assetdb_formats.unityfs.serialized_files.loaded import LoadedFile
    from assetdb_formats.unityfs.serialized_files.serialized import External
    from assetdb_formats.unityfs.serialized_files.tree_values import PPtr

_BUILTIN_FOLDERS: Final = ("library/", "resources/")


class Verdict(enum.Enum):
    """The verdicts on files that a bundle refers to, for people."""

    FOUND = "found"
    MISSING = "missing"
    BUILTIN = "Unity's own"
    """No bundle has it: it comes with the player."""
    OWN = "this bundle"


class ExternalReference(NamedTuple):
    """A file that a file of a bundle refers to.

    Attributes:
        file: the SerializedFile that refers to it.
        bundle: the bundle that has it, or the declared name of a missing one; or None.
    """

    verdict: Verdict
    file: str
    path: str
    bundle: str | None


class ObjectReference(NamedTuple):
    """A reference of an object.

    Attributes:
        field: the path of the field (``m_Materials[0]``).
        external: the path of the file it is in; ``""`` for the object's own.
        target: the target, where it lies in this bundle or one of its neighbours.
        bundle: the bundle that has the target's file, this one or a neighbour; None where none of them has.
    """

    field: str
    path_id: int
    external: str
    target: ObjectInfo | None
    bundle: str | None


class BundleUsage(NamedTuple):
    """A file of another bundle that refers to this bundle's file."""

    bundle: str
    file: str
    path: str


class ObjectUsage(NamedTuple):
    """A field of an object that refers to this one."""

    bundle: str
    path_id: int
    class_name: str
    name: str
    field: str


def external_references(bundle: Bundle, neighbours: BundleSet) -> Iterator[ExternalReference]:
    """Yield a bundle's external references and the neighbours that have them."""
    found = bundle.asset_bundle()
    declared = found[1].dependencies if found else ()
    own = _file_names(bundle)
    for file in bundle.files():
        for external in file.facts.externals:
            holder = None
            if external.path.casefold().startswith(_BUILTIN_FOLDERS):
                verdict = Verdict.BUILTIN
            elif external.name.casefold() in own:
                verdict = Verdict.OWN
            else:
                holder = neighbours.holder(external.name)
                verdict = Verdict.MISSING if holder is None else Verdict.FOUND
            name = _declared_name(external, declared) if holder is None else holder.name
            yield ExternalReference(verdict, file.node.path, external.path, name)


def object_references(source: ObjectReader, neighbours: BundleSet | None = None) -> Iterator[ObjectReference]:
    """Yield an object's references, in the order of its fields."""
    for field, pointer in source.references():
        yield resolve_reference(source, field, pointer, neighbours)


def resolve_reference(
    source: ObjectReader, field: str, pointer: PPtr, neighbours: BundleSet | None = None
) -> ObjectReference:
    """Return where one reference of an object leads.

    Raises:
        FormatError: the object that it leads to is damaged.
        OSError: a neighbour cannot be read.
    """
    external = source.external(pointer)
    path = "" if not pointer.file_id else external.path if external else f"external {pointer.file_id}"
    holder: str | None = source.bundle.path
    target = source.follow(pointer)
    if external is not None and source.bundle.file_named(external.name) is None:
        found = None if neighbours is None else neighbours.follow(source, pointer)
        target, holder = (None, None) if found is None else (found.object, found.bundle.name)
    elif pointer.file_id and external is None:
        holder = None
    return ObjectReference(field, pointer.path_id, path, None if target is None else describe(target), holder)


def bundle_usages(own: Input, bundle: Bundle, neighbours: BundleSet) -> Iterator[BundleUsage]:
    """Yield the files of other bundles that refer to a bundle."""
    names = _file_names(bundle) if bundle.archive is not None else {file_name(own).casefold()}
    for other, file, external in _externals(neighbours, neighbours.others(own)):
        if external.name.casefold() in names:
            yield BundleUsage(other.name, file.node.path, external.path)


def object_usages(
    own: Input, target: ObjectReader, neighbours: BundleSet, *, progress: Progress = None
) -> Iterator[ObjectUsage]:
    """Yield the objects that refer to an object, in any bundle."""
    name = (target.file.node.path if target.bundle.archive is not None else file_name(own)).casefold()
    for other in tracked([own, *neighbours.others(own)], progress):
        with neighbours.collecting(other), neighbours.open(other) as bundle:
            for file in bundle.files():
                # References of this file that lead into the target's: 0 in the file itself, else its externals.
                leading = {
                    place for place, external in enumerate(file.facts.externals, 1) if external.name.casefold() == name
                }
                if other is own and file.node.path == target.file.node.path:
                    leading.add(0)
                if leading:
                    for entry in file.facts.objects:
                        yield from _users(other, ObjectReader(bundle, file, entry), target.path_id, leading)


def unused_bundles(neighbours: BundleSet) -> tuple[str, ...]:
    """Return the bundles that no other bundle refers to."""
    used = set()
    for own, _, external in _externals(neighbours, neighbours.inputs):
        holder = neighbours.holder(external.name)
        if holder is not None and holder.name != own.name:
            used.add(holder.name)
    return tuple(own.name for own in neighbours.bundles if own.name not in used)


def _externals(neighbours: BundleSet, inputs: Iterable[Input]) -> Iterator[tuple[Input, LoadedFile, External]]:
    for own in inputs:
        with neighbours.collecting(own), neighbours.open(own) as bundle:
            for file in bundle.files():
                for external in file.facts.externals:
                    yield own, file, external


def _users(own: Input, source: ObjectReader, path_id: int, leading: set[int]) -> Iterator[ObjectUsage]:
    for field, pointer in source.references() if source.has_layout else ():
        if pointer.path_id == path_id and pointer.file_id in leading:
            yield ObjectUsage(own.name, source.path_id, source.class_name, source.name, field)


def _file_names(bundle: Bundle) -> set[str]:
    return {node.path.casefold() for node in bundle.nodes}


def _declared_name(external: External, names: Iterable[str]) -> str | None:
    """Return the bundle name that an external's internal name derives from."""
    wanted = external.name.casefold()
    return next((name for name in names if archive_name(name).casefold() == wanted), None)
