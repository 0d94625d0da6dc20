from __future__ import annotations

import random
import shutil
from typing import TYPE_CHECKING

import pytest

import assetdb
from assetdb.query.graph.references import AssetGraph
from assetdb.state import edge_columns as state
from assetdb.state.columns import links_from
from assetdb.store.files import INDEX_NAME
from assetdb.store.indexes import writer
from assetdb.store.indexes.graph import Graph, split
from assetdb.store.indexes.reader import Index
from tests.system.graph.project import BUILT_IN, PACKAGE, add, data_asset, guid_of, reference, write_project

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return write_project(tmp_path / "Project")


def opened(project: Path) -> assetdb.Database:
    return assetdb.open_database(assetdb.bake(project).database)


def graph_of(data: memoryview) -> Graph | None:
    parts = Index(data).graph_parts
    return Graph(*parts) if parts is not None else None


def test_both_directions(project: Path) -> None:
    with opened(project) as database:
        graph = AssetGraph(database)
        scene, red, cube = map(guid_of, ("Assets/Main.unity", "Assets/Art/Red.mat", "Assets/Cube.prefab"))
        assert graph.dependencies(scene) == sorted([BUILT_IN, red, cube])
        assert graph.usages(red) == graph.usages(cube) == [scene]
        assert graph.usages(BUILT_IN) == sorted([scene, guid_of("Assets/Art/Lost.mat")])
        assert graph.usages(PACKAGE) == [guid_of("Assets/B.asset")]
        assert graph.usages(guid_of("Assets/Art/Icon.png")) == [guid_of("Assets/Data.cs")]
        assert graph.usages(guid_of("Assets/Core.asmdef")) == [guid_of("Assets/Game.asmdef")]
        assert graph.usages(guid_of("Assets/Addressed")) == [guid_of("Assets/Groups/Default.asset")]
        assert graph.dependencies("ab" * 16) == graph.usages("ab" * 16) == []
        assert graph.dependencies(PACKAGE, deep=True) == []
        assert (graph.knows(PACKAGE), graph.knows("ab" * 16)) == (True, False)


def test_cycles_and_self_references_end(project: Path) -> None:
    with opened(project) as database:
        graph = AssetGraph(database)
        a, b = guid_of("Assets/Resources/A.asset"), guid_of("Assets/B.asset")
        code = [guid_of("Assets/Data.cs"), guid_of("Assets/Art/Icon.png")]
        assert graph.dependencies(a, deep=True) == sorted([b, PACKAGE, *code])
        assert graph.usages(a, deep=True) == [b]
        assert graph.usages(guid_of("Assets/Old.asset")) == []
        assert graph.closure([a]) == {a, b, PACKAGE, *code}  # on a cycle
        assert graph.closure([PACKAGE, code[0]]) == {code[1]}
        of_each = {guid for start in (code[1], PACKAGE) for guid in graph.usages(start, deep=True)}
        assert graph.closure([code[1], PACKAGE], incoming=True) == of_each > {code[0], a, b}
        assert graph.closure([]) == graph.closure(["ab" * 16]) == set()


def test_a_long_chain_needs_no_stack(tmp_path: Path) -> None:
    count = 20_000
    guids = [number.to_bytes(16, "big") for number in range(count)]
    links = [(guids[(number + 1) % count], b"") for number in range(count)]
    edges = state.encode(guids, links_from(links), [])
    parts = writer.encode(bytes(16), 0, guids, range(count), [], state.encode(guids, links_from(links), []))
    found = graph_of(memoryview(b"".join(parts)))
    assert found is not None
    assert (edges.external_count, edges.edge_count) == (0, count)
    assert len(found.closure([5])) == len(found.closure([5], incoming=True)) == count


def test_random_graphs_are_those_that_were_written() -> None:
    chosen = random.Random(4)
    for _ in range(30):
        universe = [chosen.randbytes(16) for _ in range(chosen.randrange(1, 60))]
        guids = sorted(universe[: chosen.randrange(1, len(universe) + 1)])
        folders = [guid for guid in universe if guid not in guids and chosen.random() < 0.5]
        certain = [sorted(chosen.sample(universe, chosen.randrange(len(universe) + 1) // 3)) for _ in guids]
        maybe = [sorted({guid for guid in universe if chosen.random() < 0.1} - set(row)) for row in certain]
        links = [(b"".join(row), b"".join(other)) for row, other in zip(certain, maybe, strict=True)]
        expected = {
            (guid, target)
            for guid, row, other in zip(guids, certain, maybe, strict=True)
            for target in (*row, *(item for item in other if item in guids or item in folders))
        }
        parts = writer.encode(
            bytes(16),
            0,
            guids,
            range(len(guids)),
            [(guid, b"x") for guid in folders],
            state.encode(guids, links_from(links), folders),
        )
        graph = graph_of(memoryview(b"".join(parts)))
        assert graph is not None
        named = [graph.guid(node).to_bytes(16, "big") for node in range(graph.node_count)]
        forwards = {(named[node], named[other]) for node in range(len(named)) for other in graph.outgoing(node)}
        backwards = {(named[other], named[node]) for node in range(len(named)) for other in graph.incoming(node)}
        assert forwards == backwards == expected
        assert all(graph.node(int.from_bytes(guid, "big")) == node for node, guid in enumerate(named))


def made(guids: list[bytes], links: dict[bytes, list[bytes]]) -> Graph:
    rows = [(b"".join(sorted(links.get(guid, []))), b"") for guid in guids]
    edges = state.encode(guids, links_from(rows), [])
    found = graph_of(memoryview(b"".join(writer.encode(bytes(16), 0, guids, range(len(guids)), [], edges))))
    assert found is not None
    return found


def numbered(numbers: Iterable[int]) -> list[bytes]:
    return [number.to_bytes(16, "big") for number in numbers]


def test_guids_of_few_and_of_many_nodes_are_in_order() -> None:
    """Those outside come between those of assets, but have later nodes."""
    inside, outside = numbered(range(0, 2000, 2)), numbered(range(1, 401, 2))
    graph = made(inside, {inside[0]: outside})
    assert (graph.asset_count, graph.node_count) == (1000, 1200)
    for some in (range(3), range(998, 1003), range(1000), range(500, 1200), range(1000, 1200), range(1200)):
        expected = sorted(f"{graph.guid(node):032x}" for node in some)
        assert graph.guids(reversed(some)) == graph.guids(some) == expected
    assert graph.guids([]) == []


def test_guids_of_assets_that_two_projects_have_are_told() -> None:
    one = made(numbered([1, 2, 3 << 64, (3 << 64) + 1]), {numbered([1])[0]: numbered([9])})
    other = made(numbered([2, 7, 9, (3 << 64) + 1]), {})
    assert one.shared_with(other) == other.shared_with(one) == [f"{number:032x}" for number in (2, (3 << 64) + 1)]
    assert one.shared_with(made(numbered([(3 << 64) + 2]), {})) == []
    assert one.shared_with(made(numbered([5 << 64]), {})) == []


@pytest.mark.parametrize("count", [0, 1, 63, 64, 65, 200])
def test_packed_guids_are_taken_apart(count: int) -> None:
    guids = numbered(range(count))
    assert split(b"".join(guids)) == guids


def test_an_incremental_bake_is_a_cold_one(project: Path, tmp_path: Path) -> None:
    chosen = random.Random(11)
    names = [f"Assets/Folder{number % 3}/Made{number}.asset" for number in range(12)]
    for step in range(40):
        name = chosen.choice(names)
        path = project / name
        if path.exists() and chosen.random() < 0.3:
            path.unlink()
            (project / f"{name}.meta").unlink()
        else:
            targets = chosen.sample([*names, name, "Assets/Main.unity", "gone"], chosen.randrange(4))
            text = data_asset(f"step{step}", *map(reference, targets))
            add(project, name, text + f"  scalar: {guid_of(chosen.choice(names))}\n")
        warm = assetdb.bake(project, tmp_path / "warm", workers=1)
        shutil.rmtree(tmp_path / "cold", ignore_errors=True)
        assetdb.bake(project, tmp_path / "cold", workers=1)
        for file in ("asset-db.bin", "asset-db.index"):
            assert (tmp_path / "warm" / file).read_bytes() == (tmp_path / "cold" / file).read_bytes(), (step, file)
        assert warm.asset_count


def test_a_database_of_the_crate_says_that_it_has_none(project: Path, tmp_path: Path) -> None:
    baked = assetdb.bake(project)
    alone = tmp_path / "asset-db.bin"
    shutil.copy(baked.database, alone)
    with assetdb.open_database(alone) as database, pytest.raises(assetdb.DatabaseError, match="run `assetdb bake`"):
        AssetGraph(database)


def test_a_lost_index_is_made_again_with_its_graph(project: Path) -> None:
    file = project / "Library" / "assetdb" / INDEX_NAME
    assetdb.bake(project)
    before = file.read_bytes()
    file.unlink()
    assetdb.bake(project)
    assert file.read_bytes() == before


def test_damage_is_an_error_and_never_a_crash(project: Path) -> None:
    file = project / "Library" / "assetdb" / INDEX_NAME
    assetdb.bake(project)
    good = file.read_bytes()
    chosen = random.Random(2)
    raised = 0
    for _ in range(3000):
        data = bytearray(good)
        for _ in range(chosen.randrange(1, 4)):
            data[chosen.randrange(80 if chosen.random() < 0.2 else len(data))] = chosen.randrange(256)
        if chosen.random() < 0.2:
            del data[chosen.randrange(len(data)) :]
        try:
            graph = graph_of(memoryview(bytes(data)))
            if graph is not None:
                for node in range(min(graph.node_count, 100)):
                    graph.outgoing(node)
                    graph.incoming(node)
                    graph.closure([node])
        except assetdb.DatabaseError:
            raised += 1
    assert raised > 100
