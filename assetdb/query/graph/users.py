"""References that deleting or moving assets ends."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from assetdb.query.graph.named import FOUND_OR_FINDING, MATERIAL, NamedReferences
from assetdb.query.graph.references import FOUND_BY_NAME, AssetGraph, settings_sites
from assetdb.query.graph.relations import (
    class_text,
    content_of,
    describe,
    describe_asset,
    sites_of,
    with_hierarchy,
)
from assetdb.query.selecting.selector import NO_GUID, Unmatched, find_subject
from assetdb.settings.project import asset_file, is_hidden
from assetdb.system.cancelling import check_cancelled
from assetdb.unity.kinds import extension_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from assetdb.query.graph.references import Site
    from assetdb.query.graph.relations import AssetInfo
    from assetdb.query.snapshots.snapshot import Snapshot


class User(NamedTuple):
    """One reference.

    Attributes:
        path: the file that refers.
        line: 1-based; 0 for a binary file, and where the target is found by its name.
        object: the full path to the object that refers, with its class; ``""`` if there is none.
        property: path of the property.
        target: path of what would be gone.
    """

    path: str
    line: int
    object: str
    property: str
    target: str


def where(user: User) -> str:
    """Return the file that refers, with the line if there is one."""
    return f"{user.path}:{user.line}" if user.line else user.path


def users_of(project: Snapshot, paths: Sequence[str]) -> list[User]:
    """Return references from other files to files and folders (relative paths).

    References to a shared GUID remain valid.

    Raises:
        AssetdbError, OSError: the project cannot be read.
    """
    targets = _lost(project, paths)
    places = settings_sites(project.root, targets)
    found: set[User] = set()
    for file, key, guids in _referring(project, targets):
        if _is_within(file.path, paths):
            continue
        sites = sites_of(file, guids, project)
        for guid, place in sites:
            places.append((guid, with_hierarchy(place, key if place.path == file.path else "", project)))
        for guid in guids.difference(guid for guid, _ in sites):
            found.add(User(file.path, 0, "", "", targets[guid]))
    for guid, place in places:
        found.add(User(place.path, place.line, _object(place, project), place.property, targets[guid]))
    return sorted(found)


def cut_by(project: Snapshot, moves: Mapping[str, str]) -> list[User]:
    """Return the references by name that moves of files and folders end.

    All others are by GUID, and stay whole.

    Raises:
        AssetdbError, OSError: the project cannot be read.
    """

    def moved(path: str) -> str:
        source = next((source for source in moves if _is_within(path, (source,))), None)
        if source is None:
            return path
        target = moves[source] + path[len(source) :]
        return "" if any(is_hidden(os.fsencode(name)) for name in target.split("/")) else target

    before, after = NamedReferences(project), NamedReferences(project, moved)
    paths = [asset.path for source in moves for asset in project.database.containing(source.encode("utf-8", "replace"))]
    changed = {path for path in paths if moved(path) != path}
    users = before.finders() if any(extension_of(path) in FOUND_OR_FINDING for path in changed) else {}
    is_material = any(extension_of(path) == MATERIAL for path in changed)
    users = {path: user for path, user in users.items() if (is_material or path in changed) and moved(path)}
    found: list[User] = []
    for path, user in users.items():
        check_cancelled()
        lost = set(before.targets(user)).difference(after.targets(user))
        found += [User(path, 0, "", FOUND_BY_NAME, describe(guid, project).path) for guid in lost]
    before.keep()
    return sorted(found)


def _lost(project: Snapshot, paths: Sequence[str]) -> dict[str, str]:
    """Return the GUIDs that deleting files and folders removes, with paths."""
    found: dict[str, str] = {}
    for path in paths:
        subject = find_subject(asset_file(project.root, path), project, suggest=False, folders=True)
        if isinstance(subject, Unmatched):
            continue
        for content, guid in {**content_of(subject, project), path: subject.guid}.items():
            place = describe(guid, project).path
            holders = [place, *(duplicate.asset.path for duplicate in project.supplement.of(guid))]
            if guid != NO_GUID and all(_is_within(other, paths) for other in holders if other not in ("", content)):
                found.setdefault(guid, place or path)
    return found


def _referring(project: Snapshot, targets: Mapping[str, str]) -> Iterator[tuple[AssetInfo, str, set[str]]]:
    """Yield assets that refer to GUIDs, their resolver keys, and the GUIDs."""
    graph = AssetGraph(project)
    referring: dict[str, set[str]] = {}
    for guid in targets:
        for user in graph.usages(guid):
            referring.setdefault(user, set()).add(guid)
    for user, guids in referring.items():
        yield describe(user, project), user, guids
    for duplicate in project.duplicates:
        if met := targets.keys() & set(duplicate.targets):
            yield describe_asset(duplicate.asset, project), project.resolver.key_of_duplicate(duplicate.asset), met


def _is_within(path: str, tops: Sequence[str]) -> bool:
    return any(path == top or path.startswith(f"{top}/") for top in tops)


def _object(place: Site, project: Snapshot) -> str:
    if not place.class_id:
        return ""
    name = place.hierarchy or place.object_name
    kind = class_text(place, project)
    return f"{name} ({kind})" if name else f"({kind})"
