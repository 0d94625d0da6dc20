"""Conflicted files of git's index."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.errors import HistoryError
from assetdb.history.git.conflicted import Stages, add, asset_with, conflicted, files_with, merged_by_git, read_stages
from assetdb.history.git.repository import Repository
from tests.assetdb.history.git_project import IDENTITY, commit, git, make_repository
from tests.assetdb.unity_project import guid
from tests.needs import hide_git

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("inside", ["", "A b"])
def test_the_three_versions_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, inside: str) -> None:
    for name, value in IDENTITY.items():
        monkeypatch.setenv(name, value)
    root = make_repository(tmp_path, inside)
    for branch, text in (("main", "0\n"), ("other", "1\n"), ("main", "2\n")):
        git(root, "checkout", "-q", *(["-b"] if branch == "other" else []), branch)
        for name in ("x", "[xz]"):
            (root / f"Assets/{name}.txt").write_text(text)
        if branch == "other":
            (root / "Assets/y.txt").write_text(text)
        commit(root)
    repository = Repository(str(root))
    assert conflicted(repository) == {}
    with pytest.raises(Exception, match="non-zero exit status 1"):
        git(root, "merge", "other")
    found = conflicted(repository)
    assert list(found) == ["Assets/[xz].txt", "Assets/x.txt"]
    stages = read_stages(repository, found["Assets/x.txt"])
    assert stages == Stages(b"0\n", b"2\n", b"1\n")
    assert merged_by_git(stages).splitlines()[1::2] == [b"2", b"1"]
    add(str(root), ["Assets/[xz].txt"])
    assert list(conflicted(repository)) == ["Assets/x.txt"], "a pattern is a name here"
    add(str(root), ["Assets/x.txt"])
    assert conflicted(repository) == {}
    with pytest.raises(HistoryError, match="git add"):
        add(str(root), ["Assets/absent.txt"])


def test_the_asset_with_a_guid_is_none_that_refers_to_it(tmp_path: Path) -> None:
    root = make_repository(tmp_path)
    owner, reference = f"guid: {guid(92)}\n", f"guid: {guid(91)}\nicon: {{fileID: 1, guid: {guid(92)}, type: 3}}\n"
    for name, text in (("A.cs", reference), ("Icon.png", owner), ("Zoo.cs", reference)):
        (root / f"Assets/{name}.meta").write_text(text)
    (root / "Assets/Use.asset").write_text(guid(92))
    commit(root)
    for setting, value in (("color.grep", "always"), ("grep.patternType", "fixed")):
        git(root, "config", setting, value)
    repository = Repository(str(root))
    assert asset_with(repository, guid(92)) == "Assets/Icon.png"
    assert asset_with(repository, guid(93)) == ""
    assert files_with(repository, guid(92)) == ["Assets/Use.asset"]


def test_without_git_nothing_is_added_or_merged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hide_git(monkeypatch, str(tmp_path))
    with pytest.raises(HistoryError, match="git add"):
        add(str(tmp_path), ["a"])
    with pytest.raises(HistoryError, match="git merge-file"):
        merged_by_git(Stages(b"0\n", b"2\n", b"1\n"))
