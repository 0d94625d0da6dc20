"""An output stands after edits of C# that change no facts, and after no other edit."""

from __future__ import annotations

import ast
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.checks.findings.engine import answers_of, check_project
from assetdb.checks.findings.selection import Selection
from assetdb.checks.reports.kept import KeptOutput, Output
from assetdb.checks.reports.script_facts import EXTRACTIONS, are_same_facts, packed_facts
from assetdb.cli import main
from assetdb.memo.file import columns, split_columns
from assetdb.memo.inputs import TREE
from assetdb.memo.memo import memo_of
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.checks.healthy import SCRIPT, make_healthy, put
from tests.assetdb.unity_project import SETTLED

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb.memo.inputs import Input, Value
    from assetdb.query.snapshots.snapshot import Snapshot

OUTPUT = Output(0, "all is well\n", "")
OWN = "Assets/Scripts/Item.cs"
OTHER = "Assets/Scripts/Other.cs"
SOURCES = Path(__file__).parents[4] / "assetdb"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    found = make_healthy(tmp_path / "Game", 1)
    put(found, OTHER, "class Other\n{\n    void Open() { }\n}\n", SCRIPT)
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


@pytest.mark.parametrize("settled", [SETTLED, 0])
def test_a_comment_changes_nothing(root: Path, settled: float) -> None:
    keep(root)
    for path in (OTHER, OWN, OTHER):
        append(root, "// a comment\n", path)
        time.sleep(settled)
        assert found(root) == OUTPUT


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


def deleted(root: Path) -> None:
    (root / OTHER).unlink()


def renamed(root: Path) -> None:
    (root / OTHER).rename(root / "Assets/Scripts/Another.cs")


def of_two_one(root: Path) -> None:
    append(root, "// a comment\n")
    append(root, "class More { }\n", OWN)


@pytest.mark.parametrize(
    "edit",
    [
        lambda root: append(root, "class More { }\n"),
        lambda root: append(root, "namespace More { }\n"),
        lambda root: append(root, "<<<<<<< HEAD\n=======\n>>>>>>> theirs\n"),
        lambda root: append(root, '"', OWN),
        lambda root: append(root, "// a comment\n", f"{OTHER}.meta"),
        lambda root: append(root, "\n", "Assets/Data/Icon0.asset"),
        lambda root: put(root, "Assets/Scripts/New.cs", "", SCRIPT),
        deleted,
        renamed,
        of_two_one,
    ],
    ids=["class", "namespace", "conflict", "quote", "meta", "asset", "new", "deleted", "renamed", "of two one"],
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
    (root / "assetdb.toml").write_text('[[rule]]\nname = "short"\npaths = "Assets/**/*.cs"\nmax-size = 1000\n')
    time.sleep(SETTLED)
    keep(root)
    append(root, "// a comment\n")
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


def noted_in(project: Snapshot) -> dict[Input, Value]:
    """Return the inputs of all answers of a check."""
    memo = memo_of(project)
    noted: dict[Input, Value] = {}
    for key, version in answers_of(Selection().codes()):
        noted.update(memo.noted(key, version))
    return noted


@pytest.fixture
def packed(root: Path) -> bytes:
    with closing(open_project(str(root))) as project:
        check_project(project, Selection())
        memo, noted = memo_of(project), noted_in(project)
        found = packed_facts(memo.inputs(project), noted)
    assert found is not None
    return found


def same(root: Path, packed: bytes, digest: str) -> bool:
    with closing(open_project(str(root))) as project:
        project.refresh()
        return are_same_facts(memo_of(project).inputs(project), packed, digest)


def test_facts_of_bytes_that_another_check_saw_are_not_compared(root: Path) -> None:
    with closing(open_project(str(root))) as project:
        check_project(project, Selection())
        memo, noted = memo_of(project), noted_in(project)
        inputs = memo.inputs(project)
        declarations = EXTRACTIONS["declarations of C#"]()
        assert inputs.facts.packed(declarations, OWN, inputs.content(OWN)[0]) is not None
        inputs.facts.add(declarations, OWN, 1, declarations.extract(b""))  # of a branch from which the file came back
        kept, digest = packed_facts(inputs, noted), str(inputs.value(TREE, ""))
    assert kept is not None
    append(root, "// a comment\n")
    time.sleep(SETTLED)
    assert same(root, kept, digest)
    append(root, "// a comment\n", OWN)
    time.sleep(SETTLED)
    assert not same(root, kept, digest)


def test_forged_facts_are_refused(root: Path, packed: bytes) -> None:
    append(root, "// a comment\n")
    time.sleep(SETTLED)
    parts = split_columns(packed)
    digest = parts[0].hex()
    assert same(root, packed, digest)
    assert not same(root, packed, "ab")
    assert not same(root, b"", digest)
    assert not same(root, packed[:-1], digest)
    assert not same(root, columns(parts[:-1]), digest)
    assert not same(root, columns([*parts[:3], b"\xff", *parts[4:]]), digest)
    assert not same(root, columns([*parts[:4], b"", parts[5]]), digest)
    assert not same(root, columns([*parts[:5], b""]), digest)
    assert not same(root, columns([*parts[:2], b"", *parts[3:]]), digest)


def compared() -> set[str]:
    """Return the variables of the sources that are extractions with ``is_compared``."""
    return {
        target.id
        for path in SOURCES.rglob("*.py")
        for item in ast.walk(ast.parse(path.read_text()))
        if isinstance(item, ast.AnnAssign) and isinstance(item.value, ast.Call) and isinstance(item.target, ast.Name)
        for target in [item.target]
        if any(keyword.arg == "is_compared" for keyword in item.value.keywords)
    }


def test_all_extractions_of_scripts_are_listed() -> None:
    made: list[Any] = [make() for make in EXTRACTIONS.values()]
    assert [each.name for each in made] == list(EXTRACTIONS)
    assert all(each.is_compared for each in made)
    assert len(compared()) == len(made)


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
