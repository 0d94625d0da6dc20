"""What ``docs/merge.md`` shows is what the commands print."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest

from assetdb.cli import main
from tests.assetdb.cli.merging.guide import BASE, OURS, THEIRS
from tests.assetdb.history.git_project import make_repository

GUIDE = (Path(__file__).resolve().parents[4] / "docs" / "merge.md").read_text("utf-8")


def transcripts() -> list[tuple[str, list[str]]]:
    """Return the commands of the guide, each with the lines below it."""
    found: list[tuple[str, list[str]]] = []
    for block in re.findall(r"```console\n(.*?)```", GUIDE, re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line.removeprefix("$ "), []))
            else:
                found[-1][1].append(line)
    return found


@pytest.mark.skipif(os.name == "nt", reason="paths of git are written otherwise there")
def test_the_guide_shows_what_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(make_repository(tmp_path))
    for name, text in (("base", BASE), ("ours", OURS), ("theirs", THEIRS)):
        Path(f"{name}.unity").write_text(text)
    for command, expected in transcripts():
        main(shlex.split(command)[1:])
        said = capsys.readouterr()
        assert (said.out + said.err).splitlines() == expected, command


def test_the_guide_names_every_rule() -> None:
    from assetdb.unity.merging import containers, root_order  # noqa: PLC0415 - their names are asked for

    rules = {
        value for name, value in vars(containers).items() if name.isupper() and isinstance(value, str) and " " in value
    }
    reasons = {containers.__dict__[name] for name in ("BOTH_ADDED", "BOTH_CHANGED", "DICTIONARY", "FAULT", "ROTATION")}
    reasons |= {containers.__dict__[name] for name in ("REMOVED_BY_OURS", "REMOVED_BY_THEIRS")}
    shown = set(re.findall(r"`([^`\n]+)`", GUIDE))
    assert rules - reasons | {root_order.RECOMPUTED} <= shown
