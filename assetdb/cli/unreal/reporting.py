"""Progress of scans, and notes on files that could not be read."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from assetdb.cli.arguments import worker_count
from assetdb.cli.terminal import Progress, not_found, printable
from assetdb.cli.unreal.archives import displayed, unpacked
from assetdb.errors import UsageError
from assetdb_formats.unreal.scanning.package_folder import scan_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from assetdb.cli.arguments import Manners
    from assetdb.cli.unreal.options import Scanning
    from assetdb_formats.unreal.iostore.package_graph import PackageGraph
    from assetdb_formats.unreal.problems import Problem
    from assetdb_formats.unreal.scanning.package_folder import PackageFolder


_WORKERS: Final = 2  # a third one waits for the disk


def say(text: str) -> None:
    """Print a problem on stderr."""
    print(f"assetdb: {printable(displayed(text))}", file=sys.stderr)


def note(text: str, options: Manners) -> None:
    """Print a note beside the answer on stderr.

    With ``--quiet`` nothing.
    """
    if not options.quiet:
        say(text)


@contextmanager
def progress_of(label: str) -> Iterator[Progress]:
    """Show a bar while the block runs."""
    progress = Progress(label)
    try:
        yield progress
    finally:
        progress.close()


def say_problems(problems: Iterable[Problem], *, every: bool) -> bool:
    """Print which files could not be read.

    One line for each reason, or with ``every`` one for each file.

    Returns:
        Whether it makes the answer one of broken input. A link to nothing does not: there is nothing to read.
    """
    alike: dict[str | tuple[str, str], list[Problem]] = {}
    for problem in problems:
        alike.setdefault((problem.kind, problem.path) if every else problem.kind, []).append(problem)
    broken = False
    for found in alike.values():
        more = f" (and {len(found) - 1:,} more)" if len(found) > 1 else ""
        say(f"{'' if found[0].gone else 'error: '}{found[0]}{more}")
        broken = broken or not found[0].gone
    return broken


def note_unknown(unknown: Mapping[str, int], options: Manners) -> None:
    """Say why the class of packages is not known."""
    for reason, count in unknown.items():
        note(f"the class of {count:,} packages is not known: {reason}", options)


def with_unread(graph: PackageGraph, code: int) -> int:
    """Print which containers could not be read.

    Without any package that is an error.
    """
    for path, reason in graph.unread:
        say(f"{path}: {reason}")
    return 2 if graph.unread and not graph.packages else code


def open_folder(options: Scanning, *folders: str, cache: str | None = None) -> tuple[PackageFolder, bool]:
    """Scan folders, and print which files were left out.

    With the cache that ``--cache`` names.

    Returns:
        The packages, and whether files or folders could not be read: then the command ends with 2.

    Raises:
        UsageError: if one of ``folders`` is none, or that of the cache.
    """
    for folder in folders:
        if not os.path.isdir(folder):
            raise UsageError(f"{folder}: {'is not a folder' if os.path.exists(folder) else 'no such folder'}")
    if cache and any(displayed(folder) != folder for folder in folders):
        raise UsageError("--cache keeps the scan of a folder, not of an archive")
    if cache and len(folders) > 1:
        raise UsageError("--cache keeps the scan of one folder; here are several")
    if cache:  # which is written when all is read: too late to say that it cannot be
        place = os.path.dirname(cache) or "."
        if not os.path.isdir(place):
            raise UsageError(f"--cache {cache}: there is no folder {place}")
    assume, workers = options.assumed, worker_count(options.workers or _WORKERS)
    with progress_of("packages") as progress:
        found = scan_folder(*folders, cache=cache or "", assume=assume, workers=workers, progress=progress)
    for conflict in found.conflicts:
        note(conflict, options)
    return found, say_problems(found.problems, every=options.verbose)


def with_archives(paths: Sequence[str], options: Manners, answer: Callable[[list[str]], int]) -> int:
    """Print an answer about paths; return its exit code.

    A folder takes the place of each archive meanwhile.
    """
    problems: list[Problem] = []
    with unpacked(paths, problems) as places:
        code = answer(places)
        broken = say_problems(problems, every=options.verbose)
    return 2 if broken else code


def no_packages(path: str) -> int:
    """Print that a folder has no package; return 1.

    Whoever checks it meant another one.
    """
    return not_found(displayed(f"{path}: there is no package here"))
