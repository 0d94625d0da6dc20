"""`assetdb unreal info`: what one package is, table by table, and what is damaged in it."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from assetdb.cli.terminal import print_json, printable, table
from assetdb.cli.unreal.opening import (
    add_key_argument,
    add_version_argument,
    assumed_version,
    containers,
    export_data,
    is_container,
    open_package,
    refuse_options,
)
from assetdb.cli.unreal.registry import is_registry, print_registry
from assetdb.cli.unreal.zen_info import is_zen, print_file, print_packed
from assetdb.errors import UsageError
from formats.binary import FormatError
from formats.files import read_file
from formats.unreal.oodle import OodleProcess
from formats.unreal.properties import PropertyReader
from formats.unreal.summary import guid_text
from formats.unreal.usmap import LARGEST_USMAP, read_usmap
from formats.unreal.values import ObjectReference, Opaque, Property

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from formats.unreal.package import Package
    from formats.unreal.usmap import Mappings

_COUNTED = ("names", "imports", "exports", "soft_packages", "soft_object_paths", "gatherable_text", "thumbnails")
_BINARY_FIELDS = frozenset({"custom_version_data", "generation_data"})


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `info`."""
    parser.add_argument(
        "path",
        metavar="FILE",
        help="a .uasset or .umap, an AssetRegistry.bin, a .utoc or a .pak, or a folder of these two; "
        "with --in, the name of a package",
    )
    parser.add_argument(
        "--in",
        dest="container",
        metavar="CONTAINER",
        help="a .utoc, or a folder of them: the package is in it, or is a file whose objects it names",
    )
    add_version_argument(parser)
    parser.add_argument("--properties", action="store_true", help="also the properties of every export")
    parser.add_argument("--usmap", metavar="FILE", help="mappings for unversioned properties")
    add_key_argument(parser)
    parser.add_argument("--json", action="store_true", help="print every table as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print the package; 1 if something in it is damaged."""
    if arguments.container is not None or is_zen(arguments.path):
        refuse_options(arguments, ("properties", "usmap", "assume_version"), "packages of containers")
        return (print_file if is_zen(arguments.path) else print_packed)(arguments.path, arguments)
    if is_container(arguments.path):
        refuse_options(arguments, ("properties", "usmap", "assume_version"))
        code: int = containers().info(arguments.path, key=arguments.key, as_json=arguments.json)
        return code
    if os.path.isdir(arguments.path):
        raise UsageError(f"{arguments.path} is a folder of packages: `assetdb unreal ls` lists them")
    if is_registry(arguments.path):
        refuse_options(arguments, ("properties", "usmap", "assume_version", "key"), "an asset registry")
        return print_registry(arguments.path, as_json=arguments.json)
    package, version = open_package(arguments.path, assumed_version(arguments))
    damage = [str(error) for error in package.damage()]
    notes: list[str] = []
    document: dict[str, Any] = {"path": arguments.path, "version": version, "summary": _summary(package)}
    document |= _tables(package)
    if arguments.properties:
        document["properties"], problems, notes = _properties(package, arguments)
        damage += problems
    document["damage"] = damage
    if notes:
        document["notes"] = notes
    if arguments.json:
        print_json(document, _plain)
    else:
        _print(package, document)
    return 1 if damage else 0


def _summary(package: Package) -> dict[str, Any]:
    summary = package.summary
    document = {
        name: _field(name, value)
        for name, value in summary._asdict().items()
        if name not in _BINARY_FIELDS and name != "version"
    }
    document["file_version_ue4"], document["file_version_ue5"] = summary.version
    document["saved_by"] = str(summary.saved_by)
    document["compatible_with"] = str(summary.compatible_with)
    document["custom_versions"] = {found.key: found.version for found in summary.custom_versions}
    document["generations"] = [list(counts) for counts in summary.generations]
    return document


def _field(name: str, value: object) -> object:
    if not isinstance(value, bytes):
        return value
    return guid_text(value) if name.endswith("guid") and value else value.hex()


def _tables(package: Package) -> dict[str, Any]:
    """Return every table that can be read; a damaged one is left out (and is among the damage)."""

    def paths_of(count: int, sign: int) -> list[str]:
        return [package.paths.path(sign * number) for number in range(1, count + 1)]

    makers: dict[str, Callable[[], Any]] = {
        "names": lambda: package.names,
        "imports": lambda: [
            {"path": path, **record._asdict()}
            for path, record in zip(paths_of(len(package.imports), -1), package.imports.records(), strict=True)
        ],
        "exports": lambda: [
            {"path": path, "class": package.class_name(record.class_index), **record._asdict()}
            for path, record in zip(paths_of(len(package.exports), 1), package.exports.records(), strict=True)
        ],
        "depends": lambda: list(package.depends),
        "preload_dependencies": lambda: list(package.preload_dependencies),
        "soft_packages": lambda: package.soft_packages,
        "soft_object_paths": lambda: [str(path) for path in package.soft_object_paths],
        "searchable_names": lambda: {
            package.paths.path(found.object_index): found.names for found in package.searchable_names
        },
        "registry": lambda: {
            "assets": [asset._asdict() for asset in package.registry.assets],
            "imports_used_in_game": package.registry.imports_used_in_game,
            "soft_packages_used_in_game": package.registry.soft_packages_used_in_game,
            "extra_dependencies": package.registry.extra_dependencies,
        },
        "thumbnails": lambda: [found._asdict() for found in package.thumbnails],
        "gatherable_text": lambda: [
            {**found._asdict(), "sites": [site._asdict() for site in found.sites]} for found in package.gatherable_text
        ],
        "metadata": lambda: {
            "objects": {str(path): pairs for path, pairs in package.metadata.objects},
            "package": package.metadata.package,
        },
        "import_type_hierarchies": lambda: [
            {"import": index, "types": [found._asdict() for found in types]}
            for index, types in package.import_type_hierarchies
        ],
        "data_resources": lambda: [found._asdict() for found in package.data_resources],
        "world_tile": lambda: package.world_tile._asdict() if package.world_tile else None,
        "trailer": lambda: (
            {**package.trailer._asdict(), "payloads": [found._asdict() for found in package.trailer.payloads]}
            if package.trailer
            else None
        ),
    }
    found = {}
    for name, make in makers.items():
        try:
            found[name] = make()
        except FormatError:
            continue
    return found


def _properties(package: Package, arguments: argparse.Namespace) -> tuple[list[dict[str, Any]], list[str], list[str]]:
    """Read the properties of every export.

    Returns:
        The properties, what is damaged, and notes about what is sound but not read.
    """
    with OodleProcess() as oodle:
        mappings = _mappings(arguments.usmap, oodle) if arguments.usmap else None
        try:
            reader = PropertyReader(package, export_data(arguments.path), mappings, oodle)
        except FormatError as error:
            raise error.at(arguments.path) from None
        found, problems, notes = _read_exports(package, reader)
    if mappings is not None and problems and package.summary.unversioned_properties:
        notes.append(wrong_mappings(len(problems), len(reader)))
    return found, problems, notes


def _mappings(path: str, oodle: OodleProcess) -> Mappings:
    try:
        return read_usmap(read_file(path, largest=LARGEST_USMAP), oodle)
    except FormatError as error:
        raise error.at(path) from None


def wrong_mappings(failed: int, exports: int) -> str:
    """Say what exports that cannot be read with the mappings at hand mean."""
    if failed == exports:
        return f"the mappings are another game's, or of another version of it: {failed} of {exports} exports end early"
    return (
        f"{failed} of {exports} exports end early: the mappings may be of another version of the game, or lack what a "
        "Blueprint declares"
    )


def _read_exports(package: Package, reader: PropertyReader) -> tuple[list[dict[str, Any]], list[str], list[str]]:
    found: list[dict[str, Any]] = []
    problems, notes = [], []
    for number in range(len(reader)):
        try:
            export = reader.read(number)
        except FormatError as error:
            problems.append(str(error))
            found.append({"export": number, "error": str(error)})
            continue
        if export.writes_itself and export.body is None:
            path = package.paths.path(number + 1)
            class_name = package.class_name(package.exports.rows[number][0])
            notes.append(f"{path}: {class_name} writes itself, its {export.tail.size:,} bytes are not read")
        found.append(
            {
                "export": number,
                **({"writes_itself": True} if export.writes_itself else {}),
                **({"body": _value(package, export.body)} if export.body is not None else {}),
                "properties": _values(package, export.properties),
                **({"rows": {name: _values(package, row) for name, row in export.rows}} if export.rows else {}),
                **({"source_files": export.source_files} if export.source_files else {}),
                "soft_references": sorted({str(path) for path in export.references.soft}),
                "native_bytes": export.tail.size,
            }
        )
    return found, problems, notes


def _values(package: Package, properties: list[Property]) -> dict[str, Any]:
    """Return properties as a document; nesting was bounded when they were read."""
    found: dict[str, Any] = {}
    for prop in properties:
        key = f"{prop.name}[{prop.array_index}]" if prop.array_index else prop.name
        found[key] = _value(package, prop.value)
    return found


def _value(package: Package, value: object) -> object:
    if isinstance(value, ObjectReference):
        try:
            return package.paths.path(value.object_index) or None
        except FormatError as error:
            return f"({error})"
    if isinstance(value, Opaque):
        return f"({value.size} bytes)"
    if isinstance(value, dict):
        return {str(key): _value(package, item) for key, item in value.items()}
    if isinstance(value, list):
        if value and all(isinstance(item, Property) for item in value):
            return _values(package, value)
        return [_value(package, item) for item in value]
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return [_value(package, item) for item in value]
    return _plain(value) if hasattr(value, "_fields") else value


def _plain(value: object) -> object:
    return value.hex() if isinstance(value, bytes) else str(value)


def _print(package: Package, document: dict[str, Any]) -> None:
    summary = package.summary
    kind = "cooked" if summary.cooked else "editor"
    print(printable(document["path"]))
    rows: list[tuple[object, ...]] = [
        ("name", summary.package_name if summary.package_name.startswith("/") else "(not stored before 5.1)"),
        ("version", document["version"]),
        ("file version", f"UE4 {summary.version.ue4}, UE5 {summary.version.ue5}, legacy {summary.legacy_version}"),
        ("saved by", summary.saved_by),
        ("kind", f"{kind}, flags 0x{summary.package_flags:08X}"),
        ("header", f"{summary.total_header_size:,} bytes of {package.source.size:,}"),
    ]
    rows += [(name.replace("_", " "), f"{len(document[name]):,}") for name in _COUNTED if document.get(name)]
    print(table([(f"  {name}", value) for name, value in rows]))
    for asset in document.get("registry", {}).get("assets", []):
        print(f"  asset {printable(asset['object_path'])} ({printable(asset['class_name'])})")
    exports = document.get("exports", [])
    if exports:
        print("exports")
        print(
            table(
                [(f"  {found['path']}", found["class"], f"{found['serial_size']:,}") for found in exports],
                right=frozenset({2}),
            )
        )
    for found in document.get("properties", []):
        print(f"properties of export {found['export']}")
        for name, value in found.get("properties", {}).items():
            print(f"  {printable(name)} = {printable(json.dumps(value, ensure_ascii=False, default=_plain))}")
        for name, value in found.get("body", {}).items():
            print(f"  {printable(name)}: {printable(json.dumps(value, ensure_ascii=False, default=_plain))}")
    for note in document.get("notes", []):
        print(f"note: {printable(note)}")
    for error in document["damage"]:
        print(f"damaged: {printable(error)}")
