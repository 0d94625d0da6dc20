"""Objects of a SpeedTree (``.spm``, ``.st``) by fileID.

Metas of most trees have a table, whose row ``//RootNode`` is the root. A tree without one has its objects numbered by
class in the order of their names: in Broadleaf_Desktop.spm the root is 100000, its billboard 100002 and its levels of
detail 100004 to 100008, then its colliders follow; in Palm_Desktop.spm the colliders come first. Only the file, in a
format of its own, has their number, so GameObjects are named only where they sort in front of ``CollisionObject2``,
which follows ``CollisionObject10``.
"""

from __future__ import annotations

from assetdb.unity.engine.file_ids import ImportedObject
from assetdb.unity.patterns import Pattern

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

    from assetdb.unity.facts import SubAsset

_ROOT: Final = b"//RootNode"
_COLLIDER: Final = "CollisionObject"
_BILLBOARD: Final = b"\n  hasBillboard: 1\n"
_LEVELS: Final = b"\n  lODSettings:\n"
_LEVEL: Final = b"\n  - height: "
_KEY: Final = Pattern(rb"\n  [a-zA-Z]")
_MOST: Final = 8  # levels of detail that Unity allows, the billboard among them
_FIRST: Final = {"GameObject": 100000, "Mesh": 4300000, "BillboardAsset": 22600000}


def tree_objects(meta: bytes, rows: Iterable[SubAsset], stem: str) -> dict[int, ImportedObject]:
    """Return the objects of a tree that can be named, by fileID.

    Args:
        meta: of the tree.
        rows: of the meta's tables.
        stem: the file's name without extension.
    """
    from assetdb.unity.engine.classes import class_name  # noqa: PLC0415 - trees without a table do without

    found = {
        file_id: ImportedObject(
            class_name(number) if number else "",
            "" if name == _ROOT else name.decode("utf-8", "replace"),
            certain=True,
        )
        for file_id, number, name in rows
    }
    return found or {
        _FIRST[kind] + 2 * place: ImportedObject(kind, "" if name == stem else name, not name.startswith(_COLLIDER))
        for kind, names in _names(meta.replace(b"\r\n", b"\n"), stem).items()
        for place, name in enumerate(sorted(names))
    }


def _names(meta: bytes, stem: str) -> dict[str, list[str]]:
    """Return the known names of a tree's objects by class."""
    start = meta.find(_LEVELS)
    if start < 0:
        return {}
    end = _KEY.search(meta, start + len(_LEVELS))
    count = meta.count(_LEVEL, start, end.start() if end else len(meta))
    billboards = [f"{stem}_Billboard"] if _BILLBOARD in meta else []
    levels = [f"{stem}_LOD{level}" for level in range(min(count, _MOST) - len(billboards))]
    known = {"Mesh": levels, "BillboardAsset": billboards}
    # Whether Unity compares their case is not known.
    if stem < _COLLIDER and stem.lower() < _COLLIDER.lower():
        known["GameObject"] = [stem, *billboards, *levels, f"{_COLLIDER}0", f"{_COLLIDER}1"]
    return known
