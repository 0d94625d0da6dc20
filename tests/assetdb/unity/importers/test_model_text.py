import re
from pathlib import Path

import pytest

from assetdb.unity.importers.fbx import NotBinaryFbx, read_fbx
from assetdb.unity.importers.model import ModelSettings, model_objects, read_settings
from assetdb.unity.importers.model_text import names_in_text

FBX = b"""; FBX 7.3.0 project file
Objects:  {
	Geometry: 1, "Geometry::", "Mesh" {
	}
	Model: 2, "Model::Wheel", "Mesh" {
	}
	Material: 3, "Material::Rubber", "" {
	}
	AnimationStack: 4, "AnimStack::Roll", "" {
	}
	Model: 5, "Model::Wheel", "Mesh" {
	}
}
"""
OBJ = b"# comment\r\nmtllib a.mtl\r\no Body\r\nv 0 0 0\r\ng Door handle\r\nusemtl Steel\r\nf 1 1 1\r\ngroup no\r\n"
DAE = b"""<library_geometries><geometry id="a-mesh" name="Cube"><mesh/></geometry></library_geometries>
<node id="n" name="Lamp" type="NODE"><node name='single'/></node><effect name="no"/>"""


@pytest.mark.parametrize(
    ("extension", "data", "names"),
    [
        ("FBX", FBX, ("Wheel", "Rubber", "Roll")),
        ("obj", OBJ, ("Body", "Door handle", "Steel")),
        ("dae", DAE, ("Cube", "Lamp")),
        ("blend", OBJ, ()),
        ("obj", b"", ()),
        ("obj", b"\0" + OBJ, ()),
    ],
)
def test_names(extension: str, data: bytes, names: tuple[str, ...]) -> None:
    assert names_in_text(extension, data) == names


def test_names_are_not_without_end() -> None:
    assert len(names_in_text("obj", b"".join(b"g part%d\n" % number for number in range(10_000)))) == 4096
    for data in (b'"Model::' * 50_000, b"<node " * 50_000, b"g " * 50_000, b'<node name="' + b"x" * 400_000):
        for extension in ("fbx", "obj", "dae"):
            assert len(names_in_text(extension, data)) <= 4096


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
            names = names_in_text("fbx", data)
            models[guid[1]] = model_objects(None, settings, stem=path.stem, rows=rows, guesses=names)
    assert len(models) == 8
    named = 0
    for path in project.rglob("*"):
        if path.suffix in {".prefab", ".unity", ".asset"} and path.is_file():
            for file_id, guid_text in re.findall(rb"fileID: (-?\d+), guid: ([0-9a-f]{32})", path.read_bytes()):
                if guid_text in models:
                    assert int(file_id) in models[guid_text], path
                    named += 1
    assert named > 80
