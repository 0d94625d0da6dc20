"""Trees of references: users of users, or needs of needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.query.graph.references import settings_sites
from assetdb.query.graph.relations import AssetInfo, dependencies_of, describe, own_guid, usages_of
from assetdb.query.graph.ways import Links
from assetdb.query.selecting.selector import NO_GUID, is_guid

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from assetdb.query.graph.references import AssetGraph
    from assetdb.query.selecting.selector import Subject
    from assetdb.query.snapshots.snapshot import Snapshot

MOST_ROWS: Final = 10_000
"""Rows of a tree: more is read by nobody."""


class TreeRow(NamedTuple):
    """An asset in a tree of references.

    Attributes:
        depth: 0 for what the asset itself refers to, or is used by.
        asset: at the other end of the reference.
        repeated: whether it has its own references elsewhere in the tree, where it was met first.
    """

    depth: int
    asset: AssetInfo
    repeated: bool


class ReferenceTree(NamedTuple):
    """A tree of references; ``truncated`` if there are more rows."""

    rows: tuple[TreeRow, ...]
    truncated: bool


def dependency_tree(
    subject: Subject, project: Snapshot, graph: AssetGraph, *, depth: int | None = None, most: int = MOST_ROWS
) -> ReferenceTree:
    """Return the needs of an asset, and in turn their needs.

    Args:
        subject: the asset, or a folder.
        project: where it is.
        graph: of the project.
        depth: of how many levels rows are returned; all by default.
        most: how many rows are returned.
    """
    links = Links(project, graph)
    first = dependencies_of(subject, project, graph, deep=False)
    return _tree(subject, first, lambda guid: [describe(one, project) for one in links.after(guid)], depth, most)


def usage_tree(
    subject: Subject, project: Snapshot, graph: AssetGraph, *, depth: int | None = None, most: int = MOST_ROWS
) -> ReferenceTree:
    """Return the users of an asset, and in turn their users.

    Args: as of :func:`dependency_tree`.
    """
    links = Links(project, graph)
    first, _ = usages_of(subject, project, graph, deep=False, objects=False)
    encoded = {item.asset.guid: own_guid(item, project) for item in project.duplicates if item.prefix}
    # What others call such an asset leads to its users, the text in its meta does not.
    first = [
        describe(encoded[row.guid], project) if encoded.get(row.guid, NO_GUID) != NO_GUID else row for row in first
    ]
    settings = _settings(project, links, [file.guid for file in first])

    def users(guid: str) -> list[AssetInfo]:
        return [*(describe(one, project) for one in links.before(guid)), *settings.get(guid, ())]

    return _tree(subject, first, users, depth, most)


def _settings(project: Snapshot, links: Links, guids: Iterable[str]) -> dict[str, list[AssetInfo]]:
    """Return the files of ``ProjectSettings`` that refer to assets or their users."""
    waiting = list(filter(is_guid, guids))
    reached = set(waiting)
    while waiting:
        new = [guid for guid in links.before(waiting.pop()) if guid not in reached]
        reached.update(new)
        waiting += new
    found: dict[str, dict[str, AssetInfo]] = {}
    for guid, site in settings_sites(project.root, sorted(reached)):
        name = site.path.rpartition("/")[2].rpartition(".")[0]
        found.setdefault(guid, {})[site.path] = AssetInfo("", name, "project settings", site.path)
    return {guid: list(files.values()) for guid, files in found.items()}


def _tree(
    subject: Subject,
    first: list[AssetInfo],
    below: Callable[[str], list[AssetInfo]],
    depth: int | None,
    most: int,
) -> ReferenceTree:
    rows: list[TreeRow] = []
    opened = {subject.guid}
    levels: list[Iterator[AssetInfo]] = [iter(sorted(first, key=_order))]
    while levels:
        asset = next(levels[-1], None)
        if asset is None:
            levels.pop()
            continue
        if len(rows) == most:
            return ReferenceTree(tuple(rows), truncated=True)
        level = len(levels) - 1
        repeated = asset.guid in opened
        rows.append(TreeRow(level, asset, repeated))
        # Not asked for each row: of 1,500 materials that share a list of them that took 5 s.
        is_open = not repeated and is_guid(asset.guid) and (depth is None or level + 1 < depth)
        under = below(asset.guid) if is_open else []
        if under:
            opened.add(asset.guid)
            levels.append(iter(sorted(under, key=_order)))
    return ReferenceTree(tuple(rows), truncated=False)


def _order(asset: AssetInfo) -> tuple[str, str]:
    return asset.path, asset.guid


def tree_fields(row: TreeRow) -> dict[str, object]:
    """Return a row of a tree for JSON."""
    asset = row.asset
    return {
        "depth": row.depth,
        "path": asset.path,
        "guid": asset.guid,
        "type": asset.type,
        "name": asset.name,
        "package": asset.package,
        "repeated": row.repeated,
    }
