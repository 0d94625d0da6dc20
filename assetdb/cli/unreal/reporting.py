"""Facts as JSON, progress of scans, and notes on unreadable files."""

from __future__ import annotations

import os
import sys
from functools import wraps
from typing import TYPE_CHECKING, Any, Final, TypeVar

from assetdb.cli import fields
from assetdb.cli.arguments import worker_count
from assetdb.cli.terminal import Progress, not_found, print_json_lines, printable
from assetdb.cli.unreal.archives import displayed, unpacked
from assetdb.errors import UsageError
from assetdb_formats.binary import FormatError
from assetdb_formats.globs import name_matcher
from assetdb_formats.unreal.files.opening import each_package
from assetdb_formats.unreal.problems import problem_of
from assetdb_formats.unreal.scanning.package_folder import scan_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from assetdb.cli.arguments import CommonOptions, JsonOptions
    from assetdb.cli.unreal.options import PackageOptions, ScanOptions
    from assetdb_formats.unreal.comparison import Changes
    from assetdb_formats.unreal.files.opening import OpenPackage
    from assetdb_formats.unreal.iostore.package_graph import PackageGraph
    from assetdb_formats.unreal.packages.package import Package
    from assetdb_formats.unreal.problems import Problem
    from assetdb_formats.unreal.scanning.database import AssetDatabase
    from assetdb_formats.unreal.scanning.package_folder import PackageFolder

_Read = TypeVar("_Read")
_WORKERS: Final = 2  # a third one waits for the disk


def as_json(value: object) -> Any:  # noqa: ANN401 - whatever JSON has
    """Return a value for JSON, with archives' names."""
    return fields.as_json(value, displayed)


def say(text: str) -> None:
    """Print a problem on stderr."""
    print(f"assetdb: {printable(displayed(text))}", file=sys.stderr)


def note(text: str, options: CommonOptions) -> None:
    """Print a note on stderr, if any, unless ``--quiet``."""
    if text and not options.quiet:
        say(text)


def say_problems(problems: Iterable[Problem], *, every: bool) -> int:
    """Print why files could not be read, with ``every`` each.

    Returns 2 for broken input, else 0. A link to nothing is not broken: there is nothing to read.
    """
    alike: dict[str | tuple[str, str], list[Problem]] = {}
    for problem in problems:
        alike.setdefault((problem.kind, problem.path) if every else problem.kind, []).append(problem)
    code = 0
    for found in alike.values():
        more = f" (and {len(found) - 1:,} more)" if len(found) > 1 else ""
        say(f"{'' if found[0].gone else 'error: '}{found[0]}{more}")
        code = code if found[0].gone else 2
    return code


def note_unknown(unknown: Mapping[str, int], options: CommonOptions) -> None:
    """Print why the class of packages is not known."""
    for reason, count in unknown.items():
        note(f"the class of {count:,} packages is not known: {reason}", options)


def with_unread(graph: PackageGraph, code: int) -> int:
    """Print the unreadable containers; 2 if no package is left."""
    for path, reason in graph.unread:
        say(f"{path}: {reason}")
    return 2 if graph.unread and not graph.packages else code


def open_folder(options: ScanOptions, *folders: str, cache: str | None = None) -> tuple[PackageFolder, int]:
    """Scan folders, with the cache of ``--cache``; print skipped files.

    Returns the packages, and 2 if something could not be read, else 0. Raises UsageError if one of ``folders``, or the
    folder of the cache, is not a folder.
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
    with Progress("packages") as progress:
        found = scan_folder(*folders, cache=cache or "", assume=assume, workers=workers, progress=progress)
    for conflict in found.conflicts:
        note(conflict, options)
    return found, say_problems(found.problems, every=options.verbose)


def say_damaged(database: AssetDatabase, numbers: Iterable[int] | None = None) -> int:
    """Print that needs of damaged packages are unknown; 2 if so.

    Without ``numbers`` all packages count.
    """
    errors = database.columns.errors
    found = sorted(errors if numbers is None else errors.keys() & set(numbers))
    if not found:
        return 0
    name = database.columns.names[found[0]]
    if len(found) == 1:
        say(f"{name} is damaged, and not all that it needs is known: {errors[found[0]]}")
    else:
        say(
            f"{len(found):,} packages are damaged, and not all that they need is known: {name} and"
            f" {len(found) - 1:,} more (ls --damaged lists them)"
        )
    return 2


def unpacking(*names: str) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Return a decorator: archives among these arguments are unpacked meanwhile."""

    def decorated(command: Callable[..., int]) -> Callable[..., int]:
        @wraps(command)
        def run(*, options: CommonOptions, **given: Any) -> int:  # noqa: ANN401 - as the command declares them
            problems: list[Problem] = []
            words = {name: given[name] for name in names if given.get(name)}
            paths = [path for word in words.values() for path in ([word] if isinstance(word, str) else word)]
            with unpacked(paths, problems) as found:
                places = dict(zip(paths, found, strict=True))
                for name, word in words.items():
                    given[name] = places[word] if isinstance(word, str) else [places[path] for path in word]
                code = command(options=options, **given)
                return say_problems(problems, every=options.verbose) or code

        return run

    return decorated


def each_read(
    path: str, problems: list[Problem], options: PackageOptions, read: Callable[[str, Package], _Read]
) -> Iterator[tuple[str, OpenPackage, _Read]]:
    """Yield each package, and the part of it that ``read`` returns.

    In a folder, the unreadable ones go into ``problems``.
    """
    with Progress("packages") as progress:
        for file, opened in each_package(path, problems, assume=options.assumed, progress=progress):
            try:
                found = read(file, opened.package)
            except (FormatError, OSError) as error:
                if os.path.isdir(path):
                    problems.append(problem_of(error, file))
                    continue
                raise error.at(file) if isinstance(error, FormatError) and not error.path else error from None
            progress.close()
            yield file, opened, found


def glob_matcher(patterns: Sequence[str]) -> Callable[[str], bool]:
    """Return a function that matches a name or its end with patterns."""
    forms = [name_matcher(form) for pattern in patterns for form in (pattern.lower(), f"*/{pattern.lower()}")]
    return lambda name: any(matches(name.lower()) for matches in forms)


def print_missing(found: Sequence[tuple[str, Sequence[str]]], options: JsonOptions) -> int:
    """Print missing packages and their users; 1 if there are any."""
    if options.json:
        print_json_lines({"package": name, "needed_by": as_json(users)} for name, users in found)
    for name, users in found if not options.json else ():
        print("\n  needed by ".join(map(printable, (name, *users))))
    return 1 if found else 0


def print_changes(found: Changes, indent: str = "") -> None:
    """Print the names of a comparison, with a sign before each."""
    for sign, names in (("-", found.removed), ("+", found.added), ("~", found.changed)):
        for name in names:
            print(f"{indent}{sign} {printable(name)}")


def none_named(pattern: str, class_name: str | None, known: Iterable[str]) -> int:
    """Print that no package has a name like a pattern; return 1."""
    what = f" of class {class_name}" if class_name else ""
    leaves = {name.rpartition("/")[2] for name in known}
    return not_found(f"no package{what} is named like {pattern!r}", pattern.rpartition("/")[2], leaves)


def no_packages(path: str) -> int:
    """Print that a folder has no package; return 1."""
    return not_found(displayed(f"{path}: there is no package here"))
