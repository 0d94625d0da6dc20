"""``assetdb get``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from tests.assetdb.unity_project import HEAD, component, game_object, guid, instance, make_project, stripped, write

if TYPE_CHECKING:
    from pathlib import Path

CHANGE = f"""\
    - target: {{fileID: 12, guid: {guid(30)}, type: 3}}
      propertyPath: m_Type
      value: 2
      objectReference: {{fileID: 0}}
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = make_project(tmp_path / "P")
    light = "  m_Enabled: 1\n  m_Type: 1\n  m_Color: {r: 1, g: 0.5, b: 0, a: 1}\n  m_Cookie: {fileID: 0}\n"
    light += f"  m_Flare: {{fileID: 11400000, guid: {guid(9)}, type: 2}}\n"
    light += f"  m_Gone: {{fileID: 5, guid: {guid(77)}, type: 2}}\n"
    text = HEAD + game_object(10, "Lamp", components=component(108, 12, 10, "Light", light))
    write(root, "Assets/Lamp.prefab", 30, text)
    street = instance(100, 30).replace("    m_RemovedComponents", f"{CHANGE}    m_RemovedComponents")
    write(root, "Assets/Street.prefab", 31, HEAD + street)
    monkeypatch.chdir(root)
    return root


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["get", "--quiet", *words])
    out, err = capsys.readouterr()
    return code, out, err


def test_values_are_printed_with_names_enums_and_vectors(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert project.is_dir()
    assert run(capsys, "Lamp.prefab:12") == (
        0,
        f"""\
Lamp.prefab (Light)  [Assets/Lamp.prefab:12]
  m_GameObject  Lamp.prefab (GameObject)
  m_Enabled     1
  m_Type        Directional (1)
  m_Color       (r: 1, g: 0.5, b: 0, a: 1)
  m_Cookie      None
  m_Flare       data.asset
  m_Gone        {guid(77)}:5 (missing-asset)
""",
        "",
    )


def test_overridden_values_say_who_set_them(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert project.is_dir()
    light = f"Street.prefab:{100 ^ 12}"
    lines = [line.split("  ") for line in run(capsys, light)[1].splitlines()]
    (row,) = [[cell.strip() for cell in line if cell.strip()] for line in lines if "m_Type" in line]
    assert row == ["m_Type", "Point (2)", "overridden by Street.prefab"]
    _, out, _ = run(capsys, light, "--overrides")
    assert out.splitlines() == [
        "Street.prefab / Lamp (Light)  [Assets/Lamp.prefab:12]",
        "  m_Type  Lamp.prefab: Directional (1) -> Street.prefab: Point (2)",
    ]
    assert run(capsys, "Lamp.prefab:12", "--overrides") == (
        1,
        "",
        "assetdb: Lamp.prefab (Light): nothing is overridden\n",
    )


def test_json_has_every_value_with_its_chain(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert project.is_dir()
    found = json.loads(run(capsys, f"Street.prefab:{100 ^ 12}", "--json")[1])
    assert (found["guid"], found["source"], found["type"]) == (guid(31), guid(30), "Light")
    rows = {row["path"]: row for row in found["properties"]}
    assert rows["m_Type"] == {
        "path": "m_Type",
        "group": "",
        "value": {"value": 2, "name": "Point"},
        "base": {"value": 1, "name": "Directional"},
        "overrides": [
            {"path": "Assets/Street.prefab", "guid": guid(31), "instance": 100, "value": {"value": 2, "name": "Point"}}
        ],
    }
    assert rows["m_Color.g"]["value"] == 0.5
    assert rows["m_Color.g"]["group"] == "m_Color"
    assert rows["m_Flare"]["value"]["guid"] == guid(9)


def test_an_asset_means_its_main_object(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert project.is_dir()
    assert run(capsys, "data.asset")[1].startswith("data.asset  [Assets/data.asset:11400000]\n  m_Script")
    assert "m_Name                    Lamp\n" in run(capsys, "Lamp.prefab")[1]
    assert "m_IsActive" not in run(capsys, "Street.prefab")[1]


@pytest.mark.parametrize(
    ("query", "code", "said"),
    [
        ("Nowhere.prefab", 1, "no asset named"),
        ("Main.unity", 2, "has no main object"),
        ("boat.fbx:4300000", 2, "its importer makes the objects"),
        ("Lamp.prefab:999999", 2, "has no object 999999"),
        ("lost.mat", 2, "is a Git LFS pointer"),
        (f"{guid(77)}:5", 2, "no asset has this GUID"),
    ],
)
def test_what_has_no_values_is_an_error_with_what_to_do(
    project: Path, capsys: pytest.CaptureFixture[str], query: str, code: int, said: str
) -> None:
    assert project.is_dir()
    found = run(capsys, query)
    assert (found[0], found[1]) == (code, "")
    assert said in found[2]


def test_conflict_markers_in_an_object_are_an_error_with_its_place(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    torn = game_object(10, "A").replace("  m_Name", "<<<<<<< HEAD\n  m_Name: B\n=======\n  m_Name")
    write(project, "Assets/torn.prefab", 40, HEAD + torn)
    code, _, err = run(capsys, "torn.prefab:10")
    assert code == 2
    assert err.startswith("assetdb: error: Assets/torn.prefab: object 10: is not as Unity writes it: line ")


@pytest.mark.parametrize("before", ["", "x", "\0", "\n", "%TAG !u! tag:unity3d.com,2011:\n"])
def test_values_of_a_file_without_its_first_line_are_not_shown(
    project: Path, capsys: pytest.CaptureFixture[str], before: str
) -> None:
    """`check` calls such a file broken, and both say one thing."""
    own = game_object(10, "A") if before.endswith("\n") or not before else HEAD + game_object(10, "A")
    write(project, "Assets/headless.prefab", 40, before + own)
    code, out, err = run(capsys, "headless.prefab:10")
    assert (code, out) == (2, "")
    assert err.startswith(
        "assetdb: error: Assets/headless.prefab: object 10: is in a file that does not begin with %YAML"
    )
    capsys.readouterr()
    assert main(["check", "--project", str(project), "Assets/headless.prefab"]) == 1
    assert "broken-asset" in capsys.readouterr().out


def test_siblings_that_differ_behind_a_number_sign_have_two_names(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = HEAD + "".join(
        game_object(
            number, f"Button #{number}", components=component(114, number + 5, number, "X", f"  t: Take #{number}\n")
        )
        for number in (10, 20)
    )
    write(project, "Assets/Menu.unity", 41, text)
    assert "  m_Name                    Button #20\n" in run(capsys, "Menu.unity / Button #20")[1]
    assert run(capsys, "Menu.unity:15")[1].splitlines()[0].startswith("Menu.unity / Button #10 ")
    assert run(capsys, "Menu.unity:15")[1].splitlines()[-1].split(maxsplit=1) == ["t", "Take #10"]
    assert main(["ls", "-q", "Menu.unity"]) == 0
    assert [line.split("  ")[0] for line in capsys.readouterr().out.splitlines()] == [
        "Menu.unity / Button #10",
        "Menu.unity / Button #20",
    ]
    assert main(["name", "-q", f"{guid(41)}:20"]) == 0
    assert capsys.readouterr().out.startswith("Menu.unity / Button #20 (GameObject)")
    assert main(["find", "-q", "--in", "Menu.unity", "Button #10"]) == 0
    assert "Button #10" in capsys.readouterr().out


def test_a_key_that_comes_twice_is_said(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body = component(114, 12, 10, "MonoBehaviour", "  speed: 1\n  speed: 2\n")
    write(project, "Assets/twice.prefab", 42, HEAD + game_object(10, "A", components=body))
    code, out, err = run(capsys, "twice.prefab:12")
    assert code == 0
    assert [line.split() for line in out.splitlines()[-2:]] == [["speed[0]", "1"], ["speed[1]", "2"]]
    assert "has speed more than once: which of them Unity takes is not known" in err


def test_texts_that_steer_a_terminal_are_escaped(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body = component(114, 12, 10, "MonoBehaviour", '  text: "a\\e[31m\\u202E"\n')
    write(project, "Assets/odd.prefab", 40, HEAD + game_object(10, "A", components=body))
    assert "  text          a\\x1b[31m\\u202e\n" in run(capsys, "odd.prefab:12")[1]


MODEL = """ModelImporter:
  serializedVersion: 1
  internalIDToNameTable:
  - first:
      1: 100000
    second: //RootNode
  - first:
      4: 400000
    second: //RootNode
  fileIdsGeneration: 1
"""


def test_an_object_of_a_model_has_what_prefabs_override(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(project, "Assets/ship.fbx", 40, b"FBX", MODEL)
    row = f"    - target: {{fileID: 100000, guid: {guid(40)}, type: 3}}\n      propertyPath: m_Layer\n      value: 8\n"
    placed = instance(700, 40, 0, {100000: "Boat"}).replace(
        "    m_RemovedComponents", f"{row}      objectReference: {{fileID: 0}}\n    m_RemovedComponents"
    )
    number = 700 ^ 100000
    text = HEAD + placed + stripped(1, number, "GameObject", 40, 100000, 700)
    write(project, "Assets/Harbor.prefab", 41, text + stripped(4, 700 ^ 400000, "Transform", 40, 400000, 700))
    code, out, err = run(capsys, f"Harbor.prefab:{number}")
    assert (code, err.count("the importer of Assets/ship.fbx makes its values")) == (0, 1)
    rows = [line.split() for line in out.splitlines()]
    assert rows[0][-1] == "[Assets/ship.fbx:100000]"
    overridden = ["overridden", "by", "Harbor.prefab"]
    assert rows[1:] == [["m_Name", "Boat", *overridden], ["m_Layer", "8", *overridden]]
    found = json.loads(run(capsys, f"Harbor.prefab:{number}", "--json")[1])
    assert (found["type"], found["source_path"], found["imported"]) == ("GameObject", "Assets/ship.fbx", True)
    assert run(capsys, f"Harbor.prefab:{700 ^ 400000}")[1].startswith("Harbor.prefab")
    assert "nothing is overridden" in run(capsys, f"Harbor.prefab:{700 ^ 400000}", "--overrides")[2]
