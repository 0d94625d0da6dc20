"""The names by which fonts find each other.

A font falls back on the project's other fonts of the families in its meta's ``fontNames``, or of its own family where
that list is empty, and Unity keeps those that were imported before it as references: all 13 of two projects of Unity
5.6. They go by ``timeCreated``, which Unity wrote to metas up to 2017, then by GUIDs, as the files of a package are
ordered: Roboto-Medium.ttf, whose GUID is the smaller one, refers to Roboto-Thin.ttf, imported nine days before. In
later versions the order is not known, and no font is said to refer to another.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from assetdb.unity.patterns import Pattern
from assetdb.unity.yaml.scalars import scalar_at

_COLLECTION: Final = b"ttcf"
_MOST_TABLES: Final = 256
_MOST_NAMES: Final = 4096
_LONGEST: Final = 512  # bytes of a family's name
_FAMILY: Final = (16, 1)  # the typographic family, else the family of four styles
_ENGLISH: Final = 0x409
_WINDOWS: Final = 3
_MACINTOSH: Final = 1
_NAMES: Final = b"\n  fontNames:"
_NAME: Final = Pattern(rb"\n {2,4}- ")
_CREATED: Final = Pattern(rb"^timeCreated: *(\d{1,18})$", multiline=True)


class SoughtFonts(NamedTuple):
    """The families that a font looks for, and its own.

    Attributes:
        families: in lower case, none if the font is unreadable and its meta names none.
        created: ``timeCreated`` of the meta, seconds since 1970, 0 without it.
        own: its family in lower case, ``""`` if unknown.
    """

    families: tuple[str, ...]
    created: int
    own: str


def sought_fonts(meta: bytes, data: bytes) -> SoughtFonts:
    """Return the families of a font.

    Args:
        meta: beside the font.
        data: the font; one that cannot be read has no family.
    """
    meta = meta.replace(b"\r\n", b"\n")
    own = font_family(data).lower()
    names = tuple(name.lower() for name in _font_names(meta)) or ((own,) if own else ())
    created = _CREATED.search(meta)
    return SoughtFonts(names, int(created[1]) if created else 0, own)


def font_family(data: bytes) -> str:
    """Return the family that a TrueType or OpenType font names, or ``""``.

    Of a collection it is the first font's. Layout: OpenType's ``name`` table.
    """
    start = _number(data, 12, 4) if data.startswith(_COLLECTION) else 0
    for row in range(min(_number(data, start + 4, 2), _MOST_TABLES)):
        place = start + 12 + 16 * row
        if data[place : place + 4] == b"name":
            return _family(data, _number(data, place + 8, 4))
    return ""


def _family(data: bytes, table: int) -> str:
    """Return the family of a ``name`` table."""
    texts = table + _number(data, table + 4, 2)
    found: dict[tuple[int, int], str] = {}
    for row in range(min(_number(data, table + 2, 2), _MOST_NAMES)):
        platform, encoding, language, kind, size, offset = (
            _number(data, table + 6 + 12 * row + 2 * column, 2) for column in range(6)
        )
        if kind in _FAMILY and size <= _LONGEST:
            raw = data[texts + offset : texts + offset + size]
            text = _text(raw, platform, encoding)
            is_english = platform == _WINDOWS and language == _ENGLISH
            if text:
                found.setdefault((_FAMILY.index(kind), 0 if is_english else 1), text)
    return found[min(found)] if found else ""


def _text(raw: bytes, platform: int, encoding: int) -> str:
    if platform == _MACINTOSH:
        return raw.decode("ascii", "replace") if encoding == 0 else ""
    return raw.decode("utf-16-be", "replace").strip("\0 ")


def _number(data: bytes, offset: int, size: int) -> int:
    """Return a number, 0 beyond the end."""
    raw = data[offset : offset + size]
    return int.from_bytes(raw, "big") if len(raw) == size else 0


def _font_names(meta: bytes) -> list[str]:
    """Return the items of ``fontNames``."""
    start = meta.find(_NAMES)
    names: list[str] = []
    if start >= 0:
        row = _NAME.match(meta, meta.find(b"\n", start + len(_NAMES)))
        while row and len(names) < _MOST_TABLES:
            names.append(scalar_at(meta, row.end(), 2))
            row = _NAME.match(meta, meta.find(b"\n", row.end()))
    return [name for name in names if name]
