"""Projects of files and of a workspace."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from assetdb.errors import AssetdbError
from assetdb.settings.project import MARKERS, folder_and_parents, is_hidden, package_name, project_above

if TYPE_CHECKING:
    from collections.abc import Iterable

DEEPEST: Final = 3
"""Levels below a folder of the workspace: repositories have a game in ``client/Game``, examples deeper."""
_MOST_FOLDERS: Final = 2000
_SKIPPED: Final = frozenset((b"Library", b"Temp", b"node_modules", b"Logs", b"obj"))


def project_of(path: str) -> str:
    """Return the project around an absolute path, or ``""``."""
    if not path:
        return ""
    found = project_above(path)
    if found is not None:
        return found
    try:
        return next(filter(package_name, folder_and_parents(os.path.dirname(path))), "")
    except (AssetdbError, ValueError):
        return ""


def projects_in(folders: Iterable[str]) -> list[str]:
    """Return the projects around folders or up to three levels below."""
    found: dict[str, None] = {}
    examined = 0
    for folder in folders:
        above = project_of(os.path.join(folder, "x"))
        if above:
            found[above] = None
            continue
        level = [folder]
        for _ in range(DEEPEST + 1):
            below = []
            for path in level:
                examined += 1
                if examined > _MOST_FOLDERS:
                    return list(found)
                children = _folders_in(path)
                if set(MARKERS) <= {os.path.basename(child) for child in children}:
                    found[path] = None
                else:
                    below += children
            level = below
    return list(found)


def _folders_in(folder: str) -> list[str]:
    try:
        with os.scandir(os.fsencode(folder)) as entries:
            return [
                os.fsdecode(entry.path)
                for entry in entries
                if not is_hidden(entry.name) and entry.name not in _SKIPPED and entry.is_dir(follow_symlinks=False)
            ]
    except (OSError, ValueError):
        return []


def path_in(root: str, path: str) -> str:
    """Return a file's path in its project, with ``/``, or ``""``."""
    above = os.path.join(root, "")
    return path[len(above) :].replace(os.sep, "/") if path.startswith(above) else ""
