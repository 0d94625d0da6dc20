"""Stamps of git's history and index, read from files in 50 us."""

from __future__ import annotations

import os
import sys

from assetdb.errors import FileError
from assetdb.settings.project import folder_and_parents
from assetdb.system.reading import open_regular

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

_LONGEST_NAME: Final = 1 << 12
_LONGEST_RULES: Final = 1 << 20
_RULES: Final = (".gitignore", ".gitattributes")
_MODULES: Final = ".gitmodules"
_MOST_SUBMODULES: Final = 1000
_WITH_COMMITS: Final = ("HEAD", "FETCH_HEAD", "packed-refs", "logs/HEAD")
_PLAIN_INDEX: Final = b"DIRC\0\0\0\2"
_REFTABLE: Final = os.path.join("reftable", "tables.list")
_WHOLE_NAMES: Final = (_PLAIN_INDEX, b"DIRC\0\0\0\3")  # from version 4 on, names are shortened
_SHARED: Final = "sharedindex."
IN_ANY_CASE: Final = sys.platform != "linux"
"""Whether most disks of the system find names in any case."""
_TIMEOUT: Final = 5.0


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
    out: their files are hidden, and no scan lists them. Of each submodule that ``.gitmodules`` names it has the index,
    the rules, and the files that change when a commit is made or fetched.
    """
    folder = git_folder(root)
    if not folder:
        return ""
    files = _deciding_files(folder)
    for place in folder_and_parents(os.path.abspath(root)):
        files += [os.path.join(place, name) for name in _RULES]
        if os.path.lexists(os.path.join(place, ".git")):
            files += _files_of_submodules(place)
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
    return next(filter(None, map(_git_folder_at, folder_and_parents(os.path.abspath(root)))), "")


def came_with_commit(path: str) -> bool:
    """Whether git tracks a file, or could not say so.

    Facts that somebody committed need not be of the files that they name: nothing that is made here is ever committed.
    Git is asked only if its index has a file of the name.
    """
    path = os.path.realpath(path)  # a link may have been committed, too
    for place in folder_and_parents(os.path.dirname(path)):
        folder = _git_folder_at(place)
        if folder:
            return _may_have(folder, os.path.basename(path)) and _tracks(place, path)
    return False


def _git_folder_at(place: str) -> str:
    """Return the git folder of a repository's top folder, or ``""``."""
    found = os.path.join(place, ".git")
    if os.path.isdir(found):
        return found
    link = _start_of(found)
    return os.path.join(place, link.partition(":")[2].strip()) if link.startswith("gitdir:") else ""


def _deciding_files(folder: str) -> list[str]:
    """Return the files of a git folder that decide on tracking."""
    common = os.path.join(folder, _start_of(os.path.join(folder, "commondir")) or ".")
    return [os.path.join(folder, "index"), os.path.join(common, "info", "exclude")]


def _files_of_submodules(top: str) -> list[str]:
    """Return the files that decide which files submodules have, theirs included."""
    found: list[str] = []
    tops, seen = [top], {top}
    for place in tops:
        for name in _named_in(os.path.join(place, _MODULES)):
            inner = os.path.normpath(os.path.join(place, name))
            if not inner.startswith(place + os.sep) or inner in seen or len(seen) > _MOST_SUBMODULES:
                continue
            folder = _git_folder_at(inner)
            if folder:
                seen.add(inner)
                tops.append(inner)
                found += _deciding_files(folder)
                found += [os.path.join(folder, name) for name in _WITH_COMMITS]
                found += [os.path.join(inner, name) for name in _RULES]
    return found


def _named_in(path: str) -> list[str]:
    """Return the folders that a ``.gitmodules`` names."""
    try:
        with open(open_regular(path), "rb") as file:
            lines = file.read(_LONGEST_RULES).splitlines()
    except (OSError, FileError, ValueError):  # most repositories have none
        return []
    rows = [line.partition(b"=") for line in lines]
    return [os.fsdecode(value.strip().strip(b'"')) for key, _, value in rows if key.strip().lower() == b"path"]


def _may_have(folder: str, name: str) -> bool:
    """Whether a git folder's index may have a file name."""
    import mmap  # noqa: PLC0415 - most output folders are known to be of this machine

    wanted = os.fsencode(name)
    try:
        with (
            open(open_regular(os.path.join(folder, "index")), "rb") as file,
            mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data,
        ):
            # Most names of a split index are in a file beside it; its mark in 20 MB of another takes 27 ms to miss.
            is_split = any(each.startswith(_SHARED) for each in os.listdir(folder))
            if is_split or data[: len(_PLAIN_INDEX)] not in _WHOLE_NAMES:
                return True
            return wanted.lower() in data[:].lower() if IN_ANY_CASE else data.find(wanted) >= 0
    except (OSError, FileError, ValueError):  # nothing was added yet
        return False


def _tracks(top: str, path: str) -> bool:
    from assetdb.history.git.questions import output_of  # noqa: PLC0415 - as above

    magic = ":(literal,icase)" if IN_ANY_CASE else ":(literal)"
    name = os.path.relpath(path, top).replace(os.sep, "/")
    found = output_of(top, ("ls-files", "--", f"{magic}{name}"), _TIMEOUT)
    return found is None or bool(found)


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
        return f"{status.st_size} {_first_bytes(path).decode('latin-1')}"  # no two indexes are one text
    return f"{status.st_size} {status.st_mtime_ns}"


def _start_of(path: str) -> str:
    return _first_bytes(path).decode("utf-8", "replace").strip()


def _first_bytes(path: str) -> bytes:
    try:
        with open(open_regular(path), "rb") as file:
            return file.read(_LONGEST_NAME).strip()
    except (OSError, FileError, ValueError):
        return b""
