"""The importer of a meta and its tables of sub-assets, where both are written as Unity writes nearly all of them.

For a command that names one object of a model or DLL: ``assetdb.unity.meta`` reads every meta there is, with thirty
patterns whose compilation takes longer than the lookup (12 ms; this 0.2). What is unusual is left to it.
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

    Rows = list[tuple[int, int, bytes]]

_START: Final = b"fileFormatVersion: 2\nguid: "
_GUID_END: Final = len(_START) + 32
_INTERNAL: Final = b"\n  internalIDToNameTable:\n"
_RECYCLED: Final = b"\n  fileIDToRecycleName:\n"
_NEAR: Final = 200  # bytes behind the importer's line in which its tables begin, if it has any
_SPACES: Final = (b"\t", b"\v", b"\f")
_LETTERS: Final = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
_MOST_DIGITS: Final = 19
_MOST_CLASS_DIGITS: Final = 9


def quick_meta(meta: bytes) -> tuple[str, Rows] | None:
    """Return the importer and the rows (fileID, class or 0, name in UTF-8) of its tables, or None on any doubt.

    The rows are those of ``assetdb.unity.meta.sub_asset_names``. Metas of textures are left to it: they have more.
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
    """Return the lines of a table, to the first that is indented by two at most and is no item of a list."""
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
