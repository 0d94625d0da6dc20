"""Two metas that were made to have one hash, wherever contents are compared."""

from __future__ import annotations

import shutil
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

import assetdb
from assetdb.cli import main
from assetdb.memo.contents import content_of_bytes
from tests.assetdb.checks.healthy import make_healthy, put
from tests.forged import GUIDS, forged_metas
from tests.needs import require_git

if TYPE_CHECKING:
    from pathlib import Path

USER = f"%YAML 1.1\n--- !u!114 &11400000\nMonoBehaviour:\n  x: {{fileID: 11400000, guid: {GUIDS[0]}, type: 2}}\n"
THING = "%YAML 1.1\n--- !u!114 &11400000\nMonoBehaviour:\n  m_Name: Thing\n"
META = "Assets/Data/Thing.asset.meta"
FIRST, SECOND = forged_metas()


@pytest.fixture(autouse=True)
def all_is_old(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no file count as too young to be known by its times."""
    monkeypatch.setattr(time, "time_ns", lambda: time.perf_counter_ns() + (1 << 62))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project in which a file refers to the first meta's GUID."""
    root = make_healthy(tmp_path / "Game")
    put(root, "Assets/Data/User.asset", USER)
    put(root, "Assets/Data/Thing.asset", THING)
    (root / META).write_bytes(FIRST)
    return root


def git(root: Path, *words: str) -> None:
    who = ("-c", "user.name=n", "-c", "user.email=e@e", "-c", "core.autocrlf=false")
    require_git()
    subprocess.run(["git", *who, *words], cwd=root, check=True, capture_output=True)


def committed(root: Path) -> None:
    (root / ".gitignore").write_text("Library/\n")
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "first")


def missing(root: Path, capsys: pytest.CaptureFixture[str], *words: str) -> bool:
    """Whether a check says that the user's reference leads nowhere."""
    main(["check", "--project", str(root), *words])
    return f"x: no asset has the GUID {GUIDS[0]}" in capsys.readouterr().out


def test_a_bake_and_a_check_of_one_folder_see_the_second(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert not missing(project, capsys)
    (project / META).write_bytes(SECOND)
    assert missing(project, capsys)
    assetdb.bake(project, keep_going=True)
    with assetdb.open_database(project / "Library/assetdb/asset-db.bin") as database:
        assert GUIDS[0] not in database
        assert GUIDS[1] in database


@pytest.mark.parametrize("words", [("--since", "HEAD"), ("--staged",)])
def test_a_check_of_a_change_sees_the_second(
    project: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    committed(project)
    (project / META).write_bytes(SECOND)
    git(project, "add", "-A")
    assert missing(project, capsys, *words)


def test_a_clone_with_the_facts_of_the_first_sees_the_second(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ASSETDB_FACTS", str(tmp_path / "facts"))
    assert not missing(project, capsys)
    assert list((tmp_path / "facts").glob("*/*.asset-db.memo"))
    clone = shutil.copytree(project, tmp_path / "clone" / "Game", ignore=shutil.ignore_patterns("Library"))
    (clone / META).write_bytes(SECOND)
    assert missing(clone, capsys)


def test_a_clone_with_the_output_folder_of_the_first_sees_the_second(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not missing(project, capsys)
    clone = shutil.copytree(project, tmp_path / "clone" / "Game", copy_function=shutil.copyfile)
    (clone / META).write_bytes(SECOND)
    assert missing(clone, capsys)


def test_the_memo_tells_them_apart_by_all_of_the_hash() -> None:
    assert content_of_bytes(FIRST) != content_of_bytes(SECOND)
    assert content_of_bytes(FIRST).bit_length() > 64
