"""Folders of ``Packages/`` that are no packages.

NuGet restores libraries to ``Packages/Some.Lib.1.0.0/``; Unity neither imports them nor writes metas there.
"""

from __future__ import annotations

import os

from assetdb.settings.project import ASSET_ROOTS, asset_roots

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assetdb.diagnostics import Diagnostic

_PACKAGES = ASSET_ROOTS[1]


def without_foreign_folders(root: str, found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Remove diagnostics of folders that Unity does not import."""
    rows = list(found)
    if asset_roots(root) != ASSET_ROOTS:  # the project itself is a package
        return rows
    known: dict[str, bool] = {}

    def is_foreign(path: str) -> bool:
        top, _, rest = path.partition("/")
        folder, slash, _ = rest.partition("/")
        if top != _PACKAGES or not slash:
            return False
        if folder not in known:
            place = os.path.join(root, _PACKAGES, folder)
            # Of a package outside, of which a problem is told by its name, there is no folder here.
            known[folder] = os.path.isdir(place) and not os.path.lexists(os.path.join(place, "package.json"))
        return known[folder]

    return [item for item in rows if not is_foreign(item.path)]
