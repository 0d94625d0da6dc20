"""A small project whose references are known, for the tests of the graph."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n"
BUILT_IN = "0000000000000000f000000000000000"
PACKAGE = "f4688fdb7df04437aeb418b961361dc5"
GROUP_SCRIPT = "bbb281ee3bf0b054c82ac2347e9e782c"


def guid_of(path: str) -> str:
    return hashlib.md5(path.encode(), usedforsecurity=False).hexdigest()


def reference(path: str, file_id: int = 11400000) -> str:
    return f"{{fileID: {file_id}, guid: {guid_of(path)}, type: 2}}"


def add(root: Path, path: str, text: str = "", importer: str = "NativeFormatImporter", body: str = "") -> Path:
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, newline="")
    tail = "  userData: \n  assetBundleName: \n  assetBundleVariant: \n"
    (root / f"{path}.meta").write_text(
        f"fileFormatVersion: 2\nguid: {guid_of(path)}\n{importer}:\n{body or tail}", newline=""
    )
    return target


def add_folder(root: Path, path: str, bundle: str = "") -> None:
    (root / path).mkdir(parents=True, exist_ok=True)
    (root / f"{path}.meta").write_text(
        f"fileFormatVersion: 2\nguid: {guid_of(path)}\nfolderAsset: yes\n"
        f"DefaultImporter:\n  assetBundleName: {bundle}\n"
    )


def data_asset(name: str, *references: str, script: str = "Assets/Data.cs") -> str:
    items = "".join(f"  - {item}\n" for item in references)
    return (
        f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n"
        f"  m_Script: {{fileID: 11500000, guid: {guid_of(script)}, type: 3}}\n"
        f"  m_Name: {name}\n  items:\n{items}"
    )


SCENE = f"""{HEAD}--- !u!1 &100
GameObject:
  m_Component:
  - component: {{fileID: 101}}
  m_Name: Player
--- !u!23 &101
MeshRenderer:
  m_GameObject: {{fileID: 100}}
  m_Materials:
  - {{fileID: 10754, guid: {BUILT_IN}, type: 0}}
  - {{fileID: 2100000, guid: {guid_of("Assets/Art/Red.mat")},
    type: 2}}
--- !u!1001 &102
PrefabInstance:
  m_Modification:
    m_Modifications:
    - target: {reference("Assets/Cube.prefab", 5)}
      propertyPath: m_Name
      value: Cube
      objectReference: {{fileID: 0}}
    - target: {reference("Assets/Cube.prefab", 6)}
      propertyPath: m_Materials.Array.data[0]
      value:
      objectReference: {reference("Assets/Art/Red.mat", 2100000)}
  m_SourcePrefab: {reference("Assets/Cube.prefab", 100100000)}
"""


def write_project(root: Path) -> Path:
    """Write a project in which Lost.mat and Old.asset are unused, A and B refer to each other, Self to itself."""
    add(
        root,
        "Assets/Data.cs",
        "class Data {}",
        "MonoImporter",
        f"  icon: {reference('Assets/Art/Icon.png', 2800000)}\n",
    )
    add(root, "Assets/Art/Icon.png", "", "TextureImporter")
    add(root, "Assets/Art/Red.mat", f"{HEAD}--- !u!21 &2100000\nMaterial:\n  m_Name: Red\n")
    add(
        root,
        "Assets/Art/Lost.mat",
        f"{HEAD}--- !u!21 &2100000\nMaterial:\n  m_Shader: {{fileID: 46, guid: {BUILT_IN}, type: 0}}\n",
    )
    add(root, "Assets/Cube.prefab", f"{HEAD}--- !u!1 &5\nGameObject:\n  m_Name: Cube\n", "PrefabImporter")
    add(root, "Assets/Main.unity", SCENE, "DefaultImporter")
    add(root, "Assets/Resources/A.asset", data_asset("A", reference("Assets/B.asset")))
    add(
        root,
        "Assets/B.asset",
        data_asset("B", reference("Assets/Resources/A.asset"), f"{{fileID: 1, guid: {PACKAGE}, type: 3}}"),
    )
    add(root, "Assets/Old.asset", data_asset("Old", reference("Assets/Old.asset")))
    add(
        root,
        "Assets/Game.asmdef",
        f'{{"references": ["GUID:{guid_of("Assets/Core.asmdef")}"]}}',
        "AssemblyDefinitionImporter",
    )
    add(root, "Assets/Core.asmdef", '{"name": "Core"}', "AssemblyDefinitionImporter")
    add(root, "Assets/Addressed/Thing.asset", data_asset("Thing"))
    add_folder(root, "Assets/Addressed")
    add(root, "Assets/Bundled/Deep/Sound.wav", "", "AudioImporter")
    add_folder(root, "Assets/Bundled", "sounds")
    group = (
        f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n  m_Script: {{fileID: 11500000, guid: {GROUP_SCRIPT}, type: 3}}\n"
    )
    entry = f"  m_SerializeEntries:\n  - m_GUID: {guid_of('Assets/Addressed')}\n    m_Address: x\n"
    add(root, "Assets/Groups/Default.asset", f"{group}  m_Name: Default\n{entry}")
    settings = root / "ProjectSettings"
    settings.mkdir(parents=True)
    (settings / "EditorBuildSettings.asset").write_text(
        f"{HEAD}--- !u!1045 &1\nEditorBuildSettings:\n  m_Scenes:\n  - enabled: 1\n    path: Assets/Main.unity\n"
        f"    guid: {guid_of('Assets/Main.unity')}\n"
    )
    return root
