"""Judgements on budgets as text, JSON, Markdown, JUnit and annotations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape, quoteattr

from assetdb.settings.budgets import DUPLICATES
from assetdb.settings.project import CONFIGURATION_NAME
from assetdb.system.escaping import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assetdb.builds.budgets.verdicts import Cause, Judgement, Verdict

GITHUB: Final = "github"
MARKDOWN: Final = "markdown"
JUNIT: Final = "junit"
TEXT: Final = "text"


def fields(found: Judgement) -> Iterator[dict[str, object]]:
    """Yield verdicts and problems for JSON, the exceeded budgets first."""
    exceeded = found.exceeded
    for row in (*exceeded, *(row for row in found.verdicts if not row.over)):
        yield {
            "budget": row.budget.key,
            "kind": row.budget.kind,
            "pattern": row.budget.pattern,
            "limit": row.budget.limit.text,
            "name": row.name,
            "size": row.size,
            "before": row.before,
            "allowed": row.allowed,
            "over": row.over,
            "causes": [cause._asdict() for cause in row.causes],
        }
    for problem in found.problems:
        yield {"problem": problem}


def text(found: Judgement) -> Iterator[str]:
    """Yield a paragraph for each exceeded budget, and the counts."""
    for row in found.exceeded:
        yield printable(f"{_title(row)}: {_excess(row)}")
        for cause in row.causes:
            yield printable(f"    {_cause(cause, row)}")
    yield summary(found)


def summary(found: Judgement) -> str:
    """Return how many limits are exceeded, and how many hold."""
    exceeded, count = len(found.exceeded), len(found.verdicts)
    if exceeded:
        return f"{exceeded:,} of {count:,} limits {'is' if exceeded == 1 else 'are'} exceeded"
    if not count:
        return "no limit was judged"
    return "1 limit holds" if count == 1 else f"{count:,} limits hold"


def github(found: Judgement) -> Iterator[str]:
    """Yield an annotation for each exceeded budget and problem."""
    place = f"::error file={CONFIGURATION_NAME},title=budget::"
    for row in found.exceeded:
        lines = (f"{_title(row)}: {_excess(row)}", *(_cause(cause, row) for cause in row.causes))
        yield place + _data("\n".join(map(printable, lines)))
    for problem in found.problems:
        yield place + _data(printable(problem))
    yield summary(found)


def markdown(found: Judgement) -> Iterator[str]:
    """Yield a table of exceeded budgets, with their causes below."""
    exceeded = found.exceeded
    yield f"<!-- assetdb build check: exceeded={len(exceeded)} problems={len(found.problems)} -->"
    yield f"### assetdb build check: {summary(found)}"
    if exceeded:
        yield ""
        yield "| budget | of | size | allowed | too much |"
        yield "|---|---|--:|--:|--:|"
        for row in exceeded:
            numbers = " | ".join(f"{number:,}" for number in (row.size, row.allowed, row.over))
            yield f"| {_cell(row.budget.key)} | {_cell(row.name or 'the whole')} | {numbers} |"
        for row in (row for row in exceeded if row.causes):
            yield ""
            yield f"{_cell(_title(row))}:"
            yield from (f"- {_cell(_cause(cause, row))}" for cause in row.causes)
    if found.problems:
        yield ""
        yield from (f"- {_cell(problem)}" for problem in found.problems)


def junit(found: Judgement) -> Iterator[str]:
    """Yield a test case for each limit and each problem."""
    count, failed = len(found.verdicts) + len(found.problems), len(found.exceeded)
    numbers = f'tests="{count}" failures="{failed}" errors="{len(found.problems)}"'
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f"<testsuites {numbers}>"
    yield f'  <testsuite name="assetdb.budget" {numbers} skipped="0">'
    for row in found.verdicts:
        yield f"    <testcase classname={_attribute(row.budget.key)} name={_attribute(row.name or 'the whole')}>"
        if row.over:
            causes = "\n".join(printable(_cause(cause, row)) for cause in row.causes)
            yield f"      <failure message={_attribute(_excess(row))}>{escape(causes)}</failure>"
        yield "    </testcase>"
    for problem in found.problems:
        yield f'    <testcase classname="assetdb.budget" name={_attribute(problem.partition(":")[0])}>'
        yield f"      <error message={_attribute(problem)}/>"
        yield "    </testcase>"
    yield "  </testsuite>"
    yield "</testsuites>"


FORMATS: Final[dict[str, Callable[[Judgement], Iterator[str]]]] = {
    TEXT: text,
    GITHUB: github,
    MARKDOWN: markdown,
    JUNIT: junit,
}
"""The reports that are lines, by format."""


def _title(row: Verdict) -> str:
    return f"{row.budget.key}{f'  {row.name}' if row.name not in ('', row.budget.pattern) else ''}"


def _excess(row: Verdict) -> str:
    """Return by how much something is too large."""
    unit = "objects" if row.budget.kind == DUPLICATES else "bytes"
    growth = f" ({row.before:,} before)" if row.before is not None and row.budget.limit.more else ""
    limit = row.budget.limit.text
    allowed = f"{row.allowed:,}" if limit in (str(row.allowed), f"{row.allowed:,}") else f"{row.allowed:,} ({limit})"
    return f"{row.size:,} {unit}{growth}, and {allowed} are allowed: {row.over:,} too many"


def _cause(cause: Cause, row: Verdict) -> str:
    if row.before is None:
        size = f"{cause.size:,} bytes"
    elif cause.before is None:
        size = f"{cause.size:,} bytes, new"
    else:
        size = f"{cause.before:,} -> {cause.size:,} bytes"
    return f"{cause.name}  {size}{f'  {cause.by}' if cause.by else ''}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\n", "%0A")


def _cell(text: str) -> str:
    escaped = printable(text)
    for character in "\\`*_[]<>|":
        escaped = escaped.replace(character, f"\\{character}")
    return escaped


def _attribute(text: str) -> str:
    return quoteattr(printable(text))
