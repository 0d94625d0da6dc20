"""Chains of references that lead to an asset, shortest first.

Chains are searched from their end: the distance of each asset is computed first, so that only assets that reach it are
followed.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.errors import UsageError
from assetdb.query.graph.relations import (
    content_of,
    describe,
    describe_asset,
    folder_of,
    own_guid,
    place_fields,
    sites_of,
    with_hierarchy,
)
from assetdb.query.graph.unused import KEPT_WITH_OTHERS, find_unused
from assetdb.query.selecting.selector import NO_GUID, Unmatched, find_subject
from assetdb.system.cancelling import check_cancelled

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from assetdb.query.graph.references import AssetGraph, Site
    from assetdb.query.graph.relations import AssetInfo
    from assetdb.query.selecting.selector import Subject
    from assetdb.query.snapshots.snapshot import Snapshot

MOST_WAYS: Final = 100
_MOST_STEPS: Final = 200_000
"""Limit of unfinished chains in one search."""

_PLACES: Final = "m_SourcePrefab"
_FOLLOWS: Final = ("m_CorrespondingSourceObject", "m_Modification")


class Step(NamedTuple):
    """An asset of a chain.

    Attributes:
        asset: its path and type.
        place: the most telling place in it that refers to the next asset; None in the last one, and where the file
            does not show it (a binary one).
        places: how many places refer to it.
    """

    asset: AssetInfo
    place: Site | None
    places: int


class Way(NamedTuple):
    """A chain of references.

    Attributes:
        reason: why a build keeps the first asset; ``""`` for chains that do not start at a root.
        steps: from the first asset to the last.
    """

    reason: str
    steps: tuple[Step, ...]


class Ways(NamedTuple):
    """Chains of references, shortest first; ``truncated`` if there are more."""

    ways: list[Way]
    truncated: bool


def find_ways(
    starts: Iterable[str], target: str, project: Snapshot, graph: AssetGraph, *, most: int = MOST_WAYS
) -> Ways:
    """Return the chains of references from some assets to another.

    Args:
        starts: GUIDs, 32 hex digits each.
        target: GUID.
        project: where they are.
        graph: of the project.
        most: maximum number of chains.
    """
    return _Search(project, graph).ways(dict.fromkeys(starts, ""), target, most)


def find_ways_from_roots(target: str, project: Snapshot, graph: AssetGraph, *, most: int = MOST_WAYS) -> Ways:
    """Return the chains of references from the roots of a build.

    These are the roots of :mod:`assetdb.query.graph.unused`; a chain ends at the first.

    Raises:
        DatabaseError, ConfigurationError, ScanError: as :func:`assetdb.query.graph.unused.find_unused` does.
    """
    kept = find_unused(project).kept
    roots = {row.guid: row.reason for row in kept if row.reason and not row.reason.startswith(KEPT_WITH_OTHERS)}
    return _Search(project, graph).ways(roots, target, most)


def find_ways_between(
    query: str, subject: Subject, to: str, project: Snapshot, graph: AssetGraph, cwd: str, *, most: int = MOST_WAYS
) -> tuple[Ways, Subject]:
    """Return the chains from an asset to another, and the other.

    Args:
        query: the text that ``subject`` was found by.
        subject: the asset, or the folder in which chains begin.
        to: the other one, as a query.
        project: where they are.
        graph: of the project.
        cwd: the directory that paths are relative to.
        most: maximum number of chains.

    Raises:
        UsageError: ``to`` means nothing, a folder, or the asset itself.
    """
    target = one_asset(to, find_subject(to, project, cwd, folders=True), project)
    starts = {subject.guid, *content_of(subject, project).values()} - {NO_GUID}
    if target.guid in starts:
        raise UsageError(f"{to!r} is {query!r} itself, or in it")
    return find_ways(starts, target.guid, project, graph, most=most), target


def one_asset(query: str, subject: Subject | Unmatched, project: Snapshot) -> Subject:
    """Return the asset that a query means, where it means one.

    Raises:
        UsageError: it means nothing, or a folder.
    """
    if isinstance(subject, Unmatched):
        raise UsageError(subject.why)
    if folder_of(subject, project):
        raise UsageError(f"{query!r} is a folder: name one asset")
    return subject


def way_fields(way: Way, project: Snapshot) -> dict[str, object]:
    """Return a chain for JSON."""
    steps = [
        {
            **step.asset._asdict(),
            "place": place_fields(step.place, project) if step.place is not None else None,
            "places": step.places,
        }
        for step in way.steps
    ]
    return {"reason": way.reason, "steps": steps}


class Links:
    """The references between assets of a project, duplicates included."""

    def __init__(self, project: Snapshot, graph: AssetGraph) -> None:
        self._graph = graph
        self._targets: dict[str, set[str]] = {}
        self._users: dict[str, set[str]] = {}
        for duplicate in project.duplicates:
            own = own_guid(duplicate, project)
            if own == NO_GUID:  # nothing refers to it for certain
                continue
            self._targets.setdefault(own, set()).update(duplicate.targets)
            for guid in duplicate.targets:
                self._users.setdefault(guid, set()).add(own)

    def after(self, guid: str) -> list[str]:
        """Return the GUIDs that an asset refers to."""
        return sorted({*self._graph.dependencies(guid), *self._targets.get(guid, ())})

    def before(self, guid: str) -> list[str]:
        """Return the GUIDs of the users of an asset."""
        return sorted({*self._graph.usages(guid), *self._users.get(guid, ())})


class _Search:
    """A search along the references of a project."""

    def __init__(self, project: Snapshot, graph: AssetGraph) -> None:
        self._project = project
        self._links = Links(project, graph)

    def ways(self, starts: Mapping[str, str], target: str, most: int) -> Ways:
        """Return chains from assets with a reason to the target."""
        distances = self._distances(starts, target, near=most == 1)
        waiting = [(distances[guid], [guid]) for guid in starts if guid in distances]
        heapify(waiting)
        found: list[Way] = []
        steps = 0
        while waiting:
            _, way = heappop(waiting)
            if way[-1] == target:
                if len(found) == most:
                    return Ways(found, truncated=True)
                found.append(Way(starts[way[0]], tuple(self._steps(way))))
                if most == 1:
                    return Ways(found, truncated=False)
                continue
            for guid in self._links.after(way[-1]):
                # A chain through another root adds nothing to the chain from there.
                if guid in distances and guid not in way and (guid not in starts or guid == target):
                    steps += 1
                    heappush(waiting, (len(way) + distances[guid], [*way, guid]))
            if steps > _MOST_STEPS:
                return Ways(found, truncated=True)
            check_cancelled()
        return Ways(found, truncated=False)

    def _distances(self, starts: Mapping[str, str], target: str, *, near: bool) -> dict[str, int]:
        """Return distances from the target, with ``near`` to the nearest start."""
        found = {target: 0}
        frontier = [target]
        while frontier and not (near and any(guid in starts for guid in frontier)):
            reached = []
            for guid in frontier:
                for user in self._links.before(guid):
                    if user not in found:
                        found[user] = found[guid] + 1
                        reached.append(user)
            frontier = reached
        return found

    def _steps(self, way: list[str]) -> Iterable[Step]:
        for guid, following in pairwise(way):
            owner = describe(guid, self._project)
            others = [describe_asset(duplicate.asset, self._project) for duplicate in self._project.supplement.of(guid)]
            for asset in (owner, *others):
                places = [place for _, place in sites_of(asset, [following], self._project)]
                if places:
                    place = with_hierarchy(min(places, key=_rank), asset.guid, self._project)
                    yield Step(asset, place, len(places))
                    break
            else:
                yield Step(owner, None, 0)
        yield Step(describe(way[-1], self._project), None, 0)


def _rank(place: Site) -> int:
    """Return a place's rank: placed prefabs first, stand-ins last."""
    if place.property == _PLACES:
        return 0
    return 2 if place.property.startswith(_FOLLOWS) else 1
