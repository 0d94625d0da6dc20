"""Textures of a page as a platform imports them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.query.imported_sizes import format_name, imported_sizes
from assetdb.unity.textures.imported import PLATFORMS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.report.network import Network


def imported_facts(project: Snapshot, network: Network, platform: str) -> dict[str, object]:
    """Return the textures with an estimate, by number of the asset.

    Unknown bytes (of crunched textures) are -1.

    Args:
        project: where the assets are.
        network: of the project.
        platform: a word of :data:`~assetdb.unity.textures.imported.PLATFORMS`, in any case.

    Raises:
        UsageError: there is no such platform.
        ScanError: a file cannot be read now.
    """
    found = imported_sizes(project, network.assets, platform)
    textures = [(number, found[node.path]) for number, node in enumerate(network.assets) if node.path in found]
    return {
        "platform": platform,
        "assets": [number for number, _ in textures],
        "bytes": [-1 if texture.bytes is None else texture.bytes for _, texture in textures],
        "width": [texture.width for _, texture in textures],
        "height": [texture.height for _, texture in textures],
        "format": [format_name(texture) for _, texture in textures],
    }


def platform_word(names: Sequence[str]) -> str:
    """Return the word for the one platform of a build.

    It is ``""`` of a build for several, and of one whose textures have no estimate.

    >>> platform_word(["Windows (64 bit)"]), platform_word(["Xbox One"]), platform_word(["Wii"])
    ('windows', 'xboxone', '')
    """
    words = {"".join(name.partition(" (")[0].split()).casefold() for name in names}
    word = words.pop() if len(words) == 1 else ""
    return word if word in PLATFORMS else ""
