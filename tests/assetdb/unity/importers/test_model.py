from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from assetdb.unity.engine.file_ids import ImportedObject, hashed_id
from assetdb.unity.importers.fbx import FbxScene, read_fbx
from assetdb.unity.importers.model import AVATAR, model_objects
from assetdb.unity.importers.model_settings import ModelSettings, read_settings
from tests.assetdb.unity.importers.fbx_writer import Node, Record, fbx, long, model, string
from tests.assetdb.unity.importers.test_model_settings import META

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ROOT_GAME_OBJECT = 919132149155446097
ROOT_TRANSFORM = -8679921383154817045


def scene(*nodes: Node, takes: tuple[str, ...] = (), version: int = 7400) -> FbxScene:
    found = read_fbx(model(version, nodes, takes))
    assert isinstance(found, FbxScene)
    return found


def certain(found: dict[int, ImportedObject]) -> set[tuple[str, str]]:
    return {(item.class_name, item.path) for item in found.values() if item.certain}


def test_the_well_known_ids_of_the_root() -> None:
    assert hashed_id("GameObject", "//RootNode/root") == ROOT_GAME_OBJECT
    assert hashed_id("Transform", "//RootNode/root/Transform") == ROOT_TRANSFORM
    assert hashed_id("Transform", "//RootNode") == -4216859302048453862
    assert hashed_id("Mesh", "default") == -2432090755550338912


def test_nothing_is_needed_for_the_root_and_the_avatar() -> None:
    found = model_objects(None, ModelSettings(2), stem="Car")
    assert found[ROOT_GAME_OBJECT] == ImportedObject("GameObject", "", certain=True)
    assert found[ROOT_TRANSFORM] == ImportedObject("Transform", "", certain=True)
    assert found[AVATAR] == ImportedObject("Avatar", "CarAvatar", certain=False)
    assert found[100100000] == ImportedObject("Prefab", "", certain=False)
    assert found[hashed_id("Mesh", "Car")] == ImportedObject("Mesh", "Car", certain=False)
    assert model_objects(None, ModelSettings(2, animation_type=3), stem="Car")[AVATAR].certain


@pytest.mark.parametrize("version", [6100, 7100, 7400, 7500, 7700])
def test_two_roots_stay(version: int) -> None:
    content = scene(Node("A", "Mesh", (Node("Hand"),), ("Red",)), Node("B", "Skinned"), takes=("Run",), version=version)
    found = model_objects(content, ModelSettings(2, embedded=True), stem="x")
    assert found[hashed_id("GameObject", "//RootNode/root/A/Hand")] == ImportedObject(
        "GameObject", "A/Hand", certain=True
    )
    assert found[hashed_id("MeshFilter", "//RootNode/root/A/MeshFilter")].path == "A"
    assert not found[hashed_id("AnimationClip", "__preview__Run")].certain
    expected = {
        ("GameObject", ""), ("Transform", ""),
        ("GameObject", "A"), ("Transform", "A"), ("MeshFilter", "A"), ("MeshRenderer", "A"),
        ("GameObject", "A/Hand"), ("Transform", "A/Hand"),
        ("GameObject", "B"), ("Transform", "B"), ("SkinnedMeshRenderer", "B"),
        ("Mesh", "A"), ("Mesh", "B"), ("Material", "Red"),
        ("AnimationClip", "Run"),
    }  # fmt: skip
    assert certain(found) == expected


def test_a_single_root_is_dropped_unless_it_is_preserved() -> None:
    content = scene(Node("Car", "Mesh", (Node("Wheel", "Mesh"),)))
    dropped = model_objects(content, ModelSettings(2), stem="x")
    assert dropped[hashed_id("GameObject", "//RootNode/root/Wheel")] == ImportedObject(
        "GameObject", "Wheel", certain=True
    )
    assert ("MeshRenderer", "") in certain(dropped)
    assert ("Mesh", "Car") in certain(dropped)
    assert not dropped[hashed_id("GameObject", "//RootNode/root/Car")].certain
    kept = model_objects(content, ModelSettings(2, preserve_hierarchy=True), stem="x")
    assert ("GameObject", "Car/Wheel") in certain(kept)
    assert ("MeshRenderer", "") not in certain(kept)


@pytest.mark.parametrize("generation", [0, 1])
def test_early_generations_hash_the_name_alone(generation: int) -> None:
    content = scene(Node("A", "Mesh", (Node("Hand"),)), Node("B", children=(Node("Hand"),)))
    found = model_objects(content, ModelSettings(generation), stem="x")
    assert found[hashed_id("MeshRenderer", "A")] == ImportedObject("MeshRenderer", "A", certain=True)
    assert found[hashed_id("Transform", "Hand")].path == "A/Hand"
    assert found[hashed_id("Transform", "Hand", 1)] == ImportedObject("Transform", "B/Hand", certain=True)
    assert found[-4216859302048453862] == ImportedObject("Transform", "", certain=True)


def test_ids_that_unity_made_without_generations() -> None:
    """Two of Car_B1.fbx in a project of Unity 2020.3."""
    content = scene(Node("Car2_LF0"), Node("Car2_Body0"))
    found = model_objects(content, ModelSettings(0), stem="Car_B1")
    assert found[hashed_id("GameObject", "Car2_LF0")].path == "Car2_LF0"
    assert hashed_id("GameObject", "Car2_LF", 0) == -8616394106135775529
    assert hashed_id("Transform", "Car2_Body", 0) == -6583028154512380015


def test_the_table_says_what_is_the_root() -> None:
    rows = [(100000, 0, b"Arm"), (100002, 0, b"//RootNode"), (400000, 0, b"Arm"), (400002, 0, b"//RootNode")]
    found = model_objects(scene(Node("Arm"), Node("Leg")), ModelSettings(0), stem="Robot@back", rows=rows)
    assert found[100000] == ImportedObject("GameObject", "Arm", certain=True)
    assert found[100002] == ImportedObject("GameObject", "", certain=True)
    assert found[hashed_id("GameObject", "Leg")] == ImportedObject("GameObject", "Leg", certain=True)
    assert hashed_id("GameObject", "Arm") not in {key for key, item in found.items() if item.certain}


def test_rows_of_what_the_file_has_no_more_are_not_listed() -> None:
    rows = [(100000, 0, b"//RootNode"), (100002, 0, b"LeftTrack"), (4300000, 0, b"LeftTrack"), (100100000, 0, b"Old")]
    content = scene(Node("Body", "Mesh"), Node("Turret", "Mesh"))
    found = model_objects(content, ModelSettings(0), stem="Tank", rows=rows)
    assert found[100002] == ImportedObject("GameObject", "LeftTrack", certain=False)
    assert found[4300000] == ImportedObject("Mesh", "LeftTrack", certain=False)
    assert not found[100100000].certain
    counts = Counter((item.class_name, item.path) for item in found.values() if item.certain)
    assert counts == dict.fromkeys(
        [
            *[(kind, path) for path in ("", "Body", "Turret") for kind in ("GameObject", "Transform")],
            *[(kind, path) for path in ("Body", "Turret") for kind in ("MeshFilter", "MeshRenderer", "Mesh")],
        ],
        1,
    )


def test_rows_of_the_meta_win() -> None:
    rows = [(100000, 0, b"Wheel"), (100002, 0, b"//RootNode"), (4300000, 0, b"Wheel"), (7400002, 74, b"Run")]
    rows += [(-203655887218126122, 74, b"Walk"), (9500000, 0, b"//RootNode"), (AVATAR, 0, b"CarAvatar")]
    found = model_objects(None, ModelSettings(0), stem="x", rows=rows)
    assert found[100000] == ImportedObject("GameObject", "Wheel", certain=True)
    assert found[100002] == ImportedObject("GameObject", "", certain=True)
    assert found[4300000] == ImportedObject("Mesh", "Wheel", certain=True)
    assert found[-203655887218126122] == ImportedObject("AnimationClip", "Walk", certain=True)
    assert found[9500000] == ImportedObject("Animator", "", certain=True)
    assert found[AVATAR] == ImportedObject("Avatar", "CarAvatar", certain=True)


@pytest.mark.parametrize("generation", [0, 2])
def test_the_second_of_equal_siblings_has_a_number_and_its_mesh_none(generation: int) -> None:
    """As ``minebot_front_upperleg 1`` of mine_bot.FBX; the table has both meshes by the node's own name."""
    content = scene(Node("A", "Mesh"), Node("A 1"), Node("A", "Mesh"), Node("B", children=(Node("A"),)))
    found = model_objects(content, ModelSettings(generation), stem="x")
    paths = [item.path for item in found.values() if item.certain and item.class_name == "GameObject"]
    assert paths == ["", "A", "A 1", "A 2", "B", "B/A"]
    assert [found[hashed_id("Mesh", "A", number)].path for number in (0, 1)] == ["A", "A"]


def test_the_scene_in_a_takes_name_is_not_in_that_of_its_clip() -> None:
    rows = [(7400000, 0, b"Default Take //// office")]
    found = model_objects(None, ModelSettings(0), stem="x", rows=rows)
    assert found[7400000] == ImportedObject("AnimationClip", "Default Take", certain=True)


def test_a_model_that_cannot_be_read_is_named_by_its_meta() -> None:
    found = model_objects(None, read_settings(META), stem="Guard", guesses=["Turret"])
    assert found[hashed_id("Transform", "//RootNode/root/Hips/Spine/Transform")].path == "Hips/Spine"
    assert found[hashed_id("GameObject", "//RootNode/root/Hand")].path == "Hand"
    assert found[hashed_id("AnimationClip", "Walk\u2122")] == ImportedObject(
        "AnimationClip", "Walk\u2122", certain=True
    )
    assert found[hashed_id("Material", "Paint: red")] == ImportedObject("Material", "Paint: red", certain=False)
    assert found[hashed_id("Mesh", "Turret")] == ImportedObject("Mesh", "Turret", certain=False)
    assert found[hashed_id("MeshCollider", "//RootNode/root/Turret/MeshCollider")].path == "Turret"


@pytest.mark.long
def test_clips_of_a_model_that_cannot_be_read_have_the_ids_of_their_rows() -> None:
    """The meta lists the clips: OculusTouchForQuest2_Left.fbx had each of its 19 twice."""
    settings = ModelSettings(0, clips=("Walk", "Run"), embedded=True, materials=("Mapped",))
    rows = [(7400000, 0, b"Walk"), (7400002, 0, b"Take 001"), (2100000, 0, b"Red"), (2100002, 0, b"Mapped")]
    found = model_objects(None, settings, stem="Guard", rows=rows)
    clips = {number: item for number, item in found.items() if item.class_name == "AnimationClip" and item.certain}
    assert clips == {
        7400000: ImportedObject("AnimationClip", "Walk", certain=True),
        hashed_id("AnimationClip", "Run"): ImportedObject("AnimationClip", "Run", certain=True),
    }
    assert found[7400002] == ImportedObject("AnimationClip", "Take 001", certain=False)
    assert (found[2100000].certain, found[2100002].certain) == (True, False)
    outside = model_objects(None, settings._replace(embedded=False), stem="Guard", rows=rows)
    assert not outside[2100000].certain


def test_cycles_shared_children_and_deep_chains_end() -> None:
    depth = 30_000
    objects = [Record("Model", (long(n), string(b"bone\x00\x01Model"), string("Null"))) for n in range(1, depth)]
    pairs = [(1, 0), (2, 0), *((n, n - 1) for n in range(2, depth)), (1, depth - 1), (5, 5), (0, 3)]
    links = [Record("C", (string("OO"), long(a), long(b))) for a, b in pairs]
    content = read_fbx(fbx(7500, [Record("Objects", (), tuple(objects)), Record("Connections", (), tuple(links))]))
    assert isinstance(content, FbxScene)
    found = model_objects(content, ModelSettings(2), stem="x")
    assert len(found) < 200_000
    assert sum(len(item.path) for item in found.values()) < 1 << 29
    deepest = max(item.path.count("/") for item in found.values())
    assert 1000 < deepest < depth


@pytest.mark.long
def test_exposed_transforms_are_bounded() -> None:
    settings = ModelSettings(2, exposed=tuple(map(str, range(70_000))))
    classes = Counter(item.class_name for item in model_objects(None, settings, stem="x").values())
    assert 60_000 < classes["GameObject"] < 70_000


@pytest.mark.long
def test_skeletons_with_cycles_end() -> None:
    skeleton = tuple((f"b{n}", f"b{(n + 1) % 5000}") for n in range(5000))
    found = model_objects(None, ModelSettings(2, skeleton=skeleton), stem="x")
    assert len(found) < 200_000


def _references(project: Path) -> Iterator[tuple[str, int]]:
    pattern = re.compile(rb"fileID: (-?\d+), guid: ([0-9a-f]{32})")
    for path in project.rglob("*"):
        if path.suffix in {".prefab", ".unity", ".asset", ".mat", ".controller", ".playable", ".meta"}:
            for file_id, guid in pattern.findall(path.read_bytes() if path.is_file() else b""):
                yield guid.decode(), int(file_id)


@pytest.mark.long
@pytest.mark.corpus("unity/unity-explorer", "unity/EntityComponentSystemSamples")
@pytest.mark.parametrize(
    ("folder", "unnamed", "least"), [("unity-explorer", 6, 1600), ("EntityComponentSystemSamples", 0, 1000)]
)
def test_references_of_generation_2_are_named_from_the_fbx_alone(
    corpus: Path, folder: str, unnamed: int, least: int
) -> None:
    models: dict[str, dict[int, ImportedObject]] = {}
    for meta in (corpus / "unity" / folder).rglob("*.[fF][bB][xX].meta"):
        settings = read_settings(meta.read_bytes())
        found = read_fbx(meta.with_suffix("").read_bytes()) if meta.with_suffix("").is_file() else None
        if settings.generation == 2 and isinstance(found, FbxScene):
            guid = re.search(r"guid: ([0-9a-f]{32})", meta.read_text())
            assert guid is not None
            models[guid[1]] = model_objects(found, settings, stem=meta.with_suffix("").stem)
    total = missed = guessed = 0
    for guid_text, file_id in _references(corpus / "unity" / folder):
        objects = models.get(guid_text)
        if objects is None or file_id == 100100000:
            continue
        total += 1
        item = objects.get(file_id)
        missed += item is None
        guessed += item is not None and not item.certain
    assert total > least
    assert missed == unnamed
    assert guessed == 0  # the rules for components say exactly which ones there are
