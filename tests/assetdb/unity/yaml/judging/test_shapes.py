"""Shapes of texts: what is certainly read, and what is in doubt."""

from __future__ import annotations

import pytest

from assetdb.unity.yaml.judging.shapes import Shapes, shape_of
from tests.memory import most_memory

BODY = b" &7\nMonoBehaviour:\n  m_Name: b\n"


def accepts(lines: str, *, libyaml: bool = False) -> bool:
    shapes = Shapes(libyaml=libyaml)
    shape = shape_of(BODY + lines.encode()).removesuffix(b"\n")
    first = shapes.accepts(shape)
    assert not shapes.knows(shape)
    if first:
        shapes.remember(shape)
        assert shapes.knows(shape)
    assert shapes.accepts(shape) is first
    return first


def test_a_shape_has_no_letters() -> None:
    assert shape_of(b"  m_Scale: {x: -1.5, y: 2}\n  - a\n") == b"  : {: , : }\n  - \n"


@pytest.mark.parametrize(
    "lines",
    [
        "  a:\n    b:\n    - c: 1\n      d: {x: 0, y: -0}\n    - c: 2\n      d: {}\n  e: []\n",
        "  a: {fileID: 1, guid: 0000000000000000e000000000000000,\n    type: 3}\n  b: 1\n",
        "  list:\n  - one\n  - {fileID: 0}\n  after: -1\n",
        "  a:\n  - - b\n    - c\n",
        "  path: m_Fields.Array.data[0].m_Names[2]\n",
        "  a: b\r\n  c:\r\n    d: e\r\n",
        "  4x4: 1\n  text: Button #1\n",
        "  a: b\n\n\n",
        "  a: b, c,\n    d=e\n  f: g\n",
        "  a:\n  - b: c,\n      d=e,\n     =f, g=h\n    i: j\n",
        "  a: b\r\n  c:\r\n\r\n\r\n",
    ],
)
def test_what_unity_writes_is_accepted(lines: str) -> None:
    assert accepts(lines)


@pytest.mark.parametrize(
    "lines",
    [
        "  a: one\n    two\n",
        "  a: one\n  =two\n",
        "  a: one\n    =two: three\n",
        "  a: one:\n    =two\n",
        "  a: {b: c}\n    =d\n",
        "  a: []\n    =b\n",
        "  a: |\n    =b\n",
        "  a: #b\n    =c\n",
        "  a:\n    =b\n",
        "  - a\n    =b\n",
        "  a: b\n    =c\n    d: e\n",
        "  a: 'b'\n",
        "  near clip plane: 1\n",
        "  a:\n    b: 1\n   c: 2\n",
        "  a:\n    b: 1\n  - c\n",
        "  a\n",
        "  a: {x: 1\n",
        "  a: {x: 1,\n",
        "  a:\n  -\n",
        "  a: \tb\n",
        "\n  a: b\n",
        "  a: b\n \n",
        "  a: {x: 1,\n\n",
        "  a:  ''\n   =x\n",  # behind two spaces a quote or a brace is one all the same
        "  a:  'open\n <b>\n",
        '  a:  "\n',
        "  - a:  {b: 1,\n",
    ],
)
def test_what_is_rare_or_wrong_is_in_doubt(lines: str) -> None:
    assert not accepts(lines)


def test_the_old_reader_doubts_a_colon_in_a_text() -> None:
    for lines in ("  a: b: c\n", "  a: b:\n"):
        assert accepts(lines)
        assert not accepts(lines, libyaml=True)


def test_many_lines_and_depths_are_not_all_remembered() -> None:
    shapes = Shapes(libyaml=False)
    for number in range(60_000):
        assert shapes.accepts(b"\n:\n  : " + "".join(chr(0x100 + int(digit)) for digit in str(number)).encode())
    assert shapes.lines <= 50_000
    deep = "".join(" " * (2 * depth) + ":\n" for depth in range(5_000))
    assert not shapes.accepts(f"\n{deep}".encode())


def test_dashes_without_end_take_no_memory() -> None:
    """A line of 100 MB of them took 6 GB."""
    shape = b"\n:\n  :\n  " + b"- " * 200_000
    assert most_memory(lambda: Shapes(libyaml=False).accepts(shape)) < 4 * len(shape)
