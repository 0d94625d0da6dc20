from __future__ import annotations

import random
import re
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from assetdb.unity.engine.file_ids import ImportedObject, hashed_id
from assetdb.unity.importers.fbx import FbxScene, read_fbx
from assetdb.unity.importers.model import AVATAR, ModelSettings, model_objects, read_settings
from assetdb.unity.yaml.scalars import scalar_at
from tests.assetdb.unity.importers.fbx_writer import Node, Record, fbx, long, model, string
from tests.long_cases import long_after

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
    assert found[ROOT_GAME_OBJECT] == ImportedObject("GameObject", "", certain=False)
    assert found[ROOT_TRANSFORM] == ImportedObject("Transform", "", certain=False)
    assert found[AVATAR] == ImportedObject("Avatar", "", certain=False)
    assert found[100100000] == ImportedObject("Prefab", "", certain=True)
    assert found[hashed_id("Mesh", "Car")] == ImportedObject("Mesh", "Car", certain=False)
    assert model_objects(None, ModelSettings(2, animation_type=3), stem="Car")[AVATAR].certain


@pytest.mark.parametrize("version", [6100, 7100, 7400, 7500, 7700])
def test_two_roots_stay(version: int) -> None:
    content = scene(Node("A", "Mesh", (Node("Hand"),), ("Red",)), Node("B", "Skinned"), takes=("Run",), version=version)
    found = model_objects(content, ModelSettings(2), stem="x")
    assert found[hashed_id("GameObject", "//RootNode/root/A/Hand")] == ImportedObject(
        "GameObject", "A/Hand", certain=True
    )
    assert found[hashed_id("MeshFilter", "//RootNode/root/A/MeshFilter")].path == "A"
    assert found[hashed_id("AnimationClip", "__preview__Run")].certain
    expected = {
        ("Prefab", ""), ("GameObject", ""), ("Transform", ""),
        ("GameObject", "A"), ("Transform", "A"), ("MeshFilter", "A"), ("MeshRenderer", "A"),
        ("GameObject", "A/Hand"), ("Transform", "A/Hand"),
        ("GameObject", "B"), ("Transform", "B"), ("SkinnedMeshRenderer", "B"),
        ("Mesh", "A"), ("Mesh", "B"), ("Material", "Red"),
        ("AnimationClip", "Run"), ("AnimationClip", "__preview__Run"),
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
def test_early_generations_have_no_root_segment_and_no_component_suffix(generation: int) -> None:
    content = scene(Node("A", "Mesh"), Node("B"))
    found = model_objects(content, ModelSettings(generation), stem="x")
    assert found[hashed_id("MeshRenderer", "//RootNode/A")] == ImportedObject("MeshRenderer", "A", certain=True)
    assert found[-4216859302048453862] == ImportedObject("Transform", "", certain=True)


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


def test_equal_siblings_are_counted() -> None:
    content = scene(Node("A", "Mesh"), Node("A", "Mesh"), Node("B"))
    found = model_objects(content, ModelSettings(2), stem="x")
    for number in (0, 1):
        assert found[hashed_id("GameObject", "//RootNode/root/A", number)].certain
        assert found[hashed_id("MeshFilter", "//RootNode/root/A/MeshFilter", number)].certain
        assert found[hashed_id("Mesh", "A", number)].certain
    assert hashed_id("GameObject", "//RootNode/root/A", 2) not in found


def test_cameras_lights_levels_of_detail_colliders_and_animators() -> None:
    content = scene(
        Node("Eye", "Camera"),
        Node("Lamp", "Light"),
        Node("Tree", "Null", (Node("Tree_LOD0", "Mesh"),)),
        takes=("Sway",),
    )
    found = certain(model_objects(content, ModelSettings(2, animation_type=2, colliders=True), stem="x"))
    assert {
        ("Camera", "Eye"),
        ("Light", "Lamp"),
        ("LODGroup", "Tree"),
        ("MeshCollider", "Tree/Tree_LOD0"),
        ("Animator", ""),
    } <= found
    assert ("Animation", "") not in found
    assert ("Animation", "") in certain(model_objects(content, ModelSettings(2, animation_type=1), stem="x"))


def test_a_blend_shape_makes_a_skinned_renderer_and_is_no_mesh() -> None:
    objects = [
        Record("Model", (long(1), string(b"Face\x00\x01Model"), string("Mesh"))),
        Record("Geometry", (long(2), string(b"\x00\x01Geometry"), string("Mesh"))),
        Record("Deformer", (long(3), string(b"\x00\x01Deformer"), string("BlendShape"))),
        Record("Geometry", (long(4), string(b"Smile\x00\x01Geometry"), string("Shape"))),
        Record("Model", (long(5), string(b"Empty\x00\x01Model"), string("Null"))),
    ]
    links = [Record("C", (string("OO"), long(a), long(b))) for a, b in ((1, 0), (2, 1), (3, 2), (4, 5), (5, 0))]
    content = read_fbx(fbx(7400, [Record("Objects", (), tuple(objects)), Record("Connections", (), tuple(links))]))
    assert isinstance(content, FbxScene)
    found = certain(model_objects(content, ModelSettings(2), stem="x"))
    assert ("SkinnedMeshRenderer", "Face") in found
    assert ("MeshFilter", "Face") not in found
    assert ("Mesh", "Smile") not in found
    assert ("MeshFilter", "Empty") not in found


META = b"""\
fileFormatVersion: 2
guid: 0123456789abcdef0123456789abcdef
ModelImporter:
  serializedVersion: 22200
  externalObjects:
  - first:
      type: UnityEngine:Material
      assembly: UnityEngine.CoreModule
      name: 'Paint: red'
    second: {fileID: 2100000, guid: 0123456789abcdef0123456789abcdef, type: 2}
  - first:
      type: UnityEngine:Texture2D
      assembly: UnityEngine.CoreModule
      name: not a material
    second: {fileID: 2800000, guid: 0123456789abcdef0123456789abcdef, type: 3}
  animations:
    extraExposedTransformPaths:
    - Hips/Hand
    clipAnimations:
    - serializedVersion: 16
      name: "Walk\\u2122"
      takeName: Take 001
      events:
      - time: 0
      curves:
      - name: no clip
    isReadable: 1
  meshes:
    addColliders: 1
    fileIdsGeneration: 2
    preserveHierarchy: 1
  humanDescription:
    serializedVersion: 3
    human:
    - boneName: Hips
      humanName: Hips
    skeleton:
    - name: Guard(Clone)
      parentName:
      position: {x: 0, y: 0, z: 0}
    - name: Hips
      parentName: Guard(Clone)
      position: {x: 0, y: 0, z: 0}
    - name: Spine
      parentName: Hips
    armTwist: 0.5
  animationType: 3
  additionalBone: 0
"""


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_settings_of_a_meta(newline: bytes) -> None:
    assert read_settings(META.replace(b"\n", newline)) == ModelSettings(
        generation=2,
        preserve_hierarchy=True,
        animation_type=3,
        colliders=True,
        clips=("Walk\u2122",),
        takes=("Take 001",),
        materials=("Paint: red",),
        skeleton=(("Guard(Clone)", ""), ("Hips", "Guard(Clone)"), ("Spine", "Hips")),
        exposed=("Hips/Hand",),
    )
    assert read_settings(b"fileFormatVersion: 2\nguid: 00\n") == ModelSettings()


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


def test_many_nodes_may_share_a_geometry_of_many_deformers() -> None:
    count = 3000
    objects = [Record("Geometry", (long(1), string(b"\x00\x01Geometry"), string("Mesh")))]
    links = []
    for number in range(10, 10 + count):
        objects.append(Record("Model", (long(number), string(b"n%d\x00\x01Model" % number), string("Mesh"))))
        objects.append(Record("Deformer", (long(-number), string(b"\x00\x01Deformer"), string("Cluster"))))
        links += [(number, 0), (1, number), (-number, 1)]
    records = [Record("C", (string("OO"), long(a), long(b))) for a, b in links]
    content = read_fbx(fbx(7400, [Record("Objects", (), tuple(objects)), Record("Connections", (), tuple(records))]))
    assert isinstance(content, FbxScene)
    found = certain(model_objects(content, ModelSettings(2), stem="x"))
    assert sum(kind == "MeshFilter" for kind, _ in found) == count


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


def test_a_line_that_holds_a_key_a_hundred_thousand_times_is_read_once() -> None:
    for key in (b" animationType: 1x", b" skeleton:x", b" skeleton:"):
        assert read_settings(b"\nModelImporter:\n " + key * 100_000 + b"\n") == ModelSettings()


# --- the settings once more, by patterns


_CLIP = re.compile(rb"\n(      |    - )name:")
_TAKE = re.compile(rb"\n(      |    - )takeName:")
_MAPPED = re.compile(rb"\n +type: UnityEngine:Material\n +assembly: .*\n( +)name:")
_EXPOSED = re.compile(rb"\n( +)- ")
_NUMBER = re.compile(rb"\n +(fileIdsGeneration|preserveHierarchy|animationType|addColliders): *(\d{1,9})(?=\n|\Z)")


def block_by_pattern(meta: bytes, key: bytes) -> bytes:
    found = re.search(rb"\n( +)" + key + rb":[ \t]*(?=\n)", meta)
    if found is None:
        return b""
    end = re.compile(rb"\n {0,%d}(?![ -])" % len(found[1])).search(meta, found.end())
    return meta[found.end() : end.start() if end else len(meta)]


def settings_by_patterns(meta: bytes) -> ModelSettings:
    meta = meta.replace(b"\r\n", b"\n")
    numbers = {key: int(value) for key, value in _NUMBER.findall(meta)}

    def values(pattern: re.Pattern[bytes], key: bytes) -> tuple[str, ...]:
        block = block_by_pattern(meta, key)
        return tuple(dict.fromkeys(scalar_at(block, item.end(), len(item[1])) for item in pattern.finditer(block)))

    bones = block_by_pattern(meta, b"skeleton")
    starts = [*re.finditer(rb"\n( +- )name:", bones)]
    ends = [*(bone.start() for bone in starts[1:]), len(bones)]
    skeleton = []
    for bone, end in zip(starts, ends, strict=False):
        parent = re.compile(rb"\n( +)parentName:").search(bones, bone.end(), end)
        above = scalar_at(bones, parent.end(), len(parent[1])) if parent else ""
        skeleton.append((scalar_at(bones, bone.end(), len(bone[1])), above))
    return ModelSettings(
        numbers.get(b"fileIdsGeneration", 0),
        bool(numbers.get(b"preserveHierarchy")),
        numbers.get(b"animationType"),
        bool(numbers.get(b"addColliders")),
        values(_CLIP, b"clipAnimations"),
        values(_TAKE, b"clipAnimations"),
        values(_MAPPED, b"externalObjects"),
        tuple(skeleton),
        values(_EXPOSED, b"extraExposedTransformPaths"),
    )


@pytest.mark.corpus("unity/BoatAttack", "unity/FPSSample")
@pytest.mark.parametrize("name", long_after(1, ["BoatAttack", "FPSSample"]))
def test_settings_of_real_metas_whole_and_damaged(corpus: Path, name: str) -> None:
    chooser = random.Random(23)
    metas = [path.read_bytes() for path in sorted((corpus / "unity" / name).rglob("*.meta"))]
    models = [meta for meta in metas if b"ModelImporter" in meta]
    assert models
    for meta in models:
        assert read_settings(meta) == settings_by_patterns(meta)
    for _ in range(500):
        data = bytearray(chooser.choice(models))
        for _ in range(chooser.randint(1, 30)):
            place = chooser.randrange(len(data))
            if chooser.random() < 0.5:
                data[place] = chooser.choice(b"\n -:#'\" 0a\t")
            else:
                del data[place : place + chooser.randint(1, 4)]
        assert read_settings(bytes(data)) == settings_by_patterns(bytes(data)), bytes(data)
