"""Unreal Engine's packages and containers, read without the engine.

What is named here is for programs; a name's module is imported when it is first used. Whatever is wrong with bytes is a
:class:`UnrealError` (or an ``OSError`` of the system).
"""

from __future__ import annotations

from assetdb_formats.lazy_names import lazy_names

TYPE_CHECKING = False

if TYPE_CHECKING:
    from assetdb_formats.unreal.asset_registry import AssetRegistry, read_asset_registry
    from assetdb_formats.unreal.comparison import (
        Changes,
        compare_containers,
        compare_databases,
        compare_package_files,
        compare_packages,
    )
    from assetdb_formats.unreal.containers.contents import (
        ChunkInfo,
        ContainerInfo,
        PakInfo,
        container_info,
        list_chunks,
        stored_files,
    )
    from assetdb_formats.unreal.containers.keys import parse_key
    from assetdb_formats.unreal.containers.locations import containers_in, is_container
    from assetdb_formats.unreal.containers.opening import OpenBuild, each_container
    from assetdb_formats.unreal.containers.packed import (
        PackedPackage,
        PackedReferences,
        missing_packages,
        packed_dependencies,
        packed_packages,
        packed_usages,
        read_graph,
    )
    from assetdb_formats.unreal.containers.pak import OpenPak, Pak, open_pak
    from assetdb_formats.unreal.containers.verify import VerificationReport, verify_container
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
    from assetdb_formats.unreal.files.configuration import configured_packages
    from assetdb_formats.unreal.files.opening import OpenPackage, each_package, open, open_package  # noqa: A004 - as gzip.open
    from assetdb_formats.unreal.iostore.container import Container, OpenContainer, open_container
    from assetdb_formats.unreal.iostore.package_graph import PackageGraph
    from assetdb_formats.unreal.packages.info import (
        PackageInfo,
        describe_package,
        read_all_properties,
        read_properties_of_file,
    )
    from assetdb_formats.unreal.packages.package import Package, tagged_assets
    from assetdb_formats.unreal.packages.registry import TaggedAsset
    from assetdb_formats.unreal.problems import Problem
    from assetdb_formats.unreal.properties.exports import PropertyReader
    from assetdb_formats.unreal.scanning.database import AssetDatabase, Dependency
    from assetdb_formats.unreal.scanning.package_folder import PackageEntry, PackageFolder, scan_folder
    from assetdb_formats.unreal.versions import PackageVersion, parse_version
    from assetdb_formats.unreal.zen.info import ZenInfo, packed_zen_info, zen_file_info
    from assetdb_formats.unreal.zen.package import ZenPackage, parse_zen_package

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
    "packages.registry": ("TaggedAsset",),
    "comparison": ("Changes", "compare_containers", "compare_databases", "compare_package_files", "compare_packages"),
    "files.configuration": ("configured_packages",),
    "containers.contents": ("ChunkInfo", "ContainerInfo", "PakInfo", "container_info", "list_chunks", "stored_files"),
    "containers.verify": ("VerificationReport", "verify_container"),
    "containers.opening": ("OpenBuild", "each_container"),
    "scanning.database": ("AssetDatabase", "Dependency"),
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
    "zen.info": ("ZenInfo", "packed_zen_info", "zen_file_info"),
    "zen.package": ("ZenPackage", "parse_zen_package"),
    "containers.keys": ("parse_key",),
    "containers.locations": ("containers_in", "is_container"),
    "files.opening": ("OpenPackage", "each_package", "open", "open_package"),
    "packages.package": ("Package", "tagged_assets"),
    "scanning.package_folder": ("PackageEntry", "PackageFolder", "scan_folder"),
    "packages.info": ("PackageInfo", "describe_package", "read_all_properties", "read_properties_of_file"),
    "containers.packed": (
        "PackedPackage",
        "PackedReferences",
        "missing_packages",
        "packed_dependencies",
        "packed_packages",
        "packed_usages",
        "read_graph",
    ),
    "containers.pak": ("OpenPak", "Pak", "open_pak"),
    "problems": ("Problem",),
    "properties.exports": ("PropertyReader",),
    "versions": ("PackageVersion", "parse_version"),
}


__getattr__, __dir__ = lazy_names(__name__, globals(), _HOMES, __all__)
