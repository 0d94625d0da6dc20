"""Fields that a change renames, retypes or removes: C# and assets written by hand, and what Unity would lose."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.checks.changes.introduced import check_since, check_staged
from assetdb.checks.findings.engine import Selection
from assetdb.checks.merges.merge import check_merge
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.checks.asking import findings_of
from tests.assetdb.history.git_project import commit, git, make_repository
from tests.assetdb.unity_project import HEAD, game_object, guid, write

if TYPE_CHECKING:
    from pathlib import Path

PLAYER, CONFIG, BASE = 300, 301, 302
ONLY = Selection(select=("lost-value",))
PREFAB, SCENE, ASSET = "Assets/Hero.prefab", "Assets/Level.unity", "Assets/Config.asset"

PLAYER_CODE = """using System;
using System.Collections.Generic;
using UnityEngine;

public class Player : Being
{
    [Serializable]
    public class Weapon { public int damage = 1; public string label; }

    [SerializeField] private float jumpForce = 3.5f;
    public int lives, coins;
    public List<Weapon> weapons;
    public Weapon main;
    [field: SerializeField] public int Rank { get; private set; }
}
"""
BASE_CODE = "using UnityEngine;\npublic abstract class Being : MonoBehaviour { public int health; }\n"
CONFIG_CODE = (
    "using UnityEngine;\npublic class Config : ScriptableObject { public string title; public Vector3 spot; }\n"
)
COMPONENT = f"""--- !u!114 &300
MonoBehaviour:
  m_GameObject: {{fileID: 100}}
  m_Script: {{fileID: 11500000, guid: {guid(PLAYER)}, type: 3}}
  health: 7
  jumpForce: 3.5
  lives: 3
  coins: 0
  weapons:
  - damage: 4
    label: Sword
  - damage: 0
    label:
  main:
    damage: 9
    label: Bow
  <Rank>k__BackingField: 2
"""


def modified(path: str, value: str) -> str:
    return (
        f"    - target: {{fileID: 300, guid: {guid(310)}, type: 3}}\n      propertyPath: {path}\n"
        f"      value: {value}\n      objectReference: {{fileID: 0}}\n"
    )


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = make_repository(tmp_path / "repository")
    write(folder, "Assets/Scripts/Player.cs", PLAYER, PLAYER_CODE)
    write(folder, "Assets/Scripts/Being.cs", BASE, BASE_CODE)
    write(folder, "Assets/Scripts/Config.cs", CONFIG, CONFIG_CODE)
    write(folder, PREFAB, 310, HEAD + game_object(100, "Hero", 0, COMPONENT))
    changes = modified("jumpForce", "8") + modified("weapons.Array.data[0].damage", "5")
    scene = (
        f"{HEAD}--- !u!1001 &800\nPrefabInstance:\n  m_Modification:\n    m_TransformParent: {{fileID: 0}}\n"
        f"    m_Modifications:\n{changes}    m_RemovedComponents: []\n"
        f"  m_SourcePrefab: {{fileID: 100100000, guid: {guid(310)}, type: 3}}\n"
    )
    write(folder, SCENE, 311, scene)
    asset = (
        f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n  m_Script: {{fileID: 11500000, guid: {guid(CONFIG)}, type: 3}}\n"
        "  m_Name: Config\n  title: Hello\n  spot: {x: 0, y: 0, z: 0}\n"
    )
    write(folder, ASSET, 312, asset)
    commit(folder)
    return folder


def edit(root: Path, old: str, new: str, name: str = "Player") -> None:
    file = root / f"Assets/Scripts/{name}.cs"
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def since(root: Path) -> list[tuple[str, str]]:
    found = findings_of(root, lambda project: check_since(project, "HEAD", ONLY))
    return [(row.path, row.message) for row in found]


def severities(root: Path) -> list[str]:
    project = open_project(str(root), str(root.parent / "out"))
    try:
        return [finding.severity for finding in check_since(project, "HEAD", ONLY).findings]
    finally:
        project.close()


def staged(root: Path) -> list[tuple[str, str]]:
    return [(row.path, row.message) for row in findings_of(root, lambda project: check_staged(project, ONLY))]


def test_a_renamed_field_names_values_assets_and_the_attribute(root: Path) -> None:
    edit(root, "float jumpForce", "float leap")
    said = (
        "Player.jumpForce went and leap came: 2 values (2 not zero or empty) in Assets/Hero.prefab, Assets/Level.unity"
        ' would be lost; add [FormerlySerializedAs("jumpForce")] to leap'
    )
    assert since(root) == [("Assets/Scripts/Player.cs", said)]
    assert staged(root) == []
    git(root, "add", "-A")
    assert staged(root) == [("Assets/Scripts/Player.cs", said)]
    git(root, "commit", "-q", "-m", "renamed")
    assert since(root) == []


@pytest.mark.parametrize(
    "attribute",
    ['[FormerlySerializedAs("jumpForce")]', '[UnityEngine.Serialization.FormerlySerializedAs("jumpForce")]'],
)
def test_the_attribute_keeps_the_values(root: Path, attribute: str) -> None:
    edit(root, "[SerializeField] private float jumpForce", f"{attribute} [SerializeField] private float leap")
    assert since(root) == []


def test_a_removed_field_is_said_with_its_values(root: Path) -> None:
    edit(root, "lives, coins", "lives")
    assert since(root) == [
        (
            "Assets/Scripts/Player.cs",
            "Player.coins went: 1 value (0 not zero or empty) in Assets/Hero.prefab is no longer read",
        )
    ]
    assert severities(root) == ["note"]  # mostly meant
    edit(root, "jumpForce", "jumpPower")
    assert severities(root) == ["note", "warning"]  # by property: coins, jumpForce


def test_fields_of_serializable_types_are_found_in_lists_maps_and_overrides(root: Path) -> None:
    edit(root, "public int damage", "public int force")
    ((path, said),) = since(root)
    assert path == "Assets/Scripts/Player.cs"
    assert said.startswith("Weapon.damage went and force came: 4 values (3 not zero or empty)")


def test_a_backing_field_needs_the_attribute_of_fields(root: Path) -> None:
    edit(root, "public int Rank", "public int Level")
    ((_, said),) = since(root)
    assert '[field: FormerlySerializedAs("<Rank>k__BackingField")] to Level' in said


def test_a_base_class_loses_the_values_of_those_that_derive(root: Path) -> None:
    edit(root, "health", "hitPoints", "Being")
    ((path, said),) = since(root)
    assert path == "Assets/Scripts/Being.cs"
    assert "1 value" in said
    assert PREFAB in said


def test_a_field_that_moves_to_the_base_class_loses_nothing(root: Path) -> None:
    edit(root, "public int lives, coins;", "public int lives;")
    edit(root, "public int health;", "public int health; public int coins;", "Being")
    assert since(root) == []


def test_another_type_cannot_read_the_value(root: Path) -> None:
    edit(root, "public string title", "public int title", "Config")
    said = (
        "Config.title was string and is int: Unity cannot read 1 value (1 not zero or empty) in Assets/Config.asset as"
        " such"
    )
    assert since(root) == [("Assets/Scripts/Config.cs", said)]


@pytest.mark.parametrize(
    ("old", "new"),
    [("public int lives", "public long lives"), ("public List<Weapon> weapons", "public Weapon[] weapons")],
)
def test_types_that_are_stored_alike_lose_nothing(root: Path, old: str, new: str) -> None:
    edit(root, old, new)
    assert since(root) == []


def test_fields_that_nothing_stores_are_silent(root: Path) -> None:
    edit(root, "public Vector3 spot;", "public Vector3 spot; public int fresh;", "Config")
    commit(root)
    edit(root, "public int fresh;", "", "Config")
    assert since(root) == []


def test_each_edit_of_code_or_values_is_seen(root: Path) -> None:
    """What is kept of the check before has other inputs: nothing else is found, so nothing else changes."""
    edit(root, "public string title;", "", "Config")
    assert since(root) != []
    edit(root, "public Vector3 spot;", "public string title; public Vector3 spot;", "Config")
    assert since(root) == []
    edit(root, "public string title;", "", "Config")
    assert since(root) != []
    asset = root / ASSET
    asset.write_text(asset.read_text().replace("  title: Hello\n", ""))
    assert since(root) == []


def test_of_two_types_of_a_name_the_script_of_an_asset_tells_which_it_is(root: Path) -> None:
    """As the CameraController of pixel-adventure, and that of the examples of TextMesh Pro."""
    code = "namespace Other { public class Config : UnityEngine.ScriptableObject { public string title; } }"
    write(root, "Assets/Other/Config.cs", 320, code)
    other = (root / ASSET).read_text().replace(guid(CONFIG), guid(320)).replace("Hello", "Bye")
    write(root, "Assets/Other.asset", 321, other)
    commit(root)
    edit(root, "public string title;", "", "Config")
    said = f"Config.title went: 1 value (1 not zero or empty) in {ASSET} is no longer read"
    assert since(root) == [("Assets/Scripts/Config.cs", said)]
    edit(
        root,
        "public Vector3 spot;",
        '[FormerlySerializedAs("title")] public string name; public Vector3 spot;',
        "Config",
    )
    assert since(root) == []


def test_a_name_of_two_types_proves_nothing_of_nested_values(root: Path) -> None:
    write(root, "Assets/Other/Weapon.cs", 320, "namespace Other { public class Weapon { } }")
    commit(root)
    edit(root, "public int damage = 1;", "")
    assert since(root) == []


def test_code_that_cannot_be_read_proves_nothing(root: Path) -> None:
    edit(root, "public string title;", "{{{", "Config")
    assert since(root) == []


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("Player", "public int lives", "int lives", "Player.lives is neither public nor [SerializeField]"),
        ("Player", "public int lives", "[NonSerialized] public int lives", "Player.lives is [NonSerialized]"),
        ("Player", "public int lives, coins;", "public const int lives = 3; public int coins;", "lives is const"),
        ("Player", "public int lives, coins;", "public static int lives; public int coins;", "lives is static"),
        ("Player", "public int lives, coins;", "public readonly int lives; public int coins;", "lives is readonly"),
        (
            *("Player", "public int lives, coins;", "public int lives { get; set; } public int coins;"),
            "Player.lives went",
        ),
        ("Player", "[field: SerializeField] public int Rank", "public int Rank", "Rank is a property without [field:"),
        ("Player", "[SerializeField] private float", "private float", "jumpForce is neither public nor [Serialize"),
        ("Player", "public List<Weapon> weapons", "public Dictionary<string, Weapon> weapons", "weapons is a Dictiona"),
        ("Player", "public List<Weapon> weapons", "public Weapon[,] weapons", "weapons is an array of several dimens"),
        ("Player", "    [Serializable]\n", "", "Weapon is no longer [Serializable]: 7 values (5 not zero or empty) in"),
    ],
)
def test_a_field_that_stays_and_is_no_longer_serialized_is_said(
    root: Path, name: str, old: str, new: str, said: str
) -> None:
    edit(root, old, new, name)
    assert any(said in message for _, message in since(root)), since(root)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("public int lives", "[SerializeField] int lives"),
        ("[SerializeField] private float", "public float"),
        ("[SerializeField] private float", "[SerializeField, Range(0, 9)] protected internal float"),
        ("[SerializeField] private float", "[UnityEngine.SerializeFieldAttribute] float"),
        ("public List<Weapon> weapons", "[SerializeReference] List<Weapon> weapons"),
        ("public int lives, coins;", "#if UNITY_EDITOR\n public\n#else\n private\n#endif\n int lives, coins;"),
        ("public int lives", "#if DEBUG\n[NonSerialized]\n#endif\n public int lives"),
        ("    [Serializable]\n", "    [System.SerializableAttribute]\n"),
    ],
)
def test_a_field_that_stays_serialized_is_silent(root: Path, old: str, new: str) -> None:
    edit(root, old, new)
    assert since(root) == []


def test_leftovers_of_a_field_that_was_not_serialized_are_nobodys_loss(root: Path) -> None:
    edit(root, "public int lives, coins;", "int lives, coins;")
    commit(root)
    edit(root, "int lives, coins;", "")
    assert since(root) == []


def test_fields_that_plainly_go_are_one_finding_of_their_type(root: Path) -> None:
    edit(root, "public int lives, coins;", "")
    edit(root, "[SerializeField] private float jumpForce = 3.5f;", "")
    ((_, said),) = since(root)
    assert said == (
        "Player.coins, Player.jumpForce, Player.lives went: 4 values (3 not zero or empty) in Assets/Hero.prefab,"
        " Assets/Level.unity are no longer read"
    )


def merge(root: Path) -> list[tuple[str, str]]:
    project = open_project(str(root))
    try:
        return [(row.path, row.message) for row in check_merge(project, "feature", ONLY).findings]
    finally:
        project.close()


@pytest.mark.parametrize("renames", ["theirs", "ours"])
def test_a_merge_loses_the_values_that_one_side_adds_to_a_field_the_other_renames(root: Path, renames: str) -> None:
    def rename() -> None:
        edit(root, "public string title", '[FormerlySerializedAs("titel")] public string headline', "Config")

    def add() -> None:
        text = (root / ASSET).read_text().replace("Hello", "Fresh")
        write(root, "Assets/Second.asset", 330, text)

    for step, branch in zip((rename, add) if renames == "theirs" else (add, rename), ("feature", "main"), strict=True):
        git(root, "checkout", "-q", "main" if branch == "main" else "-bfeature")
        step()
        commit(root)
    said = (
        "Config.title went and headline came: 1 value (1 not zero or empty) in Assets/Second.asset would be lost;"
        ' add [FormerlySerializedAs("title")] to headline'
    )
    assert merge(root) == [("Assets/Scripts/Config.cs", said)]


def test_a_merge_is_not_blamed_for_values_that_one_side_lost_before(root: Path) -> None:
    git(root, "checkout", "-qb", "feature")
    edit(root, "public string title", "public string headline", "Config")
    commit(root)
    git(root, "checkout", "-q", "main")
    write(root, "Assets/Note.txt", 331, "unrelated")
    commit(root)
    assert merge(root) == []
