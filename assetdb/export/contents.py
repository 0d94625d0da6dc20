"""Objects and references of a project, read out of its files.

References are the edges of the graph, each with the places that ``assetdb usages --objects`` finds.
"""

from __future__ import annotations

import os
from contextlib import ExitStack
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.checks.verdicts.processing import share_out
from assetdb.checks.verdicts.reading import read_one
from assetdb.export.edges import assets_of, without_place
from assetdb.export.pieces import Piece
from assetdb.export.tables import ObjectRow, ReferenceRow, bounded
from assetdb.query.graph.references import placed, settings_files
from assetdb.query.graph.relations import component_text
from assetdb.query.graph.verdicts import references
from assetdb.settings.project import asset_file
from assetdb.settings.user import refused_link
from assetdb.unity.binary.opening import as_text
from assetdb.unity.engine.classes import canonical_file_id, unity_number
from assetdb.unity.kinds import (
    DOCUMENTS,
    OTHER,
    PREFAB_MAIN,
    SCRIPT_MAIN,
    SOURCE,
    TEXT_HEAD_BYTES,
    extension_of,
    kind_of,
    main_file_id,
)
from assetdb.unity.yaml.objects import MONO_BEHAVIOUR
from assetdb.unity.yaml.property_path import described

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.store.entry import Asset
    from assetdb.unity.yaml.documents import Document
    from assetdb_formats.processes import Progress

_FEW: Final = 500  # assets that one process reads faster than another starts


class Counts(NamedTuple):
    """How many rows were written."""

    objects: int
    references: int


def write_contents(
    project: Snapshot,
    folder: str,
    tables: Collection[str],
    *,
    workers: int = 1,
    on_progress: Progress = None,
) -> Counts:
    """Write objects and references, if ``tables`` names them, in pieces.

    Raises:
        ScanError: a file cannot be read now.
        OSError: the pieces cannot be written.
    """
    count = len(project.database) + len(project.duplicates)
    parts = workers if count > _FEW else 1

    def part(number: int) -> list[int]:
        reading = _Reading(project, tables)
        with ExitStack() as stack:
            pieces = {table: stack.enter_context(Piece(folder, table, number)) for table in tables}
            for place, (asset, targets) in enumerate(assets_of(project, number, parts)):
                if on_progress is not None and not number:
                    on_progress(place * parts, count)
                reading.read(asset, targets, pieces)
            if not number and "references" in pieces:
                for row in _of_settings(project):
                    pieces["references"].add(row)
        return [pieces[table].count if table in pieces else 0 for table in Counts._fields]

    return Counts(*map(sum, zip(*share_out(part, parts), strict=True)))


class _Reading:
    """The reading of assets by one process."""

    def __init__(self, project: Snapshot, tables: Collection[str]) -> None:
        self._project = project
        self._types: dict[tuple[int, str, int], str] = {}
        self._with_objects = "objects" in tables
        self._with_references = "references" in tables

    def read(self, asset: Asset, targets: Collection[str], pieces: Mapping[str, Piece]) -> None:
        """Add the rows of an asset."""
        content = kind_of(extension_of(asset.path)).content
        holds_documents = content in (DOCUMENTS, SOURCE, "")
        is_wanted = (self._with_objects and holds_documents) or (self._with_references and targets)
        data = self._bytes(asset.path) if is_wanted and content != OTHER else None
        if self._with_objects:
            text = as_text(data) if data and holds_documents else b""
            documents = list(described(text)) if _is_text(text) else []
            for row in self._documents(asset, documents) if documents else self._parts(asset):
                pieces["objects"].add(row)
        if self._with_references and targets:
            for reference in self._references(asset, data, targets):
                pieces["references"].add(reference)

    def _bytes(self, path: str) -> bytes | None:
        if refused_link(asset_file(self._project.root, path), self._project.root):
            return None
        return read_one(self._project.root, os.fsencode(path))

    def _documents(self, asset: Asset, documents: Iterable[tuple[Document, str, str, int]]) -> Iterator[ObjectRow]:
        for document, name, script, script_id in documents:
            if document.file_id == bounded(document.file_id):
                own = script if document.class_id == MONO_BEHAVIOUR else ""
                kind = self._type(document.class_id, own, script_id)
                yield ObjectRow(
                    asset.guid, asset.path, document.file_id, document.class_id, kind, own, name, document.stripped
                )

    def _parts(self, asset: Asset) -> Iterator[ObjectRow]:
        """Yield the imported objects that the database has."""
        main = main_file_id(extension_of(asset.path))
        if asset.script or main in (None, PREFAB_MAIN):
            main = canonical_file_id(MONO_BEHAVIOUR if asset.script else asset.class_id)
        number = unity_number(asset.class_id)
        kind = self._type(asset.class_id, asset.script)
        yield ObjectRow(asset.guid, asset.path, main, number, kind, asset.script, asset.name, False)  # noqa: FBT003
        is_shown = not refused_link(asset_file(self._project.root, asset.path), self._project.root)
        for part in asset.sub_assets if is_shown else ():
            if part.file_id != main:
                kind = self._type(part.class_id, "")
                yield ObjectRow(asset.guid, asset.path, part.file_id, part.class_id, kind, "", part.name, False)  # noqa: FBT003

    def _type(self, class_id: int, script: str, script_id: int = SCRIPT_MAIN) -> str:
        key = class_id, script, script_id
        if key not in self._types:
            self._types[key] = component_text(*key, self._project)
        return self._types[key]

    def _references(self, asset: Asset, data: bytes | None, targets: Collection[str]) -> Iterator[ReferenceRow]:
        """Yield the references of an asset (placed in text) and meta."""
        left = set(targets)
        meta = f"{asset.path}.meta"
        for path, content in ((asset.path, data), (meta, self._bytes(meta))):
            for row in _rows(asset.guid, path, content or b"", targets):
                left.discard(row.target)
                yield row
        for guid in sorted(left):
            yield without_place(asset, guid)


def _rows(asset: str, path: str, data: bytes, targets: Iterable[str]) -> Iterator[ReferenceRow]:
    for found, place in placed(data, path, map(str.encode, targets)):
        number = found.file_id
        yield ReferenceRow(
            asset,
            path,
            place.line,
            bounded(place.file_id),
            place.path,
            place.override,
            found.guid.decode(),
            number if number is not None and number == bounded(number) else None,
        )


def _of_settings(project: Snapshot) -> Iterator[ReferenceRow]:
    """Yield the references of ``ProjectSettings/``, which are no assets."""
    for path in settings_files(project.root):
        data = project.read(path) or b""
        guids = set()
        for guid, _, _, is_candidate, _ in references(data, path.rpartition(".")[2]):
            if not is_candidate or _has(project, guid.decode()):
                guids.add(guid.decode())
        yield from _rows("", path, data, sorted(guids))


def _has(project: Snapshot, guid: str) -> bool:
    return project.assets.by_guid(guid) is not None or project.assets.folder(guid) is not None


def _is_text(data: bytes) -> bool:
    return b"\0" not in data[:TEXT_HEAD_BYTES]
