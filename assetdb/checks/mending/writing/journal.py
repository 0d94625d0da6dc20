"""The journal of a change, by which it can be undone.

It is in the project's own folder, under a name that Unity ignores, from before the first change until after the last:
so it does not depend on the output folder, and is part of a copy of the project. The next command that changes files
undoes the unfinished change of a killed process. The result of each step is recognised by its digest, never by device
and inode, which differ in a copy and in a restarted container.
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
"""Version of the format; other versions are refused."""
_LARGEST: Final = 1 << 30
_MOST_ASIDE: Final = 1000


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


class _Shape(msgspec.Struct, frozen=True):
    version: int = 0


def digest(data: bytes | None) -> str | None:
    """Return the digest of a file's bytes, or None."""
    return sha256(data).hexdigest() if data is not None else None


def write_journal(root: str, journal: Journal) -> None:
    """Write the journal to the disk, before any other file.

    Raises:
        MendingError: it would be too large to be read.
        OSError: it cannot be written.
    """
    path = os.path.join(root, JOURNAL_NAME)
    data = msgspec.json.encode(journal)
    if len(data) > _LARGEST:
        raise MendingError(f"the files to change are too large to be put back all at once ({len(data):,} bytes)")
    replace_file(path, [data])
    _sync(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
    if os.name != "nt":  # Windows cannot open folders, and journals names itself
        _sync(root, os.O_RDONLY)


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
        MendingError: it is intact, but of another version, which can undo it.
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
