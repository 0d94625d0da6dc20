"""Sprites that two atlases of a build pack."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.checks.findings.finding import Finding
from assetdb.checks.rules import DUPLICATE_SPRITE
from assetdb.checks.rules.settings import EDITOR_SETTINGS, packs_sprites
from assetdb.memo.facts import Extraction
from assetdb.settings.project import META, folder_and_parents
from assetdb.unity.content.atlases import ATLASES, atlas_of, read_atlas
from assetdb.unity.yaml.property_path import places

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.memo.view import View
    from assetdb.store.entry import Asset
    from assetdb.unity.content.atlases import Packed

_ATLAS: Final = Extraction("sprite atlases", "1", read_atlas, atlas_of)
_WHOLE: Final = (2800000, 102900000)
"""FileIDs of a texture, with all of its sprites, and of a folder."""


class _Row(NamedTuple):
    """A packed folder, texture or sprite.

    Attributes:
        path: of the atlas.
        guid: of the atlas.
        packed: the row.
        source: path of the folder or texture.
    """

    path: str
    guid: str
    packed: Packed
    source: str


def find_twice(project: View) -> Iterator[Finding]:
    """Yield rows of an atlas that another one packs, too.

    Unity takes the first atlas that it finds, and says that the sprite matches more than one (NineChronicles, issue
    6600). A build with both has the pixels twice.
    """
    if packs_sprites(project.read(EDITOR_SETTINGS) or b""):
        for extension in ATLASES:  # Unity packs one of the two forms, and what is left of the other is nothing
            atlases = list(project.database.ending(extension))
            if len(atlases) > 1:
                yield from _of_form(project, atlases)


def _of_form(project: View, atlases: list[Asset]) -> Iterator[Finding]:
    """Yield rows that two atlases of one form pack."""
    rows = [row for asset in sorted(atlases, key=lambda each: each.path) for row in _rows(project, asset)]
    by_source: dict[str, list[_Row]] = defaultdict(list)
    for row in rows:
        by_source[row.source].append(row)
    found: dict[str, list[tuple[_Row, _Row]]] = defaultdict(list)
    for row in rows:
        around = (each for place in folder_and_parents(row.source) for each in by_source.get(place, ()))
        other = next((each for each in around if _overlap(row, each)), None)
        if other is not None:
            found[row.path].append((row, other))
    for path, pairs in found.items():
        where = places(project.read(path) or b"", [row.packed.place for row, _ in pairs])
        for (row, other), place in zip(pairs, where, strict=True):
            within = f" with {other.source}" if other.source != row.source else ""
            said = f"packs {row.source}, which {other.path} packs{within}, too: Unity takes its sprites from either"
            yield Finding.of(
                DUPLICATE_SPRITE, path, said, place.line, "", place.path, row.guid, place.file_id, row.packed.guid
            )


def _rows(project: View, atlas: Asset) -> Iterator[_Row]:
    """Yield the rows of an atlas that builds have."""
    found = project.facts(atlas.path, _ATLAS)
    if not found.packed or not found.is_built or not project.facts(f"{atlas.path}{META}", _ATLAS).is_built:
        return
    for packed in found.packed:
        asset = project.database.by_guid(packed.guid)
        source = asset.path if asset is not None else project.database.folder(packed.guid)
        if source:
            yield _Row(atlas.path, atlas.guid, packed, source)


def _overlap(row: _Row, other: _Row) -> bool:
    """Whether another atlas packs a row, too; equal rows are told once."""
    if row.source != other.source:
        return row.path != other.path
    ids = {row.packed.file_id, other.packed.file_id}
    return other.path < row.path and (len(ids) == 1 or not ids.isdisjoint(_WHOLE))
