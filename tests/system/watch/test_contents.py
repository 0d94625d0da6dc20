"""What an asset holds is the same with a daemon and without one, before and after an edit."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from tests.assetdb.unity_project import HEAD, game_object, guid, make_project, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

QUESTIONS = (
    ("ls", "Main.unity", "--tree"),
    ("ls", "Assets", "--deep"),
    ("ls", "tiles.png", "--json"),
    ("ls", "lost.mat"),
    ("get", "Main.unity / Camera (Health)"),
    ("get", "Level.prefab / Hero", "--overrides"),
    ("find", "head", "--in", "Main.unity"),
    ("find", "--component", "Health"),
    ("deps", "Main.unity", "--to", "Player.prefab", "--all"),
    ("usages", "Player.prefab", "--why"),
    ("info", "--json"),
)


def ask(root: Path, *words: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "assetdb", words[0], "--quiet", *words[1:]],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Path]:
    root = make_project(tmp_path / "Watched")
    assert ask(root, "watch", "--detach")[0] == 0
    yield root
    ask(root, "stop")


def test_git_ignores_the_output_folder_of_a_daemon(watched: Path) -> None:
    assert (watched / "Library" / "assetdb" / ".gitignore").read_text("utf-8").splitlines()[-1] == "*"


@pytest.mark.long
def test_a_daemon_answers_as_the_files_do(watched: Path, tmp_path: Path) -> None:
    plain = make_project(tmp_path / "Plain")
    for edit in range(2):
        if edit:
            text = HEAD + game_object(100, "Other") + game_object(200, "Head of all", 101)
            for root in (plain, watched):
                write(root, "Assets/Prefabs/Player.prefab", 1, text, "PrefabImporter:\n  userData: \n")
                assert guid(1) in (root / "Assets/Prefabs/Player.prefab.meta").read_text()
            time.sleep(0.5)
        for words in QUESTIONS:
            expected = ask(plain, *words)
            found = ask(watched, *words)
            assert found[0] == expected[0], words
            assert found[1].replace(str(watched), "ROOT") == expected[1].replace(str(plain), "ROOT"), words
            assert found[2] == expected[2], words
