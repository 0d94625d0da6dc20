"""``assetdb unreal info AssetRegistry.bin``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assetdb.cli.terminal import print_json, printable, table
from assetdb.cli.unreal.facts import as_json
from assetdb_formats.binary import FormatError
from assetdb_formats.files import read_file
from assetdb_formats.unreal.asset_registry import LARGEST, read_asset_registry

if TYPE_CHECKING:
    from assetdb_formats.unreal.asset_registry import AssetRegistry


def print_registry(path: str, *, as_lines: bool) -> int:
    """Print a registry; 0."""
    try:
        registry = read_asset_registry(read_file(path, largest=LARGEST))
    except FormatError as error:
        raise error.at(path) from None
    if as_lines:
        print_json({"path": path, **_registry_json(registry)})
        return 0
    print(printable(path))
    rows: list[tuple[str, object]] = [
        ("  asset registry", f"version {registry.version}"),
        ("  assets", f"{len(registry.assets):,}"),
        ("  packages", f"{len(registry.packages):,}"),
        ("  dependencies", f"{sum(len(node.packages) for node in registry.nodes):,}"),
    ]
    if registry.left:
        rows.append(("  not read", f"{registry.left:,} bytes behind all this"))
    print(table(rows))
    if registry.assets:
        print("assets")
        print(
            table(
                (f"  {asset.package_name}.{asset.asset_name}", asset.class_name, f"{len(asset.tags):,} tags")
                for asset in registry.assets
            )
        )
    return 0


def _registry_json(registry: AssetRegistry) -> dict[str, Any]:
    return {
        "version": registry.version,
        "assets": [{**as_json(asset), "bundles": as_json(dict(asset.bundles))} for asset in registry.assets],
        "dependencies": {node.name: registry.dependencies(node) for node in registry.nodes if node.packages},
        "packages": as_json(registry.packages),
        "bytes_not_read": registry.left,
    }
