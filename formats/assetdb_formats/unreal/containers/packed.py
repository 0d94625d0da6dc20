"""Packages of containers: imports, users, and missing ones.

A build folder is one graph, however its packages were packed: of IoStore containers it is read from their headers, of
.pak files from the headers of the packages in them.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.codecs.city_hash import package_id
from assetdb_formats.files import words_of
from assetdb_formats.unreal.containers.locations import containers_in
from assetdb_formats.unreal.containers.opening import OpenBuild, open_any_container
from assetdb_formats.unreal.containers.pak import OpenPak
from assetdb_formats.unreal.containers.pak_packages import add_pak
from assetdb_formats.unreal.errors import MissingPartError, UnrealError, reason_of, text_within
from assetdb_formats.unreal.iostore.build import main_class, main_export
from assetdb_formats.unreal.iostore.container import open_container
from assetdb_formats.unreal.iostore.package_graph import PackageGraph
from assetdb_formats.unreal.matching import match_name
from assetdb_formats.unreal.zen import object_index
from assetdb_formats.unreal.zen.import_names import Naming

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from assetdb_formats.unreal.iostore.build import Build
    from assetdb_formats.unreal.iostore.container import OpenContainer
    from assetdb_formats.unreal.zen.package import ZenPackage

_IN_SCRIPTS: Final = "no script objects here (the global container) name it"
_IN_PACKAGE: Final = "the package of the class is not here, or has no such object"


class PackedPackage(NamedTuple):
    """A package in a container.

    ``name``, ``imports`` and ``class_name`` are None where unknown; ``size`` is uncompressed. ``export_count`` is
    stored up to engine 5.2, ``load_order`` up to engine 4; both are None elsewhere.
    """

    name: str | None
    id: str
    container: str
    size: int | None
    class_name: str | None
    imports: int | None
    export_count: int | None = None
    load_order: int | None = None

    @property
    def shown(self) -> str:
        """The name, or the id."""
        return self.name or self.id


class MissingPackage(NamedTuple):
    """A package that others import and that is in no container."""

    package: str
    needed_by: tuple[str, ...]


class PackedReference(NamedTuple):
    """A package at an end of an import; ``missing`` without a container."""

    name: str | None
    id: str
    missing: bool

    @property
    def shown(self) -> str:
        """The name, or the id."""
        return self.name or self.id


class PackedReferences(NamedTuple):
    """The imports or importers of a package, and its soft references."""

    package: str
    references: tuple[PackedReference, ...]
    soft: tuple[str, ...] = ()


def read_graph(
    paths: Sequence[str], key: bytes | None = None, progress: Callable[[int, int], None] | None = None
) -> PackageGraph:
    """Return the package graph of containers; failures go to ``unread``."""
    graph = PackageGraph()
    for number, path in enumerate(paths):
        if progress is not None:
            progress(number, len(paths))
        try:
            with open_any_container(path, key) as container:
                if isinstance(container, OpenPak):
                    add_pak(graph, path, container)
                else:
                    add_container(graph, container)
        except UnrealError as error:
            graph.unread.append((path, text_within(error, path)))
        except OSError as error:  # a pipe, a permission that is not there
            if len(paths) == 1:
                raise
            graph.unread.append((error.filename or path, words_of(error)))
    return graph


def add_container(graph: PackageGraph, container: OpenContainer) -> None:
    """Add a container's packages, without its data only their names."""
    path = container.path
    try:
        graph.add(path, container)
    except MissingPartError as error:  # the .utoc has the packages, but not their imports
        graph.add_listed(path, container)
        graph.unread.append((path, f"{text_within(error, path)}: what its packages import is not known"))


def read_classes(
    graph: PackageGraph,
    paths: Sequence[str],
    key: bytes | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Mapping[str, int]:
    """Read the class of every package into ``graph``.

    All tables in the containers at ``paths`` are read for that. The packages of a .pak have their class already.

    Returns:
        The reason why a class is not known -> number of packages, the most first.
    """
    if not any(each.lower().endswith(".utoc") for each in containers_in(*paths)):
        return {}
    with OpenBuild(*paths, key=key) as build:
        return _read_classes(graph, build, progress)


def _read_classes(graph: PackageGraph, build: Build, progress: Callable[[int, int], None] | None) -> Mapping[str, int]:
    unknown: Counter[str] = Counter()
    for number, identity in enumerate(build.places):
        if progress is not None:
            progress(number, len(build.places))
        try:
            package = build.tables(identity)
            found = main_class(package, Naming(package, build.scripts))
            if found is None:
                found = main_class(package, build.naming(package))
        except UnrealError as error:
            unknown[reason_of(error)] += 1
            continue
        if found is None:
            unknown[_IN_PACKAGE if _has_packed_class(package) else _IN_SCRIPTS] += 1
        else:
            graph.classes[identity] = found
    return dict(unknown.most_common())


def _has_packed_class(package: ZenPackage) -> bool:
    """Whether the main export's class is in another package: a Blueprint's."""
    number = main_export(package)
    return number is not None and object_index.kind(package.exports[number].class_) == object_index.PACKAGE


def packed_packages(graph: PackageGraph) -> tuple[PackedPackage, ...]:
    """Return the packages of a graph, in order of name."""
    return tuple(
        PackedPackage(
            graph.names.get(identity),
            f"{identity:016x}",
            package.container,
            graph.sizes.get(identity),
            graph.classes.get(identity),
            None if package.container in graph.listed else len(package.entry.imports),
            package.entry.export_count,
            package.entry.load_order,
        )
        for _, identity, package in sorted(
            (graph.name(identity), identity, package) for identity, package in graph.packages.items()
        )
    )


def find_package(graph: PackageGraph, text: str) -> int:
    """Return the id of a package that a user names.

    Accepted are its name, the end of it, an object path in it, or its id in hexadecimal.

    Raises:
        PackageNotFoundError: there is none, or several.
    """
    for name in (text, text.partition(".")[0]):
        identity = graph.find(name)
        if identity is not None:
            return identity
    known = sorted((name, identity) for identity, name in graph.names.items())
    return known[match_name(text, [name for name, _ in known])][1]


def find_in_build(build: Build, text: str) -> int:
    """Return the id of a build's package that a user names.

    The package is found as by `find_package`; one without a known name is found by the hash of the given name.

    Raises:
        PackageNotFoundError: there is none, or several.
    """
    graph = build.graph
    for name in (text, text.partition(".")[0]):
        identity = graph.find(name)
        if identity is None and package_id(name) in build.places:
            identity = package_id(name)
        if identity is not None:
            return graph.resolve(identity)
    return find_package(graph, text)


def missing_packages(graph: PackageGraph, key: bytes | None = None) -> tuple[MissingPackage, ...]:
    """Return missing packages that others import, in order of name."""
    missing = graph.missing()
    name_imports(graph, {each for importers in missing.values() for each in importers}, key)
    return tuple(
        sorted(
            MissingPackage(graph.name(each), tuple(sorted(map(graph.name, importers))))
            for each, importers in missing.items()
        )
    )


def packed_dependencies(
    graph: PackageGraph, identity: int, key: bytes | None = None, *, deep: bool = False
) -> PackedReferences:
    """Return the imports of a package, nearest first.

    With ``deep`` the imports of its imports are included, and so on.

    Raises:
        MissingPartError: its imports cannot be read without the data of its container.
    """
    package = graph.packages.get(identity)
    if package is not None and package.container in graph.listed:
        raise MissingPartError(f"the imports of {graph.name(identity)} are not known")
    needed = graph.all_dependencies(identity) if deep else list(graph.dependencies(identity))
    name_imports(graph, {identity, *needed} if deep else {identity}, key)
    soft = tuple(map(graph.name, graph.soft_references.get(identity, ())))
    return PackedReferences(graph.name(identity), _references(graph, needed), soft)


def packed_usages(graph: PackageGraph, identity: int) -> PackedReferences:
    """Return the packages that import one, in order of name."""
    return PackedReferences(graph.name(identity), _references(graph, sorted(graph.usages(identity), key=graph.name)))


def _references(graph: PackageGraph, found: Iterable[int]) -> tuple[PackedReference, ...]:
    return tuple(
        PackedReference(graph.names.get(each), f"{each:016x}", graph.resolve(each) not in graph.packages)
        for each in found
    )


def name_imports(graph: PackageGraph, importers: set[int], key: bytes | None) -> None:
    """Name imported packages without a container, by reading their importers."""
    by_container: dict[str, list[int]] = {}
    for each in importers & set(graph.packages):
        container_path = graph.packages[each].container
        if not container_path.lower().endswith(".pak"):  # there the imports came with their names
            by_container.setdefault(container_path, []).append(each)
    for path, packages in by_container.items():
        # If a package cannot be read (without its decompressor, say), the ids of its imports stay without names.
        with suppress(UnrealError), open_container(path, key=key) as container:
            container.limit_reading()
            for each in sorted(packages):
                if not all(target in graph.names for target in graph.dependencies(each)):
                    graph.name_imports(each, container)
