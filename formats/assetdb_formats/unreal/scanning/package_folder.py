"""Folders of packages, scanned into a database."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.atomic import replace_file
from assetdb_formats.files import FileTooLargeError, read_file, relative_path
from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.matching import match_name
from assetdb_formats.unreal.problems import Problem, unreadable
from assetdb_formats.unreal.scanning.records import COOKED, DAMAGED, EXTERNAL_ACTOR, MAP, REDIRECTOR, UNREADABLE
from assetdb_formats.unreal.scanning.scan import check_file, scan, scan_several
from assetdb_formats.unreal.scanning.store import decode, encode

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from assetdb_formats.unreal.scanning.database import AssetDatabase, Dependency
    from assetdb_formats.unreal.versions import PackageVersion

_LARGEST_CACHE: Final = 1 << 30  # 100,000 packages have 40 MB
_WORDS: Final = {
    MAP: "map",
    REDIRECTOR: "redirector",
    EXTERNAL_ACTOR: "external",
    COOKED: "cooked",
    DAMAGED: "damaged",
    UNREADABLE: "unreadable",
}


class PackageFolder(NamedTuple):
    """A scanned folder, or several.

    Attributes:
        folders: their absolute paths.
        database: the packages in them.
        conflicts: sentences about packages that two files claim to be.
        problems: files and folders that could not be read.
    """

    folders: tuple[str, ...]
    database: AssetDatabase
    conflicts: tuple[str, ...]
    problems: tuple[Problem, ...]

    def file(self, number: int) -> str:
        """Return the path of a package's file."""
        own = self.database.columns.files[number]  # of several folders, it is whole already
        return os.path.normpath(os.path.join(self.folders[0], own))


class PackageEntry(NamedTuple):
    """A package of a scanned folder; ``error`` is its damage."""

    name: str
    file: str
    class_name: str
    size: int
    kinds: tuple[str, ...]
    error: str = ""


def scan_folder(
    *folders: str,
    cache: str = "",
    assume: PackageVersion | None = None,
    workers: int = 2,
    progress: Callable[[int, int], None] | None = None,
) -> PackageFolder:
    """Scan folders of packages.

    Args:
        folders: projects, plugins, Content folders, or any folders of packages.
        cache: keep the scan of a single folder in this file, and read again only what changed since. A cache that is
            damaged, of another folder or of another version is made anew.
        assume: the version of packages that state none; without, each gets the one that its tables close with.
        workers: processes that read.
        progress: called with (packages read, packages).

    Raises:
        OSError: a folder or the cache cannot be opened.
        ValueError: a cache for several folders.
    """
    whole = tuple(map(os.path.realpath, folders))
    for folder in folders:
        os.scandir(folder).close()  # a folder that cannot be opened is an error, not an empty folder
    if len(whole) > 1:
        if cache:
            raise ValueError("a cache file is of one folder, not of several")
        scanned = scan_several(whole, assume=assume, workers=workers, progress=progress)
    else:
        identity = f"{whole[0]} {'' if assume is None else assume}"
        known = _cached(cache, identity) if cache else None
        scanned = scan(whole[0], known, assume=assume, workers=workers, progress=progress)
        if cache and scanned.database is not known:
            replace_file(cache, [encode(scanned.database, identity)])
    problems = tuple(unreadable(path, reason) for path, reason in scanned.unreadable)
    return PackageFolder(whole, scanned.database, tuple(scanned.problems), problems)


def _cached(path: str, identity: str) -> AssetDatabase | None:
    try:
        return decode(read_file(path, largest=_LARGEST_CACHE), identity)
    except FileNotFoundError:
        return None
    except (UnrealError, FileTooLargeError):  # of another folder or version, or damaged: as if there were none
        return None


def find_package(folder: PackageFolder, name: str) -> int:
    """Return the number of the package that a user names.

    Accepted are a package name, an object path, a file, or the last part of one.

    Raises:
        PackageNotFoundError: there is none, or several.
    """
    database = folder.database
    number = database.number(name)
    if number < 0 and os.path.exists(name):
        path = os.path.realpath(name)
        for root in folder.folders:
            inside = path if len(folder.folders) > 1 else relative_path(path, root)
            number = database.number(inside.replace(os.sep, "/"))
            if number >= 0:
                break
    return number if number >= 0 else match_name(name, database.names)


def entries(database: AssetDatabase, numbers: Sequence[int] | None = None) -> list[PackageEntry]:
    """Return the packages of a database, or those with these numbers."""
    columns = database.columns
    return [
        PackageEntry(
            columns.names[number],
            columns.files[number],
            columns.classes[number],
            columns.sizes[number],
            tuple(word for bit, word in _WORDS.items() if columns.flags[number] & bit),
            columns.errors.get(number, ""),
        )
        for number in (range(len(database)) if numbers is None else numbers)
    ]


def of_class(database: AssetDatabase, class_name: str | None) -> list[int]:
    """Return the numbers of a class's packages, or of all."""
    if not class_name:
        return list(range(len(database)))
    wanted = class_name.lower()
    return [number for number in range(len(database)) if database.columns.classes[number].lower() == wanted]


def mentioning(database: AssetDatabase, name: str) -> list[int]:
    """Return the numbers of packages with a gameplay tag or name."""
    wanted = name.lower()
    found = database.columns.searchable
    return [number for number in sorted(found) if any(each.lower() == wanted for _, each in found[number])]


def damage(
    folder: PackageFolder,
    numbers: Sequence[int] | None = None,
    *,
    assume: PackageVersion | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> dict[int, str]:
    """Return the damage of packages, by number.

    Every table is read, as `Package.damage` does; a scan reads only its own. Files that could not be read at all are
    the folder's problems instead.
    """
    flags = folder.database.columns.flags
    chosen = range(len(folder.database)) if numbers is None else numbers
    found = {}
    for done, number in enumerate(chosen):
        if progress is not None:
            progress(done, len(chosen))
        if flags[number] & UNREADABLE:
            continue
        error = check_file(folder.file(number), assume)
        if error:
            found[number] = error
    return found


def all_dependencies(database: AssetDatabase, number: int, kinds: int, *, native: bool = False) -> list[Dependency]:
    """Return all direct and indirect dependencies of a package."""
    own = database.columns.names[number]
    found = database.dependencies(number, kinds, native=native)
    reached = {dependency.name: dependency for dependency in found}
    waiting = list(found)
    while waiting:
        for dependency in database.dependencies(database.number(waiting.pop().name), kinds, native=native):
            if dependency.name not in reached and dependency.name != own:
                reached[dependency.name] = dependency
                waiting.append(dependency)
    return sorted(reached.values())
