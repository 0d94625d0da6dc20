"""Assets that ``Resources.Load`` cannot distinguish: equal path and type."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Final

from assetdb.checks.counting import listed
from assetdb.checks.findings.finding import Finding
from assetdb.checks.rules import RESOURCES_DUPLICATE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.memo.view import View
    from assetdb.store.entry import Asset

_FOLDER: Final = b"/Resources/"
_GAME_OBJECT: Final = 1
_PREFAB: Final = 1001
# Never loaded at run time: scenes, scripts, assembly definitions and their references, files without a type.
_NOT_LOADED: Final = frozenset((1032, 115, 1153, 1374, 1029))


def find_duplicates(project: View) -> Iterator[Finding]:
    """Yield assets that share path and type below ``Resources``."""
    found: dict[tuple[bool, str, str], list[Asset]] = {}
    for asset in project.database.containing(_FOLDER):
        if _FOLDER.decode() in f"/{asset.path}" and asset.class_id not in _NOT_LOADED:
            found.setdefault(_key(asset), []).append(asset)
    for (_editor, path, _kind), assets in sorted(found.items()):
        if len(assets) > 1:
            assets.sort(key=attrgetter("path"))
            paths = [asset.path for asset in assets]
            for number, asset in enumerate(assets):
                yield _finding(asset, path, paths[:number] + paths[number + 1 :])


def _key(asset: Asset) -> tuple[bool, str, str]:
    """Return an asset's key for loading: editor-only, load path, type."""
    above, _, below = f"/{asset.path}".rpartition(_FOLDER.decode())
    stem = below.rpartition(".")[0] if "." in below.rpartition("/")[2] else below
    kind = asset.script or str(_GAME_OBJECT if asset.class_id == _PREFAB else asset.class_id)
    return "/Editor/" in f"{above}/", stem.casefold(), kind


def _finding(asset: Asset, path: str, others: list[str]) -> Finding:
    said = f"Resources.Load({path!r}) may mean this or {listed(others)}"
    return Finding.of(RESOURCES_DUPLICATE, asset.path, said, asset=asset.guid, target=path)
