"""Where a Unity project is, and which of its names Unity sees."""

from __future__ import annotations

import os

from assetdb.errors import ProjectError

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

ASSET_ROOTS: Final = ("Assets", "Packages")
DEFAULT_FOLDER: Final = os.path.join("Library", "assetdb")
"""Where the files go unless somebody says otherwise, relative to the root."""
MARKERS: Final = ("Assets", "ProjectSettings")
"""The folders that make a folder a project."""


def find_project(start: str | None = None) -> str:
    """Return the absolute path of a project's root.

    With ``start`` it must be that folder; without, the working directory and its parents are tried.

    Raises:
        ProjectError: neither has both ``Assets/`` and ``ProjectSettings/``.
    """
    if start is not None:
        root = os.path.abspath(start)
        missing = _missing(root)
        if missing:
            raise ProjectError(f"{root} is not a Unity project: it has no {' and no '.join(missing)}")
        return root
    here = os.getcwd()
    folder = here
    while _missing(folder):
        parent = os.path.dirname(folder)
        if parent == folder:
            raise ProjectError(
                f"no Unity project in {here} or above it: looked for a folder with both Assets/ and ProjectSettings/"
                " (name one with --project)"
            )
        folder = parent
    return folder


def _missing(folder: str) -> list[str]:
    return [f"{name}/" for name in MARKERS if not os.path.isdir(os.path.join(folder, name))]


def is_hidden(name: bytes) -> bool:
    """Whether Unity ignores a file or folder of this name: ``.git``, ``Samples~``."""
    return name.startswith(b".") or name.endswith(b"~")
