"""The error tree of Addressables files.

::

    AddressablesError            everything that this package raises on purpose; bytes that are not what they should be
    ├── CatalogNotFoundError     a folder or archive holds no catalog
    ├── CompanionNotFoundError   it holds no build layout, content state, settings or hash
    ├── AmbiguousCatalogError    it holds several; carries their names
    ├── UnwritableError          a catalog has something that a flavour has no form for
    ├── UnknownFlavourError      there is no flavour of that name; carries the names that there are
    ├── EditError                a change that cannot be made
    └── PatternError             an invalid regular expression

An error of the system (a file does not exist, or may not be read) is an ``OSError``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb_formats.binary import FormatError, Reader

if TYPE_CHECKING:
    from collections.abc import Sequence


class AddressablesError(FormatError):
    """Base class of all errors of Addressables files and their edits."""


class CatalogNotFoundError(AddressablesError):
    """A folder or archive holds no catalog."""


class CompanionNotFoundError(AddressablesError):
    """Error of a path without the requested layout, state, settings or hash."""


class AmbiguousCatalogError(AddressablesError):
    """A folder or archive holds several catalogs where one is needed.

    Attributes:
        candidates: their names within it.
    """

    candidates: tuple[str, ...] = ()


class UnwritableError(AddressablesError):
    """A catalog has something that a flavour has no form for."""


class UnknownFlavourError(AddressablesError):
    """No package writes a flavour of that name.

    Attributes:
        known: the names of all flavours.
    """

    known: Sequence[str] = ()


class EditError(AddressablesError):
    """A change to a catalog cannot be made."""


class PatternError(AddressablesError):
    """Error of an invalid regular expression."""


class CatalogReader(Reader):
    """The bounded reader of binary formats, with errors of this package."""

    __slots__ = ()

    failure = AddressablesError


def as_own_error(error: FormatError, path: str = "") -> AddressablesError:
    """Return another format's error as an AddressablesError."""
    return AddressablesError(error.what, offset=error.offset, field=error.field, path=error.path or path)
