"""The journal of a change, by which it can be undone.

It is in the project's own folder, under a name that Unity ignores, from before the first change until after the last:
so it does not depend on the output folder. The next command that changes files undoes the unfinished change of a killed
process, whose steps are recognised by digests of their results. A journal is believed only in the folder, and since the
start of the computer, in which it was written: one that came with a commit, an archive or a copy is refused.
"""

from __future__ import annotations

import os
import sys
from hashlib import sha256
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from assetdb.checks.mending.writing.ignoring import is_tracked
from assetdb.errors import FileError, MendingError
from assetdb.settings.project import JOURNAL_NAME
from assetdb.store.lock_owner import process_start
from assetdb.system.exclusive_rename import rename_exclusively
from assetdb.system.identity import device_and_inode
from assetdb.system.reading import read_small
from assetdb_formats.atomic import replace_file

if TYPE_CHECKING:
    from collections.abc import Sequence

VERSION: Final = 3
"""Version of the format; other versions are refused."""
_LARGEST: Final = 1 << 30
_MOST_ASIDE: Final = 1000
_TRUST: Final = (
    ". If you know that it is of this project (from before a power failure, or before the folder was moved), register,"
    " mv or rm with --trust-journal undoes it"
)


class Write(msgspec.Struct, frozen=True, tag="write"):
    """A file that is written, made (before: None) or removed (after: None).

    Attributes:
        path: of the file.
        before: the former bytes.
        after: the digest of the new bytes.
        mode: its permissions.
    """

    path: str
    before: bytes | None
    after: str | None
    mode: int | None = None


class Rename(msgspec.Struct, frozen=True, tag="rename"):
    """A file or folder that gets another path.

    Attributes:
        source: its path before.
        target: its path after.
        content: digest to recognise it at ``target``; ``""`` if the name is enough.
    """

    source: str
    target: str
    content: str


Step = Write | Rename


class Journal(msgspec.Struct, frozen=True):
    """The steps of a change, before, during and after it.

    Attributes:
        process: the number of the process.
        start: of that process, see :func:`assetdb.store.lock_owner.process_start`.
        folder: device and inode of the project's folder.
        phase: ``doing`` until all steps are done; then ``done``, until files set aside are removed.
        steps: in the order in which they are done.
        trash: files set aside, removed at the end.
        version: of the format.
    """

    process: int
    phase: Literal["doing", "done"]
    steps: tuple[Step, ...]
    trash: tuple[str, ...] = ()
    version: int = VERSION
    start: str = ""
    folder: str = ""


class _Shape(msgspec.Struct, frozen=True):
    version: int = 0


def digest(data: bytes | None) -> str | None:
    """Return the digest of a file's bytes, or None."""
    return sha256(data).hexdigest() if data is not None else None


def begun(root: str, steps: Sequence[Step], trash: Sequence[str]) -> Journal:
    """Return the journal of a change that this process begins."""
    process = os.getpid()
    return Journal(process, "doing", tuple(steps), tuple(trash), start=process_start(process), folder=_folder_of(root))


def write_journal(root: str, journal: Journal) -> None:
    """Write the journal to the disk, before any other file.

    Raises:
        MendingError: it would be too large to be read, or a name in it is not UTF-8.
        OSError: it cannot be written.
    """
    path = os.path.join(root, JOURNAL_NAME)
    try:
        data = msgspec.json.encode(journal)
    except UnicodeEncodeError as error:
        raise MendingError(
            f"{error.object}: its name is not UTF-8, which no journal of a change can hold: use the shell's mv or rm"
        ) from error
    if len(data) > _LARGEST:
        raise MendingError(f"the files to change are too large to be put back all at once ({len(data):,} bytes)")
    if not _made_unnamed(root, path, data):
        replace_file(path, [data])
    _sync(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
    if os.name != "nt":  # Windows cannot open folders, and journals names itself
        _sync(root, os.O_RDONLY)


def _made_unnamed(root: str, path: str, data: bytes) -> bool:
    """Whether the file was written without a name and then named.

    So a process that is killed before leaves nothing. Only Linux can, on some file systems, where no file is there yet.
    """
    flag = getattr(os, "O_TMPFILE", 0)
    if not flag or os.path.lexists(path):
        return False
    try:
        descriptor = os.open(root, flag | os.O_RDWR, 0o666)
    except OSError:  # a file system without such files
        return False
    with open(descriptor, "wb", buffering=0) as file:
        try:
            left = memoryview(data)
            while left:
                left = left[file.write(left) :]
        except OSError as error:
            error.filename = path
            raise
        try:
            os.link(f"/proc/self/fd/{descriptor}", path, follow_symlinks=True)
        except OSError:  # no /proc, or another file took the name
            return False
    return True


def _sync(path: str, flags: int) -> None:
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def has_journal(root: str) -> bool:
    """Whether a change is in progress or unfinished."""
    return os.path.lexists(os.path.join(root, JOURNAL_NAME))


def read_journal(root: str) -> Journal | None:
    """Return the journal of a killed process, or None.

    Raises:
        FileError: it is damaged, or not a file.
        MendingError: git tracks it, or it is of another version, which can undo it.
        OSError: it cannot be read.
    """
    path = os.path.join(root, JOURNAL_NAME)
    if not has_journal(root):
        return None
    if is_tracked(root):  # damaged, too: a merge had put its markers into one
        raise MendingError(_not_believed(root, "git tracks it, so it came with a commit (git rm --cached)"))
    try:
        data = read_small(path, _LARGEST)
    except (FileNotFoundError, NotADirectoryError):
        return None
    try:
        version = msgspec.json.decode(data, type=_Shape).version
    except msgspec.ValidationError:
        version = 0
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise FileError(f"{path}: is damaged ({error})") from error
    try:
        if version == VERSION:
            return msgspec.json.decode(data, type=Journal)
    except msgspec.ValidationError as error:
        raise MendingError(f"{_foreign(path)} ({error})") from error
    raise MendingError(_foreign(path))


def refuse_others(root: str, journal: Journal, *, is_trusted: bool = False) -> None:
    """Raise MendingError for a journal that was not written here.

    Args:
        root: of the project.
        journal: in its folder.
        is_trusted: whether the user says that it may have been written elsewhere, or before a power failure.
    """
    advice = ""
    start = process_start(journal.process) if 0 < journal.process < 1 << 31 else ""
    if journal.process != os.getpid() and start and start == journal.start:
        path = os.path.join(root, JOURNAL_NAME)
        raise MendingError(f"{path}: process {journal.process} is changing files now: wait until it has ended")
    if is_trusted:
        return
    if journal.folder != _folder_of(root):
        why = "it was written in another folder, of which this is a copy or which was cloned"
        advice = _TRUST
    elif _boot_in(journal.start) != _boot_in(process_start(os.getpid())):
        why = "it was written before this computer was started, or elsewhere"
        advice = _TRUST
    else:
        return
    raise MendingError(f"{_not_believed(root, why)}{advice}")


def _not_believed(root: str, why: str) -> str:
    return (
        f"{os.path.join(root, JOURNAL_NAME)}: this journal of an unfinished change is not believed: {why}. Nothing was"
        " undone or changed. If files are half changed, restore them (the journal has their former bytes, in base64,"
        " as `before`); then remove the journal"
    )


def _folder_of(root: str) -> str:
    return " ".join(map(str, device_and_inode(root)))  # as text: some systems' numbers have 128 bits


def _boot_in(start: str) -> str:
    """Return the computer's start, as a process's start tells it."""
    return start.rpartition(" ")[0] if sys.platform == "linux" else ""


def _foreign(path: str) -> str:
    return (
        f"{path}: another version of assetdb left an unfinished change here: run that version again"
        " (register, mv, rm or check --fix), which undoes it; or restore the files by hand and remove this journal"
    )


def remove_journal(root: str) -> None:
    """Remove the journal."""
    try:
        os.unlink(os.path.join(root, JOURNAL_NAME))
    except FileNotFoundError:
        return


def set_journal_aside(root: str) -> str:
    """Rename the journal, which may hold last copies; return its name.

    Raises:
        OSError: it cannot be renamed.
    """
    for number in range(1, _MOST_ASIDE):
        name = f"{JOURNAL_NAME}.{number}"
        try:
            rename_exclusively(os.path.join(root, JOURNAL_NAME), os.path.join(root, name))
        except FileExistsError:
            continue
        return name
    raise MendingError(f"{os.path.join(root, JOURNAL_NAME)}: there are too many such files already: remove them")
