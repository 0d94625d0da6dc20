"""What a plan's application reports, refuses before it begins, and leaves to be removed."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

import msgspec
import pytest

from assetdb.checks.mending.plan import Edit, Move, Plan
from assetdb.checks.mending.writing.apply import Applied, Recovered, apply, examine, recover
from assetdb.checks.mending.writing.journal import begun, write_journal
from assetdb.errors import MendingError
from assetdb.settings.project import JOURNAL_NAME, SET_ASIDE
from tests.needs import needs_modes

if TYPE_CHECKING:
    from pathlib import Path

A, B, NEW, FOLDER = "Assets/a.txt", "Assets/b.txt", "Assets/new.txt", "Assets/Folder"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / FOLDER).mkdir(parents=True)
    (tmp_path / "ProjectSettings").mkdir()
    (tmp_path / A).write_bytes(b"a")
    (tmp_path / B).write_bytes(b"b")
    return tmp_path


def tree(root: Path) -> dict[str, bytes | None]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes() if path.is_file() else None
        for path in sorted((root / "Assets").rglob("*"))
    }


BEFORE = {A: b"a", B: b"b", FOLDER: None}


@pytest.mark.parametrize(
    ("plan", "applied", "after"),
    [
        (Plan(), Applied(), BEFORE),
        (Plan((Edit(A, b"a", b"A"),)), Applied(written=(A,)), {**BEFORE, A: b"A"}),
        (Plan((Edit(A, b"a", b""),)), Applied(written=(A,)), {**BEFORE, A: b""}),
        (Plan((Edit(NEW, None, b"new"),)), Applied(made=(NEW,)), {**BEFORE, NEW: b"new"}),
        (Plan((Edit(A, b"a", None),)), Applied(removed=(A,)), {B: b"b", FOLDER: None}),
        (Plan((), (Move(A, NEW),)), Applied(moved=((A, NEW),)), {NEW: b"a", B: b"b", FOLDER: None}),
        (
            Plan((), (Move(A, f"{FOLDER}/a.txt"), Move(B, A))),
            Applied(moved=((A, f"{FOLDER}/a.txt"), (B, A))),
            {A: b"b", FOLDER: None, f"{FOLDER}/a.txt": b"a"},
        ),
        (Plan((), (), (FOLDER, A)), Applied(removed=(FOLDER, A)), {B: b"b"}),
        (Plan((Edit(B, b"b", None),), (), (A,)), Applied(removed=(A, B)), {FOLDER: None}),
    ],
)
def test_what_was_done_is_told_by_kind(
    project: Path, plan: Plan, applied: Applied, after: dict[str, bytes | None]
) -> None:
    examine(plan, str(project))
    assert tree(project) == BEFORE
    found = apply(plan, str(project))
    assert found == applied
    assert tree(project) == after
    assert not (project / JOURNAL_NAME).exists()
    assert recover(str(project)) == Recovered()


def test_a_plan_without_steps_asks_for_no_lock(project: Path) -> None:
    names = set(os.listdir(project))
    apply(Plan(), str(project))
    recover(str(project))
    assert set(os.listdir(project)) == names


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        (Plan((Edit(A, b"x", b"A"),)), f"{A}: has changed since this was planned; try again"),
        (Plan((Edit(A, b"x", None),)), f"{A}: has changed since this was planned; try again"),
        (Plan((Edit(NEW, b"x", b"A"),)), f"{NEW}: has changed since this was planned; try again"),
        (Plan((Edit(A, None, b"A"),)), f"{A}: was created since this was planned"),
        (Plan((), (Move(NEW, f"{FOLDER}/x"),)), f"{NEW}: no longer exists"),
        (Plan((), (), (NEW,)), f"{NEW}: no longer exists"),
    ],
)
def test_a_tree_that_is_another_is_refused_before_anything_is_done(project: Path, plan: Plan, said: str) -> None:
    for act in (examine, apply):
        with pytest.raises(MendingError) as caught:
            act(plan, str(project))
        assert str(caught.value) == said
        assert tree(project) == BEFORE
    assert not (project / JOURNAL_NAME).exists()


@pytest.mark.parametrize(
    ("mode", "is_refused"),
    [
        (0o444, True),
        (0o555, True),
        pytest.param(0o464, False, marks=needs_modes),
        pytest.param(0o446, False, marks=needs_modes),
    ],
)
def test_a_file_that_nobody_may_write_is_not_written(project: Path, mode: int, *, is_refused: bool) -> None:
    plan = Plan((Edit(A, b"a", b"A"),))
    os.chmod(project / A, mode)
    if not is_refused:
        apply(plan, str(project))
        assert stat.S_IMODE((project / A).stat().st_mode) == mode
        return
    with pytest.raises(MendingError, match=f"{A}: is read-only; check it out of version control"):
        apply(plan, str(project))
    apply(Plan((Edit(A, b"a", None),)), str(project))  # but may be removed
    assert A not in tree(project)


@pytest.mark.parametrize("is_filled", [False, True])
def test_an_emptied_folder_is_removed_unless_something_came(project: Path, *, is_filled: bool) -> None:
    (project / FOLDER / "x.txt").write_bytes(b"x")
    plan = Plan((), (), (f"{FOLDER}/x.txt", FOLDER), emptied=(FOLDER,))
    came = project / FOLDER / "y.txt"

    def fill() -> None:
        if is_filled and not came.exists():
            came.write_bytes(b"y")

    if is_filled:
        with pytest.raises(MendingError, match=f"{FOLDER}/y.txt: was created since this was planned; try again"):
            apply(plan, str(project), on_step=fill)
        assert tree(project) == {**BEFORE, f"{FOLDER}/x.txt": b"x", f"{FOLDER}/y.txt": b"y"}
    else:
        apply(plan, str(project), on_step=fill)
        assert tree(project) == {A: b"a", B: b"b"}


def test_all_changed_paths_are_told(project: Path) -> None:
    plan = Plan((Edit(A, b"a", b"A"), Edit(NEW, None, b"")), (Move(B, f"{FOLDER}/b.txt"),))
    assert apply(plan, str(project)).paths == (A, NEW, B, f"{FOLDER}/b.txt")


def test_only_what_was_set_aside_is_removed_by_a_journal(project: Path) -> None:
    aside, shown, gone = (f"Assets/{name}{SET_ASIDE.decode()}" for name in (".aside", "shown", ".gone"))
    for path in (aside, shown):
        (project / path).write_bytes(b"x")
    journal = begun(str(project), [], [aside, B, shown, gone])
    write_journal(str(project), msgspec.structs.replace(journal, phase="done"))
    assert recover(str(project)) == Recovered()
    assert tree(project) == {**BEFORE, shown: b"x"}
    assert not (project / JOURNAL_NAME).exists()


def test_a_long_name_is_cut_while_it_is_set_aside(project: Path) -> None:
    long = "x" * 100
    (project / "Assets" / long).write_bytes(b"x")
    seen: set[str] = set()
    apply(Plan((), (), (f"Assets/{long}",)), str(project), on_step=lambda: seen.update(os.listdir(project / "Assets")))
    (aside,) = (name for name in seen if name.startswith(".x"))
    assert aside.startswith("." + "x" * 60 + ".")
    assert tree(project) == BEFORE
