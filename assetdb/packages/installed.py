"""Where the packages of a project are on this machine."""

from __future__ import annotations

import os
from stat import S_ISDIR, S_ISREG

from assetdb.errors import FileError
from assetdb.system.failures import excuse, mode_of
from assetdb.system.reading import open_regular
from assetdb.unity.settings.packages import CACHE, LOCK, MANIFEST, SIZE_LIMIT, Package, own_version, read_packages
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Mapping


class LocatedPackage(NamedTuple):
    """A package and its folder.

    The path is absolute or relative like the root, ``""`` if the folder is absent.
    """

    package: Package
    folder: str


def locate_packages(root: str) -> tuple[list[LocatedPackage], tuple[tuple[str, str], ...]]:
    """Find the folder of each package of a project.

    Reads the manifest and the lock file of the project at ``root``.

    Returns:
        The packages by name, and the problems of the files. Forbidden ones count as absent.

    Raises:
        ScanError: what is there cannot be determined now.
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
        # A left-over of another version must not count as this one.
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
