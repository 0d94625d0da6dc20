"""The daemon's answers about builds and groups, as rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict

from assetdb.builds.groups.implicit import planned_duplicates
from assetdb.builds.groups.rows import bundle_rows, duplicate_rows, entry_rows, group_rows
from assetdb.builds.served.cache import builds_lock, cached_contents, cached_plan, cached_tracer
from assetdb.builds.trace.question import ask_each
from assetdb.builds.trace.rows import answer_rows, list_rows
from assetdb.errors import UsageError
from assetdb_formats.binary import FormatError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assetdb.builds.trace.tracer import Tracer
    from assetdb.query.snapshots.snapshot import Snapshot


class TraceAnswers(TypedDict):
    """The answers of ``trace``.

    Attributes:
        rows: as ``assetdb trace --json`` prints them.
        complete: whether all of the project was tried for PathIDs.
    """

    rows: list[dict[str, Any]]
    problems: list[str]
    complete: bool


class GroupAnswers(TypedDict):
    """The answers of ``groups``.

    Attributes:
        settings: path of the settings of Addressables, ``""`` if the project has none.
        rows: as ``assetdb groups --json`` prints them.
        problems: what could not be read, contradicts itself or is gone, a sentence each.
    """

    settings: str
    rows: list[dict[str, Any]]
    problems: list[str]


def trace_answers(
    paths: Sequence[str],
    project: Snapshot,
    queries: Sequence[str],
    lists: Sequence[str] = (),
    cwd: str = "",
    report: str = "",
) -> TraceAnswers:
    """Return the places of assets, and the sources of objects.

    Args:
        paths: of the build, absolute.
        project: of a session, or any other.
        queries: subjects; each has one row or several.
        lists: of :data:`~assetdb.builds.trace.rows.LISTS`.
        cwd: the client's working directory.
        report: path of Unity's report of the build; by default one beside the build or in the project's Library.

    Raises:
        AssetdbError: there is no build, it is too large to be kept, or the project cannot be read.
        FormatError: an archive that was named, or the report, is damaged.
        OSError: a path cannot be read.
    """
    with builds_lock(project):
        return _traced(cached_tracer(paths, project, report), queries, lists, cwd)


def _traced(tracer: Tracer, queries: Sequence[str], lists: Sequence[str], cwd: str) -> TraceAnswers:
    project = tracer.project
    problems = [*tracer.build.problems, *tracer.catalogs.problems, *filter(None, (tracer.reports.problem(),))]
    try:
        plan = cached_plan(project)
    except FormatError as error:
        plan = None
        problems.append(str(error))
    rows: list[dict[str, Any]] = []
    for query in queries:
        for answer in ask_each(query, tracer, cwd, plan):
            rows += answer_rows(query, answer, tracer)
    for name in lists:
        rows += ({"list": name, **row} for row in list_rows(name, tracer, plan))
    return {"rows": rows, "problems": problems, "complete": tracer.complete}


def group_answers(
    project: Snapshot, names: Sequence[str] = (), *, duplicates: bool = False, entries: bool = False, profile: str = ""
) -> GroupAnswers:
    """Return the planned contents of Addressables groups.

    Args:
        project: of a session, or any other.
        names: groups whose bundles are listed; none: a row for each group.
        duplicates: what several bundles would hold instead.
        entries: every asset with an entry instead.
        profile: of the paths; by default the active one.

    Raises:
        UsageError: there is no such group or profile, or ``duplicates`` and ``entries`` are combined.
        AssetdbError: the project cannot be read.
        FormatError: the settings cannot be read.
    """
    if duplicates and entries:
        raise UsageError("duplicates and entries exclude each other")
    plan = cached_plan(project, profile)
    if plan is None:
        return {"settings": "", "rows": [], "problems": []}
    lost = set(names).difference(group.name for group in plan.groups)
    if lost:
        raise UsageError(f"no group named {min(lost)!r}")
    chosen = [group for group in plan.groups if not names or group.name in names]
    problems = [
        *plan.problems,
        *(f"{row.group}: {row.address or row.guid}: its asset is gone ({row.guid})" for row in plan.missing),
    ]
    if entries:
        rows = entry_rows(chosen)
    else:
        held = cached_contents(project, plan)
        mine = {bundle.name for group in chosen for bundle in group.bundles}
        if duplicates:
            rows = duplicate_rows(
                [row for row in planned_duplicates(held) if not names or mine.intersection(row.holders)]
            )
        elif names:
            rows = bundle_rows(content for content in held if content.name in mine)
        else:
            rows = group_rows(plan, held)
    return {"settings": plan.path, "rows": list(rows), "problems": problems}
