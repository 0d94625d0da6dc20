"""Lookup of one imported object in its meta.

For a command that names one object. Nearly all metas are written as Unity writes them, and of these nothing is
compiled: ``assetdb.unity.metas.meta``, which reads every meta there is with thirty patterns, takes 12 ms to import,
this 0.2. On any doubt that is asked: one question, and its answer is the same on either path.
"""

from __future__ import annotations

from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

    from assetdb.unity.metas.meta import ImporterFacts, SubAsset

    Rows = list[SubAsset]

_START: Final = b"fileFormatVersion: 2\nguid: "
_GUID_END: Final = len(_START) + 32
_INTERNAL: Final = b"\n  internalIDToNameTable:\n"
_RECYCLED: Final = b"\n  fileIDToRecycleName:\n"
_NEAR: Final = 200  # bytes behind the importer's line in which its tables begin, if it has any
_SPACES: Final = (b"\t", b"\v", b"\f")
_LETTERS: Final = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
_MOST_DIGITS: Final = 19
_MOST_CLASS_DIGITS: Final = 9
SPRITE_MAIN: Final = 21300000
_SHEET: Final = b"\n    sprites:\n"
_SHEET_END: Final = b"\n    outline:"
_ROW: Final = b"\n    - serializedVersion:"
_NAME: Final = b"\n      name: "
_PLAIN: Final = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_PLAIN_INSIDE: Final = _PLAIN | frozenset(b" -.()")


class MetaLookup(NamedTuple):
    """The objects of a meta.

    Attributes:
        importer: ``ModelImporter``, or ``""``.
        rows: fileID, class (0 where the tables do not say it) and name in UTF-8 of each sub-asset.
        facts: all that the slow path found, for importers of which more is asked; None where it was not needed.
    """

    importer: str
    rows: Rows
    facts: ImporterFacts | None


def sub_assets(meta: bytes, *, fast: bool) -> MetaLookup:
    """Return importer and sub-assets of a meta.

    Args:
        meta: the bytes.
        fast: whether importer and rows are enough, so that the fast path may be taken.
    """
    found = _fast_sub_assets(meta) if fast else None
    if found is not None:
        return MetaLookup(*found, None)
    from assetdb.unity.metas.meta import read_meta, sub_asset_names  # noqa: PLC0415 - 12 ms: the slow path

    facts = read_meta(meta)[1]
    return MetaLookup(facts.importer, list(sub_asset_names(facts).values()), facts)


def sprite_name(meta: bytes, stem: str, file_id: int) -> str:
    """Return the name of a sprite, or ``""`` on any doubt.

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
    """Return the first name in a range if it is plain text.

    It ends on its line.
    """
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


def _fast_sub_assets(meta: bytes) -> tuple[str, Rows] | None:
    """Return importer and rows of a meta, None on any doubt.

    A row is fileID, class or 0, name in UTF-8.

    Metas of textures are left to the slow path: they have more.
    """
    if not meta.startswith(_START) or b"\r" in meta or meta[_GUID_END : _GUID_END + 1] != b"\n" or b"<<<<" in meta:
        return None
    end = meta.find(b":\n", _GUID_END)
    name = meta[_GUID_END + 1 : end] if end >= 0 else b""
    usual = name[:1].isupper() and name.endswith(b"Importer") and _LETTERS.issuperset(name)
    if not usual or name == b"TextureImporter":
        return None
    rows: dict[int, tuple[int, int, bytes]] = {}
    for key, read in ((_RECYCLED, _recycled), (_INTERNAL, _internal)):
        table = meta.find(key, end + 1, end + 1 + _NEAR)
        if table >= 0:
            found = read(_table(meta, table + len(key)))
            if found is None:
                return None
            rows.update((row[0], row) for row in found)
    return name.decode("ascii"), list(rows.values())


def _table(meta: bytes, start: int) -> list[bytes]:
    """Return the lines of a table.

    To the first that is indented by two at most and is no item of a list.
    """
    lines = []
    while start < len(meta):
        end = meta.find(b"\n", start)
        line = meta[start:] if end < 0 else meta[start:end]
        text = line.lstrip(b" ")
        if len(line) - len(text) <= 2 and text.strip() and not text.startswith((b"-", *_SPACES)):
            break
        lines.append(line)
        start += len(line) + 1
    return lines


def _recycled(lines: list[bytes]) -> Rows | None:
    rows = []
    for line in lines:
        digits, _, name = line[4:].partition(b": ")
        file_id = _number(digits, _MOST_DIGITS)
        if line[:4] != b"    " or file_id is None or not _is_plain(name):
            return None
        class_id = file_id // 100_000 if 0 < file_id < 100_000 * 10_000 else 0
        rows.append((file_id, class_id, _utf_8(name)))
    return rows


def _internal(lines: list[bytes]) -> Rows | None:
    rows = []
    if len(lines) % 3:
        return None
    for first, numbers, second in zip(lines[::3], lines[1::3], lines[2::3], strict=True):
        digits, _, more = numbers[6:].partition(b": ")
        class_id, file_id = _number(digits, _MOST_CLASS_DIGITS), _number(more, _MOST_DIGITS)
        name = second[12:]
        usual = first == b"  - first:" and numbers[:6] == b"      " and second[:12] == b"    second: "
        if not usual or class_id is None or file_id is None or not _is_plain(name):
            return None
        rows.append((file_id, class_id, _utf_8(name)))
    return rows


def _number(digits: bytes, most: int) -> int | None:
    whole = digits.removeprefix(b"-")
    if not whole.isdigit() or len(whole) > most:
        return None
    number = int(digits)
    return number if -(1 << 63) <= number < 1 << 63 else None


def _is_plain(name: bytes) -> bool:
    return bool(name) and name[:1] not in (b'"', b"'") and b"#" not in name and name.strip() == name


def _utf_8(name: bytes) -> bytes:
    return name.decode("utf-8", "replace").encode()
