"""Which of two assets with one GUID is to get a new one, and how diagnostics are listed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from assetdb.history.git.questions import Held, added
from assetdb.query.snapshots.snapshot import open_project
from tests.needs import hide_git, needs_git, needs_scripts
from tests.system.graph.project import HEAD, add, data_asset, guid_of, reference, write_project

if TYPE_CHECKING:
    from pathlib import Path

MATERIAL = f"{HEAD}--- !u!21 &2100000\nMaterial:\n  m_Name: x\n"


def git(folder: Path, *words: str, at: int = 1_700_000_000) -> None:
    identity = {f"GIT_{who}_{what}": "x" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    dates = {f"GIT_{who}_DATE": f"{at} +0000" for who in ("AUTHOR", "COMMITTER")}
    environment = {**os.environ, **identity, **dates, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    subprocess.run(["git", *words], cwd=folder, env=environment, check=True, capture_output=True, timeout=60)


def held(root: Path, guid: str) -> Held | None:
    """Return what git says had a GUID."""
    opened = open_project(str(root))
    try:
        return opened.losses.held(guid)
    finally:
        opened.close()


def share(root: Path, path: str, with_path: str) -> None:
    meta = root / f"{path}.meta"
    meta.write_text(meta.read_text().replace(guid_of(path), guid_of(with_path)))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = write_project(tmp_path / "Project")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    return folder


def test_the_one_that_fewer_references_can_mean(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(project, "Assets/A.asset", data_asset("A"))
    add(project, "Assets/Z.mat", MATERIAL)
    share(project, "Assets/Z.mat", "Assets/A.asset")
    for number in range(3):
        add(project, f"Assets/User{number}.asset", data_asset("User", reference("Assets/A.asset", 2100000)))
    expected = "give Assets/A.asset a new GUID, which no reference can mean, where 3 mean Assets/Z.mat"
    assert main(["bake"]) == 2
    assert capsys.readouterr().err.count(expected) == 2
    assert main(["bake", "--keep-going"]) == 0
    assert capsys.readouterr().err.count(expected) == 2
    add(project, "Assets/Users.asset", data_asset("User", reference("Assets/A.asset")))
    assert main(["bake", "--keep-going"]) == 0
    assert "which only 1 reference can mean, where 3 mean Assets/Z.mat" in capsys.readouterr().err


@needs_git
def test_else_the_newer_in_git(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(project, "init", "-q")
    add(project, "Assets/Z.mat", MATERIAL)
    git(project, "add", ".")
    git(project, "commit", "-qm", "one")
    add(project, "Assets/A.mat", MATERIAL)
    share(project, "Assets/A.mat", "Assets/Z.mat")
    expected = "give Assets/A.mat a new GUID, which is newer in git"
    assert main(["bake"]) == 2
    assert capsys.readouterr().err.count(expected) == 2  # not committed
    git(project, "add", ".")
    git(project, "commit", "-qm", "two", at=1_700_009_999)
    assert main(["bake", "--keep-going"]) == 0
    assert capsys.readouterr().err.count(expected) == 2
    assert added(str(project), "Assets/Z.mat.meta") == 1_700_000_000
    assert added(str(project), "Assets/A.mat.meta") == 1_700_009_999
    assert added(str(project), "Assets/$(touch owned).mat.meta") == 0


def test_no_git_no_advice(project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for path in ("Assets/A.mat", "Assets/Z.mat"):
        add(project, path, MATERIAL)
    share(project, "Assets/A.mat", "Assets/Z.mat")
    hide_git(monkeypatch, str(project))
    assert added(str(project), "Assets/A.mat.meta") is None
    assert held(project, guid_of("Assets/Z.mat")) is None
    assert main(["bake"]) == 2
    assert capsys.readouterr().err.count("give one of the two a new GUID") == 2


def test_warnings_of_a_kind_are_three(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(7):
        add(project, f"Assets/Empty{number}.asset")
    for number in range(4):
        (project / f"Assets/Alone{number}.txt.meta").write_text(f"fileFormatVersion: 2\nguid: {number:032x}\n")
    assert main(["bake"]) == 0
    out, err = capsys.readouterr()
    assert err.count(": empty-asset: the file") == 3
    assert "warning: empty-asset: 4 more (--verbose lists all)\n" in err
    assert err.count(": orphan-meta: ") == 4  # a line that says "1 more" would be no shorter
    assert out.rstrip().endswith("; 7 empty-asset, 4 missing-meta, 4 orphan-meta")
    for option in ("--verbose", "-v"):
        assert main(["bake", option]) == 0
        assert capsys.readouterr().err.count(": empty-asset: the file") == 7
    assert main(["bake", "-q"]) == 0
    assert capsys.readouterr() == ("", "")


@needs_git
def test_where_a_guid_was(project: Path) -> None:
    git(project, "init", "-q")
    add(project, "Assets/Old/X ü.cs")
    git(project, "add", ".")
    git(project, "commit", "-qm", "one")
    guid = guid_of("Assets/Old/X ü.cs")
    assert held(project, guid) is None  # it is there
    body = f"  materials: {{fileID: 1, guid: {guid}, type: 2}}\n"
    add(project, "Assets/User.fbx", "", "ModelImporter", body)
    git(project, "add", ".")
    git(project, "commit", "-qm", "a user")
    (project / "Assets/Old/X ü.cs.meta").unlink()
    git(project, "add", "-A")
    git(project, "commit", "-qm", "two")
    head = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=project, capture_output=True, check=True)
    assert held(project, guid) == ("Assets/Old/X ü.cs", head.stdout.decode().strip())
    assert held(project, "f" * 32) is None


@needs_git
def test_deleted_but_used(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(project, "init", "-q")
    add(project, "Assets/Old/X.asset", data_asset("X"))
    guid = guid_of("Assets/Old/X.asset")
    add(project, "Assets/User.asset", data_asset("User", reference("Assets/Old/X.asset")))
    git(project, "add", ".")
    git(project, "commit", "-qm", "one")
    assert main(["bake", "-q"]) == 0
    assert main(["coverage", "--json"]) == 0
    before = json.loads(capsys.readouterr().out)
    (project / "Assets/Old/X.asset.meta").unlink()
    (project / "Assets/Old/X.asset").unlink()
    assert main(["bake", "-q"]) == 0
    assert main(["name", f"{guid}:11400000"]) == 1
    expected = f"assetdb: {guid}:11400000: missing-asset: was Assets/Old/X.asset and its deletion is not committed\n"
    assert capsys.readouterr().err == expected
    git(project, "add", "-A")
    git(project, "commit", "-qm", "two")
    head = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=project, capture_output=True, check=True)
    commit = head.stdout.decode().strip()
    assert main(["name", guid]) == 1
    assert capsys.readouterr().err == f"assetdb: {guid}: missing-asset: was Assets/Old/X.asset until {commit}\n"
    assert main(["name", guid, "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["was"] == {"path": "Assets/Old/X.asset", "commit": commit}
    assert main(["deps", "Assets/User.asset"]) == 0
    assert f"(not in the project)  missing-asset  {guid}" in capsys.readouterr().out
    assert main(["coverage", "--json"]) == 0
    after = json.loads(capsys.readouterr().out)
    assert (after["missing"] - before["missing"], after["outside"] - before["outside"]) == (1, 0)
    assert main(["annotate", "Assets/User.asset"]) == 0
    assert f"guid: {guid}, type: 2}} # missing-asset" in capsys.readouterr().out
    # A package that is neither here nor known may have it.
    (project / "Packages").mkdir(exist_ok=True)
    (project / "Packages/manifest.json").write_text('{"dependencies": {"com.acme.other": "2.0.0"}}')
    assert main(["name", guid_of("nothing")]) == 1
    assert ": package-not-present: " in capsys.readouterr().err
    (project / "Packages/manifest.json").write_text('{"dependencies": {"com.unity.timeline": "1.2.0"}}')
    assert main(["name", guid_of("nothing")]) == 1
    assert ": missing-asset: " in capsys.readouterr().err


@needs_git
@needs_scripts
@pytest.mark.parametrize("older", [False, True], ids=["git", "git that fetches lazily"])
def test_a_partial_clone_runs_no_program_of_its_settings(
    project: Path, monkeypatch: pytest.MonkeyPatch, *, older: bool
) -> None:
    """Git before 2.45 knows no ``GIT_NO_LAZY_FETCH``: what it lacks it fetches by the repository's own program."""
    git(project, "init", "-q")
    old = add(project, "Assets/Old.mat", MATERIAL)
    git(project, "add", ".")
    git(project, "commit", "-qm", "one")
    words = ["git", "rev-parse", "HEAD:Assets/Old.mat.meta"]
    lost = subprocess.run(words, cwd=project, capture_output=True, check=True, text=True).stdout.strip()
    old.unlink()
    (project / "Assets/Old.mat.meta").unlink()
    git(project, "add", "-A")
    git(project, "commit", "-qm", "two")
    (project / ".git/objects" / lost[:2] / lost[2:]).unlink()
    ran = project.parent / "ran"
    for key, value in (
        ("core.repositoryFormatVersion", "1"),
        ("extensions.partialClone", "origin"),
        ("remote.origin.url", str(project)),
        ("remote.origin.promisor", "true"),
        ("remote.origin.uploadpack", f"touch '{ran}'; git-upload-pack"),
    ):
        git(project, "config", key, value)
    if older:
        wrapper = project.parent / "bin" / "git"
        wrapper.parent.mkdir()
        wrapper.write_text(f'#!/bin/sh\nunset GIT_NO_LAZY_FETCH\nexec "{shutil.which("git")}" "$@"\n')
        wrapper.chmod(0o755)
        monkeypatch.setenv("PATH", f"{wrapper.parent}{os.pathsep}{os.environ['PATH']}")
    assert held(project, guid_of("Assets/Old.mat")) is None
    assert not ran.exists()
