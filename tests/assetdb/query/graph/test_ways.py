"""Chains of references are the shortest ones, and with all of them none is missing or there twice."""

from __future__ import annotations

import random
import re
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from assetdb.errors import UsageError
from assetdb.query.graph.references import AssetGraph
from assetdb.query.graph.ways import Way, find_ways, find_ways_between, find_ways_from_roots, way_fields
from assetdb.query.selecting.selector import NO_GUID, Subject
from assetdb.query.snapshots.snapshot import Snapshot, open_project
from tests.assetdb.unity_project import HEAD, guid, make_project, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SCENE, LEVEL, PLAYER, HEALTH = (guid(number) for number in (8, 2, 1, 3))


def refer(root: Path, number: int, targets: list[int]) -> None:
    rows = "".join(f"  r{target}: {{fileID: 11400000, guid: {guid(target)}, type: 2}}\n" for target in targets)
    write(root, f"Assets/a{number}.asset", number, f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n{rows}")


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Snapshot]:
    root = make_project(tmp_path / "P")
    write(
        root,
        "Assets/Resources/kept.asset",
        60,
        f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n  x: {{fileID: 100, guid: {LEVEL}, type: 3}}\n",
    )
    opened = open_project(str(root), str(tmp_path / "out"))
    yield opened
    opened.close()


def guids(way: Way) -> list[str]:
    return [step.asset.guid for step in way.steps]


def test_the_shortest_chain_comes_first(project: Snapshot) -> None:
    found = find_ways([SCENE], PLAYER, project, AssetGraph(project))
    assert [guids(way) for way in found.ways] == [[SCENE, PLAYER], [SCENE, LEVEL, PLAYER]]
    assert not found.truncated
    shortest = find_ways([SCENE], PLAYER, project, AssetGraph(project), most=1)
    assert shortest.ways == found.ways[:1]


def test_each_step_says_where_the_next_is_named(project: Snapshot) -> None:
    way = find_ways([SCENE], PLAYER, project, AssetGraph(project)).ways[1]
    places = [step.place for step in way.steps]
    assert [(place.path, place.property) for place in places if place is not None] == [
        ("Assets/Main.unity", "m_SourcePrefab"),
        ("Assets/Prefabs/Level.prefab", "m_SourcePrefab"),
    ]
    assert places[-1] is None
    assert [step.places for step in way.steps][1:] == [3, 0]


def test_nothing_leads_back(project: Snapshot) -> None:
    assert find_ways([PLAYER], SCENE, project, AssetGraph(project)).ways == []
    assert find_ways([SCENE], guid(999), project, AssetGraph(project)).ways == []


def test_a_chain_from_roots_says_why_its_first_asset_is_kept(project: Snapshot) -> None:
    (way,) = find_ways_from_roots(PLAYER, project, AssetGraph(project)).ways
    assert (way.reason, guids(way)) == ("Resources", [guid(60), LEVEL, PLAYER])
    assert find_ways_from_roots(SCENE, project, AssetGraph(project)).ways == []
    (itself,) = find_ways_from_roots(HEALTH, project, AssetGraph(project)).ways[:1]
    assert (itself.reason, guids(itself)) == ("code", [HEALTH])


def test_assets_that_share_a_guid_are_followed(tmp_path: Path) -> None:
    root = make_project(tmp_path / "P")
    refer(root, 70, [71])
    refer(root, 72, [])
    write(
        root,
        "Assets/b71.asset",
        71,
        f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n  x: {{fileID: 1, guid: {guid(72)}, type: 2}}\n",
    )
    refer(root, 71, [])  # a71.asset has the entry, b71.asset shares its GUID
    project = open_project(str(root), str(tmp_path / "out"))
    (way,) = find_ways([guid(70)], guid(72), project, AssetGraph(project)).ways
    assert [step.asset.path for step in way.steps] == ["Assets/a70.asset", "Assets/b71.asset", "Assets/a72.asset"]
    project.close()


@pytest.mark.parametrize("seed", range(4))
def test_all_chains_are_those_of_a_search_by_brute_force(tmp_path: Path, seed: int) -> None:
    chosen = random.Random(seed)
    root = tmp_path / "P"
    (root / "ProjectSettings").mkdir(parents=True)
    edges = {number: sorted(chosen.sample(range(200, 209), chosen.randrange(4))) for number in range(200, 209)}
    for number, targets in edges.items():
        refer(root, number, targets)
    project = open_project(str(root), str(tmp_path / "out"))
    expected = [way for way in simple_ways(edges, [200]) if way[-1] == 208]
    found = find_ways([guid(200)], guid(208), project, AssetGraph(project), most=1000)
    ways = [guids(way) for way in found.ways]
    assert sorted(ways) == sorted([guid(number) for number in way] for way in expected)
    assert all(len(one) <= len(other) for one, other in pairwise(ways))
    project.close()


def simple_ways(edges: dict[int, list[int]], way: list[int]) -> Iterator[list[int]]:
    yield way
    for target in edges[way[-1]]:
        if target not in way and way[-1] != 208:
            yield from simple_ways(edges, [*way, target])


def test_so_many_chains_at_most_are_listed(tmp_path: Path) -> None:
    root = tmp_path / "P"
    (root / "ProjectSettings").mkdir(parents=True)
    refer(root, 300, [301, 302])
    refer(root, 301, [303])
    refer(root, 302, [303])
    refer(root, 303, [])
    project = open_project(str(root), str(tmp_path / "out"))
    graph = AssetGraph(project)
    assert not find_ways([guid(300)], guid(303), project, graph, most=2).truncated
    found = find_ways([guid(300)], guid(303), project, graph, most=1)
    assert len(found.ways) == 1
    project.close()


def test_chains_lead_from_a_folder_or_an_asset_to_one_asset(project: Snapshot) -> None:
    graph = AssetGraph(project)

    def between(subject: Subject, to: str, most: int = 5) -> list[list[str]]:
        ways, target = find_ways_between("q", subject, to, project, graph, project.root, most=most)
        assert target.guid == PLAYER
        return [guids(way) for way in ways.ways]

    for to in (PLAYER, "Assets/Prefabs/Player.prefab", "Player"):
        assert between(Subject(SCENE, None), to) == [[SCENE, PLAYER], [SCENE, LEVEL, PLAYER]]
    assert between(Subject(SCENE, None), PLAYER, 1) == [[SCENE, PLAYER]]
    resources = Subject(NO_GUID, None, folder="Assets/Resources")
    assert between(resources, PLAYER) == [[guid(60), LEVEL, PLAYER]]


@pytest.mark.parametrize(
    ("subject", "to", "said"),
    [
        (Subject(SCENE, None), "Nobody", "no asset named 'Nobody'"),
        (Subject(SCENE, None), "Assets/Prefabs", "'Assets/Prefabs' is a folder: name one asset"),
        (Subject(SCENE, None), SCENE, f"{SCENE!r} is 'q' itself, or in it"),
        (Subject(NO_GUID, None, folder="Assets/Resources"), "kept.asset", "'kept.asset' is 'q' itself, or in it"),
    ],
)
def test_chains_lead_to_no_folder_and_not_to_the_asset_itself(
    project: Snapshot, subject: Subject, to: str, said: str
) -> None:
    with pytest.raises(UsageError, match=re.escape(said)):
        find_ways_between("q", subject, to, project, AssetGraph(project), project.root)


def test_a_chain_in_json_has_places_and_their_number(project: Snapshot) -> None:
    way = find_ways([SCENE], PLAYER, project, AssetGraph(project)).ways[1]
    fields = way_fields(way, project)
    assert fields["reason"] == ""
    steps = fields["steps"]
    assert isinstance(steps, list)
    assert [(step["guid"], step["places"]) for step in steps] == [(step.asset.guid, step.places) for step in way.steps]
    assert [step["place"]["property"] if step["place"] else None for step in steps] == [
        "m_SourcePrefab",
        "m_SourcePrefab",
        None,
    ]
