"""Making a plan true: all of it, or nothing, whatever fails and whenever the process is killed.

Every file is compared with what the plan saw before anything is written. What is removed is renamed first, to a name
that Unity does not see, and goes when all else is done.
"""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.checks.mending.journal import (
    Journal,
    Rename,
    Write,
    digest,
    is_of,
    read_journal,
    remove_journal,
    write_journal,
)
from assetdb.checks.mending.paths import listed
from assetdb.checks.mending.place import Place, reached
from assetdb.checks.mending.removing import remove_tree
from assetdb.errors import MendingError
from assetdb.settings.output_folder import output_folder
from assetdb.store.files import JOURNAL_NAME, remove_leftovers
from assetdb.store.output import Output

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from assetdb.checks.mending.journal import Step
    from assetdb.checks.mending.plan import Edit, Plan

_LOCK_TIMEOUT: Final = 60.0
_SET_ASIDE: Final = ".assetdb-removed"
_LONGEST: Final = 60


class Applied(NamedTuple):
    """What was changed.

    Attributes:
        written: files that have other bytes.
        made: files that are new.
        removed: files and folders that are no more.
        moved: old and new path of what was moved.
    """

    written: tuple[str, ...] = ()
    made: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    moved: tuple[tuple[str, str], ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        """All paths at which something is other than it was."""
        return (*self.written, *self.made, *self.removed, *(path for pair in self.moved for path in pair))


class Recovered(NamedTuple):
    """What was done about a change that a killed process left.

    Attributes:
        undone: paths that are again as they were.
        left: paths that somebody has changed since, which stay as they are.
    """

    undone: tuple[str, ...] = ()
    left: tuple[str, ...] = ()


def apply(plan: Plan, root: str, folder: str | None = None, *, on_step: Callable[[], None] = lambda: None) -> Applied:
    """Do what a plan says, all of it or nothing.

    Args:
        plan: what to do.
        root: the project, absolute.
        folder: its output folder, where the journal is; by default the one that the project's settings say.
        on_step: is called after everything that changes the disk.

    Raises:
        MendingError: a file is not what it was when the plan was made, is read-only or reached through a link; or all
            of them are too large to be put back.
        LockedError: another process is at it, or bakes, for too long.
        ProjectError: the output folder cannot be made.
        OSError: a file cannot be written. Whatever is raised, all files are as they were, but for those that somebody
            changed meanwhile, which the error names.
    """
    root = os.path.abspath(root)
    if plan.is_empty:
        return Applied()
    with _locked(root, folder) as place:
        _recover(root, place)
        steps, trash = _steps(plan, root)
        status = os.stat(root)
        journal = Journal(root, (status.st_dev, status.st_ino), os.getpid(), "doing", tuple(steps), tuple(trash))
        contents = {edit.path: edit.after for edit in plan.edits}
        done: list[Step] = []
        try:
            write_journal(place, journal)
            on_step()
            for step in steps:
                done.append(step)
                _do(root, step, contents)
                on_step()
        except BaseException as error:
            left = _undo(root, done, journal.process).left
            remove_journal(place)
            # The last step of those that were not even begun is what the error is about.
            left = left[:-1] if isinstance(error, MendingError) and left and left[-1] == _path(done[-1]) else left
            if left and isinstance(error, Exception):
                raise MendingError(f"{error}; not put back, for somebody changed it since: {listed(left)}") from error
            raise
        if trash:
            write_journal(place, Journal(root, journal.identity, journal.process, "done", (), journal.trash))
            on_step()
            _clear(root, trash)
            on_step()
        remove_journal(place)
    changed = [edit for edit in plan.edits if edit.before is not None and edit.after is not None]
    gone = [edit.path for edit in plan.edits if edit.after is None]
    return Applied(
        tuple(edit.path for edit in changed),
        tuple(edit.path for edit in plan.edits if edit.before is None),
        (*plan.removals, *gone),
        tuple((move.source, move.target) for move in plan.moves),
    )


def recover(root: str, folder: str | None = None) -> Recovered:
    """Undo what a killed process left half done, if there is such.

    Raises:
        LockedError: another process is at it for too long.
        OSError: a file cannot be written; the journal stays.
    """
    root = os.path.abspath(root)
    place = folder or output_folder(root).path
    if not os.path.lexists(os.path.join(place, JOURNAL_NAME)):
        return Recovered()
    with _locked(root, place):
        return _recover(root, place)


@contextmanager
def _locked(root: str, folder: str | None) -> Iterator[str]:
    place = folder or output_folder(root).path
    output = Output(place, root=root)
    output.make_folder()
    with output.locked(_LOCK_TIMEOUT, role="mend"):
        remove_leftovers(place, (JOURNAL_NAME,))
        yield place


def _recover(root: str, folder: str) -> Recovered:
    journal = read_journal(folder)
    found = Recovered()
    if journal is not None and is_of(journal, root):
        if journal.phase == "doing":
            found = _undo(root, journal.steps, journal.process)
        else:
            _clear(root, journal.trash)
    remove_journal(folder)
    return found


# --- steps


def _steps(plan: Plan, root: str) -> tuple[list[Step], list[str]]:
    """Return what to do, one thing after the other, where the tree is as the plan saw it; and what goes at the end."""
    steps: list[Step] = []
    trash: list[str] = []
    for edit in plan.edits:
        _compare(root, edit)
        steps.append(Write(edit.path, edit.before, digest(edit.after)))
    for move in plan.moves:
        steps += _renames(root, move.source, move.target, [move.source for move in plan.moves])
    for path in plan.removals:
        aside = _aside(path)
        with reached(root, path) as place:
            status = place.status()
        if status is None:
            raise MendingError(f"{path}: is not there (any more)")
        steps.append(Rename(path, aside, (status.st_dev, status.st_ino)))
        trash.append(aside)
    return steps, trash


def _compare(root: str, edit: Edit) -> None:
    with reached(root, edit.path) as place:
        status = place.status()
        if edit.before is None and status is not None:
            raise MendingError(f"{edit.path}: is there (since this was planned)")
        if edit.before is not None and place.read() != edit.before:
            raise MendingError(f"{edit.path}: is not what it was when this was planned; try again")
        if status is not None and edit.after is not None and not status.st_mode & 0o222:
            raise MendingError(f"{edit.path}: is read-only; check it out of version control, or make it writable")


def _renames(root: str, source: str, target: str, sources: Sequence[str]) -> list[Step]:
    """Return the step that moves something, or two where the file system holds both names for one."""
    with reached(root, source) as place:
        status = place.status()
    if status is None:
        raise MendingError(f"{source}: is not there (any more)")
    identity = status.st_dev, status.st_ino
    if os.path.dirname(source) == os.path.dirname(target):
        with reached(root, target) as place:
            there = place.status()
        if there is not None and (there.st_dev, there.st_ino) == identity and target not in sources:
            between = _aside(source)
            return [Rename(source, between, identity), Rename(between, target, identity)]
    return [Rename(source, target, identity)]


def _aside(path: str) -> str:
    folder, _, name = path.rpartition("/")
    return f"{folder}/.{name[:_LONGEST]}.{os.urandom(4).hex()}{_SET_ASIDE}"


def _do(root: str, step: Step, contents: dict[str, bytes | None]) -> None:
    if isinstance(step, Rename):
        _rename(root, step.source, step.target, step.identity)
        return
    with reached(root, step.path) as place:
        if place.read() != step.before:  # since it was compared
            raise MendingError(f"{step.path}: is not what it was when this was planned; try again")
        _put(place, contents[step.path])


def _put(place: Place, data: bytes | None) -> None:
    try:
        if data is None:
            place.unlink()
        else:
            place.write(data)
    except OSError as error:
        error.filename = place.path
        raise


def _rename(root: str, source: str, target: str, identity: tuple[int, int]) -> None:
    with reached(root, source) as old, reached(root, target) as new:
        status = old.status()
        if status is None or (status.st_dev, status.st_ino) != identity:
            raise MendingError(f"{source}: is not what it was when this was planned; try again")
        if new.status() is not None:
            raise MendingError(f"{target}: is there already")
        try:
            old.rename(new)
        except OSError as error:
            error.filename, error.filename2 = source, target
            raise


def _undo(root: str, steps: Sequence[Step], process: int) -> Recovered:
    """Take steps back, the last one first; each may have been done, not done, or half."""
    undone: list[str] = []
    left: list[str] = []
    for step in reversed(steps):
        path = _path(step)
        try:
            (undone if _undo_step(root, step, process) else left).append(path)
        except (MendingError, FileNotFoundError):  # a link stands there now, or its folder is gone
            left.append(path)
    return Recovered(tuple(reversed(undone)), tuple(reversed(left)))


def _path(step: Step) -> str:
    return step.target if isinstance(step, Rename) else step.path


def _undo_step(root: str, step: Step, process: int) -> bool:
    """Take one step back; return False where somebody has changed the file since."""
    if isinstance(step, Rename):
        with reached(root, step.source) as old, reached(root, step.target) as new:
            status = new.status()
            if status is None or (status.st_dev, status.st_ino) != step.identity:
                return old.status() is not None
            if old.status() is not None:
                return False
            new.rename(old)
            return True
    with reached(root, step.path) as place:
        half = place.temporary(process)
        if half.status() is not None:
            half.unlink()
        data = place.read()
        if data == step.before:
            return True
        if digest(data) != step.after:
            return False
        _put(place, step.before)
        return True


# --- what was set aside


def _clear(root: str, trash: Sequence[str]) -> None:
    for path in trash:
        if not path.endswith(_SET_ASIDE) or not path.rpartition("/")[2].startswith("."):
            continue  # no journal of ours says so
        with reached(root, path) as place:
            status = place.status()
            if status is None:
                continue
            try:
                if stat.S_ISDIR(status.st_mode):
                    remove_tree(place)
                else:
                    place.unlink()
            except OSError as error:
                raise MendingError(
                    f"{path}: was set aside, and cannot be removed: {error.strerror or error}; remove it by hand"
                ) from error
