"""Merges by another program: only a result that can be used is taken.

Unity's own program is not here: a stand-in does what it may do.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from assetdb.cli import main
from assetdb.errors import FileError, UsageError
from assetdb.history.configuration.merge_driver import driver_line, options_of, tool_option
from assetdb.history.configuration.setup import ADDED, LEFT, THERE, set_up, take_away
from assetdb.history.merges.tool import merged_by
from tests.assetdb.cli.merging.guide import BASE, scene
from tests.assetdb.history.git_project import make_repository
from tests.system.test_merge_driver import SCENE, commit, git, run
from tests.system.test_merge_driver import scene as values

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the stand-in is a script for a shell of Unix")

OURS, THEIRS = scene(2), scene(1, 2)
GONE = scene(2, 2).replace("- component: {fileID: 20}", "- component: {fileID: 21}")
TAKE = 'cp "$result" "$merged"'


class Tool:
    """A stand-in for UnityYAMLMerge, which is called with ``merge OPTIONS BASE THEIRS OURS RESULT``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = str(folder / "Unity Tools" / "UnityYAMLMerge")
        (folder / "Unity Tools").mkdir()

    def does(self, script: str, *, result: str = "") -> None:
        """Let it run a script, in which ``$result`` is a file with a text."""
        (self.folder / "prepared").write_text(result)
        begin = f'#!/bin/sh\nresult="{self.folder}/prepared"\necho "$@" > "{self.folder}/words"\n'
        Path(self.path).write_text(f"{begin}for merged; do :; done\n{script}\n")
        os.chmod(self.path, 0o700)

    def merge(self) -> bytes:
        """Merge the scene of the guide."""
        return merged_by(self.path, "Assets/Main.unity", BASE.encode(), OURS.encode(), THEIRS.encode())


@pytest.fixture
def tool(tmp_path: Path) -> Tool:
    return Tool(tmp_path)


def test_a_result_is_taken(tool: Tool) -> None:
    tool.does(TAKE, result=scene(2, 2, "Own order"))
    assert tool.merge() == scene(2, 2, "Own order").encode()
    words = (tool.folder / "words").read_text().split()
    assert words[:6] == ["merge", "-h", "-p", "--force", "--fallback", "none"]
    assert [Path(word).name for word in words[6:]] == ["base.unity", "theirs.unity", "ours.unity", "merged.unity"]


@pytest.mark.parametrize(
    ("script", "result", "why"),
    [
        ("exit 0", "", "wrote no file"),
        (': > "$merged"', "", "wrote an empty file"),
        ('echo conflict > "$merged"', "", "wrote a file that is no text of Unity"),
        (TAKE, scene(2, 2) + "<<<<<<< ours\n", "wrote a file that has conflict markers already"),
        (TAKE, GONE, "wrote a file with a fault that neither side has"),
        ("kill -9 $$", "", "ended with exit code -9"),
        (f"{TAKE}; exit 1", scene(2, 2), "ended with exit code 1"),
    ],
    ids=["no output", "an empty file", "no text", "markers", "broken", "killed", "open values"],
)
def test_what_cannot_be_used_is_refused(tool: Tool, script: str, result: str, why: str) -> None:
    tool.does(script, result=result)
    with pytest.raises(FileError, match=why):
        tool.merge()


def test_a_program_that_is_not_there_is_refused(tool: Tool) -> None:
    with pytest.raises(FileError, match="is not there"):
        tool.merge()
    with pytest.raises(FileError, match="is not on PATH"):
        merged_by("UnityYAMLMerge-of-nobody", "a.unity", b"", b"", b"")
    tool.does("exit 0")
    os.chmod(tool.path, 0o644)
    with pytest.raises(FileError, match="cannot be run"):
        tool.merge()


def test_assetdb_merges_what_it_refuses(
    tool: Tool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (("base", BASE), ("ours", OURS), ("theirs", THEIRS)):
        (tmp_path / name).write_text(text)
    words = ["merge", "base", "ours", "theirs", "--output", "out", "--tool", tool.path]
    tool.does("exit 0")
    assert main(words) == 0
    assert (tmp_path / "out").read_text() == scene(2, 2)
    assert capsys.readouterr().err == f"ours: {tool.path} wrote no file: assetdb merges it\n"
    tool.does(TAKE, result=scene(2, 2, "Own order"))
    assert main([*words, "--explain"]) == 0
    assert (tmp_path / "out").read_text() == scene(2, 2, "Own order")
    assert capsys.readouterr().err == f"merged by: {tool.path}\n"


def test_git_asks_the_tool_first(tool: Tool, tmp_path: Path) -> None:
    root = make_repository(tmp_path / "game")
    assert [step.state for step in set_up(str(root), hook=False, merge=True, tool=tool.path)] == [ADDED] * 4
    assert [step.state for step in set_up(str(root), hook=False, merge=True, tool=tool.path)] == [THERE] * 4
    assert list(set_up(str(root), hook=False, merge=True))[2].state == THERE
    other = list(set_up(str(root), hook=False, merge=True, tool="/another"))[2]
    assert other.state == LEFT
    assert other.why.endswith("run `assetdb git-setup --remove` first")
    git(root, "config", "user.name", "me")
    git(root, "config", "user.email", "me@example.com")
    commit(root)
    git(root, "checkout", "-q", "-b", "other")
    commit(root, b=2)
    git(root, "checkout", "-q", "main")
    commit(root, a=1)
    tool.does(TAKE, result=values(a=1, b=2, c=5))
    git(root, "merge", "-q", "-m", "merge", "other")
    assert (root / SCENE).read_text() == values(a=1, b=2, c=5)
    git(root, "reset", "-q", "--hard", "HEAD~1")
    tool.does(': > "$merged"')
    assert run(root, "merge", "-m", "merge", "other").returncode == 0
    assert (root / SCENE).read_text() == values(a=1, b=2)
    list(take_away(str(root)))
    assert run(root, "config", "merge.assetdb.driver").returncode == 1


def test_paths_that_a_shell_would_read_otherwise_are_refused() -> None:
    option = tool_option("/Applications/Unity 6/UnityYAMLMerge")
    assert options_of(driver_line(f" --diff3{option}")) == f" --diff3{option}"
    subprocess.run(["sh", "-n", "-c", driver_line(option)], check=True)
    for path in ("", "a'b", 'a"b', "$(touch x)", "`touch x`", "100%A", "a\\b", "a\nb"):
        with pytest.raises(UsageError, match="--tool"):
            tool_option(path)
