"""Groups of nodes that reach each other."""

from __future__ import annotations

import random

import pytest

from assetdb.checks.cycles import cycles


def plain(outgoing: dict[int, list[int]]) -> set[frozenset[int]]:
    """Return the groups by their definition."""
    reached: dict[int, set[int]] = {}
    for node, others in outgoing.items():
        waiting = list(others)
        reached[node] = set()
        while waiting:
            other = waiting.pop()
            if other in outgoing and other not in reached[node]:
                reached[node].add(other)
                waiting += outgoing[other]
    return {
        frozenset(other for other in reached[node] if node in reached[other])
        for node in outgoing
        if node in reached[node]
    }


@pytest.mark.parametrize("seed", range(50))
def test_groups_are_those_of_the_definition(seed: int) -> None:
    chance = random.Random(seed)
    nodes = range(chance.randrange(1, 12))
    outgoing = {node: [chance.randrange(14) for _ in range(chance.randrange(3))] for node in nodes}
    found = list(cycles(outgoing))
    assert set(found) == plain(outgoing)
    assert len(found) == len(set(found))


@pytest.mark.long
def test_a_cycle_of_many_nodes_takes_no_square_of_them() -> None:
    """A set of all reached nodes for each node would have ten thousand million entries."""
    many = 100_000
    outgoing = {node: [(node + 1) % many] for node in range(many)}
    assert list(cycles(outgoing)) == [frozenset(range(many))]
    outgoing[many - 1] = []
    assert not list(cycles(outgoing))
