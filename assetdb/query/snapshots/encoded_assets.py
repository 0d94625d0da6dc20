"""Assets with encoded GUIDs in their metas, found when asked.

Tuanjie and Unity China write such metas (:mod:`assetdb.unity.metas.encoded_guid`). Only the first 8 digits of the GUID
are known, so the database has no entry for the asset; the index lists its meta. A reference to a GUID that nothing has
means the asset if its digits fit no other asset, and no other such GUID fits them: it is named *by prefix*.
"""

from __future__ import annotations

from assetdb.packages.location import Location
from assetdb.packages.public.table import public_packages
from assetdb.resolve.sizes import is_too_large
from assetdb.scan.asset import asset_row
from assetdb.settings.project import META, asset_file
from assetdb.store.entry import read_body
from assetdb.store.indexes.graph import split
from assetdb.store.indexes.supplement import Duplicate
from assetdb.system.reading import read_file, read_head
from assetdb.unity.kinds import plan_of, split_name
from assetdb.unity.metas.encoded_guid import encoded_guid
from assetdb.unity.metas.meta import read_meta

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Final, Protocol

    from assetdb.packages.view import PackageView
    from assetdb.query.snapshots.verified_assets import CheckedAssets
    from assetdb.store.database import Database
    from assetdb.store.indexes.graph import Graph

    class ReadableProject(Protocol):
        """A project with its files, as :class:`assetdb.query.snapshots.snapshot.Snapshot`."""

        root: str
        assets: Database | CheckedAssets

        @property
        def graph(self) -> Graph:
            """The graph of references."""

        @property
        def has_packages(self) -> bool:
            """Whether there are packages outside."""

        @property
        def packages(self) -> PackageView:
            """The packages outside."""


ENCODED_GUID: Final = "encoded-guid"
DIGITS: Final = 8
_STAND_IN: Final = "f" * 32
_SCRIPT_DIGITS: Final = 32
_MONO_BEHAVIOUR: Final = 114
_LARGEST_META: Final = 1 << 24


class EncodedAssets:
    """The assets of a project with encoded GUIDs."""

    def __init__(self, assets: Sequence[Duplicate], absent: Iterable[str]) -> None:
        """Take the assets, and referenced GUIDs of no known asset."""
        self.assets = assets
        self._at = {found.asset.path: found for found in assets}
        self._fitting: dict[str, list[Duplicate]] = {}
        for found in assets:
            self._fitting.setdefault(found.prefix, []).append(found)
        self._guids: dict[str, list[str]] = {}
        for guid in absent:
            if guid[:DIGITS] in self._fitting:
                self._guids.setdefault(guid[:DIGITS], []).append(guid)

    def at(self, path: str) -> Duplicate | None:
        """Return the asset at a path."""
        return self._at.get(path)

    def by_prefix(self, guid: str) -> Duplicate | None:
        """Return the one asset that a GUID means, if that is certain."""
        prefix = guid[:DIGITS]
        fitting = self._fitting.get(prefix, ())
        return fitting[0] if len(fitting) == 1 and self._guids.get(prefix) == [guid] else None

    def guid_of(self, asset: Duplicate) -> str:
        """Return the GUID by which others refer to an asset, if certain."""
        guids = self._guids.get(asset.prefix, ())
        return guids[0] if len(guids) == 1 and self.by_prefix(guids[0]) is asset else ""

    def locations(self, root: str) -> dict[str, Location]:
        """Return where each fitting GUID is, without path if unclear."""
        found = {}
        for guid in (guid for guids in self._guids.values() for guid in guids):
            item = self.by_prefix(guid)
            asset = item.asset if item is not None else None
            found[guid] = (
                Location(asset.path, asset_file(root, asset.path), asset.class_id, asset.script, by_prefix=True)
                if asset is not None
                else Location("", "", by_prefix=True)
            )
        return found


NONE: Final = EncodedAssets((), ())


def find_encoded(project: ReadableProject) -> EncodedAssets:
    """Return the assets of a project with encoded GUIDs.

    Raises:
        ScanError: a file cannot be read now.
    """
    metas = [item.path for item in project.assets.unread if item.code == ENCODED_GUID]
    if not metas:
        return NONE
    assets = [found for meta in sorted(metas) if (found := _read(project, meta.removesuffix(META))) is not None]
    graph = project.graph
    absent = {guid for found in assets for guid in found.targets if not _has(project, guid)}
    absent.update(graph.guids(range(graph.asset_count, graph.node_count)))
    known = public_packages()
    return EncodedAssets(
        assets,
        sorted(
            guid
            for guid in absent
            if not known.find(guid)
            and not _has(project, guid)
            and not (project.has_packages and project.packages.locate(guid))
        ),
    )


def _read(project: ReadableProject, path: str) -> Duplicate | None:
    """Return an asset, None without an encoded GUID now."""
    file = asset_file(project.root, path)
    meta = read_head(file + META, _LARGEST_META) or b""
    text, prefix = encoded_guid(meta)
    if not prefix:
        return None
    facts = read_meta(meta.replace(text.encode(), _STAND_IN.encode(), 1))[1]
    stem, extension = split_name(path.rpartition("/")[2].encode())
    plan = plan_of(extension, facts.importer)
    wanted = (plan.read or plan.look) and not is_too_large(file)
    data = read_file(file) if wanted else None
    row, _ = asset_row(stem, extension, path.encode(), _STAND_IN.encode(), facts, data, plan)
    kind = row[1].partition(b":")[0].decode()
    script = kind if len(kind) == _SCRIPT_DIGITS else ""
    asset = read_body(row[2])._replace(guid=text, class_id=_MONO_BEHAVIOUR if script else int(kind), script=script)
    targets = {guid.hex() for guid in split(row[5])}
    targets.update(guid.hex() for guid in split(row[6]) if _has(project, guid.hex()))
    return Duplicate(asset, tuple(sorted(targets)), prefix)


def _has(project: ReadableProject, guid: str) -> bool:
    return project.assets.by_guid(guid) is not None or project.assets.folder(guid) is not None
