"""Shared parts of the commands that change files."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from assetdb.checks.findings.paths import project_of, project_paths
from assetdb.checks.mending.writing.apply import apply, recover
from assetdb.checks.mending.writing.journal import has_journal
from assetdb.cli.terminal import print_json, printable
from assetdb.client.api import Client
from assetdb.errors import AssetdbError, MendingError
from assetdb.settings.output_folder import output_folder
from assetdb.settings.project import find_project

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Final

    from assetdb.checks.mending.plan import Plan
    from assetdb.cli.arguments import Placed

_SECONDS: Final = 5.0


def place_of(options: Placed, words: Sequence[str], *, dry_run: bool) -> tuple[str, str]:
    """Return the root and output folder of the project.

    The options name it, or else the first of some paths.

    What a killed process left half done there is undone first, and said; in a dry run it is only said.
    """
    root = find_project(options.project or project_of(words))
    folder = output_folder(root, options.out_dir).path
    if not dry_run:
        say_recovered(root, folder)
    elif not options.quiet and has_journal(root):
        say_half_done()
    return root, folder


def say_half_done() -> None:
    """Print that a change is half done, and stays so."""
    said = "a change of many files is being made, or was left half done when its process was killed"
    print(f"assetdb: {said}: the next --fix, register, mv or rm undoes it", file=sys.stderr)


def say_recovered(root: str, folder: str) -> None:
    """Undo a half done change, and print that."""
    found = recover(root, folder)
    if found.undone:
        print(f"assetdb: undid what was left half done: {printable(', '.join(found.undone))}", file=sys.stderr)
    for path in found.left:
        print(f"assetdb: {printable(path)} has changed since, and stays as it is", file=sys.stderr)
    if found.aside:
        why = found.reason or "it has what these files were before"
        print(f"assetdb: the journal of that change is now {found.aside}: {printable(why)}", file=sys.stderr)
    say_left(found.trash)


def say_left(lines: Iterable[str]) -> None:
    """Print the files that are left behind after a change."""
    for line in lines:
        print(f"assetdb: {printable(line)}", file=sys.stderr)


def asset_paths(root: str, words: Iterable[str]) -> tuple[str, ...]:
    """Return words as paths in a project.

    See :func:`assetdb.checks.findings.paths.project_paths`.
    """
    return project_paths(root, [word.rstrip("/" + os.sep) or word for word in words])


def carry_out(plan: Plan, root: str, folder: str, *, dry_run: bool, as_json: bool) -> bool:
    """Carry out a plan, or only show it.

    It is shown as a diff, unless the answer is JSON.

    Returns whether nothing is left behind.
    """
    if not dry_run:
        left = apply(plan, root, folder).left
        say_left(left)
        _await_daemon(root, folder)
        return not left
    if not as_json:
        for line in plan.diff():
            print(printable(line))
    return True


@contextmanager
def telling() -> Iterator[None]:
    """Print results; an error there says that all was done.

    Raises:
        MendingError: it cannot be printed.
    """
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise MendingError(f"all was done, but it cannot be printed: {error.strerror or error}") from error


def _await_daemon(root: str, folder: str) -> None:
    """Wait until a running daemon has seen the changes.

    The next question to it is answered with them.
    """
    try:
        with Client.connect(root, folder, timeout=_SECONDS) as client:
            client.sync()
    except (AssetdbError, OSError):  # there is none, or it sees it later; what was done is done
        return


def say_proposals(plan: Plan, *, as_json: bool) -> None:
    """Print the proposals that a plan leaves to a person."""
    for proposal in plan.proposals:
        if as_json:
            print_json({"path": proposal.path, "error": proposal.message})
        else:
            print(f"assetdb: {printable(f'{proposal.path}: {proposal.message}')}", file=sys.stderr)
