"""Nodes of Unity's text, beside a YAML library that is given a rewrite with the same values."""

from __future__ import annotations

import tracemalloc
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from assetdb.unity.yaml.nodes import (
    BEHIND_FLOW,
    DEEPEST,
    END,
    KEY,
    LIST,
    MAPPING,
    NO_BLOCK,
    NO_COLON,
    NO_COMMA,
    NO_KEY,
    NO_SPACE,
    SCALAR,
    UNCLOSED_FLOW,
    UnreadableError,
    read_nodes,
    whole_mapping,
)
from assetdb.unity.yaml.objects import TextObjects
from assetdb.unity.yaml.scalars import COLON_AT_LINE_END, UNCLOSED_QUOTE, UNKNOWN_ESCAPE
from assetdb_formats.binary import FormatError
from scripts.fixture import fixture_files
from tests.unity_text import for_yaml

LOADER = yaml.CBaseLoader if yaml.__with_libyaml__ else yaml.BaseLoader


def tree(text: str, *, libyaml: bool = False) -> Any:  # noqa: ANN401 - as deep as the text
    """Return what nodes say: mappings as lists of pairs, because keys may repeat."""
    open_now: list[list[Any]] = [[]]
    keys: list[str | None] = [None]
    for node in read_nodes(text.encode(), libyaml=libyaml):
        if node.kind == KEY:
            keys[-1] = node.text
        elif node.kind == END:
            open_now.pop()
            keys.pop()
        else:
            value: Any = node.text if node.kind == SCALAR else []
            open_now[-1].append(value if keys[-1] is None else (keys[-1], value))
            if node.kind in (MAPPING, LIST):
                open_now.append(value)
                keys.append("" if node.kind == MAPPING else None)
    return open_now[0][0] if open_now[0] else None


def pairs(value: Any) -> Any:  # noqa: ANN401 - as deep as the text
    """Return what a YAML library made in the same form; the rewrite numbers repeated keys."""
    if isinstance(value, dict):
        return [("data" if key.startswith("data[") else key, pairs(inner)) for key, inner in value.items()]
    return [pairs(inner) for inner in value] if isinstance(value, list) else value


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("t: Row #2", [("t", "Row #2")]),
        ("l:\n- a #1\n- b #2", [("l", ["a #1", "b #2"])]),
        ("l:\n  - a\n  - b\nm: 1", [("l", ["a", "b"]), ("m", "1")]),
        ("l:\n- \n- a\n- \n- b", [("l", ["", "a", "", "b"])]),
        ("l:\n- one\n  two\n- three", [("l", ["one two", "three"])]),
        ("l:\n- 'one: a\n\n  two'\n- x: 1\n  y: 2", [("l", ["one: a\ntwo", [("x", "1"), ("y", "2")]])]),
        ("p:\n- - {x: 1, y: 2}\n  - {x: 3}\n- - a", [("p", [[[("x", "1"), ("y", "2")], [("x", "3")]], ["a"]])]),
        ("t: a, [b], {c} it's \"d\" 'e", [("t", "a, [b], {c} it's \"d\" 'e")]),
        ("t: one\n  - two\n  three: four\n  {five\nu: 1", [("t", "one - two three: four {five"), ("u", "1")]),
        ("t: 'one\n\n'\nu: 1", [("t", "one\n"), ("u", "1")]),
        ("t: 'a\n\n  --- !u!1 &5\n\n  b'", [("t", "a\n--- !u!1 &5\nb")]),
        ("m:\n  : A;B\n  1: C", [("m", [("", "A;B"), ("1", "C")])]),
        ("m:\n  '': Any\n  'x[0]': 2\n  near plane: 3", [("m", [("", "Any"), ("x[0]", "2"), ("near plane", "3")])]),
        ("t:\nu: \nv: 1", [("t", ""), ("u", ""), ("v", "1")]),
        ("t: |\n  a", [("t", "| a")]),
        ("t: &a !b\nu: *a\nv: ? x", [("t", "&a !b"), ("u", "*a"), ("v", "? x")]),
        ("h: 00000001000000e2\nz: -0\nn: NaN", [("h", "00000001000000e2"), ("z", "-0"), ("n", "NaN")]),
        (
            "r: {fileID: 1, guid: ab,\n  type: 3}\ns: 1",
            [("r", [("fileID", "1"), ("guid", "ab"), ("type", "3")]), ("s", "1")],
        ),
        (
            "t: {class: 'L`1[[A.B, c]]', ns: , asm: X}",
            [("t", [("class", "L`1[[A.B, c]]"), ("ns", ""), ("asm", "X")])],
        ),
        ("a: {}\nb: []\nc: [1, {d: 2}, [3]]", [("a", []), ("b", []), ("c", ["1", [("d", "2")], ["3"]])]),
        (
            "m:\n  data:\n    first: a\n    second: 1\n  data:\n    first: b\n    second: 2",
            [("m", [("data", [("first", "a"), ("second", "1")]), ("data", [("first", "b"), ("second", "2")])])],
        ),
        ("t:\n  alone", [("t", "alone")]),
        ("a: 1\n\nb: 2\n", [("a", "1"), ("b", "2")]),
        ("a: 1\r\nb:\r\n  c: x\r\n    y\r\n", [("a", "1"), ("b", [("c", "x y")])]),
        ("", None),
    ],
)
def test_lines_are_read(lines: str, expected: object) -> None:
    body = "\nX:\n" + "".join(f"  {line}\n" if line.strip("'") else f"{line}\n" for line in lines.split("\n"))
    assert tree(body) == ([("X", expected)] if expected is not None else [("X", "")])


@pytest.mark.parametrize(
    ("lines", "reason", "line"),
    [
        ("a: 1\nt: 'abc\nu: 2", UNCLOSED_QUOTE, 2),
        ("t: 'abc\nu: 'x'\nv: 1", UNCLOSED_QUOTE, 1),
        ('t: "abc', UNCLOSED_QUOTE, 1),
        ('t: "\\q"', UNKNOWN_ESCAPE, 1),
        ('t: "one\\\n  two"', UNKNOWN_ESCAPE, 1),
        ("t: one\n  two:\n  three", COLON_AT_LINE_END, 2),
        ("a: 1\nr: {fileID: 0", UNCLOSED_FLOW, 2),
        ("r: {fileID: 0\ns: 1", UNCLOSED_FLOW, 1),
        ("r: {a: b: c}", NO_COMMA, 1),
        ("r: [1, {a: 2]", UNCLOSED_FLOW, 1),
        ("r: {fileID: 0} x", BEHIND_FLOW, 1),
        ("r: {fileID}", NO_COLON, 1),
        ("r: {a: {b: 1} c}", NO_COMMA, 1),
        ("a: 1\nalone", NO_KEY, 2),
        ('a: 1\n""', NO_KEY, 2),
        ("a: 1\n- b", NO_KEY, 2),
        ("a: {}\n    b: 1", NO_BLOCK, 2),
        ("a: 'x'\n    y", NO_BLOCK, 2),
    ],
)
def test_a_line_that_unity_refuses_is_named(lines: str, reason: str, line: int) -> None:
    body = "\nX:\n" + "".join(f"  {text}\n" for text in lines.split("\n"))
    with pytest.raises(UnreadableError) as caught:
        list(read_nodes(body.encode()))
    assert (caught.value.reason, caught.value.line) == (reason, line + 2)
    assert body.encode()[: caught.value.place].count(b"\n") == line + 1


def test_a_line_left_of_its_block_is_refused() -> None:
    with pytest.raises(UnreadableError, match=f"line 4 of its document {NO_BLOCK}"):
        list(read_nodes(b"\nX:\n  a: 1\n b: 2\n"))


def test_the_error_of_a_line_is_told_with_its_file() -> None:
    with pytest.raises(UnreadableError) as caught:
        list(read_nodes(b"\nX:\n  a: 1\n  alone\n"))
    error = caught.value.at("Assets/a.asset")
    assert (error.path, error.reason, error.line, error.place) == ("Assets/a.asset", NO_KEY, 4, 13)
    assert str(error) == f"Assets/a.asset: is not as Unity writes it: line 4 of its document {NO_KEY}"


def test_lines_joined_by_a_backslash_are_read_up_to_2019_2() -> None:
    body = b'\nX:\n  t: "one \\\n    two"\n'
    texts = [node.text for node in read_nodes(body, libyaml=True) if node.kind == SCALAR]
    assert texts == ["one two"]


@pytest.mark.parametrize(
    "body", [b"\nX:\n  a: " + b"[" * 10_000, b"- " * 50_000, b"\n".join(b" " * n + b"a:" for n in range(9000))]
)
def test_depth_has_a_bound(body: bytes) -> None:
    with pytest.raises(UnreadableError, match=f"deeper than {DEEPEST} levels"):
        list(read_nodes(body))


def test_nodes_have_their_places() -> None:
    body = b"\nX:\n  'a b': 'it''s\n    so'\n  r: {fileID: 12, x: y z}\n  l:\n  - b\n"
    found = [(node.kind, body[node.start : node.end], node.quoted, node.flow) for node in read_nodes(body)]
    assert found == [
        (MAPPING, b"", False, False),
        (KEY, b"X", False, False),
        (MAPPING, b"", False, False),
        (KEY, b"'a b'", True, False),
        (SCALAR, b"'it''s\n    so'", True, False),
        (KEY, b"r", False, False),
        (MAPPING, b"", False, True),
        (KEY, b"fileID", False, False),
        (SCALAR, b"12", False, False),
        (KEY, b"x", False, False),
        (SCALAR, b"y z", False, False),
        (END, b"", False, False),
        (KEY, b"l", False, False),
        (LIST, b"", False, False),
        (SCALAR, b"b", False, False),
        (END, b"", False, False),
        (END, b"", False, False),
        (END, b"", False, False),
    ]


def compare(data: bytes) -> int:
    """Compare each document that a YAML library reads; return how many there were."""
    count = 0
    for item in TextObjects(data).objects.values():
        try:
            whole = yaml.load(for_yaml(item.body.decode("utf-8", "replace")), LOADER)  # noqa: S506 - it makes text alone
        except yaml.YAMLError:
            continue
        assert tree(item.body.decode("utf-8", "replace"), libyaml=True) == pairs(whole), item.file_id
        count += 1
    return count


def test_the_documents_of_the_fixture_are_as_a_yaml_library_reads_their_rewrite() -> None:
    texts = [data for data in map(Path.read_bytes, fixture_files()) if data.startswith(b"%YAML")]
    assert sum(map(compare, texts)) > 50


@given(st.lists(st.text(" -:#'\"{}[],ab\n", max_size=9), max_size=12))
def test_every_text_has_nodes_or_a_place(parts: list[str]) -> None:
    data = "".join(parts).encode()
    with suppress(UnreadableError):
        for node in read_nodes(data):
            assert 0 <= node.start <= node.end <= len(data)


def test_braces_of_any_length_are_read_without_holding_their_nodes() -> None:
    """A line of 100 MB in braces took 4.7 GB."""
    body = b"\nMonoBehaviour:\n  text: {" + b"a: 1, " * 100_000 + b"}\n"
    tracemalloc.start()
    try:
        count = sum(1 for _ in read_nodes(body))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count == 3 + 2 + 200_000 + 3  # mappings, keys, the pairs, ends
    assert peak < len(body) * 4  # its lines; the nodes would be eighty times as much


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1\nb: two words", {"a": "1", "b": "two words"}),
        ("a: 1\na: 2", {"a": "2"}),  # of equal keys the last counts
        ("a:\n  b:\n    c: 1\n  d: 2\ne: 3", {"a": {"b": {"c": "1"}, "d": "2"}, "e": "3"}),
        ("l:\n- 1\n- x: 2\n  y: 3\n- - 4\n  - 5\nm: 6", {"l": ["1", {"x": "2", "y": "3"}, ["4", "5"]], "m": "6"}),
        ("a: {x: 1, y: {z: 2}}\nb: [1, {c: 2}]", {"a": {"x": "1", "y": {"z": "2"}}, "b": ["1", {"c": "2"}]}),
        ("a:\nb: {}\nc: []", {"a": "", "b": {}, "c": []}),
        ("", {}),
    ],
)
def test_a_document_is_read_as_a_whole(text: str, expected: dict[str, object]) -> None:
    data = f"\n{text}\n".encode()
    assert whole_mapping(data, most=100) == expected
    nodes = len(list(read_nodes(data)))
    assert whole_mapping(data, most=max(nodes - 1, 0)) == expected
    if nodes > 1:
        with pytest.raises(FormatError, match="too many values"):
            whole_mapping(data, most=nodes - 2)


@pytest.mark.parametrize("text", ["- a", "a"])
def test_a_document_that_is_no_mapping_is_refused(text: str) -> None:
    with pytest.raises(FormatError):
        whole_mapping(f"\n{text}\n".encode(), most=100)


def test_mappings_are_as_deep_as_the_limit_and_no_deeper() -> None:
    def nested(levels: int) -> bytes:
        return "".join(f"\n{' ' * level}k:" for level in range(levels)).encode() + b" 1\n"

    assert sum(node.kind == MAPPING for node in read_nodes(nested(DEEPEST))) == DEEPEST
    with pytest.raises(UnreadableError):
        list(read_nodes(nested(DEEPEST + 2)))


@pytest.mark.parametrize(("libyaml", "is_read"), [(True, True), (False, False)])
def test_a_dash_without_a_space_is_a_row_for_libyaml_alone(*, libyaml: bool, is_read: bool) -> None:
    text = "l:\n-\n- b"
    if is_read:
        assert tree(f"\n{text}\n", libyaml=libyaml) == [("l", ["", "b"])]
    else:
        with pytest.raises(UnreadableError, match=NO_SPACE):
            tree(f"\n{text}\n", libyaml=libyaml)


@pytest.mark.parametrize(("flow", "reason"), [("[1,, 2]", NO_COMMA), ("{{a: 1}: 2}", NO_KEY)])
def test_what_is_no_flow_is_refused(flow: str, reason: str) -> None:
    with pytest.raises(UnreadableError, match=reason):
        list(read_nodes(f"\na: {flow}\n".encode()))
