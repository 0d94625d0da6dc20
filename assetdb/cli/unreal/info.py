"""``assetdb unreal info``: the tables of one package."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

from assetdb.cli.terminal import (
    Progress,
    json_line,
    not_found,
    print_json,
    print_long_table,
    printable,
    table,
    with_place,
)
from assetdb.cli.unreal.archives import displayed
from assetdb.cli.unreal.options import KeyOptions, PackageOptions, are_containers, refuse_given
from assetdb.cli.unreal.reporting import as_json, each_read, no_packages, say_problems, unpacking
from assetdb.cli.unreal.texts import Translations, is_localization, print_localization
from assetdb_formats.binary import FormatError
from assetdb_formats.files import read_file
from assetdb_formats.unreal.asset_registry import LARGEST, read_asset_registry
from assetdb_formats.unreal.codecs.oodle import OodleProcess
from assetdb_formats.unreal.containers.locations import is_container, is_registry, is_zen_package
from assetdb_formats.unreal.errors import PackageNotFoundError
from assetdb_formats.unreal.packages.info import describe_package, read_properties_of_file
from assetdb_formats.unreal.packages.summary import guid_text
from assetdb_formats.unreal.properties.usmap import read_usmap_file

if TYPE_CHECKING:
    from assetdb.cli.options import Annotated, Argument, In, Option
    from assetdb_formats.unreal.asset_registry import AssetRegistry
    from assetdb_formats.unreal.packages.info import ExportValues, PackageInfo, PropertyReport
    from assetdb_formats.unreal.packages.summary import Summary
    from assetdb_formats.unreal.problems import Problem
    from assetdb_formats.unreal.properties.decoded import TextKey

_COUNTED: Final = ("names", "imports", "exports", "soft_packages", "soft_object_paths", "gatherable_text", "thumbnails")
_OWN_FORM: Final = frozenset({"imports", "exports", "soft_object_paths", "metadata", "import_type_hierarchies"})
_BINARY_FIELDS: Final = frozenset({"custom_version_data", "generation_data"})


class InfoOptions(PackageOptions, KeyOptions):
    """The options of `info`."""

    properties: Annotated[bool, Option("--properties", help="Also the properties of every export.")] = False
    usmap: Annotated[
        str | None, Option("--usmap", metavar="FILE", help="The game's mappings, for unversioned properties.")
    ] = None
    texts: Annotated[
        str | None,
        Option(
            "--texts",
            metavar="FILE",
            help="Also the keys of localized texts in the properties, with their strings in a .locres. A .locmeta"
            " stands for its native culture.",
        ),
    ] = None


@unpacking("path", "look_in")
def info(
    options: InfoOptions,
    path: Annotated[
        str,
        Argument(
            metavar="FILE",
            help="A .uasset or .umap, an AssetRegistry.bin, a .locres or .locmeta, a .utoc or a .pak, or a folder of"
            " packages; with --in, a package's name.",
        ),
    ],
    look_in: In = None,
) -> int:
    """Print packages or containers; 1 if something in them is damaged."""
    where = look_in or []
    of_packages = {
        "--properties": options.properties,
        "--usmap": options.usmap,
        "--texts": options.texts,
        "--assume-version": options.assume_version,
    }
    if where and not is_zen_package(path) and not are_containers(where):
        return _print_named(path, where, options)
    if where or is_zen_package(path):
        from assetdb.cli.unreal.containers.zen import print_file, print_packed  # noqa: PLC0415 - as below

        refuse_given(of_packages, "packages of containers")
        return (print_file if is_zen_package(path) else print_packed)(path, where, options)
    if is_container(path):
        from assetdb.cli.unreal.containers import packages  # noqa: PLC0415 - folders of packages do without

        refuse_given(of_packages)
        return packages.info(path, options)
    if not os.path.isdir(path) and is_registry(path):
        refuse_given({**of_packages, "--key": options.key}, "an asset registry")
        return _print_registry(path, as_lines=options.json)
    if not os.path.isdir(path) and is_localization(path):
        refuse_given({**of_packages, "--key": options.key}, "localized texts")
        return print_localization(path, as_json=options.json)
    return _print_packages(path, options)


def _print_named(name: str, folders: list[str], options: InfoOptions) -> int:
    """Print the package that ``name`` means in folders of packages."""
    from assetdb_formats.unreal.scanning.package_folder import find_package, scan_folder  # noqa: PLC0415 - files are named as a rule

    with Progress("packages") as progress:
        folder = scan_folder(*folders, assume=options.assumed, progress=progress)
    broken = say_problems(folder.problems, every=options.verbose)
    try:
        file = folder.file(find_package(folder, name))
    except PackageNotFoundError as error:
        return max(broken, not_found(with_place(error.what, name)))
    return max(broken, _print_packages(file, options))


def _print_packages(path: str, options: InfoOptions) -> int:
    """Print a package, or each of a folder."""
    problems: list[Problem] = []
    damaged = shown = False
    translations = Translations(options.texts) if options.texts else None
    with OodleProcess() as oodle, Progress("packages") as progress:
        mappings = read_usmap_file(options.usmap, oodle) if options.usmap else None
        for file, opened, report in each_read(
            path,
            problems,
            options,
            lambda file, package: (
                read_properties_of_file(file, package, mappings, oodle, progress)
                if options.properties or translations
                else None
            ),
        ):
            progress.close()
            info = describe_package(opened.package)
            if options.json:
                found = _package_json(file, opened.version, info, report if options.properties else None)
                if report is not None and translations is not None:
                    found["texts"] = [translations.facts(text) for text in _texts(report)]
                print_json(found)
            else:
                _print_text(file, opened.version, info, report if options.properties else None, first=not shown)
                if report is not None and translations is not None and (texts := _texts(report)):
                    print("texts")
                    print_long_table(map(translations.row, texts))
            shown = True
            damaged = damaged or bool(info.damage) or (report is not None and bool(report.damage))
    broken = say_problems(problems, every=options.verbose)
    return broken or (int(damaged) if shown else no_packages(path))


def _texts(report: PropertyReport) -> list[TextKey]:
    """Return the keys of all texts in a package, each once."""
    return list(dict.fromkeys(text for values in report.exports for text in values.texts))


def _package_json(path: str, version: str, info: PackageInfo, report: PropertyReport | None) -> dict[str, Any]:
    """Return a package for programs, without damaged tables."""
    tables = info._asdict()
    for name in ("summary", "size", "damage", "damaged_tables", *info.damaged_tables):
        del tables[name]
    found: dict[str, Any] = {"path": displayed(path), "version": version, "summary": _summary_json(info.summary)}
    found |= {name: None if name in _OWN_FORM else as_json(value) for name, value in tables.items()}
    own: dict[str, Any] = {
        "imports": [{"path": each.path, **as_json(each.record)} for each in info.imports or ()],
        "exports": [
            {"path": each.path, "class": each.class_name, **as_json(each.record)} for each in info.exports or ()
        ],
        "soft_object_paths": [str(each) for each in info.soft_object_paths or ()],
        "metadata": info.metadata
        and {
            "objects": {str(each): as_json(pairs) for each, pairs in info.metadata.objects},
            "package": as_json(info.metadata.package),
        },
        "import_type_hierarchies": [
            {"import": index, "types": as_json(types)} for index, types in info.import_type_hierarchies or ()
        ],
    }
    found |= {name: value for name, value in own.items() if name in found}
    if report is not None:
        found["properties"] = [_values_json(each) for each in report.exports]
    found["damage"] = [*info.damage, *(report.damage if report else ())]
    if report is not None and report.notes:
        found["notes"] = list(report.notes)
    return found


def _values_json(values: ExportValues) -> dict[str, Any]:
    if values.error:
        return {"export": values.export, "error": values.error}
    return {
        "export": values.export,
        **({"writes_itself": True} if values.writes_itself else {}),
        **({"body": values.body} if values.body is not None else {}),
        "properties": values.properties,
        **({"rows": values.rows} if values.rows else {}),
        **({"source_files": values.source_files} if values.source_files else {}),
        "soft_references": list(values.soft_references),
        "native_bytes": values.native_bytes,
    }


def _summary_json(summary: Summary) -> dict[str, Any]:
    found = {
        name: _field(name, value)
        for name, value in summary._asdict().items()
        if name not in _BINARY_FIELDS and name != "version"
    }
    found["file_version_ue4"], found["file_version_ue5"] = summary.version
    found["saved_by"] = str(summary.saved_by)
    found["compatible_with"] = str(summary.compatible_with)
    found["custom_versions"] = {each.key: each.version for each in summary.custom_versions}
    found["generations"] = [list(counts) for counts in summary.generations]
    return found


def _field(name: str, value: object) -> object:
    if not isinstance(value, bytes):
        return value
    return guid_text(value) if name.endswith("guid") and value else value.hex()


def _print_text(path: str, version: str, info: PackageInfo, report: PropertyReport | None, *, first: bool) -> None:
    summary = info.summary
    kind = "cooked" if summary.cooked else "editor"
    print(("" if first else "\n") + printable(displayed(path)))
    rows: list[tuple[str, object]] = [
        ("name", summary.package_name if summary.package_name.startswith("/") else "(not stored before 5.1)"),
        ("version", version),
        ("file version", f"UE4 {summary.version.ue4}, UE5 {summary.version.ue5}, legacy {summary.legacy_version}"),
        ("saved by", summary.saved_by),
        ("kind", f"{kind}, flags 0x{summary.package_flags:08X}"),
        ("header", f"{summary.total_header_size:,} bytes of {info.size:,}"),
    ]
    counts = {name: len(getattr(info, name) or ()) for name in _COUNTED}
    rows += [(name.replace("_", " "), f"{count:,}") for name, count in counts.items() if count]
    print(table([(f"  {name}", value) for name, value in rows]))
    for asset in info.registry.assets if info.registry else ():
        print(f"  asset {printable(asset.object_path)} ({printable(asset.class_name)})")
    if info.exports:
        print("exports")
        sizes = [(f"  {each.path}", each.class_name, f"{each.record.serial_size:,}") for each in info.exports]
        print(table(sizes, right=frozenset({2})))
    for values in report.exports if report else ():
        print(f"properties of export {values.export}")
        for name, value in values.properties.items():
            print(f"  {printable(name)} = {json_line(value, str)}")
        for name, value in values.body.items() if isinstance(values.body, dict) else ():
            print(f"  {printable(str(name))}: {json_line(value, str)}")
    for note in report.notes if report else ():
        print(f"note: {printable(note)}")
    for error in (*info.damage, *(report.damage if report else ())):
        print(f"damaged: {printable(error)}")


def _print_registry(path: str, *, as_lines: bool) -> int:
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
