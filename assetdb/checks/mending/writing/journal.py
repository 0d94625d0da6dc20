"""The journal of a change, by which it can be undone.

It is in the project's own folder, under a name that Unity ignores, from before the first change until after the last:
so it is there whatever becomes of the output folder, and a copy of the project takes it along. Whoever changes files
next undoes what a killed process left half done. What each step left is recognised by its digest, never by the
device and number of a file, which are others in a copy and in a restarted container.
"""

from __future__ import annotations

import os
from hashlib import sha256
from typing import Final, Literal

import msgspec

from assetdb.errors import FileError, MendingError
from assetdb.settings.project import JOURNAL_NAME
from assetdb.system.exclusive_rename import rename_exclusively
from assetdb.system.reading import read_small
from assetdb_formats.atomic import replace_file

VERSION: Final = 2
"""Of the journal's shape: another assetdb's is not guessed at."""
_LARGEST: Final = 1 << 30
_MOST_ASIDE: Final = 1000


class Write(msgspec.Struct, frozen=True, tag="write"):
    """A file that is written, made or removed.

    Made where ``before`` is None, removed where ``after`` is None.

    Attributes:
        path: of the file.
        before: the bytes that it had.
        after: the digest of those that it gets.
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
        content: what it is recognised by at ``target``; ``""`` where that name alone says so.
    """

    source: str
    target: str
    content: str


Step = Write | Rename


class Journal(msgspec.Struct, frozen=True):
    """The steps of a change, before, during and after it.

    Attributes:
        process: the number of the process.
        phase: ``doing`` until all steps are done; then ``done``, until what was set aside is removed.
        steps: in the order in which they are done.
        trash: what is removed at the end, set aside by steps.
        version: of its shape.
    """

    process: int
    phase: Literal["doing", "done"]
    steps: tuple[Step, ...]
    trash: tuple[str, ...] = ()
    version: int = VERSION


class _Shape(msgspec.Struct, frozen=True):
    version: int = 0


def digest(data: bytes | None) -> str | None:
    """Return the digest of a file's bytes, or None."""
    return sha256(data).hexdigest() if data is not None else None


def write_journal(root: str, journal: Journal) -> None:
    """Write the journal to the disk, before any other file.

    Raises:
        MendingError: it would be larger than is read again.
        OSError: it cannot be written.
    """
    path = os.path.join(root, JOURNAL_NAME)
    data = msgspec.json.encode(journal)
    if len(data) > _LARGEST:
        raise MendingError(f"the files to change are too large to be put back all at once ({len(data):,} bytes)")
    replace_file(path, [data])
    descriptor = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    _keep_names(root)


def _keep_names(folder: str) -> None:
    """Sync the names in a folder to the disk.

    Windows opens no folder, and keeps names in a journal of its own.
    """
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def has_journal(root: str) -> bool:
    """Whether a change is under way, or was left half done."""
    return os.path.lexists(os.path.join(root, JOURNAL_NAME))


def read_journal(root: str) -> Journal | None:
    """Return the journal of a killed process, or None.

    Raises:
        FileError: it is damaged, or no file: nobody can say what it was about.
        MendingError: it is whole, and of another assetdb, which can undo what it holds.
        OSError: it cannot be read.
    """
    path = os.path.join(root, JOURNAL_NAME)
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


def _foreign(path: str) -> str:
    return (
        f"{path}: another version of assetdb left a change half done here: run that version once more"
        " (register, mv, rm or check --fix), which undoes it; or restore the files by hand and remove this journal"
    )


def remove_journal(root: str) -> None:
    """Remove the journal."""
    try:
        os.unlink(os.path.join(root, JOURNAL_NAME))
    except FileNotFoundError:
        return


def set_journal_aside(root: str) -> str:
    """Rename the journal; return its new name.

    It may hold the last copy of a file.

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
    raise MendingError(f"{os.path.join(root, JOURNAL_NAME)}: there are too many of its like already: remove them")
