"""What is lost is reported whatever packages are absent, and what cannot be judged is one line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from assetdb.packages.losses import named_assemblies
from tests.assetdb.checks.healthy import NATIVE, SCRIPT, guid_of, make_healthy, put, script_of, scriptable
from tests.assetdb.history.test_lost import commit, git, remove
from tests.assetdb.unity_project import HEAD

if TYPE_CHECKING:
    from pathlib import Path

SCRIPT_PATH = "Assets/Scripts/Door.cs"
USER = "Assets/Data/Door.asset"
UNKNOWN = '{"dependencies": {"com.acme.secret": "1.0.0"}}'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a script that one asset uses, and a package that nobody knows."""
    root = make_healthy(tmp_path / "Game")
    put(root, SCRIPT_PATH, "class Door {}", SCRIPT)
    put(root, USER, scriptable(SCRIPT_PATH, "Door"), NATIVE)
    (root / "Packages").mkdir(exist_ok=True)
    (root / "Packages" / "manifest.json").write_text(UNKNOWN)
    return root


def check(root: Path, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[tuple[str, str, str]]]:
    code = main(["check", "--project", str(root), "--json", *words])
    rows = map(json.loads, capsys.readouterr().out.splitlines())
    return code, [(row["code"], row["path"], row["message"]) for row in rows if "message" in row]


def test_git_knew_the_script(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(project, "init", "-q")
    (project / ".gitignore").write_text("Library\n")
    commit(project, "one")
    assert check(project, capsys) == (0, [])
    remove(project, SCRIPT_PATH)
    said = f"its script is nowhere: {guid_of(SCRIPT_PATH)}: was {SCRIPT_PATH}"
    assert check(project, capsys) == (1, [("missing-script", USER, f"{said} and its deletion is not committed")])
    deleted = commit(project, "two")
    assert check(project, capsys) == (1, [("missing-script", USER, f"{said} until {deleted}")])
    assert check(project, capsys) == (1, [("missing-script", USER, f"{said} until {deleted}")])


def test_without_git_it_is_one_warning(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    remove(project, SCRIPT_PATH)
    said = "1 reference to 1 GUID cannot be judged: 1 package is not on this machine (com.acme.secret)"
    expected = [("absent-packages", "Packages/manifest.json", said)]
    assert check(project, capsys) == (0, expected)
    assert check(project, capsys, "--strict") == (1, expected)
    assert main(["check", "--project", str(project), "--packages"]) == 0
    assert capsys.readouterr().out == "com.acme.secret@1.0.0  required by Packages/manifest.json\n"
    git(project, "init", "-q")  # a history that never had it
    commit(project, "one")
    assert check(project, capsys) == (0, expected)


@pytest.mark.parametrize(
    ("assembly", "found_code"),
    [("Assembly-CSharp", "missing-script"), ("Game.Core", "missing-script"), ("Acme", "absent-packages")],
)
def test_the_file_itself_names_the_assembly(
    project: Path, capsys: pytest.CaptureFixture[str], assembly: str, found_code: str
) -> None:
    put(project, "Assets/Core/Game.Core.asmdef", '{"name": "Game.Core"}', "AssemblyDefinitionImporter:\n  userData: \n")
    body = f"  m_Name: Door\n  m_EditorClassIdentifier: {assembly}::Door\n"
    put(project, USER, f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n{script_of(guid_of(SCRIPT_PATH))}{body}", NATIVE)
    remove(project, SCRIPT_PATH)
    _, found = check(project, capsys)
    assert [row[0] for row in found] == [found_code]


@pytest.mark.parametrize("package", ["com.unity.ide.rider", "com.unity.toolchain.linux", "com.unity.burst"])
def test_packages_that_hold_nothing_to_refer_to(
    project: Path, capsys: pytest.CaptureFixture[str], package: str
) -> None:
    (project / "Packages" / "manifest.json").write_text(UNKNOWN.replace("com.acme.secret", package))
    remove(project, SCRIPT_PATH)
    _, found = check(project, capsys)
    assert [row[:2] for row in found] == [("missing-script", USER)]


def test_an_assembly_of_a_package_that_holds_code_is_not_judged(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "Packages" / "manifest.json").write_text(UNKNOWN.replace("com.acme.secret", "com.unity.burst"))
    definition = '{"name": "Game.Core", "references": ["GUID:2665a8d13d1b3f18800f46e256720795"]}'
    put(project, "Assets/Core/Game.Core.asmdef", definition, "AssemblyDefinitionImporter:\n  userData: \n")
    _, found = check(project, capsys)
    assert [row[0] for row in found] == ["absent-packages"]


def test_a_call_names_the_assembly_of_its_target() -> None:
    guid = b"0123456789abcdef0123456789abcdff"
    data = (
        b"%YAML 1.1\n--- !u!114 &11\nMonoBehaviour:\n  m_OnClick:\n    m_PersistentCalls:\n      m_Calls:\n"
        b"      - m_Target: {fileID: 22}\n        m_TargetAssemblyTypeName: Door, Assembly-CSharp\n"
        b"--- !u!114 &222\nMonoBehaviour:\n  m_Script: {fileID: 11500000, guid: " + b"9" * 32 + b", type: 3}\n"
        b"--- !u!114 &22\nMonoBehaviour:\n  m_Script: {fileID: 11500000, guid: " + guid + b", type: 3}\n"
    )
    assert list(named_assemblies([data], guid)) == [b"Assembly-CSharp"]
    assert list(named_assemblies([data], b"9" * 32)) == []
