"""The whole tree of errors of Unreal files.

::

    UnrealError                  everything that this package raises on purpose; bytes that are not what they should be
    ├── UnversionedPackageError  a package states no version, and none was given
    ├── MissingKeyError          the data is encrypted
    ├── InvalidKeyError          what was given as a key is none
    ├── MissingExtraError        an optional library is not installed; the message has the command
    ├── MissingPartError         a file that holds part of the data is not there
    ├── OverlapError             parts share their bytes beyond what a sound file does
    └── PackageNotFoundError     no package has a name, or several; carries those that may be meant

An error of the system (a file does not exist, or may not be read) is an ``OSError``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb_formats import extras
from assetdb_formats.binary import FormatError

if TYPE_CHECKING:
    from collections.abc import Sequence

_CANDIDATES: Final = 5


class UnrealError(FormatError):
    """Base class of all errors of Unreal files and questions about them."""


KEY_NEEDED: Final = "is encrypted; a key is needed: parameter key"
"""The message about data without a key; a program replaces it by one about its own options."""


class MissingKeyError(UnrealError):
    """Error of encrypted data without the right key."""

    @classmethod
    def of(cls, guid: bytes, *, offset: int, field: str) -> MissingKeyError:
        """Return the error for data without a given key."""
        return cls(f"{KEY_NEEDED} (key GUID {guid.hex()})", offset=offset, field=field)


class InvalidKeyError(UnrealError):
    """Error of an invalid key."""


class MissingExtraError(UnrealError, extras.MissingExtraError):
    """Error of a missing optional library, with the command to install it."""


class MissingPartError(UnrealError):
    """A file that holds part of the data is not there."""


class OverlapError(UnrealError):
    """Error of chunks or files that share too many bytes."""


class UnversionedPackageError(UnrealError):
    """The package states no version: pass one, or let it be inferred."""


class PackageNotFoundError(UnrealError, LookupError):
    """No package has this name, or several end with it.

    Attributes:
        candidates: the packages that the name may mean; of a misspelt one those that come close.
    """

    candidates: tuple[str, ...] = ()

    def at(self, path: str) -> PackageNotFoundError:
        """Return the same error with the path that was searched."""
        error = type(self)(self.what, offset=self.offset, field=self.field, path=path)
        error.candidates = self.candidates
        return error

    @classmethod
    def of(cls, name: str, ending: Sequence[str], names: Sequence[str]) -> PackageNotFoundError:
        """Return the error; ``ending`` match the name, ``names`` are all."""
        if ending:
            shown = " or ".join(ending[:_CANDIDATES])
            error = cls(f"{name!r} is ambiguous ({len(ending):,} matches): {shown}")
            error.candidates = tuple(ending)
            return error
        from difflib import get_close_matches  # noqa: PLC0415 - only where a name is not found

        leaves = {known.rpartition("/")[2].lower(): known for known in names}
        close = get_close_matches(name.lower().rpartition("/")[2].partition(".")[0], leaves, n=3)
        error = cls(
            f"no package named {name!r}"
            + (f"; did you mean {' or '.join(leaves[leaf] for leaf in close)}?" if close else "")
        )
        error.candidates = tuple(leaves[leaf] for leaf in close)
        return error


FOR_ALL: Final = (MissingKeyError, MissingExtraError, MissingPartError, OverlapError)
"""Errors that many chunks have for one reason: reported once, with their number."""


def reason_of(error: FormatError) -> str:
    """Return an error's reason without the chunk or block."""
    return f"{error.path}: {error.what}" if error.path else error.what


def text_within(error: FormatError, path: str) -> str:
    """Return an error's text without ``path``, which the caller names."""
    return str(error.at("") if error.path == path else error)
