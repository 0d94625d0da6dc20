"""Sprites that two atlases of a build pack."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

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


_Sources: TypeAlias = dict[str, dict[str, dict[int, _Row]]]
"""Rows by the path of what they pack, the path of the atlas, and fileID."""


def find_twice(project: View) -> Iterator[Finding]:
    """Yield rows of an atlas that another one packs, too.

    Unity takes the first atlas that it finds, and says that the sprite matches more than one (NineChronicles, issue
    6600). A build with both has the pixels twice.
    """
    forms = [list(project.database.ending(extension)) for extension in ATLASES]
    forms = [atlases for atlases in forms if len(atlases) > 1]  # Unity packs one of them, and migrates the other
    if forms and packs_sprites(project.read(EDITOR_SETTINGS) or b""):
        for atlases in forms:
            yield from _of_form(project, atlases)


def _of_form(project: View, atlases: list[Asset]) -> Iterator[Finding]:
    """Yield rows that two atlases of one form pack."""
    rows = [row for asset in sorted(atlases, key=lambda each: each.path) for row in _rows(project, asset)]
    packed: _Sources = defaultdict(lambda: defaultdict(dict))
    for row in rows:
        packed[row.source][row.path].setdefault(row.packed.file_id, row)
    found: dict[str, list[tuple[_Row, _Row]]] = defaultdict(list)
    for row in rows:
        other = _other(row, packed)
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


def _other(row: _Row, packed: _Sources) -> _Row | None:
    """Return a row of another atlas that packs a row, too.

    Of two equal rows the second is told. They are found by atlas and fileID, not by looking through all rows: an atlas
    may have thousands of sprites of one texture.
    """
    for place in folder_and_parents(row.source):
        for path, by_id in packed[place].items() if place in packed else ():
            if place != row.source and path != row.path:
                return next(iter(by_id.values()))
            if place == row.source and path < row.path:
                ids = by_id if row.packed.file_id in _WHOLE else (row.packed.file_id, *_WHOLE)
                other = next((by_id[file_id] for file_id in ids if file_id in by_id), None)
                if other is not None:
                    return other
    return None
