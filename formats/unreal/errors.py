"""Every error of this family: one tree, whose base is :class:`formats.binary.FormatError`.

Besides these, opening a file raises the OSError that the system gives (a path that is not there, a pipe).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from formats.binary import FormatError
from formats.extras import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Sequence

_CANDIDATES: Final = 5


class MissingKeyError(FormatError):
    """The data is encrypted and no key, or not the right one, was given."""


class InvalidKeyError(FormatError):
    """What was given as a key is none."""


class MissingPartError(FormatError):
    """A file that holds part of the data is not there."""


class OverlapError(FormatError):
    """Chunks or files share their bytes so much that reading all of them takes the square of the file."""


class UnversionedPackageError(FormatError):
    """The package states no version: pass one, or let it be inferred."""


class PackageNotFoundError(FormatError, LookupError):
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
        """Make one for a name that several packages (``ending``) or none of ``names`` end with."""
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
"""Errors that many chunks have for one reason: said once, with their number."""


def reason_of(error: FormatError) -> str:
    """Return what is wrong without the chunk or block, which differ."""
    return f"{error.path}: {error.what}" if error.path else error.what


def text_within(error: FormatError, path: str) -> str:
    """Return the error's text for where ``path`` is named already; another file that it is in stays named."""
    return str(error.at("") if error.path == path else error)


__all__ = [
    "FOR_ALL",
    "FormatError",
    "InvalidKeyError",
    "MissingExtraError",
    "MissingKeyError",
    "MissingPartError",
    "OverlapError",
    "PackageNotFoundError",
    "UnversionedPackageError",
    "reason_of",
    "text_within",
]
