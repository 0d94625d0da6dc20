"""Packages of a project on this machine, and bounds for reading them."""

from __future__ import annotations

import os
import time
from stat import S_ISDIR, S_ISREG

from assetdb.errors import FileError
from assetdb.packages.listing import FIELD, HOST, NO_PACKAGES, PackageList, PackageRow, cache_of, on_one_line
from assetdb.packages.required import required_packages
from assetdb.scan.walking.limits import Limits
from assetdb.settings.project import META, is_hidden, is_inner_project, is_part, package_name
from assetdb.system.failures import excuse, mode_of
from assetdb.system.mirrors import tree_of
from assetdb.system.reading import open_regular
from assetdb.unity.settings.editor_version import VERSION_FILE, unity_version
from assetdb.unity.settings.packages import (
    LOCK,
    MANIFEST,
    SIZE_LIMIT,
    Package,
    PackageIdentity,
    read_identity,
    read_packages,
)
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Final

    from assetdb.unity.settings.packages import Needs

LIMITS: Final = Limits(outside=True, files=200_000)
"""100,000 assets with their metas."""
_FIRST_WITH_PACKAGES: Final = (2018, 1)


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
    """Return the required packages that are not embedded, absent ones included.

    Raises:
        ScanError: they cannot be determined now.
    """
    return _rows(root, locate_packages(root))


def find_packages(root: str) -> PackageList:
    """Return the packages that a project requires, without stamps and problems.

    Raises:
        ScanError: they cannot be determined now.
    """
    located = locate_packages(root)
    embedded = [
        FIELD.join(map(on_one_line, (row.identity.name or row.package.name, row.identity.version)))
        for row in located.packages
        if row.package.source == "embedded"
    ]
    return NO_PACKAGES._replace(
        rows=_rows(root, located),
        root=root,
        embedded=tuple(embedded),
        unknown=located.unknown,
        is_closed=located.is_closed,
    )


def _rows(root: str, located: LocatedPackages) -> tuple[PackageRow, ...]:
    in_cache = os.path.join(cache_of(root), "")
    found = []
    for row in located.packages:
        package = row.package
        if package.source != "embedded":
            place = os.path.abspath(row.folder) if row.folder else ""
            immutable = place.startswith(in_cache) and "@" in os.path.basename(place)
            version = on_one_line(package.version)
            if "\n" not in place and FIELD not in place:
                exact = located.is_locked or (package.requested and not located.unknown)
                found.append(PackageRow(package.name, version, place, immutable, exact))
    return tuple(found)


def readable_rows(root: str, rows: Iterable[PackageRow]) -> tuple[list[PackageRow], list[PackageRow]]:
    """Return present packages, and those refused: a folder around the project.

    A package around the project, whose developers open it in there, is read without the project.
    """
    within = os.path.join(os.path.realpath(root), "")
    here: list[PackageRow] = []
    refused: list[PackageRow] = []
    for row in rows:
        if row.folder:
            folder = os.path.realpath(row.folder)
            is_around = within.startswith(os.path.join(folder, ""))
            (refused if is_around and not _leaves_out(folder, within.rstrip(os.sep)) else here).append(row)
    return here, refused


def _leaves_out(folder: str, root: str) -> bool:
    """Whether a package around a project does not contain its assets."""
    if not S_ISREG(mode_of(os.path.join(folder, "package.json"))):
        return False
    above, name = map(os.fsencode, os.path.split(root))
    if any(is_hidden(part) for part in os.fsencode(root[len(folder) :]).split(os.fsencode(os.sep))):
        return True
    metas = [name + os.fsencode(META)] if os.path.lexists(root + META) else []
    return root != folder and is_inner_project(above, name, metas)


def bound_of(row: PackageRow, root: str, bound: Bound) -> Bound | None:
    """Return the limit for reading a package, None inside the project."""
    inside = (os.path.realpath(row.folder) + os.sep).startswith(os.path.realpath(root) + os.sep)
    return None if inside else bound


class LocatedPackage(NamedTuple):
    """A package on this machine.

    Attributes:
        package: as the project's lists have it.
        folder: below the given root, ``""`` if absent.
        identity: what the ``package.json`` there says.
    """

    package: Package
    folder: str
    identity: PackageIdentity


class LocatedPackages(NamedTuple):
    """The packages that a project requires.

    Attributes:
        packages: by name.
        problems: of the lists, as (file, message). A file that may not be read counts as absent.
        unknown: names of packages of which nobody knows what they need.
        is_closed: whether these are certainly all packages of the project.
        is_locked: whether a lock file tells the versions.
        reached: names of the packages that are requested, or that a known package needs.
    """

    packages: list[LocatedPackage]
    problems: tuple[tuple[str, str], ...]
    unknown: tuple[str, ...]
    is_closed: bool
    is_locked: bool
    reached: frozenset[str]


def locate_packages(root: str, without: str = "") -> LocatedPackages:
    """Find each required package's folder by manifest and lock file of ``root``.

    A repository that is a package requires what its ``package.json`` does.

    Args:
        root: of the project.
        without: a package that counts as taken out of the manifest, or out of ``Packages/``.

    Raises:
        ScanError: they cannot be determined now.
    """
    folders = _folders(os.path.join(root, "Packages"))
    embedded = [name for name in folders if S_ISREG(mode_of(os.path.join(root, "Packages", name, "package.json")))]
    manifest, lock = _read(root, MANIFEST), _read(root, LOCK)
    is_package = manifest is None and bool(package_name(root))
    listed = read_packages(_read(root, "package.json") if is_package else manifest, lock, embedded)
    if without:
        rows = (row._replace(requested=row.requested and row.name != without) for row in listed.packages)
        listed = listed._replace(packages=tuple(rows))
    cached: dict[str, list[str]] = {}
    for folder in _folders(cache_of(root)):
        cached.setdefault(folder.partition("@")[0], []).append(folder)
    located: dict[Package, LocatedPackage] = {}

    def locate(package: Package) -> LocatedPackage:
        found = located.get(package)
        if found is None:
            folder = _locate(root, package, cached)
            identity = read_identity(_read(folder, "package.json") if folder else None)
            found = located[package] = LocatedPackage(package, folder, identity)
        return found

    def own_needs(package: Package) -> Needs | None:
        found = locate(package)
        is_file_here = not found.folder or os.path.exists(os.path.join(found.folder, "package.json"))
        return found.identity.needs if is_file_here else ()  # a folder without it is no package, and needs nothing

    required = required_packages(listed, own_needs)
    # Before 2018 there were no packages; later, a project without a manifest gets the editor's default packages.
    is_closed = listed.is_whole and not is_package
    if manifest is None and not is_package:
        version = _read(root, VERSION_FILE)
        is_closed = version is not None and unity_version(version) < _FIRST_WITH_PACKAGES
    unknown = (*required.unknown, *([HOST] if manifest is None and is_part(root) else []))
    if manifest is not None and not listed.is_locked and not listed.is_read:  # cut off, or in a merge
        unknown = (*unknown, MANIFEST)
    return LocatedPackages(
        [locate(package) for package in required.packages],
        listed.problems,
        unknown,
        is_closed=is_closed and not unknown,
        is_locked=listed.is_locked,
        reached=required.reached,
    )


def _locate(root: str, package: Package, cached: Mapping[str, list[str]]) -> str:
    for folder in package.folders:
        if package.cached:
            path = os.path.join(cache_of(root), folder.rpartition("/")[2])
        else:
            path = os.path.join(root, folder.replace("/", os.sep))
        if S_ISDIR(mode_of(path)):
            return path
        tree = os.fsdecode(tree_of(os.fsencode(root)))
        if tree and package.source != "embedded":  # a mirror without links has no folders beside the project's own
            path = os.path.join(tree, folder.replace("/", os.sep))
            if S_ISDIR(mode_of(path)):
                return path
    if not package.cached:
        return ""
    paths = [os.path.join(cache_of(root), folder) for folder in cached.get(package.name, ())]
    if package.source in {"registry", "builtin"}:
        # A folder of another version may be left over.
        paths = [path for path in paths if read_identity(_read(path, "package.json")).version == package.version]
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
