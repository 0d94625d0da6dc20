"""Contents that Git LFS has locally, by their pointers."""

from __future__ import annotations

import os
from typing import Final

LARGEST_POINTER: Final = 1024
"""Bytes; the specification of Git LFS has the same limit."""
_SHA256_DIGITS: Final = 64


def stored(git_folder: str, pointer: bytes) -> str:
    """Return the local file with the content of a pointer, or ``""``.

    Args:
        git_folder: what the work trees of the repository share (``.git``).
        pointer: the whole file that is a pointer.
    """
    _, found, rest = pointer.partition(b"\noid sha256:")
    digits = os.fsdecode(rest[:_SHA256_DIGITS])
    if not found or len(digits) != _SHA256_DIGITS or not set(digits) <= set("0123456789abcdef"):
        return ""
    place = os.path.join(git_folder, "lfs", "objects", digits[:2], digits[2:4], digits)
    return place if os.path.isfile(place) else ""
