"""Lines that Unity refuses, each at its byte; and lines that only look like them.

What is refused, and by which version, is told by public reports of Unity's messages, and by libyaml's rules for Unity
up to 2019.2. What is not refused stands in files of Unity.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assetdb.unity.yaml.documents import cut
from assetdb.unity.yaml.nodes import (
    BEHIND_FLOW,
    NO_BLOCK,
    NO_KEY,
    UNCLOSED_FLOW,
    UnreadableError,
    read_nodes,
)
from assetdb.unity.yaml.refusals import (
    BEHIND_QUOTE,
    COLON_IN_TEXT,
    CONTROL,
    NO_SPACE,
    SECOND_HEAD,
    find_refusals,
)
from assetdb.unity.yaml.scalars import COLON_AT_LINE_END, SURROGATE_ESCAPE, UNCLOSED_QUOTE, UNKNOWN_ESCAPE
from tests.assetdb.unity_project import HEAD

BEFORE = f"{HEAD}--- !u!1 &5\nGameObject:\n  m_Name: a\n--- !u!114 &7\nMonoBehaviour:\n  m_Name: b\n"
FIRST = BEFORE.count("\n") + 1
BOTH, OLD, NEW = (False, True), (True,), (False,)


def refused(lines: str, *, libyaml: bool = False) -> list[tuple[int, str]]:
    """Return line, from 1 on after the name, and reason of what is refused in a MonoBehaviour."""
    data = (BEFORE + lines).encode("utf-8", "surrogateescape")
    is_balanced = data.count(b"{") == data.count(b"}")
    found = find_refusals(data, list(cut(data)), is_balanced=is_balanced, libyaml=libyaml)
    return [(data.count(b"\n", 0, offset) + 2 - FIRST, reason) for offset, reason in found]


@pytest.mark.parametrize(
    ("lines", "line", "reason", "readers"),
    [
        ("  text: 'abc\n  b: c\n", 1, UNCLOSED_QUOTE, BOTH),
        ('  b: c\n  text: "abc\n', 2, UNCLOSED_QUOTE, BOTH),
        ("  list:\n  - 'abc\n  - d\n", 2, UNCLOSED_QUOTE, BOTH),
        ("  ref: {fileID: 0\n  b: c\n", 1, UNCLOSED_FLOW, BOTH),
        ("  ref: [1, 2\n  b: c\n", 1, UNCLOSED_FLOW, BOTH),
        ('  text: "\\q"\n', 1, UNKNOWN_ESCAPE, BOTH),
        ('  text: "one\n    \\q"\n', 2, UNKNOWN_ESCAPE, BOTH),
        ('  text: "\\uD83C\\uDCCF"\n', 1, SURROGATE_ESCAPE, BOTH),
        ('  data: "00ff\\\n    00ff"\n', 1, UNKNOWN_ESCAPE, NEW),
        ("  text: 'a' b\n", 1, BEHIND_QUOTE, OLD),
        ('  text: "a" b\n', 1, BEHIND_QUOTE, OLD),
        ("  ref: {fileID: 0} b\n", 1, BEHIND_FLOW, BOTH),
        ("  b: c\n  alone\n  d: e\n", 2, NO_KEY, BOTH),
        ("  b: c\n  alone", 2, NO_KEY, BOTH),
        ('  b: c\n  ""\n', 2, NO_KEY, BOTH),
        ("  b: c\n  - d\n", 2, NO_KEY, BOTH),
        ("  layers:\n  -\n  - a\n", 2, NO_SPACE, NEW),
        ("  layers:\r\n  -\r\n  - a\r\n", 2, NO_SPACE, NEW),
        ("  text: one\n    two:\n    three\n", 2, COLON_AT_LINE_END, BOTH),
        ("  text: one\n    two:\n  b: c\n", 2, COLON_AT_LINE_END, BOTH),
        ("  text: a: b\n", 1, COLON_IN_TEXT, OLD),
        ("  text: one\n    two: three\n", 2, COLON_IN_TEXT, OLD),
        ("  text: a\x03b\n", 1, CONTROL, OLD),
        ('  text: "a\x03"\n', 1, CONTROL, OLD),
        ("%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n", 1, SECOND_HEAD, BOTH),
    ],
)
def test_a_line_that_unity_refuses_is_told_at_its_place(
    lines: str, line: int, reason: str, readers: tuple[bool, ...]
) -> None:
    for libyaml in BOTH:
        assert refused(lines, libyaml=libyaml) == ([(line, reason)] if libyaml in readers else [])


@pytest.mark.parametrize(
    "lines",
    [
        "  text: Button #1\n  list:\n  - a #1\n",
        "  text: 'it''s: fine'\n  other: ''\n",
        "  text: 'one\n\n'\n  b: c\n",  # the closing quote in column 0
        "  text: 'see\n\n    alone\n\n    m_Name: no'\n",
        '  text: "{\\r\\n   \n    \\"a\\": 1"\n',
        "  text: one two\n    three four\n    - five\n",
        "  text: don't stop\n    won't stop\n",
        '  text: It says "Changs #1 fan" on it.\n',
        "  layers:\n  - \n  - a\n",
        "  text: one\n    -\n    two\n",  # a dash that is text
        "  ref: {fileID: 11500000, guid: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa,\n    type: 3}\n",
        "  paths:\n  - - {x: 1, y: 2}\n    - {x: 3, y: 4}\n",
        "  propertyPath: m_Materials.Array.data[0]\n  empty: []\n",
        "  near clip plane: 0.3\n  4:3: 1\n  <length>k__BackingField: 2\n  'm_MeshMetrics[0]': 1\n",
        "  map:\n    : A;B\n    1: C\n",
        "  text:\n  b: c\n",
        "  text: '{0} and {1'\n",
        "  text: 'a\n\n    %YAML 1.1'\n",
    ],
)
def test_what_unity_writes_is_not_refused(lines: str) -> None:
    for libyaml in BOTH:
        assert refused(lines, libyaml=libyaml) == []


def test_each_object_tells_its_first_refusal() -> None:
    lines = '  a: \'x\n  alone\n--- !u!114 &8\nMonoBehaviour:\n  b: "\\q"\n'
    assert refused(lines) == [(1, UNCLOSED_QUOTE), (5, UNKNOWN_ESCAPE)]


@given(
    st.lists(
        st.sampled_from(("  a: b\n", "  c:\n", "  - d\n", "    e: f\n", "    word\n", "  'g': \"h\n", "  i: 'j'\n"))
    )
)
def test_what_is_refused_is_what_reading_the_object_refuses(lines: list[str]) -> None:
    text = "".join(lines)
    body = f"\nMonoBehaviour:\n  m_Name: b\n{text}".encode()
    try:
        list(read_nodes(body))
        expected = []
    except UnreadableError as error:
        expected = [(error.line - 3, error.reason)]
    found = refused(text)
    if expected and expected[0][1] == NO_BLOCK:  # the searches do not find each wrong indentation
        expected = found or expected
        found = expected
    assert found == expected
