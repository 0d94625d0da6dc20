"""The rules by which Unity finds a model's materials, each as it was seen in a project."""

from __future__ import annotations

from struct import pack

import pytest

from assetdb.unity.importers.model_materials import (
    NOTHING,
    SoughtMaterials,
    found_materials,
    sought_materials,
)
from tests.assetdb.unity.importers.fbx_writer import Node, Record, fbx, long, model, string

META = """fileFormatVersion: 2
ModelImporter:
  externalObjects:
  - first:
      type: UnityEngine:Material
      assembly: UnityEngine.CoreModule
      name: Mapped
    second: {fileID: 2100000, guid: 0123456789abcdef0123456789abcdef, type: 2}
  materials:
    importMaterials: 1
    materialName: %d
    materialSearch: %d
"""


def meta(name: int = 1, search: int = 1) -> bytes:
    return (META % (name, search)).encode()


def sought(extension: str, stem: str, data: bytes, beside: bytes) -> SoughtMaterials:
    return sought_materials(extension, stem, beside, lambda: data)


def textured(*, version: int = 7400) -> bytes:
    """Two materials of one mesh, the second with a texture without a file and one with a file."""
    rows = [("Model", "Crate"), ("Material", "wood"), ("Material", "iron"), ("Texture", "file1"), ("Texture", "none")]
    objects = []
    for number, (kind, name) in enumerate(rows, start=1):
        full = string(name.encode() + b"\x00\x01" + kind.encode())
        head = (full, string("Mesh")) if version < 7000 else (long(number), full, string("Mesh"))
        vertices = Record("Vertices", (b"D" + pack("<d", 1.0),))
        files = (
            Record("FileName", (string("C:\\art\\old.psd"),)),
            Record("RelativeFilename", (string("..\\rust.png"),)),
        )
        objects.append(Record(kind, head, {"Crate": (vertices,), "file1": files}.get(name, ())))
    links = [("OO", 1, 0), ("OO", 2, 1), ("OO", 3, 1), ("OP", 5, 3), ("OP", 4, 3)]
    connections = [
        Record("C", (string(kind), long(child), long(parent), *([string("DiffuseColor")] if kind == "OP" else [])))
        for kind, child, parent in links
    ]
    return fbx(version, [Record("Objects", (), tuple(objects)), Record("Connections", (), tuple(connections))])


def early() -> bytes:
    """A model of version 6, whose textures hang from the Model in the order of its materials."""
    full = {name: string(f"{name}\x00\x01{kind}") for name, kind in [("Box", "Model"), ("a", "Material")]}
    full["b"], full["t1"], full["t2"] = (
        string(f"{n}\x00\x01{k}") for n, k in (("b", "Material"), ("t1", "Texture"), ("t2", "Texture"))
    )
    full["Scene"] = string("Scene\x00\x01Model")
    objects = [Record("Model", (full["Box"], string("Mesh")), (Record("Vertices", (b"D" + pack("<d", 1.0),)),))]
    objects += [Record("Material", (full[name], string(""))) for name in "ab"]
    objects += [
        Record("Texture", (full[name], string("")), (Record("FileName", (string(f"/x/{name}.tga"),)),))
        for name in ("t1", "t2")
    ]
    links = [("Box", "Scene"), ("a", "Box"), ("b", "Box"), ("t1", "Box"), ("t2", "Box")]
    connections = [Record("Connect", (string("OO"), full[child], full[parent])) for child, parent in links]
    return fbx(6100, [Record("Objects", (), tuple(objects)), Record("Connections", (), tuple(connections))])


@pytest.mark.parametrize(
    ("name", "names"),
    [
        (0, (("wood",), ("rust",))),
        (1, (("wood",), ("iron",))),
        (2, (("crate-wood",), ("crate-iron",))),
        (3, (("crate-wood",), ("rust", "crate-iron"))),
        (9, ()),
    ],
)
def test_what_a_material_file_is_called(name: int, names: tuple[tuple[str, ...], ...]) -> None:
    assert sought("fbx", "crate", textured(), meta(name, 2)) == SoughtMaterials(names, 2)


def test_textures_of_version_6_are_those_of_the_materials_in_order() -> None:
    assert sought("fbx", "box", early(), meta(0)).names == (("t1",), ("t2",))


def test_a_material_that_the_meta_maps_is_not_sought() -> None:
    content = model(7400, (Node("A", "Mesh", (), ("Mapped", "Map:Blue", "")), Node("B")))
    assert sought("fbx", "a", content, meta()).names == (("Map_Blue",), ("No Name",))


def test_a_mesh_without_a_material_has_one_without_a_name() -> None:
    content = model(7400, (Node("A", "Mesh"), Node("B", "Mesh", (), ("Red",))))
    assert sought("fbx", "a", content, meta()).names == (("Red",), ("No Name",))


def test_groups_of_an_obj_name_materials() -> None:
    data = b"mtllib gone.mtl\ng room\nusemtl wall\nf 1 1 1\n"
    assert sought("obj", "house", data, meta(3)).names == (("house-wall",), ("house-roomMat",))


@pytest.mark.parametrize("setting", ["materialLocation: 1", "importMaterials: 0", "materialImportMode: 0"])
def test_nothing_is_sought_outside_of_models_that_keep_their_materials(setting: str) -> None:
    own = meta().replace(b"importMaterials: 1", setting.encode())
    assert sought("fbx", "crate", textured(), own) == NOTHING
    assert sought("fbx", "crate", textured(), b"fileFormatVersion: 2\nguid: 00\n") == NOTHING
    assert sought("fbx", "crate", textured()[:-400], meta()) in (NOTHING, SoughtMaterials((), 1))
    assert sought("blend", "crate", b"BLENDER", meta()).names == ()


PATHS = {
    "red": ["Assets/Cars/Materials/Red.mat", "Assets/Materials/Red.mat", "Assets/Materials/red.mat", "Assets/Red.mat"],
    "blue": ["Assets/Other/Materials/blue.mat"],
}


@pytest.mark.parametrize(
    ("model_path", "names", "search", "found"),
    [
        ("Assets/Cars/car.fbx", ("Red",), 0, "Assets/Cars/Materials/Red.mat"),
        ("Assets/Cars/Old/car.fbx", ("Red",), 0, ""),
        ("Assets/Cars/Old/car.fbx", ("Red",), 1, "Assets/Cars/Materials/Red.mat"),
        ("Assets/Trees/tree.fbx", ("Red",), 1, "Assets/Materials/Red.mat"),
        ("Assets/Trees/tree.fbx", ("red",), 1, "Assets/Materials/red.mat"),
        ("Assets/Trees/tree.fbx", ("Blue",), 1, ""),
        ("Assets/Trees/tree.fbx", ("Blue",), 2, "Assets/Other/Materials/blue.mat"),
        ("Assets/Trees/tree.fbx", ("blue_ncl1_2",), 2, "Assets/Other/Materials/blue.mat"),
        ("Assets/Trees/tree.fbx", ("green", "Red"), 1, "Assets/Materials/Red.mat"),
        ("Packages/a/tree.fbx", ("Red",), 1, ""),
    ],
)
def test_where_a_material_is_found(model_path: str, names: tuple[str, ...], search: int, found: str) -> None:
    looking = SoughtMaterials((names, names), search)
    assert found_materials(model_path, looking, lambda name: PATHS.get(name, [])) == ([found] if found else [])
