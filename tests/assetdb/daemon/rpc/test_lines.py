"""Lines of bytes that arrive in pieces."""

from __future__ import annotations

import random

from assetdb.daemon.rpc.lines import LineBuffer


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
