"""PowerShell gets words that it inserts as they are, and its own words are read as it means them."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from assetdb.cli.reading.powershell import SHELLS, encoding, prepare, quoted
from tests.architecture.imports import PYTHONPATH
from tests.assetdb.cli.reading.test_completion import PROGRAM, make_project

if TYPE_CHECKING:
    from pathlib import Path

LINE = "_TYPER_COMPLETE_ARGS"
WORD = "_TYPER_COMPLETE_WORD_TO_COMPLETE"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("Assets/Prefabs/Base.prefab", "Assets/Prefabs/Base.prefab"),
        ("Umläute.txt", "Umläute.txt"),
        ("--keep-going", "--keep-going"),
        ("Assets/My Folder/", "'Assets/My Folder/'"),
        ("it's $HOME.txt", "'it''s $HOME.txt'"),
        ("it\u2019s.txt", "'it\u2019\u2019s.txt'"),
        ("a,b", "'a,b'"),
        ("a(1).txt", "'a(1).txt'"),
        ("`tick", "'`tick'"),
        ("@home", "'@home'"),
    ],
)
def test_a_value_is_one_word(value: str, expected: str) -> None:
    assert quoted(value) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [("Ba", "Ba"), ("", ""), ("'Assets/My F", "Assets/My F"), ('"Assets/My F"', "Assets/My F"), ("'it''s", "it's")],
)
def test_a_word_is_read_without_its_quotes(word: str, expected: str) -> None:
    surroundings = {LINE: f"assetdb name {word}", WORD: word}
    prepare(surroundings, is_windows=False)
    assert surroundings == {LINE: f"assetdb name {word}", WORD: expected}


def test_separators_of_windows_quote_nothing() -> None:
    surroundings = {LINE: r"assetdb --project C:\Games\One name Assets\P", WORD: r"Assets\P"}
    prepare(surroundings, is_windows=True)
    assert surroundings == {LINE: "assetdb --project C:/Games/One name Assets/P", WORD: "Assets/P"}
    surroundings = {LINE: r"assetdb name a\ b"}
    prepare(surroundings, is_windows=False)
    assert surroundings == {LINE: r"assetdb name a\ b", WORD: ""}


def test_its_output_is_read_in_an_encoding_that_python_has() -> None:
    assert "a".encode(encoding()) == b"a"


@pytest.mark.parametrize("shell", SHELLS)
def test_a_line_is_completed(shell: str, tmp_path: Path) -> None:
    root = make_project(tmp_path / "My Game")
    for line, expected in (
        ("assetdb name Bas", ["Base.prefab", "Basket.prefab"]),
        ("assetdb name 'Assets/My F", ["'Assets/My Folder/a (1).txt'"]),
        ("assetdb check --sel", ["--select"]),
    ):
        word = line[line.index("'") :] if "'" in line else line.rpartition(" ")[2]
        more = {"_ASSETDB_COMPLETE": shell, LINE: line, WORD: word, "PYTHONPATH": PYTHONPATH, "PYTHONUTF8": "1"}
        done = subprocess.run(
            PROGRAM, cwd=root, env=os.environ | more, capture_output=True, encoding="utf-8", check=False
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert [row.partition(":::")[0] for row in done.stdout.splitlines()] == expected
