"""Colours, widths and progress: on a terminal alone, and as options and environment say."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main, terminal
from scripts.fixture import copy_fixture

if TYPE_CHECKING:
    from pathlib import Path

VARIABLES = ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "TERM", "COLUMNS")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    copy_fixture(root)
    return root


def environment(project: Path, extra: dict[str, str]) -> dict[str, str]:
    inherited = {
        name: value for name, value in os.environ.items() if name not in VARIABLES and not name.startswith("ASSETDB_")
    }
    return {**inherited, "TERM": "xterm", "PYTHONIOENCODING": "utf-8", "XDG_RUNTIME_DIR": str(project.parent), **extra}


def on_terminal(project: Path, *words: str, **extra: str) -> str:
    """Run a command whose stdout is a terminal, and return what it printed."""
    if sys.platform == "win32":
        pytest.skip("it has no pseudo-terminals")
    ours, theirs = os.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "assetdb", *words],
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        cwd=project,
        env=environment(project, extra),
    ):
        os.close(theirs)
        pieces = []
        try:
            while piece := os.read(ours, 65536):
                pieces.append(piece)
        except OSError:  # Linux tells the end of a terminal so
            pass
        finally:
            os.close(ours)
    return b"".join(pieces).decode().replace("\r\n", "\n")


def piped(project: Path, *words: str, **extra: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "assetdb", *words],
        capture_output=True,
        check=False,
        cwd=project,
        env=environment(project, extra),
        encoding="utf-8",
    )
    return done.stdout


def test_a_terminal_shows_colours_unless_it_may_not(project: Path) -> None:
    words = ("check", "Assets/Missing")
    assert "\x1b[1;31merror" in on_terminal(project, *words, COLUMNS="80")
    assert "\x1b" not in on_terminal(project, *words, COLUMNS="80", NO_COLOR="1")
    assert "\x1b" not in on_terminal(project, *words, COLUMNS="80", TERM="dumb")
    assert "\x1b" not in piped(project, *words)
    assert "\x1b[1;31merror" in piped(project, *words, FORCE_COLOR="1")
    assert "\x1b" not in piped(project, *words, FORCE_COLOR="1", NO_COLOR="1")


def test_an_option_goes_before_terminal_and_environment(project: Path) -> None:
    words = ("check", "Assets/Missing", "--color")
    assert "\x1b[1;31merror" in piped(project, *words, "always", NO_COLOR="1")
    assert "\x1b" not in on_terminal(project, *words, "never", FORCE_COLOR="1")
    assert "\x1b[1;31merror" in on_terminal(project, *words, "auto")


@pytest.mark.parametrize(
    "line",
    [
        "find Red",
        "name Assets/Art/Red.mat",
        "deps Assets/Prefabs/Variant.prefab",
        "usages Assets/Scripts/Item.cs",
        "unused --incomplete",
    ],
)
def test_paths_and_types_are_painted_and_nothing_else_changes(project: Path, line: str) -> None:
    words = line.split()
    plain = piped(project, *words)
    painted = piped(project, *words, "--color", "always")
    assert plain
    assert re.sub("\x1b\\[[0-9;]*m", "", painted) == plain
    assert "\x1b[1mAssets/" in painted
    assert "\x1b[36m" in painted


@pytest.mark.parametrize("words", [("check",), ("check", "-v"), ("find", "a")])
def test_no_line_is_wider_than_the_terminal(project: Path, words: tuple[str, ...]) -> None:
    lines = on_terminal(project, *words, COLUMNS="70", NO_COLOR="1").split("\n")
    assert len(lines) > 3
    assert all(len(line) <= 70 or "  " not in line.strip() for line in lines)  # but a cell is never cut


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("quiet", [False, True])
def test_the_first_bake_of_any_question_shows_its_progress(
    project: Path, monkeypatch: pytest.MonkeyPatch, *, quiet: bool
) -> None:
    monkeypatch.setattr(terminal, "_SHOW_AFTER", 0.0)
    monkeypatch.setattr(terminal, "_REDRAW_EVERY", 0.0)
    shown = _Terminal()
    monkeypatch.setattr(sys, "stderr", shown)
    assert main(["find", "Red.mat", "--project", str(project), *["-q"] * quiet]) == 0
    text = shown.getvalue()
    assert ("reading [" in text) is not quiet
    assert text.endswith("\r\x1b[K") is not quiet
