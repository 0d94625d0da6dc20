"""Prefabs that contain themselves through others.

A prefab that contains itself directly is found when references are judged.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assetdb.checks.cycles import cycles
from assetdb.checks.findings.finding import Finding
from assetdb.checks.rules import RECURSIVE_PREFAB
from assetdb.memo.inputs import PREFABS
from assetdb.unity.yaml.property_path import places

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.memo.view import View

_SOURCE: Final = re.compile(rb"\n  m_(?:SourcePrefab|ParentPrefab): \{fileID: -?\d{1,20}, guid: ([0-9a-f]{32})")


def find_recursive(project: View) -> Iterator[Finding]:
    """Yield a finding for each instance through which a prefab contains itself.

    Circular references between prefabs are common (spawners that name each other). Only prefabs in such circles are
    read for their instances.
    """
    known = {asset.guid: asset.path for asset in project.database.ending(".prefab")}
    graph = project.graph(PREFABS)
    nodes = {node: guid for guid in known if (node := graph.node(int(guid, 16))) is not None}
    refer = {node: [other for other in graph.outgoing(node) if other in nodes] for node in nodes}
    suspects = {nodes[node] for group in cycles(refer) for node in group}
    sources = {guid: _sources(project, known[guid]) for guid in suspects}
    for group in cycles({guid: [source for source, _ in rows] for guid, rows in sources.items()}):
        for guid in sorted(group, key=known.__getitem__):
            for source, offset in sources[guid]:
                if source in group and source != guid:
                    yield _finding(project, known, guid, source, offset)


def _sources(project: View, path: str) -> list[tuple[str, int]]:
    """Return the source GUIDs of instances, with their offsets."""
    data = project.read(path) or b""
    return [(match[1].decode(), match.start(1)) for match in _SOURCE.finditer(data)]


def _finding(project: View, known: dict[str, str], guid: str, source: str, offset: int) -> Finding:
    place = places(project.read(known[guid]) or b"", [offset])[0]
    message = f"contains itself through {known[source]}"
    return Finding.of(
        RECURSIVE_PREFAB,
        known[guid],
        message,
        place.line,
        property_path=place.path,
        asset=guid,
        anchor=place.file_id,
        target=source,
    )
