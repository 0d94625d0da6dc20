"""Conflict markers, written and read."""

from __future__ import annotations

import time

import pytest

from assetdb.unity.merging.markers import MARKED, marked, read_markers
from assetdb.unity.merging.pieces import Conflict

OPEN = Conflict(MARKED, 0, (), b"a\n", b"b\n", b"")


@pytest.mark.parametrize("size", [7, 12])
@pytest.mark.parametrize("with_base", [False, True])
def test_what_is_written_is_read(size: int, with_base: bool) -> None:  # noqa: FBT001 - of the table
    pieces = [b"before\n", OPEN, b"between\n", OPEN._replace(theirs=b"c\n"), b"behind\n"]
    text = marked(pieces, size=size, with_base=with_base)
    expected = [piece if isinstance(piece, bytes) or with_base else piece._replace(base=b"") for piece in pieces]
    assert read_markers(text) == expected


def test_git_s_own_labels_are_read() -> None:
    text = b"<<<<<<< HEAD\na\n||||||| 1234567\nb\n=======\nc\n>>>>>>> feature: a commit\n"
    assert read_markers(text) == [Conflict(MARKED, 0, (), b"b\n", b"a\n", b"c\n")]


@pytest.mark.parametrize("text", [b"", b"a\n", b"<<<<<<< ours\na\n", b"<<<<<<< a\n=======\n", b"=======\n>>>>>>> b\n"])
def test_lone_markers_are_text(text: bytes) -> None:
    pieces = read_markers(text)
    assert b"".join(piece for piece in pieces if isinstance(piece, bytes)) == text


@pytest.mark.parametrize("conflict", [b"<<<<<<<\n", b"<<<<<<< a\n=======\n", b"<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n"])
def test_time_grows_with_the_text(conflict: bytes) -> None:
    began = time.process_time()
    assert b"".join(one if isinstance(one, bytes) else one.ours for one in read_markers(conflict * 20_000))
    assert time.process_time() - began < 4
