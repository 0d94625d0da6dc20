"""Entries of an ``asset-db.bin``, with sub-assets on demand.

Most questions are about an asset's name, type and path, and do not need the 576 sprites of a sheet. Imports nothing
that would delay a one-shot command.
"""

from __future__ import annotations

# The class of collections.abc; importing that takes a tenth of a bare start, and `assetdb name` needs nothing of it.
from _collections_abc import Sequence

from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final, Protocol, overload

    from assetdb_formats.binary import FormatError

SMALL: Final = 251  # bytes from here on give the width of the following integer
_BIG: Final = 0xFE  # 16 bytes follow
_SCRIPTED: Final = 114
# Size of an integer by its first byte; 255 is invalid. Not a literal of 256, which takes the compiler minutes.
WIDTHS: Final[Sequence[int]] = (*(1,) * SMALL, 3, 5, 9, 17, 1 << 62)
_NO_HEAD: Final = bytes(3)  # GUID, kind of type, and class of nothing
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
        class_id: Unity's class number; 114 if a script is the type.
        script: GUID of the script that is the type, or ``""``.
        name: unique among the assets of its type.
        sub_assets: by fileID; equal to a tuple of the same rows, and decoded on first access.
        path: relative to the project, with ``/``.
    """

    guid: str
    class_id: int
    script: str
    name: str
    sub_assets: Sequence[SubAsset]
    path: str


if TYPE_CHECKING:

    class AssetLookup(Protocol):
        """A database, or a part of one, that has assets by GUID."""

        def by_guid(self, guid: str) -> Asset | None:
            """Return the asset with a GUID (32 lower-case hex digits), or None."""

    class GuidLookup(AssetLookup, Protocol):
        """A database, or a part of one, that has folders, too."""

        def folder(self, guid: str) -> str | None:
            """Return the path of the folder with a GUID, or None."""


class SubAssets(Sequence[SubAsset] if TYPE_CHECKING else Sequence):  # type: ignore[misc]
    """The rows of one entry, decoded on first use."""

    __slots__ = ("_count", "_rows")

    def __init__(self, rows: bytes, count: int) -> None:
        """Take encoded, validated rows and their number."""
        self._rows: bytes | tuple[SubAsset, ...] = rows  # until they are decoded
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
            position = 0
            made = []
            for _ in range(self._count):
                zigzag, position = read_integer(rows, position)
                class_id, position = read_integer(rows, position)
                length, position = read_integer(rows, position)
                end = position + length
                file_id = zigzag >> 1 if not zigzag & 1 else ~(zigzag >> 1)
                made.append(SubAsset(file_id, class_id, rows[position:end].decode("utf-8", "replace")))
                position = end
            rows = self._rows = tuple(made)
        return rows


def read_entry(data: bytes, start: int, scripts: Sequence[str]) -> tuple[Asset, int]:
    """Read an entry; return it with the position after it.

    Args:
        data: the database, or the entry alone.
        start: where the entry begins.
        scripts: GUIDs (hex) of the scripts that type numbers refer to.

    Raises:
        FormatError: the bytes there are not an entry.
    """
    field, position = "guid", start
    try:
        if data[start] == _BIG:
            guid = data[start + 16 : start : -1].hex()
            position = start + 17
        else:
            value, position = read_integer(data, start)
            guid = f"{value:032x}"
        field = "asset_type"
        kind = data[position]
        number = data[position + 1]
        position += 2
        if number >= SMALL:
            number, position = read_integer(data, position - 1)
        field = "name"
        length = data[position]
        position += 1
        if length >= SMALL:
            length, position = read_integer(data, position - 1)
        after = position + length
        name = data[position:after].decode("utf-8", "replace")
        field, position = "sub_assets", after
        count = data[after]
        position += 1
        if count >= SMALL:
            count, position = read_integer(data, after)
        rows: Sequence[SubAsset] = ()
        if count:
            after = _after_rows(data, position, count)
            rows = SubAssets(data[position:after], count)
            position = after
        field = "hint"
        length = data[position]
        position += 1
        if length >= SMALL:
            length, position = read_integer(data, position - 1)
    except IndexError:
        what = "no integer starts here" if position < len(data) else "the file ends here"
        raise _damaged(what, position, field) from None
    end = position + length
    if end > len(data):
        raise _damaged(f"a text of {length} bytes, {len(data) - position} are left", position, field)
    path = data[position:end].decode("utf-8", "replace")
    if not kind:
        return _make(Asset, (guid, number, "", name, rows, path)), end  # like Asset(...), in half the time
    if kind > 1:
        raise _damaged(f"no asset type {kind}", start, "asset_type")
    if number >= len(scripts):
        raise _damaged(f"script type {number} of {len(scripts)}", start, "asset_type")
    return _make(Asset, (guid, _SCRIPTED, scripts[number], name, rows, path)), end


def read_body(body: bytes) -> Asset:
    """Read name, sub-assets and path, which follow an entry's type.

    Raises:
        FormatError: the bytes there are invalid.
    """
    return read_entry(_NO_HEAD + body, 0, ())[0]


def _damaged(what: str, offset: int, field: str) -> FormatError:
    from assetdb_formats.binary import FormatError  # noqa: PLC0415 - sound databases do without

    return FormatError(what, offset=offset, field=field)


def _after_rows(data: bytes, position: int, count: int) -> int:
    """Return the end of the last row.

    If they are truncated, raises IndexError or returns a position after the entry.
    """
    for _ in range(count):
        position += WIDTHS[data[position]]
        position += WIDTHS[data[position]]
        length = data[position]
        if length < SMALL:
            position += 1 + length
        else:
            length, position = read_integer(data, position)
            position += length
    return position


def read_integer(data: bytes, position: int) -> tuple[int, int]:
    """Read an unsigned integer and return it with the position after it.

    Raises:
        IndexError: there is none.
    """
    first = data[position]
    position += 1
    if first < SMALL:
        return first, position
    end = position + (1 << (first - 250))
    if first > _BIG or end > len(data):
        raise IndexError
    return int.from_bytes(data[position:end], "little"), end
