"""``scripts/pin.py`` runs every command, and shows what is no longer as it was recorded."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections import Counter
from pathlib import Path

from assetdb.cli.commands import COMMANDS

CHECKOUT = Path(__file__).resolve().parents[2]


def _pin(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "scripts.pin", *arguments]
    return subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)


def test_every_command_is_pinned_under_an_id_of_its_own() -> None:
    rows = [line.split(maxsplit=2) for line in _pin("list").stdout.splitlines()]
    ids = Counter(row[0] for row in rows)
    assert [name for name, times in ids.items() if times > 1] == []
    answering = {word for _, kind, line in rows if kind == "data" for word in shlex.split(line)}
    assert {command.name for command in COMMANDS if not command.hidden} - answering == set()


def test_a_difference_is_shown_and_makes_it_fail(tmp_path: Path) -> None:
    only = ("--only", "package-*")
    assert _pin("record", str(tmp_path), *only).returncode == 0
    same = _pin("compare", str(tmp_path), *only)
    assert (same.returncode, same.stdout) == (0, "4 command lines compared: none differ\n")

    recorded = tmp_path / "package-find.txt"
    text = recorded.read_text(encoding="utf-8")
    assert "Material   Handle" in text
    recorded.write_text(text.replace("Handle", "Hook"), encoding="utf-8")
    (tmp_path / "package-dump.txt").unlink()
    other = _pin("compare", str(tmp_path), *only)
    assert other.returncode == 1
    assert "package-dump: was not recorded" in other.stdout
    assert "-f9a68e6b37ac9e1c8c85846bd3bb93e2  Material   Hook" in other.stdout
    assert "+f9a68e6b37ac9e1c8c85846bd3bb93e2  Material   Handle" in other.stdout
    assert other.stdout.endswith("4 command lines compared: 2 differ\n")
