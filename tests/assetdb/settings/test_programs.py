"""A program is one that the user installed, and none that a project brings."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from assetdb.settings.programs import candidates, find_program

SYSTEM = r"C:\Windows\system32"


def test_only_whole_paths_count_and_their_order_does() -> None:
    path = rf'{SYSTEM};.;bin;;"D:\My tools";C:relative;\\server\share;\rooted;E:/slashes/'
    assert candidates("watchman", {"PATH": path, "ProgramFiles": r"C:\Program Files"}) == [
        rf"{SYSTEM}\watchman.exe",
        r"D:\My tools\watchman.exe",
        r"\\server\share\watchman.exe",
        r"E:/slashes/\watchman.exe",
    ]


@pytest.mark.parametrize(("name", "folder"), [("git", r"Git\cmd"), ("sh", r"Git\bin")])
def test_git_for_windows_is_found_where_it_is_installed(name: str, folder: str) -> None:
    surroundings = {
        "PATH": SYSTEM,
        "ProgramFiles": "C:\\Program Files\\",
        "ProgramW6432": "",
        "LocalAppData": r"C:\Users\ä\AppData\Local",
    }
    assert candidates(name, surroundings) == [
        rf"{SYSTEM}\{name}.exe",
        rf"C:\Program Files\{folder}\{name}.exe",
        rf"C:\Users\ä\AppData\Local\Programs\{folder}\{name}.exe",
    ]
    assert candidates(name, {}) == []


def test_a_program_in_the_working_folder_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "assetdb-none-such"
    shutil.copy(sys.executable, tmp_path / f"{name}.exe")
    shutil.copy(sys.executable, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    assert find_program(name) == ""
    monkeypatch.setenv("PATH", os.pathsep.join([str(tmp_path), os.environ["PATH"]]))
    assert Path(find_program(name)).parent == tmp_path


@pytest.mark.skipif(not find_program("git"), reason="git is not installed")
def test_git_is_found() -> None:
    done = subprocess.run([find_program("git"), "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("git version")
