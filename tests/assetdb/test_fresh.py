"""Every one-shot command answers for the tree as it is: after each of many edits as after a first bake of it."""

from __future__ import annotations

import io
import random
import shutil
import time
from contextlib import redirect_stderr, redirect_stdout
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from tests.bake.test_incremental import Editor

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    Answer = tuple[int, bytes, str]

NEVER = "0" * 16 + "f" * 16


def ask(project: Path, *words: str, out_dir: Path | None = None) -> Answer:
    """Run a command in this process and return its exit code and output."""
    out, error = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
    options = ["--project", str(project)] + (["--out-dir", str(out_dir)] if out_dir else [])
    with redirect_stdout(out), redirect_stderr(error):
        code = main([*words, *options])
    out.flush()
    return code, out.buffer.getvalue(), error.getvalue()


def guids_of(project: Path) -> dict[str, list[Path]]:
    """Return the GUID that each meta says first, with the metas that say it."""
    found: dict[str, list[Path]] = {}
    for meta in sorted((project / "Assets").rglob("*.meta")):
        if meta.is_file():
            for line in meta.read_bytes().splitlines():
                if line.startswith(b"guid: "):
                    found.setdefault(line[6:].decode("ascii", "replace").strip(), []).append(meta)
                    break
    return found


def questions(project: Path, chooser: random.Random, remembered: list[str]) -> Iterable[tuple[str, ...]]:
    """Yield twenty questions over all commands, about what is there, what was there, and what never was."""
    guids = sorted(guid for guid in guids_of(project) if len(guid) == 32)
    files = sorted(path for path in (project / "Assets").rglob("*") if path.is_file())
    remembered += [one for one in guids if one not in remembered]
    some = [chooser.choice(remembered) if remembered else "a" * 32 for _ in range(6)]
    some += [chooser.choice(guids) if guids else "b" * 32 for _ in range(4)]
    name = chooser.choice(("Foo", "Bar", "Grass", "A", "walk"))
    path = str(chooser.choice(files).relative_to(project)) if files else "Assets/None"
    yield ("name", some[0])
    yield ("name", "--json", some[6])
    yield ("name", f"{{fileID: 11500000, guid: {some[1]}, type: 3}}")
    yield ("name", f"{some[7]}:-7")
    yield ("name", path)
    yield ("guid", path)
    yield ("guid", name)
    yield ("path", some[2])
    yield ("path", some[8])
    yield ("path", "f" * 32)
    yield ("find", name)
    yield ("find", "--json", "*a*")
    yield ("deps", some[3])
    yield ("deps", "--deep", "--json", some[9])
    yield ("usages", some[4])
    yield ("usages", "--objects", chooser.choice(("a" * 32, "b" * 32)))
    yield ("usages", "--json", name)
    yield ("unused",)
    yield ("coverage", "--json", "--workers", "1")
    text = [path for path in files if path.suffix in (".prefab", ".asset", ".mat")]
    yield ("annotate", str(chooser.choice(text)) if text else str(files[0]) if files else path)


def outlived(words: tuple[str, ...], project: Path) -> bool:
    """Whether a question is about a GUID that several files have: a second one that took it may go unseen."""
    return any(
        len(metas) > 1 and (one in " ".join(words) or any(str(meta)[:-5].endswith(words[-1]) for meta in metas))
        for one, metas in guids_of(project).items()
    )


def compare(tmp_path: Path, seed: int, steps: int) -> int:
    project = tmp_path / "Project"
    editor = Editor(project, seed)
    chooser = random.Random(seed)
    remembered: list[str] = []
    compared = 0
    for step in range(steps):
        editor.step()
        if chooser.random() < 0.5:  # else the edit falls into the tick of the last look
            time.sleep(0.03)
        shutil.rmtree(tmp_path / "cold", ignore_errors=True)
        ask(project, "bake", "--quiet", "--keep-going", out_dir=tmp_path / "cold")
        asked = list(questions(project, chooser, remembered))
        chooser.shuffle(asked)
        for words in asked:
            warm = ask(project, *words, out_dir=tmp_path / "warm")
            cold = ask(project, *words, "--no-refresh", out_dir=tmp_path / "cold")
            expected = cold[0], cold[1], cold[2].removeprefix("assetdb: as of the last bake\n")
            said = warm[2].partition("no database yet")[2].partition("\n")[2] if step == 0 and not compared else warm[2]
            if (*warm[:2], said) != expected:
                assert outlived(words, project), (step, words, warm, expected)
            compared += 1
    return compared


@pytest.mark.parametrize("seed", [100, 101])
def test_answers_are_those_after_a_first_bake(tmp_path: Path, seed: int) -> None:
    assert compare(tmp_path, seed, 12) == 240


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10))
def test_after_every_step_answers_are_those_after_a_first_bake(tmp_path: Path, seed: int) -> None:
    assert compare(tmp_path, seed, 100) == 2000
