"""Columns of a few rows, written out by hand."""

from __future__ import annotations

from assetdb.query.graph.unused import Kept
from assetdb.report.columns import kept_columns, network_columns, place_columns, table
from assetdb.report.network import Network, Node
from assetdb.report.places import EdgePlace

NETWORK = Network(
    (Node("a" * 32, "Assets/a.mat", "Material", bytes=7), Node("b" * 32, "Assets/x/b.png", "Texture2D")),
    (Node("", "ProjectSettings/G.asset", "project settings"), Node("c" * 32, "", "missing-asset", "gone")),
    ((1, 3), (), (0,), ()),
)


def test_assets_and_references() -> None:
    assert network_columns(NETWORK) == {
        "folders": ["Assets", "Assets/x"],
        "counts": [1, 1],
        "names": ["a.mat", "b.png"],
        "guids": "a" * 32 + "b" * 32,
        "types": ["Material", "Texture2D", "project settings", "missing-asset"],
        "type": [0, 1],
        "bytes": [7, -1],
        "others": {
            "guid": ["", "c" * 32],
            "path": ["ProjectSettings/G.asset", ""],
            "type": [2, 3],
            "name": ["", "gone"],
            "package": ["", ""],
        },
        "degrees": [2, 0, 1, 0],
        "targets": [1, 2, 0],
        "left_out": 0,
    }


def test_why_assets_are_kept() -> None:
    rows = (
        Kept("Assets/a.mat", 21, "a" * 32, "Resources", ""),
        Kept("Assets/x/b.png", 28, "b" * 32, "", "Assets/a.mat"),
        Kept("Assets/left out", 28, "d" * 32, "Resources", ""),
    )
    expected = {"count": 3, "reasons": ["Resources"], "reason": [0, -1], "used_by": [-1, 0]}
    assert kept_columns(rows, NETWORK) == expected


def test_the_most_frequent_texts_have_the_shortest_numbers() -> None:
    places = [EdgePlace("Body (Health)", "target", 2), EdgePlace(), EdgePlace("", "target", 1)]
    assert place_columns(places) == {
        "texts": ["", "target", "Body (Health)"],
        "object": [2, 0, 0],
        "property": [1, 0, 1],
        "count": [2, 0, 1],
    }


def test_a_table_has_a_list_for_each_field() -> None:
    assert table([{"a": 1, "b": 2, "c": 3}, {"a": 4, "b": 5, "c": 6}], ("c", "a")) == {"c": [3, 6], "a": [1, 4]}
    assert table([], ("a",)) == {"a": []}
