"""The assets of a project and the references between them, by number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.query.graph.named import NamedReferences
from assetdb.query.graph.references import FINDING, settings_sites
from assetdb.query.graph.relations import describe, describe_asset
from assetdb.query.selecting.selector import is_guid
from assetdb.query.sizes import sizes_of
from assetdb.unity.kinds import extension_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.store.entry import Asset

MOST_ASSETS: Final = 200_000
"""Assets of a page: with more, browsers on phones end the page."""

_SETTINGS: Final = "project settings"


class Node(NamedTuple):
    """An asset, or anything at the other end of a reference.

    Attributes:
        guid: ``""`` for a file of ``ProjectSettings``.
        path: relative to the project, ``""`` if it is not here.
        type: as ``deps`` and ``usages`` print it.
        name: of what has no path.
        package: ``com.acme.tools@1.2.3``, ``""`` for the project's own.
        bytes: of its file, None if it is not known.
    """

    guid: str
    path: str
    type: str
    name: str = ""
    package: str = ""
    bytes: int | None = None


class Network(NamedTuple):
    """Assets and references of a project.

    Attributes:
        assets: of the project, by folder and name.
        others: everything else that an edge has.
        needs: for each of both in turn the numbers of nodes that it refers to, ascending.
        left_out: assets that are not among these, because there are too many.
    """

    assets: tuple[Node, ...]
    others: tuple[Node, ...]
    needs: tuple[tuple[int, ...], ...]
    left_out: int = 0


def network_of(project: Snapshot, most: int = MOST_ASSETS) -> Network:
    """Return the assets of a project with their references.

    Args:
        project: as it is.
        most: assets that are returned; those with the fewest references are left out first.

    Raises:
        AssetdbError, OSError: the project cannot be read.
    """
    return _Collecting(project).network(most)


class _Collecting:
    """Nodes by key, and pairs of keys.

    A key is a GUID, the number of an asset without an entry, or the path of a file of ``ProjectSettings``.
    """

    def __init__(self, project: Snapshot) -> None:
        self._project = project
        entries = list(project.database)  # in the order of GUIDs, as the nodes of the graph are
        self._assets: list[tuple[str | int, Asset]] = [(asset.guid, asset) for asset in entries]
        self._assets += enumerate(duplicate.asset for duplicate in project.duplicates)
        self.needs: dict[str | int, Collection[str]] = {}
        self._read_entries(entries)
        for number, duplicate in enumerate(project.duplicates):
            self.needs[number] = set(duplicate.targets)
        self._add_packages()
        for guid, site in settings_sites(project.root, [asset.guid for _, asset in self._assets]):
            self.needs.setdefault(site.path, set())
            self.needs[site.path] = {*self.needs[site.path], guid}

    def _read_entries(self, entries: Iterable[Asset]) -> None:
        """Take the references of the graph and by name."""
        graph = self._project.graph
        guids = graph.guids(range(graph.asset_count))
        guids += [f"{graph.guid(node):032x}" for node in range(graph.asset_count, graph.node_count)]
        named = NamedReferences(self._project)
        for row, asset in enumerate(entries):
            found = [guids[target] for target in graph.outgoing(row)]
            if extension_of(asset.path) in FINDING:
                found = [*{*found, *named.targets(asset)}]
            self.needs[asset.guid] = found

    def _add_packages(self) -> None:
        """Take the references from packages to the project's assets."""
        graph = self._project.package_graph
        if graph is None:
            return
        own = self._project.graph
        for guid in own.shared_with(graph):
            node = graph.node(int(guid, 16))
            if node is not None:
                self.needs[guid] = {*self.needs[guid], *graph.guids(graph.outgoing(node))}
        for node in range(graph.node_count):
            guid = f"{graph.guid(node):032x}"
            if guid in self.needs:
                for user in graph.guids(graph.incoming(node)):
                    self.needs[user] = {*self.needs.get(user, ()), guid}

    def network(self, most: int) -> Network:
        """Return everything by number."""
        assets = self._chosen(most)
        sizes = sizes_of(self._project, [asset for _, asset in assets])
        ordered = sorted(assets, key=lambda row: (row[1].path.rpartition("/")[::2], str(row[0])))
        numbers = {key: number for number, (key, _) in enumerate(ordered)}
        dropped = {key for key, _ in self._assets if key not in numbers} if len(assets) < len(self._assets) else set()
        keys = {key for key, found in self.needs.items() if found and key not in numbers}
        keys.update(target for found in self.needs.values() for target in found if target not in numbers)
        others = sorted((self._other(str(key)) for key in keys - dropped), key=lambda node: (node.path, node.guid))
        numbers.update((node.guid or node.path, number) for number, node in enumerate(others, start=len(ordered)))
        needs = [
            tuple(sorted({numbers[target] for target in self.needs.get(key, ()) if target in numbers}))
            for key in (*(key for key, _ in ordered), *(node.guid or node.path for node in others))
        ]
        nodes = (
            Node(asset.guid, asset.path, describe_asset(asset, self._project).type, bytes=sizes.get(asset.path))
            for _, asset in ordered
        )
        return Network(tuple(nodes), tuple(others), tuple(needs), len(dropped))

    def _chosen(self, most: int) -> list[tuple[str | int, Asset]]:
        """Return the assets with the most references."""
        if len(self._assets) <= most:
            return self._assets
        degrees = {key: len(found) for key, found in self.needs.items()}
        for found in self.needs.values():
            for target in found:
                degrees[target] = degrees.get(target, 0) + 1
        return sorted(self._assets, key=lambda row: (-degrees.get(row[0], 0), row[1].path))[:most]

    def _other(self, key: str) -> Node:
        if not is_guid(key):
            return Node("", key, _SETTINGS)
        found = describe(key, self._project)
        return Node(key, found.path, found.type, found.name, found.package)
