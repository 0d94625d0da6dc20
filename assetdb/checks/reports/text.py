"""Findings as text: errors first, grouped by cause, with totals."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.checks.counting import counted
from assetdb.checks.reports.grouping import Causes, Group, grouped, ranked, worst_first
from assetdb.diagnostics.codes import CODES, ERROR, NOTE, SEVERITIES, WARNING
from assetdb.system.escaping import printable, wrapped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from assetdb.checks.findings.finding import Finding

MOST_LINES: Final = 34
"""Lines printed by default; with summary and stderr 40 at most."""
_SURELY: Final = frozenset(("missing-meta",))
_FEWEST_LINES: Final = 6  # of findings, however many codes there are
_LINES_OF_REST: Final = 2
_NARROWEST: Final = 20  # narrowest column for a text beside its code; with less room it is below
_INDENT: Final = "    "


class Layout(NamedTuple):
    """How findings are laid out.

    Attributes:
        width: columns of the terminal; 0: no wrapping.
        every: whether to list each finding instead of groups, without a limit.
        paint: returns a text in the style of ``error``, ``warning``, ``note``, ``path`` or ``type``.
    """

    width: int = 0
    every: bool = False
    paint: Callable[[str, str], str] = lambda text, _: text


PLAIN: Final = Layout()
"""Unlimited width, no styles."""


def lines(findings: Sequence[Finding], layout: Layout = PLAIN) -> Iterator[str]:
    """Yield the worst findings by file, then counts by code.

    A group of findings takes one line, or more on a narrow terminal; names are escaped.
    """
    if not findings:
        return
    totals = code_counts(findings, layout)
    if layout.every:
        groups = [Group((finding,), is_instance=False) for finding in worst_first(findings)]
        yield from _listed(groups, layout)
    else:
        most = max(_FEWEST_LINES, MOST_LINES - len(totals) - 1)
        causes = Causes(findings)
        groups = causes.groups(most)
        if len(groups) >= most or len(list(_listed(groups, layout))) > most:
            groups = causes.groups()
        yield from _fitting(groups, layout, most)
    yield from totals
    yield ""


def _fitting(groups: Sequence[Group], layout: Layout, most: int) -> Iterator[str]:
    """Yield the lines of groups that fit, and a count of others."""
    ranks = ranked(groups)
    for number in range(min(len(groups), most), 0, -1):
        listed = list(_listed([groups[rank] for rank in sorted(ranks[:number])], layout))
        if len(listed) + _LINES_OF_REST * (number < len(groups)) <= most:
            break
    yield from listed
    omitted = [groups[rank] for rank in ranks[number:]]
    if omitted:
        count = sum(len(group.findings) for group in omitted)
        files = len({finding.path for group in omitted for finding in group.findings})
        yield f"and {count:,} more in {counted(files, 'file')} (--verbose lists all)"
        yield ""


def _listed(groups: Iterable[Group], layout: Layout) -> Iterator[str]:
    """Yield each file with the groups that begin in it."""
    for path, here in groupby(groups, key=lambda group: group.first.path):
        rows = [(str(each.first.line or ""), each.first.severity, each.first.code, each.text) for each in here]
        widths = _widths(rows)
        margin = sum(widths[:3]) + (8 if widths[0] else 6)
        yield layout.paint(printable(path), "path")
        for line, severity, code, text in rows:
            if 0 < layout.width < margin + _NARROWEST:
                yield from _below((line, severity, code), text, layout)
                continue
            head = f"  {line.rjust(widths[0])}" if widths[0] else ""
            head += f"  {layout.paint(severity.ljust(widths[1]), severity)}  "
            head += f"{layout.paint(code.ljust(widths[2]), 'type')}  "
            pieces = _wrapped(printable(text), layout.width - margin)
            yield head + pieces[0]
            yield from (f"{' ' * margin}{piece}" for piece in pieces[1:])
        yield ""


def _widths(rows: Iterable[tuple[str, ...]]) -> list[int]:
    return [max(map(len, column)) for column in zip(*rows, strict=True)]


def _wrapped(text: str, width: int) -> list[str]:
    return wrapped(text, width) if width > 0 else [text]


def _below(words: Sequence[str], text: str, layout: Layout) -> Iterator[str]:
    """Yield number, severity and code, and the text below them."""
    number, severity, code = words
    used = len(f"  {number}  {severity}  {code}")
    gap = "  " if used <= layout.width else f"\n{_INDENT}"
    head = "  ".join(filter(None, (number, layout.paint(severity, severity))))
    yield from f"  {head}{gap}{layout.paint(code, 'type')}".split("\n")
    yield from (_INDENT + piece for piece in wrapped(printable(text), layout.width - len(_INDENT)))


def code_counts(findings: Sequence[Finding], layout: Layout = PLAIN) -> list[str]:
    """Return the lines of each code: count and remedy."""
    counts = Counter(map(attrgetter("severity", "code"), findings))
    ordered = sorted(counts.items(), key=lambda item: (SEVERITIES.index(item[0][0]), -item[1], item[0]))
    rows = [(f"{count:,}", *kind, CODES[kind[1]].advice) for kind, count in ordered]
    widths = _widths(rows)
    margin = sum(widths[:3]) + 6
    found: list[str] = []
    for count, severity, code, advice in rows:
        if 0 < layout.width < margin + _NARROWEST:
            found += _below((count, severity, code), advice, layout)
            continue
        pieces = _wrapped(advice, layout.width - margin)
        head = f"{count.rjust(widths[0])}  {layout.paint(severity.ljust(widths[1]), severity)}  "
        found.append(f"{head}{layout.paint(code.ljust(widths[2]), 'type')}  {pieces[0]}")
        found += [f"{' ' * margin}{piece}" for piece in pieces[1:]]
    return found


def summary(findings: Sequence[Finding]) -> str:
    """Return the numbers of errors, warnings and notes, and of their causes.

    One merged meta is 26 errors: causes are counted as :func:`lines` groups the findings.
    """
    causes = Counter(group.first.severity for group in grouped(findings))
    found = Counter(map(attrgetter("severity"), findings))
    counts = []
    for severity in filter(found.get, (ERROR, WARNING, NOTE)):
        of = f" of {counted(causes[severity], 'cause')}" if causes[severity] < found[severity] else ""
        counts.append(f"{counted(found[severity], severity)}{of}")
    *first, last = counts or ["all checks passed"]
    return f"found {', '.join(first)} and {last}" if first else f"found {last}" if counts else last


def fixable(findings: Sequence[Finding]) -> str:
    """Return how many findings ``--fix`` can fix; ``""`` for none.

    For some codes it fixes only unreferenced or certainly newer files: ``--dry-run`` shows which.
    """
    codes = [finding.code for finding in findings if finding.fixable]
    return f"{'' if _SURELY.issuperset(codes) else 'up to '}{len(codes):,} fixable with --fix" if codes else ""


def statistics(findings: Sequence[Finding]) -> list[dict[str, object]]:
    """Return counts by code and severity, the most first."""
    by_kind: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        by_kind.setdefault((finding.code, finding.severity), []).append(finding)
    return [
        {
            "code": code,
            "severity": severity,
            "count": len(found),
            "fixable": sum(finding.fixable for finding in found),
            "advice": CODES[code].advice,
        }
        for (code, severity), found in sorted(by_kind.items(), key=lambda item: (-len(item[1]), item[0]))
    ]
