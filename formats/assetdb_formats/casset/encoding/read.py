"""Detection of a ``.casset`` file's format, and reading it whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb_formats.casset.encoding import bundle2, bundle3, text
from assetdb_formats.casset.errors import CassetError, UnsupportedError

if TYPE_CHECKING:
    from assetdb_formats.casset.model import Bundle, Data

MAGIC_SIZE: Final = 8
"""Bytes at the start of a file that :func:`is_casset` wants."""

# Package formats of 2023 and early 2024 that no real file is known of (CPAK: one sample, cut off by its author).
_REFUSED: Final = {
    b"\0CPAK\0\0\n": "a CPAK package of May 2023, a format that was never finished and is not read",
    b"\0PACK\0\0\n": "a PACK package (July 2023 to May 2024), a format that is not read",
}


def is_casset(start: bytes) -> bool:
    """Whether a file that starts with these bytes is a ``.casset`` of any time, also of one that is not read."""
    return start[:8] in (bundle3.MAGIC, *_REFUSED) or start.startswith(text.MAGIC)


def read_bundle(data: Data) -> Bundle:
    """Read a whole bundle of any format; :class:`CassetError` if it cannot be.

    ``data`` is the file's bytes or a memory map of it; blobs in the result are views of it.
    """
    start = data[:MAGIC_SIZE]
    if start == bundle3.MAGIC:
        return bundle2.read_bundle2(data) if bundle2.is_bundle2(data) else bundle3.read_bundle3(data)
    if start.startswith(text.MAGIC):
        return text.read_text(data[: text.LARGEST + 1])
    raise not_read(start)


def not_read(start: bytes) -> CassetError:
    """Make the error for a file that is none of the formats read here."""
    known = _REFUSED.get(start)
    return UnsupportedError(f"is {known}" if known else "is not a .casset bundle", offset=0, field="magic")
