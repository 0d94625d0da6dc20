"""What stands between data and its reader: a key, an optional decompressor, a file, or the data's own malice."""

from __future__ import annotations

from typing import Final

from formats.binary import FormatError
from formats.extras import MissingExtraError


class MissingKeyError(FormatError):
    """The data is encrypted and no key, or not the right one, was given."""


class MissingPartError(FormatError):
    """A file that holds part of the data is not there."""


class OverlapError(FormatError):
    """Chunks or files share their bytes so much that reading all of them takes the square of the file."""


FOR_ALL: Final = (MissingKeyError, MissingExtraError, MissingPartError, OverlapError)
"""Errors that many chunks have for one reason: said once, with their number."""


def reason_of(error: FormatError) -> str:
    """Return what is wrong without the chunk or block, which differ."""
    return f"{error.path}: {error.what}" if error.path else error.what
