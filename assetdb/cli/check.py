"""``assetdb check``."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Final

from assetdb.checks import baseline as baselines
from assetdb.checks.engine import Report, Selection, check_project, report_of
from assetdb.checks.places import project_of, project_paths, repository_prefix, with_files
from assetdb.checks.reports import github, gitlab, junit, sarif, text
from assetdb.checks.reports.rows import row
from assetdb.cli.arguments import Asking, worker_count
from assetdb.cli.lookup import opened
from assetdb.cli.terminal import Progress, json_line, print_json_lines, printable, shown_path, table
from assetdb.diagnostics.codes import ERROR
from assetdb.errors import ConfigurationError, FileError, UsageError
from assetdb.settings.checking import CheckConfiguration, known_codes
from assetdb.settings.configuration import read_configuration
from assetdb.settings.output_folder import outside
from assetdb.system.reading import read_small
from formats.atomic import replace_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Annotated, Literal

    from typer import Argument, Option

    from assetdb.checks.finding import Finding
    from assetdb.cli.options import Workers
    from assetdb.query.snapshot import Snapshot

BASELINE_NAME: Final = "assetdb-baseline.json"
"""Where a baseline is written unless somebody says otherwise, relative to the project."""
_STDOUT: Final = "-"


class Checking(Asking):
    """The options of ``assetdb check``."""

    select: Annotated[
        list[str] | None,
        Option("--select", metavar="CODES", help="Only these codes, with commas between them, or all."),
    ] = None
    ignore: Annotated[
        list[str] | None, Option("--ignore", metavar="CODES", help="Not these codes, with commas between them.")
    ] = None
    format: Annotated[
        Literal["text", "json", "github", "gitlab", "junit", "sarif"],
        Option("--format", help="What to print: for people, JSON Lines, or a report for a service."),
    ] = "text"
    output: Annotated[str | None, Option("--output", metavar="FILE", help="Write that to a file, whole or not.")] = None
    baseline: Annotated[
        str | None, Option("--baseline", metavar="FILE", help="Leave out the findings that this file has.")
    ] = None
    write_baseline: Annotated[
        bool, Option("--write-baseline", help="Write the findings to the baseline, so that only new ones fail.")
    ] = False
    fail_on: Annotated[
        Literal["error", "warning"], Option("--fail-on", help="Exit 1 from this severity on (default: error).")
    ] = ERROR
    exit_zero: Annotated[bool, Option("--exit-zero", help="Exit 0 whatever is found.")] = False
    statistics: Annotated[bool, Option("--statistics", help="Count findings by code instead of listing them.")] = False
    staged: Annotated[
        bool, Option("--staged", help="Report only what the next commit brings: git's index against HEAD.")
    ] = False
    since: Annotated[
        str | None,
        Option(
            "--since", metavar="REV", help="Report only what came since a revision (main... for where work forked)."
        ),
    ] = None
    workers: Workers = None


def check(
    options: Checking,
    paths: Annotated[
        list[str] | None,
        Argument(metavar="PATH", help="Report only what is in these files, folders or patterns ('Assets/**/*.unity')."),
    ] = None,
) -> int:
    """Report what is wrong with a project; 1 if something fails."""
    words = paths or []
    if options.json and options.format not in ("text", "json"):
        raise UsageError(f"check: --json and --format {options.format} are two formats: name one")
    if options.project is None and options.opened is None:
        options.project = project_of(words, options.cwd)
    options.synced = False  # what is wrong with the files is told by a look of our own
    project = opened(options)
    configuration = read_configuration(project.root).check or CheckConfiguration()
    selection = _selection(options, configuration, project_paths(project.root, words, options.cwd))
    progress = None if options.json or options.format != "text" or options.quiet else Progress("checking")
    report = _report(project, selection, options, progress)
    if progress is not None:
        progress.close()
    baseline = _baseline(project.root, options, configuration)
    if options.write_baseline:
        return _write_baseline(baseline, report, options, limited=bool(selection.paths))
    if baseline and (options.baseline or configuration.baseline):
        report = _sifted(report, baseline, options)
    _show(project.root, report, options)
    return _code(report.findings, options)


def _report(project: Snapshot, selection: Selection, options: Checking, progress: Progress | None) -> Report:
    """Return what is wrong: with the project, or what a change brought."""
    workers = worker_count(options.workers)
    if not options.staged and options.since is None:
        return check_project(project, selection, workers=workers, on_progress=progress)
    if options.write_baseline:
        raise UsageError("check: --write-baseline is of all findings: leave --staged and --since out")
    from assetdb.checks import changes  # noqa: PLC0415 - most checks ask git nothing

    if options.since is None:
        return changes.check_staged(project, selection, workers=workers, on_progress=progress)
    if options.staged:
        raise UsageError("check: --staged and --since are two questions: ask one")
    return changes.check_since(project, options.since, selection, workers=workers, on_progress=progress)


def _selection(options: Checking, configuration: CheckConfiguration, paths: tuple[str, ...]) -> Selection:
    """Return what is asked for: the words of the command line go before what the project says."""
    try:
        select = known_codes("--select", _split(options.select))
        ignore = known_codes("--ignore", _split(options.ignore))
    except ConfigurationError as error:
        raise UsageError(f"check: {error}") from error
    kept = tuple(code for code in configuration.ignore if code not in select)
    return Selection(
        paths,
        select or configuration.select,
        (*kept, *ignore),
        configuration.per_path_ignores,
        dict(configuration.severity),
    )


def _split(words: Iterable[str] | None) -> list[str]:
    return [code for word in words or () for code in word.split(",") if code.strip()]


# --- the baseline


def _baseline(root: str, options: Checking, configuration: CheckConfiguration) -> str:
    """Return the path of the baseline, absolute.

    Raises:
        ConfigurationError: ``assetdb.toml`` names one outside the project.
    """
    if options.baseline:
        return os.path.abspath(os.path.join(options.cwd, options.baseline))
    name = configuration.baseline or BASELINE_NAME
    path = os.path.normpath(os.path.join(root, name))
    where = outside(root, name, path)
    if where:
        raise ConfigurationError(f"check.baseline {name!r} {where}: it may be a path inside the project")
    return path


def _sifted(report: Report, path: str, options: Checking) -> Report:
    try:
        known = baselines.decode(read_small(path, baselines.LARGEST), path)
    except FileNotFoundError as error:
        raise FileError(f"{path}: there is no such baseline (--write-baseline writes it)") from error
    sifted = baselines.sift(report.findings, known)
    if not options.quiet:
        said = f"{sifted.known:,} known findings are left out ({shown_path(path)})"
        if sifted.mended and not (options.select or options.ignore):
            said += f"; {sifted.mended:,} of it are no more: --write-baseline forgets them"
        print(f"assetdb: {said}", file=sys.stderr)
    return report_of(sifted.new, report.codes)


def _write_baseline(path: str, report: Report, options: Checking, *, limited: bool) -> int:
    if limited or options.select or options.ignore:
        raise UsageError("check: a baseline is of the whole project: --write-baseline goes without PATH and codes")
    replace_file(path, [baselines.encode(report.findings)])
    if not options.quiet:
        count = len(report.findings)
        print(f"assetdb: wrote {count:,} finding{'s' * (count != 1)} to {shown_path(path)}", file=sys.stderr)
    return 0


# --- what is printed


def _show(root: str, report: Report, options: Checking) -> None:
    shape = "json" if options.json else options.format
    if options.output is None or options.output == _STDOUT:
        if shape == "json":
            print_json_lines(_rows(report, options))
        else:
            for line in _lines(root, report, shape, options):
                print(line)
        return
    path = os.path.abspath(os.path.join(options.cwd, options.output))
    lines = map(json_line, _rows(report, options)) if shape == "json" else _lines(root, report, shape, options)
    replace_file(path, (f"{line}\n".encode("utf-8", "backslashreplace") for line in lines))
    if not options.quiet:
        print(f"assetdb: {text.summary(report.findings)} (in {shown_path(path)})", file=sys.stderr)


def _rows(report: Report, options: Checking) -> Iterator[dict[str, object]]:
    return iter(text.statistics(report.findings)) if options.statistics else map(row, report.findings)


def _lines(root: str, report: Report, shape: str, options: Checking) -> Iterator[str]:
    """Yield the lines of a report."""
    if shape == "text":
        yield from map(printable, _text(report, options))
        return
    prefix = repository_prefix(root)
    findings = tuple(with_files(root, report.findings))
    if shape == "github":
        yield from github.lines(findings, prefix)
    elif shape == "gitlab":
        yield from gitlab.lines(findings, prefix)
    elif shape == "junit":
        yield from junit.lines(findings, report.codes)
    else:
        yield from sarif.lines(findings, report.codes, prefix)


def _text(report: Report, options: Checking) -> Iterator[str]:
    findings = report.findings
    if options.statistics:
        rows = [
            (found["count"], found["code"], found["severity"], found["advice"]) for found in text.statistics(findings)
        ]
        yield from table(rows, right=frozenset((0,))).split("\n") if rows else ()
    else:
        yield from text.lines(findings)
    if not options.quiet:
        yield text.summary(findings)
        if text.fixable(findings):
            yield text.fixable(findings)


def _code(findings: tuple[Finding, ...], options: Checking) -> int:
    if options.exit_zero:
        return 0
    return 1 if any(finding.severity == ERROR or options.fail_on != ERROR for finding in findings) else 0
