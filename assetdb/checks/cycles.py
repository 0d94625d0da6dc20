"""Cycles in a graph: the groups of nodes that reach each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_Node = TypeVar("_Node")


def cycles(outgoing: Mapping[_Node, Iterable[_Node]]) -> Iterator[frozenset[_Node]]:
    """Yield each group of nodes that reach each other, or themselves.

    These are the strongly connected components, by Kosaraju's algorithm, in time proportional to the graph.

    Args:
        outgoing: successors by node; nodes that are not keys have none.
    """
    successors = {node: [other for other in others if other in outgoing] for node, others in outgoing.items()}
    predecessors: dict[_Node, list[_Node]] = {node: [] for node in successors}
    for node, others in successors.items():
        for other in others:
            predecessors[other].append(node)
    done: set[_Node] = set()
    for node in reversed(_after_successors(successors)):
        group: set[_Node] = set() if node in done else {node}
        waiting = list(group)
        while waiting:
            found = set(predecessors[waiting.pop()]) - group - done
            group |= found
            waiting += found
        done |= group
        if len(group) > 1 or (group and node in successors[node]):
            yield frozenset(group)


def _after_successors(successors: Mapping[_Node, Iterable[_Node]]) -> list[_Node]:
    """Return all nodes, each after its successors outside cycles."""
    seen: set[_Node] = set()
    order: list[_Node] = []
    for start in successors:
        stack = [(start, iter(successors[start]))] if start not in seen else []
        seen.add(start)
        while stack:
            node, others = stack[-1]
            for other in others:
                if other not in seen:
                    seen.add(other)
                    stack.append((other, iter(successors[other])))
                    break
            else:
                order.append(node)
                stack.pop()
    return order
