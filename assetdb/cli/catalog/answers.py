"""Answers about catalogs, printed one after the other."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Final

from assetdb.cli.bundle.each import each_input, failed, title
from assetdb.cli.terminal import print_json_lines, printable, say
from assetdb_formats.addressables.opening import find_catalogs, open_catalog, open_input

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from assetdb.cli.catalog.options import CatalogJsonOptions, CatalogOptions
    from assetdb_formats.addressables.model import Problem
    from assetdb_formats.addressables.opening import OpenCatalog
    from assetdb_formats.inputs import Input

    Show = Callable[[Iterable[dict[str, Any]], Callable[[str], object]], None]
    """Takes an answer: its rows for JSON, and a function that prints it as text, given a prefix for notes."""

_SHOWN: Final = 10
"""How many problems of one sort are shown."""
_MISSES: Final = 3
"""How many catalogs are named if none has an answer."""


class NoAnswerError(Exception):
    """A catalog has no answer; the message lacks the catalog's name."""


def one_catalog(path: str, reading: CatalogOptions) -> OpenCatalog:
    """Open the one catalog of a path; print its losses."""
    opened = open_catalog(path, salvage=reading.salvage, intended_prefixes=reading.intended_prefixes)
    report_problems(opened, every=reading.verbose)
    return opened


def each_catalog(
    paths: Iterable[str], options: CatalogJsonOptions, show: Callable[[OpenCatalog, Show], None], *, titled: bool = True
) -> int:
    """Print the answer about each catalog, and return the exit code."""

    def of_file(file: Input, answer: Callable[..., None]) -> None:
        opened = open_input(file, salvage=options.salvage, intended_prefixes=options.intended_prefixes)
        report_problems(opened, every=options.verbose)
        try:
            show(opened, partial(answer, opened.name))
        except NoAnswerError as miss:
            raise NoAnswerError(f"{opened.name}: {miss}") from None

    return each_shown(paths, find_catalogs, of_file, "catalog", json=options.json, titled=titled)


def each_shown(
    paths: Iterable[str],
    find: Callable[[str], list[Input]],
    show: Callable[[Input, Callable[..., None]], None],
    key: str,
    *,
    json: bool,
    titled: bool,
) -> int:
    """Print each file's answer: 0 with one, 1 without, 2 if broken.

    Args:
        paths: where ``find`` looks for files.
        find: returns the files at a path.
        show: is called with a file and a function, and gives that function the file's name, and rows and text as
            :data:`Show` takes them.
        key: of the file's name, in JSON.
        json: whether rows are printed rather than text.
        titled: whether the names of several files are printed over their texts.
    """
    files, broken = each_input(paths, find)
    several = len(files) > 1
    shown = 0
    misses: list[str] = []

    def answer(name: str, rows: Iterable[dict[str, Any]], print_text: Callable[[str], object]) -> None:
        nonlocal shown
        if json:
            print_json_lines({key: name, **row} for row in rows)
            return
        title(name, 0, several=several and titled)
        if shown and not titled:
            print()
        shown += 1
        print_text(f"{name}: " if several else "")

    def print_one(file: Input) -> None:
        try:
            show(file, answer)
        except NoAnswerError as miss:
            misses.append(str(miss))

    for file in files:
        broken += failed(file.name, partial(print_one, file))
    if not broken and len(misses) < len(files):
        return 0
    if len(misses) == len(files):
        for text in misses[:_MISSES]:
            say(text)
        if len(misses) > _MISSES:
            say(f"and no answer in {len(misses) - _MISSES:,} more catalogs")
    return 2 if broken else 1


def report(problems: Sequence[Problem], count: int, where: str = "", *, every: bool = False) -> None:
    """Print the first problems of each sort, or every one."""
    shown = len(problems) if every else _SHOWN
    sorts: dict[str, list[Problem]] = {}
    for problem in problems:
        sorts.setdefault(problem.code, []).append(problem)
    for code, found in sorts.items():
        for problem in found[:shown]:
            print(printable(f"{where}{problem}"), file=sys.stderr)
        more = max(0, len(found) - shown)
        if len(sorts) == 1:
            more += count - len(problems)
        if more > 0:
            print(printable(f"{where}{code}: and {more:,} more"), file=sys.stderr)
    if len(sorts) > 1 and count > len(problems):
        print(printable(f"{where}and {count - len(problems):,} more"), file=sys.stderr)


def report_problems(opened: OpenCatalog, *, every: bool) -> None:
    """Print the losses of a salvaging read on stderr."""
    problems = opened.catalog.problems
    report(problems, len(problems), f"{opened.name}: ", every=every)


def size_text(size: int) -> str:
    """Return bytes as people read them."""
    amount = float(size)
    for unit in ("B", "KB", "MB", "GB", "TB"):
        if amount < 1024 or unit == "TB":
            return f"{size} B" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1024
    raise AssertionError(size)
