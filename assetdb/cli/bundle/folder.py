"""Extraction into a folder; no name leads out of it."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Final

from assetdb_formats.atomic import replace_file

if TYPE_CHECKING:
    from collections.abc import Iterable

_UNSAFE: Final = re.compile(r'[\x00-\x1f\x7f-\x9f<>:"/\\|?*\ud800-\udfff]')
_RESERVED: Final = re.compile(
    r"(?i)^(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(?=\.|$)"
)  # devices on Windows, also before a dot
_LONGEST: Final = 120  # characters, at most 4 bytes each in a file name of at most 255 bytes with a suffix


class ExtractionFolder:
    """A folder for files under safe names, with none overwritten."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._taken: set[str] = set()
        os.makedirs(path, exist_ok=True)

    def write(self, name: str, suffix: str, pieces: Iterable[bytes | memoryview]) -> str:
        """Write a file whole or not at all; return its path."""
        path = os.path.join(self.path, self._free(safe_name(name), suffix))
        replace_file(path, pieces)
        return path

    def _free(self, name: str, suffix: str) -> str:
        candidate, number = f"{name}{suffix}", 1
        while candidate.casefold() in self._taken:
            number += 1
            candidate = f"{name} ({number}){suffix}"
        self._taken.add(candidate.casefold())
        return candidate


def safe_name(name: str) -> str:
    """Return a name that is one file name on every platform."""
    safe = _UNSAFE.sub("_", name).strip(". ")
    while len(safe.encode("utf-8")) > 200:
        safe = safe[: min(_LONGEST, len(safe) - 1)].rstrip(". ")
    return _RESERVED.sub(r"\1_", safe) or "_"
