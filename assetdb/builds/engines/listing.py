"""The files of a build of another engine, with sizes and names."""

from __future__ import annotations

import os
import stat
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from assetdb_formats.files import words_of
from assetdb_formats.inputs import Folder

if TYPE_CHECKING:
    from collections.abc import Sequence


class ListedFile(NamedTuple):
    """A file of a build: path, displayed name and bytes."""

    path: str
    name: str
    size: int


def list_files(paths: Sequence[str], problems: list[str]) -> dict[str, ListedFile]:
    """Return the regular files by path; failures go into ``problems``.

    Raises:
        InputError: more folders than are walked.
        OSError: one of the paths is not there, or cannot be read.
    """
    found: dict[str, ListedFile] = {}
    given = {os.path.realpath(path): path for path in reversed(paths)}  # one that is given twice is one
    bases: Counter[str] = Counter()
    for path in reversed(given.values()):
        base = os.path.basename(os.path.abspath(path))
        bases[base] += 1
        if bases[base] > 1:  # the Paks of two games
            base = f"{base} ({bases[base]})"
        if not os.path.isdir(path):
            found[path] = ListedFile(path, base, os.stat(path).st_size)
            continue
        folder = Folder(path, on_refused=partial(_note, problems, path))
        for member in folder.names():
            place = folder.place(member)
            try:
                status = os.stat(place)
            except OSError as error:
                problems.append(f"{member}: {words_of(error)}")
                continue
            if stat.S_ISREG(status.st_mode):
                found[place] = ListedFile(place, f"{base}/{member}" if len(given) > 1 else member, status.st_size)
    return _once(found, given)


def _once(found: dict[str, ListedFile], given: dict[str, str]) -> dict[str, ListedFile]:
    """Leave out files that were named and lie in a named folder."""
    named = {path: real for real, path in given.items() if path in found}
    if named and len(named) < len(given):
        others = {os.path.realpath(path) for path in found if path not in named}
        for path, real in named.items():
            if real in others:
                del found[path]
    return found


def _note(problems: list[str], root: str, error: OSError) -> None:
    """Note a folder that cannot be listed."""
    inside = os.path.relpath(os.fspath(error.filename), root).replace(os.sep, "/")
    problems.append(f"{inside}: {words_of(error)}")


def shown_name(path: str, files: dict[str, ListedFile]) -> str:
    """Return a file's name in the build, or its path."""
    known = files.get(path)
    return path if known is None else known.name
