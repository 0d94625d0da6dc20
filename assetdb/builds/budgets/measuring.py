"""Sizes of everything in a build that may have a budget.

They are bytes on disk. Of Addressables without their bundles (the files of a build are elsewhere), the sizes in the
build layout are taken; assets, whose bytes on disk no layout tells, have there the decoded bytes of their objects.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.builds.build import resolve_streams
from assetdb.builds.parts.facts import ARCHIVE, NOT_SHIPPED, RESOURCE, SERIALIZED
from assetdb.builds.query.catalogs import without_hash
from assetdb.builds.query.duplicates import find_duplicates
from assetdb.builds.query.layouts import assets_of
from assetdb.builds.query.reasons import why
from assetdb.builds.query.sizes import measure
from assetdb.builds.query.tables import NO_GROUP, NO_LABEL, SizeSums, size_rows
from assetdb.settings.budgets import ASSEMBLY, BUILD, BUNDLE, DUPLICATES, FILE, FOLDER, GROUP, LABEL, TYPE
from assetdb_formats.addressables.companions.layout import groups_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from assetdb.builds.build import Build
    from assetdb.builds.query.catalogs import Catalogs
    from assetdb.builds.query.duplicates import ObjectDuplicate
    from assetdb.builds.query.sizes import Sizes

_OF_PARTS: Final = (BUILD, FILE, BUNDLE, GROUP, LABEL)


class MeasuredContent(NamedTuple):
    """An asset, or objects of one name, in a measured thing.

    Attributes:
        size: bytes.
        number: of the first of the objects, -1 of an asset.
        used_by: paths of the assets that pulled an asset in.
    """

    size: int
    number: int = -1
    used_by: tuple[str, ...] = ()


class Measure:
    """The sizes of one build, each measured when it is asked for."""

    def __init__(self, build: Build, catalogs: Catalogs, sources: Callable[[], Sequence[str]]) -> None:
        """Take a build.

        Args:
            build: the build.
            catalogs: its catalogs and layouts.
            sources: returns the path of each object's asset, or a word in brackets; asked where there is no layout.
        """
        self.build = build
        self._catalogs = catalogs
        self._find_sources = sources
        self._sizes: dict[str, dict[str, int]] = {}

    def sizes(self, kind: str) -> dict[str, int]:
        """Return the size of everything of a kind, by name."""
        if kind not in self._sizes:
            self._sizes[kind] = self._measured(kind)
        return self._sizes[kind]

    def folder(self, path: str) -> int | None:
        """Return the bytes of a folder's assets, None without any."""
        found = [size for asset, size in self.sizes(FOLDER).items() if asset.startswith(f"{path}/")]
        return sum(found) if found else None

    def contents(self, kind: str, name: str) -> dict[str, MeasuredContent]:
        """Return the assets in something, else its objects and files, by names.

        Without a layout, the contents of the build, of a file or bundle are all their bytes.
        """
        if kind == DUPLICATES:
            return {self._title(row.objects[0]): MeasuredContent(row.saved, row.objects[0]) for row in self._duplicates}
        if kind == FOLDER:
            return {
                path: MeasuredContent(size) for path, size in self.sizes(FOLDER).items() if path.startswith(f"{name}/")
            }
        sums = self._laid_out(kind, name)
        if sums and kind != BUILD:
            return sums
        parts = set(self._parts(kind, name)) if kind in _OF_PARTS else set()
        if sums:  # the layout tells nothing of the player around the bundles
            parts = {part for part in parts if self.build.parts[part].kind != ARCHIVE}
        for number, size in self._objects(kind, name, parts):
            source = self._sources[number]
            title = self._title(number) if source.startswith("(") else source
            known = sums.get(title, MeasuredContent(0, number))
            sums[title] = known._replace(size=known.size + size)
        for row in self._measure.rest if kind in (BUILD, FILE, BUNDLE) else ():
            if row.part in parts or (row.part < 0 and kind == BUILD):
                # Code of a player is no object's: it is most of a small one.
                part = self.build.parts[row.part] if row.part >= 0 else None
                title = part.name if part is not None and row.what == f"({part.kind})" else row.what
                sums[title] = MeasuredContent(sums.get(title, MeasuredContent(0)).size + row.disk)
        return sums

    def pulled_in_by(self, content: MeasuredContent) -> str:
        """Return the reason for an object or asset, or ``""``."""
        if content.used_by:
            return f"pulled in by {', '.join(content.used_by)}"
        reason = why(self.build, content.number) if content.number >= 0 else None
        return f"of {reason.root}" if reason is not None and reason.root else ""

    # --- sizes

    def _measured(self, kind: str) -> dict[str, int]:
        if kind == DUPLICATES:
            return {"": len(self._duplicates)}
        parts = [
            (part.name, part.kind, part.disk)
            for part, known in zip(self.build.parts, self.build.facts, strict=True)
            if known.kind not in NOT_SHIPPED
        ]
        if kind == BUILD:
            left_out = sum(part.disk for part in self.build.parts) - sum(disk for *_, disk in parts)
            return {"": self._measure.disk_total - left_out if parts else sum(self._bundles().values())}
        if kind == FILE:
            return {name: disk for name, _, disk in parts}
        if kind == BUNDLE:
            own = ((without_hash(name), disk) for name, what, disk in parts if what == ARCHIVE)
            return _added(own) or self._bundles()
        if kind == ASSEMBLY:
            return self._assemblies()
        if kind == FOLDER:
            laid_out = _added((item.path, item.size) for item in assets_of(self._catalogs.layouts))
            return laid_out or _added(zip(self._sources, self._measure.disk, strict=True))
        if kind == GROUP and not any(what == ARCHIVE for _, what, _ in parts):
            return _added((row.name, row.size) for layout in self._catalogs.layouts for row in groups_of(layout))
        key = "class" if kind == TYPE else kind
        rows = size_rows(self.build, self._measure, key, self._catalogs if kind in (GROUP, LABEL) else None)
        return {row.name: row.disk for row in rows if row.name[:1] != "(" or row.name in (NO_GROUP, NO_LABEL)}

    def _bundles(self) -> dict[str, int]:
        """Return the bundles of the layouts."""
        rows = (bundle for layout in self._catalogs.layouts for bundle in layout.bundles)
        return _added((without_hash(bundle.name), bundle.size) for bundle in rows)

    def _assemblies(self) -> dict[str, int]:
        sums = SizeSums()
        for number in range(len(self.build)):
            script = self.build.script(number)
            if script is not None and script.assembly:
                sums.add(script.assembly.removesuffix(".dll"), 1, 0, 0, self._measure.disk[number])
        return {row.name: row.disk for row in sums.table()}

    # --- contents

    def _laid_out(self, kind: str, name: str) -> dict[str, MeasuredContent]:
        """Return the assets in something by the layouts, if these tell."""
        found: dict[str, MeasuredContent] = {}
        for layout in self._catalogs.layouts if kind in (BUILD, BUNDLE, FILE, GROUP) else ():
            groups = {without_hash(bundle.name): bundle.group or "" for bundle in layout.bundles}
            for item in assets_of([layout]):
                is_in = {BUILD: "", BUNDLE: item.bundle, FILE: item.bundle, GROUP: groups.get(item.bundle, "")}[kind]
                if is_in == (without_hash(name).rpartition("/")[2] if kind in (BUNDLE, FILE) else name):
                    known = found.get(item.path, MeasuredContent(0))
                    found[item.path] = MeasuredContent(known.size + item.size, -1, (*known.used_by, *item.used_by))
        return found

    def _objects(self, kind: str, name: str, parts: Collection[int]) -> Iterator[tuple[int, int]]:
        """Yield the objects in something, with their bytes there."""
        build, sizes = self.build, self._measure
        if kind in _OF_PARTS:
            for part in sorted(parts):
                # The streamed data of a player's objects is in a file of its own.
                column = sizes.in_file if kind == FILE and build.parts[part].kind == SERIALIZED else sizes.disk
                yield from ((number, column[number]) for number in build.objects_of_part(part))
                if kind == FILE and build.parts[part].kind == RESOURCE:
                    yield from self._streamed(part)
            return
        for number in range(len(build)):
            if kind == TYPE:
                if build.class_name(build.class_ids[number]) == name:
                    yield number, sizes.disk[number]
            else:
                script = build.script(number)
                if script is not None and script.assembly.removesuffix(".dll") == name:
                    yield number, sizes.disk[number]

    def _streamed(self, part: int) -> Iterator[tuple[int, int]]:
        """Yield the objects that have data in a part of resource data."""
        streams = resolve_streams(self.build)
        files = self.build.files
        users = {stream.object for stream in streams if stream.file is not None and files[stream.file].part == part}
        yield from ((number, self._measure.streamed[number]) for number in sorted(users))

    def _parts(self, kind: str, name: str) -> Iterable[int]:
        if kind in (GROUP, LABEL):
            rows = ((row.part, row.labels if kind == LABEL else (row.group,)) for row in self._catalogs.bundles)
            return {part for part, names in rows if part is not None and name in names}
        named = enumerate(part.name for part in self.build.parts)
        if kind == BUILD:
            return [number for number, known in enumerate(self.build.facts) if known.kind not in NOT_SHIPPED]
        return [number for number, own in named if (without_hash(own) if kind == BUNDLE else own) == name]

    def _title(self, number: int) -> str:
        title = self.build.title(number)
        return f"{self.build.class_name(self.build.class_ids[number])}{f' {title}' if title else ''}"

    @cached_property
    def _sources(self) -> Sequence[str]:
        return self._find_sources()

    @cached_property
    def _measure(self) -> Sizes:
        return measure(self.build)

    @cached_property
    def _duplicates(self) -> list[ObjectDuplicate]:
        return find_duplicates(self.build)


def _added(rows: Iterable[tuple[str, int]]) -> dict[str, int]:
    sums: dict[str, int] = {}
    for name, size in rows:
        sums[name] = sums.get(name, 0) + size
    return sums
