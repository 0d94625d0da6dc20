"""The change that a page shows is what ``diff`` and ``check --since`` print."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from assetdb.cli import main
from assetdb.query.snapshots.snapshot import open_project
from assetdb.report.change import change_facts
from tests.assetdb.history.git_project import make_repository
from tests.needs import needs_git
from tests.report_page import read_page

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

pytestmark = needs_git


def changed(tmp_path: Path) -> Path:
    """A project with a changed name, a removed script and a new asset."""
    root = make_repository(tmp_path / "repository")
    prefab = root / "Assets" / "Prefabs" / "Tower.prefab"
    prefab.write_text(prefab.read_text().replace("m_Name: ", "m_Name: New"))
    script = root / "Assets" / "Scripts" / "Health.cs"
    script.unlink()
    script.with_name(f"{script.name}.meta").unlink()
    (root / "Assets" / "New.mat").write_text(
        "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!21 &2100000\nMaterial:\n"
    )
    (root / "Assets" / "New.mat.meta").write_text(f"fileFormatVersion: 2\nguid: {'d' * 32}\nNativeFormatImporter:\n")
    return root


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, Any]]:
    capsys.readouterr()
    assert main([*words, "--json", "-q"]) in (0, 1)
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_changes_are_those_of_diff(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = changed(tmp_path)
    monkeypatch.chdir(root)
    assert main(["report", "-q", "--since", "HEAD", "-o", "../page.html"]) == 0
    page = read_page(tmp_path / "page.html")
    expected = printed(capsys, "diff", "HEAD")
    for kind, name in (("asset", "assets"), ("reference", "references"), ("reached", "reached")):
        assert [{"kind": kind, **row} for row in page.rows("change", name)] == [
            row for row in expected if row["kind"] == kind
        ]
    values = [
        (row["path"], row["file_id"], row["name"], value["path"], value["old"], value["new"])
        for row in expected
        if row["kind"] == "object"
        for value in row["values"] or [{"path": "", "old": None, "new": None}]
    ]
    names = ("path", "file_id", "name", "property", "old", "new")
    assert [tuple(row[name] for name in names) for row in page.rows("change", "values")] == values
    assert {row["kind"] for row in expected} >= {"asset", "object"}
    assert {"added", "removed", "changed"} <= {row["change"] for row in page.rows("change", "assets")}
    assert page.rows("change", "findings") == printed(capsys, "check", "--since", "HEAD")
    assert page.facts["change"]["cut"] is False


def test_an_unknown_revision_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = make_repository(tmp_path / "repository")
    monkeypatch.chdir(root)
    assert main(["report", "-q", "--since", "nothing", "-o", "../page.html"]) == 2
    assert "nothing" in capsys.readouterr().err
    assert not (tmp_path / "page.html").exists()


def test_a_large_change_is_cut(tmp_path: Path) -> None:
    project = open_project(str(changed(tmp_path)))
    try:
        found = change_facts(project, "HEAD", 2)
    finally:
        project.close()
    assert found["cut"] is True
    tables = [found[name] for name in ("assets", "values", "references", "reached")]
    assert sum(len(table["path"]) for table in tables if isinstance(table, dict)) <= 2
