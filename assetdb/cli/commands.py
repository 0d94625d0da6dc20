"""Every command: its name, the module that does it, and the line that `assetdb --help` shows."""

from __future__ import annotations

from typing import Final

COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "bake": ("assetdb.cli.bake", "Write Library/assetdb/asset-db.bin of a Unity project."),
    "dump": ("assetdb.cli.dump", "Print an asset-db.bin as stable, diffable lines."),
    "deps": ("assetdb.cli.deps", "Say what an asset refers to."),
    "usages": ("assetdb.cli.usages", "Say who refers to an asset, down to object, property and line."),
    "unused": ("assetdb.cli.unused", "Say which assets nothing that is built refers to, and why the others are kept."),
    "catalog": ("assetdb.cli.catalog", "Read, verify, compare and edit Addressables catalogs."),
    "unreal": ("assetdb.cli.unreal", "Read Unreal packages and IoStore containers."),
    "bundle": ("assetdb.cli.bundle", "Read .casset and UnityFS bundles."),
}
