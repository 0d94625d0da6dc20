"""``assetdb export``."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from assetdb.cli.arguments import SnapshotOptions, worker_count
from assetdb.cli.asking import opened
from assetdb.cli.asking.target import say_unread
from assetdb.cli.terminal import Progress, fail, print_json, printable, shown_path
from assetdb.errors import UsageError
from assetdb.export.exporting import Request, export_project
from assetdb.export.tables import OF_PROJECT, QUICK
from assetdb.query.completeness import of_whole
from assetdb_formats.processes import Uncollected

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typer import Argument, Option

    from assetdb.cli.options import Annotated, Fetch, In, Json, Literal, Rev, Workers
    from assetdb.query.snapshots.snapshot import Snapshot


class ExportOptions(SnapshotOptions):
    """The options of ``assetdb export``."""

    json: Json = False
    rev: Rev = None
    fetch: Fetch = False
    look_in: In = None
    workers: Workers = None
    format: Annotated[
        Literal["parquet", "jsonl", "sqlite"],
        Option("--format", help="Parquet (extra `parquet`), JSON Lines, or one SQLite database."),
    ] = "parquet"
    name: Annotated[
        str | None,
        Option("--name", metavar="NAME", help="The name of the project there (default: its folder's name)."),
    ] = None
    quick: Annotated[
        bool,
        Option("--quick", help="Assets, and references without line, object and property: no file is read for them."),
    ] = False
    table: Annotated[
        list[str] | None,
        Option("--table", metavar="TABLE", help="Only assets, objects, references or findings; may be repeated."),
    ] = None


def export(
    options: ExportOptions,
    folder: Annotated[
        str, Argument(metavar="FOLDER", help="The folder to write to; it can hold many projects and revisions.")
    ],
) -> int:
    """Write tables for DuckDB, Spark or SQLite; 2 if incomplete."""
    unknown = sorted(set(options.table or ()).difference(OF_PROJECT))
    if unknown:
        raise UsageError(f"export: there is no table {unknown[0]}: --table takes {', '.join(OF_PROJECT)}")
    if options.quick and options.table:
        raise UsageError("export: --quick chooses the tables: leave --table out")
    with Uncollected(), _shown(options) as (project, commit):
        tracer, code = None, 0
        if options.look_in:
            from assetdb.builds.opening import open_build  # noqa: PLC0415 - few exports have a build
            from assetdb.builds.reports.tying import reports_of  # noqa: PLC0415 - the same
            from assetdb.builds.trace.tracer import Tracer  # noqa: PLC0415 - the same

            with Progress("files") as progress:
                build = open_build(options.look_in, progress=progress, project=project.root)
            tracer = Tracer(build, project, reports=reports_of(build, options.look_in, project.root))
            for problem in (*tracer.build.problems, *tracer.catalogs.problems):
                code = fail(problem)
        name = options.name if options.name is not None else os.path.basename(project.root) or "project"
        tables = tuple(options.table or (QUICK if options.quick else OF_PROJECT))
        place = os.path.join(options.cwd, folder)
        request = Request(
            folder=place,
            shape=options.format,
            name=name,
            commit=commit,
            tables=tables,
            places=not options.quick,
            workers=worker_count(options.workers),
        )
        with Progress("reading") as progress:
            done = export_project(project, request, tracer, None if options.quiet else progress)
        if options.json:
            print_json({**done.partition._asdict(), "format": options.format, "rows": done.rows})
        elif not options.quiet:
            counts = ", ".join(f"{count:,} {table}" for table, count in done.rows.items() if table != "projects")
            print(printable(f"{shown_path(request.folder)}: {done.partition.path}: {counts}"))
        if not options.quiet:
            say_unread(of_whole(project), every=options.verbose)
        if project.outside and not options.quiet:
            from assetdb.cli.history.revision import say_outside  # noqa: PLC0415 - most exports are of the files here

            say_outside(project.outside, is_whole=options.verbose)
        if project.absent:
            if not options.quiet:
                from assetdb.cli.history.revision import say_absent  # noqa: PLC0415 - the same

                say_absent(project.absent, is_sure=False, is_whole=options.verbose, is_fetched=options.fetch)
            sys.stdout.flush()
            code = 2
        return code


@contextmanager
def _shown(options: ExportOptions) -> Iterator[tuple[Snapshot, str]]:
    """Open the project and return it with the revision's hash.

    Without ``--rev`` it is as on the disk, and the hash is empty.

    Raises:
        UsageError: the options ask for the disk and a revision.
        HistoryError: there is no such revision, no repository, or no git.
    """
    if options.rev is None:
        yield opened(options), ""
        return
    if options.no_refresh:
        raise UsageError("--rev and --no-refresh cannot be combined: a revision is read anew")
    from assetdb.history.git.repository import Repository  # noqa: PLC0415 - most exports are of the files here
    from assetdb.query.snapshots.revisions import open_revision  # noqa: PLC0415 - the same

    project = opened(options)
    commit = Repository(project.root, fetch=options.fetch).revision(options.rev).commit
    with open_revision(project, commit, fetch=options.fetch) as other:
        yield other, commit
