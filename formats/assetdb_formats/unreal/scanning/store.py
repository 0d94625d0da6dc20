"""A database as bytes, column by column, for fast loading.

The file is a private cache. What cannot be read whole and right (other version, other byte order, cut off, changed) is
no database: the caller scans anew.
"""

from __future__ import annotations

import sys
from array import array
from hashlib import blake2b
from typing import Final

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.reader import Reader
from assetdb_formats.unreal.scanning.database import AssetDatabase, Columns

MAGIC: Final = b"ADBUNR\x00\x02"
_SEPARATOR: Final = "\0"
_ARRAYS: Final = (
    ("flags", "B"),
    ("modified", "Q"),
    ("sizes", "Q"),
    ("starts", "I"),
    ("targets", "I"),
    ("redirects", "i"),
)


def encode(database: AssetDatabase, folder: str) -> bytes:
    """Return the bytes of a database of an absolute folder."""
    columns = database.columns
    parts: list[bytes] = []

    def add(block: bytes) -> None:
        parts.append(len(block).to_bytes(8, "little"))
        parts.append(block)

    def add_strings(strings: list[str]) -> None:
        # No name of a file has a NUL; a name out of a damaged package may.
        text = _SEPARATOR.join(string.replace(_SEPARATOR, "\ufffd") for string in strings)
        add(len(strings).to_bytes(8, "little") + text.encode("utf-8", "surrogatepass"))

    add_strings([sys.byteorder, folder])
    add_strings(columns.names)
    add_strings(columns.files)
    classes = sorted(set(columns.classes))
    add_strings(classes)
    places = {name: place for place, name in enumerate(classes)}
    add(array("I", [places[name] for name in columns.classes]).tobytes())
    for name, _ in _ARRAYS:
        add(getattr(columns, name).tobytes())
    add(columns.kinds)
    add_strings([str(number) + "\1" + text for number, text in columns.errors.items()])
    add_strings(
        [
            "\1".join([str(number), *pair])
            for number, pairs in columns.searchable.items()
            for pair in pairs
            if "\1" not in pair[0] + pair[1]
        ]
    )
    body = b"".join(parts)
    return MAGIC + blake2b(body, digest_size=16).digest() + body


def decode(data: bytes, folder: str) -> AssetDatabase:
    """Make a database of its bytes.

    Raises:
        UnrealError: if they are not a database of ``folder``, written by this version on this machine.
    """
    reader = Reader(data)
    if reader.take(len(MAGIC), "magic") != MAGIC:
        raise UnrealError("no database of this version", offset=0, field="magic")
    digest = reader.take(16, "digest")
    if blake2b(memoryview(data)[reader.position :], digest_size=16).digest() != digest:
        raise UnrealError("the bytes were changed", offset=len(MAGIC), field="digest")

    def block() -> bytes:
        return reader.take(reader.u64("block"), "block")

    def strings() -> list[str]:
        whole = block()
        count = int.from_bytes(whole[:8], "little")
        found = whole[8:].decode("utf-8", "surrogatepass").split(_SEPARATOR)
        if count == 0:
            return []
        if len(found) != count:
            raise UnrealError(f"{len(found)} strings instead of {count}", field="strings")
        return found

    def numbers(code: str) -> array[int]:
        found = array(code)
        found.frombytes(block())
        return found

    try:
        if strings() != [sys.byteorder, folder]:
            raise UnrealError("the database of another folder", field="folder")
        names, files, classes = strings(), strings(), strings()
        class_names = [classes[place] for place in numbers("I")]
        arrays = {name: numbers(code) for name, code in _ARRAYS}
        kinds = block()
        errors = {}
        for text in strings():
            number, _, what = text.partition("\1")
            errors[int(number)] = what
        searchable: dict[int, list[tuple[str, str]]] = {}
        for text in strings():
            number, path, name = text.split("\1")
            searchable.setdefault(int(number), []).append((path, name))
    except (ValueError, IndexError) as caught:
        if isinstance(caught, UnrealError):
            raise
        raise UnrealError(str(caught), field="database") from None
    columns = Columns(names, files, class_names, **arrays, kinds=kinds, searchable=searchable, errors=errors)
    _check(columns)
    return AssetDatabase(columns)


def _check(columns: Columns) -> None:
    """Check the columns against each other, once and for all."""
    count = len(columns.files)
    edges = len(columns.targets)
    starts = columns.starts
    fits = (
        len(columns.names) >= count
        and len(columns.classes) == len(columns.flags) == len(columns.modified) == len(columns.sizes) == count
        and len(columns.redirects) == count
        and len(starts) == count + 1
        and starts[0] == 0
        and starts[-1] == edges == len(columns.kinds)
        and max(columns.targets, default=0) < max(len(columns.names), 1)
        and max(columns.redirects, default=-1) < len(columns.names)
    )
    if not fits:
        raise UnrealError("the columns do not fit each other", field="database")
