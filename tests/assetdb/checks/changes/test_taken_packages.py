"""Packages that a change takes out: what refers to them is lost, also where not all requirements are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.checks.changes.introduced import check_since, check_staged
from assetdb.checks.findings.engine import Selection, check_project
from assetdb.checks.merges.merge import check_merge
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.history.git_project import commit, git
from tests.assetdb.packages.packages_project import TMP, depend, make_root, text_user
from tests.assetdb.unity_project import HEAD, write

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.checks.findings.finding import Finding

GONE = "which Packages/manifest.json does not require (any more)"
SELECTION = Selection(select=("missing-script", "missing-asset", "unknown-guid"))
LEFTOVER = "a79441f348de89743a2939f4d699eac1"  # UniversalAdditionalCameraData


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project with a text of TextMesh Pro, and a package of which nobody knows what it requires."""
    root = make_root(tmp_path / "Game")
    depend(root, com_acme_vendor="1.0.0", com_unity_textmeshpro="3.0.6")
    text_user(root)
    (root / ".gitignore").write_text("/Library/\n")
    git(root, "init", "-q", "-b", "main")
    commit(root)
    return root


def rows(findings: tuple[Finding, ...]) -> list[tuple[str, str]]:
    return [(row.code, row.path) for row in findings]


def found(root: Path, how: str) -> list[Finding]:
    project = open_project(str(root), str(root.parent / "out"))
    try:
        if how == "plain":
            return list(check_project(project, SELECTION).findings)
        if how == "staged":
            return list(check_staged(project, SELECTION).findings)
        if how.startswith("merge "):
            return list(check_merge(project, how.removeprefix("merge "), SELECTION).findings)
        return list(check_since(project, "HEAD", SELECTION).findings)
    finally:
        project.close()


@pytest.mark.parametrize("how", ["since", "staged"])
def test_a_package_that_went_is_lost(root: Path, how: str) -> None:
    depend(root, com_acme_vendor="1.0.0")
    git(root, "add", "-A")
    assert found(root, "plain") == []  # com.acme.vendor may bring it
    (row,) = found(root, how)
    assert (row.code, row.severity, row.path) == ("missing-script", "error", "Assets/Text.asset")
    assert "TextMeshProUGUI.cs of com.unity.textmeshpro" in row.message
    assert GONE in row.message
    assert TMP in row.message


@pytest.mark.parametrize("how", ["since", "staged"])
def test_a_manifest_that_cannot_be_read_takes_nothing(root: Path, how: str) -> None:
    (root / "Packages/manifest.json").write_text('{"dependencies": {\n<<<<<<< HEAD\n=======\n>>>>>>> other\n}}')
    git(root, "add", "-A")
    assert found(root, how) == []


@pytest.mark.parametrize("how", ["since", "staged"])
def test_another_version_and_another_package_lose_nothing(root: Path, how: str) -> None:
    depend(root, com_acme_vendor="1.0.0", com_unity_textmeshpro="3.0.9")
    git(root, "add", "-A")
    assert found(root, how) == []
    depend(root, com_unity_textmeshpro="3.0.6", com_acme_vendor="2.0.0", com_acme_other="1.0.0")
    git(root, "add", "-A")
    assert found(root, how) == []


def test_a_package_that_was_not_there_before_either_is_not_the_change(root: Path) -> None:
    depend(root, com_acme_vendor="1.0.0")
    commit(root)
    depend(root, com_acme_vendor="1.0.1")
    assert found(root, "since") == []


def test_a_package_that_only_the_former_one_brought_is_lost(root: Path) -> None:
    depend(root, com_acme_vendor="1.0.0", com_unity_timeline="1.6.4", com_unity_cinemachine="2.8.4")
    commit(root)
    depend(root, com_acme_vendor="1.0.0", com_unity_timeline="1.6.4")
    assert found(root, "since") == []  # TextMesh Pro had been taken out before
    depend(root, com_acme_vendor="1.0.0", com_unity_textmeshpro="3.0.6")
    commit(root)
    (root / "Packages/manifest.json").unlink()
    assert [row.code for row in found(root, "since")] == ["missing-script"]


def test_leftovers_that_nobody_minds_are_none(root: Path) -> None:
    script = f"  m_Script: {{fileID: 11500000, guid: {LEFTOVER}, type: 3}}\n"
    write(root, "Assets/Camera.prefab", 60, f"{HEAD}--- !u!114 &5\nMonoBehaviour:\n{script}", "PrefabImporter:\n")
    depend(root, com_acme_vendor="1.0.0", **{"com_unity_render-pipelines_universal": "10.7.0"})
    (root / "Assets/Text.asset").unlink()
    (root / "Assets/Text.asset.meta").unlink()
    commit(root)
    depend(root, com_acme_vendor="1.0.0")
    assert found(root, "since") == []


def test_a_merge_with_a_side_that_took_it_out(root: Path) -> None:
    git(root, "checkout", "-q", "-b", "other")
    depend(root, com_acme_vendor="1.0.0")
    (root / "Assets/Text.asset").unlink()
    (root / "Assets/Text.asset.meta").unlink()
    commit(root)
    git(root, "checkout", "-q", "main")
    text_user(root, "Assets/New.asset", 51)
    commit(root)
    assert [(row.code, row.path) for row in found(root, "merge other")] == [("missing-script", "Assets/New.asset")]
