"""Packages of containers of both kinds as one graph."""

from __future__ import annotations

import os
from struct import pack
from typing import TYPE_CHECKING

import pytest

from assetdb_formats.codecs.city_hash import package_id
from assetdb_formats.unreal.containers.opening import OpenBuild
from assetdb_formats.unreal.containers.packed import (
    MissingPackage,
    PackedReference,
    find_in_build,
    find_package,
    missing_packages,
    packed_dependencies,
    packed_packages,
    packed_usages,
    read_classes,
    read_graph,
)
from assetdb_formats.unreal.errors import MissingPartError, PackageNotFoundError
from tests.assetdb_formats.unreal.containers.making import build, save, zen_size
from tests.assetdb_formats.unreal.iostore.pak_writer import write_pak
from tests.assetdb_formats.unreal.iostore.writer import (
    StoredPackage,
    Written,
    chunk_id,
    container_header,
    write_container,
    zen_package,
)
from tests.assetdb_formats.unreal.scanning.test_database import package

if TYPE_CHECKING:
    from pathlib import Path

ARENA, ROCK, DEFAULT = (package_id(name) for name in ("/Game/Maps/Arena", "/Game/Meshes/Rock", "/Engine/Default"))


@pytest.fixture
def game(tmp_path: Path) -> str:
    return save(tmp_path / "Paks", "game", build())


@pytest.fixture
def mod(tmp_path: Path) -> str:
    path = tmp_path / "mod.pak"
    files = {
        "Game/Content/Hat.uasset": package(("/Game/Meshes/Rock", "/Game/Gone"), ("/Game/Soft",), class_name="Hat"),
        "Game/Content/text.txt": b"text",
    }
    path.write_bytes(write_pak(11, list(files.items())))
    return str(path)


def test_packages_are_told_in_order_of_name(game: str, mod: str) -> None:
    seen: list[tuple[int, int]] = []
    graph = read_graph([game, mod], progress=lambda *counts: seen.append(counts))
    assert seen == [(0, 2), (1, 2)]
    assert graph.unread == []
    found = packed_packages(graph)
    assert [each.name for each in found] == ["/Game/Hat", "/Game/Maps/Arena", "/Game/Meshes/Rock"]
    assert [each.container for each in found] == [mod, game, game]
    assert [each.imports for each in found][1:] == [1, 1]
    assert [each.size for each in found][1:] == [zen_size("/Game/Maps/Arena"), zen_size("/Game/Meshes/Rock")]
    assert [each.id for each in found][1:] == [f"{ARENA:016x}", f"{ROCK:016x}"]
    assert [each.shown for each in found] == [each.name for each in found]
    assert found[0]._replace(name=None).shown == found[0].id
    assert found[0].class_name == "Hat"


def test_dependencies_usages_and_missing_packages_cross_containers(game: str, mod: str) -> None:
    graph = read_graph([game, mod])
    hat = find_package(graph, "Hat")
    needed = packed_dependencies(graph, hat)
    assert (needed.package, needed.soft) == ("/Game/Hat", ("/Game/Soft",))
    assert {(each.name, each.missing) for each in needed.references} >= {
        ("/Game/Meshes/Rock", False),
        ("/Game/Gone", True),
    }
    near = packed_dependencies(graph, ARENA).references
    assert near == (PackedReference("/Game/Meshes/Rock", f"{ROCK:016x}", missing=False),)
    deep = packed_dependencies(graph, ARENA, deep=True).references
    assert [each.id for each in deep] == [f"{ROCK:016x}", f"{DEFAULT:016x}"]
    assert [each.missing for each in deep] == [False, True]
    assert [each.name for each in packed_usages(graph, ROCK).references] == ["/Game/Hat", "/Game/Maps/Arena"]
    assert packed_usages(graph, ROCK).package == "/Game/Meshes/Rock"
    assert packed_usages(graph, ARENA).references == ()
    assert MissingPackage("/Game/Gone", ("/Game/Hat",)) in missing_packages(graph)
    assert ("/Game/Meshes/Rock",) in [each.needed_by for each in missing_packages(graph)]
    assert PackedReference(None, "12", missing=True).shown == "12"


@pytest.mark.parametrize(
    ("text", "identity"),
    [
        ("/Game/Maps/Arena", ARENA),
        ("Arena", ARENA),
        ("Maps/Arena", ARENA),
        ("/Game/Meshes/Rock.Rock", ROCK),
        ("/game/meshes/rock", ROCK),
        (f"{ROCK:016x}", ROCK),
    ],
)
def test_a_package_is_named_as_users_do(game: str, text: str, identity: int) -> None:
    assert find_package(read_graph([game]), text) == identity
    with OpenBuild(game) as opened:
        assert find_in_build(opened, text) == identity


@pytest.mark.parametrize("text", ["Aren", "/Game/Arena", "0123456789abcdef", ""])
def test_a_package_that_is_not_there(game: str, text: str) -> None:
    with pytest.raises(PackageNotFoundError):
        find_package(read_graph([game]), text)
    with OpenBuild(game) as opened, pytest.raises(PackageNotFoundError):
        find_in_build(opened, text)


def test_without_data_the_names_are_told_and_the_imports_are_not(game: str) -> None:
    for name in ("game.ucas", "game_s1.ucas"):
        os.unlink(os.path.join(os.path.dirname(game), name))
    graph = read_graph([game])
    assert [(each.name, each.imports) for each in packed_packages(graph)] == [
        ("/Game/Maps/Arena", None),
        ("/Game/Meshes/Rock", None),
    ]
    ((path, why),) = graph.unread
    assert path == game
    assert why.endswith(": what its packages import is not known")
    with pytest.raises(MissingPartError, match="the imports of /Game/Maps/Arena are not known"):
        packed_dependencies(graph, ARENA)


def test_what_cannot_be_read_is_told_beside_the_rest(game: str, tmp_path: Path) -> None:
    broken = tmp_path / "broken.utoc"
    broken.write_bytes(b"no container" * 20)
    absent = str(tmp_path / "absent.pak")
    graph = read_graph([str(broken), game, absent])
    assert [path for path, _ in graph.unread] == [str(broken), absent]
    assert len(packed_packages(graph)) == 2
    assert [path for path, _ in read_graph([str(broken)]).unread] == [str(broken)]
    with pytest.raises(FileNotFoundError):
        read_graph([absent])


def test_classes_that_nothing_names_are_counted(game: str, mod: str) -> None:
    seen: list[tuple[int, int]] = []
    graph = read_graph([game])
    unknown = read_classes(graph, [game], progress=lambda *counts: seen.append(counts))
    assert sum(unknown.values()) == 2
    assert seen == [(0, 2), (1, 2)]
    assert graph.classes == {}
    assert read_classes(read_graph([mod]), [mod]) == {}


def blueprint(folder: Path, form: int, export: str, *, has_it: bool) -> str:
    """Write a container in which the class of a package is an export of another one."""
    classes = zen_package(form, "/Game/BP", [(export, b"class")], [], [])
    thing = zen_package(form, "/Game/Thing", [("Thing", b"data")], [2 << 62], ["/Game/BP"])
    # The writer's class of every export is the script object 0, its one public hash that is imported 0xFEED.
    for old, new in ((1 << 62, 2 << 62), (0xFEED, package_id(export))):
        thing = thing.replace(pack("<Q", old), pack("<Q", new), 1)
    packages = ({"/Game/BP": classes} if has_it else {}) | {"/Game/Thing": thing}
    chunks = [
        Written(chunk_id(package_id(name), "ExportBundleData", 8), data, f"{name.removeprefix('/Game/')}.uasset")
        for name, data in packages.items()
    ]
    rows = [StoredPackage(name, ["/Game/BP"] if name == "/Game/Thing" else []) for name in packages]
    chunks.append(Written(chunk_id(0x1234, "ContainerHeader", 8), container_header(5, rows)))
    return save(folder, "game", write_container(8, chunks))


@pytest.mark.parametrize("form", [1, 2, 3])
@pytest.mark.parametrize("export", ["BP_C", "Odd_C"])
def test_a_class_of_another_package_has_its_name_there(tmp_path: Path, form: int, export: str) -> None:
    """Of engine 5.3 and later, one that is not named after its package was told by its hash."""
    path = blueprint(tmp_path, form, export, has_it=True)
    graph = read_graph([path])
    assert read_classes(graph, [path]) == {"no script objects here (the global container) name it": 1}
    assert graph.classes == {package_id("/Game/Thing"): export}


@pytest.mark.parametrize(("export", "known"), [("BP_C", "BP_C"), ("Odd_C", None)])
def test_a_class_of_a_package_that_is_not_here_is_known_by_the_name_of_that(
    tmp_path: Path, export: str, known: str | None
) -> None:
    path = blueprint(tmp_path, 2, export, has_it=False)
    graph = read_graph([path])
    why = {} if known else {"the package of the class is not here, or has no such object": 1}
    assert (read_classes(graph, [path]), graph.classes.get(package_id("/Game/Thing"))) == (why, known)
    assert [each.class_name for each in packed_packages(graph)] == [known]
