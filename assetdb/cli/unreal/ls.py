"""``assetdb unreal ls`` and ``find``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assetdb.cli.fields import fields_of
from assetdb.cli.terminal import Progress, not_found, print_json_lines, print_rows, printable
from assetdb.cli.unreal.archives import displayed
from assetdb.cli.unreal.options import ListOptions, are_containers, refuse_given, refuse_scan
from assetdb.cli.unreal.reporting import (
    glob_matcher,
    no_packages,
    none_named,
    open_folder,
    print_missing,
    say_damaged,
    unpacking,
)
from assetdb.cli.unreal.texts import find_texts, is_localization
from assetdb.errors import UsageError
from assetdb_formats.unreal.containers.locations import is_container
from assetdb_formats.unreal.scanning.package_folder import damage, entries, mentioning, of_class

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb.cli.options import Annotated, Argument, In, Option
    from assetdb_formats.unreal.scanning.database import AssetDatabase
    from assetdb_formats.unreal.scanning.package_folder import PackageEntry, PackageFolder


class LsOptions(ListOptions):
    """The options of `ls`."""

    classes: Annotated[
        bool, Option("--classes", help="Show the class of each package in a container (reads all of them).")
    ] = False
    damaged: Annotated[
        bool, Option("--damaged", help="Packages that could not be read completely, with the reason.")
    ] = False
    missing: Annotated[bool, Option("--missing", help="Packages that others need and that do not exist.")] = False
    cycles: Annotated[bool, Option("--cycles", help="Groups of packages that need each other.")] = False
    searchable: Annotated[
        str | None, Option("--searchable", metavar="NAME", help="Packages that mention a name, such as a gameplay tag.")
    ] = None


@unpacking("look_in")
def find(
    options: ListOptions,
    pattern: Annotated[
        str, Argument(metavar="PATTERN", help="Text in a name, in any case; or a pattern with * ? [abc].")
    ],
    look_in: In = None,
) -> int:
    """List packages by name, or localized texts; 1 without any."""
    paths, matches = look_in or ["."], package_matcher(pattern)
    if len(paths) == 1 and is_localization(paths[0]):
        refuse_scan(options)
        refuse_given({"--class": options.class_name}, "localized texts")
        return find_texts(paths[0], pattern, matches, as_json=options.json)
    if are_containers(paths):
        from assetdb.cli.unreal.containers import packages  # noqa: PLC0415 - folders of packages do without

        refuse_scan(options)
        return packages.list_packages(paths, options, matches=matches, pattern=pattern)
    folder, unreadable = open_folder(options, *paths, cache=options.cache)
    code = _found(folder.database, matches, pattern, options) if len(folder.database) else no_packages(", ".join(paths))
    return unreadable or code


def package_matcher(pattern: str) -> Callable[[str], bool]:
    """Return a function that matches names with a text or pattern."""
    wanted = pattern.lower()
    if not set("*?[") & set(wanted):
        return lambda name: wanted in name.lower()
    return glob_matcher([wanted])


def _found(database: AssetDatabase, matches: Callable[[str], bool], pattern: str, options: ListOptions) -> int:
    chosen = of_class(database, options.class_name)
    found = [each for each in entries(database, chosen) if matches(each.name)]
    _print_entries(found, options)
    if found:
        return 0
    if options.class_name and not chosen:
        return _no_class(database, options.class_name)
    return none_named(pattern, options.class_name, [database.columns.names[number] for number in chosen])


@unpacking("path")
def ls(
    options: LsOptions, path: Annotated[str, Argument(metavar="PATH", help="A folder (.), a .utoc or a .pak.")] = "."
) -> int:
    """List packages, or problems; 1 without any package or with a problem."""
    lists = {
        "--damaged": options.damaged,
        "--missing": options.missing,
        "--cycles": options.cycles,
        "--searchable": bool(options.searchable),
    }
    given = [name for name, value in lists.items() if value]
    if len(given) > 1:
        raise UsageError(f"{' and '.join(given)} cannot be combined")
    if is_container(path):
        from assetdb.cli.unreal.containers import packages  # noqa: PLC0415 - folders of packages do without

        refuse_scan(options, {name: value for name, value in lists.items() if name != "--missing"})
        if options.missing:
            refuse_given({"--class": options.class_name, "--classes": options.classes}, "--missing in containers")
            return packages.list_missing([path], options)
        return packages.list_packages([path], options, classes=options.classes)
    if options.missing or options.cycles:
        refuse_given({"--class": options.class_name, "--classes": options.classes}, given[0])
    folder, unreadable = open_folder(options, path, cache=options.cache)
    code = _list(folder, options) if len(folder.database) else no_packages(path)
    return unreadable or code


def _list(folder: PackageFolder, options: LsOptions) -> int:
    """Print the list of a folder that the options ask for."""
    database = folder.database
    if options.missing or options.cycles:
        say_damaged(database)
    if options.missing:
        return print_missing(database.missing(), options)
    if options.cycles:
        groups = database.cycles()
        if options.json:
            print_json_lines({"cycle": group} for group in groups)
        else:
            for group in groups:
                print(" <-> ".join(map(printable, group)))
        return 1 if groups else 0
    return _packages(folder, options)


def _packages(folder: PackageFolder, options: LsOptions) -> int:
    database = folder.database
    chosen = of_class(database, options.class_name)
    if options.searchable:
        wanted = set(mentioning(database, options.searchable))
        chosen = [number for number in chosen if number in wanted]
    found = entries(database, chosen)
    if options.damaged:
        with Progress("packages") as progress:
            wrong = damage(folder, chosen, assume=options.assumed, progress=progress)
        found = [
            each._replace(error=wrong[number]) for number, each in zip(chosen, found, strict=True) if number in wrong
        ]
    _print_entries(found, options, errors=options.damaged)
    if found:
        return 1 if options.damaged else 0
    if options.class_name and not of_class(database, options.class_name):
        return _no_class(database, options.class_name)
    if options.damaged:
        return 0
    names = {name for mentioned in database.columns.searchable.values() for _, name in mentioned}
    what = f" of class {options.class_name}" if options.class_name else ""
    return not_found(f"no package{what} mentions {options.searchable}", options.searchable or "", names)


def _no_class(database: AssetDatabase, class_name: str) -> int:
    classes = set(filter(None, database.columns.classes))
    return not_found(f"there is no package of class {class_name}", class_name, classes)


def _print_entries(found: list[PackageEntry], options: ListOptions, *, errors: bool = False) -> None:
    def facts(each: PackageEntry) -> dict[str, Any]:
        row = fields_of(each, displayed, name="package")
        return {name: value for name, value in row.items() if name != "error" or value}

    def cells(each: PackageEntry) -> tuple[str, ...]:
        return each.name, each.class_name, f"{each.size:,}", each.error if errors else " ".join(each.kinds)

    print_rows(found, facts, cells, as_json=options.json, right=frozenset({2}))
