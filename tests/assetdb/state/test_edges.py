"""A graph that follows edits is byte for byte the one that is encoded afresh."""

import random
from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assetdb.state import edges as module
from assetdb.state.columns import links_from
from assetdb.state.edge_columns import encode
from assetdb.state.edges import GraphUpdate
from assetdb.state.guid_columns import GuidColumns
from assetdb.store.indexes import graph

Links = tuple[bytes, bytes]


def guid(number: int) -> bytes:
    """Return a GUID whose order is another than its number's."""
    return (number * 0x9E3779B97F4A7C15F39CC0605CEDC835 % (1 << 128)).to_bytes(16, "big")


def packed(numbers: Iterable[int]) -> bytes:
    return b"".join(sorted(map(guid, numbers)))


class Project:
    """The whole state, and a graph that follows it."""

    def __init__(self, assets: dict[bytes, Links], folders: set[bytes]) -> None:
        self.assets = dict(assets)
        self.folders = set(folders)
        self.edges = self.expected()

    def become(self, assets: dict[bytes, Links], folders: set[bytes], touched: Iterable[bytes] = ()) -> None:
        """Update to another state; links of ``touched`` are given though they stay."""
        links = {each: pair for each, pair in assets.items() if each in touched or self.assets.get(each) != pair}
        turned = (assets.keys() ^ self.assets.keys()) | (folders ^ self.folders)
        self.update(
            *(assets, folders, assets.keys() - self.assets.keys(), self.assets.keys() - assets.keys(), links),
            {each: pair for each, pair in assets.items() if each not in links and turned & {*graph.split(pair[1])}},
        )

    def update(
        self,
        assets: dict[bytes, Links],
        folders: set[bytes],
        added: Iterable[bytes],
        removed: Iterable[bytes],
        links: dict[bytes, Links],
        holders: dict[bytes, Links],
    ) -> None:
        before = GraphUpdate(self.edges, GuidColumns.of(b"".join(sorted(self.assets))))
        after = GuidColumns.of(b"".join(sorted(assets)))
        self.edges = before.updated(after, set(added), set(removed), links, holders, folders)
        self.assets, self.folders = dict(assets), set(folders)

    def is_expected(self) -> bool:
        expected = self.expected()
        same = [bytes(part) for part in self.edges.parts] == expected.parts
        return same and self.edges[1:] == expected[1:]

    def expected(self) -> graph.Edges:
        guids = sorted(self.assets)
        return encode(guids, links_from([self.assets[each] for each in guids]), self.folders)


UNIVERSE = 12
NUMBERS = st.integers(0, UNIVERSE - 1)
# A candidate may be a reference too, and a GUID a folder's and an asset's: nobody writes so, but files are as they are.
LINKS = st.builds(
    lambda certain, candidates: (packed(certain), packed(candidates)),
    st.lists(NUMBERS, max_size=5, unique=True),
    st.lists(NUMBERS, max_size=3, unique=True) | st.just([]),
)
STATES = st.tuples(st.dictionaries(NUMBERS.map(guid), LINKS, max_size=8), st.sets(NUMBERS.map(guid), max_size=4))


@st.composite
def steps(draw: st.DrawFn) -> list[tuple[dict[bytes, Links], set[bytes]]]:
    """Return states, most of them a small step from the one before."""
    assets, folders = draw(STATES)
    found = [(assets, folders)]
    for _ in range(draw(st.integers(1, 6))):
        assets, folders = dict(assets), set(folders)
        for _ in range(draw(st.integers(0, 3))):
            each = guid(draw(NUMBERS))
            match draw(st.sampled_from(("links", "gone", "folder", "turned"))):
                case "links":
                    assets[each] = draw(LINKS)
                case "gone":
                    assets.pop(each, None)
                case "folder":
                    folders ^= {each}
                case _ if each in assets:  # what it is sure of becomes a question, and the other way round
                    assets[each] = assets[each][::-1]
        found.append((assets, folders))
    if draw(st.booleans()):
        found.append(draw(STATES))
    return found


@pytest.mark.long
@settings(max_examples=300, deadline=None)
@given(steps(), st.sampled_from((-1000, -0.5, 0)), st.sampled_from((0, 1, 8)), st.sampled_from((0, 2, 100)))
def test_it_is_the_graph_encoded_afresh(
    states: list[tuple[dict[bytes, Links], set[bytes]]], most_rows: float, most_steps: int, most_moved: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_MOST_ROWS", most_rows)
        patch.setattr(module, "_MOST_MOVED", most_moved)
        patch.setattr(module, "_MOST_STEPS", most_steps)
        project = Project(*states[0])
        assert project.is_expected()
        for assets, folders in states[1:]:
            project.become(assets, folders)
            assert project.is_expected()


def test_an_edge_that_is_there_twice() -> None:
    once = {guid(1): (packed([2, 3]), b""), guid(2): (packed([1]), b"")}
    twice = once | {guid(1): (packed([2, 3]), packed([2]))}
    project = Project(once, set())
    for assets in (twice, once, twice, {guid(1): twice[guid(1)]}, twice):
        project.become(assets, set())
        assert project.is_expected()


def synthetic(count: int, draw: random.Random) -> tuple[dict[bytes, Links], set[bytes]]:
    """Return a project: few things are referred to by many, a tenth of all are no assets."""
    universe = count * 11 // 10
    assets = {}
    for number in range(count):
        certain = {int(universe * draw.random() ** 3) for _ in range(draw.choice((0, 1, 1, 2, 3, 10)))}
        candidates = {draw.randrange(universe) for _ in range(2)} - certain if draw.random() < 0.05 else set()
        assets[guid(number)] = packed(certain), packed(candidates)
    return assets, {guid(number) for number in range(universe, universe + count // 20)}


def edited(
    assets: dict[bytes, Links], folders: set[bytes], draw: random.Random
) -> tuple[dict[bytes, Links], set[bytes]]:
    """Return the state after an edit of one of the kinds that there are."""
    assets, folders = dict(assets), set(folders)
    known = sorted(assets)
    for _ in range(draw.choice((1, 1, 2, 30))):
        number = draw.randrange(len(known) * 12 // 10)
        references = packed(draw.randrange(len(known) * 12 // 10) for _ in range(draw.randrange(4)))
        each = draw.choice(known)
        match draw.randrange(6):
            case 0:
                assets.pop(each, None)
            case 1:
                assets[guid(number)] = references, b""
            case 2:
                folders ^= {guid(number)}
            case 3 if each in assets:  # it refers to itself, too
                assets[each] = b"".join(sorted({*graph.split(assets[each][0]), each})), assets[each][1]
            case _:
                assets[each] = references, guid(number) if draw.random() < 0.3 else b""
    return assets, folders


@pytest.mark.parametrize(("count", "edits"), [(300, 40), pytest.param(3_000, 150, marks=pytest.mark.long)])
def test_it_follows_edits_of_a_project(count: int, edits: int) -> None:
    draw = random.Random(5)
    project = Project(*synthetic(count, draw))
    for _ in range(edits):
        project.become(*edited(project.assets, project.folders, draw))
        assert project.is_expected()
    assert project.edges.external_count > count // 30


def test_what_changes_nothing_leaves_the_parts_as_they_are() -> None:
    assets = {guid(1): (packed([2, 3]), packed([4])), guid(2): (packed([1]), b"")}
    project = Project(assets, {guid(5)})
    edges = project.edges
    project.become(assets, {guid(5), guid(6)}, touched=assets)
    assert project.edges is edges


def test_an_asset_that_goes_and_comes_again_has_its_new_links() -> None:
    project = Project({guid(1): (packed([2, 3]), b""), guid(2): (packed([1]), packed([7]))}, set())
    links = {guid(2): (packed([3]), b"")}
    project.update(project.assets | links, set(), (), (), links, {})
    assert project.is_expected()


@pytest.mark.parametrize(
    ("guids", "added", "removed", "links"),
    [
        ([1, 2, 3], [], [], []),  # one too many
        ([1, 2, 3], [3], [], []),  # without links
        ([1, 3], [3], [2], [2, 3]),  # links of one that is gone
        ([1, 2], [2], [1], [2]),  # both as before
        ([1, 3], [4], [2], [4]),  # another than is said
        ([1, 2], [], [], [3]),
    ],
)
def test_arguments_that_do_not_agree_change_nothing(
    guids: list[int], added: list[int], removed: list[int], links: list[int]
) -> None:
    project = Project({guid(1): (packed([2]), packed([5])), guid(2): (packed([1]), b"")}, set())
    edges = project.edges
    with pytest.raises(ValueError, match=r"."):
        project.update(
            dict.fromkeys(map(guid, guids), (b"", b"")),
            {guid(5)},
            [guid(each) for each in added],
            [guid(each) for each in removed],
            {guid(each): (packed([9]), b"") for each in links},
            {},
        )
    assert project.edges is edges
    project.become(project.assets, {guid(5)})
    assert project.is_expected()
