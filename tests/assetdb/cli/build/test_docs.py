"""What ``docs/builds.md`` shows is what the commands and the library do."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from assetdb.cli.build import COMMANDS
from tests.assetdb.cli.build.guide_files import write_builds
from tests.assetdb.cli.guides import DOCS, blocks, transcripts

if TYPE_CHECKING:
    from pathlib import Path

GUIDE = "builds.md"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_builds(tmp_path)
    main(["bake", "-q"])
    return tmp_path


@pytest.mark.skipif(os.name == "nt", reason="the guide shows the paths of other systems")
@pytest.mark.usefixtures("folder")
def test_what_the_guide_shows_is_what_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    shown = transcripts(GUIDE)
    assert len(shown) >= 9
    for command, lines in shown:
        words = shlex.split(command)
        assert words[0] == "assetdb"
        assert words[1] in ("build", "trace")
        main(words[1:])
        captured = capsys.readouterr()
        assert [*captured.out.splitlines(), *captured.err.splitlines()] == lines, command


@pytest.mark.usefixtures("folder")
def test_the_library_does_what_the_guide_shows(capsys: pytest.CaptureFixture[str]) -> None:
    programs = [block for block in blocks(GUIDE) if block[0].startswith("from ")]
    assert len(programs) == 1
    exec(compile("\n".join(programs[0]), "docs/builds.md", "exec"), {})  # noqa: S102 - a program of our own guide
    printed = capsys.readouterr().out.splitlines()
    assert "Game_Data/sharedassets0.assets 3 Texture2D apple ('Resources/fruit/apple',)" in printed


def test_every_command_is_in_the_guide() -> None:
    text = (DOCS / GUIDE).read_text("utf-8")
    assert [row.name for row in COMMANDS if f"build {row.name} " not in text and f"`{row.name} " not in text] == []
