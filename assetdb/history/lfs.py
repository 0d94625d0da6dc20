"""Contents that Git LFS has locally, by their pointers."""

from __future__ import annotations

import hashlib
import os
from typing import Final

from assetdb.system.failures import excuse
from assetdb.system.reading import OPEN_FLAGS
from assetdb.system.shared_opening import open_shared

LARGEST_POINTER: Final = 1024
"""Bytes; the specification of Git LFS has the same limit."""
_SHA256_DIGITS: Final = 64


def stored(git_folder: str, pointer: bytes) -> str:
    """Return the file below ``.git`` with a pointer's content, or ``""``."""
    digits = _digest(pointer)
    if not digits:
        return ""
    place = os.path.join(git_folder, "lfs", "objects", digits[:2], digits[2:4], digits)
    return place if os.path.isfile(place) else ""


def is_content(place: bytes, pointer: bytes) -> bool:
    """Whether a file has the content of a pointer.

    Git LFS may keep its copies elsewhere (``lfs.storage``), or may have dropped them.
    """
    digits = _digest(pointer)
    try:
        if not digits or b"\nsize %d\n" % os.path.getsize(place) not in pointer:
            return False
        with open(open_shared(place, OPEN_FLAGS), "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == digits
    except OSError as error:
        excuse(place, error)
        return False


def _digest(pointer: bytes) -> str:
    """Return the SHA-256 in a pointer, or ``""``."""
    _, found, rest = pointer.partition(b"\noid sha256:")
    digits = os.fsdecode(rest[:_SHA256_DIGITS])
    is_one = found and len(digits) == _SHA256_DIGITS and set(digits) <= set("0123456789abcdef")
    return digits if is_one else ""
