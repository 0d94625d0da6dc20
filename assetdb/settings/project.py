"""Location of a Unity project, and the names that Unity ignores."""

from __future__ import annotations

import os

from assetdb.errors import FileError, ProjectError
from assetdb.system.reading import open_regular

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from typing import Final

ASSET_ROOTS: Final = ("Assets", "Packages")
OF_PART: Final = ASSET_ROOTS[:1]
"""The asset roots of a folder that is a part of a project."""
DEFAULT_FOLDER: Final = os.path.join("Library", "assetdb")
"""The default output folder, relative to the root."""
CONFIGURATION_NAME: Final = "assetdb.toml"
"""The file with a project's settings."""
LARGEST_CONFIGURATION: Final = 1 << 20
_LARGEST_PACKAGE: Final = 1 << 20
_NAME_CHARACTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")
JOURNAL_NAME: Final = ".assetdb-mending"
"""The journal of changes in progress, relative to the root."""
SET_ASIDE: Final = b".assetdb-removed"
"""The end of the hidden name that a file gets before it is removed."""
META: Final = ".meta"
"""The end of the name of a meta."""
_SETTINGS: Final = "ProjectSettings"
SETTINGS_FOLDERS: Final = (_SETTINGS, "Packages")
"""The folders of other files that are checked: settings, and lists of packages."""
MARKERS: Final = ("Assets", _SETTINGS)
"""The folders that identify a project."""


def find_project(start: str | os.PathLike[str] | None = None) -> str:
    """Return the absolute path of a project or package repository.

    With ``start`` it must be that folder, which may also be one of assets alone (:func:`is_part`); without, the working
    directory and its parents are tried: for a project first, because a package may be embedded in one.

    Raises:
        ProjectError: none has both ``Assets/`` and ``ProjectSettings/``, or is a package.
    """
    if start is not None:
        root = os.path.abspath(start)
        missing = _missing(root)
        if missing and not package_name(root) and not is_part(root):
            raise ProjectError(f"{root} is not a Unity project: it has no {' and no '.join(missing)}")
        return root
    here = os.getcwd()
    for fits in (_is_project, package_name):
        for folder in folder_and_parents(here):
            if fits(folder):
                return folder
    raise ProjectError(
        f"no Unity project in {here} or above it: looked for a folder with both Assets/ and ProjectSettings/, or with"
        " a package.json (name one with --project"
        + (": also this folder of assets, which is judged alone)" if is_part(here) else ")")
    )


def project_above(path: str) -> str | None:
    """Return the project that a file is in, or None."""
    return next(filter(_is_project, folder_and_parents(os.path.dirname(os.path.abspath(path)))), None)


def folder_and_parents(folder: str) -> Iterator[str]:
    """Yield a folder and all those above it, up to the root."""
    below = None
    while folder != below:
        yield folder
        below, folder = folder, os.path.dirname(folder)


def _is_project(folder: str) -> bool:
    return not _missing(folder)


def _missing(folder: str) -> list[str]:
    return [f"{name}/" for name in MARKERS if not os.path.isdir(os.path.join(folder, name))]


# --- a repository that is a package -------------------------------------------------------------------------------


def package_name(root: str) -> str:
    """Return the name of the package in a folder, or ``""``.

    A package has a ``package.json`` with a name and no ``ProjectSettings/``; it may have a folder ``Assets/``.

    Raises:
        ScanError: it cannot be determined now.
    """
    path = os.path.join(root, "package.json")
    if os.path.isdir(os.path.join(root, _SETTINGS)):
        return ""
    try:
        with open(open_regular(path), "rb") as file:
            data = file.read(_LARGEST_PACKAGE)
    except (FileNotFoundError, NotADirectoryError, FileError):
        return ""
    except OSError as error:
        from assetdb.system.failures import excuse  # noqa: PLC0415 - only where something is wrong

        excuse(path, error)
        return ""
    from json import loads  # noqa: PLC0415 - projects do without

    try:
        name = loads(data).get("name")
    except (ValueError, AttributeError, RecursionError):
        return ""
    # It becomes part of paths. npm packages have no Unity version; their names may begin with @ and contain a slash.
    usual = isinstance(name, str) and name[:1].isalnum() and _NAME_CHARACTERS.issuperset(name)
    return name if usual else ""


def is_inner_project(folder: bytes, name: bytes, metas: Collection[bytes]) -> bool:
    """Whether a folder in a package is a project, not an asset.

    Repositories of packages have one to develop the package in, which names it as ``file:../..``. A folder with a meta
    is an asset, whatever is in it.

    Args:
        folder: around it, ``b""`` for the working directory.
        name: of the folder.
        metas: the metas beside it.
    """
    if name + META.encode() in metas:
        return False
    return all(os.path.isdir(os.path.join(folder, name, os.fsencode(marker))) for marker in MARKERS)


def inner_projects(root: str) -> list[str]:
    """Return the names of projects in a package's folder, hidden ones included."""
    try:
        names = sorted(os.listdir(os.fsencode(root)))
    except OSError:
        return []
    metas = {name for name in names if name.endswith(META.encode())}
    return [os.fsdecode(name) for name in names if is_inner_project(os.fsencode(root), name, metas)]


def is_package_too(root: str) -> bool:
    """Whether the folder of a project is also a package.

    A ``package.json`` without a meta is npm's, of a tool of the repository.
    """
    return os.path.isfile(os.path.join(root, f"package.json{META}")) and not package_name(root) and not is_part(root)


def is_part(root: str) -> bool:
    """Whether a folder has assets alone, as a submodule of a project.

    It has metas, and neither ``ProjectSettings/`` nor ``Assets/`` (but as an asset with a meta) nor a package's name.
    The folder ``Assets`` of a project is none: whoever names it means the project.
    """
    if os.path.isdir(os.path.join(root, _SETTINGS)):
        return False
    assets = os.path.join(root, ASSET_ROOTS[0])
    if os.path.isdir(assets) and not os.path.lexists(assets + META):
        return False
    above, name = os.path.split(os.path.abspath(root))
    if package_name(root) or (name in ASSET_ROOTS and _is_project(above)):
        return False
    try:
        return any(name.endswith(META) for name in os.listdir(root))
    except OSError:  # it does not exist, or is no folder
        return False


def asset_roots(root: str) -> tuple[str, ...]:
    """Return a project's asset roots.

    A package has ``Packages/<name>`` alone, a folder of assets ``Assets``.
    """
    name = package_name(root)
    if name:
        return (f"{ASSET_ROOTS[1]}/{name}",)
    return OF_PART if is_part(root) else ASSET_ROOTS


def asset_prefix(root: str) -> str:
    """Return the prefix of asset paths.

    It is ``""``, of a package ``Packages/<name>/``, of a folder of assets ``Assets/``.
    """
    roots = asset_roots(root)
    return "" if roots == ASSET_ROOTS else f"{roots[0]}/"


def asset_file(root: str, path: str) -> str:
    """Return the file of a path in a project on this machine.

    Paths of assets have ``/`` everywhere, and begin with ``Assets`` or ``Packages``. The file is below the root in a
    project; in a repository that is a package, or a folder of assets alone, the beginning of the path stands for the
    repository itself. Nothing is said about whether the file is there.

    >>> asset_file("fixtures/unity_project", "Assets/Prefabs/Base.prefab").replace(os.sep, "/")
    'fixtures/unity_project/Assets/Prefabs/Base.prefab'
    """
    if path.startswith("Packages/"):
        for top in asset_roots(root):
            if top not in ASSET_ROOTS and (path + "/").startswith(top + "/"):
                return os.path.join(root, path[len(top) + 1 :].replace("/", os.sep))
    elif (path == "Assets" or path.startswith("Assets/")) and is_part(root):
        path = path[len("Assets/") :]
    return os.path.join(root, path.replace("/", os.sep))


def files_of(root: str) -> Callable[[str], str]:
    """Return :func:`asset_file` for one project, examined once.

    It asks the disk of each path which form the project has: half of the time in which 5,000 files are examined.
    """
    if asset_roots(root) == ASSET_ROOTS:
        return lambda path: os.path.join(root, path.replace("/", os.sep))
    return lambda path: asset_file(root, path)


def relative_file(root: str, path: str) -> str:
    """Return the file of a path relative to the project, with ``/``."""
    return own_path(root, asset_file(root, path))


def own_path(root: str, path: str) -> str:
    """Return a file's path relative to the project, with ``/``.

    One that is not of the project stays as it is.
    """
    prefix = os.path.join(root, "")  # the root of a drive of Windows (``subst``) ends with a separator itself
    if os.sep == "/":
        return path.removeprefix(prefix)
    plain, prefix = path.replace(os.sep, "/"), prefix.replace(os.sep, "/")
    return plain[len(prefix) :] if plain.startswith(prefix) else path


def mounts_of(root: str) -> dict[bytes, bytes]:
    """Return the asset roots that lie elsewhere than their paths."""
    found = asset_roots(root)
    return {} if found == ASSET_ROOTS else {os.fsencode(found[0]): os.fsencode(root)}


HIDDEN_ENDS: Final = b"~pPsS"
"""Last characters of all hidden names without a leading dot."""


def is_hidden(name: bytes) -> bool:
    """Whether Unity ignores a name, such as ``.git`` or ``Samples~``."""
    if name.startswith(b".") or name.endswith(b"~"):
        return True
    return name[-1:] in HIDDEN_ENDS and (name[-4:].lower() == b".tmp" or name.lower() == b"cvs")


def is_set_aside(name: bytes) -> bool:
    """Whether a name is like ``.Red.mat.5e1f0c7b.assetdb-removed``, of a file being removed."""
    return name.endswith(SET_ASIDE) and name.startswith(b".")


def is_opaque(name: bytes) -> bool:
    """Whether a folder is one asset: Gradle builds it into a player."""
    return name.lower().endswith((b".androidlib", b".androidpack"))


def folded(name: bytes) -> str | bytes:
    """Return a key for names that clash ignoring case or composition."""
    if name.isascii():
        return name.lower().decode("ascii")
    from unicodedata import normalize  # noqa: PLC0415 - few names are not in ASCII

    try:
        return normalize("NFC", name.decode()).lower()
    except UnicodeDecodeError:
        return name.lower()


def lone_metas(names: Collection[str]) -> dict[str | bytes, str]:
    """Return metas without an asset of the usual name.

    They are by :func:`folded` names of their assets: BoatAttack has ``AiController.cs`` and ``AIcontroller.cs.meta``.
    The first of several that fold alike is taken, as a bake does.
    """
    metas = (name for name in sorted(names, reverse=True) if name.endswith(META))
    return {folded(os.fsencode(stem)): meta for meta in metas if (stem := meta.removesuffix(META)) not in names}


def lone_assets(names: Collection[str]) -> dict[str | bytes, str]:
    """Return files and folders without a usual meta, by :func:`folded` names."""
    assets = (name for name in sorted(names, reverse=True) if not name.endswith(META))
    return {folded(os.fsencode(name)): name for name in assets if name + META not in names}


def files_beside(root: str) -> tuple[tuple[str, int], ...]:
    """Return settings and package lists, with identities that change with the files."""
    from assetdb.system.identity import identity  # noqa: PLC0415 - most questions do not depend on these files

    def identity_of(name: str) -> int:
        try:
            return identity(os.stat(os.path.join(root, name)))
        except OSError:
            return 0

    found = [(CONFIGURATION_NAME, identity_of(CONFIGURATION_NAME))]
    for folder in SETTINGS_FOLDERS:
        try:
            names = sorted(os.listdir(os.path.join(root, folder)))
        except OSError:
            continue
        found += [(f"{folder}/{name}", identity_of(f"{folder}/{name}")) for name in names]
    return tuple(found)
