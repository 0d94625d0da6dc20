"""Referenced GUIDs without an asset, and files that may own them."""

from __future__ import annotations

import re
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.query.graph.references import settings_files, settings_sites, sites
from assetdb.unity.engine.builtin import built_in_file
from assetdb.unity.kinds import DOCUMENTS, extension_of, kind_of, main_file_id

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.query.graph.references import Site
    from assetdb.query.snapshots.snapshot import Snapshot

_GUID: Final = re.compile(rb"\bguid: ([0-9a-fA-F]{32})\b")
_NO_GUID: Final = "0" * 32
_STEP: Final = 100_000  # factor from class to fileID of a main object
_MOST_CLASSES: Final = 1 << 31
_SPRITE: Final = 213
_TEXTURE: Final = 28
_ASSEMBLIES: Final = ("asmdef", "asmref")
# Kinds whose objects have fileIDs of their own: hashed, counted, or given by the editor.
_WITH_OBJECTS: Final = frozenset(("embedded", "rows", "model", "texture", "dll", "scripted", "font"))


class Unowned(NamedTuple):
    """A GUID that nothing has.

    Attributes:
        guid: 32 hex digits.
        path: a file that refers to it.
        file_ids: the referenced objects; None for the asset as a whole.
    """

    guid: str
    path: str
    file_ids: frozenset[int | None]


def unowned_guids(project: Snapshot) -> list[Unowned]:
    """Return referenced GUIDs that no asset, folder, package or engine has.

    Raises:
        AssetdbError, OSError: the project cannot be read.
    """
    graph = project.graph
    users: dict[str, list[str]] = {}  # by path of a file that refers
    for guid in graph.guids(range(graph.asset_count, graph.node_count)):
        node = graph.node(int(guid, 16))
        owner = f"{graph.guid(graph.incoming(node)[0]):032x}" if node is not None and graph.incoming(node) else ""
        asset = project.assets.by_guid(owner) if owner else None
        if asset is not None and _has_no_owner(project, guid):
            users.setdefault(asset.path, []).append(guid)
    in_settings = {guid for guid in _in_settings(project) if _has_no_owner(project, guid)}
    by_guid = itemgetter(0)
    places = [row for path in sorted(users) for row in sorted(sites(project.root, path, users[path]), key=by_guid)]
    places += sorted(settings_sites(project.root, in_settings), key=by_guid)
    found: dict[str, list[Site]] = {}
    for guid, site in places:
        found.setdefault(guid, []).append(site)
    return [Unowned(guid, rows[0].path, frozenset(site.file_id for site in rows)) for guid, rows in found.items()]


def _has_no_owner(project: Snapshot, guid: str) -> bool:
    if guid == _NO_GUID or built_in_file(bytes.fromhex(guid)):
        return False
    return project.assets.by_guid(guid) is None and project.resolver.locate(guid) is None


def _in_settings(project: Snapshot) -> Iterator[str]:
    for path in settings_files(project.root):
        for match in _GUID.finditer(project.read(path) or b""):
            yield match[1].decode().lower()


def may_be_of(unowned: Unowned, path: str, *, folder: bool) -> bool:
    """Whether references may mean the asset at ``path``, by its kind."""
    if extension_of(unowned.path) in _ASSEMBLIES:
        return extension_of(path) == "asmdef"
    if None in unowned.file_ids:  # the asset as a whole, whatever it is
        return True
    return not folder and any(_fits(file_id, extension_of(path)) for file_id in unowned.file_ids if file_id is not None)


def _fits(file_id: int, extension: str) -> bool:
    """Whether an asset of an extension may have a fileID."""
    kind = kind_of(extension)
    main = main_file_id(extension)
    if file_id == main:
        return True
    if 0 < file_id < _MOST_CLASSES and file_id % _STEP == 0:  # probably the main object of another kind
        if kind.class_id == _TEXTURE:
            return file_id // _STEP == _SPRITE
        return main is None and not kind.content
    return kind.namer in _WITH_OBJECTS or (kind.content == DOCUMENTS and kind.class_id == 0) or not kind.content
