"""One entry of an ``asset-db.bin``, with sub-assets on demand.

This is the fast path; ``assetdb.store.schema.read_entry`` is the slow one, which says what is wrong with an entry that
this one refuses. An entry takes 1.4 us here and 5.6 there (unitystation, 1.3 sub-assets each): most
questions are about an asset's name, type and path, and the 576 sprites of a sheet need not be made for them. Imports
nothing that a one-shot command would have to wait for.
"""

from __future__ import annotations

# The class of collections.abc; importing that takes a tenth of a bare start, and `assetdb name` needs nothing of it.
from _collections_abc import Sequence

from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final, overload

SMALL: Final = 251  # bytes from here on say how wide the integer behind them is
_BIG: Final = 0xFE  # 16 bytes follow
_SCRIPTED: Final = 114
# Bytes of an integer, by its first one; 255 begins none. No tuple of 256 to the compiler, which would take minutes.
WIDTHS: Final[Sequence[int]] = (*(1,) * SMALL, 3, 5, 9, 17, 1 << 62)
_make = tuple.__new__


class SubAsset(NamedTuple):
    """An object inside an asset that others refer to by fileID."""

    file_id: int
    class_id: int
    name: str


class Asset(NamedTuple):
    """One entry of the database.

    Attributes:
        guid: 32 hex digits.
        class_id: Unity's class number; 114 where a script gives the type.
        script: GUID of the script that gives the type, or ``""``.
        name: unique among the assets of its type.
        sub_assets: by fileID; equal to a tuple of the same rows, and decoded when it is first looked at.
        path: relative to the project, with ``/``.
    """

    guid: str
    class_id: int
    script: str
    name: str
    sub_assets: Sequence[SubAsset]
    path: str


class SubAssets(Sequence[SubAsset] if TYPE_CHECKING else Sequence):  # type: ignore[misc]
    """The rows of one entry, decoded on first use."""

    __slots__ = ("_count", "_rows", "_start")

    def __init__(self, entry: bytes, start: int, count: int) -> None:
        """Take an entry, and position and number of its rows.

        :func:`decode` has checked them.
        """
        self._rows: bytes | tuple[SubAsset, ...] = entry  # until they are decoded
        self._start = start
        self._count = count

    def __len__(self) -> int:
        return self._count

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, place: int) -> SubAsset: ...
        @overload
        def __getitem__(self, place: slice) -> tuple[SubAsset, ...]: ...

    def __getitem__(self, place: int | slice) -> SubAsset | tuple[SubAsset, ...]:
        return self._decoded()[place]

    def __iter__(self) -> Iterator[SubAsset]:
        return iter(self._decoded())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, SubAssets):
            return self._decoded() == other._decoded()
        return self._decoded() == other if isinstance(other, tuple) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._decoded())

    def __repr__(self) -> str:
        return repr(self._decoded())

    def __add__(self, other: tuple[SubAsset, ...]) -> tuple[SubAsset, ...]:
        return self._decoded() + tuple(other)

    def _decoded(self) -> tuple[SubAsset, ...]:
        rows = self._rows
        if isinstance(rows, bytes):
            entry, position = rows, self._start
            made = []
            for _ in range(self._count):
                zigzag, position = read_integer(entry, position)
                class_id, position = read_integer(entry, position)
                length, position = read_integer(entry, position)
                end = position + length
                file_id = zigzag >> 1 if not zigzag & 1 else ~(zigzag >> 1)
                made.append(SubAsset(file_id, class_id, entry[position:end].decode("utf-8", "replace")))
                position = end
            rows = self._rows = tuple(made)
        return rows


def decode(entry: bytes, guid: bytes, scripts: Sequence[str]) -> Asset | None:
    """Decode a usual entry; return None for any other.

    ``read_entry`` decodes those.

    Args:
        entry: its bytes, no less and no more.
        guid: the 16 bytes that it must be the entry of.
        scripts: GUIDs (hex) of the scripts that types are numbers of.
    """
    try:
        kind = entry[17]
        if entry[0] != _BIG or entry[16:0:-1] != guid or kind > 1:
            return None
        number, position = entry[18], 19
        if number >= SMALL:
            number, position = read_integer(entry, 18)
        length = entry[position]
        start = position + 1
        if length >= SMALL:
            length, start = read_integer(entry, position)
        position = start + length
        name = entry[start:position].decode()
        count = entry[position]
        position += 1
        if count >= SMALL:
            count, position = read_integer(entry, position - 1)
        rows: Sequence[SubAsset] = ()
        if count:
            rows = SubAssets(entry, position, count)
            position = _behind_rows(entry, position, count)
        length = entry[position]
        start = position + 1
        if length >= SMALL:
            length, start = read_integer(entry, position)
        if start + length != len(entry):
            return None
        path = entry[start:].decode()
        # As Asset(...) does, in half the time.
        if kind:
            return _make(Asset, (guid.hex(), _SCRIPTED, scripts[number], name, rows, path))
        return _make(Asset, (guid.hex(), number, "", name, rows, path))
    except (IndexError, UnicodeDecodeError):
        return None


def _behind_rows(entry: bytes, position: int, count: int) -> int:
    """Return the end of the last row.

    Where they are not all there that is an IndexError, or a position behind the entry.
    """
    for _ in range(count):
        position += WIDTHS[entry[position]]
        position += WIDTHS[entry[position]]
        length = entry[position]
        if length < SMALL:
            position += 1 + length
        else:
            length, position = read_integer(entry, position)
            position += length
    return position


def read_integer(entry: bytes, position: int) -> tuple[int, int]:
    """Read an unsigned integer and return it with the place behind it."""
    first = entry[position]
    position += 1
    if first < SMALL:
        return first, position
    end = position + (1 << (first - 250))
    if first > _BIG or end > len(entry):
        raise IndexError
    return int.from_bytes(entry[position:end], "little"), end
