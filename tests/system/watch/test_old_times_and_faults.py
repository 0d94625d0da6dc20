"""A daemon's answers after changes that leave old times, and while the system cannot tell what the files are."""

from __future__ import annotations

import errno
import sys
import time
from typing import TYPE_CHECKING

import pytest

from tests.system.bake.test_old_times import (
    ATTACKS,
    TICK,
    folders_change_places,
    make_old,
    make_project,
    material,
    write,
)
from tests.system.bake.test_transient_errors import Faults
from tests.system.watch.loop import Loop, assert_as_cold

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.skipif(
    sys.platform not in ("linux", "win32"), reason="the system's own events are not read here"
)


@pytest.mark.parametrize("check_stat", ["default", "minimal"])
@pytest.mark.parametrize("attack", ATTACKS)
def test_a_watched_change_with_an_old_time_is_seen(
    tmp_path: Path, attack: Callable[[Path], None], check_stat: str
) -> None:
    project = make_project(tmp_path / "Project")
    (project / "assetdb.toml").write_text(f'check-stat = "{check_stat}"\n', encoding="utf-8")
    time.sleep(TICK)
    with Loop(project, tmp_path / "out") as loop:
        loop.sync()
        attack(project / "Assets")
        make_old(project / "Assets")
        loop.sync()
        assert_as_cold(project, tmp_path / "out", tmp_path / "cold")
    with Loop(project, tmp_path / "out") as loop:
        loop.sync()
        assert_as_cold(project, tmp_path / "out", tmp_path / "cold")


@pytest.mark.parametrize("backend", ["", "polling"])
def test_while_descriptors_are_short_the_last_good_answers_stay_and_little_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, backend: str
) -> None:
    project = make_project(tmp_path / "Project")
    faults = Faults(monkeypatch, "scandir", errno.EMFILE, b"Assets")
    with Loop(project, tmp_path / "out", backend=backend) as loop:
        loop.sync()
        assert len(loop.session.opened.database) == 6
        before = len(loop.logged)
        faults.armed = True
        for number in range(30):
            write(project / "Assets" / "A" / f"New{number}.mat", 100 + number, material("New"))
            loop.sync(files=False)
            assert "Too many open files" in loop.reconciler.failures.stale_because
            assert len(loop.session.opened.database) == 6
        said = loop.logged[before:]
        assert 1 <= len(said) <= 14, said  # one for each time that the pause grew
        assert not [update for update in loop.updates if any(change.kind == "removed" for change in update.changes)]
        faults.armed = False
        loop.sync()
        assert not loop.reconciler.failures.stale_because
        assert len(loop.session.opened.database) == 36
        assert_as_cold(project, tmp_path / "out", tmp_path / "cold")
        assert any("works again" in line for line in loop.logged)


@pytest.mark.long
def test_the_pauses_grow_and_events_do_not_undo_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = make_project(tmp_path / "Project")
    faults = Faults(monkeypatch, "scandir", errno.EIO, b"Assets")
    with Loop(project, tmp_path / "out") as loop:
        loop.sync()
        faults.armed = True
        met = []
        end = time.monotonic() + 3.0
        number = 0
        while time.monotonic() < end:
            number += 1
            (project / "Assets" / f"Note{number}.txt").write_text("x", encoding="utf-8")
            loop.run(0.02)
            met.append(faults.met)
        assert 1 <= met[-1] <= 12, met  # of more than fifty edits; at most one a second once the pauses have grown
        faults.armed = False
        loop.sync()
        assert_as_cold(project, tmp_path / "out", tmp_path / "cold")


def test_a_folder_that_cannot_be_listed_is_watched_all_the_same_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assetdb.daemon.reconciling.watch._REWATCH", 0.0)
    project = make_project(tmp_path / "Project")
    faults = Faults(monkeypatch, "scandir", errno.ENFILE, b"Fresh")
    with Loop(project, tmp_path / "out") as loop:
        loop.sync()
        backend = loop.reconciler.status()["backend"]
        assert backend in ("inotify", "windows")
        faults.armed = True
        write(project / "Assets" / "Fresh" / "Deep" / "New.mat", 200, material("New"))
        end = time.monotonic() + 30
        while not faults.met and time.monotonic() < end:
            loop.step(0.1)
        faults.armed = False
        loop.sync()
        end = time.monotonic() + 30
        while loop.reconciler.status()["backend"] != backend and time.monotonic() < end:
            loop.step(0.1)
        assert loop.reconciler.status()["backend"] == backend, loop.logged
        write(project / "Assets" / "Fresh" / "Deep" / "Late.mat", 201, material("Late"))
        loop.sync()
        assert_as_cold(project, tmp_path / "out", tmp_path / "cold")


@pytest.mark.parametrize("check_stat", ["default", "minimal"])
def test_folders_that_change_places_are_read_whatever_their_files_times_say(tmp_path: Path, check_stat: str) -> None:
    """The move is the only event: with ``check-stat = "minimal"`` no file tells that it is another one."""
    project = make_project(tmp_path / "Project")
    make_old(project / "Assets")
    (project / "assetdb.toml").write_text(f'check-stat = "{check_stat}"\n', encoding="utf-8")
    time.sleep(TICK)
    with Loop(project, tmp_path / "out") as loop:
        loop.sync()
        folders_change_places(project / "Assets")
        loop.sync()
        assert_as_cold(project, tmp_path / "out", tmp_path / "cold")
