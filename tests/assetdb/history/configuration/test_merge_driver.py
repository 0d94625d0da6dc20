"""The lines of git's configuration; ``tests/system/test_merge_driver.py`` has them run by git."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys

import pytest

from assetdb.history.configuration.merge_driver import driver_line, extensions, lfs_line, this_driver


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
