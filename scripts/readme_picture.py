"""Draw the pictures of README and first page from what ``assetdb`` prints.

python -m scripts.readme_picture

``docs/terminal.svg`` is of the fixture, ``docs/why.svg`` of the game of ``docs/agents.md``.
"""

from __future__ import annotations

import io
import re
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from scripts.fixture import copy_fixture
from scripts.programs import CHECKOUT, assetdb, surroundings
from tests.assetdb.mcp.guide_project import make_game

PICTURE = CHECKOUT / "docs" / "terminal.svg"
WHY = CHECKOUT / "docs" / "why.svg"
WIDTH = 118
Commands: TypeAlias = tuple[tuple[tuple[str, ...], str], ...]
COMMANDS: Commands = (
    (("bake", "--keep-going", "--quiet"), ""),
    (("name", "4da1de0e3f88a2099ed539d1638f3eb8:-42"), ""),
    (("name", "{fileID: 21300002, guid: 545ea849aec45c9de1838213a70aaa9a, type: 3}"), ""),
    (("usages", "Base.prefab", "--objects"), ""),
    (("annotate", "Assets/Prefabs/Variant.prefab"), "sed -n 10,17p"),
)
"""Words of a command, and the lines of its output that are shown (all where nothing is said)."""
WHY_COMMANDS: Commands = (
    (("usages", "Stone.mat", "--why"), ""),
    (("usages", "tiles.png", "--why"), ""),
    (("deps", "Castle.unity", "--to", "tiles.png"), ""),
)
THEME = TerminalTheme(
    (24, 26, 31),
    (214, 216, 222),
    [
        *((24, 26, 31), (224, 108, 117), (152, 195, 121), (229, 192, 123)),
        *((97, 175, 239), (198, 120, 221), (86, 182, 194), (171, 178, 191)),
    ],
)


def session(commands: Commands = COMMANDS, make: Callable[[Path], Path] = copy_fixture) -> list[tuple[str, list[str]]]:
    """Return command lines and what each prints, run one after the other in a project.

    Raises:
        subprocess.CalledProcessError: one of them fails.
    """
    shown = []
    kept = surroundings()
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "Game"
        make(project)
        for words, lines in commands:
            done = subprocess.run(
                assetdb(*words),
                cwd=project,
                env=kept | {"PYTHONPATH": str(CHECKOUT), "PYTHONIOENCODING": "utf-8"},
                capture_output=True,
                encoding="utf-8",
                check=True,
            )
            typed = " ".join(f'"{word}"' if " " in word else word for word in words)
            printed = done.stdout.splitlines()
            if lines:
                first, last = re.findall(r"\d+", lines)
                printed = printed[int(first) - 1 : int(last)]
                typed += f" | {lines}"
            shown.append((f"assetdb {typed}", printed))
    return shown


def svg(shown: list[tuple[str, list[str]]]) -> str:
    """Return the picture of a terminal with these commands and outputs."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    for number, (command, lines) in enumerate(shown):
        if number:
            console.print()
        console.print(Text.assemble(("$ ", "bold green"), (command, "bold")), soft_wrap=False)
        for line in lines:
            text = Text(line, no_wrap=True, overflow="ellipsis")
            text.highlight_regex(r" # .*$", "cyan")
            text.highlight_regex(r"^[\w.]+ / [^()]+\([^)]*\)", "yellow")
            console.print(text)
    drawn = console.export_svg(title="assetdb", theme=THEME, unique_id="assetdb")
    return re.sub(r"\s*@font-face \{.*?\}", "", drawn, flags=re.DOTALL)  # of the web: the reader's own font serves


if __name__ == "__main__":
    PICTURE.write_text(svg(session()), "utf-8")
    WHY.write_text(svg(session(WHY_COMMANDS, make_game)), "utf-8")
    print(PICTURE.relative_to(CHECKOUT), WHY.relative_to(CHECKOUT))
