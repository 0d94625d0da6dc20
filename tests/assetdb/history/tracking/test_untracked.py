"""Which files of a project git does not have."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from assetdb.history.git.repository import Repository
from assetdb.history.git.stamp import index_stamp
from assetdb.history.tracking.untracked import NONE, Untracked, find_untracked, ignored_in, rule_of
from tests.assetdb.history.git_project import git, make_repository
from tests.assetdb.unity_project import write

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_repository(tmp_path / "repository")


def test_new_files_and_their_metas_are_untracked(root: Path) -> None:
    assert find_untracked(root=str(root)) == NONE
    write(root, "Assets/New.cs", 78, "class New {}")
    assert find_untracked(str(root)) == Untracked(added=frozenset(("Assets/New.cs", "Assets/New.cs.meta")))
    git(root, "add", "Assets/New.cs")
    assert find_untracked(str(root)).added == {"Assets/New.cs.meta"}
    git(root, "add", "Assets/New.cs.meta")
    assert find_untracked(str(root)) == NONE


def test_intent_to_add_brings_a_name_and_no_content(root: Path) -> None:
    write(root, "Assets/New.cs", 78, "class New {}")
    git(root, "add", "-N", "Assets/New.cs", "Assets/New.cs.meta")
    assert find_untracked(str(root)).added == {"Assets/New.cs", "Assets/New.cs.meta"}


def test_ignored_files_are_told_from_forgotten_ones(root: Path) -> None:
    write(root, "Assets/a.ignored", 78, "x")
    found = find_untracked(str(root))
    assert found.ignored == {"Assets/a.ignored", "Assets/a.ignored.meta"} == ignored_in(Repository(str(root)))
    assert not found.added
    assert found.has("Assets/a.ignored")
    assert not found.has("Assets/Main.unity")


def test_the_rule_that_ignores_a_file_is_named(root: Path) -> None:
    write(root, "Assets/a.ignored", 78, "x")
    assert rule_of(str(root), ["Assets/a.ignored.meta", "Assets/Main.unity"]) == {
        "Assets/a.ignored.meta": ".gitignore:4 `*.ignored.meta`"
    }


def test_another_repository_and_a_project_without_one_have_none(root: Path, tmp_path: Path) -> None:
    make_repository(root / "Assets" / "Inner")
    assert not any(path.startswith("Assets/Inner/") for path in find_untracked(str(root)).added)
    (tmp_path / "plain" / "Assets").mkdir(parents=True)
    (tmp_path / "plain" / "Assets" / "a.txt").write_text("")
    assert find_untracked(str(tmp_path / "plain")) == NONE
    assert rule_of(str(tmp_path / "plain"), ["Assets/a.txt"]) == {}
    (tmp_path / "plain" / ".git").mkdir()
    assert find_untracked(str(tmp_path / "plain")) == NONE


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ("index", "index file smaller than expected"),
        ("HEAD", "is not in a git repository"),
        ("link", "is not in a git repository"),
        ("config", "bad config"),
    ],
)
def test_where_git_fails_nobody_says_that_all_is_there(root: Path, broken: str, said: str) -> None:
    if broken == "link":  # of a worktree whose repository moved
        (root / ".git").rename(root.parent / "git_of_before")  # nobody removes read-only files on Windows
        (root / ".git").write_text("gitdir: /nowhere/.git/worktrees/w\n")
    else:
        (root / ".git" / broken).write_text("[")
    found = find_untracked(str(root))
    assert said in found.failure
    assert not found.added
    assert not found.ignored


def test_a_repository_without_a_commit_a_worktree_and_a_shallow_clone_are_judged(root: Path, tmp_path: Path) -> None:
    git(root, "worktree", "add", "-q", str(tmp_path / "tree"))
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{root}", "shallow")
    shutil.copytree(root, tmp_path / "fresh", ignore=shutil.ignore_patterns(".git"))
    git(tmp_path / "fresh", "init", "-q")
    for name in ("tree", "shallow", "fresh"):
        write(tmp_path / name, "Assets/New.cs", 78, "class New {}")
        found = find_untracked(str(tmp_path / name))
        assert not found.failure
        assert {"Assets/New.cs", "Assets/New.cs.meta"} <= found.added
        assert (len(found.added) > 2) is (name == "fresh")


def test_a_submodule_is_judged_by_its_own_git_and_the_used_commit(root: Path, tmp_path: Path) -> None:
    outer = make_repository(tmp_path / "outer")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(root), "Assets/Module")
    git(outer, "commit", "-q", "-m", "module")
    write(outer, "Assets/Module/Assets/New.cs", 78, "class New {}")
    new = {"Assets/Module/Assets/New.cs", "Assets/Module/Assets/New.cs.meta"}
    module = outer / "Assets" / "Module"
    assert find_untracked(str(outer)) == Untracked(inner=frozenset(new))
    assert find_untracked(str(outer)).digest not in ("", Untracked(ignored=frozenset(new)).digest)
    assert find_untracked(str(module)).added == {"Assets/New.cs", "Assets/New.cs.meta"}
    git(module, "add", "-A")
    git(module, "commit", "-q", "-m", "new")
    assert find_untracked(str(module)) == NONE
    assert find_untracked(str(outer)) == Untracked(inner=frozenset(new))  # the index names the commit before
    git(outer, "add", "Assets/Module")
    assert find_untracked(str(outer)) == NONE


def test_a_meta_in_another_case_in_a_submodule_is_of_its_asset(root: Path, tmp_path: Path) -> None:
    outer = make_repository(tmp_path / "outer")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(root), "Assets/Module")
    folder = outer / "Assets/Module/Assets"
    write(outer, "Assets/Module/Assets/aiNew.cs", 78, "class New {}")
    (folder / "aiNew.cs").rename(folder / "AINew.cs")
    found = find_untracked(str(outer))
    assert found.inner == {f"Assets/Module/Assets/{name}" for name in ("AINew.cs", "aiNew.cs.meta", "AINew.cs.meta")}
    assert not found.has("Assets/Module/Assets/AINew.cs.meta")
    assert found.is_in_no_clone("Assets/Module/Assets/AINew.cs.meta")


def test_a_submodule_without_the_used_commit_is_said_until_it_is_fetched(root: Path, tmp_path: Path) -> None:
    outer = make_repository(tmp_path / "outer")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(root), "Assets/Module")
    write(root, "Assets/New.cs", 78, "class New {}")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "new")
    used = git(root, "rev-parse", "HEAD").strip()
    git(outer, "update-index", "--cacheinfo", f"160000,{used},Assets/Module")
    found, stamp = find_untracked(str(outer)), index_stamp(str(outer))
    assert found.failure == f"Assets/Module has not the commit {used[:10]} that the project uses: run git fetch in it"
    link = outer / "Assets/Module/.git"
    there = link.read_text()
    link.write_text("gitdir: ../../.git/modules/gone\n")  # a fetch is no help
    told = "git cannot read the submodule Assets/Module: run git status in it"
    assert find_untracked(str(outer)).failure == told
    link.write_text(there)
    write(outer, "Assets/Own.cs", 79, "class Own {}")
    assert find_untracked(str(outer)).added == {"Assets/Own.cs", "Assets/Own.cs.meta"}
    git(outer / "Assets/Module", "fetch", "-q")
    assert find_untracked(str(outer)).failure == ""
    assert index_stamp(str(outer)) != stamp


def test_the_stamp_of_the_index_changes_with_the_files_of_submodules(root: Path, tmp_path: Path) -> None:
    outer = make_repository(tmp_path / "outer")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(root), "Assets/Module")
    module = outer / "Assets/Module"
    stamps = [index_stamp(str(outer))]
    write(module, "Assets/New.cs", 78, "class New {}")
    git(module, "add", "Assets/New.cs")
    stamps.append(index_stamp(str(outer)))
    (module / ".gitignore").write_text("*.meta\n")
    stamps.append(index_stamp(str(outer)))
    exclude = module / git(module, "rev-parse", "--git-path", "info/exclude").strip()
    exclude.parent.mkdir(exist_ok=True)
    exclude.write_text("*.txt\n")
    stamps.append(index_stamp(str(outer)))
    git(module, "commit", "-q", "--allow-empty", "-m", "empty")
    stamps.append(index_stamp(str(outer)))
    assert len(set(stamps)) == len(stamps)
    assert index_stamp(str(outer)) == stamps[-1]


@pytest.mark.parametrize("place", ["../module", "Assets/../../module", "{absolute}", "", "."])
def test_a_submodule_outside_its_repository_is_not_looked_at(root: Path, tmp_path: Path, place: str) -> None:
    module = make_repository(tmp_path / "module")
    (root / ".gitmodules").write_text(f'[submodule "x"]\n\tpath = {place.format(absolute=module.as_posix())}\n')
    stamp = index_stamp(str(root))
    (module / ".gitignore").write_text("*.meta\n")
    assert index_stamp(str(root)) == stamp


@pytest.mark.parametrize("name", [".gitignore", ".gitattributes"])
@pytest.mark.parametrize(
    "text", ["\0\n" * 100, "[" * 100_000 + "\n", "**/" * 5_000 + "x\n", "*.png filter=a=b diff=\n"]
)
def test_hostile_rules_end_in_an_answer(root: Path, name: str, text: str) -> None:
    (root / name).write_text(text)
    write(root, "Assets/New.cs", 78, "class New {}")
    found = find_untracked(str(root))
    assert found.failure or "Assets/New.cs" in found.added | found.ignored


def test_paths_of_a_project_below_its_repository_are_its_own(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "repository", "Game")
    write(root, "Assets/New.cs", 78, "class New {}")
    (tmp_path / "repository" / "Tools").mkdir()
    (tmp_path / "repository" / "Tools" / "x.py").write_text("")
    assert find_untracked(str(root)).added == {"Assets/New.cs", "Assets/New.cs.meta"}


def test_a_package_names_its_files_as_the_database_does(tmp_path: Path) -> None:
    root = tmp_path / "package"
    (root / "Runtime").mkdir(parents=True)
    (root / "package.json").write_text('{"name": "com.acme.tools", "version": "1.0.0"}')
    git(tmp_path, "init", "-q", "package")
    (root / "Runtime" / "A.cs").write_text("")
    found = find_untracked(str(root)).added
    assert found == {"Packages/com.acme.tools/Runtime/A.cs", "Packages/com.acme.tools/package.json"}


def test_the_digest_follows_both_kinds(root: Path) -> None:
    one, other = Untracked(added=frozenset("a")), Untracked(ignored=frozenset("a"))
    assert NONE.digest == ""
    assert len({one.digest, other.digest, Untracked(frozenset("ab")).digest, ""}) == 4


def test_the_stamp_of_the_index_is_of_each_of_its_bytes(root: Path) -> None:
    (root / ".git/index").write_bytes(b"DIRC\xfe")
    stamp = index_stamp(str(root))
    (root / ".git/index").write_bytes(b"DIRC\xff")
    assert index_stamp(str(root)) != stamp


def test_the_stamp_of_the_index_changes_with_what_git_has(root: Path, tmp_path: Path) -> None:
    stamps = [index_stamp(str(root))]
    write(root, "Assets/New.cs", 78, "class New {}")
    git(root, "add", "Assets/New.cs")
    stamps.append(index_stamp(str(root)))
    (root / ".gitignore").write_text("*.meta\n")
    stamps.append(index_stamp(str(root)))
    (root / ".git" / "info" / "exclude").write_text("*.txt\n")
    stamps.append(index_stamp(str(root)))
    assert len(set(stamps)) == 4
    assert all(stamps)
    assert index_stamp(str(tmp_path)) == ""
