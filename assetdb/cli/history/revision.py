"""Questions about a revision: ``--rev``."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from assetdb.cli.arguments import DatabaseOptions, ProjectOptions, QueryOptions, SnapshotOptions
from assetdb.cli.asking import opened
from assetdb.cli.terminal import say, say_first
from assetdb.errors import UsageError
from assetdb.history.git.bare import empty_work_tree, split_repository
from assetdb.history.git.objects import how_to_fetch
from assetdb.query.snapshots.revisions import open_revision
from assetdb.query.snapshots.snapshot import open_project
from assetdb.settings.project import DEFAULT_FOLDER

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_NOTHING_FOUND = 1
_UNCERTAIN = 2


def call_in_history(function: Callable[..., int], options: object, own: dict[str, object]) -> int:
    """Call a command's function with a revision, or in a bare repository.

    Raises:
        UsageError: a bare repository has no files, and no revision is named.
        HistoryError: as :func:`_call_on_revision`, or the bare repository has no project there.
    """
    project = options.project if isinstance(options, ProjectOptions) else None
    named = split_repository(project) if project else None
    if named is None or not isinstance(options, ProjectOptions):
        return _call_on_revision(function, options, own)
    revision = getattr(options, "rev", None)
    sides = own.get("sides")
    is_of_commits = getattr(options, "merge", None) is not None or (
        isinstance(sides, list) and ".." in "..".join(sides)
    )
    if revision is None and not is_of_commits:
        raise UsageError(f"{project} is a bare repository, which has no files: {_advice(function, options)}")
    with empty_work_tree(*named, revision or "HEAD") as root:
        options.project = root
        if isinstance(options, DatabaseOptions):
            options.out_dir = os.path.join(root, DEFAULT_FOLDER)  # it goes with the work tree, so that nothing is kept
        if not isinstance(options, SnapshotOptions):
            return function(options=options, **own)
        options.opened = empty = open_project(root, options.out_dir, may_change_directory=False)
        try:
            return _call_on_revision(function, options, own)
        finally:
            empty.close()  # Windows removes no work tree whose database is mapped


def _advice(function: Callable[..., int], options: object) -> str:
    if getattr(options, "staged", False) or getattr(options, "since", None) is not None:
        return "leave out --staged and --since, and name a revision (--rev HEAD) or a merge (--merge OURS...THEIRS)"
    if hasattr(options, "rev"):
        return "name a revision (--rev HEAD)"
    if "sides" in function.__annotations__:
        return "name two revisions (HEAD~1..HEAD)"
    return "ask a clone of it"


def _call_on_revision(function: Callable[..., int], options: object, own: dict[str, object]) -> int:
    """Call a command's function with the project as a revision has it.

    Paths on the command line are as in the project on the disk. A command that asks no question reads the revision
    itself.

    Raises:
        UsageError: the options ask for the disk.
        HistoryError: there is no such revision, no repository, no git, or the repository has not all of it.
    """
    if not isinstance(options, QueryOptions) or options.rev is None:
        return function(options=options, **own)
    if options.no_refresh:
        raise UsageError("--rev and --no-refresh cannot be combined: a revision is read anew")
    project = opened(options)
    with open_revision(project, options.rev, fetch=options.fetch) as other:
        cwd = os.path.abspath(options.cwd)
        options.opened = other
        options.cwd = _moved(cwd, project.root, other.root)
        if not options.quiet:
            say(f"as of {options.rev}")
        moved = {name: _moved_words(value, project.root, other.root) for name, value in own.items()}
        code = function(options=options, **moved)
        sys.stdout.flush()
        is_sure = code != _NOTHING_FOUND
        if not options.quiet:
            say_outside(other.outside, is_whole=options.verbose)
        if other.absent and not options.quiet:
            say_absent(other.absent, is_sure=is_sure, is_whole=options.verbose, is_fetched=options.fetch)
    return code if is_sure or not other.absent else _UNCERTAIN


def say_outside(paths: Sequence[str], *, is_whole: bool) -> None:
    """Print the links of a revision that are left out."""
    say_first(
        [f"a link out of the project, left out: {path}" for path in paths], "{:,} more such links", every=is_whole
    )


def say_absent(paths: Sequence[str], *, is_sure: bool, is_whole: bool, is_fetched: bool) -> None:
    """Print the files that are not in this clone."""
    say_first([f"not in this clone: {path}" for path in paths], "not in this clone: {:,} more", every=is_whole)
    weight = "they are left out of the answer" if is_sure else "the answer depends on them"
    say(f"{weight}; {how_to_fetch(is_tried=is_fetched)}")


def _moved(path: str, root: str, other: str) -> str:
    """Return a path in a project as one in its mirror."""
    return other + path[len(root) :] if path == root or path.startswith(f"{root}{os.sep}") else path


def _moved_words(value: object, root: str, other: str) -> object:
    if isinstance(value, str):
        return _moved(value, root, other)
    if isinstance(value, list):
        return [_moved(word, root, other) if isinstance(word, str) else word for word in value]
    return value
