"""Lines of bounded length in, whole lines out."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from assetdb.mcp import framing
from assetdb.mcp.framing import read_lines
from assetdb.mcp.protocol import McpError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _at_most_eight_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(framing, "LARGEST_MESSAGE", 8)


def lines(tmp_path: Path, data: bytes) -> list[bytes | str]:
    """Return the lines of a stream, errors by their message."""
    (tmp_path / "in").write_bytes(data)
    with (tmp_path / "in").open("rb", buffering=0) as stream:
        found = list(read_lines(stream))
    return [each.message if isinstance(each, McpError) else each for each in found]


LONG = "a message has at most 8 bytes"


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"", []),
        (b"one\ntwo\n", [b"one", b"two"]),
        (b"one\ntwo", [b"one", b"two"]),
        (b"\n \n\t\none\n", [b"one"]),
        (b"12345678\n", [b"12345678"]),
        (b"123456789\n", [LONG]),
        (b"123456789\none\n", [LONG, b"one"]),
        (b"one\n123456789", [b"one", LONG]),
        (b"123456789\n123456789\n", [LONG, LONG]),
    ],
)
def test_lines_are_read_and_those_that_are_too_long_refused_once(
    tmp_path: Path, data: bytes, found: list[bytes | str]
) -> None:
    assert lines(tmp_path, data) == found


def test_a_long_line_that_comes_in_pieces_is_refused_once() -> None:
    reading, writing = os.pipe()
    with open(reading, "rb") as stream, open(writing, "wb", buffering=0) as source:
        found = read_lines(stream)
        source.write(b"x" * 20)
        first = next(found)
        assert isinstance(first, McpError)
        source.write(b"x" * 20)
        source.write(b"x\nshort\n")
        assert next(found) == b"short"
