"""The backend for Watchman, with a program that plays its part."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from assetdb.daemon.observers.events import COOKIE
from assetdb.daemon.observers.paths import WatchedPaths
from assetdb.daemon.observers.watchman import WatchmanObserver, find_watchman
from tests.needs import needs_scripts
from tests.system.graph.project import add, data_asset, write_project
from tests.system.watch.loop import Loop, assert_as_cold
from tests.system.watch.writer import Writer

pytestmark = needs_scripts


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return write_project(tmp_path / "Project")


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    program = tmp_path / "bin" / "watchman"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "{Path(__file__).with_name("fake_watchman.py")}" "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.delenv("FAKE_WATCHMAN", raising=False)
    assert find_watchman() == str(program)
    return monkeypatch


def test_changes_are_seen_and_synced(project: Path, tmp_path: Path, play: pytest.MonkeyPatch) -> None:
    folder = project / "Library" / "assetdb"
    writer = Writer(project, tmp_path / "outside", 4)
    with Loop(project, backend="watchman") as loop:
        assert loop.reconciler.status()["backend"] == "watchman"
        for _ in range(6):
            for _ in range(20):
                writer.step()
            loop.sync()
            assert_as_cold(project, folder, tmp_path / "cold")
        assert loop.reconciler.status()["reconciles"] == 0
        (folder / "asset-db.bin").unlink()
        loop.run(0.5)
        assert (folder / "asset-db.bin").is_file()


def test_watchman_is_not_sure(project: Path, tmp_path: Path, play: pytest.MonkeyPatch) -> None:
    with Loop(project, backend="watchman") as loop:
        (tmp_path / "lose").touch()
        loop.run(0.1)
        add(project, "Assets/Lost/New.asset", data_asset("New"))
        (tmp_path / "lose").unlink()
        loop.sync()
        assert_as_cold(project, project / "Library" / "assetdb", tmp_path / "cold")
        assert loop.reconciler.status()["rescan_reason"] == "watchman began again"


@pytest.mark.parametrize("whim", ["refuse", "garbage", "end", "cancel"])
def test_watchman_fails(project: Path, tmp_path: Path, play: pytest.MonkeyPatch, whim: str) -> None:
    play.setenv("FAKE_WATCHMAN", whim)
    with Loop(project, backend="watchman") as loop:
        end = time.monotonic() + 30
        while loop.reconciler.status()["backend"] == "watchman":
            assert time.monotonic() < end
            loop.step(0.1)
        assert any("watchman" in line for line in loop.logged)
        add(project, "Assets/New.asset", data_asset("New"))
        loop.sync()
        assert_as_cold(project, project / "Library" / "assetdb", tmp_path / "cold")


def test_the_project_itself_may_be_the_output(project: Path, play: pytest.MonkeyPatch) -> None:
    root = os.fsencode(project)
    observer = WatchmanObserver(WatchedPaths(root, root), lambda: None, find_watchman())
    observer.start()
    try:
        (project / f"{os.fsdecode(COOKIE)}1").touch()
        (project / "asset-db.bin").touch()
        cookies: set[str] = set()
        touched = False
        end = time.monotonic() + 60
        while not (cookies and touched) and time.monotonic() < end:
            seen = observer.collect()
            cookies |= seen.cookies
            touched = touched or seen.output_touched
            time.sleep(0.01)
    finally:
        observer.stop()
    assert (cookies, touched) == ({f"{os.fsdecode(COOKIE)}1"}, True)
