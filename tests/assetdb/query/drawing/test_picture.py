"""A picture has the edges that deps and usages list, and counts what it leaves out."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from assetdb.query.drawing.picture import picture_around, picture_fields, picture_of_ways
from assetdb.query.graph.references import AssetGraph
from assetdb.query.graph.relations import dependencies_of, usages_of
from assetdb.query.graph.ways import find_ways
from assetdb.query.selecting.selector import Subject
from assetdb.query.snapshots.snapshot import Snapshot, open_project
from tests.assetdb.unity_project import HEAD, guid, make_project, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from assetdb.query.drawing.picture import Picture

_COUNT = 24


def _refer(root: Path, number: int, targets: list[int]) -> None:
    rows = "".join(f"  r{target}: {{fileID: 11400000, guid: {guid(target)}, type: 2}}\n" for target in targets)
    write(root, f"Assets/a{number}.asset", number, f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n{rows}")


@pytest.fixture(scope="module")
def written() -> dict[int, list[int]]:
    """The references of random assets, some of them in circles."""
    chance = random.Random(5)
    return {n: sorted(chance.sample(range(100, 100 + _COUNT), chance.randrange(4))) for n in range(100, 100 + _COUNT)}


@pytest.fixture
def project(tmp_path: Path, written: dict[int, list[int]]) -> Iterator[Snapshot]:
    root = make_project(tmp_path / "P")
    for number, targets in written.items():
        _refer(root, number, targets)
    settings = f"%YAML 1.1\n--- !u!30 &1\nGraphicsSettings:\n  m_It: {{fileID: 1, guid: {guid(100)}, type: 2}}\n"
    (root / "ProjectSettings" / "GraphicsSettings.asset").write_text(settings)
    opened = open_project(str(root), str(tmp_path / "out"))
    yield opened
    opened.close()


def _paths(picture: Picture) -> set[tuple[str, str]]:
    return {(picture.nodes[user].asset.path, picture.nodes[needed].asset.path) for user, needed in picture.edges}


def _path(number: int) -> str:
    return f"Assets/a{number}.asset"


def test_one_hop_has_the_edges_that_deps_and_usages_list(project: Snapshot, written: dict[int, list[int]]) -> None:
    graph = AssetGraph(project)
    for number in written:
        subject = Subject(guid(number), None)
        needs = {(_path(number), item.path) for item in dependencies_of(subject, project, graph, deep=False)}
        users, _ = usages_of(subject, project, graph, deep=False, objects=False)
        itself = {(_path(number), _path(number))}  # no picture shows that an asset refers to itself
        edges = needs | {(item.path, _path(number)) for item in users}
        assert _paths(picture_around(guid(number), project, graph)) == edges - itself


def test_two_hops_are_those_of_the_files(project: Snapshot, written: dict[int, list[int]]) -> None:
    graph = AssetGraph(project)
    for number, near in written.items():
        expected = {(number, target) for target in near}
        expected |= {(user, target) for user in near for target in written[user]}
        drawn = picture_around(guid(number), project, graph, hops=2, users=False)
        assert _paths(drawn) == {(_path(user), _path(target)) for user, target in expected if user != target}
        assert all(0 <= node.layer <= 2 for node in drawn.nodes)


def test_a_user_that_is_a_dependency_leads_to_further_ones(tmp_path: Path) -> None:
    root = make_project(tmp_path / "P")
    for number, targets in {100: [101], 101: [100, 102], 102: [], 103: [101]}.items():
        _refer(root, number, targets)
    project = open_project(str(root), str(tmp_path / "out"))
    graph = AssetGraph(project)
    drawn = picture_around(guid(100), project, graph, hops=2)
    users = picture_around(guid(100), project, graph, hops=2, needs=False)
    needs = picture_around(guid(100), project, graph, hops=2, users=False)
    assert (_path(101), _path(102)) in _paths(needs)
    assert _paths(drawn) == _paths(users) | _paths(needs)
    project.close()


def test_project_settings_are_users(project: Snapshot) -> None:
    drawn = picture_around(guid(100), project, AssetGraph(project), needs=False)
    assert ("ProjectSettings/GraphicsSettings.asset", _path(100)) in _paths(drawn)
    assert {node.asset.type for node in drawn.nodes if not node.asset.guid} == {"project settings"}


def test_what_is_left_out_is_counted(tmp_path: Path) -> None:
    root = make_project(tmp_path / "P")
    _refer(root, 100, list(range(101, 109)))
    for number in range(101, 109):
        _refer(root, number, [])
    for number in range(200, 203):
        _refer(root, number, [100])
    project = open_project(str(root), str(tmp_path / "out"))
    whole = picture_around(guid(100), project, AssetGraph(project))
    assert (len(whole.nodes), whole.left_out) == (12, "")
    part = picture_around(guid(100), project, AssetGraph(project), most=2)
    assert (len(part.nodes), part.left_out) == (5, "1 user and 6 dependencies")
    assert [node.asset.path for node in part.nodes if node.layer == 1] == [_path(101), _path(102)]
    assert picture_fields(part)["dependencies_left_out"] == 6
    project.close()


def test_chains_to_an_asset_are_drawn_as_one_picture(tmp_path: Path) -> None:
    root = make_project(tmp_path / "P")
    for number, targets in {100: [101, 102], 101: [103], 102: [104], 104: [103], 103: []}.items():
        _refer(root, number, targets)
    project = open_project(str(root), str(tmp_path / "out"))
    drawn = picture_of_ways(find_ways([guid(100)], guid(103), project, AssetGraph(project)), project)
    assert [(node.asset.path, node.layer) for node in drawn.nodes] == [
        *((_path(100), 0), (_path(101), 1), (_path(102), 1), (_path(103), 2), (_path(104), 2))
    ]
    assert _paths(drawn) == {
        *((_path(100), _path(101)), (_path(101), _path(103))),
        *((_path(100), _path(102)), (_path(102), _path(104)), (_path(104), _path(103))),
    }
    project.close()
