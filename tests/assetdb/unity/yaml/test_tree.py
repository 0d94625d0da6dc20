"""Trees of Unity's text: the bytes of every entry, from which the text is again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.unity.yaml.documents import cut
from assetdb.unity.yaml.tree import LIST, MAPPING, SCALAR, Tree, UnreadableError, read_tree, scalars

if TYPE_CHECKING:
    from pathlib import Path

TEXT = b"""
PrefabInstance:
  m_Modification:
    m_TransformParent: {fileID: 0}
    m_Modifications:
    - target: {fileID: 400, guid: 0123456789abcdef0123456789abcdef,
        type: 3}
      propertyPath: m_Name
      value: 'one

        two'
    - target: {fileID: 401}
      propertyPath: m_Text
      value:
  m_Grid:
  - - {x: 1, y: 2}
    - {x: 3, y: 4}
  - []
  m_Empty: {}
"""


def text_of(data: bytes, tree: Tree) -> bytes:
    """Return the text of a block from its entries alone."""
    return (b" " * tree.column).join(data[entry.start : entry.end] for entry in tree.entries)


def blocks(tree: Tree) -> list[Tree]:
    found, waiting = [], [tree]
    while waiting:
        node = waiting.pop()
        if node.kind != SCALAR and not node.flow:
            found.append(node)
        waiting += [entry.value for entry in node.entries]
    return found


def test_entries_have_their_lines() -> None:
    (outer,) = read_tree(TEXT).entries
    assert outer.key == "PrefabInstance"
    modification, grid, empty = outer.value.entries
    assert TEXT[empty.start : empty.end] == b"m_Empty: {}\n"
    parent, modifications = modification.value.entries
    assert TEXT[parent.start : parent.end] == b"m_TransformParent: {fileID: 0}\n"
    first, second = modifications.value.entries
    assert TEXT[second.start : second.end] == (b"- target: {fileID: 401}\n      propertyPath: m_Text\n      value:\n")
    value = first.value.get("value")
    assert value is not None
    assert value.text == "one\ntwo"
    assert TEXT[value.start : value.end] == b"'one\n\n        two'"
    rows = grid.value.entries
    assert [row.value.kind for row in rows] == [LIST, LIST]
    assert TEXT[rows[0].start : rows[0].end] == b"- - {x: 1, y: 2}\n    - {x: 3, y: 4}\n"
    assert [TEXT[row.start : row.end] for row in rows[0].value.entries] == [b"- {x: 1, y: 2}\n", b"- {x: 3, y: 4}\n"]


def test_references_over_two_lines_are_one_entry() -> None:
    modifications = read_tree(TEXT).entries[0].value.entries[0].value.get("m_Modifications")
    assert modifications is not None
    target = modifications.entries[0].value.entries[0]
    assert target.value.flow
    assert target.value.kind == MAPPING
    assert [entry.key for entry in target.value.entries] == ["fileID", "guid", "type"]
    assert TEXT[target.start : target.end].endswith(b",\n        type: 3}\n")


def test_scalars_are_in_order() -> None:
    assert [tree.text for tree in scalars(read_tree(b"\na: {x: 1, y: 2}\nb:\n- c: 3\n  d: []\n"))] == [
        "1",
        "2",
        "3",
        "",
    ]


def test_a_text_without_values_is_an_empty_scalar() -> None:
    assert read_tree(b"\n").kind == SCALAR


def test_a_line_without_a_key_is_an_error_with_its_place() -> None:
    with pytest.raises(UnreadableError) as raised:
        read_tree(b"\na: 1\nb\n")
    assert raised.value.place == 6


def test_blocks_are_their_entries() -> None:
    for block in blocks(read_tree(TEXT)):
        assert text_of(TEXT, block) == TEXT[block.start : block.end]


@pytest.mark.corpus("unity/BoatAttack")
def test_blocks_of_real_files_are_their_entries(corpus: Path) -> None:
    count = 0
    for path in sorted((corpus / "unity/BoatAttack").glob("Assets/**/*.prefab"))[:60]:
        data = path.read_bytes()
        for *_, start, end in cut(data):
            body = data[start : end + 1]
            for block in blocks(read_tree(body)):
                assert text_of(body, block) == body[block.start : block.end]
                count += 1
    assert count > 1000


def long_block(rows: int) -> bytes:
    row = "    - target: {{fileID: {0}}}\n      propertyPath: m_Name{0}\n      value: {0}\n"
    lines = "".join(row.format(number) for number in range(rows))
    before, behind = (
        "\nPrefabInstance:\n  m_Modification:\n    m_Modifications:\n",
        "    m_Removed: []\n  last: 'a\n\n'\n",
    )
    return (before + lines + behind).encode()


def test_long_blocks_are_read_as_short_ones() -> None:
    """Their entries are found by column, and read when they are asked for."""
    for rows in (1, 400):
        data = long_block(rows)
        outer = read_tree(data).entries[0].value
        assert [entry.key for entry in outer.entries] == ["m_Modification", "last"]
        modifications = outer.entries[0].value.get("m_Modifications")
        assert modifications is not None
        assert len(modifications.entries) == rows
        for number, row in enumerate(modifications.entries):
            assert [entry.value.text for entry in row.value.entries[1:]] == [f"m_Name{number}", str(number)]
        assert outer.get("last") is not None
        for block in blocks(read_tree(data)):
            assert text_of(data, block) == data[block.start : block.end]


def test_a_quoted_text_with_lines_at_the_column_of_a_key_is_one_value() -> None:
    data = b"\nA:\n" + b"  x: 1\n" * 600 + b'  text: "one\n  two: 3\n  four"\n  last: 1\n'
    outer = read_tree(data).entries[0].value
    text = outer.entries[-2].value
    assert text.text == "one two: 3 four"


def test_nesting_without_end_is_an_error() -> None:
    deep = "".join(f"{' ' * level}k{level}:\n" for level in range(400)) + " " * 400 + "'x'\n"
    with pytest.raises(UnreadableError):
        list(scalars(read_tree(b"\n" + deep.encode())))


def test_an_absent_key_has_no_value() -> None:
    tree = read_tree(b"\na: 1\nb: 2\na: 3\n")
    first = tree.get("a")
    assert first is not None
    assert (first.text, first.raw, tree.get("c")) == ("1", b"1", None)
    assert [entry.raw for entry in tree.entries] == [b"a: 1\n", b"b: 2\n", b"a: 3\n"]


@pytest.mark.parametrize(
    "lines",
    [
        "- a: {0}\n  b: {0}\n",
        "-   a: {0}\n    b: {0}\n",
        "- - {0}\n  - {0}\n",
        "- {{x: {0}}}\n",
        "- [{0}]\n",
        "- {0}\n",
        "'k {0}': {0}\n",
        "k{0}:\n- {0}\n",
        "k{0}:\n  - {0}\n  - {0}\n",
        "k{0}: 'a\n\n  b{0}'\n",
        'k{0}: "a{0}"\n',
    ],
)
def test_entries_of_long_blocks_are_those_of_short_ones(lines: str) -> None:
    """Each long block is found by its column; the same lines in few rows are read at once."""
    rows = [lines.format(number) for number in range(2000)]
    long = read_tree(("\nlist:\n" + "".join(f"  {line}\n" for row in rows for line in row[:-1].split("\n"))).encode())
    (entry,) = long.entries
    assert len(entry.raw) > 1 << 12
    assert len(entry.value.entries) == len(rows)
    for number in (0, 1, 999, 1999):
        few = read_tree(("\nlist:\n" + "".join(f"  {line}\n" for line in rows[number][:-1].split("\n"))).encode())
        (alone,) = few.entries[0].value.entries
        found = entry.value.entries[number]
        assert (found.key, found.raw) == (alone.key, alone.raw)
        assert [text.text for text in scalars(found.value)] == [text.text for text in scalars(alone.value)]
        assert found.value.kind == alone.value.kind
