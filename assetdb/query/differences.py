"""Differences of two sides of a project.

Assets are compared by GUID, objects by fileID, references by target. Only files with other bytes are read.
"""

from __future__ import annotations

import filecmp
import os
import re
from contextlib import ExitStack, contextmanager
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.contents.differences import ADDED, CHANGED, REMOVED, ObjectChange, compare_objects, compare_values
from assetdb.history.git.repository import Repository
from assetdb.history.git.submodules import absent_changes, with_submodules
from assetdb.history.lfs import LARGEST_POINTER
from assetdb.query.changes.sides import Metas, Side, pairs_of
from assetdb.query.graph.references import SETTINGS_FOLDER, AssetGraph, settings_files
from assetdb.query.graph.relations import describe
from assetdb.query.package_differences import package_differences
from assetdb.query.snapshots.revisions import entries_of, open_entries, tops_of
from assetdb.resolve.instances import ObjectInfo
from assetdb.settings.project import META, asset_file, asset_prefix
from assetdb.system.reading import read_head
from assetdb.unity.kinds import extension_of, is_lfs_pointer
from assetdb.unity.settings.packages import LOCK, MANIFEST
from assetdb.unity.yaml.objects import TextObjects
from assetdb_formats.binary import FormatError
from assetdb_formats.files import words_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from assetdb.query.graph.relations import AssetInfo
    from assetdb.query.inspecting import ValueText
    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.resolve.resolver import Resolver

    Source = tuple[Resolver, str]

MOVED: Final = "moved"
RENAMED: Final = "renamed"
GUID: Final = "guid"
DANGLING: Final = "dangling"
MENDED: Final = "mended"
ORDER: Final = (REMOVED, GUID, MOVED, RENAMED, ADDED, CHANGED)
"""Kinds of changes of assets, the one that breaks most first."""
_PACKAGE_FILES: Final = frozenset({MANIFEST, LOCK})
_IMPORTER: Final = re.compile(rb"^[A-Za-z]\w*Importer:", re.MULTILINE)
_REACHING: Final = ("unity", "prefab")
_GROUP: Final = "AddressableAssetGroup"
_SUBMODULE: Final = "submodule"
_PACKAGE: Final = "package"
_NOT_HERE: Final = "not in this clone"
_COMMIT_DIGITS: Final = 10


class AssetChange(NamedTuple):
    """An asset, folder or file that differs.

    Attributes:
        change: one of :data:`ORDER`.
        path: on the newer side; of a removed one on the older.
        guid: 32 hex digits; ``""`` for a file without one (``ProjectSettings``), or if git lacks its meta locally.
        type: as ``ls`` prints it; ``submodule`` for one whose files are not available; else ``""`` without a GUID.
        old_path: on the older side, ``""`` if it is the same path or there is none.
        old_type: on the older side, ``""`` if it is the same type or there is none.
        old_guid: on the older side, ``""`` if it is the same GUID or there is none.
        file: whether the bytes of the file differ.
        meta: whether the bytes of the meta differ, or its name beside an asset that has another case of it.
    """

    change: str
    path: str
    guid: str
    type: str
    old_path: str = ""
    old_type: str = ""
    old_guid: str = ""
    file: bool = False
    meta: bool = False


class NamedValue(NamedTuple):
    """A value that differs; see :class:`assetdb.contents.differences.ValueChange`."""

    path: str
    old: ValueText | None
    new: ValueText | None
    item: str = ""


class NamedObject(NamedTuple):
    """An object that differs, or the importer of an asset.

    Attributes:
        change: ``added``, ``removed`` or ``changed``.
        file_id: 0 for an importer.
        name: as ``name`` prints it.
        type: its class, or the name of its script.
        values: those that differ.
        note: why values are unknown, else ``""``.
    """

    change: str
    file_id: int
    name: str
    type: str
    values: tuple[NamedValue, ...]
    note: str


class ReferenceChange(NamedTuple):
    """References of one asset to another that came or went.

    Attributes:
        change: ``added``, ``removed``, ``dangling`` (nothing has the GUID any more) or ``mended``.
        path: of the asset that refers.
        guid: of the asset that refers.
        target: path of the asset referred to, ``""`` if nothing has its GUID.
        target_guid: of the asset referred to.
    """

    change: str
    path: str
    guid: str
    target: str
    target_guid: str


class Comparison:
    """Two sides of a project; each attribute is computed on first use.

    >>> from assetdb.query.snapshots.snapshot import open_project
    >>> with compared_revisions(open_project("Village"), "main~1..main") as found:
    ...     [(change.change, change.old_path, change.path) for change in found.assets]
    [('renamed', 'Assets/Prefabs/Tower.prefab', 'Assets/Prefabs/Spire.prefab')]

    Attributes:
        old: the older side.
        new: the newer side.
        paths: files that differ.
        places: folders and files to look in, none for everywhere.
        submodules: old and new commit, by path, of submodules whose files are not available.
    """

    def __init__(
        self,
        old: Snapshot,
        new: Snapshot,
        paths: Collection[str],
        places: Collection[str] = (),
        submodules: Mapping[str, tuple[str, str]] = MappingProxyType({}),
    ) -> None:
        """Take both sides.

        Args:
            old: the older side.
            new: the newer side.
            paths: files that differ, those that one side lacks included, relative to the project.
            places: folders and files to look in, relative to the project; ``.`` and none are everywhere.
            submodules: old and new commit of submodules that differ and are not available, ``""`` for none.
        """
        self.old = old
        self.new = new
        self.paths = frozenset(paths)
        self.submodules = submodules
        self.places = frozenset(place.removesuffix(META) for place in places)
        self._absent = frozenset(old.absent), frozenset(new.absent)

    @property
    def absent(self) -> tuple[str, ...]:
        """Files of either side that git does not have locally."""
        return tuple(sorted({*self.old.absent, *self.new.absent}))

    # --- assets

    @cached_property
    def assets(self) -> list[AssetChange]:
        """Assets, folders and files that differ, in :data:`ORDER`, then by path."""
        return [row for row in self._everywhere if any(map(self._is_within, self._names_of(row)))]

    @cached_property
    def _everywhere(self) -> list[AssetChange]:
        found = [*self._of_guids(*self._sides), *self._of_absent(*self._sides), *self._of_files(self._names)]
        for path, (old, new) in self.submodules.items():
            found.append(AssetChange(_change(old, new), path, "", _SUBMODULE, file=True))
        return sorted(found, key=lambda row: (ORDER.index(row.change), row.path))

    def _names_of(self, row: AssetChange) -> Iterator[str]:
        """Yield an asset's paths, and its metas' without their ending."""
        for side, path in zip(self._sides, (row.old_path or row.path, row.path), strict=True):
            yield from (path, side.meta_of(path).removesuffix(META))

    def _is_within(self, path: str) -> bool:
        places = self.places
        return not places or any(place in (".", path) or path.startswith(f"{place}/") for place in places)

    @cached_property
    def _names(self) -> set[str]:
        return {path.removesuffix(META) for path in self.paths}

    @cached_property
    def _sides(self) -> tuple[Side, Side]:
        before, after = Side(self.old, self._names), Side(self.new, self._names)
        before.assume(after)
        after.assume(before)
        return before, after

    def _of_guids(self, before: Side, after: Side) -> Iterator[AssetChange]:
        renewed = {
            path: guid
            for path, guid in before.guids.items()
            if after.guids.get(path, guid) != guid and not _has(self.new, guid)
        }
        for guid, old, new in pairs_of(before, after):
            if old is None and new is not None:
                if new.path in renewed:
                    former = renewed[new.path]
                    kind = before.assets[former].type if former in before.assets else ""
                    change = AssetChange(GUID, new.path, guid, new.type, "", _other(kind, new.type), former)
                    yield self._with_files(change)
                else:
                    yield AssetChange(ADDED, new.path, guid, new.type, file=True, meta=True)
            elif old is not None and new is None:
                if old.path not in renewed:
                    yield AssetChange(REMOVED, old.path, guid, old.type, file=True, meta=True)
            elif old is not None and new is not None:
                kind = new.type or old.type  # "" for a missing file
                change = AssetChange(_moved(old.path, new.path), new.path, guid, kind)
                change = change._replace(old_path=_other(old.path, new.path), old_type=_other(old.type, kind))
                change = self._with_files(change)
                if change.change != CHANGED or change.file or change.meta or change.old_type:
                    yield change

    def _of_absent(self, before: Side, after: Side) -> Iterator[AssetChange]:
        """Yield assets of one side with metas that git lacks locally."""
        for change, side, other in ((REMOVED, before, self.new), (ADDED, after, self.old)):
            for path in sorted(side.unknown):
                if path + META in self.paths and not os.path.lexists(asset_file(other.root, path)):
                    yield AssetChange(change, path, "", "", file=True, meta=True)

    def _with_files(self, change: AssetChange) -> AssetChange:
        old, new = change.old_path or change.path, change.path
        before, after = (side.meta_of(path) for side, path in zip(self._sides, (old, new), strict=True))
        is_meta = not self.paths.isdisjoint((before, after))  # else only the asset's case may have changed
        is_named = old == new and before != after  # BoatAttack's AIcontroller.cs.meta became AiController.cs.meta
        return change._replace(
            file=self._differs(old, new), meta=is_meta and (is_named or self._differs(before, after))
        )

    def _differs(self, old: str, new: str) -> bool:
        """Whether a file has other bytes on the two sides."""
        if old == new and old not in self.paths:
            return False
        if old in self._absent[0] or new in self._absent[1]:
            return True
        return not _are_same(asset_file(self.old.root, old), asset_file(self.new.root, new))

    def _of_files(self, names: Iterable[str]) -> Iterator[AssetChange]:
        """Yield settings of the project, which have no GUID."""
        for path in sorted(names):
            if path.startswith(f"{SETTINGS_FOLDER}/") or path in _PACKAGE_FILES:
                there = [
                    path in absent or os.path.isfile(asset_file(root, path))
                    for root, absent in zip((self.old.root, self.new.root), self._absent, strict=True)
                ]
                if any(there) and self._differs(path, path):
                    yield AssetChange(_change(*there), path, "", "", file=True)

    # --- objects

    def objects(self, change: AssetChange) -> Iterator[NamedObject]:
        """Yield the importer and the objects of an asset that differ."""
        if change.type == _SUBMODULE and not change.guid:
            commits = [f"commit {commit[:_COMMIT_DIGITS]}" for commit in self.submodules[change.path] if commit]
            note = f"{' to '.join(commits)}, {_NOT_HERE}"
            yield NamedObject(change.change, 0, change.path.rpartition("/")[2], _SUBMODULE, (), note)
            return
        if change.change in (ADDED, REMOVED):
            if change.meta and not change.guid:
                yield NamedObject(change.change, 0, change.path.rpartition("/")[2] + META, "", (), _NOT_HERE)
            return
        old_path = change.old_path or change.path
        if change.meta:
            yield from self._of_importer(old_path, change)
        if not change.file:
            return
        if old_path in self._absent[0] or change.path in self._absent[1]:
            yield NamedObject(CHANGED, 0, change.path.rpartition("/")[2], change.type, (), _NOT_HERE)
            return
        if change.path in _PACKAGE_FILES:
            found = package_differences(change.path, self.old.read(old_path) or b"", self.new.read(change.path) or b"")
            if found is not None:
                for row in found:
                    kind = CHANGED if row.old and row.new else ADDED if row.new else REMOVED
                    yield NamedObject(kind, 0, row.name, _PACKAGE, (), row.note)
                return
        sides = [
            _documents(self.old, change.old_guid or change.guid, old_path),
            _documents(self.new, change.guid, change.path),
        ]
        if isinstance(sides[0], str) or isinstance(sides[1], str):
            notes = dict.fromkeys(side for side in sides if isinstance(side, str))
            yield NamedObject(CHANGED, 0, change.path.rpartition("/")[2], change.type, (), ", ".join(notes))
            return
        yield from named_objects(sides[0], sides[1], lambda item: self._named(item, change))

    def _of_importer(self, old_path: str, change: AssetChange) -> Iterator[NamedObject]:
        before, after = (side.meta_of(path) for side, path in zip(self._sides, (old_path, change.path), strict=True))
        data = [side.read(path) or b"" for side, path in ((self.old, before), (self.new, after))]
        old, new = (_IMPORTER.search(side) for side in data)
        label = after.rpartition("/")[2]
        if before in self._absent[0] or after in self._absent[1]:
            yield NamedObject(CHANGED, 0, label, "", (), _NOT_HERE)
            return
        if old is None or new is None:
            if old is not new:
                yield NamedObject(CHANGED, 0, label, "", (), "one side has no importer")
            return
        name = new[0][:-1].decode()
        try:
            _, values, note = compare_values(b"\n" + data[0][old.start() :], b"\n" + data[1][new.start() :])
        except FormatError as error:
            yield NamedObject(CHANGED, 0, label, name, (), str(error))
            return
        if change.path == old_path and before != after and not note:
            note = f"was {before.rpartition('/')[2]}"
        if values or note:
            item = ObjectChange(CHANGED, 0, 0, name, values=values)
            yield NamedObject(CHANGED, 0, label, name, named_values(item, *self._sources(change)), note)

    def _named(self, item: ObjectChange, change: AssetChange) -> NamedObject:
        old, new = self._sources(change)
        if change.guid:
            return named_object(item, old, new, change.path.rpartition("/")[2])
        resolver = old[0] if item.change == REMOVED else new[0]
        kind = _type_of(item, resolver)
        return NamedObject(item.change, item.file_id, kind, kind, named_values(item, old, new), item.note)

    def _sources(self, change: AssetChange) -> tuple[Source, Source]:
        before = self.old.key_at(change.old_path or change.path, change.old_guid or change.guid)
        return (self.old.resolver, before), (self.new.resolver, self.new.key_at(change.path, change.guid))

    # --- references

    @cached_property
    def references(self) -> list[ReferenceChange]:
        """References between assets that came, went, became dangling or were mended."""
        before, after = AssetGraph(self.old), AssetGraph(self.new)
        found: set[ReferenceChange] = set()
        for row in self._everywhere:
            if row.guid and row.change in (ADDED, GUID) and not _has(self.old, row.guid):
                users = before.usages(row.guid) if before.knows(row.guid) else []
                found.update(
                    self._reference(MENDED, guid, row.guid) for guid in users if _is_in(self.new, guid, row, after)
                )
            lost = row.old_guid or (row.guid if row.change == REMOVED else "")
            if lost and not _has(self.new, lost):
                users = after.usages(lost) if after.knows(lost) else []
                found.update(self._reference(DANGLING, guid, lost) for guid in users)
                for item in self.new.supplement.referring_to(lost):
                    found.add(self._reference(DANGLING, item.asset.guid, lost, item.asset.path))
        for row in self._everywhere:
            if not row.guid or self._is_unread(row):
                continue
            former = row.old_guid or row.guid
            old = _targets(self.old, before, former, row.old_path or row.path) if row.change != ADDED else set()
            new = _targets(self.new, after, row.guid, row.path) if row.change != REMOVED else set()
            found.update(self._reference(REMOVED, row.guid, guid, row.path) for guid in old - new)
            for guid in new - old:
                is_there = self.new.resolver.locate(guid) is not None or guid in self._sides[1].assets
                is_there = is_there or guid.startswith("0000000000000000")
                found.add(self._reference(ADDED if is_there else DANGLING, row.guid, guid, row.path))
        order = (DANGLING, MENDED, REMOVED, ADDED)
        if self.places:
            ours = {guid for row in self.assets for guid in (row.guid, row.old_guid) if guid}
            found = {
                row for row in found if self._is_within(row.path) or not ours.isdisjoint((row.guid, row.target_guid))
            }
        return sorted(found, key=lambda row: (order.index(row.change), row.path, row.target, row.target_guid))

    def _is_unread(self, row: AssetChange) -> bool:
        """Whether the references of one side are unknown."""
        old = row.old_path or row.path
        sides = zip((old, row.path), self._sides, self._absent, strict=True)
        if any(not absent.isdisjoint((path, side.meta_of(path))) for path, side, absent in sides):
            return True
        return row.file and (_is_pointer(self.old, old) or _is_pointer(self.new, row.path))

    def _reference(self, change: str, guid: str, target: str, path: str = "") -> ReferenceChange:
        sides = (self.old, self.new) if change in (REMOVED, DANGLING) else (self.new, self.old)
        source = path or describe(guid, self.new).path or describe(guid, self.old).path
        there = next((info for side in sides if (info := describe(target, side)).path or info.name), None)
        return ReferenceChange(change, source, guid, (there.path or there.name) if there is not None else "", target)

    @cached_property
    def reached(self) -> list[AssetInfo]:
        """Scenes, prefabs and Addressables groups from which something that differs is reached."""
        changed = {row.guid for row in self.assets if row.guid and row.change != REMOVED}
        reaching = AssetGraph(self.new).closure(changed, incoming=True) - changed
        rows = (describe(guid, self.new) for guid in reaching)
        return sorted(
            (row for row in rows if extension_of(row.path) in _REACHING or row.type == _GROUP), key=lambda row: row.path
        )


# --- names


def named_objects(
    old: TextObjects, new: TextObjects, name: Callable[[ObjectChange], NamedObject]
) -> Iterator[NamedObject]:
    """Yield the objects that differ in something that the Inspector shows."""
    for item in compare_objects(old, new):
        found = name(item)
        if found.change != CHANGED or found.values or found.note:
            yield found


def named_object(item: ObjectChange, old: Source, new: Source, file: str) -> NamedObject:
    """Return a change with names.

    Args:
        item: the change.
        old: resolver and GUID of the older side.
        new: of the newer one.
        file: the name of the file, for an object without one.
    """
    sides = (old, new) if item.change == REMOVED else (new, old)
    names = (resolver.name(guid, item.file_id) for resolver, guid in sides)
    name = next((name for name in names if name.name), None)  # what an override changes may be on one side alone
    shown = name.name if name is not None else f"{file}:{item.file_id}"
    kind = name.type if name is not None else _type_of(item, sides[0][0])
    return NamedObject(item.change, item.file_id, shown, kind, named_values(item, old, new), item.note)


def _type_of(item: ObjectChange, resolver: Resolver) -> str:
    return resolver.type_of_object(ObjectInfo(item.class_id, "", "", (), item.script))


def named_values(item: ObjectChange, old: Source, new: Source) -> tuple[NamedValue, ...]:
    """Return values with names, those that the Inspector shows."""
    from assetdb.query.inspecting import HIDDEN, ValueNamer  # noqa: PLC0415 - where nothing differs it is not needed

    before, after = ValueNamer(*old, item.class_name), ValueNamer(*new, item.class_name)
    rows = []
    for row in (row for row in item.values if row.path.partition(".")[0] not in HIDDEN):
        one = before.shown(row.path, row.old) if row.old is not None else None
        other = after.shown(row.path, row.new) if row.new is not None else None
        if one is not None and other is not None and one.file_id and other.file_id and one.text == other.text:
            one, other = before.placed(one), after.placed(other)
        rows.append(NamedValue(row.path, one, other, row.item))
    return tuple(rows)


def _has(side: Snapshot, guid: str) -> bool:
    """Whether an asset or folder of a side has a GUID."""
    return side.assets.by_guid(guid) is not None or side.assets.folder(guid) is not None


def _targets(side: Snapshot, graph: AssetGraph, guid: str, path: str) -> set[str]:
    """Return the GUIDs that the asset at a path refers to."""
    beside = side.without_entry(path)
    if beside is not None:
        return set(beside.targets)
    return set(graph.dependencies(guid)) if graph.knows(guid) else set()


def _is_in(side: Snapshot, guid: str, row: AssetChange, graph: AssetGraph) -> bool:
    """Whether an asset refers to another on a side, too."""
    return side.assets.by_guid(guid) is not None and row.guid in graph.dependencies(guid)


def _change(old: object, new: object) -> str:
    """Return the kind of a change, given both sides' values."""
    return CHANGED if old and new else ADDED if new else REMOVED


def _other(old: str, new: str) -> str:
    return old if old != new else ""


def _moved(old: str, new: str) -> str:
    if old == new:
        return CHANGED
    return RENAMED if os.path.dirname(old) == os.path.dirname(new) else MOVED


def _are_same(one: str, other: str) -> bool:
    """Whether two files have the same bytes, or neither is one."""
    is_file = os.path.isfile(one), os.path.isfile(other)
    return filecmp.cmp(one, other, shallow=False) if all(is_file) else not any(is_file)


def _documents(side: Snapshot, guid: str, path: str) -> TextObjects | str:
    """Return the documents of a file, or why it has none."""
    if guid and side.without_entry(path) is None:
        content = side.resolver.bounded_content(guid)
        if isinstance(content, TextObjects):
            return content
    else:
        found = TextObjects(side.read(path) or b"")
        if found.kind == "yaml":
            return found
    try:
        size = os.path.getsize(asset_file(side.root, path))
    except OSError as error:
        return words_of(error)
    return "a pointer of Git LFS" if _is_pointer(side, path) else f"{size:,} bytes"


def _is_pointer(side: Snapshot, path: str) -> bool:
    """Whether a file is a pointer of Git LFS."""
    return is_lfs_pointer(read_head(asset_file(side.root, path), LARGEST_POINTER) or b"")


# --- two sides


def within(found: Comparison, places: Collection[str]) -> Comparison:
    """Limit a comparison to some folders and files, if any."""
    return Comparison(found.old, found.new, found.paths, places, found.submodules)


@contextmanager
def compared_revisions(project: Snapshot, asked: str, *, fetch: bool = False) -> Iterator[Comparison]:
    """Open two sides of a project.

    Args:
        project: as it is on the disk.
        asked: ``A..B``, ``A...B`` (from where they forked), or ``A`` for a revision against the disk.
        fetch: whether git may fetch blobs that a partial clone lacks.

    Raises:
        HistoryError: there is no such revision, no repository, or no git.
        AssetdbError, OSError: the project cannot be read.
    """
    repository = Repository(project.root, fetch=fetch)
    older, dots, newer = asked.partition("...") if "..." in asked else asked.partition("..")
    first = f"{older or 'HEAD'}...{newer or 'HEAD'}" if dots == "..." else older or "HEAD"
    one = entries_of(project, repository, first)
    other = entries_of(project, repository, newer or "HEAD") if dots else {}
    absent: set[bytes] = set()
    before, after = with_submodules(repository, one, absent), with_submodules(repository, other, absent)
    tops = tops_of(project.root)
    submodules = {
        path: commits
        for name, commits in absent_changes(repository, one, other, absent).items()
        if (path := os.fsdecode(name)).partition("/")[0] in tops or tops == (".",)
    }
    with ExitStack() as stack:
        old = stack.enter_context(open_entries(project, repository, before))
        new = project
        if dots:
            new = stack.enter_context(open_entries(project, repository, after))
            paths = {path for path in before.keys() | after.keys() if before.get(path, 0) != after.get(path, 0)}
        else:
            paths = set(before)
        prefix = asset_prefix(project.root)  # git's paths of a package or a folder of assets are without
        yield Comparison(old, new, {prefix + os.fsdecode(path) for path in paths}, submodules=submodules)


def compared_projects(old: Snapshot, new: Snapshot) -> Comparison:
    """Compare two folders with a project, file by file.

    Raises:
        AssetdbError, OSError: one cannot be read.
    """
    paths: set[str] = set()
    names = [set(_paths_in(side)) for side in (old, new)]
    metas = Metas(old), Metas(new)
    settings = [{*settings_files(side.root), *_PACKAGE_FILES} for side in (old, new)]
    for path in names[0] | names[1] | settings[0] | settings[1]:
        if not _are_same(asset_file(old.root, path), asset_file(new.root, path)):
            paths.add(path)
        before, after = (side.of(path) for side in metas)
        if before != after or not _are_same(asset_file(old.root, before), asset_file(new.root, after)):
            paths |= {before, after}
    return Comparison(old, new, paths)


def _paths_in(side: Snapshot) -> Iterator[str]:
    """Yield the paths of all assets and folders of a project."""
    yield from (asset.path for asset in side.database)
    yield from (duplicate.asset.path for duplicate in side.duplicates)
    yield from (path for _, path in side.database.folders())
