"""The GUIDs that a repository had and has no more are told by one pass over its history, kept by commit."""

from __future__ import annotations

import os
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from assetdb.history import lost_guids
from assetdb.history.git.questions import Held
from assetdb.history.git.stamp import history_stamp
from assetdb.history.lost_guids import find_uncommitted, former_holder, read_gone
from tests.assetdb.checks.healthy import guid_of, make_healthy, put
from tests.assetdb.history.repositories import commit, git, remove
from tests.needs import hide_git, needs_any_name

if TYPE_CHECKING:
    from pathlib import Path

ITEM = "Assets/Scripts/Item.cs"
HEALTH = "Assets/Scripts/Health.cs"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project below the top of its repository."""
    git(tmp_path, "init", "-q")
    root = make_healthy(tmp_path / "Game Jam")
    put(root, "Assets/Ümläut/Old One.cs", "class Old {}")
    commit(tmp_path, "one")
    return root


def test_a_deleted_a_moved_and_a_rewritten_meta(project: Path) -> None:
    old = guid_of("Assets/Ümläut/Old One.cs")
    (project / "Assets/Scripts/Old.cs.meta").write_bytes((project / "Assets/Ümläut/Old One.cs.meta").read_bytes())
    remove(project, "Assets/Ümläut/Old One.cs")
    commit(project, "moved")
    (project / "Assets/Scripts/Old.cs.meta").unlink()
    deleted = commit(project, "deleted")
    meta = project / f"{HEALTH}.meta"
    meta.write_text(meta.read_text().replace(guid_of(HEALTH), "1" * 31 + "2"))
    rewritten = commit(project, "rewritten")
    found = read_gone(str(project), str(project / "gone"))
    assert found.is_whole
    assert not found.is_shallow
    assert found.held[old] == Held("Assets/Scripts/Old.cs", deleted)
    assert found.held[guid_of(HEALTH)] == Held(HEALTH, rewritten)
    assert guid_of(ITEM) not in found.held


@needs_any_name
def test_the_name_of_a_deleted_meta_is_not_quoted(project: Path) -> None:
    name = 'Assets/Scripts/"A\\B".cs'
    put(project, name, "class A {}")
    commit(project, "added")
    remove(project, name)
    deleted = commit(project, "deleted")
    assert read_gone(str(project), str(project / "gone")).held == {guid_of(name): Held(name, deleted)}


def test_the_answer_is_kept_by_commit_and_newer_commits_are_added(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    passes: list[str] = []
    real = lost_guids._pass

    def watched(repository: object, revisions: str, timeout: float) -> object:
        passes.append(revisions)
        return real(repository, revisions, timeout)  # type: ignore[arg-type]

    monkeypatch.setattr(lost_guids, "_pass", watched)
    git(project, "config", "core.excludesFile", str(project / "excluded"))
    (project / "excluded").write_text("gone\nexcluded\n")
    kept = str(project / "gone")
    first = read_gone(str(project), kept)
    assert read_gone(str(project), kept) == first
    assert len(passes) == 1
    remove(project, ITEM)
    deleted = commit(project, "deleted")
    assert read_gone(str(project), kept).held == {**first.held, guid_of(ITEM): Held(ITEM, deleted)}
    assert passes[1].startswith(f"{first.commit}..")
    (project / "gone").write_bytes(b"damaged")
    assert read_gone(str(project), kept).held[guid_of(ITEM)] == Held(ITEM, deleted)


def test_what_a_commit_says_of_its_history_is_not_believed(project: Path) -> None:
    remove(project, ITEM)
    deleted = commit(project, "deleted")
    kept = project / "kept.gone"
    forged = read_gone(str(project), "")._replace(held={})
    lost_guids._write(str(kept), forged)
    assert read_gone(str(project), str(kept)) == forged
    commit(project, "more")
    lost_guids._write(str(kept), forged)
    assert read_gone(str(project), str(kept)).held == {guid_of(ITEM): Held(ITEM, deleted)}


def test_a_deletion_that_is_not_committed(project: Path) -> None:
    remove(project, ITEM)
    assert find_uncommitted(str(project)) == {guid_of(ITEM): Held(ITEM, "")}


def test_a_shallow_clone_is_told_and_fetching_the_rest_is_seen(project: Path, tmp_path: Path) -> None:
    remove(project, ITEM)
    deleted = commit(project, "deleted")
    top = project.parent
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", "--depth", "1", f"file://{top}", str(clone)], check=True)
    root = clone / "Game Jam"
    kept = str(tmp_path / "gone")
    found = read_gone(str(root), kept)
    assert (found.is_shallow, found.held) == (True, {})
    before = history_stamp(str(root))
    git(clone, "fetch", "-q", "--unshallow")
    assert history_stamp(str(root)) != before
    assert read_gone(str(root), kept).held == {guid_of(ITEM): Held(ITEM, deleted)}


def test_where_there_is_no_repository_no_commit_and_no_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = make_healthy(tmp_path / "Game")
    kept = str(tmp_path / "gone")
    assert history_stamp(str(root)) == ""
    assert read_gone(str(root), kept) == lost_guids.NO_HISTORY
    git(root, "init", "-q")
    assert history_stamp(str(root)) != ""
    assert read_gone(str(root), kept).held == {}
    hide_git(monkeypatch)
    assert read_gone(str(root), kept) == lost_guids.NO_HISTORY._replace(is_whole=False)
    assert find_uncommitted(str(root)) is None


def test_a_pass_that_takes_too_long_is_made_again_after_a_while(
    project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    remove(project, ITEM)
    commit(project, "deleted")
    kept = tmp_path_factory.mktemp("kept") / "gone"
    found = read_gone(str(project), str(kept), timeout=0.0)
    assert not found.is_whole
    assert read_gone(str(project), str(kept)) == found, "the next question would take as long"
    (project / "notes.txt").write_text("nothing of it")
    commit(project, "notes")
    assert not read_gone(str(project), str(kept)).is_whole
    old = time.time() - 3600
    os.utime(kept, (old, old))
    found = read_gone(str(project), str(kept))
    assert found.is_whole
    assert guid_of(ITEM) in found.held
    (project / "notes.txt").unlink()
    commit(project, "no notes")
    assert read_gone(str(project), str(kept)).is_whole


def test_a_former_holder_is_told_as_it_is_now(project: Path) -> None:
    root, held = str(project), Held(HEALTH, "")
    assert former_holder(Held(HEALTH, "3f2c1ab"), root) == f"was {HEALTH} until 3f2c1ab"
    assert former_holder(held, root) == f"was {HEALTH}, whose meta has another GUID now, and that is not committed"
    (project / f"{HEALTH}.meta").write_bytes(b"")
    assert former_holder(held, root) == f"was {HEALTH}, whose meta has no GUID now, and that is not committed"
    (project / f"{HEALTH}.meta").unlink()
    assert former_holder(held, root) == f"was {HEALTH}, whose meta is gone, and that is not committed"
    (project / HEALTH).unlink()
    assert former_holder(held, root) == f"was {HEALTH} and its deletion is not committed"
