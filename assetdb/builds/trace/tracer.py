"""The tracer: a project joined with builds of it.

Certainties and fields of answers are in :mod:`assetdb.builds.trace.traced`; :mod:`assetdb.builds.trace` has an example.
"""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from functools import cached_property
from itertools import chain, groupby
from typing import TYPE_CHECKING, Final

from assetdb.builds.build import GAME_OBJECT
from assetdb.builds.groups.plan import is_scene, scenes_of
from assetdb.builds.parts.facts import ARCHIVE
from assetdb.builds.parts.naming import OWN_FILES, folded
from assetdb.builds.parts.scenes import level_of
from assetdb.builds.query.catalogs import read_catalogs
from assetdb.builds.query.duplicates import wasted_bytes
from assetdb.builds.query.reasons import why
from assetdb.builds.reports.identity import is_built_of
from assetdb.builds.reports.tying import NO_REPORTS
from assetdb.builds.trace.contents import UNKNOWN, stem_of
from assetdb.builds.trace.following import follow
from assetdb.builds.trace.levels import Levels
from assetdb.builds.trace.reported import ContentSources, as_reported, by_guid
from assetdb.builds.trace.sources import Source, Sources, path_in_resources
from assetdb.builds.trace.traced import (
    BUILT_IN,
    CANDIDATES,
    EXACT,
    NONE,
    SCENE,
    TIED,
    UNIQUE,
    LaidOut,
    MissingKey,
    Shipped,
    Stated,
    Traced,
)
from assetdb.packages.belonging import public_path
from assetdb.query.graph.references import AssetGraph
from assetdb.unity.engine.classes import canonical_file_id, class_name
from assetdb_formats.unityfs.serialized_files.loaded import ASSET_BUNDLE
from assetdb_formats.unityfs.serialized_files.player import MONO_SCRIPT
from assetdb_formats.unityfs.serialized_files.serialized import MONO_BEHAVIOUR

if TYPE_CHECKING:
    from collections.abc import Collection, Container, Iterable, Iterator, Sequence

    from assetdb.builds.build import Build, BuildFile
    from assetdb.builds.groups.plan import MissingEntry
    from assetdb.builds.query.catalogs import CatalogAsset, CatalogBundle, Catalogs
    from assetdb.builds.reports.tying import Reports
    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.store.entry import Asset
    from assetdb_formats.unityfs.serialized_files.player import Script

_EXPLAINED: Final = 64  # objects of an asset whose ways are compared: most have one, a model some dozens
_COMPARED: Final = 20  # assets of a bundle that are hashed to find out whether its PathIDs are hashes
_RESOURCES_PROVIDER: Final = "LegacyResourcesProvider"
_LAST: Final = {"list": 1, "none": 2}  # reasons that explain least
_RESOURCES: Final = "Resources/"
_OF_PACKAGE: Final = "of a package: {}"
_PREFABS: Final = frozenset(map(class_name, (1, 1001)))  # models and prefabs
_HELD: Final = frozenset((EXACT, SCENE, UNIQUE, BUILT_IN))  # what references do not change


class Tracer:
    """Cached ties of a build's objects to a project.

    Attributes:
        complete: whether all of the project was tried for PathIDs.
        levels: matches of the build's files with the project's scenes.
        is_of_project: whether player and project have the same product GUID; None if one of them has none.
        reports: Unity's report of the build, if there is one, or why it is not used.
    """

    def __init__(
        self,
        build: Build,
        project: Snapshot,
        catalogs: Catalogs | None = None,
        reports: Reports = NO_REPORTS,
    ) -> None:
        self.build = build
        self.reports = reports
        self._rows = reports.used.rows if reports.used is not None else {}
        self.project = project
        self.sources = Sources(project)
        self.catalogs = read_catalogs(build) if catalogs is None else catalogs
        self.complete = True
        self._traced: dict[int, Traced] = {}
        self._guids_by_id = {item.internal_id.casefold(): item.guid for item in self.catalogs.assets if item.guid}
        self._hashed_parts: dict[int, bool] = {}
        self._reached: dict[int, set[str]] = {}
        self._prefabs: dict[int, dict[int, Traced]] = {}
        self._tables: tuple[dict[int, list[int]], dict[str, list[int]]] | None = None
        self._kinds: dict[tuple[int, Script | None], frozenset[str]] = {}
        self.levels = Levels(build, self.sources, self.kinds)
        self._contents = ContentSources(build, self.sources)
        self.is_of_project = is_built_of(build, project.root)

    # --- back ------------------------------------------------------------------------------------------------------

    def back(self, number: int) -> Traced:
        """Return the source of an object."""
        return self._judged(self._followed(number))

    def _judged(self, row: Traced) -> Traced:
        """Return the final answer for an object, after all ties."""
        if (
            row.certainty == NONE
            and not row.by
            and any(self.sources.is_built_in(kind, self.build.name(row.number)) for kind in self.kinds(row.number))
        ):
            return row._replace(certainty=BUILT_IN, by="class and name")
        if self.is_of_project is False and row.certainty in (SCENE, UNIQUE):
            return row._replace(certainty=CANDIDATES)  # names and paths alone: another project may have them, too
        return row

    def _first(self, number: int) -> Traced:
        """Return the source of an object, before references decide."""
        if number not in self._traced:
            self._traced[number] = self._reported(self._back(number))
        return self._traced[number]

    def _followed(self, number: int) -> Traced:
        found = self.followed.get(number)
        return self._first(number) if found is None else self._reported(found)

    def _reported(self, found: Traced) -> Traced:
        row = self._rows.get(found.number)
        return self._contents.told(found) if row is None else as_reported(found, row, self.project)

    @cached_property
    def followed(self) -> dict[int, Traced]:
        """Ties of a player's objects by references."""
        if not self.build.players:
            return {}
        tied = map(self._first, range(len(self.build)))
        return follow(self.build, self.sources, tied, self.kinds, self._below_prefab, _HELD)

    def _below_prefab(self, row: Traced) -> Iterable[Traced]:
        """Return the ties of objects below a prefab's or model's GameObject."""
        asset = self.project.assets.by_guid(row.sources[0].guid)
        if (
            self.build.class_ids[row.number] != GAME_OBJECT
            or asset is None
            or class_name(asset.class_id) not in _PREFABS
        ):
            return ()
        return self._below(row.number, row, ())

    def kinds(self, number: int) -> frozenset[str]:
        """Return an object's class names, a MonoBehaviour's script names."""
        class_id, script = self.build.class_ids[number], self.build.script(number)
        key = class_id, script if class_id == MONO_BEHAVIOUR else None
        if key not in self._kinds:
            names = {self.build.class_name(class_id)}
            if key[1] is not None:
                names = {key[1].name}
                place = self.build.script_object(number)
                declared, _ = self.sources.of_script(key[1], self.build.name(place) if place is not None else "")
                names.update(stem_of(source.path) for source in declared)
            self._kinds[key] = frozenset(names)
        return self._kinds[key]

    def all(self, numbers: Iterable[int] | None = None) -> Iterator[Traced]:
        """Yield the sources of all objects, or some."""
        return map(self.back, range(len(self.build)) if numbers is None else numbers)

    def _back(self, number: int) -> Traced:
        build = self.build
        file = build.files[build.file_of(number)]
        if folded(file.facts.name) in OWN_FILES:
            return Traced(number, BUILT_IN, "file", ())
        if self._is_bundle(file.part):
            source = self.hashed.get(build.path_ids[number])
            if source is not None:
                return Traced(number, EXACT if source.guid else BUILT_IN, "PathID", (source,))
            contained = self._contained(number)
            if contained is not None:
                return contained
            if build.class_ids[number] == ASSET_BUNDLE:
                return Traced(number, NONE, "", ())
        scene = self.levels.scene(file.number)
        if scene is not None:
            file_id, _ = self.levels.objects(file.number).get(number, (None, ()))
            return scene._replace(number=number, sources=(scene.sources[0]._replace(file_id=file_id),))
        found = self._in_prefab(number) or self._by_name(number)
        ordered = self._in_order(file) if found.certainty not in TIED else None
        return found if ordered is None else ordered._replace(number=number)

    def _in_order(self, file: BuildFile) -> Traced | None:
        """Return the scene at a level's place, if the player names none.

        It is only a candidate: the list of scenes may have changed since the build (Urbanize's had another scene).
        """
        level = level_of(file.facts.name)
        player = self.build.player_of(file.part)
        if level is None or (player is not None and player.scenes):
            return None
        if level >= len(self._scenes):
            return None
        return Traced(file.first, CANDIDATES, "order of the project's scenes", (self._scenes[level],))

    @cached_property
    def _scenes(self) -> list[Source]:
        rows = ((asset.path, asset.guid) for asset in self.sources.by_path.values())
        return [Source(guid, None, path) for path, guid in scenes_of(self.project.root, rows).items()]

    def _in_prefab(self, number: int) -> Traced | None:
        """Return the source of an object below a known prefab's root."""
        part = self.build.part_of(number)
        if part not in self._prefabs:
            found: dict[int, Traced] = {}
            for root, traced in self._roots.get(part, ()):
                found.update((row.number, row) for row in self._below(root, traced, found))
            self._prefabs[part] = found
        return self._prefabs[part].get(number)

    def _below(self, root: int, traced: Traced, known: Container[int]) -> Iterator[Traced]:
        """Yield the ties of objects below a prefab's root, with fileIDs."""
        numbers = self.build.below(root, known)
        source = traced.sources[0]
        places = self.levels.matched(numbers, self.build.file_of(root), source.guid)
        for number in numbers:
            file_id, _ = places.get(number, (None, ()))
            yield traced._replace(number=number, sources=(source._replace(file_id=file_id),))

    @cached_property
    def _roots(self) -> dict[int, list[tuple[int, Traced]]]:
        """Known roots of prefabs by part, listed or loaded by path."""
        known: dict[int, Traced] = {}
        for root, guid in self.build.prefabs.items():
            asset = self.project.assets.by_guid(guid)
            if asset is not None:
                known[root] = Traced(root, EXACT, "list of prefabs", (Source(guid, None, asset.path),))
        for root in self.build.containers:
            if self.build.class_ids[root] == GAME_OBJECT and root not in known:
                contained = self._contained(root) if self._is_bundle(self.build.part_of(root)) else None
                contained = contained or self._of_resources(root)
                if contained is not None:
                    known[root] = contained
        parts: dict[int, list[tuple[int, Traced]]] = {}
        for root, traced in known.items():
            parts.setdefault(self.build.part_of(root), []).append((root, traced))
        return parts

    @cached_property
    def hashed(self) -> dict[int, Source]:
        """Sources of the PathIDs of bundles."""
        build = self.build
        # An AssetBundle is made by the build.
        wanted = {build.path_ids[number] for number in self._in_archives() if build.class_ids[number] != ASSET_BUNDLE}
        if not wanted:
            return {}
        found, self.complete = self.sources.by_path_id(wanted, self._likely())
        return found

    def _likely(self) -> Iterator[str]:
        """Yield the paths of loadable assets and their dependencies."""
        roots = [path for paths in self.build.containers.values() for path in paths]
        yield from roots
        assets = self.sources.by_path
        guids = {assets[folded].guid for root in roots if (folded := root.casefold()) in assets}
        for guid in sorted(AssetGraph(self.project).closure(guids)):
            found = self.project.assets.by_guid(guid)
            if found is not None:
                yield found.path

    def _contained(self, number: int) -> Traced | None:
        """Return the asset that an object's container path names, or None."""
        for path in self.build.containers.get(number, ()):
            guid = self._guids_by_id.get(path.casefold())
            asset = self.project.assets.by_guid(guid) if guid is not None else None
            if asset is not None:
                return Traced(number, EXACT, "catalog", (Source(asset.guid, None, asset.path),))
            asset = self.sources.by_path.get(path.casefold())
            if asset is not None:
                return Traced(number, UNIQUE, "container path", (Source(asset.guid, None, asset.path),))
        return None

    def _by_name(self, number: int) -> Traced:
        build = self.build
        class_id = build.class_ids[number]
        script = build.script(number)
        if class_id == MONO_SCRIPT:
            if script is None:
                return Traced(number, NONE, "", ())
            declared, called = self.sources.of_script(script, build.name(number))
            if len(declared) == 1:
                return Traced(number, UNIQUE, "namespace and class", tuple(declared))
            found = declared or called
            return Traced(number, CANDIDATES if found else NONE, "name of the file" if found else "", tuple(found))
        loaded = self._of_resources(number)
        if loaded is not None:
            return loaded
        name = build.name(number)
        kinds = self.kinds(number)
        found = [source for kind in kinds for source in self.sources.by_name(kind, name)] if name else []
        if not found:
            unknown = self.sources.by_name(UNKNOWN, name) if class_id == MONO_BEHAVIOUR and name else []
            by = "name, the script is not known" if unknown else ""
            return Traced(number, CANDIDATES if unknown else NONE, by, tuple(unknown))
        by = "class and name"
        if len(found) > 1:
            places = self._resources_at(number)
            near = [source for source in found if path_in_resources(source.path) in places]
            if near:
                found, by = near, "class and path in Resources"
        if len(found) > 1 and self._is_bundle(build.part_of(number)):
            # 12 packs of the On-Demand Resources sample have textures of the same names, each in its own bundle.
            near = [source for source in found if source.guid in self._reach(build.part_of(number))]
            if near:
                found, by = near, "class and name, of what its bundle loads"
        if len(found) > 1 and len({source.guid for source in found}) == 1:
            # The object of the asset is unknown: LetterD.fbx of the On-Demand Resources sample has one mesh by two IDs.
            found = [found[0]._replace(file_id=None)]
        alone = len(found) == 1 and self._count(number) == 1
        return Traced(number, UNIQUE if alone else CANDIDATES, by, tuple(found))

    def _of_resources(self, number: int) -> Traced | None:
        """Return the only asset that an object's Resources path fits."""
        places = self._resources_at(number)
        if not places:
            return None
        kinds = self.kinds(number)
        if self.build.class_ids[number] == GAME_OBJECT:
            kinds = _PREFABS
        found = [
            asset
            for place in places
            for asset in self.sources.loadable(place)
            if self.sources.kind_of(asset) in (*kinds, UNKNOWN)
        ]
        if len(found) != 1:
            return None
        main = None if kinds is _PREFABS else canonical_file_id(found[0].class_id)
        return Traced(number, UNIQUE, "path in Resources", (Source(found[0].guid, main, found[0].path),))

    def _resources_at(self, number: int) -> set[str]:
        """Return an object's folded paths below Resources."""
        paths = self.build.containers.get(number, ())
        return {path[len(_RESOURCES) :].casefold() for path in paths if path.startswith(_RESOURCES)}

    def _reach(self, part: int) -> set[str]:
        """Return the GUIDs of a bundle's assets and their dependencies."""
        if part not in self._reached:
            found: set[str] = set()
            for number in self.build.objects_of_part(part):
                for path in self.build.containers.get(number, ()):
                    asset = self.sources.by_path.get(path.casefold())
                    if asset is not None:
                        found.add(asset.guid)
            self._reached[part] = found | AssetGraph(self.project).closure(found)
        return self._reached[part]

    def _count(self, number: int) -> int:
        """Return how many objects share class and name in a file."""
        build = self.build
        return self._counts[build.file_of(number), build.class_ids[number], build.name(number)]

    @cached_property
    def _counts(self) -> Counter[tuple[int, int, str]]:
        build = self.build
        return Counter(
            (file.number, build.class_ids[item], build.name(item)) for file in build.files for item in file.numbers
        )

    def _is_bundle(self, part: int) -> bool:
        return self.build.facts[part].kind == ARCHIVE

    # --- forward ---------------------------------------------------------------------------------------------------

    def entries(self, guid: str, path: str) -> list[tuple[CatalogAsset, CatalogBundle | None]]:
        """Return the catalog entries of an asset, with bundles."""
        return [
            (item, self.catalogs.bundles[item.bundle] if item.bundle is not None else None)
            for item in self.catalogs.assets
            if (item.guid and item.guid == guid) or (not item.guid and path and item.internal_id == path)
        ]

    def shipped(self, guid: str, file_id: int | None = None) -> list[Shipped]:
        """Return the places in the build of an asset or its object."""
        told = map(self.back, (*self._reported_by_guid.get(guid, ()), *self._contents.numbers(guid)))
        found = {row.number: row for row in told if any(source.guid == guid for source in row.sources)}
        if (asset := self.project.assets.by_guid(guid)) is not None:
            found.update(self._shipped_objects(asset))
        rows = [self._judged(found[number]) for number in sorted(found)]
        if file_id is not None:
            rows = [row for row in rows if any(source.file_id in (file_id, None) for source in row.sources)]
        parts: dict[int, list[Traced]] = {}
        for row in rows:
            parts.setdefault(self.build.part_of(row.number), []).append(row)
        return [self._shipped(part, objects) for part, objects in parts.items()]

    def reported_path(self, guid: str) -> str:
        """Return the path that the build's report gives an asset, or ``""``."""
        numbers = self._reported_by_guid.get(guid, ())
        return self._rows[numbers[0]].path if numbers else ""

    @cached_property
    def _reported_by_guid(self) -> dict[str, list[int]]:
        return by_guid(self._rows)

    def _shipped_objects(self, asset: Asset) -> dict[int, Traced]:
        """Return an asset's objects in files of no report or layout."""
        guid = asset.guid
        found: dict[int, Traced] = {}
        path_ids = {path_id: known for known, path_id in self.sources.path_ids(asset)}
        for number in self._with_path_ids(path_ids):
            known = path_ids[self.build.path_ids[number]]
            found[number] = Traced(number, EXACT, "PathID", (Source(guid, known, asset.path),))
        if is_scene(asset.path):
            for file in self.build.files:
                scene = self.levels.scene(file.number) or self._in_order(file)
                if scene is not None and scene.sources[0].guid == guid:
                    for number in file.numbers:
                        row = self.back(number)
                        if row.sources[0].guid == guid:
                            found[number] = row
        for root, row in chain.from_iterable(self._roots.values()):
            if row.sources[0].guid == guid:
                found.update((item.number, item) for item in self._below(root, row, found))
        for number, paths in self.build.containers.items():
            if number not in found and any(path.casefold() == asset.path.casefold() for path in paths):
                contained = self._contained(number)
                if contained is not None:
                    found[number] = contained
        names = self.sources.names_of(asset)
        for number in self._with_names(names):
            if number not in found and not self._is_hashed(number):
                traced = self.back(number)
                if any(source.guid == guid for source in traced.sources):
                    found[number] = traced
        found.update((row.number, row) for row in self.levels.instances(guid, asset.path) if row.number not in found)
        found.update((number, row) for number, row in self.followed.items() if row.sources[0].guid == guid)
        told = self._contents
        return {number: row for number, row in found.items() if number not in self._rows and not told.has(number)}

    @contextmanager
    def many_lookups(self) -> Iterator[None]:
        """Keep tables by PathID and name, for lookups of many assets."""
        by_path_id: dict[int, list[int]] = {}
        by_name: dict[str, list[int]] = {}
        for number in self._in_archives():
            by_path_id.setdefault(self.build.path_ids[number], []).append(number)
        for number in range(len(self.build)):
            by_name.setdefault(self.build.name(number), []).append(number)
        self._tables = by_path_id, by_name
        try:
            yield
        finally:
            self._tables = None

    def _in_archives(self) -> Iterator[int]:
        for part, facts in enumerate(self.build.facts):
            if facts.kind == ARCHIVE:
                yield from self.build.objects_of_part(part)

    def _with_path_ids(self, wanted: Collection[int]) -> Iterable[int]:
        if self._tables is not None:
            return chain.from_iterable(self._tables[0].get(path_id, ()) for path_id in wanted)
        return (number for number in self._in_archives() if self.build.path_ids[number] in wanted)

    def _with_names(self, wanted: Collection[str]) -> Iterable[int]:
        if self._tables is not None:
            return chain.from_iterable(self._tables[1].get(name, ()) for name in wanted)
        return (number for number in range(len(self.build)) if self.build.name(number) in wanted)

    def _is_hashed(self, number: int) -> bool:
        """Whether a bundle's PathIDs are hashes, so names are not needed.

        Only the assets that the bundle loads by path are hashed for this.
        """
        part = self.build.part_of(number)
        if part not in self._hashed_parts:
            objects = self.build.objects_of_part(part) if self._is_bundle(part) else range(0)
            path_ids = {self.build.path_ids[item] for item in objects}
            paths = [path for item in objects for path in self.build.containers.get(item, ())]
            assets = [
                self.sources.by_path[path.casefold()] for path in paths if path.casefold() in self.sources.by_path
            ]
            self._hashed_parts[part] = any(
                path_id in path_ids for asset in assets[:_COMPARED] for _, path_id in self.sources.path_ids(asset)
            )
        return self._hashed_parts[part]

    def _shipped(self, part: int, objects: Sequence[Traced]) -> Shipped:
        build = self.build
        size = sum(build.bytes_of(row.number) for row in objects)
        reasons = [why(build, row.number) for row in objects[:_EXPLAINED]]
        best = min(reasons, key=lambda reason: (_LAST.get(reason.kind, 0), len(reason.way)))
        names = (build.title(number) or build.class_name(build.class_ids[number]) for number in best.way)
        # A GameObject, its Transform and its renderer have one name.
        way = tuple(name for name, _ in groupby(names))
        return Shipped(part, tuple(objects), size, best.kind, best.root, way)

    # --- the whole -------------------------------------------------------------------------------------------------

    @cached_property
    def untied(self) -> int:
        """The number of objects without a certain asset, Unity's own aside."""
        return sum(row.certainty not in (*TIED, BUILT_IN) for row in self.all())

    def missing(self, entries: Sequence[MissingEntry] = ()) -> list[MissingKey]:
        """Return explained missing GUIDs of catalogs, listed prefabs and group ``entries``."""
        groups = {row.guid: row for row in entries}
        layouts = {asset.guid: asset.path for layout in self.catalogs.layouts for asset in layout.assets}
        found = {}
        for item in self.catalogs.assets:
            guid = item.guid
            if not guid or self._has(guid):
                continue
            path = public_path(guid, self.project.packages.list)
            if path:
                explained = _OF_PACKAGE.format(path)
            elif guid in groups:
                explained = f"entry of group {groups[guid].group}, and the asset is gone"
                if guid in layouts:
                    explained += f"; the build layout says {layouts[guid]}"
            elif guid in layouts:
                explained = f"the build layout says {layouts[guid]}"
            elif self.catalogs.opened[item.catalog].catalog.provider(item.location).endswith(_RESOURCES_PROVIDER):
                explained = "of a folder Resources, origin unknown"
            else:
                explained = ""
            found[guid] = MissingKey(guid, item.address, item.internal_id, explained)
        for number, guid in self.build.listed_prefabs():
            if guid not in found and not self._has(guid):
                path = public_path(guid, self.project.packages.list)
                text = _OF_PACKAGE.format(path) if path else "in the player's list of prefabs"
                found[guid] = MissingKey(guid, "", self.build.title(number) if number >= 0 else "", text)
        for row in entries:
            if row.guid not in found:
                text = f"entry of group {row.group}, and the asset is gone; in no catalog"
                found[row.guid] = MissingKey(row.guid, row.address, "", text)
        return sorted(found.values(), key=lambda row: (row.internal_id, row.address))

    def _has(self, guid: str) -> bool:
        """Whether the project, or a package of it, has an asset."""
        if self.project.assets.by_guid(guid) is not None:
            return True
        return self.project.has_packages and self.project.packages.by_guid(guid) is not None

    def guids(self) -> set[str]:
        """Return the GUIDs of all assets that are surely in the build."""
        found = {item.guid for item in self.catalogs.assets if item.guid}
        found |= {row.sources[0].guid for row in self.all() if row.certainty in TIED}
        return found.union((row.guid for row in self.laid_out()), (row.guid for row in self.stated())) - {""}

    def implicit(self) -> dict[str, list[Traced]]:
        """Return pulled-in objects by asset: no scenes, nothing loaded directly."""
        build = self.build
        explicit = {item.guid for item in self.catalogs.assets if item.guid}
        rows = [row for row in self.all() if row.certainty in TIED and row.sources[0].guid]
        explicit |= {row.sources[0].guid for row in rows if row.certainty == SCENE or row.number in build.containers}
        found: dict[str, list[Traced]] = {}
        for row in rows:
            if row.sources[0].guid not in explicit:
                found.setdefault(row.sources[0].guid, []).append(row)
        return found

    def laid_out(self) -> Iterator[LaidOut]:
        """Yield assets that build layouts list as pulled in."""
        for layout in self.catalogs.layouts:
            for item in layout.implicit:
                asset = self.sources.by_path.get(item.path.casefold()) if item.guid is None else None
                guid = item.guid or (asset.guid if asset is not None else "")
                bundle = layout.bundles[item.bundle].name if item.bundle is not None else ""
                yield LaidOut(guid, item.path, bundle, item.size, item.used_by)

    def stated(self) -> Iterator[Stated]:
        """Yield the static assets that content states list."""
        for state in self.catalogs.states:
            bundles = {bundle.file: bundle for bundle in state.bundles}
            for item in state.assets:
                bundle = bundles.get(item.bundle_file or "")
                size, crc = (bundle.size or 0, bundle.crc or 0) if bundle is not None else (0, 0)
                yield Stated(item.guid, item.bundle_file or "", size, crc, item.group or "")

    def duplicates(self) -> dict[Source, list[Traced]]:
        """Return the project's objects in several parts, largest waste first."""
        found: dict[Source, list[Traced]] = {}
        for row in self.all():
            if row.certainty in (EXACT, UNIQUE) and row.sources[0].file_id is not None:
                found.setdefault(row.sources[0], []).append(row)
        several = {
            source: rows for source, rows in found.items() if len({self.build.part_of(row.number) for row in rows}) > 1
        }
        return dict(sorted(several.items(), key=lambda item: (-self.wasted(item[1]), item[0].path)))

    def wasted(self, rows: Iterable[Traced]) -> int:
        """Return the bytes of all copies of an object but the largest."""
        return wasted_bytes(self.build, [row.number for row in rows])
