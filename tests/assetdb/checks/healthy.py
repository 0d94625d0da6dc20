"""A generated Unity project with nothing wrong in it: what is broken in it is all that a check may find."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from tests.assetdb.unity_project import HEAD, SPRITES, component, game_object

if TYPE_CHECKING:
    from pathlib import Path

GROUP_SCRIPT = "bbb281ee3bf0b054c82ac2347e9e782c"  # AddressableAssetGroup.cs
COUNT = 3
FOLDER = "folderAsset: yes\nDefaultImporter:\n  userData: \n"
PREFAB = "PrefabImporter:\n  userData: \n"
NATIVE = "NativeFormatImporter:\n  mainObjectFileID: 0\n  userData: \n"
SCRIPT = "MonoImporter:\n  userData: \n"
SETTINGS = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!{number} &1\n{name}:\n  m_ObjectHideFlags: 0\n{rest}"
ITEM = """using UnityEngine;

class Item : ScriptableObject
{
    public GameObject prefab;
    public Sprite icon;
    public Object target;
}
"""
RENDERER = 23
BEHAVIOUR = 114
ADDRESSABLES = '"com.unity.addressables": "1.21.19"'
"""The package in the manifest that the project's groups are of."""


def guid_of(path: str) -> str:
    """Return the GUID that the project gives an asset."""
    return hashlib.md5(f"healthy {path}".encode(), usedforsecurity=False).hexdigest()


def put(root: Path, path: str, text: str | bytes, importer: str = "DefaultImporter:\n  userData: \n") -> None:
    """Write an asset with its meta, and the folders above it with theirs."""
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(text if isinstance(text, bytes) else text.encode())
    put_meta(root, path, importer)
    parts = path.split("/")
    for depth in range(2, len(parts)):
        folder = "/".join(parts[:depth])
        if not (root / f"{folder}.meta").exists():
            put_meta(root, folder, FOLDER)


def put_meta(root: Path, path: str, importer: str, guid: str = "") -> None:
    (root / f"{path}.meta").write_bytes(f"fileFormatVersion: 2\nguid: {guid or guid_of(path)}\n{importer}".encode())


def script_of(guid: str) -> str:
    return f"  m_Script: {{fileID: 11500000, guid: {guid}, type: 3}}\n"


def scriptable(path_of_script: str, name: str, extra: str = "") -> str:
    """Return a ScriptableObject's file."""
    body = f"  m_Name: {name}\n{extra}"
    return f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n{script_of(guid_of(path_of_script))}{body}"


def material(name: str) -> str:
    shader = "{fileID: 46, guid: 0000000000000000f000000000000000, type: 0}"
    return f"{HEAD}--- !u!21 &2100000\nMaterial:\n  m_Name: {name}\n  m_Shader: {shader}\n"


def placed(number: int, source: str, target: int, name: str, rest: str = "") -> str:
    """Return an instance of a prefab that renames one of its objects."""
    return (
        f"--- !u!1001 &{number}\nPrefabInstance:\n  m_Modification:\n    m_TransformParent: {{fileID: 0}}\n"
        f"    m_Modifications:\n    - target: {{fileID: {target}, guid: {guid_of(source)}, type: 3}}\n"
        f"      propertyPath: m_Name\n      value: {name}\n      objectReference: {{fileID: 0}}\n{rest}"
        f"    m_RemovedComponents: []\n  m_SourcePrefab: {{fileID: 100100000, guid: {guid_of(source)}, type: 3}}\n"
    )


def put_settings(root: Path, *, mode: int = 2, metas: str = "Visible Meta Files") -> None:
    settings = root / "ProjectSettings"
    settings.mkdir(parents=True, exist_ok=True)
    editor = SETTINGS.format(number=159, name="EditorSettings", rest=f"  m_SerializationMode: {mode}\n")
    (settings / "EditorSettings.asset").write_text(editor)
    control = SETTINGS.format(number=890905787, name="VersionControlSettings", rest=f"  m_Mode: {metas}\n")
    (settings / "VersionControlSettings.asset").write_text(control)


def make_healthy(root: Path, count: int = COUNT) -> Path:
    """Write the project, with ``count`` of most things."""
    put_settings(root)
    (root / "Packages").mkdir()
    (root / "Packages" / "manifest.json").write_text(f'{{"dependencies": {{{ADDRESSABLES}}}}}')
    locked = '{"version": "1.21.19", "source": "registry", "dependencies": {}}'
    (root / "Packages" / "packages-lock.json").write_text(f'{{"dependencies": {{"com.unity.addressables": {locked}}}}}')
    put(root, "Assets/Scripts/Health.cs", "using UnityEngine;\nclass Health : MonoBehaviour {}\n", SCRIPT)
    put(root, "Assets/Scripts/Item.cs", ITEM, SCRIPT)
    game = {"name": "Game", "references": ["", f"GUID:{guid_of('Assets/Data/Game.Data.asmdef')}"]}
    put(root, "Assets/Scripts/Game.asmdef", json.dumps(game, indent=4), "AssemblyDefinitionImporter:\n  userData: \n")
    put(root, "Assets/Data/Game.Data.asmdef", '{"name": "Game.Data"}', "AssemblyDefinitionImporter:\n  userData: \n")
    put(root, "Assets/Art/tiles.png", b"\x89PNG", SPRITES)
    put(root, "Assets/Resources/Icons/coin.png", b"\x89PNG", SPRITES)
    entries = ""
    for number in range(count):
        put(root, f"Assets/Art/Paint{number}.mat", material(f"Paint{number}"), NATIVE)
        put_enemy(root, number)
        put(
            root,
            f"Assets/Prefabs/Variant{number}.prefab",
            HEAD + placed(900, enemy(number), 100, f"Boss{number}"),
            PREFAB,
        )
        level = placed(800, enemy(number), 200, "Hat") + placed(
            801, f"Assets/Prefabs/Variant{number}.prefab", 900 ^ 100, "X"
        )
        put(root, f"Assets/Scenes/Level{number}.unity", HEAD + game_object(10, "Camera") + level)
        extra = f"  prefab: {{fileID: 100, guid: {guid_of(enemy(number))}, type: 3}}\n"
        extra += f"  icon: {{fileID: 555, guid: {guid_of('Assets/Art/tiles.png')}, type: 3}}\n"
        put(root, item(number), scriptable("Assets/Scripts/Item.cs", f"Item{number}", extra), NATIVE)
        entries += f"  - m_GUID: {guid_of(item(number))}\n    m_Address: Items/{number}\n    m_ReadOnly: 0\n"
    put_group(root, entries)
    return root


def enemy(number: int) -> str:
    return f"Assets/Prefabs/Enemy{number}.prefab"


def item(number: int) -> str:
    return f"Assets/Data/Item{number}.asset"


def put_enemy(root: Path, number: int) -> None:
    paint = f"  m_Materials:\n  - {{fileID: 2100000, guid: {guid_of(f'Assets/Art/Paint{number}.mat')}, type: 2}}\n"
    parts = component(RENDERER, 102, 100, "MeshRenderer", paint)
    parts += component(BEHAVIOUR, 103, 100, "MonoBehaviour", script_of(guid_of("Assets/Scripts/Health.cs")))
    put(root, enemy(number), HEAD + game_object(100, f"Enemy{number}", 0, parts) + game_object(200, "Hat", 101), PREFAB)


def put_group(root: Path, entries: str) -> None:
    text = (
        f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n{script_of(GROUP_SCRIPT)}  m_Name: Default\n"
        f"  m_GroupName: Default\n  m_SerializeEntries:\n{entries}  m_ReadOnly: 0\n"
    )
    put(root, "Assets/AddressableAssetsData/AssetGroups/Default.asset", text, NATIVE)
