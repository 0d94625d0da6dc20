"""The assets and references that a picture shows."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.query.graph.references import settings_sites
from assetdb.query.graph.relations import AssetInfo, describe
from assetdb.query.graph.ways import Links
from assetdb.query.selecting.selector import is_guid

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb.query.graph.references import AssetGraph
    from assetdb.query.graph.ways import Ways
    from assetdb.query.snapshots.snapshot import Snapshot

MOST_ASSETS: Final = 40
"""Users, and dependencies, that a picture has unless asked for more."""

_SETTINGS: Final = "project settings"


class Node(NamedTuple):
    """One asset of a picture.

    Attributes:
        asset: what it is; a file of ``ProjectSettings`` has no GUID.
        layer: how many references it is away: negative for users, positive for dependencies, 0 for the asset itself.
    """

    asset: AssetInfo
    layer: int


class Picture(NamedTuple):
    """Assets and references to draw.

    Attributes:
        nodes: by layer, then by path.
        edges: pairs of indices of ``nodes``: the first refers to the second.
        users_left_out: the users that were met and are not drawn.
        needs_left_out: the dependencies that were met and are not drawn.
        truncated: whether there are more chains.
    """

    nodes: tuple[Node, ...]
    edges: tuple[tuple[int, int], ...]
    users_left_out: int = 0
    needs_left_out: int = 0
    truncated: bool = False

    @property
    def left_out(self) -> str:
        """Assets that are not drawn, in words; ``""`` if none."""
        users, needs = self.users_left_out, self.needs_left_out
        parts = [
            f"{users:,} user{'s' * (users != 1)}" if users else "",
            f"{needs:,} dependenc{'ies' if needs != 1 else 'y'}" if needs else "",
            "longer chains" if self.truncated else "",
        ]
        return " and ".join(filter(None, parts))


class _Drawn:
    """The assets and references that are drawn so far, by key.

    A key is a GUID, or the path of a file of ``ProjectSettings``.
    """

    def __init__(self, project: Snapshot) -> None:
        self._project = project
        self.layers: dict[str, int] = {}
        self.edges: set[tuple[str, str]] = set()

    def add_around(
        self, start: str, neighbours: Callable[[list[str]], set[tuple[str, str]]], hops: int, step: int, most: int
    ) -> set[str]:
        """Add the neighbours of an asset; return keys left out.

        The nearest are added first.

        Args:
            start: the asset.
            neighbours: returns the given keys, each with one that it leads to.
            hops: how far away assets may be.
            step: -1 if the neighbours are users, 1 if they are dependencies.
            most: how many assets are added at most.
        """
        self.layers[start] = 0
        frontier, added = [start], 0
        met = {start}  # not the layers: a user may be a dependency as well, with dependencies of its own
        left: set[str] = set()
        for hop in range(1, hops + 1):
            reached: list[str] = []
            for key, other in sorted(neighbours(frontier), key=self._path_of_other):
                if other == key:
                    continue
                if other not in self.layers:
                    if added == most:
                        left.add(other)
                        continue
                    added += 1
                    self.layers[other] = step * hop
                if other not in met:
                    met.add(other)
                    reached.append(other)
                self.edges.add((other, key) if step < 0 else (key, other))
            frontier = reached
        return left

    def picture(self) -> Picture:
        """Return the drawn assets and references."""
        nodes = sorted(
            ((Node(self._describe(key), layer), key) for key, layer in self.layers.items()),
            key=lambda row: (row[0].layer, row[0].asset.path, row[1]),
        )
        numbers = {key: number for number, (_, key) in enumerate(nodes)}
        edges = sorted((numbers[user], numbers[needed]) for user, needed in self.edges)
        return Picture(tuple(node for node, _ in nodes), tuple(edges))

    def _path_of_other(self, pair: tuple[str, str]) -> tuple[str, tuple[str, str]]:
        return self._describe(pair[1]).path, pair

    def _describe(self, key: str) -> AssetInfo:
        if is_guid(key):
            return describe(key, self._project)
        return AssetInfo("", key.rpartition("/")[2].rpartition(".")[0], _SETTINGS, key)


def picture_around(
    guid: str,
    project: Snapshot,
    graph: AssetGraph,
    *,
    hops: int = 1,
    users: bool = True,
    needs: bool = True,
    most: int = MOST_ASSETS,
) -> Picture:
    """Return the users and dependencies of an asset.

    Args:
        guid: of the asset.
        project: where it is.
        graph: of the project.
        hops: how many references away drawn assets may be.
        users: whether users are drawn, files of ``ProjectSettings`` among them.
        needs: whether dependencies are drawn.
        most: how many users, and how many dependencies, are drawn; the rest is counted.
    """
    links = Links(project, graph)

    def before(keys: list[str]) -> set[tuple[str, str]]:
        guids = list(filter(is_guid, keys))
        found = {(key, other) for key in guids for other in links.before(key)}
        return found.union((key, site.path) for key, site in settings_sites(project.root, guids))

    def after(keys: list[str]) -> set[tuple[str, str]]:
        return {(key, other) for key in keys for other in links.after(key)}

    drawn = _Drawn(project)
    left_users = drawn.add_around(guid, before, hops, -1, most) if users else set()
    left_needs = drawn.add_around(guid, after, hops, 1, most) if needs else set()
    return drawn.picture()._replace(
        users_left_out=len(left_users.difference(drawn.layers)),
        needs_left_out=len(left_needs.difference(drawn.layers)),
    )


def picture_of_ways(found: Ways, project: Snapshot) -> Picture:
    """Return chains of references as one picture.

    Args:
        found: the chains, shortest first, all to one asset.
        project: where they are.
    """
    drawn = _Drawn(project)
    for way in found.ways:
        keys = [step.asset.guid for step in way.steps]
        for layer, key in enumerate(keys):
            drawn.layers.setdefault(key, layer)
        drawn.edges.update(pairwise(keys))
    if found.ways:
        drawn.layers[found.ways[0].steps[-1].asset.guid] = max(drawn.layers.values())  # at the end of all chains
    return drawn.picture()._replace(truncated=found.truncated)


def picture_fields(picture: Picture) -> dict[str, object]:
    """Return a picture for JSON; edges are pairs of numbers of nodes."""
    return {
        "nodes": [{**node.asset._asdict(), "layer": node.layer} for node in picture.nodes],
        "edges": [list(edge) for edge in picture.edges],
        "users_left_out": picture.users_left_out,
        "dependencies_left_out": picture.needs_left_out,
        "truncated": picture.truncated,
    }
