"""What ``docs/bundle.md`` and ``docs/bundle-unityfs.md`` show is what the commands and the library do."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from tests.assetdb.cli.bundle.guide_files import write_island, write_unity_bundles
from tests.assetdb.cli.guides import DOCS, blocks, transcripts

if TYPE_CHECKING:
    from pathlib import Path

GUIDES = ("bundle.md", "bundle-unityfs.md")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_files(guide: str, folder: Path) -> None:
    (write_island if guide == "bundle.md" else write_unity_bundles)(folder)


@pytest.mark.skipif(os.name == "nt", reason="the guides show the paths of other systems")
@pytest.mark.parametrize("guide", GUIDES)
def test_what_the_guide_shows_is_what_is_printed(guide: str, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    write_files(guide, folder)
    shown = transcripts(guide)
    assert len(shown) >= 8
    for command, lines in shown:
        words = shlex.split(command)
        assert words[:2] == ["assetdb", "bundle"]
        main(words[1:])
        captured = capsys.readouterr()
        assert [*captured.out.splitlines(), *captured.err.splitlines()] == lines, command


@pytest.mark.parametrize("guide", GUIDES)
def test_the_library_does_what_the_guide_shows(guide: str, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    write_files(guide, folder)
    if guide == "bundle.md":
        (folder / "Cliff.casset").write_bytes((folder / "Island/Game/Assets/Materials/Cliff.casset").read_bytes())
    programs = [block for block in blocks(guide) if block[0].startswith("from ")]
    assert programs
    for program in programs:
        exec(compile("\n".join(program), guide, "exec"), {})  # noqa: S102 - a program of our own guide
        printed = capsys.readouterr().out.splitlines()
        said = [line.rpartition("# ")[2] for line in program if line.lstrip().startswith(("print(", "# "))]
        assert printed == [text for text in said if not text.lstrip().startswith("print(")], program


def test_every_command_is_in_a_guide() -> None:
    from assetdb.cli.bundle import COMMANDS  # noqa: PLC0415 - the registry is what is compared

    text = "".join((DOCS / guide).read_text("utf-8") for guide in GUIDES)
    assert [row.name for row in COMMANDS if f"assetdb bundle {row.name} " not in text] == []
