"""The imports in the editor's ``Library`` of a project.

Nothing is written or locked there. Imports of another state of the project are left out and counted: imports of assets
that are gone, and imports that are older than their files.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.doctor.library.artifact_db import read_artifacts
from assetdb.doctor.library.comparison import INNER, MAIN, SUB, EditorObject, EditorReference
from assetdb.doctor.library.imported_files import read_imported
from assetdb.doctor.library.info_files import LARGEST_INFO, read_info
from assetdb.errors import FileError
from assetdb.system.reading import open_regular, read_small
from assetdb.unity.binary.opening import LARGEST
from assetdb_formats.binary import FormatError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.doctor.library.artifact_db import Artifact
    from assetdb.query.snapshots.snapshot import Snapshot

METADATA: Final = "Library/metadata"
DATABASE: Final = "Library/ArtifactDB"
ARTIFACTS: Final = "Library/Artifacts"
_INFO: Final = re.compile(r"([0-9a-f]{32})\.info")
_STORED: Final = re.compile(r"[0-9a-f]{32}")
_FOLDER: Final = re.compile(r"[0-9a-f]{2}")
# Types with imported files that have inner objects, or references that the text of the asset lacks.
_WITH_CONTENT: Final = ("GameObject", "Font", "Shader", "MonoScript")
_MODEL: Final = "GameObject"
_OF_EDITOR: Final = "0" * 16  # ProjectSettings and built-in resources
_PREVIEW: Final = "Texture2D"


class EditorAsset(NamedTuple):
    """The objects and references of one asset in the editor."""

    objects: list[EditorObject]
    references: list[EditorReference]


_NOTHING: Final = EditorAsset([], [])


class Library:
    """The editor's imports of a project, read once.

    Attributes:
        source: path of the editor's database or metadata in the project; ``""`` if there is neither.
        gone: how many imports are of assets that are gone.
        changed: how many are older than the asset or its meta, or of another path.
        several: how many assets have several imports, so that the valid one is unknown.
        hollow: how many imports have no file with their main object.
        unread: path and problem of each file that cannot be read.
    """

    def __init__(self, project: Snapshot) -> None:
        self._project = project
        self.source = next((path for path in (DATABASE, METADATA) if os.path.lexists(self._file(path))), "")
        self.gone = self.changed = self.several = self.hollow = 0
        self.unread: list[tuple[str, str]] = []

    def assets(self) -> Iterator[EditorAsset]:
        """Yield the assets that are unchanged since their import."""
        if self.source == METADATA:
            yield from self._of_metadata()
        elif self.source:
            yield from self._of_database()

    def _file(self, *path: str) -> str:
        return os.path.join(self._project.root, *path)

    def _of_metadata(self) -> Iterator[EditorAsset]:
        for folder in _names(self._file(METADATA), _FOLDER):
            for name in _names(self._file(METADATA, folder), _INFO):
                guid = name.removesuffix(".info")
                path = f"{METADATA}/{folder}/{name}"
                current = self._current(guid, path)
                if not current:
                    continue
                try:
                    objects = read_info(read_small(self._file(path), LARGEST_INFO), guid)
                except (FormatError, FileError, OSError) as error:
                    self._note(path, error)
                    continue
                if objects[0].path != current:
                    self.changed += 1
                    continue
                yield self._with_content(objects, path.removesuffix(".info"))

    def _with_content(self, objects: list[EditorObject], path: str) -> EditorAsset:
        """Return an asset with the content of its imported file."""
        main = objects[0]
        if main.type not in _WITH_CONTENT or not os.path.lexists(self._file(path)):
            return EditorAsset(objects, [])
        try:
            found = read_imported(read_small(self._file(path), LARGEST), main.guid, main.path)
        except (FormatError, FileError, OSError) as error:
            self._note(path, error)
            return EditorAsset(objects, [])
        if main.type != _MODEL:
            return EditorAsset(objects, found.references)
        is_whole = any(item.type == _MODEL for item in found.objects)  # a prefab of Unity 5 is in its own file alone
        return EditorAsset([*objects, *found.objects], found.references if is_whole else [])

    def _of_database(self) -> Iterator[EditorAsset]:
        stored = {
            name: folder
            for folder in _names(self._file(ARTIFACTS), _FOLDER)
            for name in _names(self._file(ARTIFACTS, folder), _STORED)
        }
        several: dict[str, list[EditorAsset]] = {}
        try:
            with open(open_regular(self._file(DATABASE)), "rb") as file:
                for artifact in read_artifacts(file, stored):
                    current = self._current(artifact.guid, DATABASE)
                    asset = self._imported(artifact, current, stored) if current else _NOTHING
                    if asset.objects and artifact.is_only:
                        yield asset
                    elif asset.objects:
                        several.setdefault(artifact.guid, []).append(asset)
        except (FormatError, FileError, OSError) as error:
            self._note(DATABASE, error)
        for assets in several.values():
            candidates = [asset for asset in assets if asset.objects[0].type != _PREVIEW] or assets
            if len(candidates) == 1:
                yield candidates[0]
            self.several += len(candidates) > 1

    def _imported(self, artifact: Artifact, path: str, stored: dict[str, str]) -> EditorAsset:
        """Return an artifact's objects, the main one first, none without it."""
        rows: dict[int, EditorObject] = {}
        references: list[EditorReference] = []
        sources = [f"{ARTIFACTS}/{stored[name]}/{name}" for name in artifact.names]
        for source, data in (
            ((source, None) for source in sources) if sources else ((DATABASE, file) for file in artifact.files)
        ):
            try:
                content = read_small(self._file(source), LARGEST) if data is None else data
                found = read_imported(content, artifact.guid, path)
            except (FormatError, FileError, OSError) as error:
                self._note(source, error)
                continue
            rows.update((row.file_id, row) for row in found.objects)
            references += found.references
        main = rows.pop(artifact.main, None)
        if main is None:
            self.hollow += 1
            return _NOTHING
        part = INNER if main.type == _MODEL else SUB
        others = [row._replace(part=part) for row in rows.values()]
        return EditorAsset([main._replace(part=MAIN), *others], references if main.type in _WITH_CONTENT else [])

    def _current(self, guid: str, imported: str) -> str:
        """Return the path of an asset unchanged since its import, else ``""``."""
        if guid.startswith(_OF_EDITOR):
            return ""
        location = self._project.resolver.locate(guid)
        if location is None or not location.file or location.absent:
            self.gone += 1
            return ""
        files = (f"{location.file}.meta",) if location.folder else (location.file, f"{location.file}.meta")
        try:
            written = os.stat(self._file(imported)).st_mtime_ns
            if all(os.stat(file).st_mtime_ns <= written for file in files):
                return location.path
        except OSError as error:
            self._note(location.path, error)
            return ""
        self.changed += 1
        return ""

    def _note(self, path: str, error: Exception) -> None:
        self.unread.append((path, (isinstance(error, OSError) and error.strerror) or str(error)))


def _names(folder: str, pattern: re.Pattern[str]) -> list[str]:
    """Return a folder's sorted names of a form, none if unreadable."""
    try:
        return sorted(name for name in os.listdir(folder) if pattern.fullmatch(name))
    except OSError:
        return []
