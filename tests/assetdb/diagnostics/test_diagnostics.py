"""Diagnostics as they are packed for the cache, and paths that they name."""

from __future__ import annotations

import pytest

from assetdb.diagnostics import Diagnostic, decode, encode, others


def test_what_is_packed_is_found_again() -> None:
    rows = [Diagnostic("a", "Assets/\u00e9.mat", 7, "one message", "2022.3"), Diagnostic("b", "x", 0, "")]
    assert decode(encode(rows)) == rows
    assert (encode([]), decode(b"")) == (b"", [])


@pytest.mark.parametrize("letter", ["\n", "\x1f", "\t", "\0"])
def test_a_name_of_any_letters_is_one_field(letter: str) -> None:
    first, second = decode(encode([Diagnostic("a", f"x{letter}y", 1, f"p{letter}q"), Diagnostic("b", "z", 2, "r")]))
    shown = {first.path[1], first.message[1]}
    assert shown in ({letter}, {"\ufffd"})
    assert (first.code, first.path[::2], first.line, first.message[::2]) == ("a", "xy", 1, "pq")
    assert (second.code, second.path, second.line, second.message) == ("b", "z", 2, "r")


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (["a", "me"], "a"),
        (["me"], "me"),
        (["a", "b", "me"], "a and b"),
        ([*"abcd", "me"], "a and b and c and 1 more"),
        (["me", *"abcd"], "a and b and c and 1 more"),
        ([f"{number:04}" for number in range(2000)] + ["me"], "0000 and 0001 and 0002 and 1,997 more"),
    ],
)
def test_a_few_other_paths_are_named(paths: list[str], expected: str) -> None:
    assert others(paths, "me") == expected
