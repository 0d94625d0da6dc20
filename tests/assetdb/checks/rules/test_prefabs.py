"""Prefabs that contain themselves through others: found by their instances, each at its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.checks.rules.prefabs import find_recursive
from tests.assetdb.checks.healthy import PREFAB, guid_of, placed, put
from tests.assetdb.checks.rules.views import found_by
from tests.assetdb.unity_project import HEAD, game_object

if TYPE_CHECKING:
    from pathlib import Path


def prefab(name: str) -> str:
    return f"Assets/{name}.prefab"


def write(root: Path, name: str, *inner: str, extra: str = "") -> None:
    """Write a prefab with instances of others."""
    instances = "".join(placed(900 + number, prefab(other), 100, other) for number, other in enumerate(inner))
    put(root, prefab(name), f"{HEAD}{game_object(100, name)}{instances}{extra}", PREFAB)


def test_each_instance_on_the_way_back_is_found_and_no_other(tmp_path: Path) -> None:
    root = tmp_path / "Game"
    write(root, "A", "Leaf", "B")
    write(root, "B", "C")
    write(root, "C", "A")
    write(root, "Leaf")
    write(root, "Into", "A")
    found = found_by(find_recursive, root)
    assert [(row.path, row.message, row.target, row.anchor) for row in found] == [
        (prefab(one), f"contains itself through {prefab(other)}", guid_of(prefab(other)), 901 if one == "A" else 900)
        for one, other in (("A", "B"), ("B", "C"), ("C", "A"))
    ]
    assert {(row.code, row.property_path) for row in found} == {("recursive-prefab", "m_SourcePrefab")}


def test_prefabs_that_refer_to_each_other_without_instances_do_not_contain_themselves(tmp_path: Path) -> None:
    root = tmp_path / "Game"
    spawner = "--- !u!114 &5\nMonoBehaviour:\n  a: {{fileID: 100, guid: {}, type: 3}}\n"
    write(root, "A", "B")
    write(root, "B", extra=spawner.format(guid_of(prefab("A"))))
    assert found_by(find_recursive, root) == []


def test_an_instance_of_the_prefab_in_itself_is_left_to_the_verdicts(tmp_path: Path) -> None:
    root = tmp_path / "Game"
    write(root, "A", "A", "B")
    write(root, "B", "A")
    assert [row.target for row in found_by(find_recursive, root)] == [guid_of(prefab("B")), guid_of(prefab("A"))]
