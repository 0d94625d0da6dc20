"""``assetdb packages``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb.checks.counting import counted, listed, unknown_needs
from assetdb.checks.package_change import with_package, without
from assetdb.checks.package_use import package_fields, used_packages
from assetdb.cli.arguments import SnapshotOptions
from assetdb.cli.asking import opened
from assetdb.cli.terminal import print_json, printable, say, table
from assetdb.errors import UsageError
from assetdb.packages.external import locate_packages

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assetdb.checks.package_change import Addition, Removal
    from assetdb.checks.package_use import PackageReference, UsedPackage
    from assetdb.cli.options import Annotated, Argument, Json, Option
    from assetdb.query.snapshots.snapshot import Snapshot

_SHOWN: Final = 20
_LONGEST_VERSION: Final = 32
"""Characters; the URL of a repository may have hundreds."""


class PackagesOptions(SnapshotOptions):
    """The options of ``assetdb packages``."""

    json: Json = False
    unused: Annotated[bool, Option("--unused", help="List the packages that no asset and no assembly uses.")] = False
    without: Annotated[
        str | None, Option("--without", metavar="NAME", help="Show what would break without a package.")
    ] = None
    added: Annotated[
        str | None,
        Option(
            "--with",
            metavar="NAME@VERSION|FOLDER|TARBALL",
            help="Show which GUIDs a package shares with the project and its packages.",
        ),
    ] = None


def packages(
    options: PackagesOptions,
    name: Annotated[str | None, Argument(metavar="[NAME]", help="Show who uses this package.")] = None,
) -> int:
    """List required packages and their users; 1 if something breaks."""
    asked = [bool(name), options.unused, options.without is not None, options.added is not None]
    if sum(asked) > 1:
        raise UsageError("packages: NAME, --unused, --without and --with cannot be combined")
    project = opened(options)
    project.refresh()
    if options.without is not None:
        return _without(without(project, options.without), options)
    if options.added is not None:
        return _with(with_package(project, options.added), options)
    found = used_packages(project)
    problems = locate_packages(project.root).problems
    for file, message in problems:
        say(printable(f"{file}: {message}"))
    if name:
        return _one(found, name, options)
    _list([row for row in found if not (options.unused and row.references)], project, options)
    return 1 if problems else 0


def _list(found: Sequence[UsedPackage], project: Snapshot, options: PackagesOptions) -> None:
    if options.json:
        print_json([package_fields(row) for row in found])
        return
    rows = list(map(_row, found))
    if rows:
        print(table([("package", "version", "source", "", "users", "required by"), *rows], styles=("path",)))
    unknown = project.packages.list.unknown
    if not options.quiet:
        if unknown:
            say(f"{unknown_needs(unknown)}: there may be more packages")
        if options.unused:
            say("users are assets, settings and assembly definitions; code without such a definition is not looked at")


def _one(found: Sequence[UsedPackage], name: str, options: PackagesOptions) -> int:
    row = next((row for row in found if row.name == name), None)
    if row is None:
        if not options.quiet:
            say(f"the project does not require {printable(name)}")
        return 1
    if options.json:
        print_json({**package_fields(row), "references": [reference._asdict() for reference in row.references]})
        return 0
    place = row.folder or "not on this machine"
    print(printable(f"{row.name} {row.version} ({row.source}): {place}"))
    print(printable(f"required by {listed(row.required_by) or 'nothing: it is embedded'}; used by {_users(row)}"))
    _print_references(row.references, options)
    return 0


def _without(found: Removal, options: PackagesOptions) -> int:
    if options.json:
        rows = [reference._asdict() for reference in found.lost]
        print_json({"packages": found.packages, "kept_by": found.kept_by, "lost": rows, "unknown": found.unknown})
    elif found.kept_by:
        print(printable(f"nothing changes: {listed(found.kept_by)} requires {options.without}"))
    else:
        guids = {reference.guid for reference in found.lost if reference.guid}
        scripts = {reference.guid for reference in found.lost if reference.is_script}
        files = {reference.user for reference in found.lost}
        print(printable(f"no longer required: {', '.join(found.packages)}"))
        print(
            f"lost: {counted(len(guids), 'GUID')}, {counted(len(scripts), 'script')} among them,"
            f" in {counted(len(files), 'file')}"
        )
        _print_references(found.lost, options)
        if found.unknown and not options.quiet:
            say(f"{unknown_needs(found.unknown)}: it may still bring some of them")
    return 1 if found.lost else 0


def _with(found: Addition, options: PackagesOptions) -> int:
    if options.json:
        print_json({"name": found.name, "files": found.files, "shared": [row._asdict() for row in found.shared]})
    else:
        print(printable(f"{found.name}: {counted(found.files, 'GUID')}, {len(found.shared):,} of them here already"))
        shown = found.shared if options.verbose else found.shared[:_SHOWN]
        rows = [(row.other, row.path, row.guid) for row in shown]
        if rows:
            print(table(rows, styles=("path", "path")))
        _say_more(len(found.shared), options)
    return 1 if found.shared else 0


def _print_references(references: Sequence[PackageReference], options: PackagesOptions) -> None:
    shown = references if options.verbose else references[:_SHOWN]
    rows = [(row.user, row.target or "an assembly, by name", row.guid) for row in shown]
    if rows:
        print(table(rows, styles=("path", "path")))
    _say_more(len(references), options)


def _say_more(count: int, options: PackagesOptions) -> None:
    if count > _SHOWN and not options.verbose:
        say(f"and {count - _SHOWN:,} more (--verbose lists all)")


def _row(row: UsedPackage) -> tuple[str, ...]:
    here = "here" if row.folder else "not here"
    return row.name, _short(row.version), row.source, here, _users(row), listed(row.required_by)


def _short(version: str) -> str:
    return version if len(version) <= _LONGEST_VERSION else f"{version[:_LONGEST_VERSION]}..."


def _users(row: UsedPackage) -> str:
    return counted(len(row.users), "file")
