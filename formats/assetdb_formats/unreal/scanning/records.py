"""Records of packages in the database: class and dependencies.

Pure: bytes to a record.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.unreal.errors import UnrealError, UnversionedPackageError
from assetdb_formats.unreal.files.inference import open_inferred
from assetdb_formats.unreal.packages.package import Package
from assetdb_formats.unreal.packages.registry import read_first_asset, read_registry_bits
from assetdb_formats.unreal.properties.exports import DATA_TABLES, PropertyReader

if TYPE_CHECKING:
    from assetdb_formats.unreal.files.package_file import Source
    from assetdb_formats.unreal.versions import PackageVersion

# How one package depends on another; a dependency has one or more of the flags.
HARD: Final = 1  # an import: loaded together
SOFT: Final = 2  # a soft reference: loaded on demand
SEARCHABLE: Final = 4  # a name with a meaning, such as a gameplay tag or a row of a table
IN_GAME: Final = 8  # needed outside the editor; in versions without this flag, everything is
BUILD: Final = 16  # needed to build it (5.5 on)
EXTERNAL: Final = 32  # a map's actor that has a package of its own
NAMED: Final = 64  # its name is in the name table of a cooked package, which has no list of soft references
KINDS: Final = {
    "hard": HARD,
    "soft": SOFT,
    "searchable": SEARCHABLE,
    "build": BUILD,
    "external": EXTERNAL,
    "named": NAMED,
}

# What a package is.
MAP: Final = 1
REDIRECTOR: Final = 2
EXTERNAL_ACTOR: Final = 4
COOKED: Final = 8
DAMAGED: Final = 16
UNREADABLE: Final = 64  # its file could not be read (permissions, a pipe): nothing is known of it
NAMES_ITSELF: Final = 32  # its own name ends in its place, so that its folder's mount point follows

REDIRECTOR_CLASS: Final = "ObjectRedirector"


class PackageRecord(NamedTuple):
    """The record of a package; ``dependencies`` are (package, kinds).

    ``own_name`` is the name stored inside, "" before 5.1; ``class_name`` the short class of its main asset;
    ``redirects_to`` the target of a redirector; ``error`` is set where it is damaged and the rest could be read.
    """

    own_name: str
    class_name: str
    flags: int
    dependencies: list[tuple[str, int]]
    searchable: list[tuple[str, str]]
    redirects_to: str
    error: str


def make_record(
    data: bytes, assume: PackageVersion | None = None, *, whole: bool = True, source: Source | None = None
) -> PackageRecord:
    """Make the record of a package, damaged or not, from its bytes.

    ``data`` is its header unless ``whole``. An unversioned package without ``assume`` gets the version that fits its
    tables. With ``source``, the whole file, every table is checked, as `Package.damage` does.
    """
    try:
        try:
            package = Package(data, assume, source)
        except UnversionedPackageError:
            package = open_inferred(data, source)
    except UnrealError as error:
        return damaged_record(error)
    record = record_of(package, whole=whole)
    if source is not None:
        damage = package.damage()
        if damage:
            more = f" (and {len(damage) - 1} more)" if len(damage) > 1 else ""
            record = record._replace(flags=record.flags | DAMAGED, error=f"{damage[0]}{more}")
    return record


def damaged_record(error: UnrealError) -> PackageRecord:
    """Make the record of a package of which nothing can be read."""
    return PackageRecord("", "", DAMAGED, [], [], "", str(error))


def record_of(package: Package, *, whole: bool = True) -> PackageRecord:
    """Make the record of a package that has been opened."""
    summary = package.summary
    own_name = summary.package_name if summary.package_name.startswith("/") else ""
    flags = (MAP if summary.package_flags & 0x20000 else 0) | (COOKED if summary.cooked else 0)
    error = ""
    class_name = ""
    found: dict[str, int] = {}
    searchable: list[tuple[str, str]] = []
    redirects_to = ""
    try:
        _, class_name = read_first_asset(package.data, summary)
        class_name = class_name.rpartition(".")[2] or _class_of_exports(package)
        imports_in_game, soft_in_game, extra = read_registry_bits(package.data, summary, package.names)
        _add_imports(package, found, imports_in_game)
        for number, name in enumerate(package.soft_packages):
            used = IN_GAME if soft_in_game is None or number >= len(soft_in_game) or soft_in_game[number] else 0
            name = name.partition(".")[0]  # noqa: PLW2901 - before UE4 484 it is an object path
            found[name] = found.get(name, 0) | SOFT | used
        for name, _ in extra:
            found[name] = found.get(name, 0) | BUILD
        if not summary.editor:
            _add_names(package, found)
        for owner, names in package.searchable_names:
            path = package.paths.path(owner)
            searchable += [(path, name) for name in names]
            container = path.partition(".")[0]
            if container.startswith("/") and not container.startswith("/Script/"):
                # When it is needed is not stored here, but with the import of the same package, if there is one.
                found[container] = found.get(container, IN_GAME) | SEARCHABLE
        if class_name == REDIRECTOR_CLASS:
            flags |= REDIRECTOR
            redirects_to = _redirect_target(package)
        elif whole and class_name in DATA_TABLES and summary.soft_package_reference_count <= 0:
            _add_rows(package, found)
    except UnrealError as caught:
        error = str(caught)
        flags |= DAMAGED
    found.pop(own_name, None)
    found.pop("None", None)
    found.pop("", None)
    return PackageRecord(own_name, class_name, flags, list(found.items()), searchable, redirects_to, error)


def _add_imports(package: Package, found: dict[str, int], in_game: list[bool] | None) -> None:
    imports = package.imports
    for number, name in imports.packages():
        used = IN_GAME if in_game is None or number >= len(in_game) or in_game[number] else 0
        found[name] = found.get(name, 0) | HARD | used
    if "package_name" in imports.layout.columns:
        # An import in a package other than its outer's (5.0 on: actors in packages of their own).
        place = imports.layout.columns["package_name"]
        for index in {row[place] for row in imports.rows}:
            if index < len(imports.names) and imports.names[index] != "None":
                name = imports.names[index]
                # Cooked packages of CUE4Parse's fixtures (5.7) have the import's own name there.
                if name[:1] == "/" and name not in found:
                    found[name] = HARD | IN_GAME


def _add_names(package: Package, found: dict[str, int]) -> None:
    """Add packages that a cooked package mentions in its names."""
    for path in package.soft_object_paths:
        name = path.package_name
        found[name] = found.get(name, 0) | SOFT | IN_GAME
    for name in package.names:
        if name[:1] == "/" and name.count("/") > 1 and not name.startswith("/Script/"):
            container = name.partition(".")[0]
            if container not in found:
                found[container] = NAMED | IN_GAME


def _add_rows(package: Package, found: dict[str, int]) -> None:
    """Add soft references in rows of an old DataTable."""
    summary = package.summary
    if summary.unversioned_properties or len(package.data) < summary.bulk_data_offset:
        return
    try:
        reader = PropertyReader(package)
        for number in range(len(reader)):
            for path in reader.read(number).references.soft:
                found[path.package_name] = found.get(path.package_name, 0) | SOFT | IN_GAME
    except UnrealError:
        # The exports are in a .uexp that a scan does not open, or damaged: `info` reports that, the header is sound.
        return


def _class_of_exports(package: Package) -> str:
    """Return the class of the marked or first outermost export."""
    exports = package.exports
    outer = exports.layout.columns["outer_index"]
    asset = exports.layout.columns.get("asset")
    first = None
    for row in exports.rows:
        if asset is not None and row[asset] and row[outer] == 0:
            return package.class_name(row[0])
        if first is None and row[outer] == 0:
            first = row
    return package.class_name(first[0]) if first is not None else ""


def _redirect_target(package: Package) -> str:
    """Return the package that a redirector leads to."""
    for number, record in enumerate(package.imports):
        if record.class_name == "Package" or record.outer_index == 0:
            continue
        name = package.paths.path(-number - 1).partition(".")[0]
        if not name.startswith("/Script/"):
            return name
    return ""
