"""The packages of a project, and which of its files use them."""

from __future__ import annotations

import os
from collections import defaultdict
from stat import S_ISREG
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.checks.rules.csharp.assemblies import read_assembly
from assetdb.packages.belonging import ELSEWHERE, belonging
from assetdb.packages.external import locate_packages
from assetdb.packages.public.table import public_packages
from assetdb.query.graph.references import settings_files
from assetdb.query.graph.verdicts import references
from assetdb.settings.project import asset_file
from assetdb.system.failures import mode_of
from assetdb.system.reading import read_file
from assetdb.unity.kinds import is_yaml_head
from assetdb.unity.settings.packages import LOCK, MANIFEST, requirers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.query.snapshots.snapshot import Snapshot

_DEFINITIONS: Final = (".asmdef", ".asmref")
_SETTINGS: Final = ".asset"
_BY_GUID: Final = "GUID:"
_PACKAGES: Final = "Packages/"


class PackageReference(NamedTuple):
    """A reference from the project to a file of a package.

    Attributes:
        user: the file that refers, relative to the project.
        target: the file of the package, ``Packages/<name>/...``; ``""`` for an assembly that is referred to by name.
        guid: of the target, ``""`` for an assembly.
    """

    user: str
    target: str
    guid: str

    @property
    def is_script(self) -> bool:
        """Whether the target is a script."""
        return self.target.endswith(".cs")


class UsedPackage(NamedTuple):
    """A package that the project requires, with its users.

    Attributes:
        name: ``com.acme.tools``.
        version: as resolved; a URL or a path for a package of git or of a folder.
        source: ``registry``, ``builtin``, ``git``, ``local``, ``tarball`` or ``embedded``.
        folder: on this machine, ``""`` if absent or without a ``package.json``.
        required_by: the packages that need it, and the manifest if that names it.
        references: of the project's files.
    """

    name: str
    version: str
    source: str
    folder: str
    required_by: tuple[str, ...]
    references: tuple[PackageReference, ...]

    @property
    def users(self) -> tuple[str, ...]:
        """The files that refer to it, in order."""
        return tuple(sorted({row.user for row in self.references}))


def package_fields(row: UsedPackage) -> dict[str, object]:
    """Return a package for JSON, with its users."""
    return {**row._asdict(), "references": len(row.references), "users": row.users}


def used_packages(project: Snapshot) -> list[UsedPackage]:
    """Return the packages that a project requires, by name.

    Raises:
        ScanError: they cannot be determined now.
    """
    references = package_references(project)
    brought = requirers(*(read_file(f"{project.root}/{name}") for name in (MANIFEST, LOCK)))
    found = []
    for row in locate_packages(project.root).packages:
        package = row.package
        name = row.identity.name or package.name
        version = row.identity.version if package.source == "embedded" else package.version
        by = brought.get(name, ())
        used = tuple(sorted(set(references.get(name, ()))))
        is_here = bool(row.folder) and S_ISREG(mode_of(os.path.join(row.folder, "package.json")))
        found.append(UsedPackage(name, version, package.source, row.folder if is_here else "", by, used))
    return found


def package_references(project: Snapshot) -> dict[str, list[PackageReference]]:
    """Return the references of the project's files to packages, by package."""
    found: dict[str, list[PackageReference]] = defaultdict(list)
    for package, reference in (*_by_guid(project), *_by_name(project)):
        found[package].append(reference)
    return found


def _by_guid(project: Snapshot) -> Iterator[tuple[str, PackageReference]]:
    database, graph = project.database, project.database.graph
    embedded = _embedded(project)
    for node in range(graph.node_count):
        guid = f"{graph.guid(node):032x}"
        owner = database.by_guid(guid) if node < graph.asset_count else None
        if owner is not None:
            above = "/".join(owner.path.split("/", 2)[:2])
            targets = [(embedded[above], owner.path)] if above in embedded else []
        else:
            above = ""
            targets = list(packages_with(project, guid))
        users = graph.incoming(node) if targets else ()
        for user in graph.guids(users):
            asset = database.by_guid(user)
            if asset is not None and not (above and asset.path.startswith(f"{above}/")):
                for package, path in targets:
                    yield package, PackageReference(asset.path, path, guid)
    for user, guid in _of_settings(project):
        for package, path in packages_with(project, guid) if database.by_guid(guid) is None else ():
            yield package, PackageReference(user, path, guid)


def _of_settings(project: Snapshot) -> Iterator[tuple[str, str]]:
    """Yield the GUIDs that files of ``ProjectSettings/`` refer to."""
    for path in settings_files(project.root):
        data = read_file(asset_file(project.root, path)) or b""
        if path.endswith(_SETTINGS) and is_yaml_head(data):
            for row in references(data, "asset"):
                yield path, row[0].decode()


def packages_with(project: Snapshot, guid: str) -> Iterator[tuple[str, str]]:
    """Yield the required packages with a GUID, and its path."""
    view = project.packages
    location = view.locate(guid)
    if location is not None:
        yield location.package, location.path
        return
    found = belonging(guid, view.list)
    if found is not None and found.standing == ELSEWHERE:
        path = f"{_PACKAGES}{found.file.package}/{found.file.path}"
        for package in (found.file.package, *found.others):
            yield package, path  # one path, so that it is one reference


def _embedded(project: Snapshot) -> dict[str, str]:
    """Return the names of embedded packages, by folder."""
    rows = locate_packages(project.root).packages
    return {
        row.package.folders[0]: row.identity.name or row.package.name
        for row in rows
        if row.package.source == "embedded"
    }


def _by_name(project: Snapshot) -> Iterator[tuple[str, PackageReference]]:
    """Yield the assemblies that definitions of the project refer to by name."""
    versions = project.packages.list.versions
    packages: dict[str, set[str]] = defaultdict(set)
    for asset in project.packages.ending(_DEFINITIONS[0]):
        row = project.packages.row_of(asset.path)
        if row is not None:
            assembly = read_assembly(read_file(project.packages.file_of(asset.path)) or b"")
            packages[assembly.name if assembly is not None else ""].add(row.name)
    here = project.packages.list.here
    for file in public_packages().assemblies(_DEFINITIONS[0]):
        if file.package in versions and file.package not in here:
            packages[file.path.rpartition("/")[2].removesuffix(_DEFINITIONS[0])].add(file.package)
    for ending in _DEFINITIONS:
        for asset in project.database.ending(ending):
            assembly = read_assembly(read_file(asset_file(project.root, asset.path)) or b"")
            for name in assembly.references if assembly is not None else ():
                if not name.startswith(_BY_GUID):
                    for package in sorted(packages.get(name, ())):
                        yield package, PackageReference(asset.path, "", "")
