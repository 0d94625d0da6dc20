"""The report of ``assetdb check`` in all formats."""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Final

from assetdb.checks.findings.paths import with_files
from assetdb.checks.reports import text
from assetdb.cli.output import write_lines
from assetdb.cli.terminal import (
    columns,
    json_line,
    painter,
    print_folded,
    print_json_lines,
    say,
    shown_path,
    table_lines,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.checks.findings.engine import Report
    from assetdb.cli.review.check_options import CheckOptions


_TEXT: Final = "text"
_JSON: Final = "json"
_JUNIT: Final = "junit"
_GITHUB: Final = "github"
_OF_CODES: Final = (_JUNIT, "sarif")  # what was looked for is part of the report


def show(root: str, report: Report, options: CheckOptions, output: str | None, mended: int) -> None:
    """Print a report, or write it to a file as a whole."""
    if output is None:
        if options.shape == _JSON:
            print_json_lines(_rows(report, options))
        else:
            for line in _lines(root, report, options, output):
                print(line)
        if options.shape == _TEXT and not options.quiet:
            for line in _summary(report, mended):
                print_folded(line)
        return
    path = os.path.abspath(output)
    is_json = options.shape == _JSON
    lines = map(json_line, _rows(report, options)) if is_json else _lines(root, report, options, output)
    write_lines(path, lines)
    if not options.quiet:
        say(f"{', '.join(_summary(report, mended))} (in {shown_path(path)})")


def _summary(report: Report, mended: int) -> list[str]:
    counts = text.summary(report.findings) + (f"; {mended:,} mended" if mended else "")
    fixable = text.fixable(report.findings)
    return [counts, fixable] if fixable else [counts]


def _rows(report: Report, options: CheckOptions) -> Iterator[dict[str, object]]:
    if options.statistics:
        return iter(text.statistics(report.findings))
    return (finding.fields() for finding in report.findings)


def _lines(root: str, report: Report, options: CheckOptions, output: str | None) -> Iterator[str]:
    """Yield the lines of a report."""
    if options.shape == _TEXT:
        if options.statistics:
            found = text.statistics(report.findings)
            cells = ((row["count"], row["code"], row["severity"], row["advice"]) for row in found)
            yield from table_lines(cells, right=frozenset((0,)), width=columns() if output is None else 0)
            return
        layout = text.Layout(every=options.verbose)
        if output is None:
            layout = text.Layout(columns(), options.verbose, painter())
        yield from text.lines(report.findings, layout)
        return
    from assetdb.history.git.questions import repository_prefix  # noqa: PLC0415 - few formats name paths of a repository

    prefix = repository_prefix(root)
    findings = tuple(with_files(root, report.findings))
    module = import_module(f"assetdb.checks.reports.{options.shape}")  # each imports much that no other needs
    codes = (report.codes,) if options.shape in _OF_CODES else ()
    places = (options.fail_on,) if options.shape == _JUNIT else (prefix,)
    named = {"every": options.verbose} if options.shape == _GITHUB else {}
    yield from module.lines(findings, *codes, *places, **named)
