"""Loops over files, which continue after an unreadable one."""

from __future__ import annotations

import os
import re
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from assetdb.cli.terminal import Progress, fail, printable
from assetdb.errors import UsageError
from assetdb_formats.binary import FormatError
from assetdb_formats.files import words_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from assetdb_formats.inputs import Input


class _Named(Protocol):
    @property
    def input(self) -> Input: ...


_File = TypeVar("_File", bound=_Named)
_SHOWN_ALIKE: Final = 3
_NUMBER: Final = re.compile(r"\b(?:0x)?(?=[a-f]*\d)[0-9a-f]++\b")


def text_matcher(text: str, *, regex: bool) -> Callable[[str], object]:
    """Return a matcher for a text or pattern; raises UsageError."""
    if not regex:
        folded = text.casefold()
        return lambda name: folded in name.casefold()
    try:
        return re.compile(text, re.IGNORECASE).search
    except (re.error, ValueError, OverflowError, RecursionError) as error:  # a{99999999999} overflows
        raise UsageError(f"{text}: is not a valid regular expression: {error}") from None


def each_file(files: Sequence[_File], show: Callable[[_File, int], int], *, progress: str = "") -> int:
    """Show each file; return the worst exit code, 2 for unreadable."""
    code = 0
    bar = Progress(progress)
    for number, file in enumerate(files):
        if progress:
            bar(number, len(files))
        try:
            code = max(code, show(file, number))
        except (FormatError, OSError) as error:
            bar.close()
            if isinstance(error, OSError) and error.filename is None:  # of stdout, not of the file
                raise
            code = say_unreadable(file.input.name, error)
    bar.close()
    return code


def each_input(paths: Iterable[str], find: Callable[[str], list[Input]]) -> tuple[list[Input], int]:
    """Return the files of several paths, and the number of bad paths.

    A file may be named, and lie in a folder that is named: it is one, whatever its path looks like.
    """
    files: dict[str, Input] = {}
    broken = 0

    def search(path: str) -> None:
        for one in find(path):
            files.setdefault(os.path.abspath(one.path or one.name), one)

    for path in paths:
        broken += failed(path, partial(search, path))
    return list(files.values()), broken


def failed(name: str, work: Callable[[], object]) -> bool:
    """Work on a file; print and return whether that failed."""
    try:
        work()
    except BrokenPipeError:
        raise
    except (FormatError, OSError) as error:
        say_unreadable(name, error)
        return True
    return False


def title(name: str, number: int, *, several: bool) -> None:
    """Print the name of a file above its contents, if several."""
    if several:
        print(f"{chr(10) if number else ''}{printable(name)}:")


def say_unreadable(path: str, error: FormatError | OSError) -> int:
    """Print why a file is unreadable; return the exit code."""
    return fail(reason(path, error))


def reason(path: str, error: FormatError | OSError) -> str:
    """Return the reason why a file cannot be read, with its path."""
    if isinstance(error, FormatError):
        return str(error if error.path else error.at(path))
    return f"{error.filename or path}: {words_of(error)}"


def grouped(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines, at most three that differ only in numbers."""
    alike: dict[str, list[str]] = {}
    for line in lines:
        alike.setdefault(_NUMBER.sub("#", line), []).append(line)
    for found in alike.values():
        yield from found[:_SHOWN_ALIKE]
        if len(found) > _SHOWN_ALIKE:
            yield f"and {len(found) - _SHOWN_ALIKE:,} more like that"


def grouped_by_reason(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines ``NAME: REASON``, at most three of one reason."""
    alike: dict[str, list[str]] = {}
    for line in lines:
        alike.setdefault(line.partition(": ")[2] or line, []).append(line)
    for why, found in alike.items():
        yield from found[:_SHOWN_ALIKE]
        if len(found) > _SHOWN_ALIKE:
            yield f"and {len(found) - _SHOWN_ALIKE:,} more: {why}"


def verdict(count: int, unreadable: int, *, has_findings: bool) -> str:
    """Return the last line of `verify` on ``count`` bundles."""
    results = ["findings"] * has_findings + [f"{unreadable} unreadable"] * bool(unreadable)
    return f"{count} {'bundle' if count == 1 else 'bundles'}: {', '.join(results) or 'clean'}"
