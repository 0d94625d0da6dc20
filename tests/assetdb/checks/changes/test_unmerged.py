"""A check names each object and property that an unresolved merge has twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.checks.findings.engine import Selection, check_project
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.unity_project import HEAD, game_object, make_project, write

if TYPE_CHECKING:
    from pathlib import Path


def found(root: Path) -> list[tuple[str, int, str, str, str]]:
    project = open_project(str(root))
    try:
        report = check_project(project, Selection(select=("conflict-markers",)))
    finally:
        project.close()
    return [(f.path, f.line, f.object_path, f.property_path, f.message) for f in report.findings]


def conflict(path: Path, line: str, other: str, line_end: str = "\n") -> None:
    text = path.read_text().replace("\n", line_end)
    line, other = line + line_end, other + line_end
    both = f"<<<<<<< HEAD{line_end}{line}======={line_end}{other}>>>>>>> main{line_end}"
    path.write_bytes(text.replace(line, both, 1).encode())


def test_a_prefab_and_a_meta(tmp_path: Path) -> None:
    root = make_project(tmp_path / "project")
    conflict(root / "Assets/Prefabs/Player.prefab", "  m_Name: 'Head #1'", "  m_Name: Skull")
    conflict(root / "Assets/Art/tiles.png.meta", "  spriteMode: 2", "  spriteMode: 1", "\r\n")
    assert found(root) == [
        (
            *("Assets/Art/tiles.png.meta", 6, "", "spriteMode"),
            "an unresolved merge: 2 above, 1 below",
        ),
        (
            *("Assets/Prefabs/Player.prefab", 32, "Player / Body / Head #1 (GameObject)", "m_Name"),
            "an unresolved merge: 'Head #1' above, Skull below",
        ),
    ]


def test_objects_of_nested_prefabs_have_their_whole_way(tmp_path: Path) -> None:
    root = make_project(tmp_path / "project")
    conflict(root / "Assets/Prefabs/Level.prefab", "  m_Name: Sword", "  m_Name: Axe")
    assert [row[2] for row in found(root)] == ["Level / Hero / Body / Sword (GameObject)"]


def test_markers_that_are_no_merge_are_told_of_the_file(tmp_path: Path) -> None:
    root = make_project(tmp_path / "project")
    path = root / "Assets/Prefabs/Player.prefab"
    path.write_text(path.read_text() + "<<<<<<< HEAD\n")
    ((name, _line, where, what, _message),) = found(root)
    assert (name, where, what) == ("Assets/Prefabs/Player.prefab", "", "")


def test_a_component_has_its_class_of_a_dll(tmp_path: Path) -> None:
    # Button as Unity up to 2018 wrote it.
    script = "fileID: 1392445389, guid: f70555f144d8491a825f0804e09c671c"
    button = (
        "--- !u!114 &300\nMonoBehaviour:\n  m_GameObject: {fileID: 100}\n  m_Enabled: 1\n"
        f"  m_Script: {{{script}, type: 3}}\n"
    )
    root = make_project(tmp_path / "project")
    write(root, "Assets/Menu.prefab", 50, HEAD + game_object(100, "Menu", components=button), "PrefabImporter:\n")
    conflict(root / "Assets/Menu.prefab", "  m_Enabled: 1", "  m_Enabled: 0")
    assert [row[2:4] for row in found(root)] == [("Menu (Button)", "m_Enabled")]


@pytest.mark.parametrize(
    ("ours", "theirs", "message"),
    [
        ("  extra: 1\n", "", "an unresolved merge: only the side above has this property (1)"),
        ("", "  extra: 1\n", "an unresolved merge: only the side below has this property (1)"),
        ("  extra: \n", "", "an unresolved merge: only the side above has this property"),
        ("  extra: \n", "  extra: 2\n", "an unresolved merge: nothing above, 2 below"),
        ("  extra: 1\n", "  extra: \n", "an unresolved merge: 1 above, nothing below"),
    ],
)
def test_a_property_of_one_side_alone(tmp_path: Path, ours: str, theirs: str, message: str) -> None:
    root = make_project(tmp_path / "project")
    path = root / "Assets/Prefabs/Player.prefab"
    line = "  m_Name: 'Head #1'\n"
    path.write_text(path.read_text().replace(line, f"{line}<<<<<<< a\n{ours}=======\n{theirs}>>>>>>> b\n", 1))
    ((_, _, where, what, told),) = found(root)
    assert (where, what, told) == ("Player / Body / Head #1 (GameObject)", "extra", message)
