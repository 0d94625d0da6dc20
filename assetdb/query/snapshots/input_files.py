"""Stamps of files beside the tree: settings and package lists."""

from __future__ import annotations

import os

from assetdb.settings.project import CONFIGURATION_NAME
from assetdb.system.identity import identity

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

SETTINGS_FOLDERS: Final = ("ProjectSettings", "Packages")
"""Folders of files that are not assets but have findings: project settings, and lists of packages."""
_GONE: Final = 0


def files_beside(root: str) -> tuple[tuple[str, int], ...]:
    """Return the files of settings and package lists with identities.

    The identity changes with the file.
    """
    found = [(CONFIGURATION_NAME, _identity(os.path.join(root, CONFIGURATION_NAME)))]
    for folder in SETTINGS_FOLDERS:
        try:
            names = sorted(os.listdir(os.path.join(root, folder)))
        except OSError:  # no identity, distinct from any other
            continue
        found += [(f"{folder}/{name}", _identity(os.path.join(root, folder, name))) for name in names]
    return tuple(found)


def _identity(path: str) -> int:
    try:
        return identity(os.stat(path))
    except OSError:
        return _GONE
