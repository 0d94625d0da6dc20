"""Tables and notes at the width of a terminal: whole words and paths, the GUID last, nothing lost."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assetdb.cli import terminal
from assetdb.cli.terminal import note, print_cells, print_indented, say_listed, table_lines
from assetdb.system.escaping import columns_of
from scripts.fixture import copy_fixture
from tests.assetdb.cli.test_terminal_colors import on_terminal, piped
from tests.assetdb.history.git_project import git
from tests.needs import needs_git
from tests.system.graph.project import add

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


def test_most_rows_are_aligned_although_some_are_too_wide() -> None:
    rows = [
        ("Hall / Lamp", "Light"),
        ("Hall / Lamp / Flame / Glow", "Light, Flicker"),
        ("Hall", "Transform, Collider, Rigidbody, Door"),
        ("Hall / " + "x" * 60, "Transform"),
        ("Hall / Lamp / Flame", "Light"),
    ]
    assert list(table_lines(rows, width=44)) == [
        "Hall / Lamp                 Light",
        "Hall / Lamp / Flame / Glow  Light, Flicker",
        "Hall  Transform, Collider, Rigidbody, Door",
        "Hall /",
        f"    {'x' * 60}",
        "    Transform",
        "Hall / Lamp / Flame         Light",
    ]


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
    assert list(table_lines(rows, width=26)) == [
        "Player / Body",
        "    Transform,",
        "    Character Controller,",
        "    Health",
        f"    {path}",
    ]


def test_the_first_cell_is_broken_too_and_each_line_has_its_style(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    lines = list(table_lines([("Canvas / Popup / Title", "Image")], styles=("path", "type"), width=20))
    assert lines == ["\x1b[1mCanvas / Popup /\x1b[0m", "    \x1b[1mTitle\x1b[0m   \x1b[36mImage\x1b[0m"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    copy_fixture(root)
    return root


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The fixture project with a commit, a moved asset and a changed one after it."""
    root = tmp_path_factory.mktemp("widths") / "project"
    copy_fixture(root)
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "Everything as it was in the beginning, with a subject of many words that is long")
    (root / "Assets/Moved far away").mkdir()
    for name in ("Red.mat", "Red.mat.meta"):
        (root / "Assets/Art" / name).rename(root / "Assets/Moved far away" / name)
    scene = root / "Assets/Scenes/Main.unity"
    scene.write_text(re.sub(r"m_Name: (\w+)", r"m_Name: \1 of another name that has words", scene.read_text()))
    piped(root, "bake", "--keep-going")  # whichever command comes first, this one too, finds it done
    return root


LINES = (
    "find a",
    "find --type Material",
    "find a --in Assets/Scenes/Main.unity",
    "find --component MeshRenderer",
    "find --where m_Name=*",
    "deps Assets/Scenes/Main.unity",
    "usages Assets/Scripts/Item.cs",
    "usages Assets/Scripts/Item.cs --objects",
    "ls Assets/Scenes/Main.unity",
    "ls Assets/Scenes/Main.unity --tree",
    "ls Assets",
    "unused --incomplete",
    "info",
    "history Assets/Art/Red.mat",
    "check -v",
    "check --statistics",
    "bake --keep-going",
    "diff HEAD",
)
STRANGE = ("L" * 1000, "日本語の名前" * 6, "e\u0301" * 90, "two words " * 12, "\u202eabc", "a\tb\u2066c")


def write_strange_names(root: Path) -> None:
    objects = "".join(
        f'--- !u!1 &{number}\nGameObject:\n  m_Component:\n  - component: {{fileID: {number}0}}\n  m_Name: "{name}"\n'
        f"--- !u!4 &{number}0\nTransform:\n  m_GameObject: {{fileID: {number}}}\n  m_Father: {{fileID: {above}}}\n"
        for number, (name, above) in enumerate(zip(STRANGE, (0, 10, 20, 30, 40, 50), strict=True), 1)
    )
    add(root, "Assets/Strange names of things.prefab", f"%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n{objects}")


def is_whole(line: str, columns: int) -> bool:
    """Whether a line fits, or is one word or one path that could not be broken."""
    text = line.strip().removeprefix("-> ")
    first = text.partition(" ")[0]
    return columns_of(line) <= columns or text == first or ("/" in first and "  " not in text)


@needs_git
@pytest.mark.parametrize("columns", ["20", "80", "100"])
@pytest.mark.parametrize("line", LINES)
def test_no_word_of_a_pipe_is_lost_or_cut_on_a_terminal(repository: Path, line: str, columns: str) -> None:
    words = line.split()
    in_pipe = piped(repository, *words)
    shown = on_terminal(repository, *words, COLUMNS=columns, NO_COLOR="1")
    lost = {word.rstrip(",") for word in in_pipe.split()} - {word.rstrip(",") for word in shown.split()}
    assert [word for word in lost if word not in shown and len(word.partition(":")[0]) != 32] == []  # GUIDs are spare
    assert in_pipe.count("...") == shown.count("...")
    assert [each for each in shown.split("\n") if not is_whole(each, int(columns))] == []


@needs_git
@pytest.mark.parametrize("columns", ["20", "80", "100"])
def test_what_a_doctor_says_keeps_to_the_width(repository: Path, columns: str) -> None:
    shown = on_terminal(repository, "doctor", COLUMNS=columns, NO_COLOR="1")  # with times: no two runs say the same
    assert [each for each in shown.split("\n") if not is_whole(each, int(columns))] == []


@pytest.mark.parametrize("columns", ["20", "80"])
@pytest.mark.parametrize("line", ["ls", "ls --tree", "find --in"])
def test_long_wide_combining_and_steering_names_keep_to_the_width(project: Path, line: str, columns: str) -> None:
    write_strange_names(project)
    shown = on_terminal(project, *line.split(), "Assets/Strange names of things.prefab", COLUMNS=columns, NO_COLOR="1")
    assert "L" * 1000 in shown
    assert "\\u202eabc" in shown
    assert "a\\tb\\u2066c" in shown
    assert not {"\u202e", "\u2066", "\t"} & set(shown)
    assert [each for each in shown.split("\n") if not is_whole(each, int(columns))] == []


def test_a_row_alone_is_in_a_pipe_as_its_cells_are(capsys: pytest.CaptureFixture[str]) -> None:
    print_cells(("Assets/a.mat:1", "", "Red (Material &2)", "m_Name = "), indent=2)
    print_indented("      m_Name   one -> two")
    assert capsys.readouterr().out == "  Assets/a.mat:1  Red (Material &2)  m_Name = \n      m_Name   one -> two\n"


def test_paths_in_a_note_stay_whole(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(terminal, "columns", lambda _=None: 24)
    path = "Assets/My Art/Red as it is.mat"
    note(f"warning: {path}: the file is empty", (path,))
    say_listed(f"{path!r} is ambiguous\n  {path}\n  Assets/B.mat")
    assert capsys.readouterr().err == (
        f"warning:\n    {path}:\n    the file is empty\n"
        f"assetdb: 'Assets/My\n    Art/Red as it\n    is.mat' is ambiguous\n  {path}\n  Assets/B.mat\n"
    )


def test_rows_that_are_made_again_are_laid_out_as_rows_that_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "_LINES_AT_ONCE", 2)
    rows = [("1", "a\x1b[31m", "x"), ("22", "bbbb", ""), ("333", "c", "yy"), ("4", "dddddd", "z")]
    asked = []

    def ask() -> list[tuple[str, ...]]:
        asked.append(1)
        return rows

    again = terminal.RowsAgain(ask)
    assert [*table_lines(again, right=frozenset({0}))] == [*table_lines(rows, right=frozenset({0}))]
    assert len(asked) == 2
    assert [*table_lines(again, width=9)] == [*table_lines(rows, width=9)]
    assert [*table_lines(terminal.RowsAgain(list))] == []
