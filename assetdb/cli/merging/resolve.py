"""``assetdb resolve``."""

from __future__ import annotations

import os
import sys
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from assetdb.checks.counting import counted
from assetdb.cli.arguments import CommonOptions
from assetdb.cli.merging.open_file import read_open
from assetdb.cli.merging.questions import QuitError, ask_all
from assetdb.cli.merging.rows import conflict_row
from assetdb.cli.terminal import print_json, printable, say
from assetdb.errors import UsageError
from assetdb.history.configuration.merge_driver import extensions
from assetdb.history.git.conflicted import add, conflicted, files_with, merged_by_git, read_stages
from assetdb.history.git.repository import Repository
from assetdb.settings.merging import SIDES
from assetdb.settings.project import find_project
from assetdb.system.reading import read_small
from assetdb.unity.merging.envelope import LARGEST, UnmergeableError
from assetdb_formats.atomic import rewrite_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assetdb.cli.merging.open_file import OpenFile
    from assetdb.cli.options import Annotated, Argument, Json, Option, Project


class ResolveOptions(CommonOptions):
    """The options of ``assetdb resolve``."""

    project: Project = None
    only_list: Annotated[bool, Option("--list", help="List the open values, and ask nothing.")] = False
    take: Annotated[
        list[tuple[str, str]] | None,
        Option(
            "--take",
            metavar="SIDE PATTERN",
            help="Take ours or theirs where the name matches ('* m_LocalPosition', '*'); may be repeated.",
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
    if any(side not in SIDES for side, _ in take):
        raise UsageError(f"--take: the side is one of {', '.join(SIDES)}")
    root = find_project(options.project)
    repository = Repository(root)
    found, left = _open_files(repository, files)
    asks = not (options.only_list or options.json) and sys.stdin.isatty()
    whole: list[str] = []
    is_open = left
    try:
        for file in found:
            answers = [_taken(file.names.of_place(conflict), take, conflict) for conflict in file.conflicts]
            if asks:
                ask_all(file, answers)
            if not options.only_list and None not in answers and _write(root, file, answers):
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


def _open_files(repository: Repository, names: Sequence[str] | None) -> tuple[list[OpenFile], bool]:
    """Return files with open values, and whether others are open."""
    unmerged = conflicted(repository)
    ends = tuple(f".{extension}" for extension in extensions())
    paths = [path for path in sorted(unmerged) if path.endswith(ends)]
    if names:
        wanted = [os.path.relpath(name, repository.root).replace(os.sep, "/") for name in names]
        for name, path in zip(names, wanted, strict=True):
            if path not in unmerged:
                raise UsageError(f"{name}: has no conflict in git's index")
        paths = wanted
    found, left = [], False
    for path in paths:
        stages = read_stages(repository, unmerged[path])
        if stages.ours is None or stages.theirs is None:
            side, other = ("ours", "theirs") if stages.ours is None else ("theirs", "ours")
            say(f"{path}: {side} removed the file, {other} changed it: decide with `git rm` or `git add`")
            left = True
            continue
        try:
            data = read_small(os.path.join(repository.root, path), LARGEST)
            file = read_open(path, data, stages, lambda stages=stages: merged_by_git(stages))  # type: ignore[misc]
            found.append(file._replace(users=lambda guid: files_with(repository, guid)))
        except UnmergeableError as error:
            say(f"{path}: {error.what}")
            left = True
    return found, left


def _taken(name: str, take: Sequence[tuple[str, str]], conflict: object) -> bytes | None:
    """Return the answer of the first pattern that matches, or None."""
    for side, pattern in take:
        if fnmatchcase(name, pattern):
            answer: bytes = getattr(conflict, side)
            return answer
    return None


def _write(root: str, file: OpenFile, answers: Sequence[bytes | None]) -> bool:
    """Write a file with its answers, unless they would break it."""
    data = file.data(answers)
    faults = file.faults(data)
    if faults:
        say(f"{file.path}: with these answers it would be broken, and was not written: {', '.join(faults)}")
        return False
    rewrite_file(os.path.join(root, file.path), [data])
    return True


def _list(file: OpenFile, answers: Sequence[bytes | None], *, as_json: bool) -> None:
    """Print the values that have no answer."""
    for number, (conflict, answer) in enumerate(zip(file.conflicts, answers, strict=True), 1):
        if answer is not None:
            continue
        if as_json:
            users = file.guid_users(conflict)
            print_json(conflict_row(file.path, number, conflict, file.names) | ({"users": users} if users else {}))
            continue
        print(f"{printable(file.path)}: {printable(file.names.line(conflict))}")
        for side, paths in file.guid_users(conflict).items():
            print(f"    {counted(len(paths), 'file')} with the GUID of {side}: {printable(', '.join(paths[:3]))}")


def _agrees(question: str) -> bool:
    sys.stdout.write(question)
    sys.stdout.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")
