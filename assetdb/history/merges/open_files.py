"""The conflicted files of a repository, and answers by pattern."""

from __future__ import annotations

import os
from fnmatch import fnmatchcase
from functools import cache
from itertools import count
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.errors import UsageError
from assetdb.history.configuration.merge_driver import extensions
from assetdb.history.git.conflicted import asset_with, conflicted, files_with, merged_by_git, read_stages
from assetdb.history.merges.open_file import both, read_open, typed
from assetdb.system.reading import read_small
from assetdb.unity.merging.envelope import LARGEST, UnmergeableError
from assetdb_formats.files import relative_path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assetdb.history.git.repository import Repository
    from assetdb.history.merges.open_file import OpenFile
    from assetdb.unity.merging.pieces import Conflict

ANSWERS: Final = ("ours", "theirs", "base", "both")
"""What may be taken without typing a value; ``both`` is for rows of lists."""
_MOST_ROUNDS: Final = 100  # an object, its components, its father's list of children, and so on to the root
TYPED: Final = "="
"""In front of a typed value."""


class OpenFiles(NamedTuple):
    """The files that a merge left open.

    Attributes:
        files: with open values.
        problems: paths of other conflicted files, each with what to do.
    """

    files: list[OpenFile]
    problems: list[tuple[str, str]]


def find_open(repository: Repository, names: Sequence[str] | None = None) -> OpenFiles:
    """Return the conflicted files of Unity, or those that are named.

    Args:
        repository: in a merge, a rebase or the like.
        names: of files, absolute or relative to the working directory.

    Raises:
        UsageError: a file has no conflict.
        HistoryError: git fails.
    """
    unmerged = conflicted(repository)
    ends = tuple(f".{extension}" for extension in extensions())
    paths = [path for path in sorted(unmerged) if path.lower().endswith(ends)]
    if names:
        wanted = [relative_path(name, repository.root).replace(os.sep, "/") for name in names]
        for name, path in zip(names, wanted, strict=True):
            if path not in unmerged:
                raise UsageError(f"{name}: has no conflict in git's index")
        paths = list(dict.fromkeys(wanted))
    found = OpenFiles([], [])
    asset = cache(lambda guid: asset_with(repository, guid))
    for path in paths:
        stages = read_stages(repository, unmerged[path])
        if stages.ours is None or stages.theirs is None:
            side, other = ("ours", "theirs") if stages.ours is None else ("theirs", "ours")
            advice = f"{side} removed the file, {other} changed it: decide with `git rm` or `git add`"
            found.problems.append((path, advice))
            continue
        try:
            data = read_small(os.path.join(repository.root, path), LARGEST)
            file = read_open(path, data, stages, lambda stages=stages: merged_by_git(stages), asset)  # type: ignore[misc]
            found.files.append(file._replace(users=lambda guid: files_with(repository, guid)))
        except UnmergeableError as error:
            found.problems.append((path, error.what))
    return found


def is_answer(text: str) -> bool:
    """Whether an answer may be taken."""
    return text in ANSWERS or text.startswith(TYPED)


def answers_by(file: OpenFile, take: Sequence[tuple[str, str]]) -> list[bytes | None]:
    """Return the answer of the first pattern that matches each open value.

    Args:
        file: with open values.
        take: pairs of an answer (``ours``, ``=(0, 1, 0)``) and a pattern of names; a pattern of digits is the number of
            a value in the file. A typed value that is none there, as :func:`typed` tells, answers nothing.
    """
    numbered = zip(file.numbers, file.conflicts, strict=True)
    return [_answer(file, number, conflict, take) for number, conflict in numbered]


def settle(
    file: OpenFile, answers: list[bytes | None], take: Sequence[tuple[str, str]]
) -> tuple[OpenFile, list[bytes | None]]:
    """Return file and answers, with all that these break open, too.

    Values keep their numbers, by which editors and assistants answer them; numbers of the others follow.

    Args:
        file: with open values.
        answers: to them.
        take: as of :func:`answers_by`.
    """
    for _ in range(_MOST_ROUNDS):
        wider = file.widened(file.data(answers)) if None not in answers else None
        if wider is None:
            break
        known: dict[Conflict, list[tuple[int, bytes | None]]] = {}
        for number, conflict, answer in zip(file.numbers, file.conflicts, answers, strict=True):
            known.setdefault(conflict._replace(reason=""), []).append((number, answer))
        unused = count(max(file.numbers, default=0) + 1)
        numbers, kept = [], dict[int, bytes | None]()
        for conflict in wider.conflicts:
            former = known.get(conflict._replace(reason=""))
            number, answer = former.pop(0) if former else (next(unused), None)
            numbers.append(number)
            kept[number] = answer
        file = wider._replace(given=tuple(numbers))
        made = zip(numbers, answers_by(file, take), strict=True)
        answers = [answer if kept[number] is None else kept[number] for number, answer in made]
    return file, answers


def _answer(file: OpenFile, number: int, conflict: Conflict, take: Sequence[tuple[str, str]]) -> bytes | None:
    name = file.names.of_place(conflict)
    for answer, pattern in take:
        if pattern == str(number) or fnmatchcase(name, pattern):
            if answer.startswith(TYPED):
                return typed(conflict, answer[len(TYPED) :])
            found: bytes | None = both(conflict) if answer == "both" else getattr(conflict, answer)
            return found
    return None
