"""The assets of one side of a change, each with its meta."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from assetdb.query.graph.relations import AssetInfo, describe, describe_asset
from assetdb.settings.project import META, folded, lone_metas
from assetdb.unity.metas.meta import MetaReader

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assetdb.query.snapshots.snapshot import Snapshot


class Side:
    """The assets of one side that are at some paths.

    Attributes:
        guids: by path.
        assets: by GUID, of several the first.
        sharing: all assets with a GUID, by GUID and path.
        unknown: paths of metas that git does not have locally, without the ending; no other side has told their GUIDs.
    """

    def __init__(self, side: Snapshot, names: Iterable[str]) -> None:
        """Read the metas of some paths.

        Args:
            side: the project.
            names: paths of assets, and of metas without their ending.
        """
        reader = MetaReader()
        absent = frozenset(side.absent)
        self.guids: dict[str, str] = {}
        self.assets: dict[str, AssetInfo] = {}
        self.sharing: dict[str, dict[str, AssetInfo]] = {}
        self._metas: dict[str, str] = {}
        metas = Metas(side)
        for path in sorted(names):
            meta = metas.of(path)
            guid, _, _ = reader.read(side.read(meta) or b"")
            text = guid.decode("ascii")
            info = _asset_at(side, text, path) if text else None
            if info is None and text and path in absent:
                info = AssetInfo(text, path.rpartition("/")[2], "", path)
            if info is not None and (info.path == path or meta == path + META):
                self._add(text, info.path, info)
                if info.path != path:  # the name is the meta's
                    self._metas[info.path] = meta
                self._metas.setdefault(info.path, meta)
        self.unknown = {path.removesuffix(META) for path in absent if path.endswith(META)} - self.guids.keys()

    def _add(self, guid: str, path: str, info: AssetInfo) -> None:
        self.guids[path] = guid
        self.assets.setdefault(guid, info)
        self.sharing.setdefault(guid, {})[path] = info

    def assume(self, other: Side) -> None:
        """Take the GUIDs of missing metas from another side."""
        for path, guid in sorted(other.guids.items()):
            meta = other.meta_of(path)
            if (name := meta.removesuffix(META)) in self.unknown:
                self.unknown.discard(name)
                self._metas[path] = meta
                self._add(guid, path, other.sharing[guid][path])

    def meta_of(self, path: str) -> str:
        """Return the path of an asset's meta."""
        return self._metas.get(path, path + META)


def pairs_of(before: Side, after: Side) -> Iterator[tuple[str, AssetInfo | None, AssetInfo | None]]:
    """Yield each GUID with its asset on both sides or one.

    Where several assets have a GUID, two assets at one path are a pair. If then one asset is left on each side, it was
    moved.
    """
    for guid in sorted({*before.assets, *after.assets}):
        old, new = dict(before.sharing.get(guid, {})), dict(after.sharing.get(guid, {}))
        if len(old) > 1 or len(new) > 1:
            for path in sorted(old.keys() & new.keys()):
                yield guid, old.pop(path), new.pop(path)
        if len(old) == len(new) == 1:
            yield guid, next(iter(old.values())), next(iter(new.values()))
            continue
        for info in old.values():
            yield guid, info, None
        for info in new.values():
            yield guid, None, info


class Metas:
    """Metas by their assets' paths, as a bake pairs them."""

    def __init__(self, side: Snapshot) -> None:
        """Look at a project, folder by folder."""
        self._side = side
        self._folders: dict[str, dict[str | bytes, str]] = {}

    def of(self, path: str) -> str:
        """Return the meta beside a file or folder, in any case.

        BoatAttack has ``AiController.cs`` and ``AIcontroller.cs.meta``. Without a meta, the usual name is returned.
        """
        if os.path.lexists(self._side.file_of(path + META)):
            return path + META
        folder, slash, name = path.rpartition("/")
        if folder not in self._folders:
            self._folders[folder] = lone_metas(frozenset(self._side.names_in(folder)))
        return folder + slash + self._folders[folder].get(folded(os.fsencode(name)), name + META)


def _asset_at(side: Snapshot, guid: str, path: str) -> AssetInfo | None:
    """Return the asset or folder of a path in any case."""
    asset = side.assets.by_guid(guid)
    there = asset.path if asset is not None else side.assets.folder(guid)
    if folded(os.fsencode(there or "")) == folded(os.fsencode(path)):
        return describe(guid, side)
    duplicate = side.without_entry(path)
    return describe_asset(duplicate.asset, side) if duplicate is not None else None
