"""Two DLLs of one name for one platform."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from assetdb.checks.counting import listed
from assetdb.checks.findings.finding import Finding
from assetdb.checks.rules import DUPLICATE_PLUGIN
from assetdb.memo.facts import Extraction
from assetdb.unity.content.plugins import PLATFORMS, plugin_of, read_plugin

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.memo.view import View
    from assetdb.store.entry import Asset
    from assetdb.unity.content.plugins import Plugin

_DLL: Final = ".dll"
_PLUGIN: Final = Extraction("plug-ins", "1", read_plugin, plugin_of)


def find_duplicates(project: View) -> Iterator[Finding]:
    """Yield DLLs that share name and platform with another one."""
    by_name: dict[str, list[Asset]] = defaultdict(list)
    for asset in project.database.ending(_DLL):
        by_name[asset.path.rpartition("/")[2].lower()].append(asset)
    for assets in by_name.values():
        if len(assets) == 1:
            continue
        plugins = [(asset, project.facts(f"{asset.path}.meta", _PLUGIN)) for asset in assets]
        for asset, settings in plugins:
            shared = [
                (other, both) for other, plugin in plugins if other is not asset and (both := _both(settings, plugin))
            ]
            if shared:
                platforms = sorted({platform for _, both in shared for platform in both}, key=PLATFORMS.index)
                others = sorted(other.path for other, _ in shared)
                said = f"is for {listed(platforms)}, and so is {listed(others)}: only one DLL of a name may be"
                yield Finding.of(DUPLICATE_PLUGIN, asset.path, said, asset=asset.guid, target=shared[0][0].guid)


def _both(one: Plugin, other: Plugin) -> list[str]:
    """Return the platforms that have both of two plug-ins."""
    if not one.known or not other.known:
        return []
    return [each for each in PLATFORMS if one.is_for(each) and other.is_for(each) and not one.differs(other, each)]
