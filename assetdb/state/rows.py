"""Assets one by one, with the names that they claim."""

from __future__ import annotations

from operator import itemgetter

from assetdb.scan.directory import asset_rows
from assetdb.state.columns import sanitized_row
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

    from assetdb.diagnostics import Diagnostic
    from assetdb.scan.directory import DirectoryFacts
    from assetdb.state.columns import Sanitize


class Row(NamedTuple):
    """One asset before names are decided."""

    key: bytes
    body: bytes
    sub_keys: tuple[bytes, ...]
    links: tuple[bytes, bytes]
    problems: tuple[Diagnostic, ...]

    @property
    def type(self) -> bytes:
        """A class number in decimal, or a script's GUID in hex."""
        return type_of(self.key)

    @property
    def claims(self) -> tuple[bytes, ...]:
        """The keys that it claims in the pool of names."""
        return self.key, *self.sub_keys


class PlacedRow(NamedTuple):
    """A row with its asset's path and directory."""

    path: bytes
    home: bytes
    row: Row


PLACE: Final = itemgetter(0, 1)
"""The key by which assets with the same GUID are sorted: their path."""


def rows_in(directory: DirectoryFacts, sanitize: Sanitize | None) -> list[tuple[bytes, Row]]:
    """Return GUID (16 bytes) and row of a directory's assets."""
    return [
        (bytes.fromhex(guid.decode("ascii")), row_of(key, body, sub_keys, (references, candidates), sanitize))
        for guid, key, body, sub_keys, _, references, candidates in asset_rows(directory)
    ]


def row_of(
    key: bytes, body: bytes, sub_keys: tuple[bytes, ...], links: tuple[bytes, bytes], sanitize: Sanitize | None
) -> Row:
    """Return the row of an asset with sanitized names."""
    if sanitize is None:
        return Row(key, body, sub_keys, links, ())
    key, body, sub_keys, problems = sanitized_row(key, body, sub_keys, sanitize)
    return Row(key, body, sub_keys, links, problems)


def type_of(key: bytes) -> bytes:
    """Return the type in a key, ``type:name``."""
    return key[: key.index(b":")]
