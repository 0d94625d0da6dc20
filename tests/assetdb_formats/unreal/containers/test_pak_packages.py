"""Packages of a .pak in the graph of packages: their names, needs and reasons."""

from __future__ import annotations

from assetdb_formats.codecs.city_hash import package_id
from assetdb_formats.unreal.containers.pak_packages import add_pak, pak_packages
from assetdb_formats.unreal.iostore.package_graph import PackageGraph
from tests.assetdb_formats.unreal.containers.test_pak import opened
from tests.assetdb_formats.unreal.iostore.pak_writer import write_pak
from tests.assetdb_formats.unreal.scanning.test_database import package

FILES = [
    (
        "Game/Content/Mesh.uasset",
        package(("/Game/Texture",), ("/Game/Icon", "/Script/Engine"), class_name="StaticMesh"),
    ),
    ("Game/Content/Maps/Town.UMAP", package(("/Game/Mesh",), class_name="World")),
    ("Game/Content/Old.uasset", package(("/Game/Mesh",), class_name="ObjectRedirector")),
    ("Game/Content/Broken.uasset", b"no package"),
    ("Game/Content/Worse.uasset", b"no package"),
    ("Game/Content/Mesh.uexp", b"data"),
    ("Game/readme.txt", b"text"),
]


def test_packages_are_named_by_their_paths_and_read_only_where_that_is_asked_for() -> None:
    pak = opened(write_pak(11, FILES))
    found = {each.name: each for each in pak_packages(pak)}
    assert sorted(found) == ["/Game/Broken", "/Game/Maps/Town", "/Game/Mesh", "/Game/Old", "/Game/Worse"]
    assert found["/Game/Mesh"].record.class_name == "StaticMesh"
    assert found["/Game/Mesh"].reason == ""
    assert found["/Game/Mesh"].entry.path == "Game/Content/Mesh.uasset"
    assert found["/Game/Broken"].reason != ""
    names = list(pak_packages(pak, headers=False))
    assert {each.name for each in names} == set(found)
    assert {(each.record.class_name, each.reason) for each in names} == {("", "")}


def test_a_patch_deletes_packages_and_replaces_all_that_is_known_of_others() -> None:
    """Deleted packages were listed, and soft references and redirects of a replaced one remained."""
    graph = PackageGraph()
    add_pak(graph, "game.pak", opened(write_pak(8, FILES)))
    mesh, town, old = (package_id(f"/Game/{name}") for name in ("Mesh", "Maps/Town", "Old"))
    new = [(FILES[0][0], package()), (FILES[1][0], b""), (FILES[2][0], package())]
    add_pak(graph, "game_0_P.pak", opened(write_pak(8, new, deleted={FILES[1][0]})))
    assert town not in graph.packages
    assert {mesh, old} <= graph.packages.keys()
    assert (graph.soft_references, graph.redirects, sorted(graph.usages(mesh))) == ({}, {}, [])


def test_a_patch_deletes_the_package_of_a_plugin_and_none_of_the_engine() -> None:
    """All names that the path may mean were removed."""
    icons = [(f"Engine/{place}Content/Icon.uasset", package()) for place in ("", "Plugins/2D/Paper2D/")]
    for deleted, left in ((icons[1][0], "/Engine/Icon"), (icons[0][0], "/Paper2D/Icon")):
        graph = PackageGraph()
        add_pak(graph, "game.pak", opened(write_pak(8, icons)))
        add_pak(graph, "game_0_P.pak", opened(write_pak(8, [(deleted, b"")], deleted={deleted})))
        assert [graph.name(identity) for identity in graph.packages] == [left]


def test_the_graph_has_needs_sizes_classes_redirects_and_what_was_not_read() -> None:
    graph = PackageGraph()
    found = add_pak(graph, "game.pak", opened(write_pak(11, FILES)))
    assert len(found) == 5
    mesh, town, old = (package_id(f"/Game/{name}") for name in ("Mesh", "Maps/Town", "Old"))
    assert graph.sizes[mesh] == len(FILES[0][1])
    assert (graph.classes[mesh], graph.classes[town]) == ("StaticMesh", "World")
    assert graph.classes[package_id("/Game/Broken")] == ""
    assert graph.redirects == {old: mesh}
    ((label, reason),) = graph.unread
    assert label == "game.pak"
    assert reason.startswith("2 packages: ")
    assert package_id("/Game/Texture") in graph.all_dependencies(town)
    add_pak(graph, "patch.pak", opened(write_pak(11, [(FILES[0][0], b"no package")])))
    assert graph.classes[mesh] == "StaticMesh"  # of two copies one may not be readable
    assert graph.unread[1][0] == "patch.pak"
