"""`assetdb unreal info` of a zen package: a file that `extract` wrote, or one in a container."""

from __future__ import annotations

import os
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final

from assetdb.cli.terminal import fail, not_found, print_json, printable, table
from assetdb.cli.unreal.container_opening import open_one, parse_key, within
from assetdb.cli.unreal.opening import containers_in, match_name
from formats.binary import FormatError
from formats.codecs.city_hash import name_hash, package_id
from formats.files import open_file
from formats.unreal.iostore import object_index
from formats.unreal.iostore.build import Build, Naming
from formats.unreal.iostore.container import OpenContainer
from formats.unreal.iostore.import_names import paths_from_names
from formats.unreal.iostore.zen_dependencies import Arc, ImportArc, PackageArcs, ZenDependencies, read_dependencies
from formats.unreal.iostore.zen_package import SERIALIZE, ZenForm, header_size, parse_zen_package
from formats.unreal.summary import guid_text

if TYPE_CHECKING:
    import argparse

    from formats.unreal.iostore.zen_package import ZenPackage

_FIRST_READ: Final = 1 << 16
_LARGEST_HEADER: Final = 256 << 20
_ENGINES: Final = {
    ZenForm.ENGINE_4: "4.26 to 4.27",
    ZenForm.GRAPH_DATA: "5.0 to 5.2",
    ZenForm.DEPENDENCY_BUNDLES: "5.3 to 5.5",
    ZenForm.CELLS: "5.6 and later",
}
_KINDS: Final = {
    object_index.EXPORT: "export",
    object_index.SCRIPT: "script",
    object_index.PACKAGE: "package",
    object_index.NONE: "none",
}
_COMMANDS: Final = {0: "create", SERIALIZE: "serialize"}
_FILTERS: Final = {0: "none", 1: "not for client", 2: "not for server"}
_COUNTED: Final = ("names", "imports", "imported_packages", "exports", "bundles", "bundle_entries", "bulk_data")
_GLOBAL: Final = "global.utoc"  # the container with the script objects, beside the others


def is_zen(path: str) -> bool:
    """Whether a file begins as a zen package does; False for what is no regular file, which others say better."""
    try:
        with open_file(path) as file:
            return header_size(file.read(_FIRST_READ)) > 0
    except OSError:
        return False


def print_file(path: str, arguments: argparse.Namespace) -> int:
    """Print a zen package of its own; with ``--in``, containers name what it refers to. 1 if something is damaged."""
    with open_file(path) as file:
        data = file.read(_FIRST_READ)
        size = os.fstat(file.fileno()).st_size
        wanted = header_size(data)
        if wanted > _LARGEST_HEADER:
            what = f"a header of {wanted} bytes; at most {_LARGEST_HEADER} are read"
            raise FormatError(what, offset=4, field="summary.header_size", path=path)
        data += file.read(max(0, min(wanted, size) - len(data)))
    with ExitStack() as stack:
        try:
            package = parse_zen_package(data)
        except FormatError as error:
            raise error.at(path) from None
        if arguments.container is None:
            naming = Naming(package, paths=paths_from_names(package))
        else:
            naming = open_build(arguments.container, arguments.key, stack).naming(package)
        return _print(package, data, size, naming, {"path": path}, as_json=arguments.json)


def print_packed(name: str, arguments: argparse.Namespace) -> int:
    """Print the package ``name`` of the containers of ``--in``; 1 if there is none, or something in it is damaged."""
    with ExitStack() as stack:
        build = open_build(arguments.container, arguments.key, stack)
        try:
            identity = find_package(build, name)
        except LookupError as error:
            return not_found(str(error.args[0]))
        place = build.places.get(identity)
        if place is None:
            return not_found(f"{build.graph.name(identity)} is in none of these containers")
        path = place.container.path if isinstance(place.container, OpenContainer) else ""
        try:
            data = build.read(identity)
            package = parse_zen_package(data)
        except FormatError as error:
            return fail(printable(f"{build.graph.name(identity)}: {error if error.path else error.at(path)}"))
        where = {"container": path, "chunk": place.container.toc.chunk_id(place.chunk).hex()}
        return _print(package, data, len(data), build.naming(package), where, as_json=arguments.json)


def find_package(build: Build, text: str) -> int:
    """Return the id of a package by its name, the end of it, an object path in it, or its id in hexadecimal.

    Raises:
        LookupError: there is none, or several.
    """
    graph = build.graph
    for name in (text, text.partition(".")[0]):
        identity = graph.find(name)
        if identity is None and package_id(name) in build.places:
            identity = package_id(name)
        if identity is not None:
            return graph.resolve(identity)
    known = sorted((name, identity) for identity, name in graph.names.items())
    return known[match_name(text, [name for name, _ in known])][1]


def open_build(path: str, key: str | None, stack: ExitStack) -> Build:
    """Open the containers at ``path`` (and ``global.utoc`` beside a single one) until ``stack`` ends.

    Raises:
        FormatError: a single one cannot be read. Of a folder, those that cannot are said and left out.
    """
    secret = parse_key(key)
    paths = [each for each in containers_in(path) if not each.lower().endswith(".pak")]
    if not paths:
        raise FormatError("no .utoc here", path=path)
    alone = paths[0] if len(paths) == 1 and not os.path.isdir(path) else ""
    beside = os.path.join(os.path.dirname(alone), _GLOBAL)
    if alone and os.path.isfile(beside) and os.path.basename(alone).lower() != _GLOBAL:
        paths.insert(0, beside)
    build = Build()
    for each in paths:
        try:
            opened = stack.enter_context(open_one(each, secret))
            if isinstance(opened, OpenContainer):
                build.add(each, opened)
        except FormatError as error:
            located = error if error.path else error.at(each)
            if each == alone:
                raise located from None
            fail(printable(f"{each}: {within(located, each)}"))
    return build


def document(package: ZenPackage, dependencies: ZenDependencies | None, naming: Naming) -> dict[str, Any]:
    """Return everything that a package's tables say; ``dependencies`` is None where they are damaged."""
    tables = package.tables._asdict()
    spans = package.export_spans()
    hash_name = "global_import_index" if package.form is ZenForm.ENGINE_4 else "public_hash"
    found: dict[str, Any] = {
        "format": "zen package",
        "engine": _ENGINES[package.form],
        "summary": {
            "name": package.name,
            "source_name": package.source_name or None,
            "package_id": f"{package_id(package.name):016x}",
            "flags": f"0x{package.flags:08X}",
            "header_size": package.header_size,
            "cooked_header_size": package.cooked_header_size,
            "offsets": {name: offset for name, offset in tables.items() if offset >= 0},
        },
        "versions": _versions(package),
        "names": [
            {"name": name, "hash": f"{stored:016x}", **({} if name_hash(name) == stored else {"hash_right": False})}
            for name, stored in zip(package.names.names, package.names.hashes, strict=False)
        ],
        "imported_packages": list(naming.imported),
        "imported_public_hashes": [f"{each:016x}" for each in package.imported_hashes],
        "imports": [_reference(index, naming) for index in package.imports],
        "exports": [
            {
                "path": f"{package.name}.{package.export_path(number)}",
                "name": export.name,
                "class": _reference(export.class_, naming),
                "outer": _reference(export.outer, naming),
                "super": _reference(export.super_, naming),
                "template": _reference(export.template, naming),
                hash_name: f"{export.public_hash:016x}",
                "flags": f"0x{export.flags:08X}",
                "filter": _FILTERS.get(export.filter, str(export.filter)),
                "cooked_offset": export.offset,
                "offset": spans[number][0],
                "size": export.size,
            }
            for number, export in enumerate(package.exports)
        ],
        "bulk_data": [each._asdict() for each in package.bulk_data],
        "bundle_entries": [
            {"export": number, "command": _COMMANDS.get(command, str(command))} for number, command in package.bundle
        ],
    }
    if dependencies is not None:
        found |= _dependencies(package, dependencies, naming)
    return found


def _versions(package: ZenPackage) -> dict[str, Any] | None:
    versioning = package.versioning
    if versioning is None:
        return None
    return {
        **{name: value for name, value in versioning._asdict().items() if name != "custom"},
        "custom": {guid_text(key): number for key, number in versioning.custom},
    }


def _reference(index: int, naming: Naming) -> dict[str, Any] | None:
    kind = _KINDS[object_index.kind(index)]
    if kind == "none":
        return None
    return {"path": naming.name(index), "kind": kind, "index": f"{index:016x}"}


def _dependencies(package: ZenPackage, dependencies: ZenDependencies, naming: Naming) -> dict[str, Any]:
    names = {package_id(name): name for name in naming.imported}
    names |= {package_id(name): name for name in {path.partition(".")[0] for path in naming.paths.values()}}
    if package.form >= ZenForm.DEPENDENCY_BUNDLES:
        return {
            "dependencies": [
                {word: list(indices) for word, indices in each._asdict().items()} for each in dependencies.exports
            ]
        }
    return {
        "bundles": [bundle._asdict() for bundle in dependencies.bundles],
        "arcs": [arc._asdict() for arc in dependencies.arcs],
        "dependency_packages": [
            _package_arcs(number, each, names, naming) for number, each in enumerate(dependencies.packages)
        ],
    }


def _package_arcs(number: int, found: PackageArcs, names: dict[int, str], naming: Naming) -> dict[str, Any]:
    if found.package is None:
        name = naming.imported[number] if number < len(naming.imported) else None
        identity = None if name is None else f"{package_id(name):016x}"
    else:
        name = names.get(found.package)
        identity = f"{found.package:016x}"
    return {"package": name, "id": identity, "arcs": [_arc(arc) for arc in found.arcs]}


def _arc(arc: Arc | ImportArc) -> dict[str, Any]:
    if isinstance(arc, ImportArc):
        return {
            "import": arc.source,
            "command": _COMMANDS.get(arc.command, str(arc.command)),
            "bundle": arc.target,
        }
    return {"from_bundle": arc.source, "to_bundle": arc.target}


def _print(package: ZenPackage, data: bytes, size: int, naming: Naming, where: dict[str, Any], *, as_json: bool) -> int:
    damage: list[str] = []
    dependencies = None
    try:
        dependencies = read_dependencies(data, package)
    except FormatError as error:
        damage.append(str(error))
    damage += [f"names[{index}]: its hash is another name's" for index in package.names.wrong_hashes()]
    for number, (start, length) in enumerate(package.export_spans()):
        if start + length > size:
            damage.append(f"exports[{number}]: {length} bytes at {start} do not lie in {size}")
    found = {**where, "size": size, **document(package, dependencies, naming), "damage": damage}
    if as_json:
        print_json(found)
    else:
        _print_text(package, found)
    return 1 if damage else 0


def _print_text(package: ZenPackage, found: dict[str, Any]) -> None:
    summary = found["summary"]
    versions = found["versions"]
    print(printable(found.get("path") or f"{package.name} in {found['container']}"))
    rows: list[tuple[str, object]] = [
        ("name", summary["name"]),
        ("format", f"zen package, engine {found['engine']}"),
        ("file version", f"UE4 {versions['ue4']}, UE5 {versions['ue5']}" if versions else "not stored"),
        ("package id", summary["package_id"]),
        ("flags", summary["flags"]),
        ("header", f"{package.header_size:,} bytes of {found['size']:,} ({package.cooked_header_size:,} as cooked)"),
    ]
    rows += [(name.replace("_", " "), f"{len(found[name]):,}") for name in _COUNTED if found.get(name)]
    print(table([(f"  {name}", value) for name, value in rows]))
    if found["imports"]:
        print("imports")
        print(table([(f"  {-number}", _shown(each)) for number, each in enumerate(found["imports"], 1)]))
    if found["exports"]:
        hash_name = "global_import_index" if package.form is ZenForm.ENGINE_4 else "public_hash"
        print("exports")
        heads = ("  ", "path", "class", "outer", "super", "template", hash_name.replace("_", " "), "flags", "size")
        print(
            table(
                [
                    heads,
                    *(
                        (
                            f"  {number}",
                            each["path"].partition(".")[2],
                            *(_shown(each[word]) for word in ("class", "outer", "super", "template")),
                            each[hash_name],
                            each["flags"],
                            f"{each['size']:,}",
                        )
                        for number, each in enumerate(found["exports"], 1)
                    ),
                ],
                right=frozenset({8}),
            )
        )
    for number, each in enumerate(found.get("dependencies", ()), 1):
        for word, indices in each.items():
            if indices:
                print(f"export {number}: {word.replace('_', ' ')} {', '.join(map(str, indices))}")
    for each in found.get("dependency_packages", ()):
        name = each["package"] or each["id"] or "a package that only the container header names"
        arcs = "; ".join(
            ", ".join(f"{word.replace('_', ' ')} {value}" for word, value in arc.items()) for arc in each["arcs"]
        )
        print(f"waits for {printable(name)}: {arcs or 'no arcs'}")
    for error in found["damage"]:
        print(f"damaged: {printable(error)}")


def _shown(reference: dict[str, Any] | None) -> str:
    if reference is None:
        return "-"
    return str(reference["path"] or f"{reference['kind']} {reference['index']}")
