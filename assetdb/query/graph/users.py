"""Remaining references to assets that are to be deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from assetdb.query.graph.references import AssetGraph
from assetdb.query.graph.relations import class_text, content_of, describe, usages_of
from assetdb.query.selecting.selector import NO_GUID, Subject, Unmatched, find_subject
from assetdb.settings.project import asset_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assetdb.query.graph.references import Site
    from assetdb.query.snapshots.snapshot import Snapshot


class User(NamedTuple):
    """One reference.

    Attributes:
        path: the file that refers.
        line: 1-based; 0 for a binary file.
        object: the full path to the object that refers, with its class; ``""`` if there is none.
        property: path of the property.
        target: path of what would be gone.
    """

    path: str
    line: int
    object: str
    property: str
    target: str


def users_of(project: Snapshot, paths: Sequence[str]) -> list[User]:
    """Return references from other files to files and folders (relative paths).

    References to a shared GUID remain valid.

    Raises:
        AssetdbError, OSError: the project cannot be read.
    """
    graph = AssetGraph(project)
    found: dict[User, None] = {}
    for path in paths:
        subject = find_subject(asset_file(project.root, path), project, suggest=False, folders=True)
        if isinstance(subject, Unmatched):
            continue
        targets = {**content_of(subject, project), path: subject.guid}
        lost = {guid for own, guid in targets.items() if not _stays(project, own, guid, paths)} - {NO_GUID}
        for guid in sorted(lost):
            itself = Subject(guid, None, path=path)  # of a folder: not its contents
            files, places = usages_of(itself, project, graph, deep=False, objects=True)
            target = describe(guid, project).path or path
            for place in places:
                found[User(place.path, place.line, _object(place, project), place.property, target)] = None
            placed = {place.path.removesuffix(".meta") for place in places}
            for file in files:
                if file.path not in placed:
                    found[User(file.path, 0, "", "", target)] = None
    return sorted(user for user in found if not _is_within(user.path.removesuffix(".meta"), paths))


def _stays(project: Snapshot, path: str, guid: str, paths: Sequence[str]) -> bool:
    """Whether something that is not removed has the GUID as well."""
    holders = [rival.asset.path for rival in project.supplement.of(guid)]
    holders.append(describe(guid, project).path)
    return any(holder and holder != path and not _is_within(holder, paths) for holder in holders)


def _is_within(path: str, tops: Sequence[str]) -> bool:
    return any(path == top or path.startswith(f"{top}/") for top in tops)


def _object(place: Site, project: Snapshot) -> str:
    if not place.class_id:
        return ""
    name = place.hierarchy or place.object_name
    kind = class_text(place, project)
    return f"{name} ({kind})" if name else f"({kind})"
