"""Files that a merge in progress leaves open, and their three versions."""

from __future__ import annotations

import os
import subprocess
import tempfile
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.errors import HistoryError
from assetdb.history.git.questions import program
from assetdb.history.lfs import stored
from assetdb.system.reading import read_small
from assetdb.unity.kinds import is_lfs_pointer
from assetdb.unity.merging.envelope import LARGEST

if TYPE_CHECKING:
    from assetdb.history.git.repository import Repository

_SECONDS: Final = 60
_FILES: Final = ("grep", "-l", "-z", "--no-color")


class Stages(NamedTuple):
    """The versions of a file in git's index, None where absent."""

    base: bytes | None
    ours: bytes | None
    theirs: bytes | None


def conflicted(repository: Repository) -> dict[str, list[str]]:
    """Return the object ids of base, ours and theirs by path.

    They are ``""`` where a side has none. Paths are relative to the repository's project. In a rebase git calls the
    branch that is rebased onto ours.
    """
    found: dict[str, list[str]] = {}
    for row in repository.output("ls-files", "-u", "-z").split(b"\0"):
        head, _, path = row.partition(b"\t")
        words = head.split()
        if len(words) == 3:
            found.setdefault(os.fsdecode(path), ["", "", ""])[int(words[2]) - 1] = words[1].decode("ascii")
    return found


def read_stages(repository: Repository, ids: list[str]) -> Stages:
    """Return the three versions of a file.

    A pointer of Git LFS is its content, if that is here.
    """
    return Stages(*[_content(repository, oid) if oid else None for oid in ids])


def _content(repository: Repository, oid: str) -> bytes:
    data = repository.output("cat-file", "blob", oid)
    place = stored(repository.folder, data) if is_lfs_pointer(data) else ""
    return read_small(place, LARGEST) if place else data


def merged_by_git(stages: Stages) -> bytes:
    """Return the text that git itself leaves, with its markers."""
    with tempfile.TemporaryDirectory(prefix="assetdb-") as folder:
        paths = []
        for name, data in (("ours", stages.ours), ("base", stages.base), ("theirs", stages.theirs)):
            paths.append(os.path.join(folder, name))
            with open(paths[-1], "wb") as file:
                file.write(data or b"")
        try:
            words = [program(), "merge-file", "-p", "-q", *paths]
            return subprocess.run(words, capture_output=True, timeout=_SECONDS, check=False).stdout
        except (OSError, subprocess.TimeoutExpired) as error:
            raise HistoryError(f"git merge-file: {error}") from error


def files_with(repository: Repository, text: str) -> list[str]:
    """Return the files of the work tree with a text, except metas."""
    found = repository.output(*_FILES, "-F", "-e", text, "--", ".", accept=(0, 1))
    return [os.fsdecode(path) for path in found.split(b"\0") if path and not path.endswith(b".meta")]


def asset_with(repository: Repository, guid: str) -> str:
    """Return the asset that a meta gives a GUID, or ``""``.

    Metas refer to other assets, too: the icon of a script, the materials of a model. Their own GUID begins a line.
    """
    found = repository.output(*_FILES, "-G", "-e", f"^guid: {guid}", "--", "*.meta", accept=(0, 1))
    return os.fsdecode(found.partition(b"\0")[0]).removesuffix(".meta")


def add(root: str, paths: list[str]) -> None:
    """Mark files as resolved.

    For git ``Level[12].unity`` is also a pattern, of ``Level1.unity``, which may still have markers.

    Raises:
        HistoryError: git refuses, or is not installed.
    """
    try:
        words = [program(), "--literal-pathspecs", "-C", root, "add", "--", *paths]
        done = subprocess.run(words, capture_output=True, timeout=_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise HistoryError(f"git add: {error}") from error
    if done.returncode:
        raise HistoryError(f"git add: {done.stderr.decode('utf-8', 'replace').strip()}")
