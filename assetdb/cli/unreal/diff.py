"""`assetdb unreal diff`: what is different between two packages, two folders or two containers."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from assetdb.cli.terminal import print_json, printable
from assetdb.cli.unreal.opening import (
    add_database_arguments,
    add_key_argument,
    assumed_version,
    containers,
    is_container,
    open_database,
    open_package,
    refuse_options,
)
from assetdb.errors import UsageError
from formats.binary import FormatError

if TYPE_CHECKING:
    import argparse

    from formats.unreal.database import AssetDatabase
    from formats.unreal.package import Package
    from formats.unreal.versions import PackageVersion


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `diff`."""
    parser.add_argument("old", metavar="OLD", help="a package, a folder or a container")
    parser.add_argument("new", metavar="NEW", help="the same kind of thing")
    add_database_arguments(parser)
    add_key_argument(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print differences; 1 if there are any."""
    old, new = arguments.old, arguments.new
    unreadable = False
    if is_container(old) != is_container(new) or os.path.isdir(old) != os.path.isdir(new):
        raise UsageError(f"{old} and {new} are not the same kind of thing")
    if is_container(old):
        refuse_options(arguments, ("cache", "assume_version"))
        if not os.path.isdir(old) and old.lower().endswith(".pak") != new.lower().endswith(".pak"):
            raise UsageError(f"{old} and {new} name what is in them in different ways, and cannot be compared")
        code: int = containers().difference(old, new, key=arguments.key, as_json=arguments.json)
        return code
    if os.path.isdir(old):
        arguments.cache = None  # one cache cannot be that of two folders
        databases = [open_database(path, arguments) for path in (old, new)]
        unreadable = any(missing for _, missing in databases)
        sections = _folders(databases[0][0], databases[1][0])
    else:
        assume = assumed_version(arguments)
        sections = _packages(_tables(old, assume), _tables(new, assume))
    sections = {name: part for name, part in sections.items() if any(part.values())}
    if arguments.json:
        print_json(sections)
    else:
        for name, part in sections.items():
            print(name)
            for sign, key in (("-", "removed"), ("+", "added"), ("~", "changed")):
                for text in part.get(key, []):
                    print(f"  {sign} {printable(text)}")
    if unreadable:
        return 2
    return 1 if sections else 0


def _compare(old: dict[str, Any], new: dict[str, Any]) -> dict[str, list[str]]:
    """Compare two tables by key; what changed is shown with both values."""
    return {
        "removed": sorted(old.keys() - new.keys()),
        "added": sorted(new.keys() - old.keys()),
        "changed": [
            f"{key}: {old[key]} -> {new[key]}" for key in sorted(old.keys() & new.keys()) if old[key] != new[key]
        ],
    }


def _packages(old: dict[str, dict[str, Any]], new: dict[str, dict[str, Any]]) -> dict[str, dict[str, list[str]]]:
    return {name: _compare(table, new[name]) for name, table in old.items()}


def _tables(path: str, assume: PackageVersion | None) -> dict[str, dict[str, Any]]:
    """Open a package and return what is compared of it; what is damaged is said with its file."""
    package, _ = open_package(path, assume)
    try:
        return {
            "summary": _facts(package),
            "imports": _imports(package),
            "exports": _exports(package),
            "soft references": dict.fromkeys(package.soft_packages),
            "tags": _tags(package),
            "names": dict.fromkeys(package.names),
        }
    except FormatError as error:
        raise error.at(path) from None


def _facts(package: Package) -> dict[str, Any]:
    summary = package.summary
    return {
        "file version": str(summary.version),
        "flags": f"0x{summary.package_flags:08X}",
        "package name": summary.package_name,
        "saved by": str(summary.saved_by),
    }


def _imports(package: Package) -> dict[str, Any]:
    return {
        package.paths.path(-number): record.class_name for number, record in enumerate(package.imports.records(), 1)
    }


def _exports(package: Package) -> dict[str, Any]:
    return {
        package.paths.path(number): f"{package.class_name(record.class_index)}, {record.serial_size} bytes"
        for number, record in enumerate(package.exports.records(), 1)
    }


def _tags(package: Package) -> dict[str, Any]:
    return {
        f"{asset.object_path} {key}": value if len(value) <= 80 else f"({len(value)} characters)"
        for asset in package.registry.assets
        for key, value in asset.tags.items()
    }


def _folders(old: AssetDatabase, new: AssetDatabase) -> dict[str, dict[str, list[str]]]:
    return {
        "packages": _compare(_classes(old), _classes(new)),
        "dependencies": _compare(_edges(old), _edges(new)),
    }


def _classes(database: AssetDatabase) -> dict[str, Any]:
    columns = database.columns
    return {name: columns.classes[number] or "?" for number, name in enumerate(database.names)}


def _edges(database: AssetDatabase) -> dict[str, Any]:
    return {
        f"{name} -> {dependency.name}": ", ".join(dependency.words)
        for number, name in enumerate(database.names)
        for dependency in database.dependencies(number)
    }
