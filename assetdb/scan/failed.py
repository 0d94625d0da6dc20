"""Unreadable files of a directory: retries, diagnostics, last known facts."""

from __future__ import annotations

import errno
import os
import stat

from assetdb.diagnostics import Diagnostic, decode
from assetdb.scan.directory import SLASH, UNREADABLE
from assetdb.scan.walking.listing import META, shown
from assetdb.system.failures import CONTENT, excuse_content, is_worth_retrying
from assetdb.system.mirrors import is_absent
from assetdb.system.reading import leads_into_system
from assetdb.system.shared_opening import obstacle

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

    from assetdb.scan.directory import AssetRow, DirectoryFacts
    from assetdb.scan.reading_position import Place

NOT_HERE: Final = "git does not have it in this clone (use --fetch)"


class FailedFiles:
    """The files of one directory that cannot be read."""

    def __init__(
        self, reader: Place, known: DirectoryFacts | None, known_rows: Callable[[tuple[bytes, bytes]], AssetRow | None]
    ) -> None:
        """Begin with none; ``known_rows`` returns the known row of a pair."""
        self._reader = reader
        self._known = known
        self._known_rows = known_rows
        before = decode(known.file_diagnostics) if known is not None and known.file_diagnostics else ()
        self._before = {found.path for found in before if found.code == UNREADABLE}  # unreadable in the last scan
        self._failing: dict[bytes, str] = {}  # reasons why the content of each cannot be read, even after waiting

    def refuse_system(self, name: bytes) -> None:
        """Refuse a link into ``/proc``, ``/sys`` or ``/dev``.

        Raises:
            OSError: it is one; the same error as for a device without a driver.
        """
        path = self._reader.prefix + name
        if leads_into_system(path):
            raise OSError(errno.ENXIO, os.strerror(errno.ENXIO), path)

    def is_worth_retrying(self, name: bytes, error: OSError) -> bool:
        """Whether to read a file again; otherwise it is recorded as unreadable.

        Raises:
            ScanError: the error is temporary.
        """
        path = self._reader.path + SLASH + name
        if shown(path) not in self._before and is_worth_retrying(path, error):
            return True
        excuse_content(path, error)
        if error.errno in CONTENT:
            from assetdb_formats.files import words_of  # noqa: PLC0415 - only where something is wrong

            self._failing[name] = words_of(error)
        return False

    def last_good_row(self, pair: tuple[bytes, bytes], guid: bytes = b"") -> AssetRow | None:
        """Return the last good row of an unreadable asset.

        None if nothing was known, or the meta has a different ``guid`` now. Not for missing permissions: a user who may
        not read a file learns nothing about it.
        """
        if self._failing.keys().isdisjoint(pair):
            return None
        row = self._known_rows(pair)
        return row if row is not None and guid in (b"", row[0]) else None

    def last_good_folder(self, folder: bytes, meta: bytes) -> bytes:
        """Return the folder GUID (32 digits) of an unreadable meta, if known."""
        known = self._known
        if known is None or meta not in self._failing or not known.folders:
            return b""
        names = known.folders.split(SLASH)
        place = 16 * names.index(folder) if folder in names else len(known.folder_guids)
        return known.folder_guids[place : place + 16].hex().encode("ascii")

    def diagnostic(self, name: bytes, path: bytes) -> Diagnostic:
        """Return the diagnostic of an unread file; ``path`` is UTF-8."""
        code, message = UNREADABLE, "cannot be read"
        place = self._reader.prefix + name
        try:
            status = os.stat(place)
            if not stat.S_ISREG(status.st_mode):
                code = "not-a-file"
                message = "is a folder" if stat.S_ISDIR(status.st_mode) else "is not a regular file"
            elif name in self._failing:
                message = f"cannot be read: {self._failing[name]}"
            elif name.endswith(META) and status.st_size > self._reader.largest_meta:
                code, message = "too-large", f"has {status.st_size:,} bytes: its GUID is not read"
            elif status.st_size > self._reader.largest_asset:
                code, message = "too-large", f"has {status.st_size:,} bytes: its objects and references are not read"
            elif leads_into_system(place):
                code, message = "not-a-file", "is a link into /proc, /sys or /dev"
            elif reason := obstacle(place):
                message = f"cannot be read: {reason}"
        except OSError as error:
            from assetdb_formats.files import words_of  # noqa: PLC0415 - only where something is wrong

            message = f"cannot be read: {NOT_HERE if is_absent(place) else words_of(error)}"
        return Diagnostic(code, path.decode(), 0, message)
