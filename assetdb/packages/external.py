"""Packages of a project on this machine, and bounds for reading them."""

from __future__ import annotations

import os
import time
from stat import S_ISDIR, S_ISREG

from assetdb.errors import FileError
from assetdb.packages.listing import CACHE, FIELD, PackageRow
from assetdb.scan.walking.limits import Limits
from assetdb.system.failures import excuse, mode_of
from assetdb.system.reading import open_regular
from assetdb.unity.settings.packages import LOCK, MANIFEST, SIZE_LIMIT, Package, own_version, read_packages
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Final

LIMITS: Final = Limits(outside=True, files=200_000)
"""100,000 assets with their metas."""


class Bound:
    """A limit for reading folders outside the project.

    Shared by all of them, since a manifest may name any folder, even ``file:/``.

    Attributes:
        spent: whether no more may be listed.
        cut: the packages that were only partly read.
    """

    def __init__(self, limits: Limits = LIMITS, clock: Callable[[], float] = time.monotonic) -> None:
        """Take the most names to list, the seconds, and a clock."""
        self._files = limits.files
        self._seconds = limits.seconds
        self._clock = clock
        self._began: float | None = None
        self.spent = False
        self.cut: list[PackageRow] = []

    def take(self, files: int) -> bool:
        """Return whether that many more names may be listed."""
        now = self._clock()
        if self._began is None:
            self._began = now
        self._files -= files
        self.spent = self._files < 0 or now - self._began > self._seconds
        return not self.spent


def package_rows(root: str) -> tuple[PackageRow, ...]:
    """Return a project's packages that are not embedded, absent ones included.

    Raises:
        ScanError: they cannot be determined now.
    """
    in_cache = os.path.join(root, CACHE) + os.sep
    found = []
    for package, folder in locate_packages(root)[0]:
        if package.source != "embedded":
            place = os.path.abspath(folder) if folder else ""
            immutable = place.startswith(in_cache) and "@" in os.path.basename(place)
            version = package.version.replace("\n", " ").replace(FIELD, " ")
            if "\n" not in place and FIELD not in place:
                found.append(PackageRow(package.name, version, place, immutable))
    return tuple(found)


def readable_rows(root: str, rows: Iterable[PackageRow]) -> tuple[list[PackageRow], list[PackageRow]]:
    """Return present packages, and those refused: they contain the project."""
    within = os.path.join(os.path.realpath(root), "")
    here: list[PackageRow] = []
    refused: list[PackageRow] = []
    for row in rows:
        if row.folder:
            contains_project = within.startswith(os.path.join(os.path.realpath(row.folder), ""))
            (refused if contains_project else here).append(row)
    return here, refused


def bound_of(row: PackageRow, root: str, bound: Bound) -> Bound | None:
    """Return the limit for reading a package, None inside the project."""
    inside = (os.path.realpath(row.folder) + os.sep).startswith(os.path.realpath(root) + os.sep)
    return None if inside else bound


class LocatedPackage(NamedTuple):
    """A package and its folder (below the given root), ``""`` if absent."""

    package: Package
    folder: str


def locate_packages(root: str) -> tuple[list[LocatedPackage], tuple[tuple[str, str], ...]]:
    """Find each package's folder by manifest and lock file of ``root``.

    Returns:
        The packages by name, and the problems of the files. A file that may not be read counts as absent.

    Raises:
        ScanError: they cannot be determined now.
    """
    folders = _folders(os.path.join(root, "Packages"))
    embedded = [name for name in folders if S_ISREG(mode_of(os.path.join(root, "Packages", name, "package.json")))]
    listed = read_packages(_read(root, MANIFEST), _read(root, LOCK), embedded)
    cached: dict[str, list[str]] = {}
    for folder in _folders(os.path.join(root, CACHE)):
        cached.setdefault(folder.partition("@")[0], []).append(folder)
    return [LocatedPackage(package, _locate(root, package, cached)) for package in listed.packages], listed.problems


def _locate(root: str, package: Package, cached: Mapping[str, list[str]]) -> str:
    for folder in package.folders:
        path = os.path.join(root, folder)
        if S_ISDIR(mode_of(path)):
            return path
    if not package.cached:
        return ""
    paths = [os.path.join(root, CACHE, folder) for folder in cached.get(package.name, ())]
    if package.source in {"registry", "builtin"}:
        # A folder of another version may be left over.
        paths = [path for path in paths if own_version(_read(path, "package.json")) == package.version]
    return paths[0] if len(paths) == 1 else ""


def _folders(path: str) -> list[str]:
    try:
        names = sorted(os.listdir(path))
    except OSError as error:
        excuse(path, error)
        return []
    return [name for name in names if not name.startswith(".") and S_ISDIR(mode_of(os.path.join(path, name)))]


def _read(root: str, file: str) -> bytes | None:
    try:
        with open(open_regular(os.path.join(root, file)), "rb") as stream:
            return stream.read(SIZE_LIMIT + 1)
    except FileError:
        return None
    except OSError as error:
        excuse(os.path.join(root, file), error)
        return None
