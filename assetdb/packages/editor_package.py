"""The package for Unity's editor in the manifest of a project."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.errors import ProjectError
from assetdb.system.reading import read_small
from assetdb.unity.settings.manifest_edit import dependency_of, with_dependency, without_dependency
from assetdb.unity.settings.packages import MANIFEST, SIZE_LIMIT
from assetdb.version import VERSION
from assetdb_formats.atomic import rewrite_file
from assetdb_formats.binary import FormatError

if TYPE_CHECKING:
    from collections.abc import Callable

NAME: Final = "com.assetdb.unity"
ADDED: Final = "added"
REMOVED: Final = "removed"
THERE: Final = "is there"
ABSENT: Final = "is not there"
LEFT: Final = "left"
_IN_WHEEL: Final = "unity_package"
_IN_REPOSITORY: Final = f"editor/{NAME}"
_QUERY: Final = "?"
_REVISION: Final = "#"


class Step(NamedTuple):
    """The result of a setup.

    Attributes:
        state: one of the words above.
        path: the manifest, relative to the project.
        version: of the package in the manifest, or the one that it had.
        why: ``""``, or why it was left and what to do.
    """

    state: str
    path: str
    version: str
    why: str = ""


def installed_package() -> str:
    """Return the ``file:`` address of the package that is installed with assetdb.

    Raises:
        ProjectError: there is none.
    """
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for folder in (os.path.join(here, _IN_WHEEL), os.path.join(os.path.dirname(here), _IN_REPOSITORY)):
        if os.path.isfile(os.path.join(folder, "package.json")):
            return f"file:{folder.replace(os.sep, '/')}"
    raise ProjectError(f"{NAME} is not installed with this assetdb: name its repository with --url")


def address_in(url: str) -> str:
    """Return a repository's address with the package's folder and this version's tag."""
    address, sign, revision = url.partition(_REVISION)
    folder = "" if _QUERY in address else f"?path=/{_IN_REPOSITORY}"
    return f"{address}{folder}{sign or _REVISION}{revision or f'v{VERSION}'}"


def set_up(root: str, version: str) -> Step:
    """Let a project require the package, from an address.

    Raises:
        ProjectError: the manifest is absent, cannot be edited or is outside of the project.
        FileError: it is no regular file, or too large.
        OSError: it cannot be read or written.
    """
    if os.path.isfile(os.path.join(root, "Packages", NAME, "package.json")):
        return Step(LEFT, MANIFEST, "", f"Packages/{NAME} is in the project, and Unity takes that one")
    return _edited(root, version, ADDED, THERE, lambda data: with_dependency(data, NAME, version))


def take_away(root: str) -> Step:
    """Let a project not require the package; raises like :func:`set_up`."""
    return _edited(root, "", REMOVED, ABSENT, lambda data: without_dependency(data, NAME))


def _edited(root: str, version: str, done: str, same: str, edit: Callable[[bytes], bytes]) -> Step:
    file = os.path.realpath(os.path.join(root, *MANIFEST.split("/")))
    if not file.startswith(os.path.join(os.path.realpath(root), "")):
        raise ProjectError(f"{MANIFEST} is a link to {file}, outside of the project: edit that file by hand")
    try:
        data = read_small(file, SIZE_LIMIT)
    except FileNotFoundError as error:
        raise ProjectError(f"{MANIFEST} is absent: open the project in Unity once, which writes it") from error
    try:
        known = dependency_of(data, NAME) or ""
        changed = edit(data)
    except FormatError as error:
        raise ProjectError(f"{MANIFEST}: {error}; nothing was changed") from error
    if changed != data:
        rewrite_file(file, [changed])
    return Step(done if changed != data else same, MANIFEST, version or known)
