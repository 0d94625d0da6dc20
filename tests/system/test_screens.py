"""Screens of ten commands on terminals of 80 and 100 columns: nothing is too wide, and no path is cut."""

from __future__ import annotations

import os
import re
import struct
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from scripts.programs import CHECKOUT, assetdb, surroundings
from tests.assetdb.mcp.guide_project import make_game

if sys.platform == "win32":
    pytest.skip("terminals of Windows are others", allow_module_level=True)

import fcntl
import pty
import termios

SCREENS: Final = Path(__file__).with_name("screens")
COMMANDS: Final = (
    ("find", "Sto*"),
    ("find", "*", "--type", "Prefab"),
    ("usages", "Enemy.prefab", "--objects"),
    ("usages", "tiles.png", "--why"),
    ("deps", "Castle.unity"),
    ("deps", "Castle.unity", "--to", "tiles.png"),
    ("ls", "Assets/Scenes/Village.unity"),
    ("get", "Assets/Prefabs/Boss.prefab"),
    ("unused",),
    ("check",),
)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_game(tmp_path_factory.mktemp("screens") / "Game")


def screen(game: Path, words: tuple[str, ...], columns: int) -> list[str]:
    """Return what a command shows on a terminal, without colours."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    kept = surroundings()
    kept.pop("COLUMNS", None)
    environment = kept | {"PYTHONPATH": str(CHECKOUT), "TERM": "xterm", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}
    process = subprocess.Popen(
        assetdb(*words), cwd=game, env=environment, stdin=theirs, stdout=theirs, stderr=subprocess.DEVNULL
    )
    os.close(theirs)
    data = bytearray()
    while True:
        try:
            part = os.read(ours, 1 << 16)
        except OSError:  # Linux says so when the other end is closed
            break
        if not part:
            break
        data += part
    os.close(ours)
    assert process.wait() in (0, 1), words
    return re.sub(r"\x1b\[[\d;]*[A-Za-z]", "", data.decode()).splitlines()


@pytest.mark.parametrize("columns", [80, 100])
def test_screens(game: Path, columns: int) -> None:
    shown = []
    for words in COMMANDS:
        lines = screen(game, words, columns)
        assert max(map(len, lines)) <= columns, words
        for path in re.findall(r"Assets/[\w./]+", "\n".join(lines)):
            assert (game / path.rstrip(".")).exists(), (words, path)
        shown += [f"$ assetdb {' '.join(words)}", *lines, ""]
    stored = SCREENS / f"{columns}.txt"
    if os.environ.get("WRITE_SCREENS"):
        stored.write_text("\n".join(shown), "utf-8")
    assert "\n".join(shown) == stored.read_text("utf-8"), "look at the screens; WRITE_SCREENS=1 stores them"
