"""Circles in a graph: the groups of nodes that reach each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_Node = TypeVar("_Node")


def circles(outgoing: Mapping[_Node, Iterable[_Node]]) -> Iterator[frozenset[_Node]]:
    """Yield each group of nodes that reach each other, or themselves.

    Nodes outside all circles are removed first, starting at the leaves, so that only nodes in or before a circle are
    walked.

    Args:
        outgoing: successors by node; nodes that are not keys have none.
    """
    left = {node: {other for other in others if other in outgoing} for node, others in outgoing.items()}
    incoming: dict[_Node, list[_Node]] = {}
    for node, others in left.items():
        for other in others:
            incoming.setdefault(other, []).append(node)
    leaves = [node for node, others in left.items() if not others]
    while leaves:
        leaf = leaves.pop()
        del left[leaf]
        for node in incoming.get(leaf, ()):
            left[node].discard(leaf)
            if not left[node]:
                leaves.append(node)
    reached = {node: _reach(node, left) for node in left}
    done: set[_Node] = set()
    for node, below in reached.items():
        if node in below and node not in done:
            group = frozenset(other for other in below if node in reached[other])
            done |= group
            yield group


def _reach(node: _Node, outgoing: Mapping[_Node, Iterable[_Node]]) -> set[_Node]:
    found: set[_Node] = set()
    waiting = list(outgoing[node])
    while waiting:
        current = waiting.pop()
        if current not in found:
            found.add(current)
            waiting += outgoing[current]
    return found
