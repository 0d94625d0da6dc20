"""Symbol kinds of assets and objects: the icons beside them."""

from __future__ import annotations

from typing import Final

FILE: Final = 1
MODULE: Final = 2
PACKAGE: Final = 4
CLASS: Final = 5
METHOD: Final = 6
PROPERTY: Final = 7
OBJECT: Final = 19
STRUCT: Final = 23

KINDS: Final = {
    "GameObject": OBJECT,
    "MonoScript": CLASS,
    "MonoBehaviour": CLASS,
    "Prefab": MODULE,
    "PrefabInstance": MODULE,
    "SceneAsset": MODULE,
    "Folder": PACKAGE,
}
"""By the type of an asset or object; any other asset is a FILE, any other object a STRUCT."""
