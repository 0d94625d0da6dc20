"""Unreal Engine's packages and containers, read without the engine.

What is named here is for programs; a name's module is imported when it is first used. Whatever is wrong with bytes is a
:class:`UnrealError` (or an ``OSError`` of the system).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb_formats.lazy_names import lazy_names

if TYPE_CHECKING:
    from assetdb_formats.unreal.asset_registry import AssetRegistry as AssetRegistry
    from assetdb_formats.unreal.asset_registry import read_asset_registry as read_asset_registry
    from assetdb_formats.unreal.comparison import Changes as Changes
    from assetdb_formats.unreal.comparison import compare_containers as compare_containers
    from assetdb_formats.unreal.comparison import compare_databases as compare_databases
    from assetdb_formats.unreal.comparison import compare_package_files as compare_package_files
    from assetdb_formats.unreal.comparison import compare_packages as compare_packages
    from assetdb_formats.unreal.containers.contents import ChunkInfo as ChunkInfo
    from assetdb_formats.unreal.containers.contents import ContainerInfo as ContainerInfo
    from assetdb_formats.unreal.containers.contents import PakInfo as PakInfo
    from assetdb_formats.unreal.containers.contents import container_info as container_info
    from assetdb_formats.unreal.containers.contents import list_chunks as list_chunks
    from assetdb_formats.unreal.containers.contents import stored_files as stored_files
    from assetdb_formats.unreal.containers.keys import parse_key as parse_key
    from assetdb_formats.unreal.containers.locations import containers_in as containers_in
    from assetdb_formats.unreal.containers.locations import is_container as is_container
    from assetdb_formats.unreal.containers.opening import OpenBuild as OpenBuild
    from assetdb_formats.unreal.containers.opening import each_container as each_container
    from assetdb_formats.unreal.containers.packed import PackedPackage as PackedPackage
    from assetdb_formats.unreal.containers.packed import PackedReferences as PackedReferences
    from assetdb_formats.unreal.containers.packed import missing_packages as missing_packages
    from assetdb_formats.unreal.containers.packed import packed_dependencies as packed_dependencies
    from assetdb_formats.unreal.containers.packed import packed_packages as packed_packages
    from assetdb_formats.unreal.containers.packed import packed_usages as packed_usages
    from assetdb_formats.unreal.containers.packed import read_graph as read_graph
    from assetdb_formats.unreal.containers.pak import OpenPak as OpenPak
    from assetdb_formats.unreal.containers.pak import Pak as Pak
    from assetdb_formats.unreal.containers.pak import open_pak as open_pak
    from assetdb_formats.unreal.containers.verify import VerificationReport as VerificationReport
    from assetdb_formats.unreal.containers.verify import verify_container as verify_container
    from assetdb_formats.unreal.errors import InvalidKeyError as InvalidKeyError
    from assetdb_formats.unreal.errors import MissingExtraError as MissingExtraError
    from assetdb_formats.unreal.errors import MissingKeyError as MissingKeyError
    from assetdb_formats.unreal.errors import MissingPartError as MissingPartError
    from assetdb_formats.unreal.errors import OverlapError as OverlapError
    from assetdb_formats.unreal.errors import PackageNotFoundError as PackageNotFoundError
    from assetdb_formats.unreal.errors import UnrealError as UnrealError
    from assetdb_formats.unreal.errors import UnversionedPackageError as UnversionedPackageError
    from assetdb_formats.unreal.files.configuration import configured_folders as configured_folders
    from assetdb_formats.unreal.files.configuration import configured_packages as configured_packages
    from assetdb_formats.unreal.files.opening import OpenPackage as OpenPackage
    from assetdb_formats.unreal.files.opening import each_package as each_package
    from assetdb_formats.unreal.files.opening import open as open  # noqa: A004 - as gzip.open
    from assetdb_formats.unreal.files.opening import open_package as open_package
    from assetdb_formats.unreal.iostore.container import Container as Container
    from assetdb_formats.unreal.iostore.container import OpenContainer as OpenContainer
    from assetdb_formats.unreal.iostore.container import open_container as open_container
    from assetdb_formats.unreal.iostore.package_graph import PackageGraph as PackageGraph
    from assetdb_formats.unreal.packages.info import PackageInfo as PackageInfo
    from assetdb_formats.unreal.packages.info import describe_package as describe_package
    from assetdb_formats.unreal.packages.info import read_all_properties as read_all_properties
    from assetdb_formats.unreal.packages.info import read_properties_of_file as read_properties_of_file
    from assetdb_formats.unreal.packages.package import Package as Package
    from assetdb_formats.unreal.packages.package import tagged_assets as tagged_assets
    from assetdb_formats.unreal.packages.registry import TaggedAsset as TaggedAsset
    from assetdb_formats.unreal.problems import Problem as Problem
    from assetdb_formats.unreal.properties.exports import PropertyReader as PropertyReader
    from assetdb_formats.unreal.scanning.database import AssetDatabase as AssetDatabase
    from assetdb_formats.unreal.scanning.database import Dependency as Dependency
    from assetdb_formats.unreal.scanning.package_folder import PackageEntry as PackageEntry
    from assetdb_formats.unreal.scanning.package_folder import PackageFolder as PackageFolder
    from assetdb_formats.unreal.scanning.package_folder import scan_folder as scan_folder
    from assetdb_formats.unreal.versions import PackageVersion as PackageVersion
    from assetdb_formats.unreal.versions import parse_version as parse_version
    from assetdb_formats.unreal.zen.info import ZenInfo as ZenInfo
    from assetdb_formats.unreal.zen.info import packed_zen_info as packed_zen_info
    from assetdb_formats.unreal.zen.info import zen_file_info as zen_file_info
    from assetdb_formats.unreal.zen.package import ZenPackage as ZenPackage
    from assetdb_formats.unreal.zen.package import parse_zen_package as parse_zen_package
else:
    __all__, __getattr__, __dir__ = lazy_names(
        __name__,
        globals(),
        {
            "asset_registry": ("AssetRegistry", "read_asset_registry"),
            "comparison": (
                "Changes",
                "compare_containers",
                "compare_databases",
                "compare_package_files",
                "compare_packages",
            ),
            "containers.contents": (
                "ChunkInfo",
                "ContainerInfo",
                "PakInfo",
                "container_info",
                "list_chunks",
                "stored_files",
            ),
            "containers.keys": ("parse_key",),
            "containers.locations": ("containers_in", "is_container"),
            "containers.opening": ("OpenBuild", "each_container"),
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
            "containers.verify": ("VerificationReport", "verify_container"),
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
            "files.configuration": ("configured_folders", "configured_packages"),
            "files.opening": ("OpenPackage", "each_package", "open", "open_package"),
            "iostore.container": ("Container", "OpenContainer", "open_container"),
            "iostore.package_graph": ("PackageGraph",),
            "packages.info": ("PackageInfo", "describe_package", "read_all_properties", "read_properties_of_file"),
            "packages.package": ("Package", "tagged_assets"),
            "packages.registry": ("TaggedAsset",),
            "problems": ("Problem",),
            "properties.exports": ("PropertyReader",),
            "scanning.database": ("AssetDatabase", "Dependency"),
            "scanning.package_folder": ("PackageEntry", "PackageFolder", "scan_folder"),
            "versions": ("PackageVersion", "parse_version"),
            "zen.info": ("ZenInfo", "packed_zen_info", "zen_file_info"),
            "zen.package": ("ZenPackage", "parse_zen_package"),
        },
    )
