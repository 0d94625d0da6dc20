"""A check of the files, told in the requested format."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from assetdb.checks.counting import counted
from assetdb.checks.findings.codes import ABSENT_PACKAGES
from assetdb.checks.findings.engine import in_order, report_of
from assetdb.checks.findings.lost_guids import with_history
from assetdb.checks.findings.paths import project_of, project_paths, without_assets
from assetdb.checks.findings.selection import configured, within
from assetdb.checks.request import CheckAnswer, Question, answer
from assetdb.cli.arguments import worker_count
from assetdb.cli.asking import opened
from assetdb.cli.asking.target import say_unread
from assetdb.cli.review.other_roots import findings_of_others
from assetdb.cli.review.reported import show
from assetdb.cli.terminal import Progress, print_json, printable, say, say_first, shown_path
from assetdb.diagnostics import NOT_SHARED
from assetdb.diagnostics.codes import ALL, failing
from assetdb.errors import ConfigurationError, FileError, UsageError
from assetdb.memo.memo import memo_of
from assetdb.query.completeness import of_selection
from assetdb.settings.checking import CheckConfiguration, known_codes
from assetdb.settings.configuration import read_configuration
from assetdb.settings.output_folder import outside
from assetdb.settings.project import JOURNAL_NAME
from assetdb.system.reading import read_small
from assetdb_formats.atomic import replace_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from assetdb.checks.findings.baseline import Baseline
    from assetdb.checks.findings.engine import Report, Selection
    from assetdb.checks.findings.finding import Finding
    from assetdb.checks.reports.kept import KeptOutput
    from assetdb.cli.review.check_options import CheckOptions
    from assetdb.query.snapshots.snapshot import Snapshot

BASELINE_NAME: Final = "assetdb-baseline.json"
"""The default path of a baseline, relative to the project."""
_SHOWN: Final = 10


def check_files(
    words: list[str], options: CheckOptions, project: Snapshot | None = None, kept: KeptOutput | None = None
) -> int:
    """Report findings of a project; 1 if something fails.

    Args:
        words: paths and patterns; none: everything.
        options: the options of the command.
        project: the project that the options name, if it is open already.
        kept: where the codes are noted on which the output rests.
    """
    _refuse_contradictions(options)
    if options.project is None and options.opened is None:
        options.project = project_of(words, options.cwd)
    options.synced = False  # a check always looks at the files itself
    project = opened(options) if project is None else project
    if options.packages:
        return _list_packages(project, options)
    configuration = _configuration(project.root)
    selection = _selection(options, configuration, project_paths(project.root, words, options.cwd))
    baseline_path = _baseline_path(project.root, options, configuration)
    has_baseline = bool(options.baseline or configuration.baseline)
    baseline = _read_baseline(baseline_path) if has_baseline and not options.write_baseline else None
    if os.path.lexists(os.path.join(project.root, JOURNAL_NAME)) and _is_undone(project.root, project.folder, options):
        project.close()
        project = opened(options)
    question = Question(selection, options.staged, options.since, options.merge, baseline, options.fetch)
    is_shown = options.shape == "text" and not options.quiet
    workers = 1 if options.in_daemon else worker_count(options.workers)
    with Progress("checking") as progress:
        on_progress = progress if is_shown else None
        found = answer(project, question, workers=workers, on_progress=on_progress, in_daemon=options.in_daemon)
    report = found.report
    if options.write_baseline:
        limited = bool(selection.paths)
        return _write_baseline(baseline_path, report, options, limited=limited, is_read=has_baseline)
    mended = 0
    if options.fix or options.dry_run:
        from assetdb.checks.mending.fixes import plan_fixes  # noqa: PLC0415 - most checks mend nothing
        from assetdb.checks.mending.writing.apply import apply, examine  # noqa: PLC0415 - as above

        plan = plan_fixes(project, report.findings)
        _say_rows("not mended", [(item.path, item.code, item.message) for item in plan.proposals], options)
        if options.dry_run:
            examine(plan, project.root)
            for line in plan.diff():
                print(printable(line))
            return _exit_code(report.findings, options)
        if not plan.is_empty:
            done = apply(plan, project.root, project.folder)
            if done.unignored:
                say(done.unignored)
            mended = len(plan.fixes)
            _say_rows("mended", [(fix.path, fix.code, fix.what) for fix in plan.fixes], options)
            project.close()
            project = opened(options)
            found = answer(project, question, workers=worker_count(options.workers))
            report = found.report
    if baseline is not None:
        _say_left_out(found, baseline_path, question, options)
    findings = report.findings
    if not options.statistics:
        findings = with_history(project, findings, known=report.held)
    only_here = (selection.paths, baseline, options.fix, options.dry_run, options.rev)

    def by_settings(root: str) -> Selection:
        return _selection(options, _configuration(root))

    others = findings_of_others(project.root, question, options, by_settings, is_asked=not any(only_here))
    if others:
        findings = tuple(in_order([*findings, *others]))
        report = report_of(findings, report.codes)._replace(absent=report.absent, is_sure=report.is_sure)
    if selection.paths and not findings and not (options.quiet or question.is_of_change):
        for path in without_assets(project, selection.paths):
            say(f"no asset at {path}")
    output = os.path.join(options.cwd, options.output) if options.output is not None and options.output != "-" else None
    show(project.root, report._replace(findings=findings), options, output, mended)
    if not options.quiet:
        _say_unshared_and_unread(project, selection, findings, every=options.verbose)
    if report.absent and not options.quiet and options.rev is None:
        from assetdb.cli.history.revision import say_absent  # noqa: PLC0415 - few clones are partial

        say_absent(report.absent, is_sure=report.is_sure, is_whole=options.verbose, is_fetched=options.fetch)
    if kept is not None and report.is_sure:
        kept.codes = report.codes
    return _exit_code(report.findings, options) if report.is_sure or options.exit_zero else 2


def _say_unshared_and_unread(
    project: Snapshot, selection: Selection, findings: Sequence[Finding], *, every: bool
) -> None:
    unshared = [(item.path, item.message) for item in project.diagnostics() if item.code == NOT_SHARED]
    for path, message in (*unshared, *memo_of(project).shared_problems):
        say(f"{path}: {NOT_SHARED}: {message}")
    told, unwanted = {found.path for found in findings}, {*selection.ignore}
    inside = of_selection(project, within(selection.paths))
    unread = [item for item in inside if item.path not in told and unwanted.isdisjoint((item.code, ALL))]
    say_unread(unread, every=every, may="may have findings that are not listed")


def _list_packages(project: Snapshot, options: CheckOptions) -> int:
    """Print the packages that are not on this machine."""
    from assetdb.checks.findings.unjudged import absent_packages  # noqa: PLC0415 - most checks list none

    project.refresh()
    found = absent_packages(project)
    for row in found:
        if options.json:
            print_json(row._asdict())
        else:
            by = ", ".join(row.required_by) or "nothing"
            print(printable(f"{row.name}@{row.version}  required by {by}"))
    if not found and not options.quiet:
        say("all packages are on this machine, or their files are known")
    return 1 if found and options.strict else 0


def _is_undone(root: str, folder: str, options: CheckOptions) -> bool:
    """Undo a half done change before a fix, or only report it."""
    from assetdb.cli.changing import say_half_done, say_recovered  # noqa: PLC0415 - few projects have one

    if options.fix and not options.dry_run:
        say_recovered(root, folder)
        return True
    if not options.quiet:
        say_half_done(root)
    return False


def _refuse_contradictions(options: CheckOptions) -> None:
    """Refuse options that contradict each other, with UsageError."""
    if options.json and options.format not in ("text", "json"):
        raise UsageError(f"check: --json and --format {options.format} cannot be combined")
    if options.dry_run and (options.json or options.format != "text" or options.output is not None):
        raise UsageError("check: --dry-run prints a diff: leave out --format, --json and --output")
    given = {"--staged": options.staged, "--since": options.since is not None, "--merge": options.merge is not None}
    changes = [name for name, is_given in given.items() if is_given]
    if len(changes) > 1:
        raise UsageError(f"check: {' and '.join(changes)} cannot be combined")
    change = "".join(changes)
    if options.write_baseline and (change or options.select or options.ignore):
        raise UsageError("check: --write-baseline needs all findings: leave out paths and options that select some")
    if (options.fix or options.dry_run) and options.write_baseline:
        raise UsageError("check: --fix and --write-baseline cannot be combined: run one, then the other")
    if options.rev is not None and (options.fix or options.dry_run or change or options.write_baseline):
        raise UsageError("check: --rev reports the findings of one revision: leave out other options that select files")
    if options.fix and options.no_refresh:
        raise UsageError("check: --fix changes the current files: leave out --no-refresh")
    if (options.fix or options.dry_run) and options.merge is not None:
        raise UsageError("check: --fix changes the files on disk, but --merge compares commits: leave one out")
    if (options.fix or options.dry_run) and options.staged:
        raise UsageError("check: --fix changes the files on disk, but --staged checks git's index: leave one out")


def _configuration(root: str) -> CheckConfiguration:
    return read_configuration(root).check or CheckConfiguration()


def _selection(options: CheckOptions, configuration: CheckConfiguration, paths: tuple[str, ...] = ()) -> Selection:
    """Return the codes and paths of command line, or else of settings."""
    try:
        select = known_codes("--select", _split(options.select))
        ignore = known_codes("--ignore", _split(options.ignore))
    except ConfigurationError as error:
        raise UsageError(f"check: {error}") from error
    return configured(configuration, paths, select, ignore)


def _split(words: Iterable[str] | None) -> list[str]:
    return [code for word in words or () for code in word.split(",") if code.strip()]


# --- the baseline


def _baseline_path(root: str, options: CheckOptions, configuration: CheckConfiguration) -> str:
    """Return the baseline's absolute path; ConfigurationError if outside the project."""
    if options.baseline:
        return os.path.abspath(os.path.join(options.cwd, options.baseline))
    name = configuration.baseline or BASELINE_NAME
    path = os.path.normpath(os.path.join(root, name))
    where = outside(root, name, path)
    if where:
        raise ConfigurationError(f"check.baseline {name!r} {where}: it must be a path inside the project")
    return path


def _read_baseline(path: str) -> Baseline:
    from assetdb.checks.findings import baseline as baselines  # noqa: PLC0415 - most projects have none

    try:
        return baselines.decode(read_small(path, baselines.LARGEST), path)
    except FileNotFoundError as error:
        raise FileError(f"{path}: there is no such baseline (--write-baseline writes it)") from error


def _say_left_out(found: CheckAnswer, path: str, question: Question, options: CheckOptions) -> None:
    if options.quiet:
        return
    note = f"{found.known:,} known findings are left out ({shown_path(path)})"
    if found.mended and not (options.select or options.ignore or question.is_of_change):
        note += f"; {found.mended:,} of it no longer occur: --write-baseline drops them"
    say(note)
    if found.unrecorded:
        is_told = question.known is not None and question.known.codes is not None
        shown = shown_path(path)
        unsaid = f"{shown} has none of, nor says whether they were checked,"
        why = f"were not checked when {shown} was written" if is_told else unsaid
        say(f"{_counts(found.unrecorded)} of codes that {why} are listed: --write-baseline records them")
    if found.unchecked and not (options.select or options.ignore):
        say(f"{_counts(found.unchecked)} in {shown_path(path)} of codes that are not checked now are not compared")


def _counts(codes: Mapping[str, int]) -> str:
    """Return the number of findings, and the number for each code."""
    rows = ", ".join(f"{code} {count:,}" for code, count in sorted(codes.items()))
    return f"{counted(sum(codes.values()), 'finding')} ({rows})"


def _write_baseline(path: str, report: Report, options: CheckOptions, *, limited: bool, is_read: bool) -> int:
    if limited:
        raise UsageError("check: --write-baseline needs all findings: leave out paths and options that select some")
    from assetdb.checks.findings import baseline as baselines  # noqa: PLC0415 - as above

    _refuse_foreign(path)
    replace_file(path, [baselines.encode(report.findings, report.codes)])
    if not options.quiet:
        shown = shown_path(path)
        # No setting names the baseline yet, so the next check would list all findings again.
        use = "" if is_read else f"; --baseline {shown} leaves them out, or `baseline` in assetdb.toml"
        say(f"wrote {counted(len(report.findings), 'finding')} to {shown}{use}")
    return 0


def _refuse_foreign(path: str) -> None:
    """Refuse to replace a file that is not a baseline."""
    from assetdb.checks.findings import baseline as baselines  # noqa: PLC0415 - as above

    try:
        replaced = read_small(path, baselines.LARGEST)
    except FileNotFoundError:
        return
    if replaced.strip() and baselines.MARK not in replaced:
        raise UsageError(f"check: {path} is not a baseline, and is not overwritten: name another, or remove it first")


def _say_rows(word: str, rows: Sequence[tuple[str, str, str]], options: CheckOptions) -> None:
    if options.quiet:
        return
    notes = [f"{word}: {': '.join(row)}" for row in rows]
    say_first(notes, f"{word}: {{:,}} more", every=options.verbose, most=_SHOWN)


def _exit_code(findings: tuple[Finding, ...], options: CheckOptions) -> int:
    if options.exit_zero:
        return 0
    if options.strict and any(finding.code == ABSENT_PACKAGES for finding in findings):
        return 1
    return 1 if any(finding.severity in failing(options.fail_on) for finding in findings) else 0
