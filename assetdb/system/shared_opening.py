"""Opening files for reading, which others may meanwhile rename or remove.

Windows refuses both while a file is open, unless whoever opened it agreed (``FILE_SHARE_DELETE``), which Python's
``open`` does not. Git and Unity would fail with "cannot unlink" at a file that is being scanned.
"""

from __future__ import annotations

import errno
import os
import sys

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

AWAY: Final = 0x44_0000
"""FILE_ATTRIBUTE_RECALL_ON_DATA_ACCESS and FILE_ATTRIBUTE_RECALL_ON_OPEN, which OneDrive's placeholders have."""


def refuse_recall(path: str, attributes: int) -> None:
    """Refuse a file that only a download would provide.

    Raises:
        OSError: the file is a placeholder; a scan that read placeholders would download the whole project.
    """
    if attributes & AWAY:
        from assetdb_formats.files import IS_AWAY  # noqa: PLC0415 - only where something is wrong

        raise OSError(errno.EACCES, IS_AWAY, path)


def obstacle(path: bytes | str) -> str:
    """Return why a permitted file cannot be opened, or ``""``."""
    try:
        os.close(open_shared(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)))
    except OSError as error:
        from assetdb_formats.files import IS_AWAY, IS_HELD  # noqa: PLC0415 - only where something is wrong

        return error.strerror if error.strerror in (IS_HELD, IS_AWAY) else ""
    return ""


if sys.platform == "win32":
    from assetdb_formats import files

    def open_shared(path: bytes | str, flags: int) -> int:
        """Open a file for reading; others may rename or remove it.

        Raises:
            OSError: it cannot be opened, is a device, or would have to be downloaded.
            ValueError: the path holds a NUL.
        """
        return files.open_shared(path, flags, refuse_recall)

else:

    def open_shared(path: bytes | str, flags: int) -> int:
        """Open a file for reading, which never hinders others here."""
        return os.open(path, flags)
