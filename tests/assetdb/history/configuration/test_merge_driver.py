"""The lines of git's configuration; ``tests/system/test_merge_driver.py`` has them run by git."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from assetdb.errors import UsageError
from assetdb.history.configuration.merge_driver import (
    driver_line,
    extensions,
    lfs_line,
    options_of,
    sections,
    this_driver,
    tool_option,
)
from assetdb.history.git.repository import Repository
from tests.assetdb.history.git_project import git, make_repository

if TYPE_CHECKING:
    from pathlib import Path


def test_scenes_prefabs_and_metas_are_merged() -> None:
    assert {"unity", "prefab", "asset", "mat", "controller", "anim", "meta"} <= set(extensions())
    assert not {"cs", "png", "fbx", "json"} & set(extensions())


@pytest.mark.parametrize("options", ["", " --diff3"])
def test_a_shell_understands_the_lines(options: str) -> None:
    shell = shutil.which("sh")
    if shell is None:
        pytest.skip("there is no shell on PATH")
    for line in (driver_line(options), lfs_line(options)):
        subprocess.run([shell, "-n", "-c", line], check=True)
        assert line.count(options or "assetdb merge") >= 1


def test_percent_signs_of_git_lfs_are_doubled() -> None:
    """Git replaces single ones by the files of the pointers."""
    program = lfs_line().partition("--program ")[2]
    assert "%" not in program.replace("%%", "")
    assert "%" in driver_line().replace("%%", "")


def test_our_own_line_is_run_by_this_assetdb() -> None:
    for options in ("", " --diff3"):
        line = this_driver(driver_line(options))
        assert line.endswith(driver_line(options).removeprefix("assetdb"))
        assert shlex.split(line.partition(" merge ")[0].replace("%%", "%")) == [sys.executable, "-P", "-m", "assetdb"]
    assert this_driver("mine %A") == this_driver("") == ""


@pytest.mark.parametrize(
    "python",
    [
        r"C:\Program Files\Python 3.11\python.exe",
        r"C:\Users\O'Neill & Söhne\AppData\new\tools\$HOME\python.exe",
        "/opt/my tools/100% python",
    ],
)
def test_a_shell_finds_this_assetdb_wherever_it_is(python: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shell = shutil.which("sh")
    if shell is None:
        pytest.skip("there is no shell on PATH")
    monkeypatch.setattr(sys, "executable", python)
    program = this_driver(driver_line()).partition(" merge ")[0].replace("%%", "%")  # as git replaces them
    words = subprocess.run([shell, "-c", f"printf '%s\\n' {program}"], check=True, capture_output=True).stdout
    assert words.decode().splitlines() == [python, "-P", "-m", "assetdb"]


def test_a_line_of_ours_is_known_by_its_options() -> None:
    for options in ("", " --diff3", ' --tool "/opt/merge"', ' --diff3 --tool "a b"'):
        assert options_of(driver_line(options)) == options
        assert ("git merge-file --diff3 " in driver_line(options)) is ("--diff3" in options)
        assert ("--stdout --diff3 " in lfs_line(options)) is ("--diff3" in options)
    for other in ("", "UnityYAMLMerge merge -p %O %B %A %A", driver_line() + " ", "assetdb merge"):
        assert options_of(other) is None
        assert this_driver(other) == ""


@pytest.mark.parametrize(("style", "options"), [("", ""), ("merge", ""), ("diff3", " --diff3"), ("zdiff3", " --diff3")])
@pytest.mark.parametrize("tool", ["", "/opt/tool"])
def test_sections_follow_the_style_of_conflicts(tmp_path: Path, style: str, options: str, tool: str) -> None:
    root = make_repository(tmp_path / "repository")
    if style:
        git(root, "config", "merge.conflictStyle", style)
    lines = sections(Repository(str(root)), tool)
    options += f' --tool "{tool}"' if tool else ""
    (root / "config").write_text("\n".join([*lines, ""]))
    for name, line in (("assetdb", driver_line(options)), ("assetdb-lfs", lfs_line(options))):
        assert git(root, "config", "-f", "config", "--get", f"merge.{name}.driver") == f"{line}\n"
        assert git(root, "config", "-f", "config", "--get", f"merge.{name}.name").endswith("by object\n")


@pytest.mark.parametrize("path", ["", 'a"b', "a'b", "a$b", "a`b", "a%b", "a\nb", "a\rb"])
def test_paths_that_the_shell_would_read_otherwise_are_refused(path: str) -> None:
    with pytest.raises(UsageError, match="a path without quotes"):
        tool_option(path)
    assert tool_option("/opt/a b/tool") == ' --tool "/opt/a b/tool"'
