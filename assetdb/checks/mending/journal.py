"""The journal of a change of many files: what it takes to have all of them as they were.

It stands in the output folder from before the first change until after the last. Whoever starts next undoes what a
killed process left half done, or finishes what was done but for the clearing up.
"""

from __future__ import annotations

import os
from hashlib import sha256
from typing import Final, Literal

import msgspec

from assetdb.errors import FileError, MendingError
from assetdb.store.files import JOURNAL_NAME
from assetdb.system.reading import read_small
from formats.atomic import replace_file

VERSION: Final = 1
"""Of the journal's shape: another assetdb's is not guessed at."""
_LARGEST: Final = 1 << 30


class Write(msgspec.Struct, frozen=True, tag="write"):
    """A file that is written, made (``before`` is None) or removed (``after``, its digest, is None)."""

    path: str
    before: bytes | None
    after: str | None


class Rename(msgspec.Struct, frozen=True, tag="rename"):
    """A file or folder (device and number ``identity``) that gets another path."""

    source: str
    target: str
    identity: tuple[int, int]


Step = Write | Rename


class Journal(msgspec.Struct, frozen=True):
    """What a process is about to do, is doing, or has done.

    Attributes:
        root: the project, absolute.
        identity: device and number of its folder: a journal that came with a copy is nobody's.
        process: who does it.
        phase: ``doing`` until all steps are done; then ``done``, until what was set aside is removed.
        steps: in the order in which they are done.
        trash: what is removed at the end, set aside by steps.
        version: of its shape.
    """

    root: str
    identity: tuple[int, int]
    process: int
    phase: Literal["doing", "done"]
    steps: tuple[Step, ...]
    trash: tuple[str, ...] = ()
    version: int = VERSION


class _Shape(msgspec.Struct, frozen=True):
    version: int = 0


def digest(data: bytes | None) -> str | None:
    """Return what tells the bytes of a file from others; None for no file."""
    return sha256(data).hexdigest() if data is not None else None


def write_journal(folder: str, journal: Journal) -> None:
    """Write the journal, and have it on the disk before anything else is.

    Raises:
        MendingError: it would be larger than is read again.
    """
    path = os.path.join(folder, JOURNAL_NAME)
    data = msgspec.json.encode(journal)
    if len(data) > _LARGEST:
        raise MendingError(f"the files to change are too large to be put back all at once ({len(data):,} bytes)")
    replace_file(path, [data])
    descriptor = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    _keep_names(folder)


def _keep_names(folder: str) -> None:
    """Have the names in a folder on the disk; Windows opens no folder, and keeps names in a journal of its own."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_journal(folder: str) -> Journal | None:
    """Return the journal that a killed process left, or None: there is none, or it is damaged and so never began.

    Raises:
        MendingError: it is whole, and of another assetdb: what it holds may be all there is of files half changed.
        OSError: it cannot be read.
    """
    path = os.path.join(folder, JOURNAL_NAME)
    try:
        data = read_small(path, _LARGEST)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except FileError as error:
        raise MendingError(f"{error}; look at it, and move it away") from error
    try:
        version = msgspec.json.decode(data, type=_Shape).version
    except msgspec.ValidationError:
        version = 0
    except (msgspec.MsgspecError, UnicodeError):
        return None
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


def remove_journal(folder: str) -> None:
    """Remove the journal."""
    try:
        os.unlink(os.path.join(folder, JOURNAL_NAME))
    except FileNotFoundError:
        return


def is_of(journal: Journal, root: str) -> bool:
    """Whether a journal is of this project, on this machine.

    Its folder counts, not its path: a project that was killed under one name is mended under another, by way of a link
    too, and a journal that is not believed is lost.
    """
    try:
        status = os.stat(root)
    except OSError:
        return False
    return journal.identity == (status.st_dev, status.st_ino)
