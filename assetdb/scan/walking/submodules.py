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
    """Remove diagnostics of metas that submodules, other people's repositories, lack."""
    verdicts: dict[str, bool] = {}

    def lacks(item: Diagnostic) -> bool:
        return item.code == _CODE and _is_inside(root, item.path.rstrip("/").rpartition("/")[0], verdicts)

    return [item for item in found if not lacks(item)]


def _is_inside(root: str, folder: str, verdicts: dict[str, bool]) -> bool:
    """Whether a folder belongs to a nested repository."""
    asked = []
    verdict = False
    while folder and not verdict:
        if folder in verdicts:
            verdict = verdicts[folder]
            break
        asked.append(folder)
        verdict = os.path.lexists(os.path.join(root, folder, ".git"))
        folder = folder.rpartition("/")[0]
    verdicts.update(dict.fromkeys(asked, verdict))
    return verdict
