"""Each line of an examination, with what brings it about."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import assetdb
from assetdb.cli import main
from assetdb.doctor.examination import examine
from assetdb.doctor.item import ERROR, OK, WARNING, Item
from assetdb.version import VERSION
from tests.assetdb.history.git_project import commit, git, make_repository
from tests.assetdb.unity_project import make_project
from tests.system.watch.daemons import Project, short_folder

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "Game"
    make_project(root)
    (root / "ProjectSettings" / "ProjectVersion.txt").write_text("m_EditorVersion: 2022.3.10f1\n")
    return root


def lines(root: Path, topic: str, home: Path | None = None) -> list[Item]:
    found = examine(str(root), home=str(home or root / "nobody"))
    return [item for item in found if item.topic == topic]


def files(root: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def test_nothing_is_written(tmp_path: Path) -> None:
    root = make_repository(tmp_path, "Game")
    before = files(tmp_path)
    list(examine(str(root)))
    assert files(tmp_path) == before
    assetdb.bake(root, keep_going=True)
    before = files(tmp_path)
    list(examine(str(root)))
    assert files(tmp_path) == before


def test_the_database_and_its_age(project: Path) -> None:
    assert lines(project, "database") == [
        Item("database", WARNING, "there is none yet", "run `assetdb bake`; the first question also creates it")
    ]
    path = Path(assetdb.bake(project, keep_going=True).database)
    (line,) = lines(project, "database")
    assert (line.state, line.message.endswith(" s ago, up to date")) == (OK, True)
    (project / "Assets" / "new.txt").write_text("new")
    (project / "Assets" / "new.txt.meta").write_text(f"fileFormatVersion: 2\nguid: {'9' * 32}\n")
    (line,) = lines(project, "database")
    assert line.message.endswith("files changed since: the next question reads these")
    path.write_bytes(path.read_bytes()[:100])
    (line,) = lines(project, "database")
    assert (line.state, "assetdb bake" in line.advice) == (ERROR, True)
    path.with_name("asset-db.index").unlink()
    assert lines(project, "database")[0].state == ERROR


def test_a_project_without_a_version_of_unity(project: Path) -> None:
    assert "Unity 2022.3.10f1" in lines(project, "project")[0].message
    (project / "ProjectSettings" / "ProjectVersion.txt").write_bytes(b"\xff\n")
    assert lines(project, "project")[0].state == WARNING


def test_packages_that_are_absent_and_what_that_hides(project: Path) -> None:
    (project / "Packages").mkdir(exist_ok=True)
    (project / "Packages" / "manifest.json").write_text('{"dependencies": {"com.acme.tools": "1.2.3"}}')
    assetdb.bake(project, keep_going=True)
    (line,) = lines(project, "packages")
    assert line.state == WARNING
    assert line.message == "1 of 1 are not here (com.acme.tools@1.2.3): references to their assets cannot be judged"
    main(["check", "-q", "--project", str(project)])
    (line,) = lines(project, "packages")
    assert "could not be judged by the last check" in line.message
    assert "Unity" in line.advice


def test_files_of_lfs_that_were_not_fetched(project: Path) -> None:
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 12345\n"
    found = next(path for path in sorted((project / "Assets").rglob("*.prefab")))
    found.write_bytes(pointer)
    assetdb.bake(project, keep_going=True)
    line = next(line for line in lines(project, "files") if "Git LFS" in line.message)
    assert line.state == WARNING
    assert found.relative_to(project).as_posix() in line.message
    assert line.advice == "run `git lfs pull`"


def test_what_git_setup_would_add_is_a_warning_until_it_is_there(tmp_path: Path) -> None:
    root = make_repository(tmp_path, "Game")
    found = [line for line in lines(root, "git") if "is not set" in line.message]
    assert [line.message.rpartition(": ")[2] for line in found] == [
        "diff.unity.textconv is not set",
        "diff=unity is not set",
        "pre-commit is not set",
    ]
    assert main(["git-setup", "-q", "--project", str(root)]) == 0
    assert {line.state for line in lines(root, "git")} == {OK}
    (root / ".gitattributes").write_bytes((root / ".gitattributes").read_bytes() + b"*.prefab binary\n")
    (line,) = [line for line in lines(root, "git") if line.state != OK]
    assert "*.prefab binary" in line.message


def test_a_database_that_is_committed_is_an_error(tmp_path: Path) -> None:
    root = make_repository(tmp_path, "Game")
    assetdb.bake(root, keep_going=True)
    assert any(line.message == "the output folder is ignored" for line in lines(root, "git"))
    git(root, "add", "-f", "Library/assetdb/asset-db.bin")
    commit(root)
    (line,) = [line for line in lines(root, "git") if line.state == ERROR]
    assert line.message == "Library/assetdb/asset-db.bin is committed"


def test_the_rule_for_an_output_folder_beside_the_project_is_for_a_file_above_both(tmp_path: Path) -> None:
    root = make_repository(tmp_path, "Game")
    for folder, file in ((tmp_path / "Build/db", tmp_path / ".gitignore"), (root / "Cache", root / ".gitignore")):
        assetdb.bake(root, out_dir=folder, keep_going=True)
        (folder / ".gitignore").unlink()  # a folder that was there already has none
        (line,) = [item for item in examine(str(root), str(folder), str(tmp_path)) if "not ignore" in item.message]
        rule = line.advice.removeprefix("add ").partition(" to ")[0]
        assert line.advice.endswith(".gitignore")
        with file.open("a") as rules:
            rules.write(f"{rule}\n")
        found = [item.message for item in examine(str(root), str(folder), str(tmp_path)) if item.topic == "git"]
        assert "the output folder is ignored" in found


def test_a_shallow_clone(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "origin")
    commit(root)
    git(tmp_path, "clone", "-q", "--depth", "1", root.as_uri(), "clone")
    (line,) = [line for line in lines(tmp_path / "clone", "git") if "shallow" in line.message]
    assert line.advice == "run `git fetch --unshallow`"


def test_a_folder_that_is_no_repository(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(project.parent))
    assert [line.state for line in lines(project, "git")] == [WARNING]


def test_extensions_of_another_version(project: Path, tmp_path: Path) -> None:
    folder = tmp_path / "home" / ".vscode" / "extensions"
    (folder / "assetdb.assetdb-0.0.9").mkdir(parents=True)
    found = lines(project, "editors", tmp_path / "home")
    assert (found[-1].state, found[-1].message) == (WARNING, f"VS Code: extension 0.0.9, this is assetdb {VERSION}")
    (folder / f"assetdb.assetdb-{VERSION}-universal").mkdir()
    assert lines(project, "editors", tmp_path / "home")[-1].state == OK


def test_the_unity_package_of_a_project(project: Path) -> None:
    package = project / "Packages" / "com.assetdb.unity"
    package.mkdir(parents=True)
    (package / "package.json").write_text('{"name": "com.assetdb.unity", "version": "0.1.0"}')
    assert lines(project, "editors")[0].message == f"Unity: com.assetdb.unity in {package}"
    shutil.rmtree(package)
    (project / "Packages" / "manifest.json").write_text('{"dependencies": {"com.assetdb.unity": "file:../../gone"}}')
    assert lines(project, "editors")[0].state == WARNING


@pytest.mark.skipif(sys.platform == "win32" or not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write")
def test_an_output_folder_that_cannot_be_written(project: Path) -> None:
    out = project / "Locked"
    out.mkdir(mode=0o555)
    found = [item for item in examine(str(project), str(out)) if item.topic == "output folder"]
    assert [item.state for item in found] == [ERROR]


@pytest.fixture
def watched(project: Path) -> Iterator[Project]:
    found = Project(project, short_folder())
    yield found
    found.end()


def test_a_daemon_that_runs_and_one_that_was_killed(watched: Project) -> None:
    (line,) = lines(watched.root, "daemon")
    assert (line.state, line.message.startswith("none runs")) == (OK, True)
    daemon = watched.start()
    (line,) = lines(watched.root, "daemon")
    assert line.state == OK
    assert f"version {VERSION}" in line.message
    daemon.kill()
    daemon.wait()
    (line,) = lines(watched.root, "daemon")
    assert (line.state, "exited unexpectedly" in line.message) == (WARNING, True)
