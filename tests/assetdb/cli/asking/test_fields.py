"""``usages Script.cs --field NAME``: in a shell, for assistants and for programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import assetdb
from assetdb.cli import main
from tests.assetdb.mcp.assistant import assisting
from tests.assetdb.unity_project import HEAD, game_object, guid, make_project, write

if TYPE_CHECKING:
    from pathlib import Path

    from tests.system.watch.daemons import Project

CODE = """using UnityEngine;
public class Sword : Arm
{
    public int length;
    [field: SerializeField] public int Worth { get; set; }
}
"""
BODY = "  edge: 3\n  length: 9\n  <Worth>k__BackingField: 0\n  old: 4\n"


def fill(root: Path) -> None:
    write(root, "Assets/Code/Arm.cs", 400, "class Arm : UnityEngine.MonoBehaviour { public int edge; }")
    write(root, "Assets/Code/Sword.cs", 401, CODE)
    reference = f"  m_Script: {{fileID: 11500000, guid: {guid(401)}, type: 3}}\n"
    component = f"--- !u!114 &300\nMonoBehaviour:\n  m_GameObject: {{fileID: 100}}\n{reference}{BODY}"
    write(root, "Assets/Sword.prefab", 410, HEAD + game_object(100, "Excalibur", 0, component))
    scene = (
        f"{HEAD}--- !u!1001 &800\nPrefabInstance:\n  m_Modification:\n    m_TransformParent: {{fileID: 0}}\n"
        f"    m_Modifications:\n    - target: {{fileID: 300, guid: {guid(410)}, type: 3}}\n"
        "      propertyPath: length\n      value: 12\n      objectReference: {fileID: 0}\n"
        f"    m_RemovedComponents: []\n  m_SourcePrefab: {{fileID: 100100000, guid: {guid(410)}, type: 3}}\n"
    )
    write(root, "Assets/Hall.unity", 411, scene)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = make_project(tmp_path / "P")
    fill(root)
    monkeypatch.chdir(root)
    return root


def line_of(root: Path, path: str, text: str) -> int:
    return (root / path).read_text().split("\n").index(text) + 1


@pytest.mark.usefixtures("root")
def test_values_of_assets_and_overrides_are_listed(capsys: pytest.CaptureFixture[str], root: Path) -> None:
    assert main(["usages", "Sword.cs", "--field", "length"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        f"Assets/Hall.unity:{line_of(root, 'Assets/Hall.unity', '      propertyPath: length')}  length",
        f"Assets/Sword.prefab:{line_of(root, 'Assets/Sword.prefab', '  length: 9')}  Excalibur  length",
    ]
    assert "2 values (2 not zero or empty) in 2 assets\n" in err


@pytest.mark.parametrize(
    ("field", "said"),
    [
        ("Worth", "Excalibur  <Worth>k__BackingField  zero or empty"),
        ("edge", "Excalibur  edge"),  # of the base class
        ("old", "Excalibur  old"),  # a leftover that no class declares
    ],
)
@pytest.mark.usefixtures("root")
def test_properties_base_classes_and_leftovers_count(capsys: pytest.CaptureFixture[str], field: str, said: str) -> None:
    assert main(["usages", "Sword.cs", "--field", field]) == 0
    assert capsys.readouterr().out.endswith(f"{said}\n")


@pytest.mark.usefixtures("root")
def test_json_counts_values_and_others(capsys: pytest.CaptureFixture[str], root: Path) -> None:
    write(root, "Assets/Other/Sword.cs", 420, "namespace Other { class Sword { } }")
    assert main(["usages", "Assets/Code/Sword.cs", "--field", "length", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["field"], found["total"], found["not_default"]) == ("length", 2, 2)
    assert found["others"] == ["Assets/Other/Sword.cs"]
    assert {row["guid"] for row in found["values"]} == {guid(410), guid(411)}


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("Sword.cs", "--field", "none"), 1, "no asset stores none of Assets/Code/Sword.cs"),
        (("Sword.prefab", "--field", "x"), 2, "--field is for C# scripts: Assets/Sword.prefab is none"),
        (("Sword.cs", "--field", "x", "--deep"), 2, "leave out --deep, --objects, --why and --all"),
    ],
)
@pytest.mark.usefixtures("root")
def test_what_cannot_be_listed_is_said(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], code: int, said: str
) -> None:
    assert main(["usages", *words]) == code
    assert said in capsys.readouterr().err


def test_assistants_and_programs_are_told_as_well(made: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(made.root)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(made.runtime))
    made.start()
    with assisting(made.root) as assistant:
        found = assistant.call("usages", query="Sword.cs", field="length")
        assert found.startswith("2 values of length of Assets/Code/Sword.cs (")
        assert ", 2 not zero or empty: file, object, property" in found
        assert "Assets/Sword.prefab:" in found
        assert assistant.call("usages", query="Sword.cs", field="x").startswith(
            "no asset stores x of Assets/Code/Sword"
        )
        assert "is no C# script" in assistant.call("usages", query="Sword.prefab", field="x")
    with assetdb.Client.connect(made.root, timeout=20) as client:
        assert client.usages("Sword.cs", field="length")["not_default"] == 2
