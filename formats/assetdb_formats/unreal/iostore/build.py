"""Containers of one game, with packages and imports by id.

Opening reads only the container headers and the directory indexes; of a package that others import, only the tables
are kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.codecs.city_hash import package_id
from assetdb_formats.unreal.errors import MissingPartError, UnrealError
from assetdb_formats.unreal.iostore.package_graph import PackageGraph
from assetdb_formats.unreal.zen import object_index
from assetdb_formats.unreal.zen.import_names import Naming, legacy_import_hashes, paths_from_names, public_exports
from assetdb_formats.unreal.zen.package import ZenForm, ZenPackage, header_size, parse_zen_package
from assetdb_formats.unreal.zen.script_objects import ScriptObjects, parse_loader_globals, parse_script_objects

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assetdb_formats.unreal.iostore.container import Container

_SUMMARY_BLOCKS: Final = 2  # blocks within which the summary ends, its custom versions included
_LOADER: Final = ("LoaderInitialLoadMeta", "LoaderGlobalNames", "LoaderGlobalNameHashes")


class ChunkLocation(NamedTuple):
    """Where a package lies: its container and the number of its chunk."""

    container: Container
    chunk: int


class _Public(NamedTuple):
    """The public exports of a package: their paths and classes."""

    exports: dict[tuple[int, int], str]
    paths: dict[int, str]
    classes: dict[int, str]


class Build:
    """The packages of several containers.

    If two have the same id, the one in the container added last counts.

    Attributes:
        graph: the packages by id, their names and imports.
        places: package id -> its container and chunk.
        paths: package id -> label of its container.
        scripts: the script objects; None where no container has any.
        unread: package id -> why its tables could not be read, of the packages that were needed.
    """

    def __init__(self) -> None:
        self.graph = PackageGraph()
        self.places: dict[int, ChunkLocation] = {}
        self.paths: dict[int, str] = {}
        self.scripts: ScriptObjects | None = None
        self.unread: dict[int, UnrealError] = {}
        self._public: dict[int, _Public] = {}

    def add(self, label: str, container: Container) -> None:
        """Add a container: its packages, or its script objects."""
        for identity, chunk in container.toc.packages():
            self.places[identity] = ChunkLocation(container, chunk)
            self.paths[identity] = label
        self._add_scripts(container)
        try:
            self.graph.add(label, container)
        except MissingPartError:
            self.graph.add_listed(label, container)

    def _add_scripts(self, container: Container) -> None:
        toc = container.toc
        found = None
        for chunk in toc.of_type("ScriptObjects"):
            found = parse_script_objects(container.read_chunk(chunk))
        loader = [toc.of_type(name) for name in _LOADER]
        if all(loader):
            found = parse_loader_globals(*(container.read_chunk(each[0]) for each in loader))
        if found is not None:
            self.scripts = found

    def header_version(self, identity: int) -> int | None:
        """Return the version of the header of a package's container, if any."""
        return self.graph.header_versions.get(self.paths.get(identity, ""))

    def read(self, identity: int) -> bytes:
        """Return a package, whole.

        Raises:
            KeyError: no container has it.
            UnrealError: it cannot be read.
        """
        place = self.places[identity]
        return place.container.read_chunk(place.chunk)

    def tables(self, identity: int) -> ZenPackage:
        """Return the tables of a package, reading no more than those.

        Raises:
            KeyError: no container has it.
            UnrealError: it cannot be read.
        """
        place = self.places[identity]
        return read_tables(place.container, place.chunk)

    def naming(self, package: ZenPackage) -> Naming:
        """Return names for ``package``'s references, reading available imports."""
        identity = package_id(package.name)
        ids: Iterable[int]
        imported = None
        if package.form is ZenForm.ENGINE_4:
            ids = dict.fromkeys((*package.graph, *self.graph.dependencies(identity)))
        elif package.imported_names:
            ids = map(package_id, package.imported_names)
        else:
            ids = self.graph.dependencies(identity)
            imported = tuple(self.graph.name(each) for each in ids)
        exports: dict[tuple[int, int], str] = {}
        paths: dict[int, str] = {}
        if any(object_index.kind(index) == object_index.PACKAGE for index in package.imports):
            for each in ids:
                public = self._public_of(each)
                paths.update(public.paths)
                for (_, public_hash), path in public.exports.items():
                    exports[each, public_hash] = path
        paths.update(paths_from_names(package, self.scripts, paths))
        return Naming(package, self.scripts, exports, imported, paths)

    def classes(self, package: ZenPackage, naming: Naming) -> dict[int, str]:
        """Return class paths of available imports, by index."""
        found: dict[int, str] = {}
        for index in package.imports:
            if object_index.kind(index) != object_index.PACKAGE:
                continue
            if package.form is ZenForm.ENGINE_4:
                head, slash, last = naming.paths.get(index, "").rpartition("/")
                key, owner = index, package_id(f"{head}{slash}{last.partition('.')[0]}")
            else:
                place, number = object_index.package_import(index)
                if place >= len(naming.imported) or number >= len(package.imported_hashes):
                    continue
                key, owner = package.imported_hashes[number], package_id(naming.imported[place])
            class_path = self._public_of(owner).classes.get(key)
            if class_path:
                found[index] = class_path
        return found

    def _public_of(self, identity: int) -> _Public:
        """Return a package's public exports; none if it is missing."""
        target = self.graph.resolve(identity)
        found = self._public.get(target)
        if found is None:
            found = _Public({}, {}, {})
            if target in self.places:
                try:
                    found = self._read_public(self.tables(target))
                except UnrealError as error:
                    self.unread[target] = error
            self._public[target] = found
        return found

    def _read_public(self, package: ZenPackage) -> _Public:
        naming = Naming(package, self.scripts)
        classes = {
            export.public_hash: naming.name(export.class_) or "" for export in package.exports if export.public_hash
        }
        if package.form is ZenForm.ENGINE_4:
            return _Public({}, legacy_import_hashes(package), classes)
        return _Public(public_exports(package), {}, classes)


def read_tables(container: Container, chunk: int) -> ZenPackage:
    """Return the tables of a chunk's package, reading few blocks."""
    pieces: list[bytes] = []
    size = wanted = 0
    for piece in container.blocks(chunk):
        pieces.append(piece)
        size += len(piece)
        if not wanted and len(pieces) <= _SUMMARY_BLOCKS:
            wanted = header_size(b"".join(pieces))
        if 0 < wanted <= size:
            break
    return parse_zen_package(b"".join(pieces))


def main_export(package: ZenPackage) -> int | None:
    """Return the export named like the package, or the first outermost."""
    last = package.name.rpartition("/")[2].lower()
    outermost = [
        number for number, export in enumerate(package.exports) if object_index.kind(export.outer) == object_index.NONE
    ]
    for wanted in (last, f"{last}_c"):
        for number in outermost:
            if package.exports[number].name.lower() == wanted:
                return number
    return outermost[0] if outermost else None


def main_class(package: ZenPackage, naming: Naming) -> str | None:
    """Return the short class of the main export.

    None where nothing names it, "" where there is no export.
    """
    number = main_export(package)
    if number is None:
        return ""
    index = package.exports[number].class_
    if object_index.kind(index) == object_index.NONE:
        return "Class"
    path = naming.name(index)
    if path is None or index in naming.hashed:
        return None
    return path.rpartition("/")[2].rpartition(".")[2].rpartition(":")[2]
