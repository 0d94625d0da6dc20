from __future__ import annotations

import json
import random
import re
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from assetdb.unity.engine.file_ids import ImportedObject, hashed_id
from assetdb.unity.importers.scripted import EXTENSIONS, scripted_objects
from assetdb.unity.kinds import main_file_id
from tests.assetdb.unity.importers.gltf_writer import glb

if TYPE_CHECKING:
    from pathlib import Path


MODEL = {
    "scenes": [{"name": "Scene", "nodes": [0, 2]}],
    "nodes": [
        {"name": "Armature", "children": [1]},
        {"name": "Hips", "children": [3]},
        {"name": "Body", "mesh": 0},
        {"children": [2]},
    ],
    "meshes": [{"name": "Body_mesh"}, {}],
    "materials": [{"name": "Skin"}],
    "animations": [{"name": "Idle"}, {"name": "Idle"}],
    "images": [{"name": "skin_color"}],
}


@pytest.mark.parametrize("extension", sorted(EXTENSIONS))
def test_the_main_object_needs_no_file(extension: str) -> None:
    found = scripted_objects(extension.upper(), b"", stem="x")
    main = main_file_id(extension, "ScriptedImporter")
    if extension not in {"glb", "gltf", "nn", "onnx"}:
        assert main is not None
        assert found[main].path == ""
        assert found[main].certain


def test_ids_of_real_files() -> None:
    assert hashed_id("MonoBehaviour", "main obj") == 5022602860645237092
    assert hashed_id("MonoBehaviour", "themeStyleSheet") == -4733365628477956816
    assert scripted_objects("shadergraph", b"", stem="x")[4333940904281232215].path == "VFXShaderGraph"
    marker = scripted_objects("glb", b"", stem="DestinationMarker")
    assert marker[-3910990755373119420] == ImportedObject("Transform", "", certain=False)
    assert marker[8771091787928289351] == ImportedObject("GameObject", "", certain=False)
    assert marker[-4161369568681901532] == ImportedObject("PrefabInstance", "", certain=False)
    assert scripted_objects("glb", b"", stem="Lever")[-4280694858455956934].class_name == "AnimationClip"


def test_input_actions() -> None:
    identity = "b2f4a7c1-0000-4f0e-9d2b-1d3a5b7c9e0f"
    value = {
        "name": "Controls",
        "maps": [{"name": "UI", "actions": [{"name": "Submit", "id": identity}, {"name": "X"}]}],
    }
    found = scripted_objects("inputactions", json.dumps(value).encode(), stem="Controls")
    assert found[hashed_id("MonoBehaviour", identity)] == ImportedObject(
        "InputActionReference", "UI/Submit", certain=True
    )
    assert found[hashed_id("MonoBehaviour", "UI/X")] == ImportedObject("InputActionReference", "UI/X", certain=True)
    assert found[-944628639613478452] == ImportedObject("InputActionAsset", "", certain=True)


@pytest.mark.parametrize(("extension", "data"), [("glb", glb(MODEL)), ("gltf", json.dumps(MODEL).encode())])
def test_gltf(extension: str, data: bytes) -> None:
    found = scripted_objects(extension, data, stem="Guard")
    assert found[-3910990755373119420] == ImportedObject("Transform", "", certain=True)
    hips = found[hashed_id("Transform", "scenes/Scene/Scene/Armature/Hips/Transform")]
    assert hips == ImportedObject("Transform", "Armature/Hips", certain=True)
    body = found[hashed_id("SkinnedMeshRenderer", "scenes/Scene/Scene/Body/SkinnedMeshRenderer")]
    assert body == ImportedObject("SkinnedMeshRenderer", "Body", certain=False)
    assert found[hashed_id("AnimationClip", "animations/Idle")] == ImportedObject("AnimationClip", "Idle", certain=True)
    assert found[hashed_id("Mesh", "meshes/Body_mesh")].certain
    assert found[hashed_id("Texture2D", "textures/skin_color")].path == "skin_color"
    assert found[hashed_id("Mesh", "meshes/Guard")] == ImportedObject("Mesh", "Guard", certain=False)
    assert found[hashed_id("Transform", "scenes/Scene/Armature/Hips/Transform")].path == "Hips"


def test_deep_and_round_hierarchies_end() -> None:
    nodes = [{"name": "bone", "children": [number + 1, 0]} for number in range(20_000)]
    found = scripted_objects("glb", glb({"scenes": [{"nodes": [0, 0, -1, "x", 10**9]}], "nodes": nodes}), stem="x")
    assert 1000 < max(item.path.count("/") for item in found.values()) < 20_000


@pytest.mark.long
@pytest.mark.parametrize(
    ("extension", "data"),
    [
        ("gltf", b'{"scenes": [%b{}]}' % (b"{}," * 70_000)),
        ("inputactions", b'{"maps": [{"actions": [%b{}]}]}' % (b"{}," * 70_000)),
    ],
)
def test_items_without_nodes_are_bounded_as_well(extension: str, data: bytes) -> None:
    classes = Counter(item.class_name for item in scripted_objects(extension, data, stem="x").values())
    assert 60_000 < classes["Transform" if extension == "gltf" else "InputActionReference"] < 70_000


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"[]", b"null", b"glTF", b"[" * 100_000, b"version https://git-lfs.github.com/spec/v1\n", glb([]),
     glb({"scenes": 1, "nodes": {}, "meshes": [1, None], "maps": [{"actions": "x"}, 3], "animations": [{"name": 4}]}),
     glb(MODEL)[:-40], json.dumps({"maps": [{"name": "\ud800", "actions": [{"name": "\udfff", "id": 1}]}]}).encode()],
)  # fmt: skip
@pytest.mark.parametrize("extension", ["glb", "inputactions", "uxml", "unknown"])
def test_bad_files_name_what_needs_no_file(data: bytes, extension: str) -> None:
    found = scripted_objects(extension, data, stem="x")
    assert bool(found) == (extension != "unknown")
    for item in found.values():
        item.path.encode()


def test_mutations() -> None:
    source = random.Random(5)
    base = glb(MODEL)
    for _ in range(300):
        changed = bytearray(base)
        for _ in range(3):
            changed[source.randrange(len(changed))] = source.choice(b'{}[]":,0a\xff')
        for extension in ("glb", "gltf", "inputactions"):
            scripted_objects(extension, bytes(changed), stem="x")


@pytest.mark.corpus("unity/unity-explorer")
def test_every_reference_to_real_input_actions_is_named(corpus: Path) -> None:
    project = corpus / "unity" / "unity-explorer"
    tables = {}
    for path in project.rglob("*.inputactions"):
        guid = re.search(r"guid: ([0-9a-f]{32})", path.with_name(path.name + ".meta").read_text())
        assert guid is not None
        tables[guid[1].encode()] = scripted_objects("inputactions", path.read_bytes(), stem=path.stem)
    counts = {True: 0, False: 0}
    for path in project.rglob("*"):
        if path.suffix in {".prefab", ".unity", ".asset"} and path.is_file():
            for file_id, guid_text in re.findall(rb"fileID: (-?\d+), guid: ([0-9a-f]{32})", path.read_bytes()):
                if guid_text in tables:
                    counts[int(file_id) in tables[guid_text]] += 1
    assert counts == {True: counts[True], False: 0}
    assert counts[True] > 30
