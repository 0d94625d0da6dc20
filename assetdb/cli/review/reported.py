"""Output of the report of ``assetdb check``, in its formats."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.checks.findings.paths import repository_prefix, with_files
from assetdb.checks.reports import text
from assetdb.cli.terminal import columns, json_line, painter, print_json_lines, printable, say, shown_path, table
from assetdb.diagnostics.codes import ERROR
from assetdb_formats.atomic import replace_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.checks.findings.engine import Report


class Style(NamedTuple):
    """How a report is shown.

    Attributes:
        shape: ``text``, ``json``, ``github``, ``gitlab``, ``junit``, ``markdown`` or ``sarif``.
        output: path of the file to write, or None for stdout.
        statistics: whether findings are only counted.
        quiet: whether there is no summary.
        mended: how many findings are no more.
        fail_on: the severity from which on a finding fails.
        every: whether people are shown each finding, rather than groups and the worst of them.
    """

    shape: str
    output: str | None = None
    statistics: bool = False
    quiet: bool = False
    mended: int = 0
    fail_on: str = ERROR
    every: bool = False


_TEXT: Final = "text"
_JSON: Final = "json"
_JUNIT: Final = "junit"
_GITHUB: Final = "github"
_OF_CODES: Final = (_JUNIT, "sarif")  # what was looked for is part of the report


def show(root: str, report: Report, style: Style) -> None:
    """Print a report, or write it to a file as a whole."""
    if style.output is None:
        if style.shape == _JSON:
            print_json_lines(_rows(report, style))
        else:
            for line in _lines(root, report, style):
                print(line)
        if style.shape == _TEXT and not style.quiet:
            print("\n".join(_summary(report, style)))
        return
    path = os.path.abspath(style.output)
    lines = map(json_line, _rows(report, style)) if style.shape == _JSON else _lines(root, report, style)
    pieces = (f"{line}\n".encode("utf-8", "backslashreplace") for line in lines)
    if os.path.exists(path) and not os.path.isfile(path):  # /dev/stdout, a pipe: nothing to replace
        with open(path, "wb") as file:
            file.writelines(pieces)
    else:
        replace_file(path, pieces)
    if not style.quiet:
        say(f"{', '.join(_summary(report, style))} (in {shown_path(path)})")


def _summary(report: Report, style: Style) -> list[str]:
    said = text.summary(report.findings) + (f"; {style.mended:,} mended" if style.mended else "")
    fixable = text.fixable(report.findings)
    return [said, fixable] if fixable else [said]


def _rows(report: Report, style: Style) -> Iterator[dict[str, object]]:
    if style.statistics:
        return iter(text.statistics(report.findings))
    return (finding.fields() for finding in report.findings)


def _lines(root: str, report: Report, style: Style) -> Iterator[str]:
    """Yield the lines of a report."""
    if style.shape == _TEXT:
        if style.statistics:
            yield from map(printable, _statistics(report))
            return
        layout = text.Layout(every=style.every)
        if style.output is None:
            layout = text.Layout(columns(), style.every, painter())
        yield from text.lines(report.findings, layout)
        return
    prefix = repository_prefix(root)
    findings = tuple(with_files(root, report.findings))
    module = __import__(
        f"assetdb.checks.reports.{style.shape}", fromlist=("",)
    )  # each imports much that no other needs
    codes = (report.codes,) if style.shape in _OF_CODES else ()
    places = (style.fail_on,) if style.shape == _JUNIT else (prefix,)
    options = {"every": style.every} if style.shape == _GITHUB else {}
    yield from module.lines(findings, *codes, *places, **options)


def _statistics(report: Report) -> Iterator[str]:
    found = text.statistics(report.findings)
    rows = [(row["count"], row["code"], row["severity"], row["advice"]) for row in found]
    yield from table(rows, right=frozenset((0,))).split("\n") if rows else ()
