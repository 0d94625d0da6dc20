"""At most one daemon holds the lock of an output folder, through its removal and to another one."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING

import pytest

from assetdb.daemon.files.lock import DaemonLock, acquire_daemon_lock, is_held, lock_path
from assetdb.errors import LockedError, ProjectError

if TYPE_CHECKING:
    from pathlib import Path

NAME = "asset-db.watch.lock"


@pytest.fixture(autouse=True, params=[False, True])
def is_apart(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Keep the lock in the folder, and, as on Windows, apart from it."""
    apart = bool(request.param)
    monkeypatch.setattr("assetdb.daemon.files.lock._IS_APART", apart)
    monkeypatch.setattr("assetdb.daemon.files.lock.runtime_folder", lambda: str(tmp_path / "run"))
    return apart


def test_a_folder_has_one_daemon_until_its_lock_is_released(tmp_path: Path, *, is_apart: bool) -> None:
    folder = str(tmp_path / "out")
    if is_apart:
        assert os.path.dirname(lock_path(folder)) == str(tmp_path / "run")
        assert lock_path(folder) == lock_path(os.path.join(str(tmp_path), "x", "..", "out"))
        assert lock_path(folder) != lock_path(str(tmp_path / "other"))
    else:
        assert lock_path(folder) == os.path.join(folder, NAME)
    assert not is_held(folder)
    with acquire_daemon_lock(folder) as held:
        assert isinstance(held, DaemonLock)
        assert held.problem == ""
        assert is_held(folder)
        with pytest.raises(LockedError) as caught:
            acquire_daemon_lock(folder)
        assert str(caught.value) == f"a daemon is already running for {folder}"
    assert not is_held(folder)
    with acquire_daemon_lock(folder):
        assert is_held(folder)


def test_a_lock_covers_the_folders_that_it_was_ever_of(tmp_path: Path) -> None:
    one, two = str(tmp_path / "one"), str(tmp_path / "two")
    with acquire_daemon_lock(one) as held:
        assert held.covers(one)
        assert not held.covers(two)
        assert held.renew(one)
        assert held.renew(two)
        assert held.covers(one)
        assert held.covers(two)
        assert is_held(two)
    assert not is_held(one)
    assert not is_held(two)


def test_a_removed_lock_file_is_made_again(tmp_path: Path, *, is_apart: bool) -> None:
    if sys.platform == "win32" and not is_apart:
        pytest.skip("a file that is open cannot be removed there: the lock is apart")
    folder = tmp_path / "out"
    with acquire_daemon_lock(str(folder)) as held:
        shutil.rmtree(folder)
        assert held.renew(str(folder))
        assert is_held(str(folder))


def test_the_folder_of_another_daemon_is_not_taken(tmp_path: Path) -> None:
    one, two = str(tmp_path / "one"), str(tmp_path / "two")
    with acquire_daemon_lock(one) as held, acquire_daemon_lock(two):
        assert not held.renew(two)


def test_a_lock_file_that_cannot_be_made_is_no_other_daemon(tmp_path: Path) -> None:
    """It ended a daemon with "another daemon has the project now" while ``rm -rf`` removed its project."""
    folder = tmp_path / "out"
    with acquire_daemon_lock(str(folder)) as held:
        (tmp_path / "file").write_bytes(b"")
        with pytest.raises((OSError, ProjectError)):
            held.renew(str(tmp_path / "file"))
        assert held.renew(str(folder))
        assert is_held(str(folder))
