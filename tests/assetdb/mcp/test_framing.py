"""Lines of bounded length in, whole lines out."""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING

import pytest

from assetdb.mcp.framing import Writer, read_lines
from assetdb.mcp.protocol import McpError

if TYPE_CHECKING:
    from pathlib import Path


def lines(tmp_path: Path, data: bytes, largest: int = 8) -> list[bytes | str]:
    """Return the lines of a stream, errors by their message."""
    (tmp_path / "in").write_bytes(data)
    with (tmp_path / "in").open("rb", buffering=0) as stream:
        found = list(read_lines(stream, largest=largest))
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
        found = read_lines(stream, largest=8)
        source.write(b"x" * 20)
        first = next(found)
        assert isinstance(first, McpError)
        source.write(b"x" * 20)
        source.write(b"x\nshort\n")
        assert next(found) == b"short"


def test_messages_are_written_as_lines_until_nobody_reads() -> None:
    stream = io.BytesIO()
    writer = Writer(stream)
    writer.write(b"one")
    writer.write(b"two")
    assert stream.getvalue() == b"one\ntwo\n"
    states = [writer.closed]
    stream.close()
    for line in (b"three", b"four"):
        writer.write(line)
        states.append(writer.closed)
    assert states == [False, True, True]


def test_a_pipe_that_nobody_reads_closes_the_writer() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "wb", buffering=0) as stream:
        writer = Writer(stream)
        writer.write(b"one")
        assert writer.closed
