"""The object and property of each reference of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.checks.verdicts.processing import share_out
from assetdb.query.graph.relations import AssetInfo, class_text, sites_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb.query.graph.references import Site
    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.report.network import Network

_FEW: Final = 500
"""Assets that one process reads faster than another starts."""


class EdgePlace(NamedTuple):
    """Where one asset refers to another.

    Attributes:
        object: name and class of the first object that refers; ``""`` in a meta or a file without objects.
        property: of it, ``""`` where nothing in the file says it.
        times: how many places there are, 0 if none was found.
    """

    object: str = ""
    property: str = ""
    times: int = 0


def places_of(
    project: Snapshot,
    network: Network,
    *,
    workers: int = 1,
    on_progress: Callable[[int, int], None] | None = None,
) -> list[EdgePlace]:
    """Return the places of all edges, in the order of the network.

    Args:
        project: as it is; the files of its assets are read.
        network: of the project.
        workers: how many processes may read.
        on_progress: called periodically with the assets read and their number.

    Raises:
        ScanError: a file cannot be read now.
    """
    nodes = (*network.assets, *network.others)
    parts = workers if len(nodes) > _FEW else 1

    def part(number: int) -> list[list[tuple[str, str, int]]]:
        titles: dict[tuple[int, str, int], str] = {}
        found = []
        for place in range(number, len(nodes), parts):
            if on_progress is not None and not number:
                on_progress(place, len(nodes))
            node, targets = nodes[place], [nodes[target].guid for target in network.needs[place]]
            file = AssetInfo(node.guid, node.name, node.type, node.path, node.package)
            found.append(_places(file, targets, project, titles) if targets else [])
        return found

    read = share_out(part, parts)
    return [EdgePlace(*row) for place in range(len(nodes)) for row in read[place % parts][place // parts]]


def _places(
    file: AssetInfo, targets: list[str], project: Snapshot, titles: dict[tuple[int, str, int], str]
) -> list[tuple[str, str, int]]:
    """Return the first place of each target, and how many there are."""
    first: dict[str, Site] = {}
    counts = dict.fromkeys(targets, 0)
    for guid, site in sites_of(file, targets, project):
        first.setdefault(guid, site)
        counts[guid] += 1
    rows = []
    for guid in targets:
        if guid not in first:
            rows.append(("", "", 0))
            continue
        site = first[guid]
        key = site.class_id, site.script, site.script_id
        if key not in titles:
            titles[key] = class_text(site, project) if site.class_id else ""
        names = (site.object_name, f"({titles[key]})" if titles[key] else "")
        property_text = f"{site.property} = {site.override}" if site.override else site.property
        rows.append((" ".join(filter(None, names)), property_text, counts[guid]))
    return rows
