"""One sprite of a texture by its fileID, out of the meta's bytes: no pattern is compiled, no table built.

The whole tables are read by ``assetdb.unity.meta``, whose import alone takes as long as two bare starts of the
interpreter; a command that names one sprite asks here first. What this cannot tell is asked there.
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

SPRITE_MAIN: Final = 21300000
_SHEET: Final = b"\n    sprites:\n"
_SHEET_END: Final = b"\n    outline:"
_ROW: Final = b"\n    - serializedVersion:"
_NAME: Final = b"\n      name: "
_PLAIN: Final = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_PLAIN_INSIDE: Final = _PLAIN | frozenset(b" -.()")


def sprite_name(meta: bytes, stem: str, file_id: int) -> str:
    """Return the name of a sprite, or ``""`` where this does not surely know it.

    Args:
        meta: the meta of a texture.
        stem: the texture's file name without extension, which a texture that is one sprite is called by.
        file_id: of the sprite; 21300000 is the whole texture, or the first sprite of a sheet.
    """
    mode = meta.find(b"\n  spriteMode: ")
    if mode < 0 or b"\r" in meta or b"\nTextureImporter:\n" not in meta:
        return ""
    kind = meta[mode + 15 : mode + 17]
    if file_id == SPRITE_MAIN and kind in (b"1\n", b"3\n"):
        return stem
    start = meta.find(_SHEET, mode)
    end = meta.find(_SHEET_END, start)
    if start < 0 or end < 0:
        return ""
    if file_id == SPRITE_MAIN:
        return _name_in(meta, start, end) if kind == b"2\n" else ""
    found = meta.find(b"\n      internalID: %d\n" % file_id, start, end + 1)
    row = meta.rfind(_ROW, start, found) if found >= 0 else -1
    return _name_in(meta, row, found) if row >= 0 else ""


def _name_in(meta: bytes, start: int, end: int) -> str:
    """Return the first name between two places if it is plain text that ends on its line."""
    found = meta.find(_NAME, start, end)
    if found < 0:
        return ""
    found += len(_NAME)
    line_end = meta.find(b"\n", found)
    name = meta[found:line_end]
    wrapped = meta.startswith(b"\n       ", line_end)
    if wrapped or not name or name[0] not in _PLAIN or name[-1] not in _PLAIN_INSIDE - {32}:
        return ""
    return name.decode() if _PLAIN_INSIDE.issuperset(name) else ""
