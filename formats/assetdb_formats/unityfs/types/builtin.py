"""Layouts of AssetBundle classes, for bundles without type trees.

They have not changed since Unity 5.3; what follows the last field here is left unread. The tests compare them with
the type trees of real bundles.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from assetdb_formats.unityfs.types.typetree import parse_lines

if TYPE_CHECKING:
    from assetdb_formats.unityfs.types.typetree import TypeTree

_STRING: Final = ("Array Array!", " int size", " char data")
_POINTER: Final = ("int m_FileID", "SInt64 m_PathID")
_ASSET_INFO: Final = ("int preloadIndex", "int preloadSize", "PPtr<Object> asset", *(f" {line}" for line in _POINTER))


def _inner(level: int, lines: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(" " * level + line for line in lines)


_LAYOUTS: Final = {
    142: (
        "AssetBundle Base",
        " string m_Name",
        *_inner(2, _STRING),
        " vector m_PreloadTable",
        "  Array Array!",
        "   int size",
        "   PPtr<Object> data",
        *_inner(4, _POINTER),
        " map m_Container",
        "  Array Array!",
        "   int size",
        "   pair data",
        "    string first",
        *_inner(5, _STRING),
        "    AssetInfo second",
        *_inner(5, _ASSET_INFO),
        " AssetInfo m_MainAsset",
        *_inner(2, _ASSET_INFO),
        " unsigned int m_RuntimeCompatibility",
        " string m_AssetBundleName",
        *_inner(2, _STRING),
        " vector m_Dependencies",
        "  Array Array!",
        "   int size",
        "   string data",
        *_inner(4, _STRING),
        " bool m_IsStreamedSceneAssetBundle",
    ),
    49: ("TextAsset Base", " string m_Name", *_inner(2, _STRING), " string m_Script", *_inner(2, _STRING)),
}


@cache
def builtin_tree(class_id: int) -> TypeTree | None:
    """Return the built-in layout of a class; None for most."""
    lines = _LAYOUTS.get(class_id)
    return None if lines is None else tuple(parse_lines(lines))
