"""What stands between intact data and its reader: a key, an optional decompressor, a file."""

from __future__ import annotations

from formats.binary import FormatError


class MissingKeyError(FormatError):
    """The data is encrypted and no key, or not the right one, was given."""


class MissingExtraError(FormatError):
    """The data needs an optional part that is not installed; the message says which."""


class MissingPartError(FormatError):
    """A file that holds part of the data is not there."""
