"""``assetdb build check``: a build beside the budgets of ``assetdb.toml``."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from assetdb.builds.budgets.measuring import Measure
from assetdb.builds.budgets.reports import FORMATS, fields
from assetdb.builds.budgets.verdicts import judge
from assetdb.builds.query.catalogs import read_catalogs
from assetdb.builds.query.comparison import compare
from assetdb.builds.reports.tying import reports_of
from assetdb.builds.trace.sizes import asset_names
from assetdb.builds.trace.tracer import Tracer
from assetdb.cli.build.opened import opened, refuse_other_engines, say_problems
from assetdb.cli.build.options import BuildOptions, Builds
from assetdb.cli.options import Project  # noqa: TC001 - read at run time
from assetdb.cli.output import write_lines
from assetdb.cli.terminal import Progress, fail, json_line, say, shown_path
from assetdb.errors import UsageError
from assetdb.query.snapshots.snapshot import open_project
from assetdb.settings.configuration import read_configuration
from assetdb.settings.project import CONFIGURATION_NAME, project_above

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assetdb.builds.build import Build
    from assetdb.builds.query.catalogs import Catalogs
    from assetdb.cli.options import Annotated, Literal, Option

_JSON: str = "json"


class CheckOptions(BuildOptions):
    """Options of ``build check``."""

    project: Project = None


def check(
    options: CheckOptions,
    builds: Builds,
    against: Annotated[
        str | None,
        Option("--against", metavar="BUILD", help="The former build, for limits like +2 % and the download."),
    ] = None,
    format: Annotated[  # noqa: A002 - the name of the option
        Literal["text", "json", "github", "markdown", "junit"], Option("--format", help="Format of the report.")
    ] = "text",
    output: Annotated[
        str | None, Option("--output", metavar="FILE", help="Write the report to this file instead of printing it.")
    ] = None,
) -> int:
    """Compare a build with its budgets; 1 if it is too large."""
    project = _project(options.project, builds)
    budgets = read_configuration(project).budget
    if not budgets:
        raise UsageError(f"{os.path.join(project, CONFIGURATION_NAME)}: has no budgets: give it a table [budget]")
    refuse_other_engines([*builds, *([against] if against else [])], "check")
    build = opened(builds, options)
    former = opened([against], options) if against is not None else None
    code = max(say_problems(build), say_problems(former) if former is not None else 0)
    downloads: dict[str, int] = {}
    if former is not None:
        with Progress("files") as progress:
            downloads = {row.name: row.download for row in compare(former, build, progress=progress)}
    measures = []
    for one in (build, *([former] if former is not None else [])):
        catalogs = read_catalogs(one)
        for problem in catalogs.problems:
            code = fail(problem)
        measures.append(Measure(one, catalogs, partial(_sources, one, catalogs, project)))
    found = judge(budgets, measures[0], measures[1] if len(measures) > 1 else None, downloads)
    for problem in found.problems:
        code = fail(problem)
    shape = _JSON if options.json else format
    lines: Iterable[str] = map(json_line, fields(found)) if shape == _JSON else FORMATS[shape](found)
    if output is None:
        for line in lines:
            print(line)
    else:
        write_lines(os.path.abspath(output), lines)
        if not options.quiet:
            say(f"{len(found.exceeded):,} of {len(found.verdicts):,} limits are exceeded (in {shown_path(output)})")
    return code or int(bool(found.exceeded))


def _project(given: str | None, builds: list[str]) -> str:
    """Return the project that has the budgets.

    Raises:
        UsageError: there is none.
    """
    places = [given] if given is not None else [os.getcwd(), *builds]
    found = next(filter(None, (project_above(os.path.join(place, "x")) for place in places)), None)
    if found is None:
        raise UsageError("budgets are in a project's assetdb.toml: name the project with --project")
    return found


def _sources(build: Build, catalogs: Catalogs, project: str) -> list[str]:
    """Return the path of each object's asset, by a trace."""
    snapshot = open_project(project)
    try:
        snapshot.refresh()
        tracer = Tracer(build, snapshot, catalogs, reports_of(build, build.paths, project))
        return asset_names(tracer)
    finally:
        snapshot.close()
