"""Findings of a package and of the project in it, in one report."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from tests.assetdb.checks.healthy import make_healthy, put
from tests.assetdb.history.git_project import commit, git

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository of a package, with a project in ``Demo``."""
    root = tmp_path / "tools"
    make_healthy(root / "Demo", 1)
    put(root, "package.json", json.dumps({"name": "com.acme.tools"}))
    (root / ".gitignore").write_text("Library/\n")
    git(root, "init", "-q")
    commit(root)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(root)
    return root


def found(capsys: pytest.CaptureFixture[str], *words: str) -> list[tuple[str, str, bool]]:
    capsys.readouterr()
    code = main(["check", "--json", "--project", ".", *words])
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert code == any(row["severity"] == "error" for row in rows)
    return [(row["code"], row["path"], row["fixable"]) for row in rows]


def test_a_change_is_judged_in_both_roots(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert found(capsys) == []
    (root / "Demo/Assets/Scripts/Health.cs").unlink()
    (root / "Demo/Assets/Scripts/Health.cs.meta").unlink()
    (root / "new.mat").write_text("x")
    only = ("--select", "missing-script,missing-meta")
    there = [("missing-script", "Demo/Assets/Prefabs/Enemy0.prefab", False)]
    own = [("missing-meta", "Packages/com.acme.tools/new.mat", True)]
    assert found(capsys, *only) == there + own
    assert found(capsys, "--since", "HEAD", *only) == there + own
    git(root, "add", "-A")
    assert found(capsys, "--staged", *only) == there + own


def test_paths_and_baselines_are_of_one_root(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "Demo/Assets/new.txt").write_text("x")
    assert found(capsys, "package.json") == []
    known = str(root.parent / "known.json")
    assert main(["check", "--project", ".", "--write-baseline", "--baseline", known, "-q"]) == 0
    assert found(capsys, "--baseline", known) == []
    assert main(["check", "--project", ".", "--baseline", known]) == 0
    assert "assetdb check --project Demo" in capsys.readouterr().err
    assert found(capsys) == [("missing-meta", "Demo/Assets/new.txt", False)]
