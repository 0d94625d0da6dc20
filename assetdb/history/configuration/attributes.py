"""Lines of ``.gitattributes`` that decide how git shows changes.

``git check-attr`` reports only the result. The lines are found in git's order: ``info/attributes``, then the files from
the folder of the file up to the top, each from its end; see gitattributes(5).
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.system.reading import read_small
from assetdb_formats.globs import path_matcher

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from assetdb.history.git.repository import Repository

NAME: Final = ".gitattributes"
UNSET: Final = "unset"
UNSPECIFIED: Final = "unspecified"
LARGEST: Final = 1 << 24
_SET: Final = "set"
_ATTRIBUTE: Final = "diff"
_MACRO: Final = "[attr]"
_BUILT_IN: Final = {"binary": UNSET}
_LINE: Final = re.compile(r'\s*("(?:[^"\\]|\\.)*"|\S+)\s+(.*)')


class Line(NamedTuple):
    """A stripped line of a file of attributes, numbered from 1."""

    path: str
    number: int
    text: str


def states(repository: Repository, paths: Iterable[str], attribute: str = _ATTRIBUTE, index: str = "") -> list[str]:
    """Return each path's attribute: ``set``, ``unset``, ``unspecified``, or a driver's name.

    Args:
        repository: of the files.
        paths: relative to the project.
        attribute: its name.
        index: a file of git's index, whose ``.gitattributes`` decide instead of the files on the disk.
    """
    words = ("check-attr", *(("--cached",) if index else ()), "-z", "--stdin", attribute)
    given = b"".join(os.fsencode(path) + b"\0" for path in paths)
    more = {"GIT_INDEX_FILE": index} if index else None
    fields = repository.output(*words, more=more, given=given).split(b"\0")
    return [os.fsdecode(state) for state in fields[2::3]]


def deciding_line(repository: Repository, path: str, state: str) -> Line | None:
    """Return the repository's line that sets ``diff`` for a path, or None."""
    info = os.path.join(repository.folder, "info", "attributes")
    macros = _macros(_text(os.path.join(repository.top, NAME)), _text(info))
    whole = repository.prefix + path
    for folder, file in _files(repository, whole):
        below = whole[len(folder) :]
        for line in reversed(list(_lines(file))):
            found = _LINE.match(line.text)
            if found is None or line.text.startswith(("#", _MACRO)):
                continue
            if _value(found[2], macros) == state and _matches(found[1], below):
                return line
    return None


def _files(repository: Repository, path: str) -> Iterator[tuple[str, str]]:
    """Yield folders (ending with ``/``) and attribute files, the strongest first."""
    yield "", os.path.join(repository.folder, "info", "attributes")
    folder = path
    while folder:
        above = folder.rstrip("/").rpartition("/")[0]
        folder = f"{above}/" if above else ""
        yield folder, os.path.join(repository.top, folder, NAME)


def _lines(path: str) -> Iterator[Line]:
    for number, text in enumerate(_text(path).split("\n"), 1):
        yield Line(path, number, text.strip())


def _text(path: str) -> str:
    try:
        return read_small(path, LARGEST).decode("utf-8", "replace")
    except FileNotFoundError:
        return ""


def _macros(*texts: str) -> dict[str, str]:
    """Return the macros that set ``diff``, with their values.

    Args:
        texts: the files in which git allows macros, the strongest last.
    """
    found = dict(_BUILT_IN)
    for text in texts:
        for line in map(str.strip, text.split("\n")):
            if line.startswith(_MACRO):
                name, _, attributes = line.removeprefix(_MACRO).replace("\t", " ").strip().partition(" ")
                value = _value(attributes, found)
                if value:
                    found[name] = value
    return found


def _value(attributes: str, macros: Mapping[str, str]) -> str:
    """Return the last value of ``diff`` on a line, ``""`` for none."""
    value = ""
    for word in attributes.split():
        name, is_given, given = word.partition("=")
        if name == _ATTRIBUTE:
            value = given if is_given else _SET
        elif word == f"-{_ATTRIBUTE}":
            value = UNSET
        elif word == f"!{_ATTRIBUTE}":
            value = UNSPECIFIED
        else:
            value = macros.get(word, value)
    return value


def _matches(pattern: str, path: str) -> bool:
    if pattern.startswith('"'):
        pattern = pattern[1:-1].replace('\\"', '"').replace("\\\\", "\\")
    if pattern.endswith("/"):  # git ignores folders, but assigns attributes only to files
        return False
    try:
        return path_matcher([pattern])(path)
    except ValueError:  # git warns about `!` and continues
        return False
