"""Objects that Unity makes of a scene."""

from __future__ import annotations

import pytest

from assetdb.unity.engine.file_ids import ImportedObject
from assetdb.unity.importers.fbx import FbxScene, read_fbx
from assetdb.unity.importers.model import model_objects
from assetdb.unity.importers.model_settings import ModelSettings
from tests.assetdb.unity.importers.fbx_writer import Node, Record, fbx, long, string
from tests.assetdb.unity.importers.test_model import certain, scene


def test_cameras_lights_levels_of_detail_colliders_and_animators() -> None:
    content = scene(
        Node("Eye", "Camera"),
        Node("Lamp", "Light"),
        Node("Tree", "Null", (Node("Tree_LOD0", "Mesh"),)),
        takes=("Sway",),
    )
    settings = ModelSettings(2, animation_type=2, colliders=True, cameras=True, lights=True)
    found = certain(model_objects(content, settings, stem="x"))
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


def test_the_clip_of_a_file_with_an_at_sign_is_called_by_what_follows() -> None:
    content = scene(Node("A"), Node("B"), takes=("Take 001",))
    rows = [(7400000, 0, b"Take 001")]
    found = model_objects(content, ModelSettings(0, animation_type=2), stem="Robot@back", rows=rows)
    assert found[7400000] == ImportedObject("AnimationClip", "back", certain=True)
    listed = ModelSettings(0, animation_type=2, clips=("Walk",))
    assert ("AnimationClip", "Walk") in certain(model_objects(content, listed, stem="Robot@back", rows=rows))
    assert ("AnimationClip", "back") not in certain(model_objects(content, listed, stem="Robot@back", rows=rows))
    none = ModelSettings(0, animation_type=2, animations=False)
    assert not any(kind == "AnimationClip" for kind, _ in certain(model_objects(content, none, stem="x", rows=rows)))


def test_materials_are_listed_only_where_they_are_the_models_own() -> None:
    content = scene(Node("A", "Mesh", (), ("Red", "Map:Blue")), Node("B"))
    own = ModelSettings(2, embedded=True, materials=("Map_Blue",))
    found = certain(model_objects(content, own, stem="x"))
    assert {name for kind, name in found if kind == "Material"} == {"Red"}
    for other in (ModelSettings(2), own._replace(has_materials=False)):
        assert not any(kind == "Material" for kind, _ in certain(model_objects(content, other, stem="x")))


@pytest.mark.parametrize(
    "settings",
    [
        ModelSettings(extra_root=True),
        ModelSettings(preserve_hierarchy=True),
        ModelSettings(skeleton=(("x(Clone)", ""), ("Bip001", ""))),
    ],
)
def test_a_single_root_is_kept(settings: ModelSettings) -> None:
    content = scene(Node("Bip001", children=(Node("Spine"),)))
    assert ("GameObject", "Bip001/Spine") in certain(model_objects(content, settings, stem="x"))
    assert ("GameObject", "Spine") in certain(model_objects(content, ModelSettings(), stem="x"))


def test_an_optimized_hierarchy_has_the_meshes_and_what_is_exposed() -> None:
    content = scene(Node("Hips", children=(Node("Spine", children=(Node("Hand"),)),)), Node("Body", "Skinned"))
    settings = ModelSettings(2, animation_type=2, optimized=True, exposed=("Hips/Spine/Hand",))
    paths = {path for kind, path in certain(model_objects(content, settings, stem="x")) if kind == "GameObject"}
    assert paths == {"", "Hand", "Body"}


def test_a_model_without_or_with_another_avatar_has_no_animator() -> None:
    content = scene(Node("A"), Node("B"))
    for is_without in (False, True):
        settings = ModelSettings(2, animation_type=3, no_avatar=is_without)
        found = certain(model_objects(content, settings, stem="Robot"))
        assert (("Animator", "") in found, ("Avatar", "RobotAvatar") in found) == (not is_without, not is_without)


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


@pytest.mark.parametrize(
    ("name", "is_level"),
    [("Oak_LOD0", True), ("Oak_lod12", True), ("7", False), ("Oak_LODs", False), ("Oak_LOD", False), ("LOD0", False)],
)
def test_an_object_has_levels_of_detail_by_the_names_below_it(name: str, *, is_level: bool) -> None:
    content = scene(Node("Tree", "Null", (Node(name, "Mesh"),)), Node("Rock", "Mesh"))
    found = certain(model_objects(content, ModelSettings(2), stem="x"))
    assert (("LODGroup", "Tree") in found) is is_level
    assert ("LODGroup", "Rock") not in found
