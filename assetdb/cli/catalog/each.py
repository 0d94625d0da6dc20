"""The loop over catalogs, which continues after an unreadable one."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.cli.terminal import fail, printable, say
from assetdb_formats.addressables.opening import find_catalogs, open_catalog, open_input
from assetdb_formats.binary import FormatError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from assetdb.cli.catalog.options import Reading
    from assetdb_formats.addressables.model import Problem
    from assetdb_formats.addressables.opening import OpenCatalog
    from assetdb_formats.inputs import Input

_SHOWN: Final = 10
"""Problems of one sort that are shown."""
_MISSES: Final = 3
"""Catalogs that are named where none has an answer."""


class NoAnswerError(Exception):
    """A catalog has no answer; the message lacks the catalog's name."""


class Answered(NamedTuple):
    """The numbers of catalogs with an answer, without one, and broken."""

    answered: int
    misses: list[str]
    broken: int

    def exit_code(self) -> int:
        """Return 0 with an answer, 1 without, 2 for a broken catalog."""
        if not self.broken and len(self.misses) < self.answered:
            return 0
        if len(self.misses) == self.answered:
            for miss in self.misses[:_MISSES]:
                say(miss)
            if len(self.misses) > _MISSES:
                say(f"and no answer in {len(self.misses) - _MISSES:,} more catalogs")
        return 2 if self.broken else 1


def one_catalog(path: str, reading: Reading) -> OpenCatalog:
    """Open the one catalog of a path; print its losses."""
    opened = open_catalog(path, salvage=reading.salvage, intended_prefixes=reading.intended_prefixes)
    report_problems(opened, every=reading.verbose)
    return opened


def each_catalog(paths: Iterable[str], reading: Reading, answer: Callable[[OpenCatalog, bool], None]) -> Answered:
    """Open the catalogs of each path and have them answered for."""

    def ask(file: Input) -> None:
        opened = open_input(file, salvage=reading.salvage, intended_prefixes=reading.intended_prefixes)
        report_problems(opened, every=reading.verbose)
        try:
            answer(opened, several)
        except NoAnswerError as miss:
            misses.append(f"{opened.name}: {miss}")

    files, broken = each_input(paths, find_catalogs)
    several = len(files) > 1
    misses: list[str] = []
    for file in files:
        broken += failed(file.name, partial(ask, file))
    return Answered(len(files), misses, broken)


def each_input(paths: Iterable[str], find: Callable[[str], list[Input]]) -> tuple[list[Input], int]:
    """Return the files of several paths, and the number of bad paths."""
    files: dict[str, Input] = {}
    broken = 0

    def search(path: str) -> None:
        files.update({one.name: one for one in find(path)})

    for path in paths:
        broken += failed(path, partial(search, path))
    return list(files.values()), broken


def failed(name: str, work: Callable[[], object]) -> bool:
    """Work on a file; print and return whether that failed."""
    try:
        work()
    except FormatError as error:
        fail(str(error if error.path else error.at(name)))
    except BrokenPipeError:
        raise
    except OSError as error:
        fail(f"{error.filename or name}: {error.strerror or error}")
    else:
        return False
    return True


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


def report_problems(opened: OpenCatalog, *, every: bool = False) -> None:
    """Print the losses of a salvaging read on stderr."""
    problems = opened.catalog.problems
    report(problems, len(problems), f"{opened.name}: ", every=every)


def title(name: str, *, several: bool) -> None:
    """Print the name of a catalog over its answer, if several."""
    if several:
        print(f"{printable(name)}:")


def size_text(size: int) -> str:
    """Return bytes as people read them."""
    amount = float(size)
    for unit in ("B", "KB", "MB", "GB", "TB"):
        if amount < 1024 or unit == "TB":
            return f"{size} B" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1024
    raise AssertionError(size)
