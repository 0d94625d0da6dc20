"""Rows as columns, which are short once they are compressed."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from assetdb.query.graph.unused import Kept
    from assetdb.report.network import Network, Node
    from assetdb.report.places import EdgePlace

_UNKNOWN: Final = -1


def network_columns(network: Network) -> dict[str, object]:
    """Return assets and references as columns.

    ``folders`` has ``counts`` assets each, in order. ``targets`` has ``degrees`` numbers for each node, each as the
    difference to the one before it. Types are numbers of ``types``; unknown bytes are -1.
    """
    types = [kind for kind, _ in Counter(node.type for node in (*network.assets, *network.others)).most_common()]
    numbers = {kind: number for number, kind in enumerate(types)}
    folders = [
        (folder, len(list(rows))) for folder, rows in groupby(network.assets, lambda node: node.path.rpartition("/")[0])
    ]
    return {
        "folders": [folder for folder, _ in folders],
        "counts": [count for _, count in folders],
        "names": [node.path.rpartition("/")[2] for node in network.assets],
        "guids": "".join(node.guid for node in network.assets),
        "types": types,
        "type": [numbers[node.type] for node in network.assets],
        "bytes": [_UNKNOWN if node.bytes is None else node.bytes for node in network.assets],
        "others": table([_other(node, numbers) for node in network.others], _OTHER),
        "degrees": [len(found) for found in network.needs],
        "targets": [step for found in network.needs for step in steps(found)],
        "left_out": network.left_out,
    }


_OTHER: Final = ("guid", "path", "type", "name", "package")


def _other(node: Node, types: Mapping[str, int]) -> dict[str, object]:
    return {**node._asdict(), "type": types[node.type]}


def steps(numbers: Sequence[int]) -> Iterable[int]:
    """Return ascending numbers as differences."""
    return (number - before for before, number in zip((0, *numbers), numbers, strict=False))


def kept_columns(rows: Sequence[Kept], network: Network) -> dict[str, object]:
    """Return why assets are kept, as columns.

    ``reason`` has a number of ``reasons`` for each asset of the network, ``used_by`` the number of the asset that keeps
    it; both are -1 where there is none.
    """
    numbers = {node.path: number for number, node in enumerate(network.assets)}
    reasons = list(dict.fromkeys(row.reason for row in rows if row.reason))
    reason = [_UNKNOWN] * len(network.assets)
    used_by = reason.copy()
    for row in rows:
        number = numbers.get(row.path)
        if number is not None:
            reason[number] = reasons.index(row.reason) if row.reason else _UNKNOWN
            used_by[number] = numbers.get(row.used_by, _UNKNOWN)
    return {"count": len(rows), "reasons": reasons, "reason": reason, "used_by": used_by}


def place_columns(places: Sequence[EdgePlace]) -> dict[str, object]:
    """Return the places of edges as columns, with numbers of ``texts``."""
    counts = Counter(text for place in places for text in (place.object, place.property))
    texts = [text for text, _ in counts.most_common()]  # frequent numbers are short
    numbers = {text: number for number, text in enumerate(texts)}
    return {
        "texts": texts,
        "object": [numbers[place.object] for place in places],
        "property": [numbers[place.property] for place in places],
        "count": [place.times for place in places],
    }


def table(rows: Sequence[Mapping[str, object]], names: Sequence[str]) -> dict[str, list[object]]:
    """Return some fields of rows as one list each."""
    return {name: [row[name] for row in rows] for name in names}
