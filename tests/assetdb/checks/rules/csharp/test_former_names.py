"""Former names of fields: needed as long as an asset stores one, and reported only then not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.checks.findings.engine import Selection, check_project
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.checks.healthy import NATIVE, SCRIPT, guid_of, make_healthy, put, script_of, scriptable
from tests.assetdb.unity_project import HEAD, component, game_object

if TYPE_CHECKING:
    from pathlib import Path

DOOR = "Assets/Scripts/Door.cs"
HALL = "Assets/Scenes/Hall.unity"
VARIANT = "Assets/Prefabs/Variant.prefab"
FORMER = '[FormerlySerializedAs("width")]'
MONO = f"using UnityEngine;\nclass Door : MonoBehaviour\n{{\n    {FORMER}\n    public float breadth;\n}}\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_healthy(tmp_path / "Game", 1)


def write_door(root: Path, text: str, field: str) -> None:
    put(root, DOOR, text, SCRIPT)
    door = component(114, 30, 10, "MonoBehaviour", script_of(guid_of(DOOR)) + f"  m_Name: \n  {field}: 1\n")
    put(root, HALL, HEAD + game_object(10, "Hall", 0, door))


def unneeded(root: Path) -> list[tuple[str, int, str]]:
    project = open_project(str(root), str(root.parent / "out"))
    try:
        findings = check_project(project, Selection(select=("former-name",))).findings
        return [(item.path, item.line, item.message) for item in findings if item.code == "former-name"]
    finally:
        project.close()


def test_a_name_that_no_asset_stores_any_more_is_told_at_its_attribute(root: Path) -> None:
    write_door(root, MONO, "breadth")
    assert unneeded(root) == [(DOOR, 4, "Door.breadth was width, which no asset stores any more")]
    write_door(root, MONO, "width")
    assert unneeded(root) == []


@pytest.mark.parametrize(
    "text",
    [
        MONO.replace("FormerlySerializedAs", "UnityEngine.Serialization.FormerlySerializedAsAttribute"),
        MONO.replace('("width")', '(oldName: "width")'),
        MONO.replace(FORMER, '[Tooltip("Its measure"), FormerlySerializedAs("width")]'),
        MONO.replace(FORMER, f"[SerializeField]\n    {FORMER}").replace("public", "private"),
    ],
)
def test_each_way_of_writing_it_is_read(root: Path, text: str) -> None:
    write_door(root, text, "breadth")
    assert [message for *_, message in unneeded(root)] == ["Door.breadth was width, which no asset stores any more"]
    write_door(root, text, "width")
    assert unneeded(root) == []


def test_each_of_several_names_counts(root: Path) -> None:
    write_door(root, MONO.replace(FORMER, f'{FORMER}\n    [FormerlySerializedAs("size")]'), "size")
    assert unneeded(root) == [(DOOR, 4, "Door.breadth was width, which no asset stores any more")]


def test_a_property_is_called_by_its_name(root: Path) -> None:
    held = '[field: SerializeField, FormerlySerializedAs("width")]\n    public float Breadth { get; private set; }'
    write_door(root, MONO.replace(f"{FORMER}\n    public float breadth;", held), "<Breadth>k__BackingField")
    assert unneeded(root) == [(DOOR, 4, "Door.Breadth was width, which no asset stores any more")]


def test_an_override_needs_the_name(root: Path) -> None:
    write_door(root, MONO, "breadth")
    door = component(114, 30, 10, "MonoBehaviour", script_of(guid_of(DOOR)) + "  m_Name: \n  breadth: 1\n")
    put(root, "Assets/Prefabs/Gate.prefab", HEAD + game_object(10, "Gate", 0, door))
    gate = guid_of("Assets/Prefabs/Gate.prefab")
    row = (
        f"--- !u!1001 &500\nPrefabInstance:\n  m_Modification:\n    m_TransformParent: {{fileID: 0}}\n"
        f"    m_Modifications:\n    - target: {{fileID: 30, guid: {gate}, type: 3}}\n      propertyPath: NAME\n"
        f"      value: 3\n      objectReference: {{fileID: 0}}\n"
        f"  m_SourcePrefab: {{fileID: 100100000, guid: {gate}, type: 3}}\n"
    )
    put(root, VARIANT, HEAD + row.replace("NAME", "breadth"))
    assert len(unneeded(root)) == 1
    put(root, VARIANT, HEAD + row.replace("NAME", "width"))
    assert unneeded(root) == []


def test_a_nested_value_needs_the_name_wherever_it_is(root: Path) -> None:
    put(
        root,
        "Assets/Scripts/Hinge.cs",
        f"[System.Serializable] class Hinge {{ {FORMER} public float breadth; }}",
        SCRIPT,
    )
    put(root, DOOR, "using UnityEngine; class Door : ScriptableObject { [SerializeReference] object hinge; }", SCRIPT)
    put(root, "Assets/Data/Oak.asset", scriptable(DOOR, "Oak", "  hinge:\n    breadth: 1\n"), NATIVE)
    assert len(unneeded(root)) == 1
    put(root, "Assets/Data/Oak.asset", scriptable(DOOR, "Oak", "  hinge:\n    width: 1\n"), NATIVE)
    assert unneeded(root) == []


def test_settings_of_the_project_may_need_it(root: Path) -> None:
    write_door(root, MONO, "breadth")
    (root / "ProjectSettings/Doors.asset").write_text(HEAD + "--- !u!114 &1\nMonoBehaviour:\n  width: 2\n")
    assert unneeded(root) == []


def test_another_class_with_a_value_of_that_name_needs_nothing(root: Path) -> None:
    write_door(root, MONO, "breadth")
    put(
        root,
        "Assets/Scripts/Wall.cs",
        "using UnityEngine; class Wall : ScriptableObject { public float width; }",
        SCRIPT,
    )
    put(root, "Assets/Data/Wall.asset", scriptable("Assets/Scripts/Wall.cs", "Wall", "  width: 1\n"), NATIVE)
    assert len(unneeded(root)) == 1


@pytest.mark.parametrize("name", ["Names.Old", '"wid" + "th"', "nameof(Door.width)"])
def test_a_name_that_is_no_literal_proves_nothing(root: Path, name: str) -> None:
    write_door(root, MONO.replace('"width"', name), "breadth")
    assert unneeded(root) == []


def test_a_class_of_another_file_name_may_be_stored_anywhere(root: Path) -> None:
    put(root, "Assets/Scripts/Parts.cs", MONO + "class Other : MonoBehaviour { }", SCRIPT)
    script = script_of(guid_of("Assets/Scripts/Parts.cs"))
    door = component(114, 30, 10, "MonoBehaviour", script + "  m_Name: \n  width: 1\n")
    put(root, HALL, HEAD + game_object(10, "Hall", 0, door))
    assert unneeded(root) == []


def test_files_that_could_not_be_read_are_counted(root: Path) -> None:
    write_door(root, MONO, "breadth")
    put(root, "Assets/Data/Large.asset", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", NATIVE)
    ((*_, message),) = unneeded(root)
    assert message == "Door.breadth was width, which no asset stores any more (1 file could not be read)"


def test_a_package_of_the_project_is_left_out(root: Path) -> None:
    (root / "Packages/com.acme.doors").mkdir(parents=True)
    (root / "Packages/com.acme.doors/package.json").write_text('{"name": "com.acme.doors", "version": "1.0.0"}')
    put(root, "Packages/com.acme.doors/Door.cs", MONO, SCRIPT)
    assert unneeded(root) == []
