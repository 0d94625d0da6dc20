"""Settings, groups and schemas of Addressables, in the shapes of every era."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING

import pytest

from assetdb.packages.public.table import public_packages
from assetdb.unity.settings.addressables import (
    GROUP_SCRIPT,
    RESOURCES,
    SCENE_LIST,
    SETTINGS_SCRIPT,
    BundledSchema,
    Entry,
    OtherSchema,
    PlayerSchema,
    UpdateSchema,
    evaluate,
    is_remote,
    may_be_entry,
    read_collection,
    read_group,
    read_schema,
    read_settings,
    settings_of_default_object,
)
from assetdb_formats.binary import FormatError

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!114 &11400000\nMonoBehaviour:\n"
ONE, TWO = "1" * 32, "2" * 32
BUNDLED, UPDATE = "e5d17a21594effb4e9591490b009e7aa", "5834b5087d578d24c926ce20cd31e6d6"
PLAYER = "b1487f5d688e4f94f828f879d599dbdc"


def asset(script: str, body: str, name: str = "Name") -> bytes:
    return f"{HEAD}  m_Script: {{fileID: 11500000, guid: {script}, type: 3}}\n  m_Name: {name}\n{body}".encode()


def test_the_scripts_are_those_of_the_package() -> None:
    guids = (GROUP_SCRIPT, SETTINGS_SCRIPT, BUNDLED, UPDATE, PLAYER)
    assert {file.path.rpartition("/")[2] for guid in guids for file in public_packages().find(guid)} == {
        *("AddressableAssetGroup.cs", "AddressableAssetSettings.cs", "BundledAssetGroupSchema.cs"),
        *("ContentUpdateGroupSchema.cs", "PlayerDataGroupSchema.cs"),
    }


def test_a_group() -> None:
    body = (
        f"  m_GroupName: Big Things\n  m_GUID: {TWO.upper()}\n  m_SerializeEntries:\n"
        f"  - m_GUID: {ONE}\n    m_Address: 'a: b'\n    m_ReadOnly: 0\n    m_SerializedLabels:\n    - x\n    - y z\n"
        "  - m_GUID: Resources\n    m_Address: Resources\n    m_ReadOnly: 1\n    m_SerializedLabels: []\n"
        f"  m_ReadOnly: 0\n  m_SchemaSet:\n    m_Schemas:\n    - {{fileID: 11400000, guid: {ONE}, type: 2}}\n"
        "    - {fileID: 0}\n"
    )
    group = read_group(asset(GROUP_SCRIPT, body))
    assert (group.name, group.guid, group.read_only, group.schemas) == ("Big Things", TWO, False, (ONE,))
    assert group.entries == (
        Entry(ONE, "a: b", ("x", "y z"), read_only=False),
        Entry(RESOURCES, "Resources", (), read_only=True),
    )


def test_a_group_of_the_first_era() -> None:
    body = (
        f"  m_name: Built In\n  m_guid: {TWO}\n  m_serializeEntries:\n  - m_guid: EditorSceneList\n"
        "    m_address: EditorSceneList\n    m_readOnly: 1\n    m_serializedLabels: []\n"
        f"  m_schemaSet:\n    m_schemas:\n    - {{fileID: 11400000, guid: {ONE}, type: 2}}\n"
    )
    group = read_group(asset(GROUP_SCRIPT, body, "Other name"))
    assert (group.name, group.guid, group.schemas) == ("Built In", TWO, (ONE,))
    assert group.entries == (Entry(SCENE_LIST, "EditorSceneList", (), read_only=True),)


def test_settings_that_hold_their_groups() -> None:
    body = f"  m_groups:\n  - m_name: Old\n    m_guid: {TWO}\n    m_serializeEntries:\n    - m_guid: {ONE}\n"
    settings = read_settings(asset(SETTINGS_SCRIPT, body))
    assert settings.groups == ()
    assert [(group.name, [entry.guid for entry in group.entries]) for group in settings.own_groups] == [("Old", [ONE])]


PROFILES = """  m_GroupAssets:
  - {fileID: 11400000, guid: 11111111111111111111111111111111, type: 2}
  m_ProfileSettings:
    m_Profiles:
    - m_InheritedParent:
      m_Id: p1
      m_ProfileName: Default
      m_Values:
      - m_Id: t
        m_Value: '[UnityEditor.EditorUserBuildSettings.activeBuildTarget]'
      - m_Id: h
        m_Value: https://[Host]:8080
      - m_Id: n
        m_Value: example.org
      - m_Id: l
        m_Value: '[Root]/[BuildTarget]/[Own.Code]'
      - m_Id: loop
        m_Value: '[Loop][Loop]'
    - m_InheritedParent: p1
      m_Id: p2
      m_ProfileName: Test
      m_Values:
      - m_Id: n
        m_Value: localhost
    m_ProfileEntryNames:
    - {m_Id: t, m_Name: BuildTarget}
    - {m_Id: h, m_Name: Root}
    - {m_Id: n, m_Name: Host}
    - {m_Id: l, m_Name: Load}
    - {m_Id: loop, m_Name: Loop}
  m_LabelTable:
    m_LabelNames:
    - default
  m_ActiveProfileId: p1
"""


def test_paths_are_those_of_a_profile() -> None:
    settings = read_settings(asset(SETTINGS_SCRIPT, PROFILES))
    assert (settings.groups, settings.labels) == ((ONE,), ("default",))
    assert evaluate("l", settings, settings.profile()) == "https://example.org:8080/[BuildTarget]/[Own.Code]"
    assert evaluate("l", settings, settings.profile("Test")) == "https://localhost:8080/[BuildTarget]/[Own.Code]"
    assert settings.profile("None") is None
    assert evaluate("a/b", settings, settings.profile()) == "a/b"
    assert (
        evaluate("[Root]/[BuildTarget]/x", settings, settings.profile()) == "https://example.org:8080/[BuildTarget]/x"
    )
    assert len(evaluate("loop", settings, settings.profile())) < 1 << 16


@pytest.mark.parametrize(
    ("path", "remote"),
    [
        ("https://a.b/c", True),
        ("http://[PrivateIpAddress]:80", True),
        ("{UnityEngine.AddressableAssets.Addressables.RuntimePath}/[BuildTarget]", False),
        ("Library/x", False),
        ("file:///a/b", False),
        ("{Game.Server}/x", None),
        ("", False),
    ],
)
def test_what_is_remote(path: str, *, remote: bool | None) -> None:
    assert is_remote(path) is remote


def test_schemas() -> None:
    body = (
        "  m_IncludeInBuild: 0\n  m_BundleMode: 2\n  m_Compression: 2\n  m_BundleNaming: 1\n"
        "  m_BuildPath:\n    m_Id: b\n  m_LoadPath:\n    m_Id: l\n  m_IncludeGUIDInCatalog: 0\n"
    )
    assert read_schema(asset(BUNDLED, body)) == BundledSchema(
        *(False, "by label", "LZMA", "no hash", "b", "l", True, False, True)
    )
    old = "  m_buildPath:\n    m_id: b\n  m_loadPath:\n    m_id: l\n  m_bundleMode: 1\n"
    assert read_schema(asset(BUNDLED, old)) == BundledSchema(
        *(True, "separately", "LZ4", "append hash", "b", "l", True, True, True)
    )
    assert read_schema(asset(UPDATE, "  m_StaticContent: 1\n")) == UpdateSchema(static=True)
    assert read_schema(asset(PLAYER, "  m_IncludeResourcesFolders: 0\n")) == PlayerSchema(scenes=True, resources=False)
    assert read_schema(asset(ONE, "  x: 1\n")) == OtherSchema(ONE)


def test_a_collection_and_the_default_object() -> None:
    assert read_collection(asset(ONE, f"  m_SerializeEntries:\n  - m_GUID: {TWO}\n    m_Address: x\n")) == (
        Entry(TWO, "x", (), read_only=False),
    )
    assert settings_of_default_object(asset(ONE, f"  m_AddressableAssetSettingsGuid: {TWO}\n")) == TWO


@pytest.mark.parametrize(
    "data",
    [
        *(
            b"",
            b"\0" * 100,
            b"--- !u!114 &1\n",
            asset(ONE, "  a: &x 1\n  b: *x\n"),
            asset(ONE, "<<<<<<< HEAD\n  a: 1\n"),
        ),
        asset(GROUP_SCRIPT, "  m_Name: x\n"),
        asset(GROUP_SCRIPT, "  m_SerializeEntries: " + "[" * 5000),
    ],
)
def test_what_is_no_group_is_refused(data: bytes) -> None:
    with pytest.raises(FormatError):
        read_group(data)


@pytest.mark.parametrize(
    ("path", "may"),
    [
        ("Assets/A/x.png", True),
        ("Assets/A/x.cs", False),
        ("Assets/A/x.asmdef", False),
        ("Assets/A/Editor/x.png", False),
        ("Assets/A/Editor", False),
        ("Assets/Editors/x.png", True),
        ("Assets", False),
        ("Packages/com.a/x.png", True),
        ("Packages/com.a/package.json", False),
        ("Packages/com.a", False),
        ("ProjectSettings/x.asset", False),
        ("Assets/Data/x.asset", False),
    ],
)
def test_what_a_folder_gives_to_its_group(path: str, *, may: bool) -> None:
    assert may_be_entry(path, "Assets/Data") is may


def test_mutated_groups_are_read_or_refused() -> None:
    entry = f"  - m_GUID: {ONE}\n    m_Address: a\n    m_SerializedLabels: [x]\n"
    sound = asset(
        GROUP_SCRIPT, f"  m_GroupName: G\n  m_SerializeEntries:\n{entry * 3}  m_SchemaSet: {{m_Schemas: []}}\n"
    )
    numbers = random.Random(1)
    refused = 0
    for _ in range(500):
        data = bytearray(sound)
        for _ in range(numbers.randrange(1, 4)):
            data[numbers.randrange(len(data))] = numbers.choice(b"\0 \n\t:-[]{}&*!|>'\"%@`#a0\xff")
        try:
            group = read_group(bytes(data[: numbers.randrange(len(data)) or None] if numbers.random() < 0.3 else data))
        except FormatError:
            refused += 1
        else:
            assert all(isinstance(entry.address, str) and isinstance(entry.labels, tuple) for entry in group.entries)
    assert 50 < refused < 500


FOLDERS = (
    *("cteam-0.4/project_80182741", "memorium/project_42a3ae65", "pinpoint/project_d454150f"),
    "pinpoint/project_d4a4d6dc",
)


@pytest.mark.corpus("addressables")
@pytest.mark.parametrize("name", FOLDERS)
def test_groups_of_real_projects(corpus: Path, name: str) -> None:
    """Every entry has a GUID, an address and, as far as the project still had the asset, a path."""
    folder = corpus / "addressables/data" / name
    paths = json.loads((folder / "guid_to_path.json").read_text("utf-8"))
    entries = [
        entry
        for path in sorted((folder / "AssetGroups").glob("*.asset"))
        for entry in read_group(path.read_bytes()).entries
    ]
    own = [entry for entry in entries if entry.guid not in (SCENE_LIST, RESOURCES)]
    assert all(len(entry.guid) == 32 and entry.address for entry in own)
    known = [entry for entry in own if entry.guid in paths]
    as_path = [entry for entry in known if entry.address.startswith("Assets/")]
    assert [entry for entry in as_path if entry.address != paths[entry.guid]] == []
    for path in sorted((folder / "AssetGroups" / "Schemas").glob("*.asset")):
        read_schema(path.read_bytes())
    assert read_settings((folder / "AddressableAssetSettings.asset").read_bytes()).groups
