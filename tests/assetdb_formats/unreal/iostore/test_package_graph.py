"""Packages of containers by id: names that are proved, sizes, and what imports what."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb_formats.codecs.city_hash import package_id
from assetdb_formats.unreal.iostore.container import open_container
from assetdb_formats.unreal.iostore.container_header import parse_container_header
from assetdb_formats.unreal.iostore.package_graph import PackageGraph, package_names
from tests.assetdb_formats.unreal.containers.making import PACKAGES, build, save, zen_size
from tests.assetdb_formats.unreal.iostore.writer import StoredPackage, container_header

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from assetdb_formats.unreal.iostore.container import OpenContainer

ARENA, ROCK, DEFAULT = map(package_id, ("/Game/Maps/Arena", "/Game/Meshes/Rock", "/Engine/Default"))


@pytest.fixture
def container(tmp_path: Path) -> Iterator[OpenContainer]:
    with open_container(save(tmp_path, "game", build())) as opened:
        yield opened


def test_a_container_with_a_header_has_packages_imports_names_and_sizes(container: OpenContainer) -> None:
    graph = PackageGraph()
    graph.add("here", container)
    assert set(graph.packages) == {ARENA, ROCK}
    assert {package.container for package in graph.packages.values()} == {"here"}
    assert (graph.dependencies(ARENA), graph.dependencies(ROCK), graph.dependencies(1)) == ((ROCK,), (DEFAULT,), ())
    assert graph.names == package_names(container) == {package_id(name): name for name in PACKAGES}
    assert graph.sizes == {package_id(name): zen_size(name) for name in PACKAGES}
    assert graph.missing() == {DEFAULT: [ROCK]}
    assert graph.usages(ROCK) == [ARENA]
    assert graph.all_dependencies(ARENA) == [ROCK, DEFAULT]
    assert graph.listed == set()
    assert set(graph.header_versions) == {"here"}


def test_the_table_of_contents_alone_says_no_imports(container: OpenContainer) -> None:
    graph = PackageGraph()
    graph.add_listed("there", container)
    assert graph.listed == {"there"}
    assert {package.id: package.entry.imports for package in graph.packages.values()} == {ARENA: (), ROCK: ()}
    assert graph.name(ARENA) == "/Game/Maps/Arena"
    assert graph.sizes[ROCK] == zen_size("/Game/Meshes/Rock")


def test_soft_references_are_those_of_the_last_copy(container: OpenContainer) -> None:
    """A patch of a package without any left those of the copy before."""
    before = [StoredPackage(name, [], soft=["/Game/Icon"]) for name in PACKAGES]
    for replace in (PackageGraph.add, PackageGraph.add_listed):
        graph = PackageGraph()
        graph.add_header("game", parse_container_header(container_header(5, before)))
        assert graph.soft_references.keys() == {ARENA, ROCK}
        replace(graph, "game_0_P", container)
        assert graph.soft_references == {}


def test_a_name_that_its_id_does_not_prove_is_none(tmp_path: Path) -> None:
    with open_container(save(tmp_path, "game", build(rock_path="Meshes/Other.uasset"))) as container:
        assert package_names(container) == {ARENA: "/Game/Maps/Arena"}
        graph = PackageGraph()
        graph.add("here", container)
        assert graph.name(ROCK) == f"{ROCK:016x}"
        graph.name_imports(ROCK, container)
        assert graph.name(ROCK) == f"{ROCK:016x}"
        graph.name_imports(ARENA, container)
        assert graph.name(ROCK) == "/Game/Meshes/Rock"


def test_packages_by_their_own_names_name_what_they_need() -> None:
    graph = PackageGraph()
    graph.add_package("one", "/Game/A", ["/Game/B"], ["/Game/C"])
    a, b, c = map(package_id, ("/Game/A", "/Game/B", "/Game/C"))
    assert graph.usages(b) == [a]
    graph.add_package("two", "/Game/B", [], [])
    graph.add_package("two", "/Game/D", ["/Game/B"], [])
    assert graph.usages(b) == [a, package_id("/Game/D")]
    assert graph.soft_references == {a: (c,)}
    assert [graph.name(each) for each in (a, b, c)] == ["/Game/A", "/Game/B", "/Game/C"]
    assert (graph.dependencies(a), graph.missing()) == ((b,), {})


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("/Game/A", "/Game/A"),
        ("/GAME/a", "/Game/A"),
        (f"{package_id('/Game/A'):016x}", "/Game/A"),
        (f"{package_id('/Game/A'):016X}", "/Game/A"),
        (f"{package_id('/Game/B'):016x}", None),  # named, and in no container
        (f"{package_id('/Game/A'):x}"[1:], None),
        ("not hexadecimal!", None),
        ("/Game/Z", None),
    ],
)
def test_a_package_is_found_by_name_or_id(text: str, name: str | None) -> None:
    graph = PackageGraph()
    graph.add_package("one", "/Game/A", ["/Game/B"], [])
    assert graph.find(text) == (None if name is None else package_id(name))
