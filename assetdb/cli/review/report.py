"""``assetdb report``."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Final

from assetdb.builds.opening import open_build
from assetdb.checks.counting import counted
from assetdb.checks.findings.selection import configured
from assetdb.checks.reports.kept import Output
from assetdb.cli.arguments import SnapshotOptions, worker_count
from assetdb.cli.asking import opened, say_unmatched
from assetdb.cli.asking.target import say_unread
from assetdb.cli.output import path_of_output
from assetdb.cli.terminal import Progress, fail, say, shown_path
from assetdb.errors import UsageError
from assetdb.query.completeness import of_whole
from assetdb.query.selecting.selector import Unmatched, find_subject
from assetdb.report.facts import project_facts
from assetdb.report.kept import KeptFacts
from assetdb.report.page import pack, page_pieces
from assetdb.settings.checking import CheckConfiguration
from assetdb.settings.configuration import read_configuration
from assetdb.settings.project import JOURNAL_NAME
from assetdb_formats.atomic import replace_file
from assetdb_formats.processes import Uncollected

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assetdb.builds.build import Build
    from assetdb.cli.options import Annotated, Option
    from assetdb.query.snapshots.snapshot import Snapshot

_NAME: Final = "report.html"
_STDOUT: Final = "-"
# The facts of a run with such an option are not kept for the next run.
_OF_ONE_RUN: Final = ("since", "inside", "against", "imported", "no_refresh", "in_daemon", "opened")


class ReportOptions(SnapshotOptions):
    """The options of ``assetdb report``."""

    output: Annotated[
        str,
        Option(
            "--output", "-o", metavar="FILE", help="The file to write; nothing else is needed to open it. - is stdout."
        ),
    ] = _NAME
    since: Annotated[
        str | None,
        Option("--since", metavar="REV", help="Also what differs from a revision, and the findings that it lacks."),
    ] = None
    inside: Annotated[
        list[str] | None,
        Option(
            "--in",
            metavar="BUILD",
            help="Also where assets ship and what they weigh there: a player's _Data folder, bundles; several are one"
            " build.",
        ),
    ] = None
    against: Annotated[
        list[str] | None,
        Option("--against", metavar="BUILD", help="Also what differs between an older build and the build of --in."),
    ] = None
    imported: Annotated[
        str | None,
        Option(
            "--imported",
            metavar="PLATFORM",
            help="Also the textures' bytes as this platform imports them, estimated (default: the platform of --in).",
        ),
    ] = None
    show: Annotated[
        str | None, Option("--show", metavar="ASSET", help="Open the page at an asset: a path, name or GUID.")
    ] = None
    objects: Annotated[
        bool, Option("--objects", help="Also the object and property of each reference; all files are read for them.")
    ] = False
    workers: Annotated[
        int | None, Option("--workers", metavar="N", min=1, help="Processes (default: one a processor, at most 8).")
    ] = None


def report(options: ReportOptions) -> int:
    """Write a page that shows a project."""
    with Uncollected(wanted=not options.in_daemon):  # collecting takes 15 % of unitystation's page
        return _write(options)


def _write(options: ReportOptions) -> int:
    if options.against and not options.inside:
        raise UsageError("--against compares builds: give the newer one with --in")
    project = opened(options)
    path = path_of_output(options.output, options.cwd, project.root) if options.output != _STDOUT else ""
    project.refresh()
    subject = find_subject(options.show, project, options.cwd) if options.show is not None else None
    if isinstance(subject, Unmatched):
        return say_unmatched(options.show or "", subject, as_json=False)
    build, against = _opened(options.inside, options), _opened(options.against, options)
    packed = _facts(project, options, build, against)
    pieces = page_pieces(packed, subject.guid if subject is not None else "")
    if not path:
        sys.stdout.buffer.writelines(pieces)
    else:
        replace_file(path, pieces)
    if not options.quiet:
        say(counted(len(project.database), "asset") + (f" (in {shown_path(path)})" if path else ""))
        say_unread(of_whole(project), every=options.verbose)
    problems = [problem for each in (build, against) if each is not None for problem in each.problems]
    return max((fail(problem) for problem in problems), default=0)


def _facts(project: Snapshot, options: ReportOptions, build: Build | None, against: Build | None) -> str:
    """Return the facts as the page has them, kept ones if unchanged."""
    is_whole = not any(getattr(options, name) for name in _OF_ONE_RUN)
    if not is_whole or os.path.lexists(os.path.join(project.root, JOURNAL_NAME)):
        return _new_facts(project, options, build, against)
    kept = KeptFacts(project, repr(options.objects))
    found = kept.find()
    if found is None:
        with kept.written_once():
            found = Output(0, _new_facts(project, options, kept=kept), "")
            kept.keep(found)
    return found.text


def _new_facts(
    project: Snapshot,
    options: ReportOptions,
    build: Build | None = None,
    against: Build | None = None,
    kept: KeptFacts | None = None,
) -> str:
    configuration = read_configuration(project.root).check or CheckConfiguration()
    with Progress("checking") as progress:
        facts = project_facts(
            project,
            configured(configuration, (), (), ()),
            since=options.since,
            with_places=options.objects,
            build=build,
            against=against,
            imported=options.imported,
            workers=1 if options.in_daemon else worker_count(options.workers),
            on_progress=None if options.quiet else progress,
            kept=kept,
        )
    return pack(facts)


def _opened(paths: Sequence[str] | None, options: ReportOptions) -> Build | None:
    """Open a build; raises AssetdbError, FormatError or OSError."""
    if not paths:
        return None
    with Progress("files") as progress:
        return open_build(
            [os.path.join(options.cwd, path) for path in paths],
            workers=1 if options.in_daemon else options.workers,
            progress=progress,
        )
