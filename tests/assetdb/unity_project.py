"""A small Unity project on disk, made by the tests: one of everything that names are made of."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n"
MASK = (1 << 63) - 1

SETTLED = 0.1  # seconds after which a file is told from what it may become: of what is younger nothing is kept


def guid(number: int) -> str:
    return f"{number:032x}".replace("0", "a", 1)


def write(
    root: Path, path: str, number: int, text: str | bytes, importer: str = "DefaultImporter:\n  userData: \n"
) -> None:
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(text if isinstance(text, bytes) else text.encode())
    write_meta(root, path, number, importer)


def write_meta(root: Path, path: str, number: int, importer: str) -> None:
    (root / f"{path}.meta").parent.mkdir(parents=True, exist_ok=True)
    (root / f"{path}.meta").write_text(f"fileFormatVersion: 2\nguid: {guid(number)}\n{importer}", newline="\n")


def game_object(number: int, name: str, father: int = 0, components: str = "") -> str:
    """A GameObject ``number`` with a Transform ``number + 1``, which lists its own of some components."""
    own = re.findall(rf"&(-?\d+)\n\w+:\n  m_GameObject: {{fileID: {number}}}", components)
    rows = "".join(f"  - component: {{fileID: {anchor}}}\n" for anchor in (number + 1, *own))
    return (
        f"--- !u!1 &{number}\nGameObject:\n  m_Component:\n{rows}  m_Name: {name}\n"
        f"--- !u!4 &{number + 1}\nTransform:\n  m_GameObject: {{fileID: {number}}}\n  m_Father: {{fileID: {father}}}\n"
        f"{components}"
    )


def component(class_id: int, number: int, owner: int, kind: str, extra: str = "") -> str:
    return f"--- !u!{class_id} &{number}\n{kind}:\n  m_GameObject: {{fileID: {owner}}}\n{extra}"


def instance(number: int, source: int, parent: int = 0, names: dict[int, str] | None = None) -> str:
    changes = "".join(
        f"    - target: {{fileID: {target}, guid: {guid(source)},\n        type: 3}}\n      propertyPath: m_Name\n"
        f"      value: {name}\n      objectReference: {{fileID: 0}}\n"
        for target, name in (names or {}).items()
    )
    return (
        f"--- !u!1001 &{number}\nPrefabInstance:\n  m_Modification:\n    m_TransformParent: {{fileID: {parent}}}\n"
        f"    m_Modifications:\n{changes}    m_RemovedComponents: []\n"
        f"  m_SourcePrefab: {{fileID: 100100000, guid: {guid(source)}, type: 3}}\n"
    )


def stripped(class_id: int, number: int, kind: str, source: int, there: int, placed: int) -> str:
    return (
        f"--- !u!{class_id} &{number} stripped\n{kind}:\n"
        f"  m_CorrespondingSourceObject: {{fileID: {there}, guid: {guid(source)},\n    type: 3}}\n"
        f"  m_PrefabInstance: {{fileID: {placed}}}\n"
    )


SPRITES = """TextureImporter:
  internalIDToNameTable: []
  spriteMode: 2
  textureType: 8
  spriteSheet:
    serializedVersion: 2
    sprites:
    - serializedVersion: 2
      name: tiles_first
      internalID: 555
    - serializedVersion: 2
      name: tiles_second
      internalID: -666
    outline: []
    internalID: 0
"""


def make_project(root: Path) -> Path:
    """Write the project; its numbers are those of the GUIDs."""
    (root / "ProjectSettings").mkdir(parents=True)
    head = component(
        114, 300, 200, "MonoBehaviour", f"  m_Script: {{fileID: 11500000, guid: {guid(3)}, type: 3}}\n  m_Name: \n"
    )
    body = game_object(100, "Player") + game_object(200, "Body", 101, head) + game_object(400, "'Head #1'", 201)
    write(root, "Assets/Prefabs/Player.prefab", 1, HEAD + body, "PrefabImporter:\n  userData: \n")
    outer = game_object(100, "Level") + instance(7000, 1, 101, {100: "Hero"})
    outer += stripped(4, 7000 ^ 201, "Transform", 1, 201, 7000)
    outer += game_object(500, "Sword", 7000 ^ 201)
    write(root, "Assets/Prefabs/Level.prefab", 2, HEAD + outer, "PrefabImporter:\n  userData: \n")
    write(root, "Assets/Scripts/Health.cs", 3, "class Health {}\n", "MonoImporter:\n  userData: \n")
    write(root, "Assets/Art/tiles.png", 4, b"\x89PNG", SPRITES)
    single = SPRITES.replace("spriteMode: 2", "spriteMode: 1").replace("tiles_", "old_")
    write(root, "Assets/Art/icon.png", 5, b"\x89PNG", single)
    model = "ModelImporter:\n  serializedVersion: 1\n  internalIDToNameTable:\n"
    model += "  - first:\n      43: 4300000\n    second: Hull\n  fileIdsGeneration: 1\n"
    write(root, "Assets/Art/boat.fbx", 6, b"", model)
    behaviour = f"""--- !u!114 &20
MonoBehaviour:
  m_GameObject: {{fileID: 10}}
  m_Script: {{fileID: 11500000, guid: {guid(3)}, type: 3}}
  player: {{fileID: 100, guid: {guid(1)}, type: 3}}
  nested: {{fileID: {7000 ^ 300}, guid: {guid(2)}, type: 3}}
  sprite: {{fileID: 21300000, guid: {guid(4)}, type: 3}}
  gone: {{fileID: 12345, guid: {guid(1)}, type: 3}}
  unknown: {{fileID: 12345, guid: {guid(77)}, type: 3}}
  cube: {{fileID: 10202, guid: 0000000000000000e000000000000000, type: 0}}
  pointer: {{fileID: 2100000, guid: {guid(7)}, type: 2}}
  local: {{fileID: 11}}
"""
    camera = game_object(10, "Camera", components=behaviour).removesuffix(behaviour)
    scene = camera + instance(8000, 2) + behaviour
    write(root, "Assets/Main.unity", 8, HEAD + scene)
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
    write(root, "Assets/Art/lost.mat", 7, pointer, "NativeFormatImporter:\n  userData: \n")
    asset = f"--- !u!114 &11400000\nMonoBehaviour:\n  m_Script: {{fileID: 11500000, guid: {guid(3)}, type: 3}}\n"
    asset += "  m_Name: data\n"
    write(root, "Assets/data.asset", 9, HEAD + asset, "NativeFormatImporter:\n  userData: \n")
    write_meta(root, "Assets/Art", 10, "folderAsset: yes\nDefaultImporter:\n  userData: \n")
    write_meta(root, "Assets/gone.mat", 11, "NativeFormatImporter:\n  userData: \n")
    cached = root / "Library" / "PackageCache" / "com.acme.tools@1.0.0"
    write(cached, "Tool.cs", 12, "class Tool {}\n", "MonoImporter:\n  userData: \n")
    (cached / "package.json").write_text('{"name": "com.acme.tools", "version": "1.0.0"}')
    (root / "Packages").mkdir()
    (root / "Packages" / "manifest.json").write_text('{"dependencies": {"com.acme.tools": "1.0.0"}}')
    return root
