"""Lines that Unity refuses, each at its byte; and lines that only look like them.

What is refused, and by which version, is told by public reports of Unity's messages, and by libyaml's rules for Unity
up to 2019.2. What is not refused stands in files of Unity.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assetdb.unity.yaml.documents import cut
from assetdb.unity.yaml.judging.refusals import (
    BEHIND_QUOTE,
    COLON_IN_TEXT,
    COMMENT,
    CONTROL,
    NO_UTF8,
    RESERVED,
    SECOND_HEAD,
    TAB,
    Judge,
    judge_of,
    judged,
    refused_in_meta,
)
from assetdb.unity.yaml.nodes import (
    BEHIND_FLOW,
    NO_BLOCK,
    NO_COLON,
    NO_COMMA,
    NO_KEY,
    NO_SPACE,
    UNCLOSED_FLOW,
)
from assetdb.unity.yaml.scalars import COLON_AT_LINE_END, SURROGATE_ESCAPE, UNCLOSED_QUOTE, UNKNOWN_ESCAPE
from tests.assetdb.unity_project import HEAD

BEFORE = f"{HEAD}--- !u!1 &5\nGameObject:\n  m_Name: a\n--- !u!114 &7\nMonoBehaviour:\n  m_Name: b\n"
FIRST = BEFORE.count("\n") + 1
BOTH, OLD, NEW = (False, True), (True,), (False,)


def refused(lines: str, *, libyaml: bool = False) -> list[tuple[int, str]]:
    """Return line, from 1 on after the name, and reason of what is refused in a MonoBehaviour."""
    data = (BEFORE + lines).encode("utf-8", "surrogateescape")
    found = Judge(libyaml=libyaml).refusals(data, list(cut(data)))
    return [(data.count(b"\n", 0, row.offset) + 2 - FIRST, row.reason) for row in found if row.is_certain]


def doubtful(lines: str, *, libyaml: bool = False) -> list[tuple[int, str]]:
    """Return line and reason of what Unity may refuse."""
    data = (BEFORE + lines).encode("utf-8", "surrogateescape")
    found = Judge(libyaml=libyaml).refusals(data, list(cut(data)))
    return [(data.count(b"\n", 0, row.offset) + 2 - FIRST, row.reason) for row in found if not row.is_certain]


@pytest.mark.parametrize(
    ("lines", "line", "reason", "readers"),
    [
        ("  text: 'abc\n  b: c\n", 1, UNCLOSED_QUOTE, BOTH),
        ('  b: c\n  text: "abc\n', 2, UNCLOSED_QUOTE, BOTH),
        ("  list:\n  - 'abc\n  - d\n", 2, UNCLOSED_QUOTE, BOTH),
        ("  ref: {fileID: 0\n  b: c\n", 1, UNCLOSED_FLOW, BOTH),
        ("  ref: [1, 2\n  b: c\n", 1, UNCLOSED_FLOW, BOTH),
        ("  text: 'abc\n  b: ' d'\n", 1, UNCLOSED_QUOTE, BOTH),
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
        ("  b: c\n  te\x03xt: a\n", 2, CONTROL, OLD),
        ("  text: a\tb\n", 1, TAB, OLD),
        ("\ttext: a\n", 1, TAB, OLD),
        ("  text: caf\udce9\n", 1, NO_UTF8, OLD),
        ("  text: @x\n", 1, RESERVED, OLD),
        ("  text: `x\n", 1, RESERVED, OLD),
        ("  list:\n  - %x\n", 2, RESERVED, OLD),
        ("  text: @x\n    more\n", 1, RESERVED, OLD),
        ("  a: {x: 1, y: @z}\n", 1, RESERVED, OLD),
        ("  text: a:\n", 1, COLON_IN_TEXT, OLD),
        ("  a: {fileID: 0}\n    b: c\n", 2, NO_BLOCK, BOTH),
        ("  a:\n    b: c\n   d: e\n", 3, NO_BLOCK, BOTH),
        ("  a:\n      b: c\n    d: e\n", 3, NO_BLOCK, BOTH),
        ("  a:\n    b: c\n  - d\n", 3, NO_KEY, BOTH),
        ("  a: {fileID: 0}\n  - d\n", 2, NO_KEY, BOTH),
        ("  a: {word}\n", 1, NO_COLON, BOTH),
        ("  a: [{x: 1}, {]\n", 1, UNCLOSED_FLOW, BOTH),  # Python 3.11.0 to 3.11.4 found the bracket
        ("  a: {x: 1 y: 2}\n", 1, NO_COMMA, BOTH),
        ("  a: {x: 1}word\n", 1, BEHIND_FLOW, BOTH),
        ("  a: []word\n", 1, BEHIND_FLOW, BOTH),
        ("  -\n", 1, NO_KEY, BOTH),
        ("  a:\n  -", 2, NO_SPACE, NEW),
        ("  b: c\n  text:a\n  d: e\n", 2, NO_KEY, BOTH),
        ("  b: c\n  text:\n  list:a\n  - d\n", 3, NO_KEY, BOTH),
        ("  b: c\n  text:a\n    d: e\n", 2, NO_KEY, BOTH),
        ("  near clip plane: {}\n    far: 1\n", 2, NO_BLOCK, BOTH),
        ("  a:\n  near clip plane: {}\n    far: 1\n", 3, NO_BLOCK, BOTH),
        ("  a: b\n field: c\n", 2, NO_BLOCK, BOTH),
        ("  a: b\n field of: c\n", 2, NO_BLOCK, BOTH),
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
        "  view:\n    x: 0\n  near clip plane: 0.3\n  image data: 1\n  m_MeshMetrics[0]: 1\n",
        "  a: b\n  list:\n  - http://x\n  - c:d\n  text: x:y\n",
        "  near clip plane: 0.3\n  4:3: 1\n  <length>k__BackingField: 2\n  'm_MeshMetrics[0]': 1\n",
        "  map:\n    : A;B\n    1: C\n",
        "  text:\n  b: c\n",
        "  text: '{0} and {1'\n",
        "  text: a@x\n  other: '@x'\n  more: 50 % of\n    @all\n",
        "  text: 'a\n\n    %YAML 1.1'\n",
    ],
)
def test_what_unity_writes_is_not_refused(lines: str) -> None:
    for libyaml in BOTH:
        assert refused(lines, libyaml=libyaml) == []


@pytest.mark.parametrize(
    "lines",
    [
        "  type: System.Single, mscorlib, Version=4.0.0.0, Culture=neutral,\n    PublicKeyToken=b77a5c561934e089\n",
        '  object: \'{"obj":{"fileID":10202},"list":[]}\'\n  list:\n  - \'\'\n',
        '  text: "a: {b, #c"\r\n  more: d\r\n',
    ],
)
def test_what_effects_are_full_of_is_read_by_its_shape(lines: str) -> None:
    data = f"{HEAD}--- !u!114 &7\nMonoBehaviour:\n{lines}".encode()
    for libyaml in BOTH:
        assert list(Judge(libyaml=libyaml)._doubtful(data, list(cut(data)))) == []


def test_a_key_with_spaces_is_seen_behind_an_object_of_its_shape() -> None:
    for more in ("", "  type: a, b,\n    =c\n", "  text: 'd'\n"):
        known = f"{HEAD}--- !u!114 &7\nMonoBehaviour:\n{more}  view:\n    x: 0\n    y: 1\n"
        for libyaml in BOTH:
            judge = Judge(libyaml=libyaml)
            assert judge.refusals(known.encode(), list(cut(known.encode()))) == []
            moved = known.replace("    y:", " z   y:").encode()
            assert [row.reason for row in judge.refusals(moved, list(cut(moved)))] == [NO_BLOCK]


def test_each_object_tells_its_first_refusal() -> None:
    lines = '  a: \'x\n  alone\n--- !u!114 &8\nMonoBehaviour:\n  b: "\\q"\n'
    assert refused(lines) == [(1, UNCLOSED_QUOTE), (5, UNKNOWN_ESCAPE)]


@pytest.mark.parametrize(
    ("lines", "line", "reason"),
    [
        ("  text: 'a' b\n", 1, BEHIND_QUOTE),
        ('  text: "a"b\n', 1, BEHIND_QUOTE),
        ("  text: a\tb\n", 1, TAB),
        ("  b: c\n\ttext: a\n", 2, TAB),
        ("  text: a\x03b\n", 1, CONTROL),
        ("  text: a\0b\n", 1, CONTROL),
        ("  text: caf\udce9\n", 1, NO_UTF8),
        ("  b: c\n  # note\n  d: e\n", 2, COMMENT),
        ("# note\n  d: e\n", 1, COMMENT),
    ],
)
def test_what_unity_may_refuse_from_2019_3_on_is_a_doubt(lines: str, line: int, reason: str) -> None:
    assert doubtful(lines) == [(line, reason)]
    assert refused(lines) == []
    assert doubtful(lines, libyaml=True) == []


@pytest.mark.parametrize(
    "lines", ["  text: one\n    # two\n", "  text: 'one\n\n    # two'\n", "  - # one\n", "  a#b: c\n"]
)
def test_a_number_sign_in_a_text_is_no_doubt(lines: str) -> None:
    before = "" if "- " not in lines else "  list:\n"
    assert doubtful(before + lines) == []


PARTS = (
    *("  a: b\n", "  c:\n", "  - d\n", "    e: f\n", "    word\n", "  'g': \"h\n", "  i: 'j'\n", "   k: l\n"),
    *("  - - m\n", "  - n: {fileID: 0,\n", "      type: 3}\n", "  o: {x: 1, y: -2}\n", "  p: [1]\n", "  q: []\n"),
    *("  - \n", "  -\n", "r: s\n", "  t u: v\n", "  w: x #y\n", "  # z\n", "  - -1\n", "  a: -\n", "  b: {}\n"),
    *(
        "  c: {d}\n",
        "  e: {f}g\n",
        "\n",
        "\r\n",
        "\r",
        "      h:\n",
        '  i: "j\\x"\n',
        "    k: 'l\n\n'\n",
        "  m: n: o\n",
        "  p: q:\n",
    ),
    *("\ts: t\n", "  : u\n", "  v: \xe9\r\n", "  - w:\n", "  k:v\n", "  - k:v\n", "    k:v\n", "  k:v: w\n"),
    *(
        "  x y z: 1\n",
        "  x y z:\n",
        " u v: 1\n",
        "    far plane: {x: 1}\n",
        "  w[0]: 1\n",
        "  'w[1]': 2\n",
        "  w[2]:\n",
    ),
    *("  a: b, c,\n", "      =d, e\n", "    =f\n", "  =g\n", ".h i j k l =m\n", "        ,n: o\n", "      ;p 'q\n"),
    *('  r: "s: {t"\n', "  - 'u'\n", "  v: 'w' \n", "  x: 'y\\'\n", '  z: "a\\"\n', "  - - b: '[c'\n", "    'd: {e'\n"),
    *(
        "  f g: 'h'\n",
        "      <i>j\n",
        "  k: 'l''m'\n",
        "  'n': 'o'\n",
        "  p: {q: 'r'\n",
        "  s: 't\r'\n",
        "  u: 'v'\r\n",
    ),
)


@settings(max_examples=1500)
@given(st.lists(st.sampled_from(PARTS), max_size=8), st.booleans())
def test_an_object_is_judged_by_its_shape_as_by_reading_it(lines: list[str], libyaml: bool) -> None:  # noqa: FBT001 - drawn
    body = f"\nMonoBehaviour:\n  m_Name: b\n{''.join(lines)}".encode()
    data = HEAD.encode() + b"--- !u!114 &7" + body
    expected = [row[1:] for row in judged(body, libyaml=libyaml)]
    judge = Judge(libyaml=libyaml)
    for _ in range(2):  # the second time, shapes are known
        assert [row[1:] for row in judge.refusals(data, list(cut(data)))] == expected
        assert [row[1:] for row in judge.of_object(114, body)] == expected


META = "fileFormatVersion: 2\nguid: 0123456789abcdef0123456789abcdef\nTextureImporter:\n"


@pytest.mark.parametrize(
    ("lines", "refused_at", "reason", "since"),
    [
        ("  userData: \n", "", "", ""),
        ("  userData: \n.", "", "", ""),  # a dot of an editor's at the end is no line
        ("  userData: \n...\n", "", "", ""),
        ("  text: 'abc\n  b: c\n", "'abc", UNCLOSED_QUOTE, ""),
        ("  isReadable: {x: 1\n  b: c\n", "{x: 1", UNCLOSED_FLOW, ""),
        ("  list:\n  -\n  - a\n", "-\n", NO_SPACE, "2019.3"),  # which libyaml reads
    ],
)
def test_refusals_of_metas_tell_since_when(lines: str, refused_at: str, reason: str, since: str) -> None:
    data = f"{META}{lines}".encode()
    for _ in range(2):
        found = Judge(libyaml=False, of_metas=True).of_meta(data)
        assert found == refused_in_meta(data)
        assert (found is None) is not bool(reason)
        if found is not None:
            assert (found.reason, found.since) == (reason, since)
            assert data[found.offset :].startswith(refused_at.encode())


def test_objects_are_judged_as_files_are() -> None:
    for lines in ("  text: 'abc\n  b: c\n", "  a: 1\n", "  a: {x: 1\n"):
        body = f"\nMonoBehaviour:\n  m_Name: b\n{lines}"
        found = Judge(libyaml=False).of_object(114, body.encode())
        assert [row.reason for row in found if row.is_certain] == [reason for _, reason in refused(lines)]
    assert judge_of(libyaml=True) is judge_of(libyaml=True) is not judge_of(libyaml=False)
