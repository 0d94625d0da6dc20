"""Findings of a repository's other roots.

A package may have a project in it, in which it is developed, and the folder of a project may be a package, too.
"""

from __future__ import annotations

import os
from contextlib import closing
from typing import TYPE_CHECKING

from assetdb.checks.findings.lost_guids import with_history
from assetdb.checks.request import answer
from assetdb.cli.terminal import say, shown_path
from assetdb.errors import DaemonError
from assetdb.query.snapshots.snapshot import open_project
from assetdb.settings.project import inner_projects, is_package_too, package_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assetdb.checks.findings.finding import Finding
    from assetdb.checks.findings.selection import Selection
    from assetdb.checks.request import Question
    from assetdb.cli.review.check_options import CheckOptions


def findings_of_others(
    root: str, question: Question, options: CheckOptions, selection_of: Callable[[str], Selection], *, is_asked: bool
) -> list[Finding]:
    """Return the findings of other roots, by paths in this one.

    Args:
        root: of the project or package that was checked.
        question: the question about it.
        options: of the command; notes are printed unless they are quiet.
        selection_of: returns the codes for a root, by its own settings.
        is_asked: whether the question is about all roots: without paths, fixes and baselines, which are of one.

    Raises:
        DaemonError: in a daemon, which has one root.
        AssetdbError, OSError: another root cannot be read.
    """
    inner = inner_projects(root) if package_name(root) else []
    is_both = is_package_too(root)
    if (inner or is_both) and is_asked and options.in_daemon:
        raise DaemonError("the repository has other roots")
    found: list[Finding] = []
    for name in inner:
        place = os.path.join(root, name)
        if is_asked:
            asked = question._replace(selection=selection_of(place))
            rows = _of_project(place, asked, os.path.join(options.out_dir, name) if options.out_dir else None)
            found += [row._replace(path=f"{name}/{row.path}", fixable=False) for row in rows]
        elif not options.quiet:
            shown = shown_path(place)
            say(f"{shown} is a project of its own, which is not checked here: assetdb check --project {shown}")
    rows_of_package = _of_package(root, question) if is_both and is_asked else None
    found += rows_of_package or []
    if is_both and rows_of_package is None and not options.quiet:
        say("package.json and its meta make this folder a package, too; only Assets and Packages of it are checked")
    return found


def _of_project(place: str, question: Question, out_dir: str | None) -> Iterator[Finding]:
    """Yield the findings of a project in a package."""
    with closing(open_project(place, out_dir)) as project:
        report = answer(project, question).report
        yield from with_history(project, report.findings, known=report.held)


def _of_package(root: str, question: Question) -> list[Finding] | None:
    """Return findings of the package around a project, if there is one."""
    if question.is_of_change:
        from assetdb.checks.around.changed_package import changed_in_package  # noqa: PLC0415 - few folders are both

        return changed_in_package(root, question)
    from assetdb.checks.around.package import findings_of_package  # noqa: PLC0415 - the same

    return findings_of_package(root, question)
