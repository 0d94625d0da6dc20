"""``assetdb resolve``."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from assetdb.checks.counting import counted
from assetdb.cli.arguments import CommonOptions
from assetdb.cli.merging.questions import QuitError, ask_all
from assetdb.cli.terminal import print_json, printable, say
from assetdb.errors import UsageError
from assetdb.history.git.conflicted import add
from assetdb.history.git.repository import Repository
from assetdb.history.merges.open_file import both, typed
from assetdb.history.merges.open_files import ANSWERS, answers_by, find_open, is_answer, settle
from assetdb.history.merges.rows import conflict_row
from assetdb.settings.project import find_project
from assetdb_formats.atomic import rewrite_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assetdb.cli.options import Annotated, Argument, Json, Option, Project
    from assetdb.history.merges.open_file import OpenFile


class ResolveOptions(CommonOptions):
    """The options of ``assetdb resolve``."""

    project: Project = None
    only_list: Annotated[bool, Option("--list", help="List the open values, and ask nothing.")] = False
    take: Annotated[
        list[tuple[str, str]] | None,
        Option(
            "--take",
            metavar="ANSWER PATTERN",
            help="Take ours, theirs, base, both or a value ('=(0, 1, 0)') where the name ('* m_LocalPosition', '*') or"
            " number matches; may be repeated.",
        ),
    ] = None
    add: Annotated[bool, Option("--add", help="Also run git add for each file that has no open value left.")] = False
    json: Json = False


def resolve(
    options: ResolveOptions,
    files: Annotated[list[str] | None, Argument(metavar="FILE", help="Conflicted files (default: all).")] = None,
) -> int:
    """Answer the open values of a merge, one by one.

    Exits 0 if nothing is open any more, and 1 if something is. A file is written when all its values have an answer.
    """
    take = options.take or []
    if not all(is_answer(answer) for answer, _ in take):
        raise UsageError(f"--take: the answer is one of {', '.join(ANSWERS)}, or a value after =")
    root = find_project(options.project)
    repository = Repository(root)
    found, problems = find_open(repository, files)
    for path, advice in problems:
        say(f"{path}: {advice}")
    asks = not (options.only_list or options.json) and sys.stdin.isatty()
    whole: list[str] = []
    is_open = bool(problems)
    try:
        for file in found:
            answers = answers_by(file, take)
            if asks and None in answers:
                ask_all(file, answers)
            if not options.only_list:
                file, answers = _settled(file, answers, take, asks=asks)  # noqa: PLW2901 - the file, with more open
                if None not in answers and _write(root, file, answers):
                    whole.append(file.path)
                    continue
            is_open = True
            _list(file, answers, as_json=options.json)
    except QuitError:
        is_open = True
        say("the rest stays open: run `assetdb resolve` again")
    if whole and not options.json:
        say(f"{counted(len(whole), 'file')} without open values: {', '.join(map(printable, whole))}")
    if whole and (options.add or (asks and _agrees(f"run git add for {counted(len(whole), 'file')}? [y/N] "))):
        add(root, whole)
    return 1 if is_open else 0


def _settled(
    file: OpenFile, answers: list[bytes | None], take: Sequence[tuple[str, str]], *, asks: bool
) -> tuple[OpenFile, list[bytes | None]]:
    """Return file and answers, with all that these break open, too."""
    while None not in answers:
        wider, more = settle(file, answers, take)
        if None not in more:
            return wider, more
        faults = ", ".join(file.faults(file.data(answers)))
        say(f"{file.path}: with these answers alone it would be broken, and was not written: {faults}")
        file, answers = wider, more
        if not asks:
            break
        ask_all(file, answers)
    return file, answers


def _write(root: str, file: OpenFile, answers: Sequence[bytes | None]) -> bool:
    """Write a file with its answers, unless they would break it."""
    data = file.data(answers)
    faults = file.faults(data)
    if faults:
        say(f"{file.path}: with these answers it would be broken, and was not written: {', '.join(faults)}")
        say("give other answers, or edit it between its markers")
        return False
    rewrite_file(os.path.join(root, file.path), [data])
    return True


def _list(file: OpenFile, answers: Sequence[bytes | None], *, as_json: bool) -> None:
    """Print the values that have no answer."""
    for number, conflict, answer in zip(file.numbers, file.conflicts, answers, strict=True):
        if answer is not None:
            continue
        if as_json:
            users = file.guid_users(conflict)
            row = conflict_row(file.path, number, conflict, file.names)
            row |= {"both": both(conflict) is not None, "typed": typed(conflict, "0") is not None}
            print_json(row | ({"users": users} if users else {}))
            continue
        print(f"{printable(file.path)}: {printable(file.names.line(conflict))}")
        for side, paths in file.guid_users(conflict).items():
            print(f"    {counted(len(paths), 'file')} with the GUID of {side}: {printable(', '.join(paths[:3]))}")


def _agrees(question: str) -> bool:
    sys.stdout.write(question)
    sys.stdout.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")
