"""Ties of objects that Unity's own report or layout names.

A ``ContentLayout.json`` has the paths of the assets that each file was made of, and GUID and fileID of the objects that
are loaded by themselves. Most files are of one asset (a model or texture may have several files); scripts share one: in
UnityDataTools' sample ``LeadingEdgeBuilds`` four of them are in one file.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from assetdb.builds.trace.sources import Source
from assetdb.builds.trace.traced import BUILT_IN, CANDIDATES, EXACT, NONE, REPORT, SCENE, UNIQUE, Traced
from assetdb.unity.engine.builtin import built_in_file

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assetdb.builds.build import Build, BuildFile
    from assetdb.builds.trace.sources import Sources
    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb_formats.unityfs.build_report import PackedObject

MADE: Final = "made by the build"
LAYOUT: Final = "content layout"
"""What ties an object to the asset that a layout names."""
OF_UNITY: Final = ("Resources/", "Library/")
"""Beginnings of paths of Unity's own files."""


def as_reported(found: Traced, row: PackedObject, project: Snapshot) -> Traced:
    """Return the source that a report gives, with a fileID that fits.

    A report has only the asset; the fileID is taken from ``found``, the tie without a report, if it is of this asset.
    """
    if not row.guid:
        return Traced(found.number, NONE, MADE, ())
    if built_in_file(bytes.fromhex(row.guid)):
        return Traced(found.number, BUILT_IN, REPORT, (Source(row.guid, None, row.path),))
    asset = project.assets.by_guid(row.guid)
    file_ids = {source.file_id for source in found.sources if source.guid == row.guid}
    file_id = file_ids.pop() if len(file_ids) == 1 else None
    path = asset.path if asset is not None else row.path
    return Traced(found.number, EXACT, REPORT, (Source(row.guid, file_id, path),))


def by_guid(rows: Mapping[int, PackedObject]) -> dict[str, list[int]]:
    """Return GUID -> objects of an asset, by a report's rows."""
    found: dict[str, list[int]] = {}
    for number, row in rows.items():
        found.setdefault(row.guid, []).append(number)
    return found


class ContentSources:
    """The assets that files of content directories were made of."""

    def __init__(self, build: Build, sources: Sources) -> None:
        """Take a build and the project's sources."""
        self._build = build
        self._sources = sources
        self._of_files: dict[int, dict[str, Source]] = {}
        self._candidates: dict[int, tuple[Source, ...]] = {}

    def has(self, number: int) -> bool:
        """Whether a layout names the sources of an object's file."""
        return bool(self._known(self._build.file_of(number)))

    def numbers(self, guid: str) -> list[int]:
        """Return the objects in the files that were made of an asset."""
        return self._by_guid.get(guid, []) if guid else []

    def told(self, found: Traced) -> Traced:
        """Return an object's source by a layout, if there is one.

        The fileID, and which of several assets it is, is taken from ``found``, the tie without a layout.
        """
        build = self._build
        file = build.files[build.file_of(found.number)]
        known = self._known(file.number)
        if not known:
            return found
        loadable = build.content_names.loadable(file.facts.name, build.path_ids[found.number])
        if loadable is not None:
            path = self._sources.path_of(loadable.guid) or loadable.path
            own = Source(loadable.guid, loadable.file_id, path)
            certainty = BUILT_IN if built_in_file(bytes.fromhex(loadable.guid)) else EXACT
            return Traced(found.number, certainty, LAYOUT, (own,))
        mine = tuple(source for source in found.sources if source.path in known)
        if len(known) == 1:
            (own,) = known.values()
            if found.certainty in (EXACT, SCENE) and mine:
                return found
            if not own.guid and own.path.startswith(OF_UNITY):
                return Traced(found.number, BUILT_IN, LAYOUT, (own,))
            file_ids = {source.file_id for source in mine}
            file_id = file_ids.pop() if len(file_ids) == 1 else None
            certainty = EXACT if build.content_names.guid(next(iter(self._paths(file)))) else UNIQUE
            return Traced(found.number, certainty, LAYOUT, (own._replace(file_id=file_id),))
        if len({source.path for source in mine}) == 1:
            source = mine[0] if len(mine) == 1 else mine[0]._replace(file_id=None)
            certainty = EXACT if found.certainty == EXACT else UNIQUE
            return Traced(found.number, certainty, f"{LAYOUT}, {found.by}", (source,))
        if file.number not in self._candidates:  # one for all objects of a file
            self._candidates[file.number] = tuple(known.values())
        return Traced(found.number, CANDIDATES, LAYOUT, mine or self._candidates[file.number])

    def _known(self, file: int) -> dict[str, Source]:
        """Return the assets that a file was made of, by path."""
        if not self._build.content_names.has_sources:
            return {}
        if file not in self._of_files:
            found = map(self._source, self._paths(self._build.files[file]))
            self._of_files[file] = {source.path: source for source in found}
        return self._of_files[file]

    def _source(self, path: str) -> Source:
        """Return the asset of a path, by GUID if known."""
        guid = self._build.content_names.guid(path)
        if guid:
            return Source(guid, None, self._sources.path_of(guid) or path)
        asset = self._sources.by_path.get(path.casefold())
        return Source("", None, path) if asset is None else Source(asset.guid, None, asset.path)

    @cached_property
    def _by_guid(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for file in self._build.files:
            for guid in {source.guid for source in self._known(file.number).values()} - {""}:
                found.setdefault(guid, []).extend(file.numbers)
        return found

    def _paths(self, file: BuildFile) -> tuple[str, ...]:
        return self._build.content_names.sources(file.facts.name)
