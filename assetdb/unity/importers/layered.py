"""Sprites that the 2D PSD Importer makes, by fileID.

The meta keeps one list of sprites for each way the file was ever imported (layers, rig, shared rig, mosaic, one sheet),
each row with a name and a ``spriteID``. A sprite's fileID is the hash (``assetdb.unity.engine.file_ids``) of that
spriteID; the prefab of the rig is hashed by ``prefabAssetName``, ``Prefab`` where it has none. Bones and the
GameObjects of layers follow an unknown formula.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assetdb.unity.engine.file_ids import ImportedObject, hashed_id
from assetdb.unity.yaml.scalars import scalar_at

if TYPE_CHECKING:
    from collections.abc import Iterator

# A row begins at column two and its fields at four; bones and outlines in it are deeper.
_LIST: Final = re.compile(rb"\n  (?:s|rigS|sharedRigS|mosaicS|layeredS|multiS|singleS)priteImportData:[ \t]*(?=\n  - )")
_ROW: Final = re.compile(rb"\n(?:  - (name):|    (spriteID):|  ([^\s-]))")
_PREFAB_NAME: Final = re.compile(rb"\n  prefabAssetName:")
_PREFAB: Final = "Prefab"


def layered_objects(meta: bytes) -> dict[int, ImportedObject]:
    """Return sprites and prefab of a layered file, by its meta."""
    meta = meta.replace(b"\r\n", b"\n")
    found: dict[int, ImportedObject] = {}
    for identity, name in _sprites(meta):
        found.setdefault(hashed_id("Sprite", identity), ImportedObject("Sprite", name, certain=True))
    for number in {_PREFAB, *(scalar_at(meta, match.end(), 2) for match in _PREFAB_NAME.finditer(meta))} - {""}:
        found[hashed_id("PrefabInstance", number)] = ImportedObject("PrefabInstance", "", certain=True)
    return found


def _sprites(meta: bytes) -> Iterator[tuple[str, str]]:
    for table in _LIST.finditer(meta):
        name = ""
        for row in _ROW.finditer(meta, table.end()):
            if row[3]:  # the next key of the importer
                break
            if row[1]:
                name = scalar_at(meta, row.end(), 4)
            else:
                identity = scalar_at(meta, row.end(), 4)
                if identity and name:
                    yield identity, name
