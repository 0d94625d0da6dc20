"""The package graph of several containers.

Built from container headers and directory indexes alone, so that no chunk but the (uncompressed) header of each
container is read. Packages are named by id; `names` knows those that could be proved.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.codecs.city_hash import package_id
from assetdb_formats.unreal.iostore.chunk_types import chunk_id, type_number
from assetdb_formats.unreal.iostore.container_header import ContainerHeader, StoreEntry, parse_container_header
from assetdb_formats.unreal.iostore.package_names import package_name
from assetdb_formats.unreal.zen.package import parse_zen_package

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assetdb_formats.unreal.iostore.container import Container

_PATCH: Final = re.compile(r"_(\d+)_P$")


class Package(NamedTuple):
    """A package and its entry in the container that provides it."""

    id: int
    container: str
    entry: StoreEntry


class PackageGraph:
    """The packages of the containers that were added.

    If two have the same id, the one in the container added last counts.

    Attributes:
        packages: package id -> package.
        names: package id -> name, where proved by its hash or stored.
        redirects: package id -> id of the package that replaces it.
        soft_references: package id -> ids it refers to softly, where a container lists them.
        localized: ids of packages that have localized variants.
        sizes: package id -> bytes of the package, uncompressed.
        classes: package id -> short class of its main asset, where it was read (a .pak's packages always are).
        unread: (container, reason) of containers whose header could not be read.
        listed: containers of which only the table of contents was read: the imports of their packages are unknown.
        header_versions: container -> version of its header.
    """

    def __init__(self) -> None:
        self.packages: dict[int, Package] = {}
        self.names: dict[int, str] = {}
        self.redirects: dict[int, int] = {}
        self.soft_references: dict[int, tuple[int, ...]] = {}
        self.localized: set[int] = set()
        self.unread: list[tuple[str, str]] = []
        self.sizes: dict[int, int] = {}
        self.classes: dict[int, str] = {}
        self.listed: set[str] = set()
        self.header_versions: dict[str, int] = {}
        self._usages: dict[int, list[int]] | None = None

    def add(self, label: str, container: Container) -> None:
        """Add a container's packages; a container without a header (``global``) adds nothing."""
        for index in container.toc.of_type("ContainerHeader"):
            self.add_header(label, parse_container_header(container.read_chunk(index)))
        self._add_sizes_and_names(container)

    def add_listed(self, label: str, container: Container) -> None:
        """Add a container's packages from its table of contents alone."""
        for identity, _ in container.toc.packages():
            self.packages[identity] = Package(identity, label, StoreEntry(()))
            self.soft_references.pop(identity, None)
        self.listed.add(label)
        self._add_sizes_and_names(container)

    def _add_sizes_and_names(self, container: Container) -> None:
        lengths = container.toc.lengths
        self.sizes.update((identity, lengths[chunk]) for identity, chunk in container.toc.packages())
        self.names.update(package_names(container))
        self._usages = None

    def add_header(self, label: str, header: ContainerHeader) -> None:
        """Add the packages of one container header."""
        self.header_versions[label] = header.version
        for packages in (header.packages, header.optional_packages):
            for identity, entry in packages.items():
                self.packages[identity] = Package(identity, label, entry)
                self.soft_references.pop(identity, None)  # of the copy in a container before
        for redirect in header.redirects:
            self.redirects[redirect.source] = redirect.target
            if redirect.source_name:
                self.names[redirect.source] = redirect.source_name
        for localized in header.localized:
            self.localized.add(localized.source)
            if localized.source_name:
                self.names[localized.source] = localized.source_name
        self.soft_references.update(header.soft_references)
        self._usages = None

    def add_package(self, label: str, name: str, imports: Iterable[str], soft: Iterable[str]) -> None:
        """Add a package with a name and dependencies."""
        identity = package_id(name)
        needed = {package_id(each): each for each in imports}
        mentioned = {package_id(each): each for each in soft}
        for other, other_name in {**needed, **mentioned}.items():
            self.names.setdefault(other, other_name)
        self.names[identity] = name
        self.packages[identity] = Package(identity, label, StoreEntry(tuple(needed)))
        self.redirects.pop(identity, None)  # of a container before, as soft references may be
        self.soft_references.pop(identity, None)
        if mentioned:
            self.soft_references[identity] = tuple(mentioned)
        self._usages = None

    def remove_package(self, name: str) -> None:
        """Remove a package that a patch deletes; its name stays known."""
        identity = package_id(name)
        if self.packages.pop(identity, None) is not None:
            self.redirects.pop(identity, None)
            self.soft_references.pop(identity, None)
            self.classes.pop(identity, None)
            self.sizes.pop(identity, None)
            self._usages = None

    def name_imports(self, identity: int, container: Container) -> None:
        """Name a package's imports from its data (engine 5.3 on)."""
        toc = container.toc
        index = toc.find(chunk_id(identity, type_number("ExportBundleData", toc.header.version) or 0))
        if index is not None:
            for name in parse_zen_package(container.read_chunk(index)).imported_names:
                self.names.setdefault(package_id(name), name)

    def name(self, identity: int) -> str:
        """Return a package's name, or its id as 16 hexadecimal digits."""
        return self.names.get(identity) or f"{identity:016x}"

    def find(self, text: str) -> int | None:
        """Return a package's id by name or hexadecimal id."""
        wanted = text.lower()
        for identity, name in self.names.items():
            if name.lower() == wanted:
                return identity
        if len(text) == 16:
            try:
                identity = int(text, 16)
            except ValueError:
                return None
            if identity in self.packages:
                return identity
        return None

    def resolve(self, identity: int) -> int:
        """Follow a package's redirects, stopping where a circle closes."""
        seen = set()
        while identity in self.redirects and identity not in seen:
            seen.add(identity)
            identity = self.redirects[identity]
        return identity

    def dependencies(self, identity: int) -> tuple[int, ...]:
        """Return the ids that a package imports, in stored order."""
        package = self.packages.get(identity)
        return package.entry.imports if package else ()

    def all_dependencies(self, identity: int) -> list[int]:
        """Return the ids of direct and indirect dependencies, nearest first."""
        found: dict[int, None] = {}
        level = [identity]
        while level:
            following = []
            for each in level:
                for needed in self.dependencies(self.resolve(each)):
                    if needed not in found and needed != identity:
                        found[needed] = None
                        following.append(needed)
            level = following
        return list(found)

    def usages(self, identity: int) -> list[int]:
        """Return the ids of importers, also through redirects."""
        if self._usages is None:
            usages: dict[int, list[int]] = {}
            for package in self.packages.values():
                for needed in {self.resolve(needed) for needed in package.entry.imports}:
                    usages.setdefault(needed, []).append(package.id)
            self._usages = usages
        return self._usages.get(self.resolve(identity), [])

    def missing(self) -> dict[int, list[int]]:
        """Return imported package id -> importers, for packages that no container provides."""
        missing: dict[int, list[int]] = {}
        for package in self.packages.values():
            for needed in package.entry.imports:
                if self.resolve(needed) not in self.packages:
                    missing.setdefault(needed, []).append(package.id)
        return missing


def package_names(container: Container) -> dict[int, str]:
    """Return the package names that file names prove, by package id."""
    index = container.directory_index()
    if index is None:
        return {}
    packages = {chunk: identity for identity, chunk in container.toc.packages()}
    names: dict[int, str] = {}
    for path, chunk in zip(index.paths, index.chunks, strict=True):
        identity = packages.get(chunk)
        if identity is not None and identity not in names:
            name = package_name(index.mount_point + path, identity)
            if name is not None:
                names[identity] = name
    return names


def mount_order(paths: Iterable[str]) -> list[str]:
    """Sort containers in mount order, patches (``X_0_P``) last."""

    def priority(path: str) -> tuple[int, str]:
        stem = os.path.splitext(os.path.basename(path))[0]
        numbered = _PATCH.search(stem)
        if numbered:
            return int(numbered[1]) + 2, path
        return int(stem.endswith("_P")), path

    return sorted(paths, key=priority)
