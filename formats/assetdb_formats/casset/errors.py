"""The whole tree of errors of ``.casset`` bundles.

::

    CassetError               everything that this package raises on purpose; bytes that are not what they should be
    ├── UnsupportedError      a format that is known and not read: the packages of 2023
    ├── EditError             a change that cannot be made
    └── NotInBundleError      the bundle has no such object or value; a KeyError, too

An error of the system (a file does not exist, or may not be read) is an ``OSError``.
"""

from __future__ import annotations

from assetdb_formats.binary import FormatError


class CassetError(FormatError):
    """Base class of all errors of ``.casset`` files and their edits."""

    def inside(self, field: str) -> CassetError:
        """Return the same error, of something inside a field."""
        return CassetError(self.what, offset=self.offset, field=".".join(filter(None, (field, self.field))))


class UnsupportedError(CassetError):
    """The file is of a format that is known and not read."""


class EditError(CassetError):
    """A change to a bundle cannot be made."""


class NotInBundleError(CassetError, KeyError):
    """The bundle has no such object; ``names`` may list others."""

    names: frozenset[str] = frozenset()
