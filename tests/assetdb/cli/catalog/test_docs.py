"""What ``docs/catalog.md`` shows is what the commands print, and its program runs."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from assetdb_formats.addressables.editing.edit import rename_key
from assetdb_formats.addressables.flavour import BINARY_FLAVOURS
from assetdb_formats.addressables.model import BundleOptions
from tests.assetdb_formats.addressables.builder import make_layout

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb_formats.addressables.editing.content import Content
    from assetdb_formats.addressables.flavour import Flavour

GUIDE = Path(__file__).resolve().parents[4] / "docs" / "catalog.md"


def transcripts() -> list[tuple[str, list[str]]]:
    """Return the commands of the guide, each with the lines below it."""
    found: list[tuple[str, list[str]]] = []
    text = re.sub(r"```.*?```", "", GUIDE.read_text("utf-8"), flags=re.DOTALL)
    for line in text.splitlines():
        if line.startswith("    $ "):
            found.append((line.removeprefix("    $ "), []))
        elif line.startswith("    ") and found:
            found[-1][1].append(line.removeprefix("    "))
    return found


@pytest.fixture
def scene(
    build: Path,
    content: Content,
    encode: Callable[[Content, Flavour], bytes],
    right_checksums: None,
    monkeypatch: pytest.MonkeyPatch,
) -> Path:
    """The build of the guide, the one after it, one with a bundle missing, and a build layout."""
    options = content.entries[0].data
    assert isinstance(options, BundleOptions)
    content.entries[0].data = options._replace(hash="e" * 32, size=1200)
    assert rename_key(content, "Settings", "Options") == 1
    (build / "catalog_next.bin").write_bytes(encode(content, BINARY_FLAVOURS["4.0"]))
    shutil.copytree(build / "Game_Data", build / "Broken_Data")
    next((build / "Broken_Data").rglob("group_2*.bundle")).unlink()
    library = build / "Library" / "com.unity.addressables"
    library.mkdir(parents=True)
    (library / "buildlayout.json").write_text(json.dumps(make_layout()))
    for folder in ("old", "patched"):
        (build / folder).mkdir()
    monkeypatch.chdir(build)
    return build


def pattern(lines: list[str]) -> str:
    """Return what matches lines in which ``…`` stands for any text and a line ``...`` for any lines."""
    return "".join(
        r"(?:.*\n)*?" if line == "..." else ".*".join(map(re.escape, line.split("…"))) + "\n" for line in lines
    )


def test_every_transcript_is_what_the_commands_print(scene: Path) -> None:
    shown = transcripts()
    assert len(shown) >= 14
    for command, lines in shown:
        program, *words = shlex.split(command)
        assert program == "assetdb"
        said = StringIO()
        with redirect_stdout(said), redirect_stderr(said):
            main(words)
        shown_here = said.getvalue().replace(os.sep, "/")
        assert re.fullmatch(pattern(lines), shown_here), f"{command}\n{shown_here}"


def test_the_program_of_the_guide_runs(scene: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)
    exec(compile(program, "catalog.md", "exec"), {})  # noqa: S102 - of our own guide
    assert capsys.readouterr().out == "Assets/Prefabs/Hero.prefab\n3000 2.8.0\n"
