"""Where assets store a field: by scripts, by types in fields, by derived classes."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.field_users import storage_of, users_of_fields
from assetdb.checks.lineage import Sources
from assetdb.memo.memo import memo_of
from assetdb.memo.view import View
from assetdb.query.snapshots.snapshot import Snapshot, open_project
from tests.assetdb.unity_project import HEAD, game_object, guid, make_project, write

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

BASE, SWORD, RACK = 400, 401, 402


def script(number: int, body: str) -> str:
    reference = f"  m_Script: {{fileID: 11500000, guid: {guid(number)}, type: 3}}\n"
    return f"--- !u!114 &300\nMonoBehaviour:\n  m_GameObject: {{fileID: 100}}\n{reference}{body}"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = make_project(tmp_path / "Game")
    write(folder, "Assets/Code/Arm.cs", BASE, "class Arm : UnityEngine.MonoBehaviour { public Edge edge; }")
    write(folder, "Assets/Code/Sword.cs", SWORD, "class Sword : Arm { public int length; }")
    write(folder, "Assets/Code/Rack.cs", RACK, "class Rack : UnityEngine.MonoBehaviour { public int length; }")
    write(folder, "Assets/Code/Edge.cs", 403, "[System.Serializable] class Edge { public int wear; }")
    write(
        folder,
        "Assets/Sword.prefab",
        410,
        HEAD + game_object(100, "S", 0, script(SWORD, "  edge:\n    wear: 3\n  length: 9\n")),
    )
    write(folder, "Assets/Rack.prefab", 411, HEAD + game_object(100, "R", 0, script(RACK, "  length: 0\n  wear: 3\n")))
    return folder


def users(root: Path, fields: Mapping[str, set[str]]) -> dict[tuple[str, str], list[tuple[str, str, bool]]]:
    project = open_project(str(root), str(root.parent / "out"))
    try:
        view = View(memo_of(project).inputs(project))
        found = users_of_fields(view, Sources(view), fields)
        return {key: [(use.path, use.property, use.is_default) for use in uses] for key, uses in found.items()}
    finally:
        project.close()


def test_a_field_of_one_script_is_not_another_ones(root: Path) -> None:
    assert users(root, {"Sword": {"length"}}) == {("Sword", "length"): [("Assets/Sword.prefab", "length", False)]}
    assert users(root, {"Rack": {"length"}}) == {("Rack", "length"): [("Assets/Rack.prefab", "length", True)]}


def test_a_type_in_a_field_is_found_in_derived_components(root: Path) -> None:
    assert users(root, {"Edge": {"wear"}}) == {("Edge", "wear"): [("Assets/Sword.prefab", "edge.wear", False)]}


def test_a_field_that_nothing_stores_has_no_users(root: Path) -> None:
    assert users(root, {"Sword": {"width"}, "Nothing": {"length"}}) == {}


def test_values_under_a_former_name_are_the_fields(root: Path) -> None:
    renamed = '[UnityEngine.Serialization.FormerlySerializedAs("length")] public int reach; public int width;'
    write(root, "Assets/Code/Sword.cs", SWORD, f"class Sword : Arm {{ {renamed} }}")
    project = open_project(str(root), str(root.parent / "out"))
    try:
        found = {name: storage_of(project, "Assets/Code/Sword.cs", name).uses for name in ("reach", "width", "length")}
    finally:
        project.close()
    assert [(use.path, use.property) for use in found["reach"]] == [("Assets/Sword.prefab", "length")]
    assert found["length"] == found["reach"]
    assert found["width"] == []


def test_each_script_is_read_once_however_many_types_hold_one_another(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(12):
        text = f"[System.Serializable] class Part{number} {{ public Part{number + 1}[] parts; }}"
        write(root, f"Assets/Code/Part{number}.cs", 430 + number, text)
    write(root, "Assets/Code/Part12.cs", 442, "[System.Serializable] class Part12 { public int wear; }")
    write(root, "Assets/Code/Edge.cs", 403, "[System.Serializable] class Edge { public Part0 part; }")
    body = "  edge:\n    part:\n      parts:\n      - parts:\n        - wear: 3\n"
    write(root, "Assets/Sword.prefab", 410, HEAD + game_object(100, "S", 0, script(SWORD, body)))
    reads: Counter[str] = Counter()
    read = Snapshot.read

    def counted(self: Snapshot, path: str) -> bytes | None:
        reads[path] += path.endswith(".cs")
        return read(self, path)

    monkeypatch.setattr(Snapshot, "read", counted)
    (uses,) = users(root, {"Part12": {"wear"}}).values()
    assert [use[:2] for use in uses] == [("Assets/Sword.prefab", "edge.part.parts[0].parts[0].wear")]
    assert reads.total() <= 2 * sum(1 for path in root.rglob("*.cs"))  # its declarations, and its marks
