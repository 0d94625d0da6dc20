"""Undo of a change, step by step, however far it came."""

from __future__ import annotations

import os
import stat
from hashlib import sha256
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.checks.mending.writing.journal import Rename, digest
from assetdb.checks.mending.writing.safe_files import reached
from assetdb.errors import MendingError
from assetdb.settings.project import is_set_aside
from assetdb_formats.files import words_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assetdb.checks.mending.writing.journal import Step, Write
    from assetdb.checks.mending.writing.safe_files import NameInFolder

_LARGE: Final = 1 << 26  # size from which a file is recognised by its size and both ends
_END: Final = 1 << 20
_PERMISSIONS: Final = 0o777  # never setuid, whatever a journal says
_FOLDER: Final = "folder"  # its content may change while it is moved


class Undone(NamedTuple):
    """The result of undone steps.

    Attributes:
        undone: restored paths.
        left: paths changed since.
        failed: what the system refused: a line for each.
    """

    undone: tuple[str, ...]
    left: tuple[str, ...]
    failed: tuple[str, ...]


def undo(root: str, steps: Sequence[Step], process: int) -> Undone:
    """Undo steps, the last one first.

    Args:
        root: the project, absolute.
        steps: in the order in which they were done.
        process: the number of the process that did them.
    """
    undone: list[str] = []
    left: list[str] = []
    failed: list[str] = []
    for step in reversed(steps):
        path = path_of(step)
        try:
            is_undone = _undo_rename(root, step) if isinstance(step, Rename) else _undo_write(root, step, process)
            (undone if is_undone else left).append(path)
        except (MendingError, FileNotFoundError, NotADirectoryError):  # a link, or its folder is gone
            left.append(path)
        except OSError as error:
            failed.append(f"{path}: {words_of(error)}")
    return Undone(tuple(reversed(undone)), tuple(reversed(left)), tuple(reversed(failed)))


def path_of(step: Step) -> str:
    """Return the path of a step."""
    return step.target if isinstance(step, Rename) else step.path


def content_of(place: NameInFolder) -> str:
    """Return the content id of a file, which its copies share.

    Raises:
        FileNotFoundError: nothing is there.
        OSError: it cannot be read.
    """
    status = os.stat(place.name, dir_fd=place.directory, follow_symlinks=False)
    if stat.S_ISDIR(status.st_mode):
        return _FOLDER
    if stat.S_ISLNK(status.st_mode):
        return f"link:{sha256(os.fsencode(os.readlink(place.name, dir_fd=place.directory))).hexdigest()}"
    if not stat.S_ISREG(status.st_mode):
        return "other"
    with place.open() as file:
        if status.st_size < _LARGE:
            return sha256(file.read()).hexdigest()
        found = sha256(file.read(_END))
        file.seek(-_END, os.SEEK_END)
        found.update(file.read(_END))
    return f"{status.st_size}:{found.hexdigest()}"


def _undo_rename(root: str, step: Rename) -> bool:
    """Undo a step; return False if the file has changed since."""
    with reached(root, step.source) as old, reached(root, step.target) as new:
        here, there = old.status(), new.status()
        if there is None:
            return here is not None
        if here is not None and (here.st_dev, here.st_ino) == (there.st_dev, there.st_ino):
            new.unlink()  # a second link, where the file system renames in two steps
            return True
        is_ours = not step.content or content_of(new) == step.content
        if here is not None:
            return not is_ours
        is_aside = is_set_aside(os.fsencode(os.path.basename(new.name)))
        if not step.content and not is_aside:  # none of our steps: any file would be ours
            return False
        if is_ours:
            new.rename(old)
        return is_ours


def _undo_write(root: str, step: Write, process: int) -> bool:
    with reached(root, step.path) as place:
        half = place.temporary(process)
        if half.status() is not None:
            half.unlink()
        data = place.read()
        if data == step.before:
            return True
        if digest(data) != step.after:
            return False
        place.put(step.before, None if step.mode is None else step.mode & _PERMISSIONS)
        return True
