"""Graphviz and Mermaid read names of assets as text, never as their syntax."""

from __future__ import annotations

import re

from assetdb.query.drawing.languages import dot_lines, mermaid_lines
from tests.assetdb.query.drawing.pictures import HOSTILE, picture_of

_DOT = re.compile(r'  n\d+ \[label="(?:[^"\\]|\\.)*"(?: penwidth=2)?\];')  # a string ends at its first quote
_MERMAID = re.compile(r'  n\d+\["(?:[\w ./·-]|#\d+;|<br>)*"\]')


def test_a_graph_for_graphviz() -> None:
    assert list(dot_lines(picture_of(0, 1, edges=((0, 1),), left=2))) == [
        "digraph references {",
        "  rankdir=LR; node [shape=box];",
        '  n0 [label="a0.prefab\\nPrefab · Assets" penwidth=2];',
        '  n1 [label="a1.prefab\\nPrefab · Assets"];',
        "  n0 -> n1;",
        '  label="left out: 2 users";',
        "}",
    ]


def test_a_flowchart_for_mermaid() -> None:
    assert list(mermaid_lines(picture_of(0, 1, edges=((0, 1),), left=1))) == [
        "flowchart LR",
        '  n0["a0.prefab<br>Prefab · Assets"]',
        "  style n0 stroke-width:3px",
        '  n1["a1.prefab<br>Prefab · Assets"]',
        "  n0 --> n1",
        '  note["left out: 1 user"]',
        "  style note stroke-dasharray:4",
    ]


def test_hostile_names_end_no_string() -> None:
    picture = picture_of(0, 1, name=HOSTILE)
    assert [line for line in dot_lines(picture) if "label=" in line and not _DOT.fullmatch(line)] == []
    assert [line for line in mermaid_lines(picture) if "[" in line and not _MERMAID.fullmatch(line)] == []
