"""A folder of assets alone is judged, and nothing is said that is not said of the project around it."""

from __future__ import annotations

import json
import os
import shutil
import sys
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.findings.codes import ABSENT_PACKAGES
from assetdb.checks.findings.engine import Selection, check_project
from assetdb.cli import main
from assetdb.query.snapshots.snapshot import open_project
from assetdb.resolve.resolver import PACKAGE_NOT_PRESENT
from assetdb.settings.project import asset_file, asset_roots, is_part
from tests.assetdb.checks.healthy import PREFAB, SCRIPT, guid_of, make_healthy, material, put, script_of
from tests.assetdb.checks.test_every_code import CASES, ON_POSIX
from tests.assetdb.history.git_project import git
from tests.assetdb.unity_project import HEAD
from tests.needs import needs_git

if TYPE_CHECKING:
    from pathlib import Path

UNJUDGED = (ABSENT_PACKAGES, PACKAGE_NOT_PRESENT)


def findings(root: Path, out: Path) -> set[tuple[str, str, int, str]]:
    """Return code, path, line and property of all findings, also of codes that are off."""
    project = open_project(str(root), str(out))
    try:
        found = check_project(project, Selection(select=("all",))).findings
    finally:
        project.close()
    return {(row.code, row.path, row.line, row.property_path) for row in found}


def alone(root: Path, folder: str, where: Path) -> Path:
    """Return a copy of a folder below Assets, as a repository has it that is a submodule."""
    shutil.copytree(root / "Assets" / folder, where, symlinks=True)
    return where


@pytest.mark.parametrize("code", CASES)
def test_nothing_is_said_that_is_not_said_of_the_project(code: str, tmp_path: Path) -> None:
    """The expected values are the project's: whatever a folder lacks is in the project around it."""
    if code in ON_POSIX and sys.platform == "win32":
        pytest.skip("its file systems have no such files")
    root = make_healthy(tmp_path / "Game")
    CASES[code].trigger(root)
    said = findings(root, tmp_path / "out")
    for folder in sorted(path.name for path in (root / "Assets").iterdir() if path.is_dir() and not path.is_symlink()):
        part = alone(root, folder, tmp_path / "parts" / folder)
        if not is_part(str(part)):
            continue  # it has no meta, so that it is nothing
        below = {
            (code, path.replace("Assets/", f"Assets/{folder}/", 1), line, name)
            for code, path, line, name in findings(part, tmp_path / f"out-{folder}")
            if code not in UNJUDGED
        }
        assert below <= said, folder


def test_what_the_project_around_has_is_not_missed(tmp_path: Path) -> None:
    """A submodule at Assets/Editor/Shared uses scripts, shaders, groups and parts of classes of its project."""
    root = make_healthy(tmp_path / "Game")
    shared = "Assets/Editor/Shared"
    put(root, f"{shared}/Tool.cs", "using UnityEditor;\npublic class Tool { EditorWindow window; }\n", SCRIPT)
    put(
        root,
        f"{shared}/Sea.shader",
        'Shader "Sea" { SubShader { Pass { HLSLPROGRAM\n#include "../../Water/Sea.cginc"\n',
    )
    put(
        root,
        f"{shared}/Lake.shader",
        'Shader "Lake" { SubShader { Pass { HLSLPROGRAM\n#include "Assets/Water/Sea.cginc"\n',
    )
    names = 'using UnityEngine;\npublic class Names : MonoBehaviour { void Start() { Shader.Find("Toon"); } }\n'
    put(root, f"{shared}/Names.cs", names, SCRIPT)
    put(root, "Assets/Water/Sea.cginc", "// the sea\n")
    put(root, "Assets/Water/Toon.shader", 'Shader "Toon" {}\n')
    put(root, "Assets/Scripts/Door.cs", "using UnityEngine;\npublic class Door : MonoBehaviour {}\n", SCRIPT)
    script = script_of(guid_of("Assets/Scripts/Door.cs")).rstrip("\n")
    named = f"{script}\n  m_Name: \n  m_EditorClassIdentifier: Assembly-CSharp::Door\n"
    door = f"{HEAD}--- !u!1 &100\nGameObject:\n  m_Component:\n  - component: {{fileID: 400}}\n"
    door += "  - component: {fileID: 300}\n  m_Name: Door\n--- !u!4 &400\nTransform:\n  m_GameObject: {fileID: 100}\n"
    door += f"  m_Father: {{fileID: 0}}\n--- !u!114 &300\nMonoBehaviour:\n  m_GameObject: {{fileID: 100}}\n{named}"
    put(root, f"{shared}/Door.prefab", door, PREFAB)
    said = findings(root, tmp_path / "out")
    assert not [row for row in said if row[1].startswith(shared)]

    part = alone(root, "Editor/Shared", tmp_path / "Shared")
    assert {row[0] for row in findings(part, tmp_path / "alone")} == set(UNJUDGED)
    shutil.copytree(root / "ProjectSettings", part / "Whole/ProjectSettings")
    shutil.copytree(part, part / "Whole/Assets", ignore=shutil.ignore_patterns("Whole"))
    of_whole = {
        row[0] for row in findings(part / "Whole", tmp_path / "whole")
    }  # where nothing is around, they are faults
    assert of_whole >= {"editor-api", "missing-include", "unknown-name", "missing-script"}


def test_its_own_faults_are_found(tmp_path: Path) -> None:
    part = alone(make_healthy(tmp_path / "Game"), "Scripts", tmp_path / "Shared")
    put(tmp_path, "Shared/One.mat", material("One"))
    shutil.copy(part / "One.mat", part / "Two.mat")
    shutil.copy(part / "One.mat.meta", part / "Two.mat.meta")
    (part / "Three.mat").write_text(material("Three"))
    assert {row[:2] for row in findings(part, tmp_path / "out") if row[0] not in UNJUDGED} == {
        ("duplicate-guid", "Assets/One.mat"),
        ("duplicate-guid", "Assets/Two.mat"),
        ("missing-meta", "Assets/Three.mat"),
    }


def test_it_is_said_to_be_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    part = alone(make_healthy(tmp_path / "Game"), "Prefabs", tmp_path / "Shared")
    before = sorted(os.listdir(part))
    assert main(["check", "--project", str(part)]) == 0
    told = capsys.readouterr()
    assert "this is a folder of assets, and the project that it is a part of is not here" in told.out
    assert "is a folder of assets, and no project of its own" in told.err
    assert sorted(os.listdir(part)) == before
    assert main(["info", "--project", str(part)]) == 0
    assert "this is a folder of assets, without the project around it" in capsys.readouterr().out
    assert main(["unused", "--project", str(part)]) == 0
    monkeypatch.chdir(part)
    assert main(["check"]) == 2
    assert "also this folder of assets, which is judged alone" in capsys.readouterr().err


def test_the_folder_of_a_project_is_no_part(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = make_healthy(tmp_path / "Game")
    put(root, "Assets/Art/Assets/One.mat", material("One"))
    parts = {name: is_part(str(root / name)) for name in ("", "Assets", "Assets/Art", "ProjectSettings")}
    assert parts == {"": False, "Assets": False, "Assets/Art": True, "ProjectSettings": False}
    assert main(["check", "--project", str(root / "Assets")]) == 2
    assert "is not a Unity project" in capsys.readouterr().err
    assert asset_roots(str(root / "Assets/Art")) == ("Assets",)
    assert asset_file(str(root / "Assets/Art"), "Assets/Assets/One.mat") == str(root / "Assets/Art/Assets/One.mat")


@needs_git
def test_its_commits_are_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    root = make_healthy(tmp_path / "Game")
    put(root, "Assets/Shared/Door.cs", "using UnityEngine;\npublic class Door : MonoBehaviour {}\n", SCRIPT)
    part = alone(root, "Shared", tmp_path / "Shared")
    git(part, "init", "-q")
    git(part, "add", "-A")
    git(part, "commit", "-qm", "one")
    made = f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n{script_of(guid_of('Assets/Shared/Door.cs'))}  m_Name: Door\n"
    put(tmp_path, "Shared/Door.asset", made)
    git(part, "rm", "-q", "Door.cs", "Door.cs.meta")
    git(part, "add", "-A")
    assert main(["check", "--staged", "--project", str(part), "--json"]) == 1
    (row,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert (row["code"], row["path"], row["line"]) == ("missing-script", "Assets/Door.asset", 5)
    assert main(["diff", "--project", str(part)]) == 0
    told = capsys.readouterr().out
    assert "added     Assets/Door.asset" in told
    assert "removed   Assets/Door.cs" in told
    assert main(["git-setup", "--project", str(part)]) == 0
    assert (part / ".git/hooks/pre-commit").read_text().endswith("\nexec assetdb check --staged --project .\n")
