"""Why the objects of an asset's file are unknown."""

from __future__ import annotations

import os
import stat

from assetdb.settings.user import refused_link
from assetdb.system.mirrors import is_absent
from assetdb.system.reading import LARGEST_ASSET

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

    from assetdb.packages.location import Location

LARGEST: Final = 96 << 20
"""Bytes; a larger file is not opened."""

TOO_LARGE: Final = "too-large"
"""The reason for the content of such a file."""
UNREADABLE: Final = "unreadable"
"""The reason for the content of a file that exists, but cannot be read, and for a GUID that such a meta may have."""
LINK_OUT: Final = "link-out"
"""The reason for the content of a link out of the project."""
TARGET_ABSENT: Final = "target-absent"


def is_too_large(file: str) -> bool:
    """Whether a file has more bytes than are opened."""
    try:
        return os.stat(file).st_size > LARGEST
    except OSError:
        return False


def refusal(location: Location, root: str) -> str:
    """Return why a file's content is not shown, ``""`` if it is."""
    if not location.file:
        return ""
    if is_too_large(location.file):
        return TOO_LARGE
    return LINK_OUT if not location.package and refused_link(location.file, root) else ""


def why_unread(file: str) -> str:
    """Return why the content of a file could not be read."""
    try:
        status = os.stat(file)
    except (FileNotFoundError, NotADirectoryError):
        return UNREADABLE if is_absent(file) else TARGET_ABSENT
    except OSError:  # not permitted, a loop of links
        return UNREADABLE
    if not stat.S_ISREG(status.st_mode):
        return TARGET_ABSENT
    return TOO_LARGE if status.st_size > LARGEST_ASSET else UNREADABLE
