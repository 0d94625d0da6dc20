"""The size limit of files that are opened for their objects."""

from __future__ import annotations

import os

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

LARGEST: Final = 96 << 20
"""Bytes; a larger file is not opened."""

TOO_LARGE: Final = "too-large"
"""The reason for the content of such a file."""


def is_too_large(file: str) -> bool:
    """Whether a file has more bytes than are opened."""
    try:
        return os.stat(file).st_size > LARGEST
    except OSError:
        return False
