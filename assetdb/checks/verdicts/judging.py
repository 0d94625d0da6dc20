"""The verdicts on all references of a project."""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.checks.coverage import text_files
from assetdb.query.verdicts import ABSENT, IN_PACKAGE, NAMED, JudgedReference, judged_references

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb.query.snapshot import Snapshot

_PLAIN: Final = frozenset((NAMED, IN_PACKAGE, ABSENT))


class JudgedProject(NamedTuple):
    """The verdicts on all references of a project.

    Attributes:
        counts: how many references have each verdict, by its kind and reason.
        problems: by file, relative to the project: every reference that is neither plainly named nor in a known
            package, in the order of the file. Files without are left out.
    """

    counts: dict[tuple[str, str], int]
    problems: dict[str, tuple[JudgedReference, ...]]


def judge_project(
    project: Snapshot,
    *,
    workers: int = 1,  # noqa: ARG001 - one process does it yet
    on_progress: Callable[[int, int], None] | None = None,
    keep: bool = True,  # noqa: ARG001 - nothing is kept yet
) -> JudgedProject:
    """Judge every reference in the text assets of a project.

    Args:
        project: brought up to date first.
        workers: how many processes may read at once.
        on_progress: is given the files read and the files there are, now and then.
        keep: whether verdicts are kept on disk, and those that are there believed where nothing they rest on changed.

    Raises:
        ScanError: what the project holds cannot be told just now.
        AssetdbError: the project cannot be brought up to date.
    """
    project.refresh()
    guids = {asset.path: asset.guid for asset in project.database.containing(b"")}
    files = sorted(text_files(project.root))
    counts: Counter[tuple[str, str]] = Counter()
    problems: dict[str, tuple[JudgedReference, ...]] = {}
    for number, file in enumerate(files):
        if on_progress is not None:
            on_progress(number, len(files))
        path = os.path.relpath(file, project.root).replace(os.sep, "/")
        found = []
        for reference in judged_references(project.resolver, path, guids.get(path, "")):
            counts[reference.verdict.kind, reference.verdict.reason] += 1
            if reference.verdict.kind not in _PLAIN:
                found.append(reference)
        if found:
            problems[path] = tuple(found)
    return JudgedProject(dict(counts), problems)
