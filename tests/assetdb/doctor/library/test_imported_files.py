"""The SerializedFile of an import: objects with their places, references, damage."""

from __future__ import annotations

import pytest

from assetdb.doctor.library import imported_files
from assetdb.doctor.library.comparison import INNER, EditorObject, EditorReference
from assetdb.doctor.library.imported_files import read_imported
from assetdb_formats.binary import FormatError
from tests.assetdb.doctor.library.editor_files import Node, imported
from tests.assetdb.unity_project import guid

PATH = "Assets/Arm.fbx"
NODES = [Node("Arm", 100002, 400002), Node("Hand", 100000, 400000, 400002), Node("Finger", 100004, 400004, 400000)]
COMPONENTS = [(2300000, 23, 100000), (9500000, 95, 100002)]
NAMED = [(4300000, 43, "Hand"), (1, 1041, "importer"), (100100000, 1001, "Arm")]


def row(file_id: int, kind: str, name: str, *way: str) -> EditorObject:
    return EditorObject(guid(6), PATH, INNER, file_id, kind, "", name, way)


@pytest.mark.parametrize("version", [14, 15, 17, 21, 22])
def test_objects_have_names_and_the_way_from_the_root(version: int) -> None:
    found = read_imported(imported(NODES, COMPONENTS, NAMED, version=version), guid(6), PATH)
    assert sorted(found.objects) == sorted(
        [
            row(100002, "GameObject", "Arm", "Arm"),
            row(400002, "Transform", "", "Arm"),
            row(100000, "GameObject", "Hand", "Arm", "Hand"),
            row(400000, "Transform", "", "Arm", "Hand"),
            row(100004, "GameObject", "Finger", "Arm", "Hand", "Finger"),
            row(400004, "Transform", "", "Arm", "Hand", "Finger"),
            row(2300000, "MeshRenderer", "", "Arm", "Hand"),
            row(9500000, "Animator", "", "Arm"),
            row(4300000, "Mesh", "Hand"),
        ]
    )


def test_references_are_those_to_other_assets_each_once() -> None:
    targets = [(guid(7), "Assets/a.mat"), (guid(6), PATH), ("0" * 32, "library/x"), (guid(7), "Assets/a.mat")]
    found = read_imported(imported(NODES, targets=targets), guid(6), PATH)
    assert found.references == [EditorReference(guid(6), PATH, guid(7), "Assets/a.mat")]


def test_parents_in_a_circle_and_deep_ones_have_no_way() -> None:
    circle = [Node("A", 2, 3, 5), Node("B", 4, 5, 3), Node("C", 6, 7, 7)]
    assert {item.way for item in read_imported(imported(circle), guid(6), PATH).objects} == {()}
    chain = [Node(str(number), 2 * number, 2 * number + 1, 2 * number - 1) for number in range(1, 200)]
    ways = {item.file_id: item.way for item in read_imported(imported(chain), guid(6), PATH).objects}
    assert (len(ways[200]), ways[202]) == (100, ())


def test_the_script_of_a_behaviour_is_not_known() -> None:
    found = read_imported(imported(named=[(5, 114, "Settings")]), guid(6), PATH)
    assert [(item.type, item.name) for item in found.objects] == [("", "Settings")]


def test_what_cannot_be_read_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = imported(NODES, COMPONENTS, NAMED)
    for size in range(0, len(whole) - 1, 7):
        with pytest.raises(FormatError):
            read_imported(whole[:size], guid(6), PATH)
    with pytest.raises(FormatError, match="no type trees"):
        read_imported(imported(NODES, trees=False), guid(6), PATH)
    monkeypatch.setattr(imported_files, "LARGEST", 100)
    with pytest.raises(FormatError, match="more than are read at once"):
        read_imported(whole, guid(6), PATH)
    monkeypatch.undo()
    monkeypatch.setattr(imported_files, "_MOST_OBJECTS", 3)
    with pytest.raises(FormatError, match="has 11 objects"):
        read_imported(whole, guid(6), PATH)
