"""``Library/metadata/xx/GUID.info``: an asset's shown objects, up to Unity 2019.2.

A header is followed by Unity's text behind ``BaseName:``. ``mainRepresentation`` is the main object and
``representations`` are the objects below it in the project window, each with name, path of the asset,
``localIdentifier`` (its fileID), class number and, of scripts and their objects, the class of the script.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb.doctor.library.comparison import MAIN, SUB, EditorObject
from assetdb.unity.engine.classes import class_name
from assetdb.unity.yaml.scalars import scalar_at
from assetdb_formats.binary import FormatError

if TYPE_CHECKING:
    from collections.abc import Iterator

LARGEST_INFO: Final = 64 << 20
"""Bytes of an ``.info`` file that is read: it has a thumbnail for each object, of 70 kB at most."""
_START: Final = b"BaseName:\n"
_MAIN: Final = b"  mainRepresentation:"
_OTHERS: Final = b"  representations:"
_ITEM: Final = b"  - "
_COLUMN: Final = 4
_MOST_DIGITS: Final = 20
_KEYS: Final = (b"name", b"path", b"localIdentifier", b"thumbnailClassID", b"scriptClassName")


def read_info(data: bytes, guid: str) -> list[EditorObject]:
    """Return the main object of an asset, then the others.

    Raises:
        FormatError: it is none, is cut, or has no fileID where one belongs.
    """
    data = data.replace(b"\r\n", b"\n")
    start = data.find(_START)
    if start < 0:
        raise FormatError("is no .info file: it has no BaseName", offset=0)
    if not data.endswith(b"\n"):
        raise FormatError("is cut: its last line has no end", offset=len(data))
    found = [
        _object(fields, offset, guid, MAIN if is_main else SUB) for fields, offset, is_main in _blocks(data, start)
    ]
    if [item.part for item in found].count(MAIN) != 1 or found[0].part != MAIN:
        raise FormatError("has no main object, or several", offset=start, field="mainRepresentation")
    return found


def _blocks(data: bytes, start: int) -> Iterator[tuple[dict[bytes, str], int, bool]]:
    """Yield each object's fields, offset, and whether it is the main one."""
    fields: dict[bytes, str] = {}
    opened = -1
    inside = is_main = False
    place = start + len(_START)
    while place < len(data):
        end = data.find(b"\n", place)
        line = data[place:end]
        if line[:2] == b"  " and line[2:3] not in (b" ", b"-"):  # a key of BaseName
            if opened >= 0:
                yield fields, opened, is_main
            fields, opened = {}, -1
            is_main = line.startswith(_MAIN)
            inside = is_main or line.startswith(_OTHERS)
            if is_main:
                opened = place
        elif inside and line.startswith(_ITEM):
            if opened >= 0:
                yield fields, opened, is_main
            fields, opened = {}, place
            _take(data, place, line, fields)
        elif opened >= 0 and line[:_COLUMN].isspace() and line[_COLUMN : _COLUMN + 1].isalpha():
            _take(data, place, line, fields)
        place = end + 1
    if opened >= 0:
        yield fields, opened, is_main


def _take(data: bytes, place: int, line: bytes, fields: dict[bytes, str]) -> None:
    """Keep the value of a line with one of the known keys."""
    key, colon, _ = line[_COLUMN:].partition(b":")
    if colon and key in _KEYS and key not in fields:
        fields[key] = scalar_at(data, place + _COLUMN + len(key) + 1, _COLUMN)


def _object(fields: dict[bytes, str], offset: int, guid: str, part: str) -> EditorObject:
    number = _number(fields, b"thumbnailClassID", offset)
    return EditorObject(
        guid=guid,
        path=fields.get(b"path", ""),
        part=part,
        file_id=_number(fields, b"localIdentifier", offset),
        type=class_name(number) or str(number),
        script=fields.get(b"scriptClassName", ""),
        name=fields.get(b"name", ""),
    )


def _number(fields: dict[bytes, str], key: bytes, offset: int) -> int:
    text = fields.get(key, "")
    if len(text) > _MOST_DIGITS or not text.removeprefix("-").isdecimal():
        raise FormatError("has no number", offset=offset, field=key.decode())
    return int(text)
