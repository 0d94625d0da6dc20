"""``assetdb doctor`` as it is typed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from assetdb.cli import main

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_the_worst_line_is_the_exit_code(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bake", "-q"]) == 0
    capsys.readouterr()
    code = main(["doctor", "--json"])
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {tuple(row) for row in rows} == {("topic", "state", "message", "advice")}
    assert code == max({"ok": 0, "warning": 1, "error": 2}[row["state"]] for row in rows)
    assert {"version", "command", "project", "output folder", "database", "packages", "daemon", "git", "editors"} <= {
        row["topic"] for row in rows
    }
    (project / "assetdb.toml").write_text("out-dir = 3\n")
    assert main(["doctor"]) == 2
    out = capsys.readouterr().out
    assert "error    settings: " in out
    assert "assetdb.toml" in out


def test_quiet_leaves_out_what_is_in_order(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "ProjectSettings" / "ProjectVersion.txt").write_text("m_EditorVersion: 2022.3.10f1\n")
    assert main(["doctor", "--quiet"]) == 1
    out = capsys.readouterr().out
    assert "database: there is none yet\n" in out
    assert "\nok " not in out
    assert "errors" not in out
    assert main(["doctor"]) == 1
    out = capsys.readouterr().out
    assert f"ok       project: {project}, Unity 2022.3.10f1\n" in out
    assert out.splitlines()[-1].startswith("0 errors, ")
    assert not (project / "Library" / "assetdb").exists()


def test_a_folder_that_is_no_project_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["doctor"]) == 2
    out = capsys.readouterr().out
    assert "error    project: no Unity project in " in out
    assert "--project" in out
