"""Queries on containers: ``info``, ``ls``, ``find``, ``deps``, ``usages``, ``diff``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assetdb.cli.terminal import Progress, fail, not_found, print_json, print_json_lines, printable, table, with_place
from assetdb.cli.unreal.archives import displayed
from assetdb.cli.unreal.reporting import (
    as_json,
    none_named,
    note_unknown,
    print_changes,
    print_missing,
    say_problems,
    with_unread,
)
from assetdb_formats.unreal.comparison import compare_containers
from assetdb_formats.unreal.containers.contents import PakInfo, container_info
from assetdb_formats.unreal.containers.locations import containers_in
from assetdb_formats.unreal.containers.opening import each_container
from assetdb_formats.unreal.containers.packed import (
    find_package,
    missing_packages,
    packed_dependencies,
    packed_packages,
    packed_usages,
    read_classes,
    read_graph,
)
from assetdb_formats.unreal.errors import MissingPartError, PackageNotFoundError, UnrealError
from assetdb_formats.unreal.problems import problem_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from assetdb.cli.unreal.options import KeyOptions, ListOptions
    from assetdb_formats.unreal.containers.contents import ContainerInfo
    from assetdb_formats.unreal.containers.packed import PackedPackage, PackedReferences
    from assetdb_formats.unreal.iostore.package_graph import PackageGraph
    from assetdb_formats.unreal.problems import Problem


def info(path: str, options: KeyOptions) -> int:
    """Print the facts of a container, or of each in a folder."""
    problems: list[Problem] = []
    shown = 0
    for opened in each_container(containers_in(path), options.secret, problems):
        try:
            found = container_info(opened)
        except UnrealError as error:
            problems.append(problem_of(error, opened.path))
            continue
        if options.json:
            print_json(_info_json(found))
        else:
            print(("\n" if shown else "") + _info_text(_info_json(found)))
        shown += 1
    return say_problems(problems, every=options.verbose)


def _info_json(found: ContainerInfo | PakInfo) -> dict[str, Any]:
    row: dict[str, Any] = as_json(found)
    path = row.pop("path")
    return {"path": path, "format": "pak" if isinstance(found, PakInfo) else "IoStore container", **row}


def _info_text(row: Mapping[str, Any]) -> str:
    rows = []
    for name, value in row.items():
        if isinstance(value, dict):
            shown = ", ".join(f"{count} {key.replace('_', ' ')}" for key, count in value.items())
        elif isinstance(value, list):
            shown = ", ".join(map(str, value))
        elif isinstance(value, bool):
            shown = "yes" if value else "no"
        else:
            shown = "" if value is None else str(value)
        rows.append((name.replace("_", " "), shown or "none"))
    return table(rows)


def list_packages(
    paths: list[str],
    options: ListOptions,
    *,
    matches: Callable[[str], bool] | None = None,
    pattern: str = "",
    classes: bool = False,
) -> int:
    """Print the packages of containers, by name and class."""
    class_name = options.class_name
    with_class = classes or bool(class_name)
    graph = _graph(paths, options)
    unknown: Mapping[str, int] = {}
    if with_class:
        with Progress("packages") as progress:
            unknown = read_classes(graph, paths, options.secret, progress)
    every = packed_packages(graph)
    found = [each for each in every if matches is None or matches(each.shown)]
    if class_name:
        found = [each for each in found if (each.class_name or "").lower() == class_name.lower()]
    if options.json:
        print_json_lines(_package_json(each, with_class=with_class) for each in found)
    elif found and with_class:
        rows = [(each.shown, each.class_name or "?", "" if each.size is None else f"{each.size:,}") for each in found]
        print(table(rows, right=frozenset({2})))
    else:
        for each in found:
            print(printable(each.shown))
    note_unknown(unknown, options)
    if found or (graph.unread and not every):
        return with_unread(graph, 0)
    return with_unread(graph, _say_none(every, paths, class_name, pattern, unknown=bool(unknown)))


def _say_none(
    every: tuple[PackedPackage, ...], paths: list[str], class_name: str | None, pattern: str, *, unknown: bool
) -> int:
    """Print that no package is listed, and why; return the exit code."""
    if not every:
        return not_found(displayed(f"{', '.join(paths)}: there is no package here"))
    known = {each.class_name for each in every if each.class_name}
    if class_name and class_name.lower() not in {name.lower() for name in known}:
        among = " among those whose class is known" if unknown else ""
        code = not_found(f"there is no package of class {class_name}{among}", class_name, known)
        return 2 if unknown and not known else code
    of_class = [each for each in every if not class_name or (each.class_name or "").lower() == class_name.lower()]
    return none_named(pattern, class_name, [each.shown for each in of_class])


def _package_json(package: PackedPackage, *, with_class: bool) -> dict[str, Any]:
    row: dict[str, Any] = as_json(package)
    class_name, imports = row.pop("class_name"), row.pop("imports")
    return {**row, **({"class": class_name} if with_class else {}), "imports": imports}


def _graph(paths: list[str], options: KeyOptions) -> PackageGraph:
    with Progress("containers") as progress:
        return read_graph(containers_in(*paths), options.secret, progress)


def list_missing(paths: list[str], options: KeyOptions) -> int:
    """Print the packages that no container has; 1 if any."""
    graph = _graph(paths, options)
    found = missing_packages(graph, options.secret)
    return with_unread(graph, print_missing(found, options))


def list_dependencies(paths: list[str], package: str, options: KeyOptions, *, deep: bool) -> int:
    """Print the packages that one imports, with ``deep`` all."""
    graph = _graph(paths, options)
    try:
        found = packed_dependencies(graph, find_package(graph, package), options.secret, deep=deep)
    except PackageNotFoundError as error:
        return with_unread(graph, not_found(with_place(error.what, package)))
    except MissingPartError as error:
        return with_unread(graph, fail(error.what))
    if options.json:
        print_json({"package": found.package, "dependencies": as_json(found.references), "soft": list(found.soft)})
    else:
        _print_references(found)
    return with_unread(graph, 0)


def list_usages(paths: list[str], package: str, options: KeyOptions) -> int:
    """Print the packages that import one; 1 if none does."""
    graph = _graph(paths, options)
    try:
        found = packed_usages(graph, find_package(graph, package))
    except PackageNotFoundError as error:
        return with_unread(graph, not_found(with_place(error.what, package)))
    if options.json:
        print_json({"package": found.package, "usages": as_json(found.references)})
    else:
        _print_references(found)
    return with_unread(graph, 0 if found.references else not_found(f"no package here needs {found.package}"))


def _print_references(found: PackedReferences) -> None:
    for each in found.references:
        print(f"{printable(each.shown)}{'  (in none of the containers)' if each.missing else ''}")
    for name in found.soft:
        print(f"{printable(name)}  (soft)")


def difference(old: str, new: str, options: KeyOptions) -> int:
    """Print the differences of two containers, or folders of them."""
    problems: list[Problem] = []
    with Progress("containers") as progress:
        found = compare_containers(containers_in(old), containers_in(new), options.secret, problems, progress)
    if options.json:
        print_json(as_json(found))
    else:
        print_changes(found)
    return say_problems(problems, every=options.verbose) or int(any(found))
