import re
from pathlib import Path

import pytest

from assetdb.unity.importers.fbx import ROOT, FbxScene, NotBinaryFbx, read_fbx
from assetdb.unity.importers.fbx_text import read_fbx_text, read_obj
from assetdb.unity.importers.model import model_objects
from assetdb.unity.importers.model_scene import read_scene
from assetdb.unity.importers.model_settings import ModelSettings, read_settings
from assetdb.unity.kinds import PREFAB_MAIN
from tests.assetdb.unity.importers.fbx_writer import Node, model
from tests.assetdb.unity.importers.test_model import certain

MODERN = b"""; FBX 7.5.0 project file
FBXHeaderExtension:  {
	FBXVersion: 7500
	OtherFlags:  {
		Model: 1, "Model::not an object", "Mesh" {
		}
	}
}
Objects:  {
	Geometry: 10, "Geometry::", "Mesh" {
		Vertices: *6 {
			a: 0,0,0,1,1,1
		}
	}
	Model: 20, "Model::Car {old}", "Null" {
		Properties70:  {
			P: "Model", "KString", "", "", "Model::no"
		}
	}
	Model: 30, "Model::Wheel", "Mesh" {
	}
	Model: -40, "Model::Door", "Mesh" {
	}
	Material: 50, "Material::Rubber", "" {
	}
	AnimationStack: 60, "AnimStack::Roll", "" {
	}
	AnimationCurve: 70, "AnimCurve::", "" {
	}
}
Connections:  {
	;Model::Car, Model::RootNode
	C: "OO",20,0
	C: "OO",30,20
	C: "OO",-40,20
	C: "OO",10,30
	C: "OP",50,30, "DiffuseColor"
	C: "OO",50,30
	C: "OO",99,20
}
Takes:  {
	Current: ""
	Take: "Roll" {
	}
}
"""
EARLY = b"""; FBX 6.1.0 project file
FBXVersion: 6100
Objects:  {
	Model: "Model::Plane", "Mesh" {
		Vertices: 1,2,3
	}
	Model: "Model::Producer Top", "Camera" {
	}
}
Relations:  {
	Model: "Model::Plane", "Mesh" {
	}
}
Connections:  {
	Connect: "OO", "Model::Plane", "Model::Scene"
}
Takes:  {
	Take: "Default Take" {
		Model: "Model::Plane" {
			Channel: "Transform" {
			}
		}
	}
}
"""


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_ascii_fbx_of_version_7(newline: bytes) -> None:
    found = read_scene("fbx", MODERN.replace(b"\n", newline))
    assert found is not None
    assert [(item.id, item.kind, item.name, item.subclass) for item in found.objects] == [
        (10, "Geometry", "", "Mesh"),
        (20, "Model", "Car {old}", "Null"),
        (30, "Model", "Wheel", "Mesh"),
        (-40, "Model", "Door", "Mesh"),
        (50, "Material", "Rubber", ""),
        (60, "AnimationStack", "Roll", ""),
    ]
    assert found.connections == ((20, ROOT), (30, 20), (-40, 20), (10, 30), (50, 30))
    assert found.diffuse == ((50, 30),)
    assert (found.version, found.takes, found.animated, found.drops_root) == (7500, ("Roll",), True, True)
    assert {
        ("GameObject", ""), ("GameObject", "Wheel"), ("MeshFilter", "Wheel"), ("Mesh", "Wheel"),
        ("GameObject", "Door"), ("AnimationClip", "Roll"),
    } <= certain(model_objects(found, ModelSettings(2), stem="x"))  # fmt: skip


def test_ascii_fbx_of_version_6_has_its_vertices_in_the_model() -> None:
    found = read_fbx_text(EARLY)
    assert [(item.name, item.geometry) for item in found.objects] == [("Plane", True), ("Producer Top", False)]
    assert found.connections == ((1, ROOT),)
    assert found.animated
    objects = certain(model_objects(found, ModelSettings(animation_type=2), stem="Plane"))
    assert ("AnimationClip", "Default Take") in objects
    assert not any(path == "Producer Top" for _, path in objects)


def test_groups_with_faces_are_nodes_below_the_root() -> None:
    data = b"mtllib a.mtl\ng default\nv 0 0 0\ng Mesh1 Model\nusemtl Steel\nf 1 1 1\nf 1 1 1\ng empty\n"
    found = read_scene("obj", data)
    assert found is not None
    objects = certain(model_objects(found, ModelSettings(0), stem="Cone"))
    assert objects == {
        ("GameObject", ""), ("Transform", ""),
        ("GameObject", "Mesh1_Model"), ("Transform", "Mesh1_Model"),
        ("MeshFilter", "Mesh1_Model"), ("MeshRenderer", "Mesh1_Model"), ("Mesh", "Mesh1_Model"),
    }  # fmt: skip
    assert [item.name for item in found.objects if item.kind == "Material"] == ["Steel"]
    assert [item.name for item in read_obj(b"f 1 1 1\n").objects] == ["default"]


def test_what_is_no_scene() -> None:
    assert read_scene("blend", MODERN) is None
    assert read_scene("fbx", b"; FBX 7.3.0 project file\n") is None
    assert read_scene("fbx", b"version https://git-lfs.github.com/spec/v1") is None
    assert read_scene("obj", b"g a\0\nf 1 1 1") is None
    assert isinstance(read_scene("fbx", model(7400, (Node("A"),))), FbxScene)


def test_damaged_text_ends() -> None:
    for data in (
        b"Objects: {\n" * 50_000,
        b"}\n" * 50_000,
        b'Objects: {\nModel: 1, "' + b"x" * 400_000,
        b'Objects: {\nModel: 9999999999999999999999999, "Model::a", "" {\n',
        b"Objects: " + b" " * 400_000,
        b'FBXVersion: 7500\nConnections: {\nC: "OO"\nC: "OO",1\n',
    ):
        assert read_fbx_text(data).connections == ()
        assert read_obj(data).objects == ()


@pytest.mark.corpus("unity/EntityComponentSystemSamples")
def test_references_to_real_ascii_models_are_named(corpus: Path) -> None:
    models = {}
    project = corpus / "unity" / "EntityComponentSystemSamples"
    for path in project.rglob("*.[fF][bB][xX]"):
        data = path.read_bytes()
        if read_fbx(data) == NotBinaryFbx("ascii"):
            meta = path.with_name(path.name + ".meta").read_bytes()
            guid = re.search(rb"guid: ([0-9a-f]{32})", meta)
            assert guid is not None
            rows = [(int(number), 0, name) for number, name in re.findall(rb"\n    (-?\d+): (.*)", meta)]
            settings = read_settings(meta)
            assert settings != ModelSettings()
            models[guid[1]] = model_objects(read_fbx_text(data), settings, stem=path.stem, rows=rows)
    assert len(models) == 8
    named = 0
    for path in project.rglob("*"):
        if path.suffix in {".prefab", ".unity", ".asset"} and path.is_file():
            for file_id, guid_text in re.findall(rb"fileID: (-?\d+), guid: ([0-9a-f]{32})", path.read_bytes()):
                if guid_text in models:
                    assert models[guid_text][int(file_id)].certain or int(file_id) == PREFAB_MAIN, path
                    named += 1
    assert named > 80
