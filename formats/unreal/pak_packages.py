"""The packages in a .pak, joined to the graph of the others: a build folder reads whole, however it was packed."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from formats.codecs.city_hash import package_id
from formats.unreal.errors import UnrealError
from formats.unreal.iostore.package_names import guess_package_names
from formats.unreal.mounts import EXTENSIONS
from formats.unreal.records import HARD, SOFT, PackageRecord, make_record

if TYPE_CHECKING:
    from formats.unreal.iostore.package_graph import PackageGraph
    from formats.unreal.pak import Pak


def add_pak(graph: PackageGraph, label: str, pak: Pak) -> None:
    """Add the packages of a .pak to ``graph``: their names by their paths, what they import by their headers.

    A package whose header cannot be read (damaged, encrypted, or for want of a decompressor) is there by its name
    alone, and the reason is among what the graph has not read.
    """
    unread: Counter[str] = Counter()
    for entry in pak.entries:
        if entry.deleted or not entry.path.lower().endswith(EXTENSIONS):
            continue
        record = PackageRecord("", "", 0, [], [], "", "")
        try:
            record = make_record(pak.read_file(entry))
            reason = record.error
        except UnrealError as error:
            reason = f"{error.field or entry.path}: {error.what}"
        if reason:
            unread[reason] += 1
        names = list(guess_package_names(pak.mount_point + entry.path))
        name = names[0] if names else "/" + entry.path.rpartition(".")[0].lstrip("/")
        if record.own_name.lower() in map(str.lower, names):
            name = record.own_name
        needed = {
            bit: [target for target, kinds in record.dependencies if kinds & bit and not target.startswith("/Script/")]
            for bit in (HARD, SOFT)
        }
        graph.add_package(label, name, needed[HARD], needed[SOFT])
        graph.sizes[package_id(name)] = entry.size
        graph.classes[package_id(name)] = record.class_name
        if record.redirects_to:
            graph.redirects[package_id(name)] = package_id(record.redirects_to)
    graph.unread += [(label, f"{count} packages: {reason}") for reason, count in unread.most_common()]
