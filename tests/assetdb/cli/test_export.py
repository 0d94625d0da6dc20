"""``assetdb export`` as it is typed: what it says of its rows, and options that cannot be combined."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from assetdb.export.tables import OF_PROJECT, QUICK

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    assert (project / "Assets").is_dir()
    return tmp_path_factory.mktemp("exported") / "out"


def counts(out: str) -> dict[str, int]:
    """Return the rows of each table as the line tells them."""
    return {table: int(count) for count, table in (part.split(" ") for part in out.rpartition(": ")[2].split(", "))}


def test_rows_of_each_table_are_counted_but_for_the_project_itself(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["export", str(folder), "--format", "jsonl", "--name", "game"]
    assert main(words) == 0
    out = capsys.readouterr().out.strip()
    assert "out: " in out
    found = counts(out)
    assert set(found) == set(OF_PROJECT) - {"projects"}
    assert found["assets"] == 9
    assert main([*words, "--json"]) == 0
    fields = json.loads(capsys.readouterr().out)
    assert (fields["format"], fields["rows"]) == ("jsonl", {**found, "projects": 1})
    assert main([*words, "--quiet"]) == 0
    assert capsys.readouterr().out == ""
    assert main([*words, "--quick"]) == 0
    assert set(counts(capsys.readouterr().out.strip())) == set(QUICK) - {"projects"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--table", "nonsense"), f"there is no table nonsense: --table takes {', '.join(OF_PROJECT)}"),
        (("--quick", "--table", "assets"), "--quick chooses the tables: leave --table out"),
        (("--rev", "HEAD", "--no-refresh"), "--rev and --no-refresh cannot be combined"),
    ],
)
def test_what_cannot_be_asked(
    folder: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    assert main(["export", str(folder), "--format", "jsonl", *words]) == 2
    assert said in capsys.readouterr().err
    assert not folder.exists()
