"""Pictures that tests draw."""

from assetdb.query.drawing.picture import Node, Picture
from assetdb.query.graph.relations import AssetInfo

HOSTILE = 'a"]<script>&\\n;#%--> \u202e\u2028{x}\x00\ud800.prefab'


def picture_of(*layers: int, edges: tuple[tuple[int, int], ...] = (), left: int = 0, name: str = "") -> Picture:
    """Return a picture with a node for each layer; with ``name``, all have that name."""
    names = (name or f"a{number}.prefab" for number in range(len(layers)))
    nodes = [
        Node(AssetInfo("0" * 32, "a", "Prefab", f"Assets/{each}"), layer)
        for each, layer in zip(names, layers, strict=True)
    ]
    return Picture(tuple(nodes), edges, left)
