"""Lines of bytes: read as they arrive in pieces, written until nobody reads."""

from __future__ import annotations

import io
import os
import random

from assetdb.daemon.rpc.lines import LineBuffer, Writer


def test_lines_are_the_same_however_the_bytes_are_cut() -> None:
    data = b"one\n\ntwo and more\n" + b"x" * 5000 + b"\nthe last has no end"
    draw = random.Random(5)
    for _ in range(50):
        lines, found, start = LineBuffer(), [], 0
        while start < len(data):
            end = start + draw.choice((1, 2, 7, 1000, 10_000))
            lines.feed(data[start:end])
            start = end
            while (line := lines.take()) is not None:
                found.append(line)
        assert [*found, data[-19:]] == data.split(b"\n")
        assert len(lines) == 19
        assert not lines.has_line


def test_a_line_that_is_too_long_is_known_before_its_end() -> None:
    lines = LineBuffer()
    lines.feed(b"x" * 10)
    assert not lines.is_longer(10)
    lines.feed(b"\n")
    assert not lines.is_longer(10)
    assert lines.is_longer(9)
    assert lines.has_line
    lines.clear()
    lines.feed(b"y" * 11)
    assert not lines.has_line
    assert lines.is_longer(10)
    assert lines.take() is None
    lines.feed(b"\nshort\n")
    assert lines.is_longer(10)
    assert lines.take() == b"y" * 11
    assert not lines.is_longer(10)


def test_messages_are_written_as_lines_until_nobody_reads() -> None:
    stream = io.BytesIO()
    writer = Writer(stream, lambda line: line + b"\n")
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
        writer = Writer(stream, lambda line: line + b"\n")
        writer.write(b"one")
        assert writer.closed
