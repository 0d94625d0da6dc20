"""Names are found in whatever normal form of Unicode they are asked for: macOS gives files decomposed ones."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import normalize

import pytest

from assetdb.cli import main
from tests.assetdb.unity_project import make_project

if TYPE_CHECKING:
    from pathlib import Path

NAME = "Caf\u00e9 \u00c5ngstr\u00f6m"
GUID = "f" * 30 + "42"


@pytest.mark.parametrize("stored", ["NFC", "NFD"])
@pytest.mark.parametrize("asked", ["NFC", "NFD"])
def test_a_name_is_found_in_either_form(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], stored: str, asked: str
) -> None:
    root = make_project(tmp_path)
    file = root / "Assets" / f"{normalize(stored, NAME)}.txt"  # type: ignore[arg-type]
    file.write_text("x")
    file.with_name(f"{file.name}.meta").write_text(f"fileFormatVersion: 2\nguid: {GUID}\n")
    question = normalize(asked, NAME)  # type: ignore[arg-type]
    for words in (
        ["guid", f"{question}.txt"],
        ["guid", question.upper()],
        ["find", question],
        ["find", f"*{question}*"],
    ):
        capsys.readouterr()
        assert main([*words, "--project", str(root), "-q"]) == 0, words
        assert GUID in capsys.readouterr().out
    assert main(["guid", "Cafe Angstrom", "--project", str(root), "-q"]) == 1
