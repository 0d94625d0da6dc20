"""The verdict on every reference of a project that has no plain name."""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.project import asset_roots
from assetdb.query import verdicts
from assetdb.query.coverage import text_files
from assetdb.query.verdicts import JudgedReference, judged_references

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb.query.snapshot import Snapshot

_PLAIN: Final = (verdicts.NAMED, verdicts.IN_PACKAGE, verdicts.ABSENT)


class JudgedProject(NamedTuple):
    """What the references of a project are worth.

    Attributes:
        counts: by kind of verdict and reason: ``("unnamed", "dangling")``.
        problems: by file those that are neither plainly named nor in a known package.
    """

    counts: dict[tuple[str, str], int]
    problems: dict[str, tuple[JudgedReference, ...]]


def judge_project(
    project: Snapshot,
    *,
    workers: int = 1,  # noqa: ARG001 - one process for now
    on_progress: Callable[[int, int], None] | None = None,
    keep: bool = True,  # noqa: ARG001 - nothing is kept for now
) -> JudgedProject:
    """Return what all references of a project are worth.

    Raises:
        ScanError: what the project holds cannot be told just now.
    """
    resolver = project.resolver
    guids = {asset.path: asset.guid for asset in project.database}
    above = asset_roots(project.root)[0] + "/" if len(asset_roots(project.root)) == 1 else ""
    counts: Counter[tuple[str, str]] = Counter()
    problems = {}
    files = sorted(text_files(project.root))
    for number, file in enumerate(files):
        if on_progress is not None:
            on_progress(number, len(files))
        path = above + os.path.relpath(file, project.root).replace(os.sep, "/")
        wrong = []
        for reference in judged_references(resolver, path, guids.get(path, "")):
            counts[reference.verdict.kind, reference.verdict.reason] += 1
            if reference.verdict.kind not in _PLAIN:
                wrong.append(reference)
        if wrong:
            problems[path] = tuple(wrong)
    return JudgedProject(dict(counts), problems)
