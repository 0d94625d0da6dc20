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
from assetdb.system.reading import read_small
from formats.atomic import replace_file

JOURNAL_NAME: Final = "asset-db.mending"
"""The journal's name in the output folder."""
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
    """

    root: str
    identity: tuple[int, int]
    process: int
    phase: Literal["doing", "done"]
    steps: tuple[Step, ...]
    trash: tuple[str, ...] = ()


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


def read_journal(folder: str) -> Journal | None:
    """Return the journal that a killed process left, or None: there is none, or it is damaged and so never began.

    Raises:
        OSError: it cannot be read.
    """
    try:
        data = read_small(os.path.join(folder, JOURNAL_NAME), _LARGEST)
        return msgspec.json.decode(data, type=Journal)
    except (FileNotFoundError, NotADirectoryError, FileError, msgspec.MsgspecError, UnicodeError):
        return None


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
