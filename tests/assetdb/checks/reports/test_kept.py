"""The output of a check is kept, and made anew after each change that it may show."""

from __future__ import annotations

import os
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.findings.selection import Selection
from assetdb.checks.reports.kept import KeptOutput, Output
from assetdb.query.snapshots.snapshot import open_project
from scripts.programs import repository
from tests.assetdb.checks.healthy import make_healthy
from tests.needs import needs_git

if TYPE_CHECKING:
    from collections.abc import Callable

OUTPUT = Output(1, "found 1 error: \udcff\n", "assetdb: a note\n")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    found = make_healthy(tmp_path / "Game", 1)
    time.sleep(0.05)  # what is younger is not kept
    return found


def keep(root: Path, options: str = "text", codes: tuple[str, ...] = ("missing-meta",)) -> None:
    with closing(open_project(str(root))) as project:
        kept = KeptOutput(project, options)
        with kept.written_once():
            kept.codes = codes
            kept.keep(OUTPUT)


def found(root: Path, options: str = "text") -> Output | None:
    with closing(open_project(str(root))) as project:
        return KeptOutput(project, options).find()


def test_an_output_is_found_again_by_the_same_options(root: Path) -> None:
    assert found(root) is None
    keep(root)
    assert found(root) == OUTPUT
    assert found(root, "json") is None


def test_the_last_four_outputs_are_kept(root: Path) -> None:
    for number in range(6):
        keep(root, f"shape {number}")
    assert [found(root, f"shape {number}") is not None for number in range(6)] == [False, False, True, True, True, True]


def test_nothing_is_kept_of_a_check_that_did_not_end(root: Path) -> None:
    keep(root, codes=())
    assert found(root) is None


@pytest.mark.parametrize(
    "change",
    [
        lambda root: (root / "Assets/New.txt").write_text("x"),
        lambda root: (root / "assetdb.toml").write_text('[check]\nignore = ["missing-meta"]\n'),
        lambda root: (root / "package.json").write_text("{}"),
        lambda root: (root / "package.json.meta").write_text("fileFormatVersion: 2\n"),
        lambda root: (root / ".git").mkdir(),
        lambda root: (root / "ProjectSettings/ProjectVersion.txt").write_text("m_EditorVersion: 6000.0.1f1\n"),
        lambda root: next((root / "Assets").rglob("*.meta")).unlink(),
    ],
    ids=["asset", "settings", "package", "its meta", "repository", "version", "meta"],
)
def test_a_change_of_an_input_ends_it(root: Path, change: Callable[[Path], object]) -> None:
    keep(root)
    change(root)
    time.sleep(0.05)
    assert found(root) is None


def test_a_baseline_is_an_input(root: Path, tmp_path: Path) -> None:
    baseline = tmp_path / "known.json"
    baseline.write_text("[]")
    time.sleep(0.05)

    def ask() -> Output | None:
        with closing(open_project(str(root))) as project:
            kept = KeptOutput(project, "text", str(baseline))
            output = kept.find()
            with kept.written_once():
                kept.codes = Selection().codes()[:1]
                kept.keep(OUTPUT)
            return output

    assert [ask(), ask()] == [None, OUTPUT]
    baseline.write_text("[ ]")
    time.sleep(0.05)
    assert ask() is None


def test_after_a_change_of_the_state_alone_an_output_is_kept_again(root: Path) -> None:
    settings = Path(os.environ["XDG_CONFIG_HOME"]) / "assetdb" / "config.toml"
    keep(root)
    assert found(root) == OUTPUT
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text("idle-timeout = 1900\n")
    try:
        assert found(root) is None
        keep(root)
        assert found(root) == OUTPUT
    finally:
        settings.unlink()


@needs_git
def test_nothing_is_kept_where_git_could_not_say_what_was_lost(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository(root)
    time.sleep(0.05)

    def ask() -> Output | None:
        with closing(open_project(str(root))) as project:
            kept = KeptOutput(project, "text")
            output = kept.find()
            with kept.written_once():
                project.losses.all_held(("0" * 32,))
                kept.codes = ("missing-meta",)
                kept.keep(OUTPUT)
            return output

    with monkeypatch.context() as patch:
        patch.setenv("PATH", "")
        assert [ask(), ask()] == [None, None]
    assert [ask(), ask()] == [None, OUTPUT]
