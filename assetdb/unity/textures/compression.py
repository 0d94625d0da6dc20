"""Compression of textures by platform, of the metas that choose it.

Pure: bytes in, facts out.
"""

from __future__ import annotations

from typing import Final

from assetdb.unity.textures.imported import ALL_PLATFORMS, AUTOMATIC, int_of, platform_rows

COMPRESSIONS: Final = ("none", "normal", "high", "low")
"""By their number in a texture's meta."""
COMPRESSED: Final = "compressed"
"""Any compression, in whichever quality."""
DEFAULT: Final = "default"
# Alpha8 to ARGB32, RGB565, R16, RGBA4444, BGRA32, halves and floats, RGB9e5, RG16, R8, RG32, RGB48, RGBA64.
_PLAIN: Final = frozenset((1, 2, 3, 4, 5, 7, 9, 13, 14, *range(15, 21), 22, 62, 63, 72, 73, 74))


def compression_of(meta: bytes, platform: str) -> str:
    """Return the compression of a texture on a platform, ``""`` if unknown.

    Args:
        meta: of the texture.
        platform: as in the meta (``Android``, ``Standalone``), or :data:`DEFAULT`; one without settings of its own has
            the default's.
    """
    rows = {row.get("buildTarget"): row for row in platform_rows(meta)}
    own = rows.get(ALL_PLATFORMS if platform == DEFAULT else platform)
    if own is None or (platform != DEFAULT and own.get("overridden") != 1):
        own = rows.get(ALL_PLATFORMS)
    if own is None:
        return ""
    form, quality = int_of(own, "textureFormat", AUTOMATIC), int_of(own, "textureCompression", AUTOMATIC)
    if form != AUTOMATIC:
        return COMPRESSIONS[0] if form in _PLAIN else COMPRESSED
    return COMPRESSIONS[quality] if 0 <= quality < len(COMPRESSIONS) else ""


def fits(found: str, wanted: str) -> bool:
    """Whether a compression is as wanted.

    A format that is chosen by itself has no quality: it fits every compression.
    """
    if COMPRESSED in (found, wanted):
        return (found == COMPRESSIONS[0]) == (wanted == COMPRESSIONS[0])
    return found == wanted
