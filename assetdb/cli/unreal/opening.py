"""What the commands share: which kind of thing a path is, opening packages, and the database of a folder."""

from __future__ import annotations

import errno
import os
import sys
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from assetdb.cli.parsing import positive
from assetdb.cli.terminal import Progress, not_found, printable
from assetdb.errors import UsageError
from formats.atomic import replace_file
from formats.binary import FormatError
from formats.files import FileTooLargeError, read_file
from formats.unreal.errors import UnversionedPackageError
from formats.unreal.inference import infer_version
from formats.unreal.mounts import EXTENSIONS
from formats.unreal.package import Package
from formats.unreal.package_file import FileSource, read_header
from formats.unreal.records import KINDS
from formats.unreal.versions import parse_version, releases_of

if TYPE_CHECKING:
    import argparse

    from formats.unreal.database import AssetDatabase, Dependency
    from formats.unreal.versions import PackageVersion

_CONTAINERS: Final = (".utoc", ".pak")
_LARGEST_CACHE: Final = 1 << 30  # 100,000 packages have 40 MB
_DATA: Final = ".ucas"  # beside a .utoc; whoever names it means the container


# --- containers: the one place where a path is told to be one ----------------------------------------------------


def is_container(path: str) -> bool:
    """Whether the commands should read ``path`` as containers: a .utoc or .pak, or a folder of these without packages.

    A folder with packages is one of packages, whatever else is in it: projects keep builds beside their content.
    """
    if not os.path.isdir(path):
        return path.lower().endswith((*_CONTAINERS, _DATA))
    found = False
    for _, _, names in os.walk(path):
        for name in names:
            if name.lower().endswith(EXTENSIONS):
                return False
            found = found or name.lower().endswith(_CONTAINERS)
    return found


def containers_in(path: str) -> list[str]:
    """Return the .utoc and .pak files at ``path`` in mount order: itself, or all below a folder."""
    from formats.unreal.iostore.package_graph import mount_order  # noqa: PLC0415 - only where there are containers

    stem, suffix = os.path.splitext(path)
    if suffix.lower() == _DATA:
        return [f"{stem}.utoc"]
    if suffix.lower() in _CONTAINERS and not os.path.isdir(path):
        return [path]
    return mount_order(
        os.path.join(folder, name)
        for folder, _, names in os.walk(path)
        for name in names
        if name.lower().endswith(_CONTAINERS)
    )


def containers() -> Any:  # noqa: ANN401 - a module: `info`, `list_packages`, `list_dependencies`, `list_usages`, `difference`
    """Return the module that has these commands for containers."""
    return import_module("assetdb.cli.unreal.container_queries")


def refuse_options(arguments: argparse.Namespace, options: tuple[str, ...], what: str = "containers") -> None:
    """Refuse options that say nothing about containers, rather than answer as if they had not been given.

    Raises:
        UsageError: if one of ``options``, named as their attributes, is set.
    """
    for option in options:
        if getattr(arguments, option):
            raise UsageError(f"--{option.removesuffix('_name').replace('_', '-')} is not for {what}")


def refuse_container(path: str) -> None:
    """Refuse a container where only packages have an answer.

    Raises:
        UsageError: if ``path`` is one.
    """
    if is_container(path):
        raise UsageError(f"{path} is a container; this reads folders of packages, as `extract` gets them out of a .pak")


# --- arguments ----------------------------------------------------------------------------------------------------


def add_version_argument(parser: argparse.ArgumentParser) -> None:
    """Add ``--assume-version`` as `assumed_version` reads it."""
    parser.add_argument(
        "--assume-version",
        metavar="VERSION",
        help="version of packages that carry none: a release (5.3) or file versions (522/1009); "
        "without it, the newest with which all tables close",
    )


def add_key_argument(parser: argparse.ArgumentParser) -> None:
    """Add ``--key`` as `container_opening.parse_key` reads it."""
    parser.add_argument(
        "--key",
        metavar="KEY",
        help="AES-256 key of encrypted containers: 64 hexadecimal digits, base64, or @FILE with one",
    )


def add_database_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `open_database` reads."""
    add_version_argument(parser)
    parser.add_argument("--cache", metavar="FILE", help="keep the scan in this file; only what changed is read again")
    parser.add_argument("--workers", metavar="N", type=positive, default=2, help="processes that read packages (2)")


def add_kind_argument(parser: argparse.ArgumentParser) -> None:
    """Add ``--kind`` as `kind_bits` reads it."""
    parser.add_argument(
        "--kind",
        action="append",
        choices=sorted(KINDS),
        help="only dependencies of this kind; may be repeated",
    )


def kind_bits(arguments: argparse.Namespace) -> int:
    """Return the bits of the kinds that were asked for; all where none was."""
    return sum({KINDS[word] for word in arguments.kind}) if arguments.kind else sum(KINDS.values())


def assumed_version(arguments: argparse.Namespace) -> PackageVersion | None:
    """Return the version of ``--assume-version``.

    Raises:
        UsageError: if it is none.
    """
    if arguments.assume_version is None:
        return None
    try:
        return parse_version(arguments.assume_version)
    except ValueError as error:
        raise UsageError(f"--assume-version: {error}") from None


# --- packages -----------------------------------------------------------------------------------------------------


def open_package(path: str, assume: PackageVersion | None) -> tuple[Package, str]:
    """Open a package, inferring the version of an unversioned one.

    Returns:
        The package, and a sentence about its version.

    Raises:
        FormatError: if it is none or its summary is damaged.
    """
    try:
        data, _ = read_header(path)
        source = FileSource(path)
        try:
            package = Package(data, assume, source)
        except UnversionedPackageError:
            inferred = infer_version(data, source)
            return Package(data, inferred.version, source), f"inferred: {inferred}"
    except FormatError as error:
        raise error.at(path) from None
    version = releases_of(package.summary.version)
    return package, f"assumed: {version}" if package.summary.unversioned else version


def export_data(path: str) -> FileSource | None:
    """Return the .uexp beside a package; None where there is none."""
    try:
        return FileSource(os.path.splitext(path)[0] + ".uexp")
    except FileNotFoundError:
        return None


# --- folders ------------------------------------------------------------------------------------------------------


def open_database(folder: str, arguments: argparse.Namespace) -> tuple[AssetDatabase, bool]:
    """Scan ``folder`` into a database, with the cache that ``--cache`` names, and say what was not taken in.

    Returns:
        The database, and whether files or folders could not be read: then the command ends with 2.

    Raises:
        UsageError: if ``folder`` is none, or that of the cache.
    """
    from formats.unreal.scan import scan  # noqa: PLC0415 - only where a folder is read
    from formats.unreal.store import decode, encode  # noqa: PLC0415 - the same

    if not os.path.isdir(folder):
        raise UsageError(f"{folder}: {'is not a folder' if os.path.exists(folder) else 'no such folder'}")
    if arguments.cache:  # which is written when all is read: too late to say that it cannot be
        place = os.path.dirname(arguments.cache) or "."
        if not os.path.isdir(place):
            raise UsageError(f"--cache {arguments.cache}: there is no folder {place}")
    whole = os.path.realpath(folder)
    known = None
    if arguments.cache and os.path.exists(arguments.cache):
        try:
            known = decode(
                read_file(arguments.cache, largest=_LARGEST_CACHE), f"{whole} {arguments.assume_version or ''}"
            )
        except (FormatError, FileTooLargeError):
            known = None  # of another folder or version, or damaged: a cache that cannot be read is empty
    progress = Progress("packages")
    scanned = scan(whole, known, assume=assumed_version(arguments), workers=arguments.workers, progress=progress)
    progress.close()
    if arguments.cache and scanned.database is not known:
        replace_file(arguments.cache, [encode(scanned.database, f"{whole} {arguments.assume_version or ''}")])
    for problem in scanned.problems:
        print(f"assetdb: {printable(problem)}", file=sys.stderr)
    return scanned.database, say_unreadable(scanned.unreadable)


def say_unreadable(unreadable: list[tuple[str, str]]) -> bool:
    """Say on stderr what could not be read, one line for each reason, and whether there was anything.

    A link to nothing is said and is no error: there is nothing to read.
    """
    by_reason: dict[str, list[str]] = {}
    for path, reason in unreadable:
        by_reason.setdefault(reason, []).append(path)
    error = False
    for reason, paths in by_reason.items():
        more = f" (and {len(paths) - 1:,} more)" if len(paths) > 1 else ""
        gone = reason == os.strerror(errno.ENOENT)
        print(f"assetdb: {'' if gone else 'error: '}{printable(paths[0])}: {reason}{more}", file=sys.stderr)
        error = error or not gone
    return error


class Failures:
    """Packages that could not be read: said at the end, one line for each reason, with the first file of each."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], list[FormatError]] = {}
        self.unreadable = False  # whether there were files that could not even be opened

    def __len__(self) -> int:
        return sum(map(len, self._found.values()))

    def add(self, error: FormatError, path: str) -> None:
        """Count a package in."""
        self._found.setdefault((error.field, error.what), []).append(error.at(path))

    def say(self) -> None:
        """Print what there is."""
        for errors in self._found.values():
            more = f" (and {len(errors) - 1:,} more packages)" if len(errors) > 1 else ""
            print(f"assetdb: {printable(str(errors[0]))}{more}", file=sys.stderr)


def no_packages(arguments: argparse.Namespace) -> int:
    """Say that the folder has no package: whoever checks it meant another one. Return 1."""
    return not_found(f"{arguments.path}: there is no package here")


def find_package(database: AssetDatabase, name: str, folder: str) -> int:
    """Return the number of the package that a user names: by package name, object path, file, or its last part.

    Raises:
        LookupError: if there is none; the message says what comes close.
    """
    number = database.number(name)
    if number < 0 and os.path.exists(name):
        number = database.number(os.path.relpath(os.path.realpath(name), os.path.realpath(folder)).replace(os.sep, "/"))
    return number if number >= 0 else match_name(name, database.names)


def match_name(name: str, names: list[str]) -> int:
    """Return the place in ``names`` of the one package name that ends with ``name``.

    Raises:
        LookupError: if there is none, or several; the message says what comes close.
    """
    plain = name.lower()
    ending = [place for place, known in enumerate(names) if known.lower().endswith(f"/{plain}")]
    if len(ending) == 1:
        return ending[0]
    if ending:
        raise LookupError(f"{name} may be " + " or ".join(names[place] for place in ending[:5]) + ": say which")
    leaves = {known.rpartition("/")[2].lower(): known for known in names}
    close = get_close_matches(plain.rpartition("/")[2].partition(".")[0], leaves, n=3)
    hint = f"; did you mean {' or '.join(leaves[leaf] for leaf in close)}?" if close else ""
    raise LookupError(f"there is no package {name}{hint}")


def default_folder(target: str) -> str:
    """Return the folder to scan for a target that is a file: its content root; else the current folder."""
    from formats.unreal.mounts import content_root  # noqa: PLC0415 - only where no folder was given

    if os.path.isfile(target):
        return content_root(os.path.dirname(os.path.realpath(target))).folder
    return "."


def dependency_rows(found: list[Dependency]) -> list[tuple[str, str, str]]:
    """Lay dependencies out for people: (name, kinds, remark)."""
    rows = []
    for dependency in found:
        remark = f"via {dependency.via}" if dependency.via else ""
        if not dependency.present:
            remark = f"{remark}, not here" if remark else "not here"
        rows.append((dependency.name, ", ".join(dependency.words), remark))
    return rows


def dependency_json(found: list[Dependency]) -> list[dict[str, Any]]:
    """Return dependencies for programs."""
    return [
        {
            "package": dependency.name,
            "kinds": dependency.words,
            "present": dependency.present,
            **({"via": dependency.via} if dependency.via else {}),
        }
        for dependency in found
    ]


def lines(texts: list[str]) -> str:
    """Return one printable line for each text."""
    return "\n".join(map(printable, texts))
