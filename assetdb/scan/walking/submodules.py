"""Git submodules within a project.

Unity imports their assets with metas, but missing metas cannot be committed there.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assetdb.diagnostics import Diagnostic

_CODE = "missing-meta"


def without_submodules(root: str, found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Remove diagnostics of metas that are missing in submodules."""
    known: dict[str, bool] = {}

    def lacks(item: Diagnostic) -> bool:
        return item.code == _CODE and _is_inside(root, item.path.rstrip("/").rpartition("/")[0], known)

    return [item for item in found if not lacks(item)]


def _is_inside(root: str, folder: str, known: dict[str, bool]) -> bool:
    """Whether a folder belongs to a nested repository."""
    unknown = []
    is_inside = False
    while folder and not is_inside:
        if folder in known:
            is_inside = known[folder]
            break
        unknown.append(folder)
        is_inside = os.path.lexists(os.path.join(root, folder, ".git"))
        folder = folder.rpartition("/")[0]
    known.update(dict.fromkeys(unknown, is_inside))
    return is_inside
