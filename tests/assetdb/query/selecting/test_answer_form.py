"""Objects by line, beside the documents of the whole file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.query.selecting.answer_form import asset_part, object_at, objects_called
from assetdb.query.snapshots.snapshot import open_project
from assetdb.resolve.instances import Imported
from assetdb.resolve.sizes import LARGEST
from assetdb.unity.yaml.documents import documents
from tests.assetdb.unity.importers.fbx_writer import Node, model
from tests.assetdb.unity_project import HEAD, component, game_object, guid, instance, write

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.resolve.resolver import Resolver


def resolver_of(root: Path, text: str) -> Resolver:
    (root / "ProjectSettings").mkdir(parents=True)
    write(root, "Assets/A.unity", 1, text.encode())
    return open_project(str(root), str(root / "out")).resolver


def expected(text: str, line: int) -> int | None:
    data = text.encode().replace(b"\r\n", b"\n")
    end = sum(len(row) + 1 for row in data.split(b"\n")[:line]) - 1
    return next((found.file_id for found in reversed(documents(data)) if found.start <= end), None)


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_line_is_of_the_object_around_it(tmp_path: Path, line_end: str) -> None:
    text = HEAD + "".join(game_object(number, "A\n--- !u! &7") for number in (1000, -2000, 3000))
    text = text.replace("\n", line_end)
    resolver = resolver_of(tmp_path, text)
    lines = range(1, text.count("\n") + 2)
    assert [object_at(resolver, guid(1), line) for line in lines] == [expected(text, line) for line in lines]
    assert object_at(resolver, guid(1), 3001) == 3001
    assert object_at(resolver, guid(1), len(lines) + 1) == len(lines) + 1


@pytest.mark.long
def test_lines_are_counted_through_a_file_of_several_blocks(tmp_path: Path) -> None:
    wide = "x" * 6_000_000
    text = HEAD + "".join(game_object(number * 1_000_000, wide if number == 3 else "A") for number in range(1, 6_000))
    resolver = resolver_of(tmp_path, text)
    for line in (4, 23, 24, 40, 41, 42, 6_000, 40_000, text.count("\n")):
        assert object_at(resolver, guid(1), line) == expected(text, line), line


@pytest.mark.long
def test_of_a_file_that_is_not_opened_objects_are_found_too(tmp_path: Path) -> None:
    text = HEAD + game_object(1000, "A") + game_object(7_000_000, "B" * LARGEST)
    resolver = resolver_of(tmp_path, text)
    assert [object_at(resolver, guid(1), number) for number in (5, 7_000_000, 7_000_001, 20, 99)] == [
        *(1000, 7_000_000, 7_000_001, 7_000_001, 99),
    ]


@pytest.mark.parametrize(
    ("text", "asset"),
    [
        ("X.unity / Canvas / Popup", "X.unity"),
        ("Tool.cs [com.acme.tools] / Tool", "Tool.cs"),
        ("X.unity (Scene)", "X.unity"),
        ("[odd] / Popup", "[odd]"),
        ("Player", ""),
    ],
)
def test_the_part_that_names_the_asset(text: str, asset: str) -> None:
    assert asset_part(text) == asset


MASK = (1 << 63) - 1
ROOT, ROOT_TRANSFORM = 919132149155446097, -8679921383154817045  # of every model, as Unity makes them of names
BOX = 5_000  # in the scene, an instance of a prefab that nests another one as 600


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Resolver:
    """A scene with objects of the same names, and nested prefabs."""
    root = tmp_path_factory.mktemp("scene")
    (root / "ProjectSettings").mkdir(parents=True)
    parts = component(20, 1010, 1000, "Camera") + component(81, 1011, 1000, "AudioListener")
    text = HEAD + game_object(1000, "A", components=parts)
    text += game_object(2000, "Canvas") + game_object(2100, "Popup", 2001) + game_object(2200, "Popup", 2001)
    text += game_object(2300, "Popup") + "--- !u!104 &5\nRenderSettings:\n  m_Fog: 0\n"
    text += instance(3000, 2) + instance(4000, 2, names={1000: "Special"})
    text += instance(6000, 4, names={ROOT: "Truck"})
    text += instance(BOX, 3, names={1000 ^ 600: "Deep"})
    write(root, "Assets/A.unity", 1, text)
    write(root, "Assets/Thing.prefab", 2, HEAD + game_object(1000, "Thing") + game_object(1100, "Inner", 1001))
    importer = "ModelImporter:\n  fileIdsGeneration: 2\n"
    write(root, "Assets/Car.FBX", 4, model(7400, (Node("Body", "Mesh"), Node("Wheel", "Mesh"))), importer)
    write(root, "Assets/Box.prefab", 3, HEAD + game_object(1000, "Box") + instance(600, 2, 1001))
    return open_project(str(root), str(root / "out")).resolver


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A.unity / Canvas", [2000]),
        ("A.unity / canvas", [2000]),  # in any case
        ("a.UNITY / Canvas", [2000]),
        ("A.unity / Canvas / Popup", [2100, 2200]),
        ("A.unity / Popup", [2300]),
        ("A.unity / Canvas (GameObject)", [2000]),
        ("A.unity / Canvas (Transform)", [2001]),
        ("A.unity / Canvas (Camera)", []),
        ("A.unity (GameObject)", []),
        ("A.unity / A", [1000]),
        ("A.unity / A (Camera)", [1010]),
        ("A.unity / A (AudioListener)", [1011]),
        ("A.unity (RenderSettings)", [5]),
        ("A.unity / Can", []),
        ("A.unity / Canvas / NoSuch", []),
        ("A.unity [com.acme.tools] / Canvas", [2000]),
        ("A.unity / Thing", [1000 ^ 3000]),
        ("A.unity / Thing / Inner", [1100 ^ 3000]),
        ("A.unity / Special", [1000 ^ 4000]),
        ("A.unity / Special / Inner", [1100 ^ 4000]),
        ("A.unity / Special (Transform)", [1001 ^ 4000]),
        ("A.unity / Thing (PrefabInstance)", []),
        ("A.unity / Special (PrefabInstance)", [4000]),
        ("A.unity / Truck", [ROOT ^ 6000]),
        ("A.unity / Truck (Transform)", [(ROOT_TRANSFORM ^ 6000) & MASK]),
        ("A.unity / Door", []),
        ("A.unity / Box", [1000 ^ BOX]),
        ("A.unity / Box / Deep", [1000 ^ 600 ^ BOX]),
        ("A.unity / Box / Deep (Transform)", [1001 ^ 600 ^ BOX]),
        ("A.unity / Box / Deep / Inner (Transform)", [1101 ^ 600 ^ BOX]),
        ("A.unity / Box / Thing", []),
    ],
)
def test_a_printed_name_has_the_objects_that_are_printed_so(scene: Resolver, text: str, found: list[int]) -> None:
    called = objects_called(scene, guid(1), text)
    assert sorted(each.file_id for each in called) == found
    assert all(scene.name(guid(1), each.file_id).name == each.name for each in called)


def test_objects_of_a_model_are_found_by_their_names(scene: Resolver) -> None:
    content = scene.bounded_content(guid(4))
    assert isinstance(content, Imported)
    names = {file_id: scene.name(guid(4), file_id).name for file_id in content.objects}
    assert "Car.FBX / Body (MeshRenderer)" in names.values()
    for file_id, name in names.items():
        if asset_part(name):
            found = objects_called(scene, guid(4), name)
            assert {each.file_id for each in found} == {other for other in names if names[other] == name}, file_id
    assert objects_called(scene, guid(4), "Car.FBX / Door") == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Thing.prefab (GameObject)", [1000]),  # a root with the name of its file is not repeated
        ("Thing.prefab (Transform)", [1001]),
        ("Thing.prefab / Thing (Transform)", [1001]),  # and may be typed
        ("Thing.prefab / Thing", [1000]),
        ("Thing.prefab / Thing / Inner", [1100]),
        ("Thing.prefab / Inner", [1100]),
        ("Thing.prefab / Inner / Thing", []),
    ],
)
def test_the_root_of_a_prefab_need_not_be_named(scene: Resolver, text: str, found: list[int]) -> None:
    assert [each.file_id for each in objects_called(scene, guid(2), text)] == found
