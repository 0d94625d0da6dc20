"""Unreal Engine's packages and containers, read without the engine.

What is named here is for programs; a name's module is imported when it is first used. Whatever is wrong with bytes is a
:class:`UnrealError` (or an ``OSError`` of the system).
"""

from __future__ import annotations

from assetdb_formats.lazy_names import lazy_names

TYPE_CHECKING = False

if TYPE_CHECKING:
    from assetdb_formats.unreal.asset_registry import AssetRegistry, read_asset_registry
    from assetdb_formats.unreal.asset_tags import TaggedAsset, tagged_assets
    from assetdb_formats.unreal.comparison import (
        Changes,
        compare_containers,
        compare_databases,
        compare_package_files,
        compare_packages,
    )
    from assetdb_formats.unreal.configuration import configured_packages
    from assetdb_formats.unreal.container_contents import (
        ChunkInfo,
        ContainerInfo,
        PakInfo,
        container_info,
        list_chunks,
        stored_files,
    )
    from assetdb_formats.unreal.container_verify import VerificationReport, verify_container
    from assetdb_formats.unreal.containers import OpenBuild, each_container
    from assetdb_formats.unreal.database import AssetDatabase, Dependency
    from assetdb_formats.unreal.errors import (
        InvalidKeyError,
        MissingExtraError,
        MissingKeyError,
        MissingPartError,
        OverlapError,
        PackageNotFoundError,
        UnrealError,
        UnversionedPackageError,
    )
    from assetdb_formats.unreal.iostore.container import Container, OpenContainer, open_container
    from assetdb_formats.unreal.iostore.package_graph import PackageGraph
    from assetdb_formats.unreal.iostore.zen_info import ZenInfo, packed_zen_info, zen_file_info
    from assetdb_formats.unreal.iostore.zen_package import ZenPackage, parse_zen_package
    from assetdb_formats.unreal.keys import parse_key
    from assetdb_formats.unreal.locations import containers_in, is_container
    from assetdb_formats.unreal.opening import OpenPackage, each_package, open, open_package  # noqa: A004 - as gzip.open
    from assetdb_formats.unreal.package import Package
    from assetdb_formats.unreal.package_folder import PackageEntry, PackageFolder, scan_folder
    from assetdb_formats.unreal.package_info import (
        PackageInfo,
        describe_package,
        read_all_properties,
        read_properties_of_file,
    )
    from assetdb_formats.unreal.packed import (
        PackedPackage,
        PackedReferences,
        missing_packages,
        packed_dependencies,
        packed_packages,
        packed_usages,
        read_graph,
    )
    from assetdb_formats.unreal.pak import OpenPak, Pak, open_pak
    from assetdb_formats.unreal.problems import Problem
    from assetdb_formats.unreal.properties import PropertyReader
    from assetdb_formats.unreal.versions import PackageVersion, parse_version

__all__ = [
    "AssetDatabase",
    "AssetRegistry",
    "Changes",
    "ChunkInfo",
    "Container",
    "ContainerInfo",
    "Dependency",
    "InvalidKeyError",
    "MissingExtraError",
    "MissingKeyError",
    "MissingPartError",
    "OpenBuild",
    "OpenContainer",
    "OpenPackage",
    "OpenPak",
    "OverlapError",
    "Package",
    "PackageEntry",
    "PackageFolder",
    "PackageGraph",
    "PackageInfo",
    "PackageNotFoundError",
    "PackageVersion",
    "PackedPackage",
    "PackedReferences",
    "Pak",
    "PakInfo",
    "Problem",
    "PropertyReader",
    "TaggedAsset",
    "UnrealError",
    "UnversionedPackageError",
    "VerificationReport",
    "ZenInfo",
    "ZenPackage",
    "compare_containers",
    "compare_databases",
    "compare_package_files",
    "compare_packages",
    "configured_packages",
    "container_info",
    "containers_in",
    "describe_package",
    "each_container",
    "each_package",
    "is_container",
    "list_chunks",
    "missing_packages",
    "open",
    "open_container",
    "open_package",
    "open_pak",
    "packed_dependencies",
    "packed_packages",
    "packed_usages",
    "packed_zen_info",
    "parse_key",
    "parse_version",
    "parse_zen_package",
    "read_all_properties",
    "read_asset_registry",
    "read_graph",
    "read_properties_of_file",
    "scan_folder",
    "stored_files",
    "tagged_assets",
    "verify_container",
    "zen_file_info",
]

_HOMES = {
    "asset_registry": ("AssetRegistry", "read_asset_registry"),
    "asset_tags": ("TaggedAsset", "tagged_assets"),
    "comparison": ("Changes", "compare_containers", "compare_databases", "compare_package_files", "compare_packages"),
    "configuration": ("configured_packages",),
    "container_contents": ("ChunkInfo", "ContainerInfo", "PakInfo", "container_info", "list_chunks", "stored_files"),
    "container_verify": ("VerificationReport", "verify_container"),
    "containers": ("OpenBuild", "each_container"),
    "database": ("AssetDatabase", "Dependency"),
    "errors": (
        "InvalidKeyError",
        "MissingExtraError",
        "MissingKeyError",
        "MissingPartError",
        "OverlapError",
        "PackageNotFoundError",
        "UnrealError",
        "UnversionedPackageError",
    ),
    "iostore.container": ("Container", "OpenContainer", "open_container"),
    "iostore.package_graph": ("PackageGraph",),
    "iostore.zen_info": ("ZenInfo", "packed_zen_info", "zen_file_info"),
    "iostore.zen_package": ("ZenPackage", "parse_zen_package"),
    "keys": ("parse_key",),
    "locations": ("containers_in", "is_container"),
    "opening": ("OpenPackage", "each_package", "open", "open_package"),
    "package": ("Package",),
    "package_folder": ("PackageEntry", "PackageFolder", "scan_folder"),
    "package_info": ("PackageInfo", "describe_package", "read_all_properties", "read_properties_of_file"),
    "packed": (
        "PackedPackage",
        "PackedReferences",
        "missing_packages",
        "packed_dependencies",
        "packed_packages",
        "packed_usages",
        "read_graph",
    ),
    "pak": ("OpenPak", "Pak", "open_pak"),
    "problems": ("Problem",),
    "properties": ("PropertyReader",),
    "versions": ("PackageVersion", "parse_version"),
}


__getattr__, __dir__ = lazy_names(__name__, globals(), _HOMES, __all__)
