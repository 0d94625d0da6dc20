"""Shared parts of the commands that change files."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from assetdb.checks.findings.paths import project_of, project_paths
from assetdb.checks.mending.emptied import removal_note
from assetdb.checks.mending.writing.apply import apply, examine, recover
from assetdb.checks.mending.writing.journal import has_journal, read_journal, refuse_others
from assetdb.cli.terminal import print_json, printable, say
from assetdb.client.api import Client
from assetdb.errors import AssetdbError, MendingError
from assetdb.settings.output_folder import output_folder
from assetdb.settings.project import find_project
from assetdb_formats.files import words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Final

    from assetdb.checks.mending.emptied import Completed
    from assetdb.checks.mending.plan import Plan
    from assetdb.cli.arguments import DatabaseOptions

_SECONDS: Final = 5.0


def place_of(
    options: DatabaseOptions, words: Sequence[str], *, dry_run: bool, trust_journal: bool = False
) -> tuple[str, str]:
    """Return a project's root and output folder, with half done changes undone."""
    root = find_project(options.project or project_of(words))
    folder = output_folder(root, options.out_dir).path
    if not dry_run:
        say_recovered(root, folder, is_trusted=trust_journal)
    elif not options.quiet and has_journal(root):
        say_half_done(root)
    return root, folder


def say_half_done(root: str) -> None:
    """Print that a change is half done, or why it stays so."""
    try:
        journal = read_journal(root)
        if journal is not None:
            refuse_others(root, journal)
    except (AssetdbError, OSError) as error:
        say(str(error))
        return
    what = "a change of several files is in progress, or was interrupted when its process was killed"
    say(f"{what}: the next --fix, register, mv or rm undoes it")


def say_recovered(root: str, folder: str, *, is_trusted: bool = False) -> None:
    """Undo a half done change, and print that."""
    found = recover(root, folder, is_trusted=is_trusted)
    if found.undone:
        say(f"undid an unfinished change: {', '.join(found.undone)}")
    for path in found.left:
        say(f"{path} has changed since and was left alone")
    if found.aside:
        why = found.reason or "it has the files' previous content"
        say(f"the journal of that change is now {found.aside}: {why}")
    say_left(found.trash)


def say_left(lines: Iterable[str]) -> None:
    """Print the files that are left behind after a change."""
    for line in lines:
        say(line)


def asset_paths(root: str, words: Iterable[str]) -> tuple[str, ...]:
    """Return words as paths in a project."""
    return project_paths(root, [word.rstrip("/" + os.sep) or word for word in words])


def carry_out(plan: Plan, root: str, folder: str, *, dry_run: bool, as_json: bool) -> bool:
    """Carry out a plan, or print it; return whether nothing is left."""
    if not dry_run:
        done = apply(plan, root, folder)
        left = done.left
        say_left([*left, *filter(None, [done.unignored])])
        _await_daemon(root, folder)
        return not left
    examine(plan, root)
    if not as_json:
        for line in plan.diff():
            print(printable(line))
    return True


@contextmanager
def reporting() -> Iterator[None]:
    """Print results; raise MendingError if that fails, after all changes."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise MendingError(f"everything was done, but the result cannot be printed: {words_of(error)}") from error


def print_removed(paths: Iterable[str], *, dry_run: bool, as_json: bool) -> None:
    """Print removed paths, which the diff of a dry run has."""
    for path in paths:
        if as_json:
            print_json({"removed": path})
        elif not dry_run:
            print(printable(f"removed {path}"))


def say_emptied(emptied: Completed) -> None:
    """Print why emptied folders go or stay."""
    for note in (*map(removal_note, emptied.removed), *emptied.notes):
        say(note)


def _await_daemon(root: str, folder: str) -> None:
    """Wait until a running daemon has seen the changes."""
    try:
        with Client.connect(root, folder, timeout=_SECONDS) as client:
            client.sync()
    except (AssetdbError, OSError):  # no daemon, or it sees the change later
        return


def say_proposals(plan: Plan, *, as_json: bool) -> None:
    """Print the proposals that a plan leaves to a person."""
    for proposal in plan.proposals:
        if as_json:
            print_json({"path": proposal.path, "error": proposal.message})
        else:
            say(f"{proposal.path}: {proposal.message}")
