"""Packages in a .pak, joined to the package graph."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from assetdb_formats.codecs.city_hash import package_id
from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.iostore.package_names import guess_package_names
from assetdb_formats.unreal.scanning.mounts import EXTENSIONS
from assetdb_formats.unreal.scanning.records import HARD, SOFT, PackageRecord, make_record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb_formats.unreal.containers.pak import Pak, PakEntry
    from assetdb_formats.unreal.iostore.package_graph import PackageGraph


class PakPackage(NamedTuple):
    """A package in a .pak; ``reason`` is why it is unreadable."""

    entry: PakEntry
    name: str
    record: PackageRecord
    reason: str


def pak_packages(pak: Pak, *, headers: bool = True) -> Iterator[PakPackage]:
    """Yield the packages of a .pak, named by their paths.

    Without ``headers`` nothing of them is read; an unreadable one has the reason.
    """
    for entry in pak.entries:
        if entry.deleted or not entry.path.lower().endswith(EXTENSIONS):
            continue
        record = PackageRecord("", "", 0, [], [], "", "")
        reason = ""
        try:
            if headers:
                record = make_record(pak.read_file(entry))
                reason = record.error
        except UnrealError as error:
            reason = f"{error.field or entry.path}: {error.what}"
        names = _names(pak, entry)
        name = names[0]
        if record.own_name.lower() in map(str.lower, names):
            name = record.own_name
        yield PakPackage(entry, name, record, reason)


def _names(pak: Pak, entry: PakEntry) -> list[str]:
    """Return the names that a package may have by its path."""
    return [*guess_package_names(pak.mount_point + entry.path)] or ["/" + entry.path.rpartition(".")[0].lstrip("/")]


def add_pak(graph: PackageGraph, label: str, pak: Pak) -> tuple[PakPackage, ...]:
    """Add the packages of a .pak to ``graph``.

    Their names come from their paths, their imports from their headers. Packages that it deletes are removed. A package
    whose header cannot be read is there by its name alone, with the reason in the graph's ``unread``.

    Returns:
        The packages.
    """
    for entry in pak.entries:
        if entry.deleted and entry.path.lower().endswith(EXTENSIONS):
            # One of the names is its own: Engine/Plugins/2D/Paper2D/Content/Icon may be /Paper2D/Icon or /Engine/Icon.
            name = next((name for name in _names(pak, entry) if package_id(name) in graph.packages), None)
            if name is not None:
                graph.remove_package(name)
    found = tuple(pak_packages(pak))
    unread: Counter[str] = Counter()
    for package in found:
        record, name = package.record, package.name
        if package.reason:
            unread[package.reason] += 1
        needed = {
            bit: [target for target, kinds in record.dependencies if kinds & bit and not target.startswith("/Script/")]
            for bit in (HARD, SOFT)
        }
        graph.add_package(label, name, needed[HARD], needed[SOFT])
        graph.sizes[package_id(name)] = package.entry.size
        if record.class_name or package_id(name) not in graph.classes:  # of two copies one may not be readable
            graph.classes[package_id(name)] = record.class_name
        if record.redirects_to:
            graph.redirects[package_id(name)] = package_id(record.redirects_to)
    graph.unread += [(label, f"{count} packages: {reason}") for reason, count in unread.most_common()]
    return found
