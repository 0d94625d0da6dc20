"""The plan of an Addressables build: groups, entries and their bundles.

The rules of Unity, applied to the project's files:

- an entry of a folder includes everything below the folder, except assets and folders that have entries themselves,
  scenes of the build settings, code, ``Editor`` folders and the settings of Addressables; an asset's address is the
  folder's address followed by the path below the folder, and its labels are the folder's labels;
- a group becomes one bundle, a bundle for each entry, or a bundle for each set of labels; scenes and other assets are
  never in one bundle;
- the player itself contains the enabled scenes of the build settings, and everything in folders ``Resources``.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.errors import FileError, UsageError
from assetdb.packages.belonging import public_path
from assetdb.query.graph.references import AssetGraph
from assetdb.query.selecting.selector import is_guid
from assetdb.settings.project import asset_file
from assetdb.system.reading import read_small
from assetdb.unity.kinds import OTHER, extension_of, kind_of
from assetdb.unity.settings.addressables import (
    COLLECTION_SCRIPT,
    GROUP_SCRIPT,
    LARGEST,
    RESOURCES,
    SCENE_LIST,
    SEPARATELY,
    SETTINGS_SCRIPT,
    TOGETHER,
    BundledSchema,
    Entry,
    Group,
    PlayerSchema,
    Settings,
    evaluate,
    is_remote,
    may_be_entry,
    read_collection,
    read_group,
    read_schema,
    read_settings,
    settings_of_default_object,
)
from assetdb.unity.settings.build_settings import PATH as BUILD_SETTINGS
from assetdb.unity.settings.build_settings import build_scenes, settings_object
from assetdb_formats.binary import FormatError
from assetdb_formats.files import words_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeVar

    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.store.database import Database
    from assetdb.unity.settings.addressables import Profile, Schema

    _Read = TypeVar("_Read")

_SETTINGS_NAME: Final = "com.unity.addressableassets"
_LARGEST_SETTINGS: Final = 1 << 24
_IN_RESOURCES: Final = re.compile(r".*/resources/(.*)", re.DOTALL | re.IGNORECASE | re.ASCII)
_DEFAULT_ASSET: Final = 1029  # a file of a kind that Unity does not know (desktop.ini), or code
PLAYER: Final = "player"
"""The owner of assets in no bundle."""


class Member(NamedTuple):
    """An asset that is built explicitly.

    Attributes:
        address: for loading; for a scene of the player its name, for ``Resources`` the path below the folder.
        labels: its own, or the labels of the folder that has the entry.
        entry: path of the folder or the collection by which it is in its group, ``""`` if the entry is its own.
    """

    guid: str
    path: str
    address: str
    labels: tuple[str, ...]
    entry: str

    @property
    def is_scene(self) -> bool:
        """Whether it is a scene; a bundle has scenes or other assets."""
        return is_scene(self.path)


class MissingEntry(NamedTuple):
    """An entry of an asset that neither project nor packages have.

    Attributes:
        group: name of its group.
        path: of the group, as of :class:`PlannedGroup`.
    """

    group: str
    guid: str
    address: str
    path: str


class PlannedBundle(NamedTuple):
    """A planned bundle.

    ``name`` is the file's name without the hash and ``.bundle``.
    """

    name: str
    group: str
    members: tuple[Member, ...]


class PlannedGroup(NamedTuple):
    """A group, and its planned bundles.

    Attributes:
        path: of its asset, or of the settings that hold it.
        entries: how many it has.
        skipped: why it has no bundle, else ``""``.
        schema: the settings of its bundles, None if it has none.
        build_path: from the profile, like ``load_path``.
        remote: whether players download its bundles; None if the game's own code decides.
        bundles: in the order in which they are built.
    """

    name: str
    guid: str
    path: str
    entries: int
    members: tuple[Member, ...]
    skipped: str
    schema: BundledSchema | None
    build_path: str
    load_path: str
    remote: bool | None
    bundles: tuple[PlannedBundle, ...]


class Plan(NamedTuple):
    """The planned bundles of all groups.

    Attributes:
        path: of the settings' asset.
        profile: name of the profile whose paths these are.
        groups: in the order of the settings; groups that the settings do not list come last.
        player: the contents of the player itself.
        missing: entries whose assets are gone.
        problems: a line for each asset that could not be read or contradicts another; it begins with the asset's path.
    """

    path: str
    settings: Settings
    profile: str
    groups: tuple[PlannedGroup, ...]
    player: tuple[Member, ...]
    missing: tuple[MissingEntry, ...]
    problems: tuple[str, ...]

    @property
    def bundles(self) -> Iterator[PlannedBundle]:
        """All bundles."""
        return (bundle for group in self.groups for bundle in group.bundles)


def is_scene(path: str) -> bool:
    """Whether a path leads to a scene."""
    return path.lower().endswith(".unity")


def plan_groups(project: Snapshot, profile: str = "") -> Plan | None:
    """Return the plan of a project's groups; None without Addressables' settings.

    ``profile`` is the name or id of the profile of the paths, by default the active one.

    Raises:
        FileError, FormatError: the settings cannot be read.
        UsageError: there is no such profile.
        DatabaseError: the database was written without references.
    """
    path = _settings_path(project)
    if path is None:
        return None
    try:
        settings = read_settings(_read(project, path))
    except FormatError as error:
        raise error.at(path) from None
    chosen = settings.profile(profile)
    if chosen is None and profile:
        known = ", ".join(row.name for row in settings.profiles)
        raise UsageError(f"the settings have no profile {profile!r}; theirs: {known or 'none'}")
    return _Planner(project, path, settings, chosen).plan()


def _settings_path(project: Snapshot) -> str | None:
    """Return the path of the settings in use, or else of any."""
    default = settings_object(read_build_settings(project.root), _SETTINGS_NAME)
    asset = project.assets.by_guid(default) if default else None
    if asset is not None:
        try:
            found = project.assets.by_guid(settings_of_default_object(_read(project, asset.path)))
        except (FormatError, FileError, OSError):
            found = None  # the settings are found by their script, below
        if found is not None:
            return found.path
    graph = AssetGraph(project)
    users = (project.assets.by_guid(guid) for guid in graph.usages(SETTINGS_SCRIPT))
    return min((user.path for user in users if user is not None and user.script == SETTINGS_SCRIPT), default=None)


def read_build_settings(root: str) -> bytes:
    """Return the build settings' file; ``b""`` if it cannot be read."""
    try:
        return read_small(os.path.join(root, BUILD_SETTINGS), _LARGEST_SETTINGS)
    except (OSError, FileError):
        return b""


def _read(project: Snapshot, path: str) -> bytes:
    outside = project.packages.file_of(path) if path.startswith("Packages/") and project.has_packages else ""
    return read_small(outside or asset_file(project.root, path), LARGEST)


def scenes_of(root: str, rows: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return path and GUID of the enabled scenes, in build order."""
    by_path = dict(rows)
    path_of = {guid: path for path, guid in by_path.items()}
    found = {}
    for scene in build_scenes(read_build_settings(root)):
        path = path_of.get(scene.guid) or (scene.path if scene.path in by_path else "")
        if scene.enabled and path:
            found[path] = by_path[path]
    return found


class _ProjectAssets:
    """The assets of a project by path and folder, and the player's."""

    def __init__(self, project: Snapshot) -> None:
        self._project = project
        self._rows = _rows_of(project.database)
        self.build_scenes = scenes_of(project.root, self._rows)
        self.player = (*self.scenes(()), *self.resources(()))

    def scenes(self, labels: tuple[str, ...]) -> Iterator[Member]:
        """Yield the scenes that the player has."""
        for path, guid in self.build_scenes.items():
            yield Member(guid, path, path.rpartition("/")[2].rpartition(".")[0], labels, "")

    def resources(self, labels: tuple[str, ...]) -> Iterator[Member]:
        """Yield the assets that are loaded by path."""
        for path, guid in self._rows:
            found = _IN_RESOURCES.match(path)  # in its own letters: in lower case a path with an İ is longer
            if found is not None and may_be_entry(path):
                folder, separator, name = found[1].rpartition("/")
                yield Member(guid, path, folder + separator + (name.rpartition(".")[0] or name), labels, "")

    def below(self, folder: str) -> Iterator[tuple[str, str]]:
        """Yield path and GUID of the assets below a folder, by path."""
        prefix = f"{folder}/"
        rows = self._rows
        if prefix.startswith("Packages/") and self._project.has_packages:
            database = self._project.packages.database
            if database is not None and self._project.packages.row_of(prefix) is not None:
                rows = _rows_of(database)
        for number in range(bisect_left(rows, (prefix, "")), len(rows)):
            if not rows[number][0].startswith(prefix):
                return
            yield rows[number]


class _Planner:
    def __init__(self, project: Snapshot, path: str, settings: Settings, profile: Profile | None) -> None:
        self._project = project
        self._path = path
        self._settings = settings
        self._profile = profile
        self._assets = _ProjectAssets(project)
        self._problems: list[str] = []
        self._missing: list[MissingEntry] = []
        self._addressed: dict[str, str] = {}  # path of each asset or folder with an entry -> its group
        self._taken: set[str] = set()  # GUIDs of assets included by folders
        self._names: set[str] = set()  # of bundles

    def plan(self) -> Plan:
        groups = list(self._groups())
        for path, group, _ in groups:
            for entry in group.entries:
                located = self._locate(entry.guid)
                if located is None:
                    continue
                asset_path, _ = located
                if asset_path in self._addressed:
                    other = self._addressed[asset_path]
                    self._problems.append(f"{path}: {asset_path} has an entry in group {other}, too")
                self._addressed[asset_path] = group.name
        planned = tuple(self._planned(path, group, listed=listed) for path, group, listed in groups)
        return Plan(
            self._path,
            self._settings,
            self._profile.name if self._profile is not None else "",
            planned,
            self._assets.player,
            tuple(self._missing),
            tuple(self._problems),
        )

    def _groups(self) -> Iterator[tuple[str, Group, bool]]:
        """Yield path and group, and whether the settings list it."""
        for group in self._settings.own_groups:
            yield self._path, group, True
        listed = self._settings.groups
        others = [
            guid
            for guid in AssetGraph(self._project).usages(GROUP_SCRIPT)
            if guid not in listed and _script(self._project, guid) == GROUP_SCRIPT
        ]
        for guid in (*listed, *others):
            asset = self._project.assets.by_guid(guid)
            if asset is None:
                self._problems.append(f"{self._path}: lists a group that is not in the project: {guid}")
                continue
            found = self._attempt(asset.path, read_group)
            if found is not None:
                yield asset.path, found, guid in listed

    def _attempt(self, path: str, read: Callable[[bytes], _Read]) -> _Read | None:
        """Read an asset; a failure is a problem of the plan."""
        try:
            return read(_read(self._project, path))
        except (FormatError, FileError) as error:
            self._problems.append(f"{path}: {error}")
        except OSError as error:
            self._problems.append(f"{path}: {words_of(error)}")
        return None

    def _locate(self, guid: str) -> tuple[str, bool] | None:
        """Return a path and whether it is a folder; None if gone."""
        if not is_guid(guid):
            return None
        asset = self._project.assets.by_guid(guid)
        if asset is not None:
            return asset.path, False
        folder = self._project.database.folder(guid)
        if folder is not None:
            return folder, True
        found = self._project.packages.locate(guid) if self._project.has_packages else None
        if found is not None:
            return found.path, found.folder
        path = public_path(guid, self._project.packages.list)
        return (path, False) if path else None

    def _planned(self, path: str, group: Group, *, listed: bool) -> PlannedGroup:
        schemas = list(self._schemas(path, group))
        bundled = next((schema for schema in schemas if isinstance(schema, BundledSchema)), None)
        player = next((schema for schema in schemas if isinstance(schema, PlayerSchema)), None)
        if bundled is None and player is None and path == self._path:
            # The first releases had no schemas: a group of the settings' own was packed together.
            bundled = BundledSchema(True, TOGETHER, "LZ4", "append hash", "", "", True, True, True)  # noqa: FBT003 - a row
        parts = [(entry, tuple(self._members(entry, path, group, player))) for entry in group.entries]
        skipped = ""
        if not listed:
            skipped = "the settings do not list it"
        elif bundled is None:
            skipped = "in the player" if player is not None else "has no schema for bundles"
        elif not bundled.included:
            skipped = "not included in builds"
        elif not any(members for _, members in parts):
            skipped = "is empty"
        bundles = () if skipped or bundled is None else tuple(self._bundles(group, parts, bundled.packing))
        load_path = evaluate(bundled.load_path, self._settings, self._profile) if bundled is not None else ""
        return PlannedGroup(
            group.name,
            group.guid,
            path,
            len(group.entries),
            tuple(member for _, members in parts for member in members),
            skipped,
            bundled,
            evaluate(bundled.build_path, self._settings, self._profile) if bundled is not None else "",
            load_path,
            is_remote(load_path) if bundled is not None else False,
            bundles,
        )

    def _schemas(self, path: str, group: Group) -> Iterator[Schema]:
        for guid in group.schemas:
            asset = self._project.assets.by_guid(guid)
            if asset is None:
                self._problems.append(f"{path}: has a schema that is not in the project: {guid}")
                continue
            schema = self._attempt(asset.path, read_schema)
            if schema is not None:
                yield schema

    def _members(self, entry: Entry, path: str, group: Group, player: PlayerSchema | None) -> Iterator[Member]:
        """Yield the assets of an entry."""
        if entry.guid == SCENE_LIST:
            yield from self._assets.scenes(entry.labels) if player is not None and player.scenes else ()
            return
        if entry.guid == RESOURCES:
            found = self._assets.resources(entry.labels) if player is not None and player.resources else ()
            yield from (member for member in found if member.path not in self._addressed)
            return
        located = self._locate(entry.guid)
        if located is None:
            self._missing.append(MissingEntry(group.name, entry.guid, entry.address, path))
            return
        own_path, is_folder = located
        if is_folder:
            yield from self._members_below(own_path, entry)
        elif _script(self._project, entry.guid) == COLLECTION_SCRIPT:
            for item in self._attempt(own_path, read_collection) or ():
                inner_path, is_folder = self._locate(item.guid) or ("", True)
                if not is_folder and inner_path not in self._addressed:
                    labels = tuple(dict.fromkeys((*item.labels, *entry.labels)))
                    yield Member(item.guid, inner_path, item.address, labels, own_path)
        else:
            yield Member(entry.guid, own_path, entry.address, entry.labels, "")

    def _members_below(self, folder: str, entry: Entry) -> Iterator[Member]:
        settings_folder = self._path.rpartition("/")[0]
        for path, guid in self._assets.below(folder):
            if guid in self._taken or path in self._assets.build_scenes or not may_be_entry(path, settings_folder):
                continue
            if not any(above in self._addressed for above in _up_to(path, folder)):
                self._taken.add(guid)
                yield Member(guid, path, entry.address + path[len(folder) :], entry.labels, folder)

    def _bundles(
        self, group: Group, parts: Iterable[tuple[Entry, tuple[Member, ...]]], packing: str
    ) -> Iterator[PlannedBundle]:
        """Yield the bundles of a group, bundles of scenes last."""
        packed: dict[str | int, tuple[str, list[Member]]] = {}
        for number, (entry, members) in enumerate(parts):
            if packing == TOGETHER:
                packed.setdefault("", ("all", []))[1].extend(members)
            elif packing == SEPARATELY:
                packed[number] = (entry.address, list(members))
            else:  # one bundle for each set of labels
                key = "".join(entry.labels)
                packed.setdefault(key, (key, []))[1].extend(members)
        for key, packed_members in packed.values():
            for kind, scenes in (("assets", False), ("scenes", True)):
                members = tuple(member for member in packed_members if member.is_scene == scenes)
                if members:
                    yield PlannedBundle(self._name(group, kind, key), group.name, members)

    def _name(self, group: Group, kind: str, key: str) -> str:
        """Return a unique bundle name without hash, numbered as Unity does."""
        stem = f"{group.name}_{kind}_{key}".lower().replace(" ", "").replace("\\", "/").replace("//", "/")
        name, number = stem, 0
        while name in self._names:
            number += 1
            name = f"{stem}{number}"
        self._names.add(name)
        return name


def _rows_of(database: Database) -> list[tuple[str, str]]:
    """Return path and GUID of all loadable assets, by path."""
    return sorted(
        (asset.path, asset.guid)
        for asset in database
        if asset.class_id != _DEFAULT_ASSET or kind_of(extension_of(asset.path)).content not in ("", OTHER)
    )


def _script(project: Snapshot, guid: str) -> str:
    asset = project.assets.by_guid(guid)
    return asset.script if asset is not None else ""


def _up_to(path: str, folder: str) -> Iterator[str]:
    """Yield a path and the folders above it that lie below ``folder``."""
    while len(path) > len(folder):
        yield path
        path = path.rpartition("/")[0]
