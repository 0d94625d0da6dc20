"""What a hostile name could do to a terminal is escaped everywhere: in answers, in error texts and in JSON."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from assetdb.cli.commands import COMMANDS
from assetdb.cli.terminal import fail, json_line, plain, printable
from tests.needs import needs_any_name
from tests.system.bake.test_old_times import make_project, material, write

if TYPE_CHECKING:
    from pathlib import Path

# ESC and BEL; CSI in one byte of C1; overrides and isolates of direction; DEL; a line of its own
EVIL = "a\x1b[31m\x07\x9b2J\x85\u202eb\u2066c\u200f\x7fd"
FORBIDDEN = [chr(number) for number in (*range(32), *range(0x7F, 0xA0), 0x200E, 0x200F, *range(0x202A, 0x202F))] + [
    *map(chr, range(0x2066, 0x206A))
]


def shown(capsys: pytest.CaptureFixture[str]) -> str:
    out, err = capsys.readouterr()
    found = out + err
    left = {character for character in FORBIDDEN if character in found and character != "\n"}
    assert not left, (left, found)
    return found


def test_text_and_json_escape_all_that_is_not_shown(capsys: pytest.CaptureFixture[str]) -> None:
    text = "".join(FORBIDDEN) + "\ud800\U000e0001 plain \u00e9\u4e2d\U0001f600"
    assert printable(text).isprintable()
    packed = json_line({text: [text]})
    assert packed.isprintable()
    assert json.loads(packed) == {text: [text]}
    assert "\u00e9\u4e2d\U0001f600" in packed
    assert fail(text) == 2
    shown(capsys)


def test_half_of_a_surrogate_pair_is_written_as_its_escape() -> None:
    """An assembly in ScriptingAssemblies.json may be called so: build verify --json ended with a traceback."""
    assert plain("a\udcff\u00e9") == "a\\xff\u00e9"
    assert plain("a\ud800\u00e9") == "a\\ud800\u00e9"


@pytest.mark.parametrize("json", [False, True])
@pytest.mark.parametrize("command", sorted(row.name for row in COMMANDS))
def test_no_command_repeats_a_hostile_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str, *, json: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    words = {"catalog": ["info"], "unreal": ["ls"], "bundle": ["info"]}.get(command, [])
    options = ["--json"] if json else []
    for given in ([EVIL], ["--project", EVIL], [f"--{EVIL}"], ["--project", EVIL, EVIL]):
        assert main([command, *words, *options, *given]) in (1, 2), given
        assert shown(capsys)


@needs_any_name
@pytest.mark.parametrize("json", [False, True])
def test_hostile_names_of_a_project_are_escaped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], *, json: bool
) -> None:
    project = make_project(tmp_path / EVIL)
    write(project / "Assets" / f"{EVIL}.mat", 30, material(EVIL))
    write(project / "Assets" / f"{EVIL}2.mat", 31, f"%YAML 1.1\n--- !u!21 &2100000\n  x: {{guid: {30:032x}}}\n")
    shutil.copy(project / "Assets" / "One.mat", project / "Assets" / f"{EVIL}3.mat")
    shutil.copy(project / "Assets" / "One.mat.meta", project / "Assets" / f"{EVIL}3.mat.meta")
    options = ["--project", str(project), *(["--json"] if json else [])]
    assert main(["bake", *options]) == 2  # a GUID is there twice
    shown(capsys)
    assert main(["bake", "--keep-going", *options]) == 0
    assert "u202e" in shown(capsys)
    dumped = project / "Library" / "assetdb" / "asset-db.bin"
    for words in (
        ["dump", str(dumped), *options[2:]],
        ["find", "*", *options],
        ["name", f"{30:032x}", *options],
        ["path", f"{30:032x}", *options],
        ["guid", f"Assets/{EVIL}.mat", *options],
        ["deps", f"{31:032x}", *options],
        ["usages", f"{30:032x}", *options],
    ):
        assert main(words) in (0, 1), words
        assert shown(capsys), words
    assert main(["unused", *options]) in (0, 1, 2)
    shown(capsys)
    assert main(["coverage", *options]) in (0, 1, 2)
    shown(capsys)


def test_numbers_that_json_cannot_have_are_texts() -> None:
    """Files have them: Python wrote NaN and Infinity, at which other programs' readers of JSON end."""
    value = {"length": float("nan"), "box": (1.5, [float("inf"), -float("inf")]), "name": "NaN", 1: None}
    assert json_line(value) == '{"length": "nan", "box": [1.5, ["inf", "-inf"]], "name": "NaN", "1": null}'
