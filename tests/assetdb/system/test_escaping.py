"""Columns of letters, and where texts and cells are broken."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assetdb.system.escaping import broken, columns_of, printable, printable_lines, wrapped


@pytest.mark.parametrize(
    ("cell", "lines"),
    [
        ("Canvas / Popup / Title Text (Image)", ["Canvas / Popup /", "Title Text (Image)"]),
        ("Assets/a b.prefab -> Assets/c d.prefab", ["Assets/a b.prefab", "-> Assets/c d.prefab"]),
        ("Move the player to its own folder", ["Move the player to", "its own folder"]),
        ("one, Character Controller of it", ["one,", "Character Controller", "of it"]),
        ("Assets/My Art, and Others/Red.mat", ["Assets/My Art, and Others/Red.mat"]),
        ("日本 / 日本語日本語 / 語", ["日本 /", "日本語日本語 / 語"]),
    ],
)
def test_a_cell_is_broken_where_its_kind_allows_it(cell: str, lines: list[str]) -> None:
    assert broken(cell, 20) == lines


@pytest.mark.parametrize(
    ("text", "columns"), [("abc", 3), ("日本", 4), ("e\u0301", 1), ("\uff71", 1), ("\uff21", 2), ("", 0)]
)
def test_wide_and_combining_letters_take_what_a_terminal_gives_them(text: str, columns: int) -> None:
    assert columns_of(text) == columns


@given(st.text(st.characters(exclude_categories=("C", "Z")), max_size=20))
def test_columns_are_those_of_the_letters(text: str) -> None:
    assert columns_of(text) == sum(map(columns_of, text))
    assert columns_of(unicodedata.normalize("NFC", text)) <= columns_of(unicodedata.normalize("NFD", text)) + len(text)


@given(st.text(" ab/日", max_size=80), st.integers(1, 40))
def test_wrapping_breaks_at_spaces_alone_and_loses_nothing(text: str, width: int) -> None:
    lines = wrapped(text, width)
    assert " ".join(lines) == text
    assert all(columns_of(line) <= width or " " not in line for line in lines)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Assets/a b/日本.prefab", "Assets/a b/日本.prefab"),
        ("", ""),
        ("a\x1b[31m b", "a\\x1b[31m b"),
        ("a\nb", "a\\nb"),
        ("\u202egpj.exe", "\\u202egpj.exe"),
        ("lone \ud800", "lone \\ud800"),
        ("a\u00a0b", "a\\xa0b"),
    ],
)
def test_characters_that_a_terminal_would_obey_are_escaped(text: str, shown: str) -> None:
    assert printable(text) == shown
    assert printable_lines(f"{text}\n{text}") == "\n".join(map(printable, [*text.split("\n"), *text.split("\n")]))
