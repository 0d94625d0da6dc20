"""Tables and notes at the width of a terminal: whole words and paths, the GUID last, nothing lost."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assetdb.cli.terminal import table_lines
from assetdb.system.escaping import columns_of, wrapped
from scripts.fixture import copy_fixture
from tests.assetdb.cli.test_terminal_colors import on_terminal, piped

if TYPE_CHECKING:
    from pathlib import Path

GUID = "0123456789abcdef0123456789abcdef"
WORDS = st.text("abcXYZ./_-日é", min_size=1, max_size=30)
ROWS = st.integers(1, 5).flatmap(lambda count: st.lists(st.tuples(*[WORDS] * count), min_size=1, max_size=8))


@given(ROWS, st.integers(20, 120))
def test_every_cell_is_shown_whole_and_only_a_cell_alone_is_wider(rows: list[tuple[str, ...]], width: int) -> None:
    lines = list(table_lines(rows, width=width))
    assert " ".join(lines).split() == [word for row in rows for word in row]
    for line in lines:
        assert columns_of(line) <= width or len(line.split()) == 1


@given(ROWS)
def test_what_fits_is_laid_out_as_in_a_pipe(rows: list[tuple[str, ...]]) -> None:
    rows = [tuple(word.replace("日", "x") for word in row) for row in rows]
    assert list(table_lines(rows, width=1000)) == list(table_lines(rows))


def test_a_spare_column_goes_before_a_row_is_folded_but_not_of_what_has_no_path() -> None:
    rows = [("(not in the project)", "absent", GUID), ("Assets/Red.mat", "Material", GUID)]
    spare = frozenset((2,))
    assert list(table_lines(rows, spare=spare, width=64)) == [
        f"(not in the project)  absent    {GUID}",
        f"Assets/Red.mat        Material  {GUID}",
    ]
    assert list(table_lines(rows, spare=spare, width=40)) == [
        "(not in the project)  absent",
        f"    {GUID}",
        "Assets/Red.mat        Material",
    ]


def test_a_list_is_broken_behind_its_commas_and_a_path_never() -> None:
    path = "Assets/With Space, and Comma/a very long name.prefab"
    rows = [("Player / Body", "Transform, Character Controller, Health", path)]
    assert list(table_lines(rows, width=24)) == [
        "Player / Body",
        "    Transform,",
        "    Character Controller,",
        "    Health",
        f"    {path}",
    ]


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


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    copy_fixture(root)
    return root


@pytest.mark.parametrize("columns", ["20", "80", "100"])
@pytest.mark.parametrize(
    "line",
    [
        "find a",
        "find a --in Assets/Scenes/Main.unity",
        "deps Assets/Scenes/Main.unity",
        "usages Assets/Scripts/Item.cs",
        "ls Assets/Scenes/Main.unity",
        "ls Assets",
        "unused --incomplete",
        "info",
        "history Assets/Art/Red.mat",
        "check -v",
    ],
)
def test_no_word_of_a_pipe_is_lost_on_a_terminal(project: Path, line: str, columns: str) -> None:
    words = line.split()
    in_pipe = piped(project, *words)
    shown = on_terminal(project, *words, COLUMNS=columns, NO_COLOR="1")
    lost = {word.rstrip(",") for word in in_pipe.split()} - {word.rstrip(",") for word in shown.split()}
    assert [word for word in lost if word not in shown and len(word.partition(":")[0]) != 32] == []  # GUIDs are spare
    assert in_pipe.count("...") == shown.count("...")
    for each in shown.split("\n"):
        assert len(each) <= int(columns) or len(re.split("  +", each.strip())) <= 2 or columns == "20"
