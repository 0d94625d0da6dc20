"""The merge driver in git itself: every command that merges, and drivers that fail."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sysconfig
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from assetdb.history.configuration.setup import ADDED, LEFT, REMOVED, THERE, set_up, take_away
from tests.assetdb.history.git_project import IDENTITY, make_repository
from tests.assetdb.unity_project import HEAD

if TYPE_CHECKING:
    from pathlib import Path
    from typing import IO

pytestmark = pytest.mark.skipif(os.name == "nt", reason="git's shell and stand-in programs are those of Unix here")

SCENE = "Assets/Merged.unity"
SCRIPTS = sysconfig.get_path("scripts")


def scene(**fields: object) -> str:
    values = {"a": 0, "b": 0, "c": 0} | fields
    rows = "".join(f"  {name}: {value}\n" for name, value in values.items())
    return f"{HEAD}--- !u!114 &100\nMonoBehaviour:\n{rows}"


def run(root: Path, *words: str, path: str = "", stdin: IO[str] | None = None) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | IDENTITY
    environment["PATH"] = path or f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["git", "-C", str(root), *words], env=environment, stdin=stdin, capture_output=True, text=True, check=False
    )


def git(root: Path, *words: str) -> str:
    done = run(root, *words)
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    return done.stdout


def commit(root: Path, **fields: object) -> str:
    (root / SCENE).write_text(scene(**fields))
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "change")
    return git(root, "rev-parse", "HEAD").strip()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a repository with two branches: ``main`` sets ``a``, ``other`` its neighbour ``b``; git has a conflict."""
    project = make_repository(tmp_path / "game")
    assert [step.state for step in set_up(str(project), hook=False, merge=True)] == [ADDED] * 4
    git(project, "config", "user.name", "me")
    git(project, "config", "user.email", "me@example.com")
    commit(project)
    git(project, "checkout", "-q", "-b", "other")
    commit(project, b=2)
    git(project, "checkout", "-q", "main")
    commit(project, a=1)
    return project


MERGED = scene(a=1, b=2)


def test_without_the_driver_git_has_a_conflict(root: Path) -> None:
    list(take_away(str(root)))
    git(root, "commit", "-q", "-am", "no attributes")
    assert run(root, "merge", "other").returncode == 1


def test_merge(root: Path) -> None:
    git(root, "merge", "-q", "-m", "merge", "other")
    assert (root / SCENE).read_text() == MERGED


def test_rebase(root: Path) -> None:
    git(root, "rebase", "other")
    assert (root / SCENE).read_text() == MERGED


def test_cherry_pick(root: Path) -> None:
    git(root, "cherry-pick", "other")
    assert (root / SCENE).read_text() == MERGED


def test_stash_pop(root: Path) -> None:
    (root / SCENE).write_text(scene(a=1, c=3))
    git(root, "stash")
    commit(root, a=1, b=7)
    git(root, "stash", "pop")
    assert (root / SCENE).read_text() == scene(a=1, b=7, c=3)


def test_checkout_with_changes(root: Path) -> None:
    (root / SCENE).write_text(scene(a=1, c=3))
    git(root, "checkout", "-m", "other")
    assert (root / SCENE).read_text() == scene(b=2, c=3)


def test_merge_tree(root: Path) -> None:
    tree = git(root, "merge-tree", "--write-tree", "main", "other").split()[0]
    assert git(root, "show", f"{tree}:{SCENE}") == MERGED


def test_octopus(root: Path) -> None:
    """Git merges more than two heads by ``git merge-one-file``, which asks no driver, and leaves markers."""
    git(root, "checkout", "-q", "-b", "third", "main~1")
    (root / "Assets/third.txt").write_text("third\n")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "third")
    git(root, "checkout", "-q", "main")
    assert run(root, "merge", "-m", "all", "third", "other").returncode == 1
    assert "<<<<<<< " in (root / SCENE).read_text()


def test_a_worktree(root: Path, tmp_path: Path) -> None:
    git(root, "worktree", "add", "-q", "-b", "elsewhere", str(tmp_path / "tree"), "main")
    git(tmp_path / "tree", "merge", "-q", "-m", "merge", "other")
    assert (tmp_path / "tree" / SCENE).read_text() == MERGED


def test_a_project_in_a_submodule(root: Path, tmp_path: Path) -> None:
    outer = tmp_path / "outer"
    outer.mkdir()
    git(outer, "init", "-q", "-b", "main")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(root), "game")
    inner = outer / "game"
    set_up_again = [step.state for step in set_up(str(inner), hook=False, merge=True)]
    assert set_up_again == [ADDED, THERE, ADDED, THERE]
    git(inner, "merge", "-q", "-m", "merge", "origin/other")
    assert (inner / SCENE).read_text() == MERGED


def test_a_project_below_the_top(tmp_path: Path) -> None:
    project = make_repository(tmp_path / "repository", "client's game")
    list(set_up(str(project), hook=False, merge=True))
    commit(project)
    git(project, "checkout", "-q", "-b", "other")
    commit(project, b=2)
    git(project, "checkout", "-q", "main")
    (project / "assetdb.toml").write_text('[merge]\nours = ["Assets/*.unity"]\n')
    commit(project, a=1)
    git(project, "merge", "-q", "-m", "merge", "other")
    assert (project / SCENE).read_text() == scene(a=1)


def test_open_values_have_git_s_markers_of_its_size(root: Path) -> None:
    git(root, "checkout", "-q", "other")
    commit(root, a=5, b=2)
    git(root, "checkout", "-q", "main")
    done = run(root, "merge", "other")
    assert done.returncode == 1
    expected = scene(a=1, b=2).replace("  a: 1\n", "<<<<<<< ours\n  a: 1\n=======\n  a: 5\n>>>>>>> theirs\n")
    assert (root / SCENE).read_text() == expected
    assert git(root, "ls-files", "-u", SCENE).count("\n") == 3


# --- drivers that fail: theirs is never lost without a marker


def only_git(tmp_path: Path, assetdb: str | None) -> str:
    """Return a PATH with git, and a stand-in for assetdb."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("git", "sh", "grep", "kill", "sleep", "cat"):
        found = shutil.which(name)
        if found is not None:
            (folder / name).symlink_to(found)
    if assetdb is not None:
        program = folder / "assetdb"
        program.write_text(f"#!/bin/sh\n{assetdb}\n")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return str(folder)


@pytest.mark.parametrize(
    "program",
    [
        None,
        "exit 2",
        "exit 127",
        "kill -9 $$",
        "echo 'Traceback (most recent call last)' >&2; exit 1",
        "exit 255",
    ],
    ids=["absent", "not tried", "broken", "killed", "crashed", "failed"],
)
def test_a_driver_that_fails_leaves_git_s_own_merge(root: Path, tmp_path: Path, program: str | None) -> None:
    done = run(root, "merge", "other", path=only_git(tmp_path, program))
    assert done.returncode == 1, done.stderr
    text = (root / SCENE).read_text()
    assert "<<<<<<< ours\n  a: 1\n  b: 0\n=======\n  a: 0\n  b: 2\n>>>>>>> theirs\n" in text


def test_a_binary_file_is_a_conflict_with_ours(root: Path) -> None:
    for branch, byte in (("main", b"\1"), ("other", b"\2")):
        git(root, "checkout", "-q", branch)
        (root / "Assets/terrain.asset").write_bytes(b"\0\0" + byte)
        git(root, "add", "-A")
        git(root, "commit", "-q", "-m", "binary")
    done = run(root, "merge", "main")
    assert done.returncode == 1
    assert (root / "Assets/terrain.asset").read_bytes() == b"\0\0\2"
    assert git(root, "ls-files", "-u", "Assets/terrain.asset")


LFS = """#!/usr/bin/env python3
import subprocess, sys
# A stand-in for Git LFS, with the placeholders of its manual: contents lie beside the pointers' names.
words = sys.argv[2:]
assert sys.argv[1] == "merge-driver"
given = dict(zip(words[::2], words[1::2]))
def content(pointer):
    return "STORE/" + open(pointer).read().split("sha256:")[1][:4]
program = given["--program"]
for key, value in (("%A", content(given["--current"])), ("%B", content(given["--other"])),
                   ("%O", content(given["--ancestor"])), ("%D", "STORE/merged"), ("%L", given["--marker-size"])):
    program = program.replace(key, value)
code = subprocess.run(program, shell=True).returncode
open(given["--output"], "w").write("version https://git-lfs.github.com/spec/v1\\noid sha256:done\\nsize 1\\n")
sys.exit(code)
"""


def test_files_in_git_lfs_are_merged_by_content(tmp_path: Path) -> None:
    project = make_repository(tmp_path / "game")
    (project / ".gitattributes").write_text("*.unity filter=lfs diff=lfs merge=lfs -text\n")
    steps = list(set_up(str(project), hook=False, merge=True))
    assert steps[-1].state == ADDED
    assert "*.unity merge=assetdb-lfs\n" in (project / ".gitattributes").read_text()
    store, folder = tmp_path / "store", tmp_path / "bin"
    store.mkdir()
    folder.mkdir()
    (folder / "git-lfs").write_text(LFS.replace("STORE", str(store)))
    (folder / "git-lfs").chmod(0o755)
    git(project, "config", "filter.lfs.clean", "cat")
    git(project, "config", "filter.lfs.smudge", "cat")
    for name, fields in (("base", {}), ("ours", {"a": 1}), ("them", {"b": 2})):
        (store / name).write_text(scene(**fields))

    def pointer(name: str) -> None:
        text = f"version https://git-lfs.github.com/spec/v1\noid sha256:{name}\nsize 1\n"
        (project / SCENE).write_text(text)
        git(project, "add", "-A")
        git(project, "commit", "-q", "-m", name)

    pointer("base")
    git(project, "checkout", "-q", "-b", "other")
    pointer("them")
    git(project, "checkout", "-q", "main")
    pointer("ours")
    done = run(project, "merge", "other", path=f"{folder}{os.pathsep}{SCRIPTS}{os.pathsep}{os.environ['PATH']}")
    assert done.returncode == 0, done.stderr
    assert (store / "merged").read_text() == MERGED
    assert "oid sha256:done" in (project / SCENE).read_text()


@pytest.mark.skipif(shutil.which("git-lfs") is None, reason="Git LFS is not here: https://git-lfs.com")
def test_git_lfs_itself_merges_by_content(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = make_repository(tmp_path / "game")
    git(project, "lfs", "install", "--local")
    (project / ".gitattributes").write_text("*.unity filter=lfs diff=lfs merge=lfs -text\n")
    list(set_up(str(project), hook=False, merge=True))
    commit(project)
    git(project, "checkout", "-q", "-b", "other")
    commit(project, b=2)
    git(project, "checkout", "-q", "main")
    commit(project, a=1)
    git(project, "merge", "-q", "-m", "merge", "other")
    assert (project / SCENE).read_text() == MERGED
    assert git(project, "show", f"HEAD:{SCENE}").startswith("version https://git-lfs.github.com/spec/v1\noid sha256:")
    commit(project, a=8, b=2)
    git(project, "checkout", "-q", "other")
    commit(project, a=9, b=2)
    assert run(project, "merge", "main").returncode == 1
    open_value = "<<<<<<< ours\n  a: 9\n=======\n  a: 8\n>>>>>>> theirs\n"
    assert (project / SCENE).read_text() == scene(a=9, b=2).replace("  a: 9\n", open_value)
    assert main(["resolve", "--project", str(project), "--list"]) == 1
    assert capsys.readouterr().out == f"{SCENE}: fileID 100 (MonoBehaviour) a: 0 -> ours 9, theirs 8\n"
    assert main(["resolve", "--project", str(project), "--take", "theirs", "*", "--add"]) == 0
    git(project, "commit", "-q", "-m", "resolved")
    assert (project / SCENE).read_text() == scene(a=8, b=2)
    assert "oid sha256:" in git(project, "show", f"HEAD:{SCENE}")


# --- the setup


def test_what_came_goes_byte_for_byte(tmp_path: Path) -> None:
    project = make_repository(tmp_path / "game")
    config = (project / ".git/config").read_bytes()
    assert [step.state for step in set_up(str(project), hook=False, merge=True)] == [ADDED] * 4
    assert [step.state for step in set_up(str(project), hook=False, merge=True)] == [THERE] * 4
    assert [step.what for step in take_away(str(project))] == [
        "diff.unity.textconv",
        "merge.assetdb.driver",
        "diff=unity",
        "merge=assetdb",
    ]
    assert (project / ".git/config").read_bytes() == config
    assert not (project / ".gitattributes").exists()


def test_another_merge_tool_stays(tmp_path: Path) -> None:
    project = make_repository(tmp_path / "game")
    (project / ".gitattributes").write_text("*.unity merge=unityyamlmerge\n")
    step = list(set_up(str(project), hook=False, merge=True))[-1]
    assert step.state == ADDED
    assert step.why == "git merges *.unity (unityyamlmerge) in another way: left unchanged"
    assert "*.prefab merge=assetdb\n" in (project / ".gitattributes").read_text()
    assert "*.unity merge=assetdb" not in (project / ".gitattributes").read_text()


def test_a_driver_of_that_name_stays(tmp_path: Path) -> None:
    project = make_repository(tmp_path / "game")
    git(project, "config", "merge.assetdb.driver", "mine %A")
    step = list(set_up(str(project), hook=False, merge=True))[2]
    assert (step.state, step.why) == (LEFT, "it is 'mine %A': left unchanged")
    assert REMOVED in {step.state for step in take_away(str(project))}
    assert git(project, "config", "merge.assetdb.driver") == "mine %A\n"


def test_the_style_of_the_repository_is_the_driver_s(tmp_path: Path) -> None:
    project = make_repository(tmp_path / "game")
    git(project, "config", "merge.conflictStyle", "zdiff3")
    list(set_up(str(project), hook=False, merge=True))
    assert "--marker-size %L --diff3 ||" in git(project, "config", "merge.assetdb.driver")
