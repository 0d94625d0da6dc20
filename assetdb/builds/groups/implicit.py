"""Implicit dependencies: assets that bundles take along without an entry.

A reference to an asset with an entry in another bundle remains a reference. An asset without an entry is copied into
every bundle that refers to it, directly or indirectly: the duplicates that Unity's Analyze reports after a trial build.
The player knows no bundles, so it has its own copies even of assets with an entry. Computed from files, by assets, and
in doubt too much rather than too little: Unity goes by objects, so it may leave out what only an unused object of an
asset refers to, or a material that all instances of a prefab override. Sizes are of the source files; what Unity
makes of them is larger or smaller.
"""

from __future__ import annotations

import os
from collections import deque
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.builds.groups.plan import PLAYER, is_scene
from assetdb.packages.belonging import public_path
from assetdb.query.graph.references import AssetGraph
from assetdb.settings.project import asset_file
from assetdb.system.reading import read_file
from assetdb.unity.kinds import (
    ASSEMBLY,
    DOCUMENTS,
    GRAPH,
    HEAD_BYTES,
    SOURCE,
    URLS,
    extension_of,
    is_lfs_pointer,
    is_yaml_head,
    kind_of,
)
from assetdb.unity.referring.into_builds import Taken, taken_by

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Set as AbstractSet

    from assetdb.builds.groups.plan import Member, Plan
    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.store.entry import Asset

_SCRIPT_CLASSES: Final = frozenset((115, 1029, 1153, 1374))
# LightingData: its lightmaps go into the scene, not it.
_LIGHTING_DATA: Final = 1120
_LIGHTING_SETTINGS: Final = 850595691
_PASSED: Final = frozenset(("shadersubgraph", "cginc", "hlsl", "glslinc", "hlslinc", "vfxoperator", "vfxblock"))
_LEFT_OUT: Final = frozenset(("cs", "dll", "asmdef", "asmref", "rsp", "preset", "lighting", "giparams"))
_MODEL: Final = 1
_PREFAB: Final = 1001
# Objects of a model without references: a Mesh alone needs no materials.
_LEAVES: Final = frozenset((43, 74, 90))
_OLD_IDS: Final = 100_000  # fileIDs of models before 2019 are their class times this, and a number
_POINTER_SIZE: Final = 1024
_SIZE: Final = b"\nsize "


class Pulled(NamedTuple):
    """An asset that is pulled in.

    Attributes:
        size: bytes of the source file (for a Git LFS pointer, the size in it); None if it is
            not on this machine.
        way: paths from the member that begins it to the asset that refers to this one.
    """

    guid: str
    path: str
    size: int | None
    way: tuple[str, ...]


class PlannedContent(NamedTuple):
    """The planned contents of a bundle or the player.

    Attributes:
        group: whose bundle it is, ``""`` for the player.
        sizes: bytes of their source files, in their order; None for those that are not on this machine.
        implicit: assets that they pull in, by path.
    """

    name: str
    group: str
    members: tuple[Member, ...]
    sizes: tuple[int | None, ...]
    implicit: tuple[Pulled, ...]

    @property
    def size(self) -> int:
        """Bytes of all source files that are on this machine."""
        sizes_by_guid = dict(zip((member.guid for member in self.members), self.sizes, strict=True))
        return sum(size or 0 for size in sizes_by_guid.values()) + sum(row.size or 0 for row in self.implicit)


class PlannedDuplicate(NamedTuple):
    """An asset that would be built more than once.

    Attributes:
        size: of its source file, None if it is not on this machine.
        owner: the bundle with its entry, ``""`` for none.
        holders: who has a copy, the owner included; by name.
    """

    guid: str
    path: str
    size: int | None
    owner: str
    holders: tuple[str, ...]

    @property
    def wasted(self) -> int:
        """Bytes of all copies but one."""
        return (self.size or 0) * (len(self.holders) - 1)


def contents(project: Snapshot, plan: Plan) -> list[PlannedContent]:
    """Return the contents of each bundle of a plan, then the player's.

    Raises:
        DatabaseError: the database was written without references.
        ScanError: whether a file can be read cannot be determined now.
    """
    explicit = {member.guid for bundle in plan.bundles for member in bundle.members}
    closure = _Closure(project)
    found = [closure.content(bundle.name, bundle.group, bundle.members, explicit) for bundle in plan.bundles]
    return [*found, closure.content(PLAYER, "", plan.player, frozenset())] if plan.player else found


def planned_duplicates(holders: Iterable[PlannedContent]) -> list[PlannedDuplicate]:
    """Return assets in several bundles, the most wasteful first."""
    rows: dict[str, tuple[str, int | None]] = {}
    owners: dict[str, str] = {}
    names: dict[str, set[str]] = {}
    for content in holders:
        for member, size in zip(content.members, content.sizes, strict=True):
            names.setdefault(member.guid, set()).add(content.name)
            rows.setdefault(member.guid, (member.path, size))
            if content.name != PLAYER:
                owners.setdefault(member.guid, content.name)
        for pulled in content.implicit:
            names.setdefault(pulled.guid, set()).add(content.name)
            rows[pulled.guid] = pulled.path, pulled.size
    found = [
        PlannedDuplicate(guid, *rows[guid], owners.get(guid, ""), tuple(sorted(holding)))
        for guid, holding in names.items()
        if len(holding) > 1
    ]
    return sorted(found, key=lambda row: (-row.wasted, row.path))


def source_size(path: str) -> int | None:
    """Return the bytes of a source file (in LFS too), or None."""
    try:
        size = os.stat(path).st_size
    except (OSError, ValueError):
        return None
    if size < _POINTER_SIZE:
        head = read_file(path) or b""
        if is_lfs_pointer(head):
            digits = head.partition(_SIZE)[2].partition(b"\n")[0].strip()
            if digits.isdigit() and len(digits) < 16:
                return int(digits)
    return size


class _Closure:
    """Follows references, each asset's read once for all bundles."""

    def __init__(self, project: Snapshot) -> None:
        self._project = project
        self._graph = AssetGraph(project)
        self._asset = cache(self._find_asset)
        self._path = cache(self._find_path)
        self._size = cache(self._find_size)
        self._taken = cache(self._read)

    def content(
        self, name: str, group: str, members: tuple[Member, ...], elsewhere: AbstractSet[str]
    ) -> PlannedContent:
        """Return the contents of a bundle, given other bundles' entries."""
        sizes = tuple(self._size(member.guid) for member in members)
        return PlannedContent(name, group, members, sizes, self.pulled(members, elsewhere))

    def pulled(self, members: Iterable[Member], elsewhere: AbstractSet[str]) -> tuple[Pulled, ...]:
        """Return the assets taken along, by path, except other bundles' own."""
        paths = {member.guid: member.path for member in members}
        parent: dict[str, str] = {}
        counted: dict[str, None] = {}
        followed = set(paths)
        queue = deque(paths)
        while queue:
            guid = queue.popleft()
            for link in self._taken(guid):
                target = link.guid
                if target in paths or (target in elsewhere and not link.instance):
                    continue
                path = self._path(target)
                if not path:
                    continue
                passed = target in elsewhere or self._is_passed(target, link)
                if not passed and target not in counted:
                    counted[target] = None
                    parent.setdefault(target, guid)
                if target not in followed and (link.instance or not self._is_leaf(target, link)):
                    followed.add(target)
                    parent.setdefault(target, guid)
                    queue.append(target)
        rows = [Pulled(guid, self._path(guid), self._size(guid), self._way(guid, parent, paths)) for guid in counted]
        return tuple(sorted(rows, key=lambda row: row.path))

    def _way(self, guid: str, parent: dict[str, str], paths: dict[str, str]) -> tuple[str, ...]:
        steps = []
        while guid in parent:
            guid = parent[guid]
            steps.append(paths.get(guid) or self._path(guid))
        return tuple(reversed(steps))

    def _find_path(self, guid: str) -> str:
        """Return an asset's path, or ``""`` if no build takes it."""
        asset = self._asset(guid)
        if asset is not None:
            path = asset.path
            if asset.class_id in _SCRIPT_CLASSES or asset.class_id == _LIGHTING_SETTINGS:
                return ""
        else:
            path = public_path(guid, self._project.packages.list)
            if not path:  # built in, a folder, or gone
                return ""
        lower = path.lower()
        if is_scene(lower) or extension_of(lower) in _LEFT_OUT or "/editor/" in lower:
            return ""
        return path

    def _find_asset(self, guid: str) -> Asset | None:
        found = self._project.assets.by_guid(guid)
        if found is None and self._project.has_packages:
            found = self._project.packages.by_guid(guid)
        return found

    def _is_passed(self, guid: str, link: Taken) -> bool:
        """Whether only an asset's targets are taken along, as of nested prefabs."""
        asset = self._asset(guid)
        extension = extension_of(self._path(guid))
        if extension in _PASSED or (asset is not None and asset.class_id == _LIGHTING_DATA):
            return True
        return link.instance and not link.file_ids and extension == "prefab"

    def _is_leaf(self, guid: str, link: Taken) -> bool:
        """Whether only objects of a model are taken that refer to nothing."""
        asset = self._asset(guid)
        if asset is None or asset.class_id != _MODEL or not link.file_ids:
            return False
        classes = {row.file_id: row.class_id for row in asset.sub_assets}
        return all(
            classes.get(file_id, file_id // _OLD_IDS if 0 < file_id < _OLD_IDS * 1000 else 0) in _LEAVES
            for file_id in link.file_ids
        )

    def _find_size(self, guid: str) -> int | None:
        asset = self._asset(guid)
        return source_size(self._file(asset.path)) if asset is not None else None

    def _file(self, path: str) -> str:
        packages = self._project.packages if path.startswith("Packages/") and self._project.has_packages else None
        return (packages.file_of(path) if packages is not None else "") or asset_file(self._project.root, path)

    def _read(self, guid: str) -> list[Taken]:
        """Return the assets taken along, by text, else by all references."""
        asset = self._asset(guid)
        if asset is None:
            return []
        extension = extension_of(asset.path)
        content = kind_of(extension).content
        if content in ("", DOCUMENTS, SOURCE, GRAPH, URLS):
            data = read_file(self._file(asset.path)) or b""
            if content in (GRAPH, URLS) or is_yaml_head(data[:HEAD_BYTES]):
                return taken_by(data, extension)
        if content == ASSEMBLY:
            return []
        return [Taken(target, frozenset((0,)), instance=False) for target in self._graph.dependencies(guid)]
