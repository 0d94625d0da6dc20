"""Application of a plan: all of it or nothing, even when killed.

Every file is compared with the plan's state before anything is written. Removed files are first renamed to a name that
Unity ignores. The change is complete once the journal is gone, or records that all steps are done; a failure before
that is undone, and renamed files are deleted after it.
"""

from __future__ import annotations

import os
import stat
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from assetdb.checks.counting import listed
from assetdb.checks.mending.writing.ignoring import ignore_journal
from assetdb.checks.mending.writing.journal import (
    Rename,
    Write,
    begun,
    digest,
    has_journal,
    read_journal,
    refuse_others,
    remove_journal,
    set_journal_aside,
    write_journal,
)
from assetdb.checks.mending.writing.removing import remove_tree
from assetdb.checks.mending.writing.safe_files import reached
from assetdb.checks.mending.writing.undoing import content_of, path_of, undo
from assetdb.errors import FileError, MendingError
from assetdb.settings.output_folder import output_folder
from assetdb.settings.project import JOURNAL_NAME, SET_ASIDE
from assetdb.store.lock import FileLock
from assetdb.store.output import Output
from assetdb_formats.atomic import remove_leftovers
from assetdb_formats.files import words_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from assetdb.checks.mending.plan import Edit, Plan
    from assetdb.checks.mending.writing.journal import Journal, Step

_LOCK_TIMEOUT: Final = 60.0
_LOCK_NAME: Final = f"{JOURNAL_NAME}.lock"
_ENDING: Final = SET_ASIDE.decode()
_LONGEST: Final = 60


class Applied(NamedTuple):
    """The result of a plan that was carried out.

    Attributes:
        written: files that have other bytes.
        made: files that are new.
        removed: removed files and folders.
        moved: old and new path of what was moved.
        left: why hidden files remain although the plan was carried out: a line for each.
        unignored: why git does not ignore the files of a change in progress, ``""`` if it does.
    """

    written: tuple[str, ...] = ()
    made: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    moved: tuple[tuple[str, str], ...] = ()
    left: tuple[str, ...] = ()
    unignored: str = ""

    @property
    def paths(self) -> tuple[str, ...]:
        """All changed paths."""
        return (*self.written, *self.made, *self.removed, *(path for pair in self.moved for path in pair))


class Recovered(NamedTuple):
    """The result of undoing an unfinished change.

    Attributes:
        undone: restored paths.
        left: paths changed since, which are left alone.
        aside: the new name of the journal, which may have the last copy of a file; ``""`` if it was removed.
        reason: why the journal was rejected, ``""`` if it was valid.
        trash: why files set aside could not be removed: a line for each.
    """

    undone: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    aside: str = ""
    reason: str = ""
    trash: tuple[str, ...] = ()


def apply(plan: Plan, root: str, folder: str | None = None, *, on_step: Callable[[], None] = lambda: None) -> Applied:
    """Carry out a plan, all of it or nothing.

    Args:
        plan: what to do.
        root: the project, absolute.
        folder: its output folder, whose lock is held; by default the folder in the project's settings.
        on_step: called after every change to the disk.

    Raises:
        MendingError: a file has changed since the plan, is read-only or reached through a link; or they are too large
            to be restored; or an unfinished change was not made here.
        LockedError: another process changes files, or bakes, for too long.
        ProjectError: the output folder cannot be made.
        OSError: a file cannot be written. After any error all files are as before, except for those that it names: they
            were changed meanwhile, or cannot be written any more, and the journal is kept.
    """
    root = os.path.abspath(root)
    if plan.is_empty:
        return Applied()
    unignored = ignore_journal(root)
    with _locked(root, folder):
        _recover(root)
        earlier = read_journal(root)  # of a change whose files could not all be removed
        steps, trash, identities = _steps(plan, root)
        trash += earlier.trash if earlier is not None else ()
        journal = begun(root, steps, trash)
        contents = {edit.path: edit.after for edit in plan.edits}
        done: list[Step] = []
        try:
            write_journal(root, journal)
            on_step()
            for step in steps:
                done.append(step)
                if isinstance(step, Rename) and step.source in plan.emptied:
                    _refuse_filled(root, step.source, trash)
                _do(root, step, contents, identities)
                on_step()
            if trash:
                write_journal(root, msgspec.structs.replace(journal, phase="done", steps=()))
            else:
                remove_journal(root)
        except BaseException as error:
            failure = _roll_back(root, done, journal.process, error, earlier)
            if failure is not None and isinstance(error, Exception):
                raise failure from error
            raise
        left: list[str] = []
        if trash:
            on_step()
            left = _clear(root, trash)
            on_step()
            try:
                if not left:
                    remove_journal(root)
            except OSError as error:
                left.append(f"{JOURNAL_NAME} cannot be removed: {words_of(error)}; remove it by hand")
    changed = [edit for edit in plan.edits if edit.before is not None and edit.after is not None]
    removed = [edit.path for edit in plan.edits if edit.after is None]
    return Applied(
        tuple(edit.path for edit in changed),
        tuple(edit.path for edit in plan.edits if edit.before is None),
        (*plan.removals, *removed),
        tuple((move.source, move.target) for move in plan.moves),
        tuple(left),
        unignored,
    )


def examine(plan: Plan, root: str) -> None:
    """Check that :func:`apply` would begin with a plan.

    Raises:
        MendingError: a file has changed since the plan, is read-only or reached through a link.
        OSError: a file cannot be read.
    """
    _steps(plan, os.path.abspath(root))


def recover(root: str, folder: str | None = None, *, is_trusted: bool = False) -> Recovered:
    """Undo the unfinished change of a killed process.

    ``is_trusted``: as for :func:`refuse_others`.

    Raises:
        MendingError: some of it cannot be undone now, or only by another version of assetdb; the journal is kept.
        LockedError: another process holds the lock for too long.
        OSError: the journal cannot be read or removed.
    """
    root = os.path.abspath(root)
    if not has_journal(root):
        return Recovered()
    with _locked(root, folder):
        return _recover(root, is_trusted=is_trusted)


@contextmanager
def _locked(root: str, folder: str | None) -> Iterator[None]:
    """Hold the locks of the output folder and the project.

    The first excludes bakes, the second also those with another output folder.
    """
    place = folder or output_folder(root).path
    output = Output(place, root=root)
    output.make_folder()
    path = os.path.join(root, _LOCK_NAME)
    with output.locked(_LOCK_TIMEOUT, role="mend"):
        try:
            with FileLock(path, _LOCK_TIMEOUT, role="mend"):
                remove_leftovers(root, (JOURNAL_NAME,))
                try:
                    yield
                finally:
                    if sys.platform != "win32":  # while it is held, so that waiting processes notice
                        _unlock(path)
        finally:
            if sys.platform == "win32":  # Windows removes no open file, not even another process's
                _unlock(path)


def _unlock(path: str) -> None:
    """Remove a lock file.

    A remaining file locks nobody out, and must not turn success into an error.
    """
    try:  # noqa: SIM105 - as above
        os.unlink(path)
    except OSError:
        pass


def _recover(root: str, *, is_trusted: bool = False) -> Recovered:
    try:
        journal = read_journal(root)
    except FileError as error:
        return Recovered(aside=set_journal_aside(root), reason=str(error))
    if journal is None:
        return Recovered()
    refuse_others(root, journal, is_trusted=is_trusted)
    if journal.phase == "done":
        trash = _clear(root, journal.trash)
        if not trash:
            remove_journal(root)
        return Recovered(trash=tuple(trash))
    found = undo(root, journal.steps, journal.process)
    if found.failed:
        raise MendingError(f"an unfinished change cannot be undone now: {'; '.join(found.failed)}")
    aside = set_journal_aside(root) if found.left else ""
    remove_journal(root)
    return Recovered(found.undone, found.left, aside)


def _roll_back(
    root: str, done: Sequence[Step], process: int, error: BaseException, earlier: Journal | None
) -> MendingError | None:
    """Undo the steps that were begun; return a fuller error if needed.

    ``earlier``: the previous journal, with files still to be removed.
    """
    found = undo(root, done, process)
    if found.failed:
        return MendingError(
            f"{error}; and the completed steps cannot be undone now ({'; '.join(found.failed)}):"
            " the next register, mv, rm or check --fix does so"
        )
    left = found.left
    if isinstance(error, MendingError) and left and left[-1] == path_of(done[-1]):
        left = left[:-1]  # this step was not begun, which is the error
    try:
        if left:
            aside = set_journal_aside(root) if has_journal(root) else ""
            where = f" (what was there before is in {aside})" if aside else ""
            return MendingError(f"{error}; not restored, because it was changed since: {listed(left)}{where}")
        if earlier is not None:
            write_journal(root, earlier)
        else:
            remove_journal(root)
    except OSError as second:
        return MendingError(f"{error}; all files are as they were, but {second}")
    return None


# --- steps


_Identity = tuple[int, int]  # device and inode of a file, within this process


def _steps(plan: Plan, root: str) -> tuple[list[Step], list[str], dict[str, _Identity]]:
    """Return a plan's steps, files to remove later, and identities by path.

    Raises:
        MendingError: the tree has changed since the plan.
    """
    steps: list[Step] = []
    trash: list[str] = []
    identities: dict[str, _Identity] = {}
    for edit in plan.edits:
        mode = _compare(root, edit)
        steps.append(Write(edit.path, edit.before, digest(edit.after), mode))
    sources = [move.source for move in plan.moves]
    for move in plan.moves:
        steps += _renames(root, move.source, move.target, sources, identities)
    for path in plan.removals:
        aside = _aside(path)
        with reached(root, path) as place:
            status = place.status()
        if status is None:
            raise MendingError(f"{path}: no longer exists")
        identities[path] = status.st_dev, status.st_ino
        steps.append(Rename(path, aside, ""))
        trash.append(aside)
    return steps, trash, identities


def _compare(root: str, edit: Edit) -> int | None:
    """Return the permissions of a file unchanged since the plan.

    Raises:
        MendingError: it is not, or is read-only.
    """
    with reached(root, edit.path) as place:
        status = place.status()
        if edit.before is None and status is not None:
            raise MendingError(f"{edit.path}: was created since this was planned")
        if edit.before is not None and place.read() != edit.before:
            raise MendingError(f"{edit.path}: has changed since this was planned; try again")
        if status is not None and edit.after is not None and not status.st_mode & 0o222:
            raise MendingError(f"{edit.path}: is read-only; check it out of version control, or make it writable")
    return stat.S_IMODE(status.st_mode) if status is not None else None


def _renames(
    root: str, source: str, target: str, sources: Sequence[str], identities: dict[str, _Identity]
) -> list[Step]:
    """Return a move's steps: two where both names are the same file."""
    with reached(root, source) as place:
        status = place.status()
        if status is None:
            raise MendingError(f"{source}: no longer exists")
        content = content_of(place)
    identity = identities[source] = status.st_dev, status.st_ino
    if os.path.dirname(source) == os.path.dirname(target):
        with reached(root, target) as place:
            there = place.status()
        if there is not None and (there.st_dev, there.st_ino) == identity and target not in sources:
            between = _aside(source)
            identities[between] = identity
            return [Rename(source, between, ""), Rename(between, target, content)]
    return [Rename(source, target, content)]


def _aside(path: str) -> str:
    folder, _, name = path.rpartition("/")
    return f"{folder}/.{name[:_LONGEST]}.{os.urandom(4).hex()}{_ENDING}"


def _do(root: str, step: Step, contents: dict[str, bytes | None], identities: dict[str, _Identity]) -> None:
    if isinstance(step, Rename):
        _rename(root, step.source, step.target, identities[step.source])
        return
    with reached(root, step.path) as place:
        if place.read() != step.before:  # changed since the comparison
            raise MendingError(f"{step.path}: has changed since this was planned; try again")
        place.put(contents[step.path], step.mode)


def _refuse_filled(root: str, folder: str, trash: Sequence[str]) -> None:
    """Refuse to remove an emptied folder in which something is left."""
    known = {path.rpartition("/")[2] for path in trash if path.rpartition("/")[0] == folder}
    with reached(root, f"{folder}/{JOURNAL_NAME}") as inside:
        names = os.listdir(os.path.dirname(inside.name) if inside.directory is None else inside.directory)
    for name in sorted(names):
        if name not in known:
            raise MendingError(f"{folder}/{name}: was created since this was planned; try again")


def _rename(root: str, source: str, target: str, identity: _Identity) -> None:
    with reached(root, source) as old, reached(root, target) as new:
        status = old.status()
        if status is None or (status.st_dev, status.st_ino) != identity:
            raise MendingError(f"{source}: has changed since this was planned; try again")
        try:
            old.rename(new)
        except OSError as error:
            error.filename, error.filename2 = source, target
            raise


# --- files set aside


def _clear(root: str, trash: Sequence[str]) -> list[str]:
    """Remove files that were set aside; return a line for each failure."""
    left = []
    for path in trash:
        if not path.endswith(_ENDING) or not path.rpartition("/")[2].startswith("."):
            continue  # not recorded in our journal
        try:
            with reached(root, path) as place:
                status = place.status()
                if status is None:
                    continue
                if stat.S_ISDIR(status.st_mode):
                    remove_tree(place)
                else:
                    place.unlink()
        except FileNotFoundError:
            continue
        except (OSError, MendingError) as error:
            said = words_of(error)
            left.append(f"{path} was set aside, and cannot be removed: {said}; the next command tries again")
    return left
