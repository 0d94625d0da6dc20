"""Names that files look for, kept for the next process.

A row is valid for the identities of its file and the meta, as a scan compares them. If the output folder has no names,
or names of another version, all files are read again.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from assetdb.errors import FileError
from assetdb.store.files import NAMES_FORMAT, NAMES_NAME
from assetdb.system.identity import RACY
from assetdb.system.reading import read_small
from assetdb.version import VERSION
from assetdb_formats.atomic import replace_file

if TYPE_CHECKING:
    from collections.abc import Callable, Container

_LARGEST: Final = 1 << 28


class Sought(NamedTuple):
    """The names that a file looks for, and its own.

    Attributes:
        names: for each file that is looked for, the names that it may have, in the order of preference.
        search: ``materialSearch`` of a model, ``timeCreated`` of a font.
        own: the name by which others look for it, ``""`` if they go by its path.
    """

    names: tuple[tuple[str, ...], ...] = ()
    search: int = 0
    own: str = ""


class _Row(NamedTuple):
    """The names of one file, with the identities that they hold for."""

    file: int
    meta: int
    sought: Sought


class _Kept(NamedTuple):
    """The contents of the file."""

    number: int
    version: str
    rows: dict[str, _Row]


class KeptNames:
    """The known names that files of one project look for."""

    def __init__(self, folder: str) -> None:
        """Read the names that are kept in an output folder."""
        self._path = os.path.join(folder, NAMES_NAME)
        self._rows = _read(self._path)
        self._is_changed = False

    def get(self, path: str, file: int, meta: int) -> Sought | None:
        """Return the names that a file looks for, None if unknown."""
        row = self._rows.get(path)
        return row.sought if row is not None and RACY not in (file, meta) and row[:2] == (file, meta) else None

    def put(self, path: str, file: int, meta: int, sought: Sought) -> None:
        """Keep the names of a file, unless its identity is racy."""
        if RACY not in (file, meta):
            self._rows[path] = _Row(file, meta, sought)
            self._is_changed = True

    def write(self, existing: Callable[[], Container[str]]) -> None:
        """Write the names of the paths that still exist, if possible.

        ``existing`` returns the paths. Each question about users ends here, so it is called only if a name has changed.
        """
        if self._is_changed:
            self._is_changed = False
            paths = existing()
            self._rows = {path: row for path, row in self._rows.items() if path in paths}
            with suppress(OSError, ValueError):  # a name that is not UTF-8
                replace_file(self._path, [msgspec.msgpack.encode(_Kept(NAMES_FORMAT, VERSION, self._rows))])


def _read(path: str) -> dict[str, _Row]:
    try:
        number, version, rows = msgspec.msgpack.decode(read_small(path, _LARGEST), type=_Kept)
    except (OSError, FileError, msgspec.DecodeError, UnicodeError):
        return {}
    return rows if (number, version) == (NAMES_FORMAT, VERSION) else {}
