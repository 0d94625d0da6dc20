"""The stamp of a repository's history, read from git's files.

It takes 50 us, and no process.
"""

from __future__ import annotations

import os

from assetdb.errors import FileError
from assetdb.system.reading import open_regular

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

_LONGEST_NAME: Final = 1 << 12


def history_stamp(root: str) -> str:
    """Return a stamp of a repository's history, ``""`` without one.

    It may become another where the history stayed, never the reverse: the name of the branch, what it points to, and
    where a shallow clone ends.
    """
    folder = _git_folder(root)
    if not folder:
        return ""
    head = _start_of(os.path.join(folder, "HEAD"))
    common = os.path.join(folder, _start_of(os.path.join(folder, "commondir")) or ".")
    parts = [head, _start_of(os.path.join(common, head[5:])) if head.startswith("ref: ") else ""]
    for name in ("packed-refs", "shallow", os.path.join("reftable", "tables.list")):
        try:
            status = os.stat(os.path.join(common, name))
            parts.append(f"{status.st_size} {status.st_mtime_ns}")
        except OSError:  # most repositories have not all of these
            parts.append("")
    return "\x1f".join(parts)


def _git_folder(root: str) -> str:
    """Return the git folder of a project, or ``""``."""
    place = os.path.abspath(root)
    while True:
        found = os.path.join(place, ".git")
        if os.path.isdir(found):
            return found
        link = _start_of(found)
        if link.startswith("gitdir:"):
            return os.path.join(place, link.partition(":")[2].strip())
        above = os.path.dirname(place)
        if above == place:
            return ""
        place = above


def _start_of(path: str) -> str:
    try:
        with open(open_regular(path), "rb") as file:
            return file.read(_LONGEST_NAME).decode("utf-8", "replace").strip()
    except (OSError, FileError, ValueError):
        return ""
