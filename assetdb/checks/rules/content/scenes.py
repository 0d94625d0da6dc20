"""Scenes with two components of which Unity uses one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb.checks.counting import listed
from assetdb.checks.findings.finding import Finding
from assetdb.checks.rules import DUPLICATE_COMPONENT
from assetdb.memo.facts import Extraction
from assetdb.unity.content.singletons import EVENT_SYSTEM, LISTENER, read_singletons, singletons_of
from assetdb.unity.yaml.property_path import places

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.memo.view import View

_SCENE: Final = ".unity"
_PREFAB: Final = ".prefab"
_SINGLETONS: Final = Extraction("singletons", "1", read_singletons, singletons_of)
_WHY: Final = {
    LISTENER: "Unity hears one of them and warns in each frame",
    EVENT_SYSTEM: "Unity uses one of them and warns",
}


def find_singletons(project: View) -> Iterator[Finding]:
    """Yield scenes with two active AudioListeners or EventSystems."""
    prefabs: dict[str, dict[str, str]] = {}
    for asset in project.database.ending(_SCENE):
        found = project.facts(asset.path, _SINGLETONS)
        rows = [(row.offset, row.kind, row.owner) for row in found.own]
        for guid, offset in found.instances:
            if guid not in prefabs:
                prefabs[guid] = _of_prefab(project, guid)
            rows += [(offset, kind, owner) for kind, owner in prefabs[guid].items()]
        for kind, why in _WHY.items():
            several = sorted((offset, owner) for offset, row_kind, owner in rows if row_kind == kind)
            if len(several) > 1:
                (place,) = places(project.read(asset.path) or b"", [several[1][0]])
                names = listed([repr(owner) for _, owner in several])
                said = f"{len(several)} active objects have an {kind}, {names}: {why}"
                yield Finding.of(
                    DUPLICATE_COMPONENT, asset.path, said, place.line, "", "", asset.guid, place.file_id, kind
                )


def _of_prefab(project: View, guid: str) -> dict[str, str]:
    """Return the owner of each singleton that a prefab has itself."""
    asset = project.database.by_guid(guid)
    if asset is None or not asset.path.lower().endswith(_PREFAB):
        return {}
    return {row.kind: row.owner for row in project.facts(asset.path, _SINGLETONS).own}
