"""A folder of a project on the disk, read by one reader."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

from assetdb.diagnostics import decode
from assetdb.scan.reader import DirectoryReader

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.scan.directory import DirectoryFacts

PATH = b"Assets/Here"
GUID = "0123456789abcdef0123456789abcde{:x}"
SOON = 10_000_000_000  # nanoseconds: with a scan that begins so late every time is trusted


def meta(number: int, rest: str = "DefaultImporter:\n  userData: \n") -> str:
    return f"fileFormatVersion: 2\nguid: {GUID.format(number)}\n{rest}"


def write(root: Path, name: str, content: str | bytes) -> Path:
    path = root / os.fsdecode(PATH) / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def reader(root: Path, **options: Any) -> DirectoryReader:  # noqa: ANN401 - those of the reader
    options = {"since_ns": time.time_ns() + SOON, "may_change_directory": False, **options}
    return DirectoryReader(os.fsencode(root), **options)


def read(root: Path, known: DirectoryFacts | None = None, **options: Any) -> DirectoryFacts:  # noqa: ANN401 - the same
    found = reader(root, **options).read(PATH, known)
    assert found is not None
    return found


def told(directory: DirectoryFacts) -> list[tuple[str, str]]:
    """Return code and name of all diagnostics."""
    whole = [*decode(directory.listing_diagnostics), *decode(directory.file_diagnostics)]
    return [(row.code, row.path.removeprefix("Assets/Here/")) for row in whole]
