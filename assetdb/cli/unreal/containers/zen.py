"""``assetdb unreal info`` of zen packages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from assetdb.cli.terminal import fail, not_found, print_json, printable, table, with_place
from assetdb.cli.unreal.archives import displayed
from assetdb.cli.unreal.reporting import as_json, say_problems
from assetdb_formats.binary import FormatError
from assetdb_formats.unreal.containers.opening import OpenBuild
from assetdb_formats.unreal.containers.packed import find_in_build
from assetdb_formats.unreal.errors import PackageNotFoundError
from assetdb_formats.unreal.zen.info import packed_zen_info, zen_file_info
from assetdb_formats.unreal.zen.package import ZenForm

if TYPE_CHECKING:
    from assetdb.cli.unreal.options import KeyOptions
    from assetdb_formats.unreal.zen.info import ArcInfo, ZenInfo, ZenReference

_COUNTED: Final = ("names", "imports", "imported_packages", "exports", "bundles", "bundle_entries", "bulk_data")


def print_file(path: str, where: list[str], options: KeyOptions) -> int:
    """Print a zen package of its own file; 1 if damaged."""
    if not where:
        return _print(zen_file_info(path), {"path": path}, options)
    with OpenBuild(*where, key=options.secret) as build:
        say_problems(build.problems, every=options.verbose)
        return _print(zen_file_info(path, build), {"path": path}, options)


def print_packed(name: str, where: list[str], options: KeyOptions) -> int:
    """Print a package of the containers of ``--in``; 1 if damaged."""
    with OpenBuild(*where, key=options.secret) as build:
        say_problems(build.problems, every=options.verbose)
        try:
            identity = find_in_build(build, name)
        except PackageNotFoundError as error:
            return not_found(with_place(error.what, name))
        place = build.places.get(identity)
        if place is None:
            return not_found(f"{build.graph.name(identity)} is in none of the containers")
        path = build.paths[identity]
        try:
            info = packed_zen_info(build, identity)
        except FormatError as error:
            return fail(displayed(f"{build.graph.name(identity)}: {error if error.path else error.at(path)}"))
        place_of: dict[str, Any] = {
            "container": displayed(path),
            "chunk": place.container.toc.chunk_id(place.chunk).hex(),
            "store_entry": _store_entry(build, identity),
        }
        return _print(info, place_of, options)


def _store_entry(build: OpenBuild, identity: int) -> dict[str, int]:
    """Return the container header's numbers of a package."""
    package = build.graph.packages.get(identity)
    if package is None or package.container in build.graph.listed:
        return {}
    entry = package.entry
    numbers = {
        "exports": entry.export_count,
        "bundles": entry.bundle_count,
        "load_order": entry.load_order,
        "size": entry.size,
        "imported_packages": len(entry.imports),
        "shader_maps": len(entry.shader_maps),
    }
    return {name: number for name, number in numbers.items() if number is not None}


def _print(info: ZenInfo, where: dict[str, Any], options: KeyOptions) -> int:
    if options.json:
        print_json({**where, **zen_json(info)})
    else:
        _print_text(info, where)
    return 1 if info.damage else 0


def zen_json(info: ZenInfo) -> dict[str, Any]:
    """Return a zen package for programs, without fields that it lacks."""
    found: dict[str, Any] = as_json(info)
    del found["form"]
    size, damage = found.pop("size"), found.pop("damage")
    for name in found["names"]:
        if name.pop("hash_right") is False:
            name["hash_right"] = False
    if info.form is ZenForm.ENGINE_4:
        for export in found["exports"]:
            export["global_import_index"] = export.pop("public_hash")
    for reference in _references(found):
        reference["index"] = reference.pop("object_index")
    if info.bundled:
        del found["dependencies"]
        found["arcs"] = [_arc_json(arc) for arc in info.arcs]
        found["dependency_packages"] = [
            {"package": each.package, "id": each.id, "arcs": [_arc_json(arc) for arc in each.arcs]}
            for each in info.dependency_packages
        ]
    else:
        for name in ("bundles", "arcs", "dependency_packages"):
            del found[name]
    return {"size": size, "format": "zen package", **found, "damage": damage}


def _references(found: dict[str, Any]) -> list[dict[str, Any]]:
    words = ("class", "outer", "super", "template")
    inside = [export[word] for export in found["exports"] for word in words]
    return [each for each in (*found["imports"], *inside) if each is not None]


def _arc_json(arc: ArcInfo) -> dict[str, Any]:
    if arc.source is not None:
        return {"import": arc.source, "command": arc.command, "bundle": arc.to_bundle}
    return {"from_bundle": arc.from_bundle, "to_bundle": arc.to_bundle}


def _print_text(info: ZenInfo, where: dict[str, Any]) -> None:
    summary = info.summary
    versions = info.versions
    print(printable(where.get("path") or f"{summary.name} in {where['container']}"))
    cooked = f"{summary.cooked_header_size:,} as cooked"
    rows: list[tuple[str, object]] = [
        ("name", summary.name),
        ("format", f"zen package, engine {info.engine}"),
        ("file version", f"UE4 {versions.ue4}, UE5 {versions.ue5}" if versions else "not stored"),
        ("package id", summary.package_id),
        ("flags", summary.flags),
        ("header", f"{summary.header_size:,} bytes of {info.size:,} ({cooked})"),
    ]
    if entry := where.get("store_entry"):
        shown = ", ".join(f"{number:,} {name.replace('_', ' ')}" for name, number in entry.items())
        rows.append(("container header", shown))
    counts = {name: len(getattr(info, name)) for name in _COUNTED}
    rows += [(name.replace("_", " "), f"{count:,}") for name, count in counts.items() if count]
    print(table([(f"  {name}", value) for name, value in rows]))
    if info.imports:
        print("imports")
        print(table([(f"  {-number}", _shown(each)) for number, each in enumerate(info.imports, 1)]))
    if info.exports:
        hash_name = "global import index" if info.form is ZenForm.ENGINE_4 else "public hash"
        print("exports")
        heads = ("  ", "path", "class", "outer", "super", "template", hash_name, "flags", "size")
        body = [
            (
                f"  {number}",
                each.path.partition(".")[2],
                *map(_shown, (each.class_, each.outer, each.super_, each.template)),
                each.public_hash,
                each.flags,
                f"{each.size:,}",
            )
            for number, each in enumerate(info.exports, 1)
        ]
        print(table([heads, *body], right=frozenset({8})))
    for number, dependencies in enumerate(info.dependencies, 1):
        for word, indices in dependencies._asdict().items():
            if indices:
                print(f"export {number}: {word.replace('_', ' ')} {', '.join(map(str, indices))}")
    for awaited in info.dependency_packages:
        name = awaited.package or awaited.id or "a package that only the container header names"
        arcs = "; ".join(
            ", ".join(f"{word.replace('_', ' ')} {value}" for word, value in _arc_json(arc).items())
            for arc in awaited.arcs
        )
        print(f"waits for {printable(name)}: {arcs or 'no arcs'}")
    for error in info.damage:
        print(f"damaged: {printable(error)}")


def _shown(reference: ZenReference | None) -> str:
    if reference is None:
        return "-"
    return reference.path or f"{reference.kind} {reference.object_index}"
