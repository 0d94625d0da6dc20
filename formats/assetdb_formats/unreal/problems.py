"""Problems of partly read files, carried with an answer."""

from __future__ import annotations

import errno
import os
from typing import NamedTuple

from assetdb_formats.binary import FormatError
from assetdb_formats.files import words_of
from assetdb_formats.unreal.errors import text_within


class Problem(NamedTuple):
    """A file or folder that could not be read, and why.

    ``reason`` names the place in the file but not the file; ``kind`` is the reason without the place, so that a
    thousand files with one fault can be shown as one; ``damaged`` is whether its bytes are at fault (False where
    the system refused to read it), ``gone`` whether it does not exist (a broken link).
    """

    path: str
    reason: str
    kind: str
    damaged: bool
    gone: bool = False

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}"


def problem_of(error: FormatError | OSError, path: str) -> Problem:
    """Return the problem for an error from reading a file."""
    if isinstance(error, FormatError):
        return Problem(path, text_within(error, path), f"{error.field}: {error.what}", damaged=True)
    reason = words_of(error)
    return Problem(error.filename or path, reason, reason, damaged=False, gone=isinstance(error, FileNotFoundError))


def unreadable(path: str, reason: str) -> Problem:
    """Return the problem for a file or folder that cannot be read."""
    return Problem(path, reason, reason, damaged=False, gone=reason == os.strerror(errno.ENOENT))
