"""Symbol kinds of assets and objects: the icons beside them."""

from __future__ import annotations

from typing import Final

FILE: Final = 1
MODULE: Final = 2
PACKAGE: Final = 4
CLASS: Final = 5
PROPERTY: Final = 7
OBJECT: Final = 19
STRUCT: Final = 23

_KINDS: Final = {
    "GameObject": OBJECT,
    "MonoScript": CLASS,
    "MonoBehaviour": CLASS,
    "Prefab": MODULE,
    "PrefabInstance": MODULE,
    "SceneAsset": MODULE,
    "Folder": PACKAGE,
}


def kind_of_type(name: str) -> int:
    """Return the kind for the type of an asset."""
    return _KINDS.get(name, FILE)


def kind_of_object(name: str) -> int:
    """Return the symbol kind of an object's type; by default a component's."""
    return _KINDS.get(name, STRUCT)
