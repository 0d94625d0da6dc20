"""Names as containers store them, all together, and references to them.

A batch is: u32 n; if n: u32 bytes, u64 algorithm (0xC1640000: CityHash64), n x u64 hash, n x i16 BIG-endian
length, then the characters of all names without terminators. A negative length is UTF-16, ``length + 32768``
units. Engine 4 kept the hashes apart and wrote each name behind its own big-endian length.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final

from assetdb_formats.codecs.city_hash import name_hash
from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.packages.names import check_lengths

if TYPE_CHECKING:
    from assetdb_formats.unreal.reader import Reader

HASH_ALGORITHM: Final = 0xC1640000
# A reference is u32 (2 bits: of the package, the container or the global names; 30 bits: which) and u32 number.
_INDEX: Final = (1 << 30) - 1
_U16: Final = struct.Struct(">H")


class NameBatch:
    """Names and their stored hashes, if stored with them."""

    __slots__ = ("hashes", "names")

    def __init__(self, names: list[str], hashes: tuple[int, ...] = ()) -> None:
        self.names = names
        self.hashes = hashes

    def __len__(self) -> int:
        return len(self.names)

    def resolve(self, index_and_kind: int, number: int, field: str, offset: int) -> str:
        """Return a name with its number (stored N prints as ``_N-1``).

        ``field`` and ``offset`` are for errors.

        Raises:
            UnrealError: the batch has no such name.
        """
        index = index_and_kind & _INDEX
        if index >= len(self.names):
            raise UnrealError(f"refers to name {index} of {len(self.names)}", offset=offset, field=field)
        name = self.names[index]
        return f"{name}_{number - 1}" if number else name

    def wrong_hashes(self) -> list[int]:
        """Return the indices of names that do not match their hash."""
        return [
            index
            for index, (name, stored) in enumerate(zip(self.names, self.hashes, strict=False))
            if name_hash(name) != stored
        ]


def read_batch(reader: Reader, field: str) -> NameBatch:
    """Read a batch of engine 5; the cursor ends behind it."""
    count = reader.u32(field)
    if not count:
        return NameBatch([])
    size = reader.u32(f"{field}.size")
    algorithm = reader.u64(f"{field}.algorithm")
    if algorithm != HASH_ALGORITHM:
        raise reader.error(f"unknown hash algorithm 0x{algorithm:X}", f"{field}.algorithm", offset=reader.position - 8)
    reader.count(count, 10, field)
    hashes = reader.integers("Q", count, f"{field}.hashes")
    lengths = struct.unpack(f">{count}H", reader.view(2 * count, f"{field}.lengths"))
    start = reader.position
    data = reader.take(size, f"{field}.characters")
    names: list[str] = []
    append = names.append
    position = 0
    for length in lengths:
        if length < 0x8000:
            end = position + length
            append(data[position:end].decode("latin-1"))
        else:
            end = position + 2 * (length - 0x8000)
            append(data[position:end].decode("utf-16-le", "replace"))
        position = end
    if position != size:
        raise reader.error(f"names of {position} bytes where {size} are declared", field, offset=start)
    check_lengths(names, start, field)
    return NameBatch(names, hashes)


def read_names_apart(
    data: bytes | memoryview, hashes: bytes | memoryview, *, base: int = 0, hashes_base: int = 0
) -> NameBatch:
    """Read names of engine 4 and their hashes, stored apart.

    Args:
        data: i16 BIG-endian length and characters, name after name.
        hashes: u64 algorithm, then one u64 a name; empty where there are no names.
        base: offset of ``data`` in its file, for errors.
        hashes_base: offset of ``hashes`` in its file.
    """
    field = "names"
    raw = bytes(data)
    if len(hashes) % 8 or (raw and not hashes):
        raise UnrealError(f"{len(hashes)} bytes of hashes are not whole", offset=hashes_base, field=f"{field}.hashes")
    stored = struct.unpack(f"<{len(hashes) // 8}Q", hashes)
    if stored and stored[0] != HASH_ALGORITHM:
        what = f"unknown hash algorithm 0x{stored[0]:X}"
        raise UnrealError(what, offset=hashes_base, field=f"{field}.algorithm")
    names: list[str] = []
    position = 0
    end = len(raw)
    for _ in stored[1:]:
        if position + 2 > end:
            raise UnrealError("is cut short", offset=base + position, field=f"{field}[{len(names)}]")
        length = _U16.unpack_from(raw, position)[0]
        start = position + 2
        wide = length >= 0x8000
        position = start + (2 * (length - 0x8000) if wide else length)
        if position > end:
            raise UnrealError("is cut short", offset=base + start, field=f"{field}[{len(names)}]")
        names.append(
            raw[start:position].decode("utf-16-le", "replace") if wide else raw[start:position].decode("latin-1")
        )
    check_lengths(names, base, field)
    return NameBatch(names, stored[1:])
