"""Objects and references of a project, read out of its files.

References are the edges of the graph, each with the places that ``assetdb usages --objects`` finds.
"""

from __future__ import annotations

import os
from contextlib import ExitStack
from typing import TYPE_CHECKING

from assetdb.checks.verdicts.reading import read_one
from assetdb.export.edges import assets_of, without_place
from assetdb.export.pieces import Piece
from assetdb.export.tables import ObjectRow, ReferenceRow, bounded
from assetdb.query.graph.references import placed, settings_files
from assetdb.query.graph.relations import component_text
from assetdb.query.graph.verdicts import references
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
from assetdb.unity.yaml.property_path import Objects

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from assetdb.export.edges import Share
    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.store.entry import Asset
    from assetdb_formats.processes import Progress


def write_contents(
    project: Snapshot, folder: str, tables: Collection[str], share: Share, on_progress: Progress = None
) -> dict[str, int]:
    """Write objects and references, if ``tables`` names them; count rows.

    Args:
        project: brought up to date.
        folder: of the pieces.
        tables: the wanted ones.
        share: of this process; the first one writes the references of settings, too.
        on_progress: called by the first one, with the assets of all.

    Raises:
        ScanError: a file cannot be read now.
        OSError: the pieces cannot be written.
    """
    count = len(project.database) + len(project.duplicates)
    reading = _Reading(project, tables)
    with ExitStack() as stack:
        pieces = {table: stack.enter_context(Piece(folder, table, share.number)) for table in tables}
        for place, (asset, targets) in enumerate(assets_of(project, share, scattered=True)):
            if on_progress is not None and not share.number:
                on_progress(place * share.parts, count)
            reading.read(asset, targets, pieces)
        if not share.number and "references" in pieces:
            for row in _of_settings(project):
                pieces["references"].add(row)
    return {table: piece.count for table, piece in pieces.items()}


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
        text = as_text(data) if data and holds_documents else b""
        objects = Objects(text) if text and _is_text(text) else None
        if self._with_objects:
            for row in self._documents(asset, objects) if objects and objects.documents else self._parts(asset):
                pieces["objects"].add(row)
        if self._with_references and targets:
            for reference in self._references(asset, data, targets, objects):
                pieces["references"].add(reference)

    def _bytes(self, path: str) -> bytes | None:
        root, place = self._project.root, self._project.file_of(path)
        return None if refused_link(place, root) else read_one(root, os.fsencode(path), place=place)

    def _meta(self, path: str) -> bytes | None:
        """Return a meta, which the reader of assets takes for no text."""
        return None if refused_link(self._project.file_of(path), self._project.root) else self._project.read(path)

    def _documents(self, asset: Asset, objects: Objects) -> Iterator[ObjectRow]:
        for number, document in enumerate(objects.documents):
            if document.file_id == bounded(document.file_id):
                name, script, script_id = objects.described(number)
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
        parts = asset.sub_assets
        if parts and refused_link(self._project.file_of(asset.path), self._project.root):
            return
        for part in parts:
            if part.file_id != main:
                kind = self._type(part.class_id, "")
                yield ObjectRow(asset.guid, asset.path, part.file_id, part.class_id, kind, "", part.name, False)  # noqa: FBT003

    def _type(self, class_id: int, script: str, script_id: int = SCRIPT_MAIN) -> str:
        key = class_id, script, script_id
        if key not in self._types:
            self._types[key] = component_text(*key, self._project)
        return self._types[key]

    def _references(
        self, asset: Asset, data: bytes | None, targets: Collection[str], objects: Objects | None
    ) -> Iterator[ReferenceRow]:
        """Yield the references of an asset (placed in text) and meta."""
        left = set(targets)
        meta = f"{asset.path}.meta"
        for path, content, known in ((asset.path, data, objects), (meta, self._meta(meta), None)):
            for row in _rows(asset.guid, path, content or b"", targets, known):
                left.discard(row.target)
                yield row
        for guid in sorted(left):
            yield without_place(asset, guid)


def _rows(
    asset: str, path: str, data: bytes, targets: Iterable[str], objects: Objects | None = None
) -> Iterator[ReferenceRow]:
    for found, place in placed(data, path, map(str.encode, targets), objects):
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
