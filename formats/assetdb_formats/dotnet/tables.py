"""The tables of managed metadata, with computed row widths.

ECMA-335, part II, 22 (tables), 24.2.6 (``#~``). A schema is a word a column::

    2 4        so many bytes                     S G B    an index into the heap of strings, GUIDs, blobs
    any else   a row of a table by its number in hex, or of one of several (a coded index, of the name given)
"""

from __future__ import annotations

from struct import Struct

from assetdb_formats.binary import FormatError, Reader

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

    from assetdb_formats.dotnet.image import Image, Stream

TYPE_REF: Final = 0x01
TYPE_DEF: Final = 0x02
FIELD: Final = 0x04
METHOD: Final = 0x06
MEMBER_REF: Final = 0x0A
CUSTOM_ATTRIBUTE: Final = 0x0C
TYPE_SPEC: Final = 0x1B
ASSEMBLY: Final = 0x20
ASSEMBLY_REF: Final = 0x23
EXPORTED_TYPE: Final = 0x27
NESTED_CLASS: Final = 0x29
FIELD_POINTER: Final = 0x03

_NAME_LIMIT: Final = 1024  # ECMA-335 leaves it open; the runtimes refuse longer names

_CODED: Final = {
    "TypeDefOrRef": (2, (0x02, 0x01, 0x1B)),
    "HasConstant": (2, (0x04, 0x08, 0x17)),
    "HasCustomAttribute": (
        5,
        (
            *(0x06, 0x04, 0x01, 0x02, 0x08, 0x09, 0x0A, 0x00, 0x0E, 0x17, 0x14),
            *(0x11, 0x1A, 0x1B, 0x20, 0x23, 0x26, 0x27, 0x28, 0x2A, 0x2C, 0x2B),
        ),
    ),
    "HasFieldMarshal": (1, (0x04, 0x08)),
    "HasDeclSecurity": (2, (0x02, 0x06, 0x20)),
    "MemberRefParent": (3, (0x02, 0x01, 0x1A, 0x06, 0x1B)),
    "HasSemantics": (1, (0x14, 0x17)),
    "MethodDefOrRef": (1, (0x06, 0x0A)),
    "MemberForwarded": (1, (0x04, 0x06)),
    "Implementation": (2, (0x26, 0x23, 0x27)),
    "CustomAttributeType": (3, (-1, -1, 0x06, 0x0A)),
    "ResolutionScope": (2, (0x00, 0x1A, 0x23, 0x01)),
    "TypeOrMethodDef": (1, (0x02, 0x06)),
}
_SCHEMAS: Final = {
    0x00: "2 S G G G",
    0x01: "ResolutionScope S S",
    0x02: "4 S S TypeDefOrRef 04 06",
    0x03: "04",
    0x04: "2 S B",
    0x05: "06",
    0x06: "4 2 2 S B 08",
    0x07: "08",
    0x08: "2 2 S",
    0x09: "02 TypeDefOrRef",
    0x0A: "MemberRefParent S B",
    0x0B: "2 HasConstant B",
    0x0C: "HasCustomAttribute CustomAttributeType B",
    0x0D: "HasFieldMarshal B",
    0x0E: "2 HasDeclSecurity B",
    0x0F: "2 4 02",
    0x10: "4 04",
    0x11: "B",
    0x12: "02 14",
    0x13: "14",
    0x14: "2 S TypeDefOrRef",
    0x15: "02 17",
    0x16: "17",
    0x17: "2 S B",
    0x18: "2 06 HasSemantics",
    0x19: "02 MethodDefOrRef MethodDefOrRef",
    0x1A: "S",
    0x1B: "B",
    0x1C: "2 MemberForwarded S 1A",
    0x1D: "4 04",
    0x1E: "4 4",
    0x1F: "4",
    0x20: "4 2 2 2 2 4 B S S",
    0x21: "4",
    0x22: "4 4 4",
    0x23: "2 2 2 2 4 B S S B",
    0x24: "4 23",
    0x25: "4 4 4 23",
    0x26: "4 S B",
    0x27: "4 4 S S Implementation",
    0x28: "4 4 S Implementation",
    0x29: "02 02",
    0x2A: "2 2 TypeOrMethodDef S",
    0x2B: "MethodDefOrRef B",
    0x2C: "2A TypeDefOrRef",
}
# Where pointers of an unoptimized stream (#-) stand between a row and what it lists: FieldPtr, MethodPtr, ...
_POINTERS: Final = {0x04: 0x03, 0x06: 0x05, 0x08: 0x07, 0x14: 0x13, 0x17: 0x16}


class Tables:
    """The metadata tables of a managed DLL.

    Rows are numbered from 1, as references count them.

    Attributes:
        counts: rows of each table that is there.
    """

    def __init__(self, data: bytes, image: Image) -> None:
        """Read the row counts; tables are decoded on demand."""
        stream = image.tables
        self._data = data
        self._end = stream.end
        self._strings = _Strings(data, image.strings)
        self._blobs = image.streams.get(b"#Blob")
        reader = Reader(data, stream.start, stream.end)
        reader.need(6, "tables.version")
        heaps = reader.u8("tables.heaps")
        reader.need(1, "tables.reserved")
        valid = reader.u64("tables.valid")
        reader.need(8, "tables.sorted")
        self.counts = {table: reader.u32(f"tables.rows[{table:#x}]") for table in range(64) if valid >> table & 1}
        if heaps & 0x40:
            reader.need(4, "tables.extra")
        self._heaps = {"S": 4 if heaps & 1 else 2, "G": 4 if heaps & 2 else 2, "B": 4 if heaps & 4 else 2}
        self._starts: dict[int, int] = {}
        self._rows: dict[int, Struct] = {}
        at = reader.position
        for table, count in self.counts.items():
            if table not in _SCHEMAS:  # of debugging symbols: behind all known tables
                break
            row = self._rows[table] = Struct("<" + "".join(map(self._code, _SCHEMAS[table].split())))
            self._starts[table] = at
            at += row.size * count

    def _code(self, column: str) -> str:
        if column in ("2", "4"):
            return "H" if column == "2" else "I"
        if column in self._heaps:
            return "I" if self._heaps[column] == 4 else "H"
        bits, tables = _CODED.get(column) or (0, (int(column, 16),))
        tables = tuple(_POINTERS[table] if _POINTERS.get(table) in self.counts else table for table in tables)
        most = max(self.counts.get(table, 0) for table in tables)
        return "I" if most >= 1 << (16 - bits) else "H"

    def count(self, table: int) -> int:
        """Return a table's row count, checked against the stream."""
        count = self.counts.get(table, 0)
        if table not in self._starts:
            return 0
        size, left = self._rows[table].size, self._end - self._starts[table]
        if count * size > max(left, 0):
            what = f"counts {count} items of {size} bytes, {max(left, 0)} bytes are left"
            raise FormatError(what, offset=min(self._starts[table], self._end), field=f"tables.rows[{table:#x}]")
        return count

    def rows(self, table: int) -> Iterator[tuple[int, ...]]:
        """Yield all rows of a table. Raises FormatError."""
        count = self.count(table)
        if not count:
            return iter(())
        row, start = self._rows[table], self._starts[table]
        return row.iter_unpack(memoryview(self._data)[start : start + count * row.size])

    def row(self, table: int, number: int) -> tuple[int, ...]:
        """Return a row. Raises FormatError where the table does not have it."""
        count = self.count(table)
        if not 1 <= number <= count:
            raise FormatError(f"row {number} of {count}", offset=self._end, field=f"tables.rows[{table:#x}]")
        row = self._rows[table]
        return row.unpack_from(self._data, self._starts[table] + (number - 1) * row.size)

    def text(self, index: int) -> str:
        """Return a name of the heap of strings. Raises FormatError."""
        return self._strings.at(index)

    def blob(self, index: int) -> bytes:
        """Return a blob. Raises FormatError."""
        heap = self._blobs
        if heap is None or index >= heap.end - heap.start:
            raise FormatError(f"no blob at {index}", offset=self._end, field="metadata.blobs")
        reader = Reader(self._data, heap.start + index, heap.end)
        return reader.take(compressed(reader, "metadata.blobs"), "metadata.blobs")


def full_name(namespace: str, name: str) -> str:
    """Return a type's full name from its namespace and name."""
    return f"{namespace}.{name}" if namespace else name


def compressed(reader: Reader, field: str) -> int:
    """Read a compressed unsigned number (ECMA-335, II.23.2)."""
    first = reader.u8(field)
    if first < 0x80:
        return first
    if first < 0xC0:
        return (first & 0x3F) << 8 | reader.u8(field)
    if first >= 0xE0:
        raise reader.error(f"a number that begins with {first:#x}", field, offset=reader.position - 1)
    return (first & 0x1F) << 24 | int.from_bytes(reader.take(3, field), "big")


def decoded(coded: int, name: str) -> tuple[int, int]:
    """Return table and row of a coded index (-1: unknown table)."""
    bits, tables = _CODED[name]
    tag = coded & (1 << bits) - 1
    return tables[tag] if tag < len(tables) else -1, coded >> bits


class _Strings:
    """The string heap; names that overlap are bounded in total."""

    def __init__(self, data: bytes, stream: Stream) -> None:
        self.data = data
        self.stream = stream
        self.known: dict[int, str] = {}
        self.budget = 4 * (stream.end - stream.start) + 65_536

    def at(self, index: int) -> str:
        known = self.known.get(index)
        if known is not None:
            return known
        start, end = self.stream.start + index, self.stream.end
        stop = self.data.find(b"\0", start, min(end, start + _NAME_LIMIT)) if start < end else -1
        if stop < 0:
            raise FormatError(f"no name at {index} of the strings", offset=self.stream.start, field="tables.name")
        self.budget -= stop - start
        if self.budget < 0:
            raise FormatError("names overlap without end", offset=self.stream.start, field="tables.name")
        name = self.data[start:stop].decode(errors="replace")
        self.known[index] = name
        return name
