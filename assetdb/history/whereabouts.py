"""What git knows of files that are not where they are looked for: kept, ignored, or as they were committed.

Only names of objects are compared: no filter of the repository is run.
"""

from __future__ import annotations

from hashlib import sha1
from typing import TYPE_CHECKING, Final

from assetdb.history.git import _git

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_TIMEOUT: Final = 10.0
_AT_ONCE: Final = 500  # paths on one command line


def has_repository(root: str) -> bool:
    """Whether git has the project, as far as it says so."""
    return _git(root, ("rev-parse", "--is-inside-work-tree"), _TIMEOUT) is not None


def tracked(root: str, paths: Sequence[str]) -> set[str] | None:
    """Return those of the paths that git's index has, be they in the work tree or not; None where git does not say."""
    found: set[str] = set()
    for part in _parts(paths):
        said = _git(root, ("ls-files", "-z", "--", *(f":(literal){path}" for path in part)), _TIMEOUT)
        if said is None:
            return None
        found.update(path for path in said.split("\0") if path)
    return found


def is_ignored(root: str, path: str) -> bool:
    """Whether git is told to ignore a path, which need not be there."""
    return _git(root, ("check-ignore", "-q", "--no-index", "--", path), _TIMEOUT) is not None


def committed_blobs(root: str, paths: Sequence[str]) -> dict[str, str]:
    """Return the names of the objects that files were when they were committed last; none where git does not say."""
    found: dict[str, str] = {}
    for part in _parts(paths):
        said = _git(root, ("ls-tree", "-z", "HEAD", "--", *part), _TIMEOUT)
        for row in (said or "").split("\0"):
            facts, tab, path = row.partition("\t")
            if tab:
                found[path] = facts.split(" ")[2]
    return found


def blob_name(data: bytes) -> str:
    """Return the name that git gives an object with these bytes."""
    return sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _parts(paths: Sequence[str]) -> Iterable[Sequence[str]]:
    return (paths[start : start + _AT_ONCE] for start in range(0, len(paths), _AT_ONCE))
