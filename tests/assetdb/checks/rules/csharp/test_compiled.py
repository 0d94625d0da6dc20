"""The assembly of a script follows from the definitions above it, or from its folder."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from assetdb.checks.rules.csharp.compiled import Unit, units_of
from assetdb.memo.memo import memo_of
from assetdb.memo.view import View
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.checks.healthy import SCRIPT, guid_of, put

if TYPE_CHECKING:
    from pathlib import Path


def units(root: Path) -> dict[str, Unit]:
    project = open_project(str(root), str(root.parent / "out"))
    try:
        return units_of(View(memo_of(project).inputs(project)))
    finally:
        project.close()


def define(root: Path, path: str, **document: object) -> None:
    put(root, path, json.dumps(document), "AssemblyDefinitionImporter:\n  userData: \n")


def test_scripts_are_in_the_assembly_of_their_folder(tmp_path: Path) -> None:
    root = tmp_path / "Game"
    (root / "ProjectSettings").mkdir(parents=True)
    for path in (
        "Assets/A.cs",
        "Assets/Tools/Editor/B.cs",
        "Assets/Plugins/C.cs",
        "Assets/StreamingAssets/D.cs",
        "Assets/Game/Deep/E.cs",
        "Assets/Game/Editor/F.cs",
        "Assets/Tests/G.cs",
        "Assets/More/H.cs",
        "Assets/Desktop/I.cs",
        "Assets/Old/J.CS",
    ):
        put(root, path, "class X {}\n", SCRIPT)
    define(
        root, "Assets/Game/Game.asmdef", name="Game", references=["Tests", f"GUID:{guid_of('Assets/Desktop/D.asmdef')}"]
    )
    define(root, "Assets/Tests/Tests.asmdef", name="Tests", defineConstraints=["UNITY_INCLUDE_TESTS"])
    define(root, "Assets/Desktop/D.asmdef", name="Desktop", includePlatforms=["WindowsStandalone64"])
    define(root, "Assets/More/More.ASMREF", reference="game")
    define(root, "Assets/Old/Old.AsmDef", name="Old")
    found = units(root)
    names = {path: (unit.name, unit.is_of_editor, unit.is_certain) for path, unit in found.items()}
    assert names == {
        "Assets/A.cs": ("Assembly-CSharp", False, True),
        "Assets/Tools/Editor/B.cs": ("Assembly-CSharp-Editor", True, False),
        "Assets/Plugins/C.cs": ("Assembly-CSharp-firstpass", False, True),
        "Assets/Game/Deep/E.cs": ("Game", False, True),
        "Assets/Game/Editor/F.cs": ("Game", False, True),
        "Assets/Tests/G.cs": ("Tests", True, False),
        "Assets/More/H.cs": ("Game", False, True),
        "Assets/Old/J.CS": ("Old", False, True),
        "Assets/Desktop/I.cs": ("Desktop", False, False),
    }
    assert found["Assets/Game/Deep/E.cs"].references == {"tests", "desktop"}


def test_scripts_below_a_definition_that_cannot_be_read_are_in_none(tmp_path: Path) -> None:
    root = tmp_path / "Game"
    (root / "ProjectSettings").mkdir(parents=True)
    for path in ("Assets/Cut/A.cs", "Assets/Cut/Inner/B.cs", "Assets/Nameless/C.cs", "Assets/D.cs"):
        put(root, path, "class X {}\n", SCRIPT)
    put(root, "Assets/Cut/Cut.asmdef", '{"name": "Cu', "AssemblyDefinitionImporter:\n  userData: \n")
    define(root, "Assets/Cut/Inner/Inner.asmdef", name="Inner")
    define(root, "Assets/Nameless/N.asmdef", references=["Inner"])
    assert {path: unit.name for path, unit in units(root).items()} == {
        "Assets/Cut/Inner/B.cs": "Inner",
        "Assets/D.cs": "Assembly-CSharp",
    }
