"""The list of packages outside the project, and its stamp."""

from __future__ import annotations

import os

from assetdb.diagnostics import decode
from assetdb.errors import FileError
from assetdb.system.failures import excuse
from assetdb.system.identity import CHECK_STAT, identity
from assetdb.system.reading import read_small
from assetdb.version import VERSION
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

    from assetdb.diagnostics import Diagnostic

FOLDER: Final = "packages"
LIST_NAME: Final = "packages.list"
MAGIC: Final = "assetdb packages 2"
FIELD: Final = "\x1f"
CACHE: Final = os.path.join("Library", "PackageCache")
_LISTS: Final = (os.path.join("Packages", "manifest.json"), os.path.join("Packages", "packages-lock.json"))
_HEADER_LINES: Final = 6
_COUNT_DIGITS: Final = 9
_LARGEST_LIST: Final = 1 << 28
_OWN_FILES: Final = 4  # sizes and times of the packages' files, before those of the project


class PackageRow(NamedTuple):
    """A package outside the project's database.

    Attributes:
        name: ``com.acme.tools``.
        version: as resolved; for a ``file:`` package as in the manifest.
        folder: on this machine, absolute; ``""`` if absent.
        immutable: whether the folder's name identifies its content.
    """

    name: str
    version: str
    folder: str
    immutable: bool

    def within(self, root: str) -> PackageRow:
        """Return the package with its folder relative to the project."""
        return self._replace(folder=self.folder.removeprefix(os.path.join(root, "")))

    @property
    def label(self) -> str:
        """``com.acme.tools@1.2.3``."""
        return f"{self.name}@{self.version}" if self.version else self.name


class PackageList(NamedTuple):
    """The packages of a project.

    Attributes:
        stamps: of the lists of packages, after the compared fields.
        files: sizes and times of the packages' own database and index, and of the project's.
        rows: the packages that are not embedded.
        problems: GUIDs that the project has too, packages that are too large.
        root: of the project when its packages were located.
    """

    stamps: str
    files: str
    rows: tuple[PackageRow, ...]
    problems: tuple[Diagnostic, ...]
    root: str = ""

    @property
    def missing(self) -> str:
        """The kind of unknown files that absent packages may have.

        See ``known_packages.may_hold``; packages that were read in part count as well.
        """
        from assetdb.unity.settings.known_packages import may_hold, most_of  # noqa: PLC0415 - only for unknown GUIDs

        return most_of(may_hold(row.name, row.version) for row in self.absent)

    @property
    def absent(self) -> tuple[PackageRow, ...]:
        """Packages that are absent, or read in part, with unknown files."""
        from assetdb.unity.settings.known_packages import may_hold  # noqa: PLC0415 - only for unknown GUIDs

        cut = {problem.path for problem in self.problems if problem.code == "package-too-large"}
        return tuple(
            row
            for row in self.rows
            if (not row.folder or f"Packages/{row.name}" in cut) and may_hold(row.name, row.version)
        )

    def of_any_clone(self, root: str) -> tuple[object, ...]:
        """Return the parts of the list that every clone of ``root`` has."""
        rows = tuple(row.within(root) for row in self.rows)
        return self.stamps.split("/")[1 + len(_LISTS) :], rows, self.problems

    @property
    def content(self) -> tuple[object, ...]:
        """The parts of the list that answers depend on.

        Without the state of the project's own database and index, and the times of the lists, which differ in a clone.
        """
        return self.stamps.split("/")[1 + len(_LISTS) :], self.files.split(" ")[:_OWN_FILES], self.rows, self.problems


NO_PACKAGES: Final = PackageList("", "", (), ())


def are_same(root: str, stamps: str) -> bool:
    """Whether a project's packages match stamps, comparing the fields these name.

    Raises:
        ScanError: that cannot be determined now.
    """
    check_stat = stamps.partition("/")[0]
    return check_stat in CHECK_STAT and stamps == stamps_of(root, check_stat)


def stamps_of(root: str, check_stat: str) -> str:
    """Return stamps that change with the packages of a project.

    They are made of two files and the names in one folder, without inodes and ctimes if these are not trusted, as they
    change by themselves.

    Raises:
        ScanError: that cannot be determined now.
    """
    found = [check_stat]
    for name in _LISTS:
        try:
            status = os.stat(os.path.join(root, name))
            found.append(str(identity(status, check_stat)))
        except OSError as error:
            excuse(name, error)
            found.append("-")
    try:
        found += sorted(os.listdir(os.path.join(root, CACHE)))
    except OSError as error:
        excuse(CACHE, error)
        found.append("-")
    return "/".join(found).encode("utf-8", "replace").decode().replace("\n", "\ufffd")


def read_list(folder: str) -> PackageList:
    """Return the list of packages in an output folder, maybe empty.

    Raises:
        ScanError: it cannot be read now.
    """
    path = os.path.join(folder, FOLDER, LIST_NAME)
    try:
        lines = read_small(path, _LARGEST_LIST).decode("utf-8", "surrogateescape").split("\n")
    except FileError:
        return NO_PACKAGES
    except OSError as error:
        excuse(path, error)
        return NO_PACKAGES
    if len(lines) < _HEADER_LINES or lines[0] != f"{MAGIC} {VERSION}":
        return NO_PACKAGES
    if not lines[4].isdecimal() or len(lines[4]) > _COUNT_DIGITS:
        return NO_PACKAGES
    count = int(lines[4])
    rows = [line.split(FIELD) for line in lines[5 : 5 + count]]
    if len(rows) != count or any(len(row) != len(PackageRow._fields) for row in rows):
        return NO_PACKAGES
    try:
        problems = decode("\n".join(lines[5 + count :]).encode("utf-8", "surrogateescape"))
    except (ValueError, UnicodeError):
        return NO_PACKAGES
    packages = tuple(PackageRow(name, version, place, immutable == "1") for name, version, place, immutable in rows)
    return PackageList(lines[1], lines[2], packages, tuple(problems), lines[3])
