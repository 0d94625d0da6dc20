"""The list of packages outside the project, and its stamp."""

from __future__ import annotations

import os

from assetdb.diagnostics import decode
from assetdb.errors import FileError
from assetdb.store.files import PACKAGES_FOLDER, SCHEMA
from assetdb.system.failures import excuse
from assetdb.system.identity import CHECK_STAT, identity
from assetdb.system.mirrors import tree_of
from assetdb.system.reading import read_small
from assetdb.version import VERSION
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

    from assetdb.diagnostics import Diagnostic

LIST_NAME: Final = "packages.list"
MAGIC: Final = "assetdb packages 5"
_FIRST_LINE: Final = f"{MAGIC} {VERSION} {SCHEMA}"  # the list vouches for a database: without it none is opened
FIELD: Final = "\x1f"
_EACH: Final = "\x1e"
CACHE: Final = os.path.join("Library", "PackageCache")
_LISTS: Final = (os.path.join("Packages", "manifest.json"), os.path.join("Packages", "packages-lock.json"))
_NO_LISTS: Final = ["-"] * len(_LISTS)
_OF_LISTS: Final = 3 + len(_LISTS)
"""Stamps that differ between clones: compared fields, lists, embedded packages, folders of the PackageCache."""
_PACKAGES: Final = "Packages"
_HEADER_LINES: Final = 9
_COUNT_DIGITS: Final = 9
_LARGEST_LIST: Final = 1 << 28
_OWN_FILES: Final = 4  # sizes and times of the packages' files, before the project's own


class PackageRow(NamedTuple):
    """A package outside the project's database.

    Attributes:
        name: ``com.acme.tools``.
        version: as resolved; for a ``file:`` package as in the manifest.
        folder: on this machine, absolute; ``""`` if absent.
        immutable: whether the folder's name identifies its content.
        exact: whether the version certainly is the one that Unity takes.
    """

    name: str
    version: str
    folder: str
    immutable: bool
    exact: bool = False

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
        stamps: of the lists of packages and the embedded packages, after the compared fields.
        files: sizes and times of the packages' own database and index, and of the project's.
        rows: the required packages that are not embedded.
        problems: GUIDs that the project has too, packages that are too large.
        root: of the project when its packages were located.
        embedded: name and version of each embedded package, :data:`FIELD` between them.
        unknown: names of packages of which nobody knows what they need, :data:`HOST`, and the manifest if it cannot be
            read.
        is_closed: whether these are certainly all packages of the project.
    """

    stamps: str
    files: str
    rows: tuple[PackageRow, ...]
    problems: tuple[Diagnostic, ...]
    root: str = ""
    embedded: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    is_closed: bool = False

    @property
    def missing(self) -> str:
        """The kind of unknown files that absent packages may have.

        See ``assetdb.packages.public.contents``; packages that were read in part count as well, and so does whatever
        packages need of which nobody knows it.
        """
        from assetdb.packages.public.contents import ASSETS, may_hold, most_of  # noqa: PLC0415 - only for unknown GUIDs

        return ASSETS if self.unknown else most_of(may_hold(row.name, row.version) for row in self.absent)

    @property
    def absent(self) -> tuple[PackageRow, ...]:
        """Packages that are absent, or read in part, with unknown files."""
        from assetdb.packages.public.contents import may_hold  # noqa: PLC0415 - only for unknown GUIDs

        here = self.here
        return tuple(row for row in self.rows if row.name not in here and may_hold(row.name, row.version))

    @property
    def here(self) -> frozenset[str]:
        """Names of packages of which all files are on this machine."""
        cut = {problem.path for problem in self.problems if problem.code == "package-too-large"}
        whole = [row.name for row in self.rows if row.folder and f"Packages/{row.name}" not in cut]
        return frozenset((*whole, *(text.partition(FIELD)[0] for text in self.embedded)))

    @property
    def versions(self) -> dict[str, str]:
        """The version of each required package, by name."""
        embedded = dict(text.split(FIELD, 1) for text in self.embedded)
        return {**{row.name: row.version for row in self.rows}, **embedded}

    @property
    def _required(self) -> tuple[object, ...]:
        return self.embedded, self.unknown, self.is_closed

    def of_any_clone(self, root: str) -> tuple[object, ...]:
        """Return the parts of the list that every clone of ``root`` has."""
        rows = tuple(row.within(root) for row in self.rows)
        return self.stamps.split("/")[_OF_LISTS:], rows, self.problems, self._required

    @property
    def content(self) -> tuple[object, ...]:
        """The parts of the list that answers depend on.

        Without the state of the project's own database and index, and the times of the lists, which differ in a clone.
        """
        files = self.files.split(" ")[:_OWN_FILES]
        return self.stamps.split("/")[_OF_LISTS:], files, self.rows, self.problems, self._required


HOST: Final = "the project around it"
"""Stands among unknown packages for the project that a folder of assets is a part of."""
NO_PACKAGES: Final = PackageList("", "", (), ())


def are_same(root: str, stamps: str) -> bool:
    """Whether a project's packages match stamps, comparing the fields these name.

    Raises:
        ScanError: that cannot be determined now.
    """
    check_stat = stamps.partition("/")[0]
    return check_stat in CHECK_STAT and stamps == stamps_of(root, check_stat)


def cache_of(root: str) -> str:
    """Return the folder of a project's unpacked packages.

    A mirror without links has none of its own: its tree's is returned.
    """
    own = os.path.join(root, CACHE)
    tree = tree_of(os.fsencode(root))
    return os.path.join(os.fsdecode(tree), CACHE) if tree and not os.path.isdir(own) else own


def stamps_of(root: str, check_stat: str) -> str:
    """Return stamps that change with the packages of a project.

    They are made of two files, the ``package.json`` of embedded packages, and the folders in one folder, without inodes
    and ctimes if these are not trusted, as they change by themselves.

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
    found.append(_embedded_stamp(root, check_stat))
    cache = cache_of(root)
    try:
        names = sorted(os.listdir(cache))
        found += [
            _EACH.join([f"{name}{FIELD}{_stamp(os.path.join(cache, name), check_stat)}" for name in names]),
            *names,
        ]
    except OSError as error:
        excuse(CACHE, error)
        found += ["", "-"]
    return "/".join(found).encode("utf-8", "replace").decode().replace("\n", "\ufffd")


def touched_folders(before: str, now: str) -> frozenset[str]:
    """Return the folders of the PackageCache with other times, by two stamps.

    Their names promise that they never change, but somebody may have edited one.
    """
    known, found = (stamps.split("/")[_OF_LISTS - 1 : _OF_LISTS] for stamps in (before, now))
    times = {time for text in known for time in text.split(_EACH)}
    return frozenset(
        time.partition(FIELD)[0] for text in found for time in text.split(_EACH) if time and time not in times
    )


def _stamp(path: str, check_stat: str) -> str:
    try:
        return str(identity(os.stat(path), check_stat))
    except OSError as error:
        excuse(path, error)
        return "-"


def _embedded_stamp(root: str, check_stat: str) -> str:
    found = []
    try:
        names = sorted(os.listdir(os.path.join(root, _PACKAGES)))
    except OSError as error:
        excuse(_PACKAGES, error)
        names = []
    for name in names:
        try:
            status = os.stat(os.path.join(root, _PACKAGES, name, "package.json"))
        except (NotADirectoryError, FileNotFoundError):  # manifest.json and its like; a folder that is no package
            continue
        except OSError as error:
            excuse(name, error)
            continue
        found.append(f"{name} {identity(status, check_stat)}")
    return ",".join(found)


def read_list(folder: str) -> PackageList:
    """Return the list of packages in an output folder, maybe empty.

    Raises:
        ScanError: it cannot be read now.
    """
    path = os.path.join(folder, PACKAGES_FOLDER, LIST_NAME)
    try:
        lines = read_small(path, _LARGEST_LIST).decode("utf-8", "surrogateescape").split("\n")
    except FileError:
        return NO_PACKAGES
    except OSError as error:
        excuse(path, error)
        return NO_PACKAGES
    if len(lines) < _HEADER_LINES or lines[0] != _FIRST_LINE:
        return NO_PACKAGES
    if not lines[7].isdecimal() or len(lines[7]) > _COUNT_DIGITS:
        return NO_PACKAGES
    if lines[1].split("/")[1:3] == _NO_LISTS and _came_with_commit(path):
        return NO_PACKAGES
    count = int(lines[7])
    embedded = tuple(filter(None, lines[4].split(_EACH)))
    rows = [line.split(FIELD) for line in lines[8 : 8 + count]]
    if len(rows) != count or any(len(row) != len(PackageRow._fields) for row in rows):
        return NO_PACKAGES
    if any(FIELD not in text for text in embedded):
        return NO_PACKAGES
    try:
        problems = decode("\n".join(lines[8 + count :]).encode("utf-8", "surrogateescape"))
    except (ValueError, UnicodeError):
        return NO_PACKAGES
    packages = tuple(
        PackageRow(name, version, place, immutable == "1", exact == "1")
        for name, version, place, immutable, exact in rows
    )
    return PackageList(
        lines[1],
        lines[2],
        packages,
        tuple(problems),
        lines[3],
        embedded,
        unknown=tuple(filter(None, lines[5].split(_EACH))),
        is_closed=lines[6] == "1",
    )


def _came_with_commit(path: str) -> bool:
    """Whether git tracks a list with stamps that anybody could know.

    Of a project without manifest, lock and packages they hold no time and no inode: a commit could bring a list, and a
    database beside it in which each missing GUID is an asset. Names of folders, which they hold, come with it.
    """
    from assetdb.history.git.stamp import came_with_commit  # noqa: PLC0415 - most projects have a manifest

    return came_with_commit(path)


def on_one_line(text: str) -> str:
    """Return a text with spaces instead of characters that divide a list."""
    return text.replace("\n", " ").replace(FIELD, " ").replace(_EACH, " ")


def head_of(made: PackageList) -> list[str]:
    """Return the lines of a list before its rows."""
    root = made.root.replace("\n", " ")
    lists = (_EACH.join(made.embedded), _EACH.join(made.unknown))
    return [_FIRST_LINE, made.stamps, made.files, root, *lists, f"{made.is_closed:d}", str(len(made.rows))]
