"""Encoded entries of a database, spliced by edits; pure."""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left
from itertools import pairwise

from assetdb.store import schema
from assetdb.store.entry import WIDTHS, read_integer
from assetdb_formats.codecs import bincode
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from assetdb.state.guid_columns import GuidColumns


class Entries(NamedTuple):
    """A database, with the offsets of its entries.

    Attributes:
        data: its bytes.
        guids: of all entries.
        offsets: start of each, and the end of the last.
    """

    data: bytes
    guids: GuidColumns
    offsets: array[int]

    def spliced(self, head: bytes, removed: Collection[bytes], made: Mapping[bytes, bytes]) -> Entries:
        """Return entries with some removed, others added or replaced, in runs."""
        old, data, guids = self.offsets, memoryview(self.data), self.guids
        pieces: list[bytes | memoryview] = [head]
        offsets = array("Q")
        end = len(head)  # of the last copied entry
        row = 0
        added = []
        for guid in sorted({*removed, *made}):
            first, row = row, guids.place(guid, row)
            piece = made.get(guid)
            pieces.append(data[old[first] : old[row]])
            offsets.extend(_shifted(old[first:row], end - old[first]))
            end += old[row] - old[first]
            if piece is not None:
                pieces.append(piece)
                offsets.append(end)
                end += len(piece)
            if row < len(guids) and guids[row] == guid:
                row += 1
            else:
                added.append(guid)
        pieces.append(data[old[row] :])
        offsets.extend(_shifted(old[row:], end - old[row]))
        return Entries(b"".join(pieces), guids.spliced(removed, added), offsets)

    def entry(self, guid: bytes) -> bytes:
        """Return the entry of a GUID, ``b""`` where there is none."""
        row = self.guids.find(guid)
        return self.data[self.offsets[row] : self.offsets[row + 1]] if row is not None else b""


class Types:
    """The types of a database's entries; ``scripts`` are sorted hex GUIDs."""

    def __init__(self, scripts: Iterable[bytes]) -> None:
        """Take GUIDs in any order."""
        self.scripts: Sequence[bytes] = sorted(scripts)

    def code(self, kind: bytes) -> bytes:
        """Return how a type is written."""
        if schema.is_script(kind):
            return b"\1" + bincode.unsigned(bisect_left(self.scripts, kind))
        return b"\0" + bincode.unsigned(int(kind))

    def header(self, count: int) -> bytes:
        """Return the header for a number of entries."""
        return schema.header(self.scripts, count)

    def written_in(self, entries: Entries, before: Sequence[bytes]) -> Entries:
        """Return entries that were written for the scripts ``before``.

        Entries with a removed script are unchanged.
        """
        known = set(self.scripts)
        codes = [self.code(script) if script in known else b"" for script in before]
        data, offsets = bytearray(entries.data), entries.offsets
        wider: dict[bytes, bytes] = {}
        for row, (start, end) in enumerate(pairwise(offsets)):
            kind = start + WIDTHS[data[start]]
            if data[kind] == 1:
                number, after = read_integer(entries.data, kind + 1)
                code = codes[number]
                if len(code) == after - kind:
                    data[kind:after] = code
                elif code:
                    wider[entries.guids[row]] = entries.data[start:kind] + code + entries.data[after:end]
        recoded = entries._replace(data=bytes(data))
        return recoded.spliced(recoded.data[: offsets[0]], (), wider) if wider else recoded


def entry(guid: bytes, code: bytes, body: bytes) -> bytes:
    """Return an entry as it is written."""
    return bincode.guid(guid) + code + body


def renamed(body: bytes, key: bytes, names: dict[bytes, bytes], *, has_rows: bool) -> bytes:
    """Return a body with final names; ``has_rows``: some sub-assets claim names."""
    name = names.get(key)
    return schema.renamed_body(body, name, names if len(names) > (name is not None) or has_rows else {})


def _shifted(starts: array[int], shift: int) -> array[int]:
    """Return shifted starts, as lanes of one integer: 0.3 ms for 63,000."""
    if not starts or not shift:
        return starts
    ones = int.from_bytes((1).to_bytes(8, sys.byteorder) * len(starts), sys.byteorder)
    lanes = int.from_bytes(starts.tobytes(), sys.byteorder) + ones * shift  # no carry between lanes: none is negative
    return array("Q", lanes.to_bytes(len(starts) * 8, sys.byteorder))
