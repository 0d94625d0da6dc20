"""The messages of files that git stores against its rules."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from assetdb.checks.findings.engine import Selection, check_project
from assetdb.checks.rules.repository.git_storage import find_large, find_mismatches
from assetdb.history.tracking import storage
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.checks.rules.views import found_by
from tests.assetdb.history.git_project import git, make_repository
from tests.assetdb.unity_project import write

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_the_size_is_said(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "repository")
    (root / ".gitattributes").write_text("*.psd filter=lfs\n")
    write(root, "Assets/Rock.psd", 702, bytes(2052))
    git(root, "-c", "filter.lfs.clean=cat", "-c", "filter.lfs.required=false", "add", "-A")
    (found,) = found_by(find_mismatches, root)
    assert "2,052 bytes" in found.message
    assert found_by(find_large, root) == []


def test_a_project_without_git_has_none(tmp_path: Path) -> None:
    (tmp_path / "Game" / "Assets").mkdir(parents=True)
    assert found_by(find_mismatches, tmp_path / "Game") == found_by(find_large, tmp_path / "Game") == []


def test_git_is_asked_once_for_both_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    find = storage.find_storage
    monkeypatch.setattr(storage, "find_storage", lambda root: asked.append(root) or find(root))
    root = make_repository(tmp_path / "repository")
    write(root, "Assets/Rock.txt", 702, "rock")
    git(root, "add", "-A")
    with closing(open_project(str(root))) as project:
        check_project(project, Selection())
    assert asked == [str(root)]
