"""Small binary assets of a project, as Unity writes them with Force Binary."""

from __future__ import annotations

from tests.assetdb.unity_project import guid
from tests.assetdb_formats.unityfs.builder import (
    POINTER,
    STRING,
    External,
    Kind,
    Packer,
    Thing,
    serialized_file,
    within,
)

NAME = (" string m_Name", *within(1, STRING))
VECTOR3 = ("  float x", "  float y", "  float z")
MATERIAL_TREE = (
    "Material Base",
    *NAME,
    " PPtr<Shader> m_Shader",
    *within(1, POINTER),
    " map m_Floats",
    "  Array Array",
    "   int size",
    "   pair data",
    "    string first",
    *within(4, STRING),
    "    float second",
    " vector m_Tags",
    "  Array Array",
    "   int size",
    "   int data",
    " vector m_Textures",
    "  Array Array",
    "   int size",
    "   PPtr<Texture> data",
    *within(3, POINTER),
    " bool m_DoubleSided!",
)
GAME_OBJECT_TREE = (
    "GameObject Base",
    " vector m_Component",
    "  Array Array",
    "   int size",
    "   ComponentPair data",
    "    PPtr<Component> component",
    *within(4, POINTER),
    " unsigned int m_Layer",
    *NAME,
    " bool m_IsActive!",
)
TRANSFORM_TREE = (
    "Transform Base",
    " PPtr<GameObject> m_GameObject",
    *within(1, POINTER),
    " Vector3f m_LocalPosition",
    *VECTOR3,
    " vector m_Children",
    "  Array Array",
    "   int size",
    "   PPtr<Transform> data",
    *within(3, POINTER),
    " PPtr<Transform> m_Father",
    *within(1, POINTER),
)
SCRIPT_TREE = (
    "MonoBehaviour Base",
    " PPtr<GameObject> m_GameObject",
    *within(1, POINTER),
    " UInt8 m_Enabled!",
    " PPtr<MonoScript> m_Script",
    *within(1, POINTER),
    *NAME,
    " PPtr<Material> skin",
    *within(1, POINTER),
    " int health",
)
NAMED_TREE = ("NamedObject Base", *NAME)
SCRIPT, SKIN, TEXTURE = 3, 101, 4
"""Numbers of the GUIDs of a script, a material and a texture; the script and the texture are of ``make_project``."""


def material(name: str = "Skin", cutoff: float = 0.5, texture: int = 2800000, version: int = 17) -> bytes:
    """Return a Material with a built-in shader, a number, an array of numbers, and a texture."""
    p = Packer()
    data = p.string(name.encode()) + p("iq", 1, 46)
    data += p("i", 1) + p.string(b"_Cutoff") + p("f", cutoff)
    data += p("iii", 2, 1, 258) + p("iiqiq", 2, 2, texture, 0, 0) + b"\1\0\0\0"
    externals = (
        External("resources/unity_builtin_extra", "0000000000000000f000000000000000"),
        External("", guid(TEXTURE), 3),
    )
    kinds = [Kind(21, MATERIAL_TREE)]
    return serialized_file([Thing(2100000, 21, data)], kinds, version=version, externals=externals, target=-2)


def prefab(health: int = 7, *, name: str = "Orc", skin: int = 2100000, trees: bool = True) -> bytes:
    """Return a prefab of two GameObjects; the child has a script that refers to the material."""
    p = Packer()

    def game_object(label: str, *components: int) -> bytes:
        parts = b"".join(p("iq", 0, number) for number in components)
        return p("i", len(components)) + parts + p("I", 0) + p.string(label.encode()) + b"\1\0\0\0"

    def transform(owner: int, father: int, *children: int) -> bytes:
        rows = p("i", len(children)) + b"".join(p("iq", 0, child) for child in children)
        return p("iqfff", 0, owner, 0, 1.5, 0.1) + rows + p("iq", 0, father)

    script = p("iq", 0, 200) + b"\1\0\0\0" + p("iq", 1, 11500000) + p.string(b"") + p("iq", 2, skin) + p("i", health)
    found = [
        Thing(100, 1, game_object(name, 101)),
        Thing(101, 4, transform(100, 0, 201)),
        Thing(200, 1, game_object("Head #1", 201, 300)),
        Thing(201, 4, transform(200, 101)),
        Thing(300, 114, script),
    ]
    kinds = [Kind(1, GAME_OBJECT_TREE), Kind(4, TRANSFORM_TREE), Kind(114, SCRIPT_TREE)]
    externals = (External("", guid(SCRIPT), 3), External("", guid(SKIN), 2))
    return serialized_file(found, kinds, version=17, externals=externals, target=-2, trees=trees)


def named(*objects: tuple[int, int, str], version: int = 21) -> bytes:
    """Return an asset of objects that have names alone: (fileID, class, name)."""
    p = Packer()
    kinds = [Kind(number, NAMED_TREE) for number in dict.fromkeys(number for _, number, _ in objects)]
    found = [Thing(file_id, number, p.string(name.encode())) for file_id, number, name in objects]
    return serialized_file(found, kinds, version=version, target=-2)


def scriptable_object(name: str, parts: tuple[tuple[int, str], ...] = ()) -> bytes:
    """Return a ScriptableObject, with others of its script in the asset: (fileID, name)."""
    p = Packer()

    def data(own: str) -> bytes:
        head = p("iq", 0, 0) + b"\1\0\0\0" + p("iq", 1, 11500000) + p.string(own.encode())
        return head + p("iqi", 0, 0, 1)

    found = [Thing(file_id, 114, data(own)) for file_id, own in (*parts, (11400000, name))]
    externals = (External("", guid(SCRIPT), 3),)
    return serialized_file(found, [Kind(114, SCRIPT_TREE)], version=22, externals=externals, target=-2)
