"""Findings that a change brings to the package around a project.

The sides of the change are mirrors of the repository's folder: neither is kept, since few folders are both.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Final

from assetdb.checks.around.package import in_package, outside_project
from assetdb.checks.changes.introduced import beyond
from assetdb.checks.changes.lost_values import LOST_VALUE, find_lost_values, former_sources
from assetdb.history.git.merging import merged
from assetdb.history.git.repository import Repository
from assetdb.query.snapshots.package_view import open_package_at, open_package_of

if TYPE_CHECKING:
    from assetdb.checks.findings.finding import Finding
    from assetdb.checks.request import Question
    from assetdb.history.git.repository import Revision

_WHOLE: Final = (".",)  # a package has its assets beside the project's


def changed_in_package(root: str, question: Question) -> list[Finding] | None:
    """Return findings of the package that the former side lacks.

    None if the folder is no package after the change. Paths are those in the project's folder. A merge is compared with
    both of its sides.

    Raises:
        HistoryError: git cannot compare the sides of the change.
        AssetdbError, OSError: a side cannot be read.
    """
    repository = Repository(root, fetch=question.fetch)
    with ExitStack() as stack:
        before: tuple[Revision, ...]
        if question.merge is not None:
            before = repository.sides(question.merge)
            made = stack.enter_context(merged(repository, *before))
            inner, after = made.repository, made.repository.revision_against_disk(made.result, tops=_WHOLE)
        else:
            before = (repository.head() if question.staged else repository.revision(question.since or ""),)
            inner, after = repository, repository.index_against_disk(tops=_WHOLE) if question.staged else {}
        current = stack.enter_context(open_package_at(inner, after) if after else open_package_of(root))
        if current is None:
            return None
        found = in_package(current, question)
        for revision in before:
            side = repository.revision_against_disk(revision, tops=_WHOLE)
            with open_package_at(repository, side) as package:
                found = list(beyond(in_package(package, question), found))
            if LOST_VALUE in question.selection.codes() and question.merge is None:
                changed = repository.staged(revision)[0] if question.staged else side
                found += outside_project(
                    current, find_lost_values(current, former_sources(repository, changed, current.root))
                )
        return found
