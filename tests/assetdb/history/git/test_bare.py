"""Projects in bare repositories."""

from __future__ import annotations

import json
import os
import shutil
from typing import TYPE_CHECKING

import pytest

import assetdb
from assetdb.cli import main
from assetdb.errors import HistoryError
from assetdb.history.git.bare import empty_work_tree, split_repository
from assetdb.query.snapshots.snapshot import Snapshot, open_project
from tests.assetdb.history.git_project import commit, git, make_repository, meta_of, script
from tests.assetdb.unity_project import HEAD, game_object, guid, write

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """Return a bare repository with a project in a folder; its second commit renames a scene."""
    root = make_repository(tmp_path / "source", "Client")
    scene = root / "Assets" / "Main.unity"
    for path, name in ((meta_of(scene), "Menu.unity.meta"), (scene, "Menu.unity")):
        path.rename(path.parent / name)
    commit(root)
    git(tmp_path, "clone", "-q", "--bare", "source", "Game.git")
    return tmp_path / "Game.git"


def state_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def ran(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(list(words))
    said = capsys.readouterr()
    return code, said.out, said.err


def test_questions_about_revisions(bare: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = state_of(bare)
    project = f"{bare}:Client"
    for revision, scene in (("HEAD", "Assets/Menu.unity"), ("main~1", "Assets/Main.unity")):
        code, out, err = ran(capsys, "find", "Assets/M", "--json", "--project", project, "--rev", revision)
        assert (code, [json.loads(line)["path"] for line in out.splitlines()]) == (0, [scene])
        assert err == f"assetdb: as of {revision}\n"
    code, out, _ = ran(capsys, "diff", "HEAD~1..HEAD", "--project", project)
    assert (code, out.splitlines()[0]) == (0, "renamed   Assets/Main.unity -> Assets/Menu.unity  (SceneAsset)")
    assert state_of(bare) == before


def test_the_empty_work_tree_is_closed_before_it_goes(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows removes no folder whose files are mapped: each question ended with "Directory not empty"."""
    closed: list[bool] = []

    def opening(root: str, folder: str, *, may_change_directory: bool) -> Snapshot:
        found = open_project(root, folder, may_change_directory=may_change_directory)

        def close() -> None:
            closed.append(os.path.isdir(root))
            Snapshot.close(found)

        monkeypatch.setattr(found, "close", close)
        return found

    monkeypatch.setattr("assetdb.cli.history.revision.open_project", opening)
    assert main(["find", "Assets/M", "--rev", "HEAD", "--project", f"{bare}:Client"]) == 0
    assert closed == [True]


def test_a_database_is_that_of_a_checkout(bare: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    to = tmp_path / "asset-db.bin"
    code, _, err = ran(capsys, "bake", "--rev", "HEAD", "--to", str(to), "--project", f"{bare}:Client")
    assert (code, err) == (0, "")
    git(tmp_path, "clone", "-q", str(bare), "checkout")
    result = assetdb.bake(tmp_path / "checkout" / "Client", tmp_path / "out", keep_going=True)
    with open(result.database, "rb") as file:
        assert to.read_bytes() == file.read()


def test_what_cannot_be_asked_is_said(bare: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words, said in (
        (("find", "x", "--project", f"{bare}:Client"), "which has no files: name a revision (--rev HEAD)"),
        (("status", "--project", f"{bare}:Client"), "which has no files: ask a clone of it"),
        (("history", "Main.unity", "--project", f"{bare}:Client"), "which has no files: ask a clone of it"),
        (("diff", "--project", f"{bare}:Client"), "which has no files: name two revisions (HEAD~1..HEAD)"),
        (("diff", "HEAD", "--project", f"{bare}:Client"), "which has no files: name two revisions (HEAD~1..HEAD)"),
        (("check", "--project", f"{bare}:Client"), "which has no files: name a revision (--rev HEAD)"),
        (("check", "--staged", "--project", f"{bare}:Client"), "which has no files: leave out --staged and --since"),
        (("check", "--since", "HEAD~1", "--project", f"{bare}:Client"), "or a merge (--merge OURS...THEIRS)"),
        (
            ("find", "x", "--rev", "HEAD", "--project", f"{bare}:Server"),
            "has no Unity project at HEAD: name its folder",
        ),
        (("find", "x", "--rev", "HEAD", "--project", f"{bare}:../Client"), "is not a folder of"),
        (("find", "x", "--rev", "HEAD", "--project", str(bare)), "has no Unity project at HEAD"),
        (("find", "x", "--rev", "no", "--project", f"{bare}:Client"), "git knows no revision 'no' here"),
        (("find", "x", "--rev", "HEAD", "--project", f"{bare}x:Client"), "is not a Unity project"),
    ):
        code, out, err = ran(capsys, *words)
        assert (code, out) == (2, ""), words
        assert said in err, words


def test_a_merge_in_a_bare_repository(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = make_repository(tmp_path / "source", "Client")
    git(root, "switch", "-q", "-c", "feature")
    write(root, "Assets/Prefabs/New.prefab", 60, HEAD + game_object(100, "New", 0, script(3)))
    commit(root)
    git(root, "switch", "-q", "main")
    (user,) = [path for path in root.rglob("*.meta") if guid(3) in path.read_text()]
    user.unlink()
    user.with_suffix("").unlink()
    commit(root)
    git(tmp_path, "clone", "-q", "--bare", "source", "Game.git")
    bare = tmp_path / "Game.git"
    before = state_of(bare)
    for merge in ("feature", "main...feature"):
        code, out, err = ran(capsys, "check", "--merge", merge, "--json", "--project", f"{bare}:Client")
        rows = [json.loads(line) for line in out.splitlines()]
        assert (code, [(row["code"], row["path"]) for row in rows]) == (
            1,
            [("missing-script", "Assets/Prefabs/New.prefab")],
        ), err
    assert ran(capsys, "check", "--merge", "HEAD~1", "--project", f"{bare}:Client")[0] == 0
    assert ran(capsys, "check", "--merge", "no", "--project", f"{bare}:Client")[0] == 2
    assert state_of(bare) == before


def test_a_package_in_a_bare_repository(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = make_repository(tmp_path / "source")
    shutil.rmtree(root / "ProjectSettings")
    shutil.move(root / "Assets", root / "Runtime")
    (root / "package.json").write_text('{"name": "com.example.tower"}')
    commit(root)
    git(tmp_path, "clone", "-q", "--bare", "source", "Tower.git")
    code, out, _ = ran(capsys, "path", "Main", "--project", str(tmp_path / "Tower.git"), "--rev", "HEAD")
    assert (code, out.strip()) == (0, "Packages/com.example.tower/Runtime/Main.unity")


def test_a_text_that_names_no_bare_repository(bare: Path, tmp_path: Path) -> None:
    assert split_repository(f"{bare}:Client/Unity") == (str(bare), "Client/Unity")
    assert split_repository(str(bare)) == (str(bare), "")
    for text in (str(tmp_path), f"{tmp_path}:x", "", ":", str(bare / "objects")):
        assert split_repository(text) is None


def test_the_work_tree_goes_and_a_damaged_repository_is_an_error(bare: Path) -> None:
    with empty_work_tree(str(bare), "Client", "HEAD") as root:
        assert sorted(os.listdir(root)) == ["Assets", "ProjectSettings"]
    assert not os.path.exists(root)
    (bare / "HEAD").write_text("nonsense")
    with pytest.raises(HistoryError), empty_work_tree(str(bare), "Client", "HEAD"):
        pass


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
def test_a_repository_of_somebody_else_is_refused_as_git_refuses_it(
    bare: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for path in (bare, *bare.rglob("*")):
        os.chown(path, 65534, 65534)
    words = ("find", "Main", "--project", f"{bare}:Client", "--rev", "HEAD")
    code, out, err = ran(capsys, *words)
    assert (code, out) == (2, "")
    assert "dubious ownership" in err
    (tmp_path / ".gitconfig").write_text(f"[safe]\n\tdirectory = {bare}\n")
    assert ran(capsys, "find", "Menu", *words[2:])[0] == 0


def test_no_output_folder_is_made_of_a_bare_repository(
    bare: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ASSETDB_OUT_DIR", str(tmp_path / "out"))
    assert ran(capsys, "find", "Menu", "--project", f"{bare}:Client", "--rev", "HEAD")[0] == 0
    assert not (tmp_path / "out").exists()


def test_a_part_of_a_repository_is_none(bare: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (bare / "part" / "objects").mkdir(parents=True)
    (bare / "part" / "HEAD").write_text("ref: refs/heads/main\n")
    code, out, err = ran(capsys, "find", "x", "--project", str(bare / "part"), "--rev", "HEAD")
    assert (code, out) == (2, "")
    assert f"is a part of {bare}" in err
