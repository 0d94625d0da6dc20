"""Which assets a page has, and which it leaves out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.query.snapshots.snapshot import open_project
from assetdb.report.network import Network, network_of
from tests.assetdb.unity_project import guid, make_project

if TYPE_CHECKING:
    from pathlib import Path


def network(root: Path, most: int = 100) -> Network:
    project = open_project(str(root))
    try:
        return network_of(project, most)
    finally:
        project.close()


def test_assets_are_in_the_order_of_folders_and_names(tmp_path: Path) -> None:
    found = network(make_project(tmp_path))
    assert [node.path for node in found.assets] == [
        "Assets/Main.unity",
        "Assets/data.asset",
        "Assets/Art/boat.fbx",
        "Assets/Art/icon.png",
        "Assets/Art/lost.mat",
        "Assets/Art/tiles.png",
        "Assets/Prefabs/Level.prefab",
        "Assets/Prefabs/Player.prefab",
        "Assets/Scripts/Health.cs",
    ]


def test_what_is_not_in_the_project_is_a_node(tmp_path: Path) -> None:
    found = network(make_project(tmp_path))
    rows = {(node.guid, node.type) for node in found.others}
    assert rows == {("0000000000000000e000000000000000", "built-in"), (guid(77), "missing-asset")}
    scene = found.needs[0]
    assert {*range(len(found.assets), len(found.assets) + 2)} < {*scene}


def test_assets_with_the_fewest_references_are_left_out(tmp_path: Path) -> None:
    whole, found = network(make_project(tmp_path)), network(tmp_path, 3)
    # Main.unity refers to most; Player.prefab and Health.cs have three users each, Level.prefab one and refers to one
    assert [node.path for node in found.assets] == [
        "Assets/Main.unity",
        "Assets/Prefabs/Player.prefab",
        "Assets/Scripts/Health.cs",
    ]
    assert found.left_out == len(whole.assets) - 3
    assert len(found.needs) == len(found.assets) + len(found.others)
    assert {node.path for node in found.others}.isdisjoint({node.path for node in whole.assets})


def test_a_project_without_assets(tmp_path: Path) -> None:
    (tmp_path / "Assets").mkdir()
    (tmp_path / "ProjectSettings").mkdir()
    assert network(tmp_path) == Network((), (), (), 0)
