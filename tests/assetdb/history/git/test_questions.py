"""Git is asked with bounds and without any program of the repository, and of a failure nothing is told."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from assetdb.history.git.questions import added, command, environment, folder_with_git
from assetdb.history.git.repository import Repository
from assetdb.settings.programs import find_program
from tests.assetdb.history.git_project import IDENTITY, git
from tests.needs import hide_git, needs_git

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "Game"
    (made / "Assets").mkdir(parents=True)
    (made / "Assets/[a].txt").write_text("a")
    git(made, "init", "-q")
    git(made, "add", "-A")
    git(made, "-c", "user.name=t", "commit", "-q", "-m", "one", "--date", "@5 +0000")
    return made


def test_a_file_was_added_at_the_time_of_its_commit_or_never(root: Path) -> None:
    seconds = int(git(root, "log", "-1", "--format=%ct"))
    assert added(str(root), "Assets/[a].txt") == seconds  # a path, and no pattern
    assert added(str(root), "Assets/a.txt") == 0
    assert added(str(root / "Assets"), "[a].txt") == seconds


@pytest.mark.parametrize("setting", ["log.showRoot=false", "log.follow=true"])
def test_settings_of_logs_change_no_answer(root: Path, monkeypatch: pytest.MonkeyPatch, setting: str) -> None:
    monkeypatch.setitem(IDENTITY, "GIT_COMMITTER_DATE", "@2000000000 +0000")
    git(root, "mv", "Assets/[a].txt", "Assets/b.txt")
    git(root, "-c", "user.name=t", "commit", "-q", "-m", "two")
    before = [added(str(root), name) for name in ("Assets/[a].txt", "Assets/b.txt")]
    git(root, "config", *setting.split("="))
    assert [added(str(root), name) for name in ("Assets/[a].txt", "Assets/b.txt")] == before
    assert 0 not in before


@pytest.mark.skipif(os.name == "nt", reason="the program is a script of a shell")
def test_no_program_of_the_repository_shows_signatures(root: Path, tmp_path: Path) -> None:
    head, tree = git(root, "rev-parse", "HEAD", "HEAD^{tree}").split()
    (tmp_path / "signed").write_text(
        f"tree {tree}\nparent {head}\nauthor t <t> 1 +0000\ncommitter t <t> 1 +0000\n"
        "gpgsig -----BEGIN PGP SIGNATURE-----\n \n abc\n -----END PGP SIGNATURE-----\n\nsigned\n"
    )
    git(root, "reset", "-q", git(root, "hash-object", "-t", "commit", "-w", str(tmp_path / "signed")).strip())
    (tmp_path / "gpg").write_text(f"#!/bin/sh\ntouch '{tmp_path}/ran'\n")
    (tmp_path / "gpg").chmod(0o700)
    git(root, "config", "log.showSignature", "true")
    git(root, "config", "gpg.program", str(tmp_path / "gpg"))
    assert Repository(str(root)).output("log", "--format=%s", "--").split() == [b"signed", b"one"]
    assert not (tmp_path / "ran").exists()


def test_without_an_answer_in_time_nothing_is_known(root: Path, tmp_path: Path) -> None:
    assert added(str(tmp_path / "none"), "a") is None
    assert added(str(tmp_path), "a") is None
    assert added(str(root), "a\0b") is None
    assert added(str(root), "Assets/[a].txt", 0.0) is None


def test_without_git_nothing_is_known(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hide_git(monkeypatch, str(root))
    assert added(str(root), "Assets/[a].txt") is None


def test_the_folder_with_git_is_the_nearest_at_or_above(root: Path, tmp_path: Path) -> None:
    assert folder_with_git(str(root)) == str(root)
    assert folder_with_git(str(root / "Assets")) == str(root)
    (root / "Assets/.git").write_text("gitdir: elsewhere")
    assert folder_with_git(str(root / "Assets")) == str(root / "Assets")
    assert folder_with_git(str(tmp_path)) == ""


@needs_git
def test_hooks_monitors_and_pagers_are_off_and_the_users_variables_are_not_git_s(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GIT_DIR", "/elsewhere")
    monkeypatch.setenv("GITHUB_X", "kept")
    program = find_program("git") if os.name == "nt" else "git"
    assert command("here", ["log", "-1"]) == [
        *(program, "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"),
        *("-c", "log.showSignature=false", "-c", "log.showRoot=true", "-c", "log.follow=false"),
        *("-c", "i18n.logOutputEncoding=UTF-8", "--no-pager"),
        *("-C", "here", "log", "-1"),
    ]
    found = environment()
    assert {name: value for name, value in found.items() if name.startswith("GIT_")} == {
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "none",
    }
    assert (found["GITHUB_X"], found["LC_ALL"]) == ("kept", "C")
    assert found["PATH"] == os.environ["PATH"]
