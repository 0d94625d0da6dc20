"""Git's knowledge of files that are not at their path.

Only names of objects are compared: no filter of the repository is run.
"""

from __future__ import annotations

import os
from hashlib import sha1
from typing import TYPE_CHECKING, Final

from assetdb.history.git.questions import output_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_TIMEOUT: Final = 10.0
_QUOTED: Final = frozenset('"\\')
_LONGEST_LINE: Final = 16_000  # characters of paths on one command line: Windows allows 32,767 in total


def has_repository(root: str) -> bool:
    """Whether the project is in a git repository."""
    return output_of(root, ("rev-parse", "--is-inside-work-tree"), _TIMEOUT) is not None


def tracked(root: str, paths: Sequence[str]) -> set[str] | None:
    """Return paths in git's index, present or not; None if unknown."""
    found: set[str] = set()
    for part in _parts(paths):
        said = output_of(root, ("ls-files", "-z", "--", *(f":(literal){path}" for path in part)), _TIMEOUT)
        if said is None:
            return None
        found.update(path for path in said.split("\0") if path)
    return found


def ignored(root: str, paths: Sequence[str]) -> set[str]:
    """Return the paths that git ignores, present or not.

    Of paths behind a link git knows nothing, and one of them would be its answer to all.
    """
    found: set[str] = set()
    folders: dict[str, bool] = {}
    paths = [path for path in paths if not _is_behind_link(root, path.rpartition("/")[0], folders)]
    words = ("-c", "core.quotePath=false", "check-ignore", "--no-index", "--")
    plain = [path for path in paths if path.isprintable() and not _QUOTED.intersection(path)]
    for part in _parts(plain):
        found.update((output_of(root, (*words, *part), _TIMEOUT) or "").split("\n"))  # git fails if there is none
    odd = set(paths).difference(plain)  # names that git would quote
    return found.intersection(plain) | {path for path in odd if output_of(root, (*words, path), _TIMEOUT) is not None}


def committed_blobs(root: str, paths: Sequence[str]) -> dict[str, str]:
    """Return the object names of files in HEAD, if git knows them."""
    found: dict[str, str] = {}
    for part in _parts(paths):
        said = output_of(root, ("ls-tree", "-z", "HEAD", "--", *part), _TIMEOUT)
        for row in (said or "").split("\0"):
            facts, tab, path = row.partition("\t")
            if tab:
                found[path] = facts.split(" ")[2]
    return found


def blob_name(data: bytes) -> str:
    """Return the name that git gives an object with these bytes."""
    return sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _is_behind_link(root: str, folder: str, known: dict[str, bool]) -> bool:
    """Whether a folder of a project is a link, or in one."""
    if not folder:
        return False
    if folder not in known:
        is_link = os.path.islink(os.path.join(root, folder))
        known[folder] = is_link or _is_behind_link(root, folder.rpartition("/")[0], known)
    return known[folder]


def _parts(paths: Sequence[str]) -> Iterator[list[str]]:
    part: list[str] = []
    length = 0
    for path in paths:
        if part and length + len(path) > _LONGEST_LINE:
            yield part
            part, length = [], 0
        part.append(path)
        length += len(path) + len(":(literal) ")
    if part:
        yield part
