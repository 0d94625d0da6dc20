"""Every command: its name, the module that does it, and the line that `assetdb --help` shows."""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final


COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "bake": ("assetdb.cli.bake", "Write Library/assetdb/asset-db.bin of a Unity project."),
    "dump": ("assetdb.cli.dump", "Print an asset-db.bin as stable, diffable lines."),
    "name": ("assetdb.cli.name", "Say what a reference means: Player.prefab / Body / Head (MeshRenderer)."),
    "guid": ("assetdb.cli.guid", "Say which GUID a path or name has."),
    "path": ("assetdb.cli.path", "Say where the asset of a GUID or name is."),
    "find": ("assetdb.cli.find", "List assets and sub-assets by name and type."),
    "coverage": ("assetdb.cli.coverage", "Count the references of a project, and how many have a name."),
    "annotate": ("assetdb.cli.annotate", "Print YAML with names as comments, also for git diff."),
    "deps": ("assetdb.cli.deps", "Say what an asset refers to."),
    "usages": ("assetdb.cli.usages", "Say who refers to an asset, down to object, property and line."),
    "unused": ("assetdb.cli.unused", "Say which assets nothing that is built refers to, and why the others are kept."),
    "watch": ("assetdb.cli.watch", "Keep the database current while files change, and answer over a socket."),
    "status": ("assetdb.cli.status", "Say how the daemon of a project does."),
    "stop": ("assetdb.cli.stop", "Stop the daemon of a project."),
    "log": ("assetdb.cli.log", "Print what the daemon of a project did."),
    "catalog": ("assetdb.cli.catalog", "Read, verify, compare and edit Addressables catalogs."),
    "unreal": ("assetdb.cli.unreal", "Read Unreal packages and IoStore containers."),
    "bundle": ("assetdb.cli.bundle", "Read .casset and UnityFS bundles."),
}
