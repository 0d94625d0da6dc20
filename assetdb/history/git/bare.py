"""A project in a bare repository, which has no work tree.

It gets an empty one in a temporary folder, like ``git worktree add --no-checkout`` but without writing into the
repository: then a revision differs from the disk in all files, and is read like any other.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from contextlib import contextmanager
from typing import TYPE_CHECKING

from assetdb.errors import FileError, HistoryError
from assetdb.history.git.entries import FILE
from assetdb.history.git.objects import read_all_blobs
from assetdb.history.git.process import GitPlace, running
from assetdb.history.git.repository import Repository
from assetdb.settings.project import MARKERS
from assetdb.system.identity import same_folder
from assetdb.system.reading import read_small

if TYPE_CHECKING:
    from collections.abc import Iterator

_PACKAGE = b"package.json"
_LARGEST_HEAD = 1 << 12
_LARGEST_PACKAGE = 1 << 20
_LONGEST_PATH = 1 << 16
_TIMEOUT = 60.0  # seconds


def split_repository(text: str) -> tuple[str, str] | None:
    """Return a bare repository and the project's folder in it.

    None if the text names something else. ``Game.git:Client/Unity`` has a folder, ``Game.git`` is the project.
    """
    for folder, inside in ((text, ""), text.rpartition(":")[::2]):
        if folder and os.path.isfile(os.path.join(folder, "HEAD")) and os.path.isdir(os.path.join(folder, "objects")):
            return os.path.abspath(folder), inside
    return None


@contextmanager
def empty_work_tree(folder: str, inside: str, revision: str) -> Iterator[str]:
    """Yield an empty work tree for a project in a bare repository.

    Args:
        folder: of the repository, absolute.
        inside: of the project in it, ``""`` for the top.
        revision: decides whether that is a project or a package.

    Raises:
        HistoryError: there is no such revision, or no project in that folder, or no git, or git refuses the
            repository.
        OSError: the temporary folder cannot be written.
    """
    parts = [part for part in inside.replace(os.sep, "/").split("/") if part]
    if any(part in (".", "..") for part in parts):
        raise HistoryError(f"{inside!r} is not a folder of {folder}: name it from the top of the repository")
    _refuse_untrusted(folder)
    with tempfile.TemporaryDirectory(prefix="assetdb-") as place:
        own = os.path.join(place, "git")
        top = os.path.join(place, os.path.basename(folder).removesuffix(".git") or "project")
        root = os.path.join(top, *parts)
        os.makedirs(root)
        os.mkdir(own)
        try:
            head = read_small(os.path.join(folder, "HEAD"), _LARGEST_HEAD)
        except FileError as error:
            raise HistoryError(f"{folder}: {error}") from error
        for path, data in (
            (os.path.join(own, "HEAD"), head),
            (os.path.join(own, "commondir"), _as_git_writes(folder)),
            (os.path.join(own, "gitdir"), _as_git_writes(os.path.join(top, ".git"))),
            (os.path.join(top, ".git"), b"gitdir: " + _as_git_writes(own)),
        ):
            with open(path, "xb") as file:
                file.write(data)
        _make_project(Repository(root), root, revision, f"{folder}:{inside}" if inside else folder)
        yield root


def _as_git_writes(path: str) -> bytes:
    """Return the line for a path: ``C:/Games/Game.git`` on Windows."""
    return os.fsencode(path.replace(os.sep, "/")) + b"\n"


def _refuse_untrusted(folder: str) -> None:
    """Let git itself examine the repository.

    It refuses a damaged one, or an untrusted user's (``safe.directory``); in our own work tree it would not check
    the owner.

    Raises:
        HistoryError: it refuses.
    """
    place = GitPlace(folder, ("-c", "safe.bareRepository=all"), {})
    with running(place, ("rev-parse", "--absolute-git-dir"), subprocess.DEVNULL, _TIMEOUT) as (output, fail):
        found = os.fsdecode(output.read(_LONGEST_PATH)).rstrip("\n")
    if not same_folder(folder, found):
        raise fail(f"it is a part of {os.path.normpath(found)}")


def _make_project(repository: Repository, root: str, revision: str, shown: str) -> None:
    """Make a folder into an empty project, or a package without assets."""
    entries = repository.tree(repository.revision(revision).tree)
    tops = {path.partition(b"/")[0].decode("utf-8", "replace") for path in entries}
    entry = entries.get(_PACKAGE)
    if (
        entry is not None and entry.kind == FILE and MARKERS[1] not in tops
    ):  # as assetdb.settings.project distinguishes them
        for blob in read_all_blobs(repository, [entry.oid]):
            if blob.size <= _LARGEST_PACKAGE:
                with open(os.path.join(root, os.fsdecode(_PACKAGE)), "xb") as file:
                    file.writelines(blob.pieces())
    elif tops.isdisjoint(MARKERS):
        raise HistoryError(f"{shown} has no Unity project at {revision}: name its folder, as in REPO.git:Client")
    else:
        for name in MARKERS:
            os.mkdir(os.path.join(root, name))
