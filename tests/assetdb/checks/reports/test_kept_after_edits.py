"""An output stands after edits of C# that change no finding, and after no other edit."""

from __future__ import annotations

import time
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.findings.engine import check_project
from assetdb.checks.findings.selection import Selection
from assetdb.checks.reports.kept import KeptOutput, Output
from assetdb.checks.rules import Rule
from assetdb.cli import main
from assetdb.memo.edits import joined_uses
from assetdb.memo.memo import memo_of
from assetdb.memo.script_facts import SOURCE
from assetdb.query.snapshots.snapshot import open_project
from assetdb.unity.scripts.csharp import read_source
from tests.assetdb.checks.healthy import SCRIPT, guid_of, make_healthy, put
from tests.assetdb.unity_project import SETTLED

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

OUTPUT = Output(0, "all is well\n", "")
OWN = "Assets/Scripts/Item.cs"
OTHER = "Assets/Scripts/Other.cs"
THIRD = "Assets/Scripts/Third.cs"  # nothing refers to it, so no rule reads its facts


@pytest.fixture
def root(tmp_path: Path) -> Path:
    found = make_healthy(tmp_path / "Game", 1)
    put(found, OTHER, "class Other\n{\n    void Open() { }\n}\n", SCRIPT)
    put(found, THIRD, "class Third { }\n", SCRIPT)
    time.sleep(SETTLED)
    return found


def keep(root: Path, selection: Selection = Selection()) -> None:  # noqa: B008 - a tuple
    with closing(open_project(str(root))) as project:
        kept = KeptOutput(project, "text")
        with kept.written_once():
            check_project(project, selection)
            kept.codes = selection.codes()
            kept.keep(OUTPUT)


def found(root: Path) -> Output | None:
    with closing(open_project(str(root))) as project:
        return KeptOutput(project, "text").find()


def append(root: Path, text: str, path: str = OTHER) -> None:
    with (root / path).open("a") as file:
        file.write(text)


def test_a_comment_changes_nothing(root: Path) -> None:
    keep(root)
    for path in (OTHER, OWN, OTHER):
        append(root, "// a comment\n", path)
        time.sleep(SETTLED)
        assert found(root) == OUTPUT


def test_a_comment_of_this_moment_changes_nothing_either(root: Path) -> None:
    keep(root)
    append(root, "// a comment\n", OWN)
    assert found(root) == OUTPUT
    append(root, "// a comment\n", OTHER)
    assert found(root) in (OUTPUT, None)  # no facts of it are kept, and its identity may still hide a change


def test_facts_that_another_process_did_not_write_are_no_proof(root: Path) -> None:
    keep(root)
    with closing(open_project(str(root))) as project:
        memo = memo_of(project)
        memo.inputs(project).facts.add(SOURCE, OTHER, 1, read_source(b""))
        kept = memo.inputs(project).facts._of(SOURCE)
        kept.rows.pop(OWN)  # as of a command that began before, and writes last
        memo.write()
    append(root, "class Added { }\n", OWN)
    time.sleep(SETTLED)
    with closing(open_project(str(root))) as project:
        edits = memo_of(project).edits(memo_of(project).inputs(project))
        assert edits is not None
        assert not edits.change_none_of(joined_uses([(SOURCE.name, OWN)]))
        assert edits.change_none_of(joined_uses([(SOURCE.name, OTHER)]))


def test_a_file_that_is_edited_under_a_check_is_looked_at_afterwards(root: Path) -> None:
    with closing(open_project(str(root))) as project:
        kept = KeptOutput(project, "text")
        append(root, "// before the rules\n")
        with kept.written_once():
            check_project(project, Selection())
            kept.codes = Selection().codes()
            append(root, "// after the rules\n")
            kept.keep(OUTPUT)
    time.sleep(SETTLED)
    found(root)
    append(root, "<<<<<<< HEAD\n=======\n>>>>>>> theirs\n")
    time.sleep(SETTLED)
    assert found(root) is None


def test_text_in_a_body_changes_nothing(root: Path) -> None:
    keep(root)
    (root / OTHER).write_text("class Other\n{\n    void Open() { int two = 1 + 1; }\n}\n")
    time.sleep(SETTLED)
    assert found(root) == OUTPUT


def asked(root: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Output | None, set[str]]:
    """Return the kept output, and the codes of the rules that had to be asked for it."""
    codes: list[str] = []
    find = Rule.find
    with monkeypatch.context() as patch:
        patch.setattr(Rule, "find", lambda rule, project: (codes.append(rule.code), find(rule, project))[1])
        return found(root), set(codes)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("// a comment\n", set()),
        ("class More { void Close() { } }\n", set()),
        ("namespace More { class Item { } }\n", {"duplicate-type", "script-class", "assembly-namespace"}),
        ("namespace More { }\n", {"assembly-namespace"}),
    ],
)
def test_rules_are_asked_again_if_facts_that_they_use_changed(
    root: Path, monkeypatch: pytest.MonkeyPatch, text: str, expected: set[str]
) -> None:
    keep(root)
    append(root, text)
    time.sleep(SETTLED)
    now, codes = asked(root, monkeypatch)
    assert now == OUTPUT
    assert codes.issuperset(expected)
    assert bool(codes) == bool(expected)
    assert asked(root, monkeypatch) == (OUTPUT, set())


@pytest.mark.parametrize(("number", "codes"), [(29, set()), (0, {"missing-type", "duplicate-type"})])
def test_the_first_class_of_one_of_many_empty_scripts_asks_few_rules(
    root: Path, monkeypatch: pytest.MonkeyPatch, number: int, codes: set[str]
) -> None:
    paths = sorted((f"Assets/Scripts/Empty{each}.cs" for each in range(30)), key=guid_of)
    for path in paths:
        put(root, path, "", SCRIPT)
    time.sleep(SETTLED)
    keep(root)
    append(root, "class First { }\n", paths[number])
    time.sleep(SETTLED)
    assert asked(root, monkeypatch) == (OUTPUT, codes)  # the first four prove that the code is elsewhere


def test_edits_of_a_body_ask_few_rules(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(root)
    (root / OTHER).write_text("class Other\n{\n    // a line more\n    void Open() { Close(); }\n}\n")
    time.sleep(SETTLED)
    now, codes = asked(root, monkeypatch)
    assert now == OUTPUT
    assert not codes.intersection({"duplicate-type", "editor-script", "assembly-namespace", "conflict-markers"})


@pytest.mark.parametrize("first", ["", "using System.Text;\n", "namespace First { }\n"])
def test_a_new_type_may_get_its_twin_by_a_later_edit(root: Path, first: str) -> None:
    keep(root)
    append(root, f"{first}class Added {{ }}\n")
    time.sleep(SETTLED)
    assert found(root) == OUTPUT
    append(root, "class Added { }\n", THIRD)
    time.sleep(SETTLED)
    assert found(root) is None


@pytest.mark.parametrize("count", [1, 25])
def test_a_new_type_among_many_edits_may_get_its_twin_later(root: Path, count: int) -> None:
    paths = [f"Assets/Scripts/Many{number}.cs" for number in range(count)]
    for path in paths:
        put(root, path, f"class {path[15:-3]} {{ }}\n", SCRIPT)
    time.sleep(SETTLED)
    keep(root)
    for path in paths:
        append(root, "// a comment\n", path)
    append(root, "class Added { }\n")
    time.sleep(SETTLED)
    found(root)
    keep(root)
    append(root, "class Added { }\n", THIRD)
    time.sleep(SETTLED)
    assert found(root) is None


def test_the_same_output_is_written_again_after_rules_were_asked(root: Path) -> None:
    keep(root)
    for number in range(3):
        append(root, f"namespace More{number} {{ }}\n")
        time.sleep(SETTLED)
        for _ in range(2):
            assert found(root) == OUTPUT
        with closing(open_project(str(root))) as project:
            edits = memo_of(project).edits(memo_of(project).inputs(project))
            assert edits is not None
            assert not edits.paths


def deleted(root: Path) -> None:
    (root / OTHER).unlink()


def renamed(root: Path) -> None:
    (root / OTHER).rename(root / "Assets/Scripts/Another.cs")


def of_two_one(root: Path) -> None:
    append(root, "// a comment\n")
    append(root, "class Item { }\n", OTHER)


@pytest.mark.parametrize(
    "edit",
    [
        lambda root: append(root, "class Item { }\n"),
        lambda root: append(root, "<<<<<<< HEAD\n=======\n>>>>>>> theirs\n"),
        lambda root: append(root, "// a comment\n", f"{OTHER}.meta"),
        lambda root: append(root, "\n", "Assets/Data/Icon0.asset"),
        lambda root: put(root, "Assets/Scripts/New.cs", "", SCRIPT),
        deleted,
        renamed,
        of_two_one,
    ],
    ids=["class", "conflict", "meta", "asset", "new", "deleted", "renamed", "of two one"],
)
def test_any_other_edit_ends_it(root: Path, edit: Callable[[Path], object]) -> None:
    if not (root / "Assets/Data/Icon0.asset").exists():
        put(root, "Assets/Data/Icon0.asset", "--- !u!114 &1\nMonoBehaviour:\n  m_Name: Icon0\n")
    time.sleep(SETTLED)
    keep(root)
    edit(root)
    time.sleep(SETTLED)
    assert found(root) is None


def test_the_size_of_a_script_may_be_a_matter_of_the_teams_rules(root: Path) -> None:
    (root / "assetdb.toml").write_text('[[rule]]\nname = "short"\npaths = "Assets/**/*.cs"\nmax-size = 100\n')
    time.sleep(SETTLED)
    keep(root)
    append(root, "// a comment\n")
    time.sleep(SETTLED)
    assert found(root) == OUTPUT
    append(root, "// a comment\n" * 10)
    time.sleep(SETTLED)
    assert found(root) is None


def test_a_check_of_nothing_in_scripts_is_as_before_after_any_text(root: Path) -> None:
    keep(root, Selection(select=("missing-meta",)))
    append(root, "class More { }\n")
    time.sleep(SETTLED)
    assert found(root) == OUTPUT


def test_many_edits_are_compared_by_the_answers(root: Path) -> None:
    paths = [f"Assets/Scripts/Own{number}.cs" for number in range(21)]
    for path in paths:
        put(root, path, "class Plain { }\n", SCRIPT)
    time.sleep(SETTLED)
    keep(root)
    for path in paths[:20]:
        append(root, "// a comment\n", path)
    time.sleep(SETTLED)
    assert found(root) == OUTPUT
    append(root, "// a comment\n", paths[20])
    time.sleep(SETTLED)
    assert found(root) is None


def test_a_file_that_was_no_text_has_no_facts_to_compare(root: Path) -> None:
    keep(root)
    (root / OTHER).unlink()
    (root / OTHER).mkdir()
    time.sleep(SETTLED)
    assert found(root) is None


@pytest.mark.parametrize("edit", ["// a comment\n", "class Item { }\n", "class Item : Missing { }\n"])
def test_the_command_says_what_a_first_check_says(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], edit: str
) -> None:
    def check(*words: str) -> tuple[int, str]:
        capsys.readouterr()
        return main(["check", "--project", str(root), *words]), capsys.readouterr().out

    check()
    check()
    append(root, edit)
    time.sleep(SETTLED)
    assert check() == check("--out-dir", str(tmp_path / "out"))
