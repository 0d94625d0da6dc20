"""A project at a glance counts what is there, and knows what the last check found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.checks.findings.selection import Selection
from assetdb.checks.overview import Overview, counts_text, overview_of
from assetdb.checks.request import CheckSummary, Question, answer
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.unity_project import HEAD, make_project, write

if TYPE_CHECKING:
    from pathlib import Path


def overview(root: Path) -> Overview:
    project = open_project(str(root), str(root / "out"))
    found = overview_of(project)
    project.close()
    return found


def check(root: Path, selection: Selection) -> dict[str, int]:
    project = open_project(str(root), str(root / "out"))
    found = answer(project, Question(selection)).report.statistics
    project.close()
    return found


def test_assets_are_counted_by_type(tmp_path: Path) -> None:
    root = make_project(tmp_path)
    (root / "ProjectSettings/ProjectVersion.txt").write_text("m_EditorVersion: 2022.3.1f1\n")
    found = overview(root)
    assert (found.unity, found.packages, found.absent, found.assets, found.folders) == ("2022.3.1f1", 1, (), 9, 1)
    files = [path for path in (root / "Assets").rglob("*") if path.is_file() and path.suffix != ".meta"]
    assert found.bytes == sum(path.stat().st_size for path in files)
    assert {(row.type, row.assets) for row in found.types} >= {("Prefab", 2), ("Texture2D", 2), ("MonoScript", 1)}
    assert [(row.path, row.users) for row in found.used][:2] == [
        ("Assets/Scripts/Health.cs", 3),
        ("Assets/Prefabs/Player.prefab", 2),
    ]
    assert found.unread == 1


def test_types_are_those_of_the_assets_one_by_one(tmp_path: Path) -> None:
    """Fonts of Mirror were counted under the GUID of the engine's scripts."""
    root = make_project(tmp_path)
    for number, file_id in ((90, 19001), (91, 19101)):
        script = f"  m_Script: {{fileID: {file_id}, guid: 0000000000000000e000000000000000, type: 0}}\n"
        text = f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n{script}  m_Name: x\n" + "  text: x\n" * 9000
        write(root, f"Assets/{number}.asset", number, text, "NativeFormatImporter:\n  mainObjectFileID: 11400000\n")
    found = {row.type: row.assets for row in overview(root).types}
    assert (found["FontAsset"], found["PanelSettings"]) == (1, 1)
    assert not [name for name in found if name.startswith("000")]


def test_the_last_check_of_the_whole_project_is_told(tmp_path: Path) -> None:
    root = make_project(tmp_path)
    assert overview(root).check is None
    check(root, Selection(select=("dangling",)))
    check(root, Selection(paths=("Assets/Prefabs",)))
    assert overview(root).check is None
    codes = check(root, Selection())
    told = overview(root).check
    assert told is not None
    assert told.codes == codes
    assert told.errors + told.warnings == sum(codes.values())
    (root / "Assets/Main.unity").unlink()
    (root / "Assets/Main.unity.meta").unlink()
    assert overview(root).check == told
    assert check(root, Selection()) != codes
    assert isinstance(overview(root).check, CheckSummary)
    assert overview(root).check != told


def test_counts_are_told_largest_first() -> None:
    assert counts_text({"a": 1, "b": 3, "c": 2}, 2) == "3 b, 2 c and 1 more"
    assert counts_text({"a": 1}, 2) == "1 a"
