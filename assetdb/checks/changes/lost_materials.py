"""Materials that models find by name, and no longer after a change.

The models are those that the change does not touch. A name that leads to another material since is no loss.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from assetdb.checks.findings.finding import Finding
from assetdb.query.graph.named import FOUND_OR_FINDING, MATERIAL, NamedReferences
from assetdb.settings.project import META, asset_prefix
from assetdb.system.cancelling import check_cancelled
from assetdb.unity.kinds import extension_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from assetdb.history.lost_guids import Holder
    from assetdb.query.snapshots.snapshot import Snapshot

LOST_MATERIAL: Final = "lost-material"
MODELS: Final = tuple(f":(glob,icase)**/*.{extension}" for extension in sorted(FOUND_OR_FINDING - {MATERIAL}))


def find_lost_materials(after: Snapshot, removed: Mapping[str, Holder], changed: Iterable[bytes]) -> list[Finding]:
    """Return a finding for each model's name that a change leads nowhere.

    Args:
        after: the project with the change.
        removed: the metas that the change removes or renames, by GUID.
        changed: the files that it touches, as git has them.
    """
    former = {row.path: guid for guid, row in removed.items() if extension_of(row.path) == MATERIAL}
    if not former:
        return []
    prefix = asset_prefix(after.root)
    touched = {prefix + os.fsdecode(path).removesuffix(META) for path in changed}
    names = NamedReferences(after)
    found: list[Finding] = []
    for path, model in sorted(names.finders().items()):
        check_cancelled()
        for place in names.lost(model, former) if path not in touched else ():
            current = after.assets.by_guid(former[place])
            what = f"and it is {current.path} now" if current is not None else "and it is gone"
            found.append(Finding.of(LOST_MATERIAL, path, f"found {place} by name, {what}", asset=model.guid))
    names.keep()
    return found
