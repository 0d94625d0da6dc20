"""The small game in which the tasks of ``docs/agents.md`` are done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.assetdb.unity_project import HEAD, SPRITES, component, game_object, guid, instance, write, write_meta

if TYPE_CHECKING:
    from pathlib import Path

NATIVE = "NativeFormatImporter:\n  userData: \n"
SCRIPT = "MonoImporter:\n  userData: \n"
PREFAB = "PrefabImporter:\n  userData: \n"
TOON, STONE, WOOD, SPAWNER, HEALTH, ENEMY, BOSS, CAMP, STATUE, POPUP, VILLAGE, CASTLE, TILES = range(20, 33)
FOLDERS = {"Shaders": 40, "Materials": 41, "Scripts": 42, "Prefabs": 43, "Old": 44, "Scenes": 45, "Textures": 46}


def behaviour(number: int, owner: int, script: int, fields: str) -> str:
    """Return a component of a script."""
    head = f"  m_Script: {{fileID: 11500000, guid: {guid(script)}, type: 3}}\n  m_Name: \n"
    return component(114, number, owner, "MonoBehaviour", head + fields)


def change(target: int, source: int, path: str, value: object) -> str:
    """Return an override of a value in a nested prefab."""
    return (
        f"    - target: {{fileID: {target}, guid: {guid(source)}, type: 3}}\n      propertyPath: {path}\n"
        f"      value: {value}\n      objectReference: {{fileID: 0}}\n"
    )


def placed(number: int, source: int, changes: str = "", parent: int = 0) -> str:
    """Return a nested prefab with overrides."""
    return instance(number, source, parent).replace("    m_RemovedComponents", f"{changes}    m_RemovedComponents")


def material(name: str) -> str:
    """Return a material with the shader of the project."""
    return (
        f"--- !u!21 &2100000\nMaterial:\n  m_Name: {name}\n"
        f"  m_Shader: {{fileID: 4800000, guid: {guid(TOON)}, type: 3}}\n  m_SavedProperties:\n    m_TexEnvs:\n"
        f"    - _MainTex:\n        m_Texture: {{fileID: 2800000, guid: {guid(TILES)}, type: 3}}\n"
    )


def renderer(number: int, owner: int, of: int) -> str:
    """Return a renderer with a material."""
    return component(
        *(23, number, owner, "MeshRenderer"),
        f"  m_Enabled: 1\n  m_Materials:\n  - {{fileID: 2100000, guid: {guid(of)}, type: 2}}\n",
    )


def make_game(root: Path) -> Path:
    """Write the game; its numbers are those of the GUIDs."""
    (root / "ProjectSettings").mkdir(parents=True)
    (root / "ProjectSettings" / "ProjectVersion.txt").write_text("m_EditorVersion: 2022.3.20f1\n")
    scenes = "".join(
        f"  - enabled: 1\n    path: Assets/Scenes/{name}.unity\n    guid: {guid(number)}\n"
        for name, number in (("Village", VILLAGE), ("Castle", CASTLE))
    )
    (root / "ProjectSettings" / "EditorBuildSettings.asset").write_text(
        f"{HEAD}--- !u!1045 &1\nEditorBuildSettings:\n  m_Scenes:\n{scenes}"
    )
    for name, number in FOLDERS.items():
        write_meta(root, f"Assets/{name}", number, "folderAsset: yes\nDefaultImporter:\n  userData: \n")
    write(root, "Assets/Shaders/Toon.shader", TOON, 'Shader "Game/Toon" {}\n', "ShaderImporter:\n  userData: \n")
    write(root, "Assets/Textures/tiles.png", TILES, b"\x89PNG", SPRITES)
    write(root, "Assets/Materials/Stone.mat", STONE, HEAD + material("Stone"), NATIVE)
    write(root, "Assets/Materials/Wood.mat", WOOD, HEAD + material("Wood"), NATIVE)
    write(root, "Assets/Scripts/Spawner.cs", SPAWNER, "public class Spawner : MonoBehaviour {}\n", SCRIPT)
    write(root, "Assets/Scripts/Health.cs", HEALTH, "public class Health : MonoBehaviour {}\n", SCRIPT)
    health = behaviour(12, 10, HEALTH, "  maxHealth: 100\n") + renderer(13, 10, STONE)
    write(root, "Assets/Prefabs/Enemy.prefab", ENEMY, HEAD + game_object(10, "Enemy", components=health), PREFAB)
    boss = placed(500, ENEMY, change(12, ENEMY, "maxHealth", 500) + change(10, ENEMY, "m_Name", "Boss"))
    write(root, "Assets/Prefabs/Boss.prefab", BOSS, HEAD + boss, PREFAB)
    camp = behaviour(12, 10, SPAWNER, f"  delay: 2\n  enemy: {{fileID: 10, guid: {guid(ENEMY)}, type: 3}}\n")
    write(root, "Assets/Prefabs/Camp.prefab", CAMP, HEAD + game_object(10, "Camp", components=camp), PREFAB)
    statue = game_object(10, "Statue", components=renderer(12, 10, WOOD))
    write(root, "Assets/Old/Statue.prefab", STATUE, HEAD + statue, PREFAB)
    popup = game_object(10, "Popup") + game_object(20, "Panel", 11) + game_object(30, "Title", 21)
    write(root, "Assets/Prefabs/Popup.prefab", POPUP, HEAD + popup, PREFAB)
    camera = game_object(
        10, "Main Camera", components=component(20, 12, 10, "Camera", "  m_Enabled: 1\n  far clip plane: 300\n")
    )
    village = camera + placed(600, CAMP, change(12, CAMP, "delay", 0.5)) + placed(700, BOSS) + placed(800, POPUP)
    write(root, "Assets/Scenes/Village.unity", VILLAGE, HEAD + village)
    lost = behaviour(12, 10, 77, "  speed: 3\n")
    castle = game_object(10, "Gate", components=lost) + placed(600, CAMP)
    write(root, "Assets/Scenes/Castle.unity", CASTLE, HEAD + castle)
    return root
