"""Where assets store a field: by scripts, by types in fields, by derived classes."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.field_users import component_users, is_script, storage_fields, storage_of, users_of_fields
from assetdb.checks.lineage import Sources
from assetdb.memo.memo import memo_of
from assetdb.memo.view import View
from assetdb.query.selecting.selector import Subject
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


def test_overrides_and_references_are_places_of_a_field(root: Path) -> None:
    """An instance that changes a field, and a value behind SerializeReference, which names its type."""
    change = (
        "--- !u!1001 &900\nPrefabInstance:\n  m_Modification:\n    m_TransformParent: {fileID: 0}\n"
        "    m_Modifications:\n"
        f"    - target: {{fileID: 300, guid: {guid(410)}, type: 3}}\n      propertyPath: length\n      value: 5\n"
        "      objectReference: {fileID: 0}\n"
        f"    - target: {{fileID: 300, guid: {guid(410)}, type: 3}}\n      propertyPath: edge.wear\n      value: 6\n"
        "      objectReference: {fileID: 0}\n"
        f"    - target: {{fileID: 300, guid: {guid(411)}, type: 3}}\n      propertyPath: length\n      value: 7\n"
        "      objectReference: {fileID: 0}\n    m_RemovedComponents: []\n"
        f"  m_SourcePrefab: {{fileID: 100100000, guid: {guid(410)}, type: 3}}\n"
    )
    write(root, "Assets/Fight.unity", 420, HEAD + change)
    lengths = users(root, {"Sword": {"length"}})["Sword", "length"]
    assert lengths == [("Assets/Sword.prefab", "length", False), ("Assets/Fight.unity", "length", False)]
    wears = users(root, {"Edge": {"wear"}})["Edge", "wear"]
    assert wears == [("Assets/Sword.prefab", "edge.wear", False), ("Assets/Fight.unity", "edge.wear", False)]


def test_storage_in_json_has_counts_and_hierarchies(root: Path) -> None:
    project = open_project(str(root), str(root.parent / "out"))
    project.refresh()
    for path, is_one, total, not_default in (("Sword", True, 1, 1), ("Rack", True, 1, 0)):
        asset = next(each for each in project.database if each.path == f"Assets/Code/{path}.cs")
        fields = storage_fields("q", Subject(asset.guid, None), project, "length")
        assert (fields["query"], fields["field"], fields["is_script"]) == ("q", "length", is_one)
        assert (fields["total"], fields["not_default"], fields["others"]) == (total, not_default, [])
        values = fields["values"]
        assert isinstance(values, list)
        assert [(row["path"], row["hierarchy"]) for row in values] == [(f"Assets/{path}.prefab", path[0])]
    fields = storage_fields("q", Subject(guid(410), None), project, "length")
    assert (fields["is_script"], fields["total"]) == (False, 0)
    project.close()
    assert is_script("A/B.CS")
    assert not is_script("A/B.css")


@pytest.mark.parametrize(
    ("name", "paths"),
    [
        ("Sword", {"Assets/Sword.prefab"}),
        ("Arm", {"Assets/Sword.prefab"}),
        ("Edge", None),  # no component
        ("Nobody", None),
    ],
)
def test_users_of_a_component_are_those_that_may_store_it(root: Path, name: str, paths: set[str] | None) -> None:
    project = open_project(str(root), str(root.parent / "out"))
    view = View(memo_of(project).inputs(project))
    assert component_users(view, Sources(view), name) == paths
    project.close()
