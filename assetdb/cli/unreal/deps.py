"""``assetdb unreal deps``, ``usages`` and ``unused``, with redirectors followed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assetdb.cli.terminal import fail, not_found, print_json, print_rows, table, with_place
from assetdb.cli.unreal.options import (
    DependencyOptions,
    Package,
    ScanOptions,
    are_containers,
    default_folder,
    refuse_container,
    refuse_scan,
)
from assetdb.cli.unreal.reporting import no_packages, open_folder, say_damaged, unpacking
from assetdb_formats.unreal.errors import PackageNotFoundError
from assetdb_formats.unreal.files.configuration import configured_folders, configured_packages
from assetdb_formats.unreal.scanning.package_folder import all_dependencies, entries, find_package

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb.cli.options import Annotated, Argument, In, Option
    from assetdb_formats.unreal.scanning.database import AssetDatabase, Dependency


class DepsOptions(DependencyOptions):
    """The options of `deps`."""

    deep: Annotated[bool, Option("--deep", help="Also indirect dependencies.")] = False
    native: Annotated[bool, Option("--native", help="Also modules of the engine (/Script/...).")] = False


@unpacking("look_in")
def deps(options: DepsOptions, package: Package, look_in: In = None) -> int:
    """Print the imports of a package; 1 if it is not there."""
    kinds = options.kinds

    def answer(database: AssetDatabase, number: int) -> int:
        if options.deep:
            found = all_dependencies(database, number, kinds, native=options.native)
        else:
            found = database.dependencies(number, kinds, native=options.native)
        _print(database.columns.names[number], "dependencies", found, options)
        return say_damaged(database, [number, *(database.number(each.name) for each in found if options.deep)])

    places = look_in or [default_folder(package)]
    if are_containers(places):
        from assetdb.cli.unreal.containers import packages  # noqa: PLC0415 - folders of packages do without

        refuse_scan(options, {"--kind": options.kind, "--native": options.native})
        return packages.list_dependencies(places, package, options, deep=options.deep)
    return _ask(package, places, options, answer)


@unpacking("look_in")
def usages(options: DependencyOptions, package: Package, look_in: In = None) -> int:
    """Print the users of a package; 1 if there are none."""
    kinds = options.kinds

    def answer(database: AssetDatabase, number: int) -> int:
        found = database.referencers(number, kinds)
        _print(database.columns.names[number], "usages", found, options)
        say_damaged(database)  # which may be users
        if found:
            return 0
        by = f" by {' or '.join(options.kind)}" if options.kind else ""
        return not_found(f"no package here needs {database.columns.names[number]}{by}")

    places = look_in or [default_folder(package)]
    if are_containers(places):
        from assetdb.cli.unreal.containers import packages  # noqa: PLC0415 - folders of packages do without

        refuse_scan(options, {"--kind": options.kind})
        return packages.list_usages(places, package, options)
    return _ask(package, places, options, answer)


def _ask(
    package: str, folders: list[str], options: DependencyOptions, answer: Callable[[AssetDatabase, int], int]
) -> int:
    """Scan folders and answer about a package in them."""
    folder, unreadable = open_folder(options, *folders, cache=options.cache)
    try:
        code = answer(folder.database, find_package(folder, package))
    except PackageNotFoundError as error:
        code = not_found(with_place(error.what, package))
    return unreadable or code  # the answer may lack what could not be read


def _print(package: str, label: str, found: list[Dependency], options: DependencyOptions) -> None:
    if options.json:
        print_json({"package": package, label: [_dependency_json(each) for each in found]})
    elif found:
        print(table([(each.name, ", ".join(each.words), _remark(each)) for each in found]))


def _remark(dependency: Dependency) -> str:
    via = [f"via {dependency.via}"] if dependency.via else []
    return ", ".join(via + ["not here"] * (not dependency.present))


def _dependency_json(dependency: Dependency) -> dict[str, Any]:
    return {
        "package": dependency.name,
        "kinds": dependency.words,
        "present": dependency.present,
        **({"via": dependency.via} if dependency.via else {}),
    }


class UnusedOptions(ScanOptions):
    """The options of `unused`."""

    reachable: Annotated[
        bool,
        Option(
            "--reachable",
            help="Also packages that only unused ones use: everything unreachable from maps and kept packages.",
        ),
    ] = False
    keep: Annotated[
        list[str] | None,
        Option("--keep", metavar="PACKAGE", help="A package that counts as used; may be repeated."),
    ] = None
    no_config: Annotated[bool, Option("--no-config", help="Do not keep what Config/*.ini names.")] = False


@unpacking("path")
def unused(
    options: UnusedOptions,
    path: Annotated[str, Argument(metavar="FOLDER", help="A project or a Content folder (.).")] = ".",
) -> int:
    """Print unused packages; 1 if there are any."""
    refuse_container(path)
    folder, unreadable = open_folder(options, path, cache=options.cache)
    database = folder.database
    if not len(database):
        return max(unreadable, no_packages(path))
    roots = []
    for name in options.keep or ():
        try:
            roots.append(find_package(folder, name))
        except PackageNotFoundError as error:
            return fail(f"--keep: {error.what}")
    if not options.no_config:
        roots += [number for number in map(database.number, configured_packages(path)) if number >= 0]
        for each in configured_folders(path):
            roots += database.below(each.name, each.classes)
    found = entries(database, database.unused(roots, reachable=options.reachable))
    print_rows(
        found,
        lambda each: {"package": each.name, "class": each.class_name, "size": each.size},
        lambda each: (each.name, each.class_name, f"{each.size:,}"),
        as_json=options.json,
        right=frozenset({2}),
    )
    say_damaged(database)
    return unreadable or int(bool(found))  # unread files and damaged packages may use listed ones
