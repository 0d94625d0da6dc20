"""The collector of garbage is off for a while, and on again whatever happens."""

import gc
import os
import sys
import threading
from pathlib import Path

import pytest

from assetdb.cli import main
from assetdb_formats.processes import Uncollected, can_fork, processors, tracked
from tests.assetdb.unity_project import make_project


def test_it_is_off_within_and_as_it_was_behind() -> None:
    assert gc.isenabled()
    with Uncollected():
        assert not gc.isenabled()
        with Uncollected():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()
    with Uncollected(wanted=False):
        assert gc.isenabled()
    with pytest.raises(KeyError, match="within"), Uncollected():
        raise KeyError("within")
    assert gc.isenabled()


def test_what_was_made_in_a_process_that_ends_is_not_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    before = gc.get_freeze_count()
    with Uncollected(is_last=True):
        pass
    assert gc.get_freeze_count() == before  # a process that goes on, where a test or a host runs commands
    monkeypatch.setattr(Uncollected, "process_ends", True)
    try:
        with Uncollected(is_last=True):
            made = [[number] for number in range(1000)]
        assert gc.isenabled()
        assert gc.get_freeze_count() >= before + len(made)
    finally:
        gc.unfreeze()


@pytest.mark.parametrize("command", ["bake", "check", "coverage"])
def test_commands_leave_it_as_it_was(command: str, tmp_path: Path) -> None:
    project = make_project(tmp_path / "project")
    assert main([command, "--project", str(project)]) in (0, 1)
    assert gc.isenabled()


def test_each_item_is_reported_before_it_is_worked_on() -> None:
    told: list[tuple[int, int]] = []
    assert [(item, len(told)) for item in tracked("ab", lambda *pair: told.append(pair))] == [("a", 1), ("b", 2)]
    assert told == [(0, 2), (1, 2)]
    assert list(tracked([1, 2], None)) == [1, 2]


def test_a_process_with_other_threads_does_not_fork(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "active_count", lambda: 1)
    assert can_fork() == hasattr(os, "fork")
    monkeypatch.setattr(threading, "active_count", lambda: 2)
    assert not can_fork()
    monkeypatch.delitem(sys.modules, "threading")
    assert can_fork() == hasattr(os, "fork")
    monkeypatch.setattr(sys, "platform", "win32")
    assert not can_fork()


def test_processors_are_those_that_this_process_may_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 2, 5}, raising=False)
    assert processors() == 3
    monkeypatch.delattr(os, "sched_getaffinity")
    for count, expected in ((4, 4), (None, 1)):
        monkeypatch.setattr(os, "cpu_count", lambda count=count: count)
        assert processors() == expected
