"""A bake gives each diagnostic the severity that a check gives it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from scripts.fixture import copy_fixture
from tests.needs import needs_links

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return copy_fixture(tmp_path / "project")


def severities(project: Path, capsys: pytest.CaptureFixture[str], *words: str) -> dict[tuple[str, str], str]:
    main([*words, "--json", "--project", str(project)])
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    found = rows[0]["diagnostics"] if words[0] == "bake" else rows
    return {(row["code"], row["path"].rstrip("/")): row["severity"] for row in found}


@pytest.mark.parametrize("settings", ["", '[check.severity]\nempty-asset = "error"\nmissing-meta = "warning"\n'])
def test_bake_and_check_give_one_severity(project: Path, capsys: pytest.CaptureFixture[str], settings: str) -> None:
    (project / "assetdb.toml").write_text(settings)
    baked = severities(project, capsys, "bake", "--keep-going")
    checked = severities(project, capsys, "check")
    both = baked.keys() & checked.keys()
    assert {code for code, _ in both} >= {"case-mismatch", "empty-asset", "missing-meta", "conflict-markers"}
    assert {key: baked[key] for key in both} == {key: checked[key] for key in both}
    assert baked["case-mismatch", "Assets/Missing/AiController.cs"] == "error"
    assert baked["missing-meta", "Assets/Missing/NoMeta.txt"] == ("warning" if settings else "error")
    assert baked["missing-meta", "Assets/Missing/NoMetaFolder"] == "warning"


def test_errors_are_listed_before_the_warnings_of_their_code(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(5):
        (project / f"Assets/AFolder{number}").mkdir()
        (project / f"Assets/AFolder{number}/.keep").touch()
        (project / f"Assets/AFolder{number}/a.rs").touch()
    main(["bake", "--keep-going", "--project", str(project)])
    told = [line for line in capsys.readouterr().err.splitlines() if "missing-meta" in line]
    assert told[0].startswith("error: Assets/Missing/NoMeta.txt: missing-meta: ")
    assert told[1].startswith("warning: Assets/AFolder0")
    assert told[-1].startswith("warning: missing-meta: ")


@needs_links  # without, what the fixture's link leads to is there twice
def test_a_code_that_the_project_switches_off_is_told_by_a_verbose_bake_alone(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "assetdb.toml").write_text('[check.severity]\nempty-asset = "off"\nduplicate-guid = "off"\n')
    main(["bake", "--keep-going", "--project", str(project)])
    told = capsys.readouterr().err
    assert ": empty-asset: " not in told
    assert "error: Assets/Duplicates/First.txt: duplicate-guid: " in told  # a bake cannot do without one meaning
    main(["bake", "--keep-going", "-v", "--project", str(project)])
    assert "warning: Assets/NotYaml/Empty.asset: empty-asset: " in capsys.readouterr().err
