"""What README.md and docs/bake.md show of the fixture is what the commands print, and the picture is of today."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest

from scripts.comment_picture import PICTURE as COMMENT
from scripts.comment_picture import comment
from scripts.fixture import GOLDEN, copy_fixture
from scripts.programs import surroundings
from scripts.readme_picture import PICTURE, WHY, WHY_COMMANDS, session
from tests.assetdb.mcp.guide_project import make_game
from tests.needs import needs_scripts

_ROOT = Path(__file__).parents[2]
_README = _ROOT / "README.md"


def shown(page: Path) -> list[tuple[str, list[str]]]:
    """Return the commands of the console blocks of a page, each with the lines shown below it."""
    found: list[tuple[str, list[str]]] = []
    for block in re.findall(r"```console\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line)
    return found


@needs_scripts
@pytest.mark.parametrize(
    "page", ["README.md", "docs/bake.md", "docs/check.md", "docs/contents.md", "docs/mending.md", "docs/scale.md"]
)
def test_every_command_prints_what_is_shown(page: str, tmp_path: Path) -> None:
    copy_fixture(tmp_path / "fixtures" / "unity_project")
    kept = surroundings()
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "assetdb").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m assetdb "$@"\n', "utf-8")
    (folder / "assetdb").chmod(0o755)
    environment = kept | {
        "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(_ROOT),
        "PYTHONIOENCODING": "utf-8",
        "XDG_RUNTIME_DIR": str(tmp_path),
    }
    commands = shown(_ROOT / page)
    assert len(commands) >= 3
    for command, lines in commands:
        done = subprocess.run(
            ["sh", "-c", command], cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8", check=False
        )
        assert done.stdout.splitlines() == lines, (command, done.stderr)


def test_the_number_of_assets() -> None:
    counted = re.search(r": (\d+) assets", (GOLDEN / "asset-db.dump.txt").read_text("utf-8"))
    assert counted is not None
    numbers = re.findall(r"^baked (\d+) assets", (_ROOT / "docs" / "bake.md").read_text("utf-8"), re.MULTILINE)
    assert set(numbers) == {counted[1]}


def test_the_first_block_has_the_two_commands() -> None:
    block = re.search(r"```sh\n(.*?)```", _README.read_text("utf-8"), re.DOTALL)
    assert block is not None
    bake, tests = block[1].splitlines()
    assert "assetdb bake --project fixtures/unity_project" in bake
    assert "pytest" in tests


def test_the_program_says_what_its_comments_say(tmp_path: Path) -> None:
    code = re.search(r"```python\n(.*?)```", _README.read_text("utf-8"), re.DOTALL)
    assert code is not None
    copy_fixture(tmp_path / "fixtures" / "unity_project")
    kept = surroundings()
    done = subprocess.run(
        [sys.executable, "-c", code[1]],
        cwd=tmp_path,
        env=kept | {"PYTHONPATH": str(_ROOT)},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout.splitlines() == re.findall(r"print\(.*\)  # (.*)", code[1])


def drawn_and_printed(picture: Path, commands: list[tuple[str, list[str]]]) -> tuple[list[str], list[str]]:
    """Return the lines of a terminal's picture and those of its commands, without blanks."""
    rows: dict[int, str] = {}
    for number, text in re.findall(r"<text [^>]*#assetdb-line-(\d+)\)[^>]*>([^<]*)</text>", picture.read_text("utf-8")):
        rows[int(number)] = rows.get(int(number), "") + unescape(text)
    drawn = ["".join(rows[number].split()) for number in sorted(rows)]
    printed = [f"$ {command}\n" + "\n".join(lines) for command, lines in commands]
    expected = ["".join(line.split()) for line in "\n".join(printed).splitlines()]
    return [line for line in drawn if line], [line for line in expected if line]


def test_the_pictures_show_what_is_printed() -> None:
    drawn, printed = drawn_and_printed(PICTURE, session())
    assert drawn == printed, "run scripts.readme_picture"
    drawn, printed = drawn_and_printed(WHY, session(WHY_COMMANDS, make_game))
    assert drawn == printed, "run scripts.readme_picture"
    drawn = words(re.sub(r"<[^>]*>", "", COMMENT.read_text("utf-8").partition("<article>")[2]))
    printed = words(re.sub(r"<[^>]*>|[*`#|]|^- |:?--+:?", "", comment(), flags=re.MULTILINE))
    assert drawn == printed, "run scripts.comment_picture"


def words(text: str) -> list[str]:
    """Return the words of a text with entities."""
    return unescape(text).split()
