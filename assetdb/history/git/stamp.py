"""Stamps of git's history and index, read from files in 50 us."""

from __future__ import annotations

import os

from assetdb.errors import FileError
from assetdb.settings.project import folder_and_parents
from assetdb.system.reading import open_regular

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

_LONGEST_NAME: Final = 1 << 12
_RULES: Final = (".gitignore", ".gitattributes")
_PLAIN_INDEX: Final = b"DIRC\0\0\0\2"
_REFTABLE: Final = os.path.join("reftable", "tables.list")


def history_stamp(root: str) -> str:
    """Return a stamp of a repository's history, ``""`` without one.

    It may change although the history did not, never the reverse: the checked-out commit, and the boundary of a shallow
    clone. It is the same in another clone.
    """
    folder = git_folder(root)
    if not folder:
        return ""
    head = _start_of(os.path.join(folder, "HEAD"))
    common = os.path.join(folder, _start_of(os.path.join(folder, "commondir")) or ".")
    if head.startswith("ref: "):
        head = _start_of(os.path.join(common, head[5:])) or _packed(common, head[5:]) or head
    return "\x1f".join([head, *(_state_of(os.path.join(common, name)) for name in ("shallow", _REFTABLE))])


def index_stamp(root: str) -> str:
    """Return a stamp of git's index and rules for files, or ``""``.

    It may change although the index names the same files, never the reverse. Rules in the folders of assets are left
    out: their files are hidden, and no scan lists them.
    """
    folder = git_folder(root)
    if not folder:
        return ""
    common = os.path.join(folder, _start_of(os.path.join(folder, "commondir")) or ".")
    files = [os.path.join(folder, "index"), os.path.join(common, "info", "exclude")]
    for place in folder_and_parents(os.path.abspath(root)):
        files += [os.path.join(place, name) for name in _RULES]
        if os.path.lexists(os.path.join(place, ".git")):
            break
    return "\x1f".join(map(_state_of, files)) or "index"


def has_whole_checkout(root: str) -> bool:
    """Whether git's index surely leaves out no file.

    Without a repository there is none. An index of version 2 has no place for that (gitformat-index, "extended
    flag"), but may be one half of a split one.
    """
    folder = git_folder(root) or git_folder(os.path.realpath(root))  # git follows links before it looks
    if not folder:
        return True
    if os.path.lexists(os.path.join(folder, "info", "sparse-checkout")):
        return False
    try:
        with open(open_regular(os.path.join(folder, "index")), "rb") as file:
            return file.read(len(_PLAIN_INDEX)) == _PLAIN_INDEX
    except (OSError, FileError):
        return False


def git_folder(root: str) -> str:
    """Return the git folder of a project, or ``""``."""
    for place in folder_and_parents(os.path.abspath(root)):
        found = os.path.join(place, ".git")
        if os.path.isdir(found):
            return found
        link = _start_of(found)
        if link.startswith("gitdir:"):
            return os.path.join(place, link.partition(":")[2].strip())
    return ""


def _packed(folder: str, name: str) -> str:
    """Return the commit of a packed reference, or ``""``."""
    try:
        with open(open_regular(os.path.join(folder, "packed-refs")), "rb") as file:
            wanted = b" " + os.fsencode(name)
            for line in file:
                if line.rstrip(b"\r\n").endswith(wanted):
                    return line.partition(b" ")[0].decode("ascii", "replace")
    except (OSError, FileError, ValueError):
        pass
    return ""


def _state_of(path: str) -> str:
    """Return a file's text, a long one's size and time, or ``""``."""
    try:
        status = os.stat(path)
    except OSError:  # most repositories lack some of the files
        return ""
    if status.st_size < _LONGEST_NAME:
        return f"{status.st_size} {_start_of(path)}"
    return f"{status.st_size} {status.st_mtime_ns}"


def _start_of(path: str) -> str:
    try:
        with open(open_regular(path), "rb") as file:
            return file.read(_LONGEST_NAME).decode("utf-8", "replace").strip()
    except (OSError, FileError, ValueError):
        return ""
