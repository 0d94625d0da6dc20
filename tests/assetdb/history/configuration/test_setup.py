"""``git-setup`` changes nothing of the user's, and leaves nothing."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from assetdb.errors import HistoryError
from assetdb.history.configuration.merge_driver import driver_line
from assetdb.history.configuration.setup import ADDED, LEFT, MISSING, REMOVED, THERE, set_up, take_away
from tests.assetdb.history.git_project import IDENTITY, git, make_repository
from tests.needs import needs_any_name, needs_git, needs_links, needs_scripts

if TYPE_CHECKING:
    from pathlib import Path


def files(folder: Path) -> dict[str, tuple[bytes, int]]:
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "objects" not in path.parts:
            found[str(path.relative_to(folder))] = (path.read_bytes(), stat.S_IMODE(path.stat().st_mode))
    return found


def states(root: Path, *, remove: bool = False) -> list[str]:
    return [step.state for step in (take_away(str(root)) if remove else set_up(str(root)))]


@pytest.mark.parametrize("inside", ["", "Game", pytest.param("My 'own' $HOME \"game\"", marks=needs_any_name)])
def test_what_came_goes_byte_for_byte(tmp_path: Path, inside: str) -> None:
    root = make_repository(tmp_path, inside)
    git(tmp_path, "config", "user.name", "me")
    before = files(tmp_path)
    assert states(root) == [ADDED, ADDED, ADDED]
    made = files(tmp_path)
    assert states(root) == [THERE, THERE, THERE]
    assert files(tmp_path) == made
    assert states(root, remove=True) == [REMOVED, REMOVED, REMOVED]
    assert states(root, remove=True) == []
    assert files(tmp_path) == before


def test_what_the_user_has_stays(tmp_path: Path) -> None:
    root = make_repository(tmp_path)
    git(root, "config", "diff.unity.textconv", "mine")
    (root / ".gitattributes").write_bytes(b"*.prefab diff=mine\r\n*.png -text")
    (root / ".git" / "hooks").mkdir(exist_ok=True)
    (root / ".git" / "hooks" / "pre-commit").write_text("#!/bin/sh\nmine\n")
    before = files(root)
    steps = list(set_up(str(root)))
    assert [step.state for step in steps] == [LEFT, ADDED, LEFT]
    assert "'mine'" in steps[0].why
    assert "*.prefab" in steps[1].why
    assert "assetdb check --staged" in steps[2].why
    told = git(root, "check-attr", "diff", "--", "a.prefab", "a.unity").splitlines()
    assert told == ["a.prefab: diff: mine", "a.unity: diff: unity"]
    states(root, remove=True)
    assert files(root) == before


def test_files_with_extensions_in_capitals_are_shown_and_merged_by_object(tmp_path: Path) -> None:
    root = make_repository(tmp_path)
    for name in ("Hall.UNITY", "Hall.UNITY.Meta", "Photo.PNG"):
        (root / "Assets" / name).write_bytes(b"%YAML 1.1\n")
    git(root, "add", "-A")
    assert [step.state for step in set_up(str(root), hook=False, merge=True)] == [ADDED] * 4
    paths = ("Assets/Hall.UNITY", "Assets/Hall.UNITY.Meta", "Assets/Hall.unity", "Assets/Photo.PNG")
    told = [line.rpartition(" ")[2] for line in git(root, "check-attr", "diff", "merge", "--", *paths).splitlines()]
    assert told == ["unity", "assetdb", "unspecified", "assetdb", "unity", "assetdb", "unspecified", "unspecified"]
    assert [step.state for step in set_up(str(root), hook=False, merge=True)] == [THERE] * 4
    list(take_away(str(root)))
    assert not (root / ".gitattributes").exists()


def test_a_hook_that_was_changed_stays(tmp_path: Path) -> None:
    root = make_repository(tmp_path)
    list(set_up(str(root)))
    hook = root / ".git" / "hooks" / "pre-commit"
    hook.write_text(hook.read_text() + "more\n")
    assert states(root, remove=True) == [REMOVED, REMOVED, LEFT]
    assert hook.exists()


def test_hooks_go_where_git_looks_for_them(tmp_path: Path) -> None:
    root = make_repository(tmp_path, "Game")
    git(tmp_path, "config", "core.hooksPath", ".githooks")
    list(set_up(str(root)))
    assert os.access(tmp_path / ".githooks" / "pre-commit", os.X_OK)
    list(take_away(str(root)))
    assert not (tmp_path / ".githooks" / "pre-commit").exists()


def test_hooks_of_all_repositories_are_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = make_repository(tmp_path / "repository")
    home = tmp_path / "home"
    home.mkdir()
    (home / ".gitconfig").write_text(f"[core]\n\thooksPath = {home.as_posix()}/hooks\n")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    steps = list(set_up(str(root)))
    assert (steps[2].state, "all your repositories" in steps[2].why) == (LEFT, True)
    assert not (home / "hooks").exists()


def test_a_folder_of_hooks_on_another_drive_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in Windows, where no relative path leads from a repository on D: to hooks on C:."""
    root, hooks = make_repository(tmp_path / "repository"), tmp_path / "hooks"
    git(root, "config", "core.hooksPath", hooks.as_posix())
    within_a_drive = os.path.relpath

    def relpath(path: str, start: str = os.curdir) -> str:
        if str(hooks) in str(path):
            raise ValueError("path is on mount 'C:', start on mount 'D:'")
        return within_a_drive(path, start)

    monkeypatch.setattr(os.path, "relpath", relpath)
    step = list(set_up(str(root)))[-1]
    assert (step.state, step.path) == (LEFT, os.path.join(hooks.as_posix(), "pre-commit"))


def test_another_git_that_writes_is_waited_for_by_the_user(tmp_path: Path) -> None:
    root = make_repository(tmp_path)
    (root / ".git" / "config.lock").write_text("")
    before = files(root)
    with pytest.raises(HistoryError, match=r"config\.lock"):
        list(set_up(str(root)))
    assert files(root) == before


@needs_git
def test_without_a_repository_it_is_said(tmp_path: Path) -> None:
    with pytest.raises(HistoryError, match="git init"):
        list(set_up(str(tmp_path)))


def put_program(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Have a shell script stand for the command, which may write to ``$LOG``."""
    program = folder / "Program Files" / "assetdb"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("LOG", str(folder / "log"))


@needs_scripts
@pytest.mark.parametrize("inside", ["", "My 'own' $HOME \"game\""])
def test_git_runs_what_was_set_up(tmp_path: Path, inside: str, monkeypatch: pytest.MonkeyPatch) -> None:
    put_program(tmp_path, monkeypatch, 'for word in "$@"; do echo "<$word>" >> "$LOG"; done\n[ "$1" != check ]')
    repository = tmp_path / "repository"
    root = make_repository(repository, inside)
    list(set_up(str(root)))
    tower = root / "Assets/Prefabs/Tower.prefab"
    tower.write_text(tower.read_text().replace("Tower", "Castle"))
    git(repository, "diff")
    log = (tmp_path / "log").read_text()
    assert log.startswith("<annotate>\n<--textconv>\n" + (f"<--project>\n<{inside}>\n" if inside else "") + "<-->\n")
    git(repository, "add", "-A")
    environment = dict(os.environ) | IDENTITY
    done = subprocess.run(["git", "-C", str(repository), "commit", "-qm", "x"], env=environment, check=False)
    assert done.returncode == 1
    expected = "<check>\n<--staged>\n" + (f"<--project>\n<{inside}>\n" if inside else "")
    assert (tmp_path / "log").read_text().endswith(expected)


@needs_scripts
def test_a_merge_is_checked_after_it_was_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_program(tmp_path, monkeypatch, 'echo "$@" >> "$LOG"')
    root = make_repository(tmp_path / "repository")
    git(root, "checkout", "-qb", "feature")
    (root / "Assets" / "note.txt").write_text("new")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "new")
    git(root, "checkout", "-q", "main")
    found = [(step.state, step.what) for step in set_up(str(root), hook=False, merge_hook=True)]
    assert found[-1] == (ADDED, "post-merge")
    assert (ADDED, "pre-commit") not in found
    git(root, "merge", "-q", "feature")
    assert (tmp_path / "log").read_text() == "check --since ORIG_HEAD --exit-zero\n"
    assert (REMOVED, "post-merge") in [(step.state, step.what) for step in take_away(str(root))]
    assert not (root / ".git/hooks/post-merge").exists()


def test_a_folder_of_hooks_outside_the_repository_is_left_and_said(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "repository")
    outside = tmp_path / "hooks"
    outside.mkdir()
    git(root, "config", "core.hooksPath", "../hooks")
    step = list(set_up(str(root)))[-1]
    assert step.state == LEFT
    assert "of core.hooksPath, and leads out of the repository" in step.why
    assert "assetdb check --staged" in step.why
    git(root, "config", "--unset", "core.hooksPath")
    if sys.platform != "win32":
        hooks = root / ".git/hooks"
        for path in hooks.iterdir() if hooks.is_dir() else ():
            path.unlink()
        hooks.rmdir() if hooks.is_dir() else None
        hooks.symlink_to(outside)
        assert "is a link, and leads out of the repository" in list(set_up(str(root)))[-1].why
        (outside / "pre-commit").write_bytes(hook_of(root))
        assert [(step.state, step.path) for step in take_away(str(root))][-1] == (LEFT, ".git/hooks/pre-commit")
        assert (outside / "pre-commit").exists()
    assert list(outside.iterdir()) in ([], [outside / "pre-commit"])


def hook_of(root: Path) -> bytes:
    """Return the hook that a repository gets."""
    (root / "own").mkdir()
    other = make_repository(root / "own")
    list(set_up(str(other)))
    return (other / ".git/hooks/pre-commit").read_bytes()


@pytest.mark.skipif(sys.platform == "win32", reason="a process is not asked for there")
def test_a_lock_that_a_killed_setup_left_holds_nobody_up(tmp_path: Path) -> None:
    root = make_repository(tmp_path)
    done = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True)
    held = root / ".git/config.lock"
    held.symlink_to(f"assetdb git-setup {int(done.stdout)}")
    assert states(root)[0] == ADDED
    assert not held.is_symlink()
    held.write_bytes(b"")
    with pytest.raises(HistoryError, match=r"config\.lock is there"):
        states(root, remove=True)
    held.unlink()
    held.symlink_to("assetdb git-setup \u00b2")  # a digit, and no number
    with pytest.raises(HistoryError, match=r"config\.lock is there"):
        states(root, remove=True)
    held.unlink()
    held.symlink_to(f"assetdb git-setup {os.getpid()}")
    with pytest.raises(HistoryError, match=r"config\.lock is there"):
        states(root, remove=True)


# --- merges by object


def merge_steps(root: Path, tool: str = "", *, write: bool = True) -> list[tuple[str, str]]:
    """Return states and reasons of the driver and its attributes."""
    return [(step.state, step.why) for step in set_up(str(root), hook=False, merge=True, tool=tool, write=write)][2:]


def test_a_merge_driver_is_added_once(tmp_path: Path) -> None:
    root = make_repository(tmp_path)
    (root / ".gitattributes").write_bytes(b"*.asset merge=lfs\n")
    before = files(root)
    assert merge_steps(root, write=False) == [(MISSING, "")] * 2
    assert files(root) == before
    assert merge_steps(root) == [(ADDED, "")] * 2
    told = git(root, "check-attr", "merge", "--", "a.unity", "a.asset", "a.meta", "a.png").splitlines()
    assert [line.rpartition(" ")[2] for line in told] == ["assetdb", "assetdb-lfs", "assetdb", "unspecified"]
    assert git(root, "config", "merge.assetdb.driver") == driver_line() + "\n"
    made = files(root)
    assert merge_steps(root) == [(THERE, "")] * 2
    assert files(root) == made
    states(root, remove=True)
    assert files(root) == before


def test_a_driver_with_another_tool_is_left(tmp_path: Path) -> None:
    root = make_repository(tmp_path)
    merge_steps(root, "/opt/merge tool")
    configured = driver_line(' --tool "/opt/merge tool"')
    assert git(root, "config", "merge.assetdb.driver") == configured + "\n"
    assert merge_steps(root, "/opt/merge tool")[0] == (THERE, "")
    assert merge_steps(root)[0] == (THERE, "")  # which tool merges first was not asked
    assert merge_steps(root, "/opt/other") == [
        (LEFT, f"it is {configured!r}: run `assetdb git-setup --remove` first"),
        (THERE, ""),
    ]
    git(root, "config", "merge.assetdb.driver", "mine %A")
    assert merge_steps(root)[0] == (LEFT, "it is 'mine %A': left unchanged")


def test_extensions_that_merge_in_another_way_are_left_and_said(tmp_path: Path) -> None:
    root = make_repository(tmp_path)
    (root / ".gitattributes").write_bytes(b"*.unity merge=mine\n*.prefab -merge\n*.png merge=own\n")
    why = "git merges *.prefab (unset), *.unity (mine) in another way: left unchanged"
    assert merge_steps(root, write=False)[1] == (MISSING, why)
    assert merge_steps(root)[1] == (ADDED, why)
    assert merge_steps(root)[1] == (LEFT, why)
    told = git(root, "check-attr", "merge", "--", "a.unity", "a.prefab", "a.mat").splitlines()
    assert [line.rpartition(" ")[2] for line in told] == ["mine", "unset", "assetdb"]


@needs_links
def test_attributes_behind_a_link_are_left(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "game")
    (tmp_path / "attributes").write_bytes(b"")
    (root / ".gitattributes").symlink_to(tmp_path / "attributes")
    ((_, _), (state, why)) = merge_steps(root)
    assert (state, why) == (LEFT, "it is a link: add the lines to the file that it leads to")
    assert (tmp_path / "attributes").read_bytes() == b""
