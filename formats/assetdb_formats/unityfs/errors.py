"""The whole tree of errors of Unity's bundles.

::

    UnityFSError             everything that this package raises on purpose; bytes that are not what they should be
    └── UnsupportedError     a version or compression that is not read here
        └── EncryptedError   the file is encrypted

An error of the system (a file does not exist, or may not be read) is an ``OSError``; an archive around a bundle
(:mod:`assetdb_formats.inputs`) that cannot be unpacked is the ``InputError`` of that module.
"""

from __future__ import annotations

from assetdb_formats.binary import FormatError


class UnityFSError(FormatError):
    """Error of a bundle or SerializedFile that breaks its format."""


class UnsupportedError(UnityFSError):
    """Error of a version or compression that is not read."""


class EncryptedError(UnsupportedError):
    """The file is encrypted."""
