"""A merge of two revisions, made where the repository is not touched."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from assetdb.errors import HistoryError
from assetdb.history.git.merging import merged
from assetdb.history.git.objects import read_all_blobs
from assetdb.history.git.repository import Repository
from tests.assetdb.history.git_project import commit, git
from tests.needs import needs_scripts

if TYPE_CHECKING:
    from pathlib import Path

LINES = "".join(f"{number}\n" for number in range(20))


def prepare(root: Path, ours: dict[str, str], theirs: dict[str, str]) -> None:
    """Make a repository with two branches that change files of one commit."""
    root.mkdir()
    (root / "both").write_text(LINES)
    git(root, "init", "-q", "-b", "main")
    commit(root)
    for branch, files in (("theirs", theirs), ("main", ours)):
        if branch != "main":
            git(root, "checkout", "-q", "-b", branch)
        for name, text in files.items():
            (root / name).write_text(text)
        commit(root)
        git(root, "checkout", "-q", "main")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "Game"


def files(root: Path) -> dict[str, str]:
    """Return the files of the merge of two branches."""
    repository = Repository(str(root))
    with merged(repository, *repository.sides("theirs")) as (inner, result, _):
        entries = inner.tree(result.tree)
        blobs = read_all_blobs(inner, [entry.oid for entry in entries.values()])
        return {os.fsdecode(path): b"".join(blob.pieces()).decode() for path, blob in zip(entries, blobs, strict=True)}


def test_both_sides_are_in_the_merge_and_nothing_is_added_to_the_repository(root: Path) -> None:
    prepare(root, {"both": "top\n" + LINES, "own": "own"}, {"both": LINES + "end\n", "new": "new"})
    before = sorted(path for path in (root / ".git/objects").rglob("*"))
    assert files(root) == {"both": f"top\n{LINES}end\n", "own": "own", "new": "new"}
    assert sorted(path for path in (root / ".git/objects").rglob("*")) == before


def test_a_conflict_has_markers(root: Path) -> None:
    prepare(root, {"both": "ours\n" + LINES}, {"both": "theirs\n" + LINES})
    text = files(root)["both"]
    assert text.startswith("<<<<<<< ")
    assert "ours\n=======\ntheirs\n>>>>>>> " in text


def test_no_driver_of_the_settings_is_run(root: Path, tmp_path: Path) -> None:
    prepare(root, {"both": "top\n" + LINES}, {"both": LINES + "end\n"})
    (root / ".git/info").mkdir(exist_ok=True)
    (root / ".git/info/attributes").write_text("* merge=own\n")
    git(root, "config", "merge.own.driver", f"touch {tmp_path / 'ran'}")
    assert files(root)["both"] == f"top\n{LINES}end\n"
    assert not (tmp_path / "ran").exists()


def test_sides_without_a_common_commit_are_an_error(root: Path) -> None:
    prepare(root, {}, {"new": "new"})
    git(root, "checkout", "-q", "--orphan", "alone")
    commit(root, "another")
    repository = Repository(str(root))
    with (
        pytest.raises(HistoryError, match="the two sides have no commit in common here"),
        merged(repository, *repository.sides("theirs")),
    ):
        pass


@needs_scripts
def test_a_git_that_cannot_merge_trees_is_an_error_with_the_version_that_can(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare(root, {"own": "own"}, {"new": "new"})
    repository = Repository(str(root))
    sides = repository.sides("theirs")
    git_of_old = tmp_path / "bin" / "git"
    git_of_old.parent.mkdir()
    script = '#!/bin/sh\ncase "$*" in *merge-tree*) echo "usage: git merge-tree" >&2; exit 129;; esac\nexec {} "$@"\n'
    git_of_old.write_text(script.format(git(root, "--exec-path").strip() + "/git"))
    git_of_old.chmod(0o755)
    monkeypatch.setenv("PATH", f"{git_of_old.parent}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(HistoryError) as caught, merged(repository, *sides):
        pass
    expected = "git cannot merge the two sides (git 2.38 or later is needed): git --config-env="
    assert str(caught.value).startswith(expected.removesuffix("--config-env=") + "merge-tree in ")


def test_a_partial_clone_fetches_what_a_merge_needs_if_it_may(root: Path, tmp_path: Path) -> None:
    prepare(root, {"both": "top\n" + LINES}, {"both": LINES + "end\n"})
    for setting in ("uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"):
        git(root, "config", setting, "true")
    git(tmp_path, "clone", "-q", "--filter=blob:none", "--no-checkout", root.as_uri(), "clone")
    git(tmp_path / "clone", "branch", "theirs", "origin/theirs")
    repository = Repository(str(tmp_path / "clone"))
    advice = "this clone lacks files of them: --fetch lets git fetch these"
    with pytest.raises(HistoryError, match=advice), merged(repository, *repository.sides("theirs")):
        pass
    repository = Repository(str(tmp_path / "clone"), fetch=True)
    with merged(repository, *repository.sides("theirs")) as (inner, result, _):
        found = [b"".join(blob.pieces()) for blob in read_all_blobs(inner, [inner.tree(result.tree)[b"both"].oid])]
        assert found == [f"top\n{LINES}end\n".encode()]


def test_the_disk_is_compared_once_for_both_sides_and_their_merge(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prepare(root, {"own": "own"}, {"new": "new"})
    (root / "untracked").write_text("x")
    asked: list[str] = []
    output = Repository.output

    def noted(repository: Repository, *words: str, **options: object) -> bytes:
        asked.append(words[0])
        return output(repository, *words, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Repository, "output", noted)
    repository = Repository(str(root))
    ours, theirs = repository.sides("theirs")
    with merged(repository, ours, theirs) as (inner, result, _):
        assert inner.revision_against_disk(result, tops=(".",)).keys() == {b"new", b"untracked"}
        assert repository.revision_against_disk(theirs, tops=(".",)).keys() == {b"new", b"own", b"untracked"}
    assert (asked.count("diff-files"), asked.count("check-ignore")) == (1, 1)
