"""``asset-db.bin``, schema 6, as unity-assetdb 0.2.0 reads and writes it."""

from __future__ import annotations

import sys

# The class of collections.abc; importing that takes a tenth of a bare start.
from _collections_abc import Sequence
from io import BytesIO
from itertools import accumulate, chain, islice
from operator import add, eq, ge

from assetdb.errors import DatabaseError
from assetdb.store.entry import SMALL, WIDTHS, read_entry, read_integer
from assetdb.store.files import DATABASE_MAGIC, DATABASE_NAME, SCHEMA
from assetdb_formats.binary import FormatError
from assetdb_formats.codecs import bincode
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from array import array
    from collections.abc import Iterable, Iterator
    from typing import Final, overload

    from assetdb.store.entry import Asset

FILE_NAME: Final = DATABASE_NAME
AT_ONCE: Final = 1 << 15
"""Entries that are objects at a time while they are encoded."""

_HEXADECIMAL_GUID: Final = 32
_GUID: Final = 16
_NUMBER: Final = 8
_EXPONENT: Final = b"\x3f"  # first byte of a positive number, for any other bytes
_LEAST_ENTRY: Final = 6  # GUID, type (2), name, rows, path: one byte each at least
_SMALL_GUID: Final = bytes(8)
_SCHEMA_OF_WATCHMAN: Final = 7  # of the Rust crate after 0.2.0, unreleased


def in_order(guids: bytes) -> tuple[array[int], bytes, bool]:
    """Return positions and GUIDs (packed, 16 bytes) in order, and their uniqueness.

    Python compares floating-point numbers in half the time of text, and text in half the time of bytes: 0.3 s for a
    million, 0.7, and more. After a fixed first byte, any seven bytes are a number, in the order of the bytes. Seven
    bytes nearly always distinguish GUIDs; otherwise all are compared.
    """
    from array import array  # noqa: PLC0415 - with collections it takes 2 ms, which questions do without

    from assetdb.store.indexes.graph import each_guid, halves  # noqa: PLC0415 - the same

    count = len(guids) // _GUID
    words = bytearray(_EXPONENT * (_NUMBER * count))
    for byte in range(1, _NUMBER):
        words[byte::_NUMBER] = guids[byte - 1 :: _GUID]
    numbers = array("d", bytes(words))
    if sys.byteorder == "little":
        numbers.byteswap()
    order = array("I", sorted(range(count), key=numbers.tolist().__getitem__))
    found = _picked(guids, order)
    first_halves = array("Q", halves([found])[0])
    if not any(map(ge, first_halves, islice(first_halves, 1, None))):
        return order, found, True
    order = array("I", sorted(order, key=lambda place: guids[place * _GUID : place * _GUID + _GUID]))
    found = _picked(guids, order)
    return order, found, not any(map(eq, each_guid(found), islice(each_guid(found), 1, None)))


def _picked(guids: bytes, places: Sequence[int]) -> bytes:
    """Return the GUIDs at some places, one after the other."""
    pieces = (places[start : start + AT_ONCE] for start in range(0, len(places), AT_ONCE))
    return b"".join([b"".join([guids[place * _GUID : place * _GUID + _GUID] for place in piece]) for piece in pieces])


def places_of(guids: Iterable[bytes], order: Iterable[int]) -> list[int]:
    """Return the place of each distinct sorted GUID, -1 of repeated ones."""
    places: list[int] = []
    before = b""
    for guid, place in zip(guids, order, strict=True):
        if guid == before:
            places[-1] = -1
        else:
            places.append(place)
            before = guid
    return places


def encode(guids: Sequence[bytes], types: Sequence[bytes], bodies: Iterable[bytes]) -> tuple[bytes, array[int]]:
    """Encode a database; return it with the starts of its parts.

    These are the start of the header, which is 0, of each entry, and the end of the last.

    Args:
        guids: 16 bytes each, distinct and in order.
        types: of each, a class number in decimal or a script's GUID in hex.
        bodies: bincode of name, sub-assets and path of each.
    """
    from array import array  # noqa: PLC0415 - with collections it takes 2 ms, which questions do without

    codes = type_codes(types)
    head = header(filter(is_script, codes), len(guids))
    data = BytesIO()
    data.write(head)
    starts = array("Q", [0, len(head)])
    left = iter(bodies)
    for first in range(0, len(guids), AT_ONCE):
        some = guids[first : first + AT_ONCE]
        prefixes = _prefixes(some, list(map(codes.__getitem__, types[first : first + AT_ONCE])))
        found_bodies = list(islice(left, len(some)))
        sizes = map(add, map(len, prefixes), map(len, found_bodies))
        starts.fromlist(list(accumulate(sizes, initial=starts.pop())))
        data.write(b"".join(chain.from_iterable(zip(prefixes, found_bodies, strict=True))))
    return data.getvalue(), starts


def _prefixes(guids: Sequence[bytes], codes: Sequence[bytes]) -> list[bytes]:
    """Return the beginnings of entries: GUIDs and type codes."""
    # Reversed all at once: an integer of 16 bytes is a marker and the GUID backwards.
    backwards = b"\xfe".join([*guids, b""])[::-1]
    ends = range(len(backwards), 0, -_WIDE)
    prefixes = [backwards[end - _WIDE : end] + code for end, code in zip(ends, codes, strict=True)]
    for row, guid in enumerate(guids):  # numbers under 2**64 take fewer bytes; they sort before all others
        if not guid.startswith(_SMALL_GUID):
            break
        prefixes[row] = bincode.guid(guid) + codes[row]
    return prefixes


def is_script(name: bytes) -> bool:
    """Whether the name of a type is the GUID of a script."""
    return len(name) == _HEXADECIMAL_GUID


def type_codes(types: Iterable[bytes]) -> dict[bytes, bytes]:
    """Return the code of each type; scripts are numbered in order."""
    distinct = set(types)
    codes = {name: b"\0" + bincode.unsigned(int(name)) for name in distinct if not is_script(name)}
    scripts = sorted(filter(is_script, distinct))
    codes.update((name, b"\1" + bincode.unsigned(number)) for number, name in enumerate(scripts))
    return codes


def header(scripts: Iterable[bytes], count: int) -> bytes:
    """Encode the header of ``count`` entries and their types' scripts (hex GUIDs)."""
    ordered = sorted(scripts)
    parts = [DATABASE_MAGIC, bincode.unsigned(SCHEMA), bincode.unsigned(len(ordered))]
    parts += [bincode.guid(bytes.fromhex(name.decode("ascii"))) for name in ordered]
    parts.append(bincode.unsigned(count))
    return b"".join(parts)


_WIDE: Final = 17  # bytes of a GUID of 2**64 and more: a marker and 16


class ScriptGuids(Sequence[str] if TYPE_CHECKING else Sequence):  # type: ignore[misc]
    """GUIDs (hex) of a header, made on demand: 50,000 take 20 ms."""

    __slots__ = ("_packed",)

    def __init__(self, packed: bytes) -> None:
        """Take packed GUIDs, each a marker and the GUID backwards."""
        self._packed = packed

    def __len__(self) -> int:
        return len(self._packed) // _WIDE

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, place: int) -> str: ...
        @overload
        def __getitem__(self, place: slice) -> tuple[str, ...]: ...

    def __getitem__(self, place: int | slice) -> str | tuple[str, ...]:
        if isinstance(place, slice):
            return tuple(self)[place]
        if not 0 <= place < len(self):
            raise IndexError(place)
        return self._packed[place * _WIDE + _WIDE - 1 : place * _WIDE : -1].hex()

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, (ScriptGuids, tuple)) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __iter__(self) -> Iterator[str]:
        backwards = self._packed[::-1].hex()
        return iter([backwards[end - 2 * _WIDE : end - 2] for end in range(len(backwards), 0, -2 * _WIDE)])


class Header(NamedTuple):
    """A header: script GUIDs (hex), entry count, first entry's start."""

    scripts: Sequence[str]
    entry_count: int
    start: int


def read_header(data: bytes | memoryview) -> Header:
    """Read the header.

    Raises:
        DatabaseError: this is not a database, or one of another version.
    """
    if bytes(data[: len(DATABASE_MAGIC)]) != DATABASE_MAGIC:
        raise DatabaseError("not an asset-db.bin: it does not start with UADBIN__")
    try:
        decoder = bincode.Decoder(data, len(DATABASE_MAGIC))
        schema = decoder.unsigned("schema_version")
        if schema != SCHEMA:
            raise DatabaseError(_of_another_schema(schema))
        scripts = _read_scripts(decoder, decoder.count(1, "script_types"))
        count = decoder.count(_LEAST_ENTRY, "entries")
    except FormatError as error:
        raise DatabaseError(str(error)) from error
    return Header(scripts, count, decoder.position)


def _of_another_schema(number: int) -> str:
    """Return the message for an unknown schema.

    The unreleased sources of unity-assetdb write schema 7, whose header holds a token of Watchman before the scripts.
    """
    message = f"schema version {number}, this is {SCHEMA}: bake again (assetdb bake)"
    if number == _SCHEMA_OF_WATCHMAN:
        return f"{message}; a unity-assetdb newer than 0.2.0 wrote this file: give each tool its own folder"
    return message


def _read_scripts(decoder: bincode.Decoder, count: int) -> Sequence[str]:
    """Read GUIDs, one by one only where they differ in width."""
    packed = bytes(decoder.data[decoder.position : decoder.position + _WIDE * count])
    if packed[::_WIDE] != b"\xfe" * count or len(packed) != _WIDE * count:
        return tuple([f"{decoder.unsigned('script_types'):032x}" for _ in range(count)])
    decoder.position += len(packed)
    return ScriptGuids(packed)


def read_entries(data: bytes | memoryview) -> Iterator[Asset]:
    """Decode every entry, and check that nothing follows.

    Raises:
        DatabaseError: the file is damaged, or of another version.
    """
    return (asset for asset, _ in entries_with_ends(data, read_header(data)))


def entries_with_ends(data: bytes | memoryview, header: Header) -> Iterator[tuple[Asset, int]]:
    """Decode every entry, each with its end; see :func:`read_entries`."""
    whole = bytes(data)
    position = header.start
    try:
        for _ in range(header.entry_count):
            asset, position = read_entry(whole, position, header.scripts)
            yield asset, position
    except FormatError as error:
        raise DatabaseError(str(error)) from error
    if position != len(data):
        raise DatabaseError(f"{len(data) - position} bytes follow the last entry, at offset {position}")


def renamed_body(body: bytes, name: bytes | None, rows: dict[bytes, bytes]) -> bytes:
    """Return an entry's body with other names, of rows by ``class:name``.

    For bodies made by :mod:`assetdb.scan.asset`: nothing is checked, a row takes 0.4 us instead of 2.
    """
    length, position = read_integer(body, 0)
    position += length
    parts = [body[:position] if name is None else bincode.string(name)]
    if not rows:
        parts.append(body[position:])
        return b"".join(parts)
    start = position
    count, position = read_integer(body, position)
    for _ in range(count):
        before = position + WIDTHS[body[position]]  # after the fileID
        class_id, after = body[before], before + 1
        if class_id >= SMALL:
            class_id, after = read_integer(body, before)
        length, position = body[after], after + 1
        if length >= SMALL:
            length, position = read_integer(body, after)
        new_name = rows.get(b"%d:%b" % (class_id, body[position : position + length]))
        position += length
        if new_name is not None:
            parts += (body[start:after], bincode.string(new_name))
            start = position
    parts.append(body[start:])
    return b"".join(parts)
