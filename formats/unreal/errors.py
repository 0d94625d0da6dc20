"""What stands between intact data and its reader: a key, or an optional decompressor."""

from __future__ import annotations

from formats.binary import FormatError


class MissingKeyError(FormatError):
    """The data is encrypted and no key, or not the right one, was given."""


class MissingExtraError(FormatError):
    """The data needs an optional part that is not installed; the message says which."""
