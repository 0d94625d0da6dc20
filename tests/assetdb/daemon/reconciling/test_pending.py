"""Changes that wait to be read: when they are due, and who is released by a scan of everything."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from assetdb.daemon.reconciling.failures import Failures
from assetdb.daemon.reconciling.pending import Pending
from assetdb.daemon.reconciling.requests import Requests, WaitingClient
from assetdb.daemon.reconciling.schedule import LONGEST, QUIET, Schedule
from assetdb.errors import ScanError

if TYPE_CHECKING:
    from pathlib import Path


class Parts:
    """One of each part that reads the pending changes."""

    def __init__(self, folder: Path) -> None:
        self.requests = Requests(lambda: str(folder))
        self.failures = Failures(lambda *_, **__: None)
        self.pending = Pending(Schedule(), self.requests, self.failures)


def test_an_edit_is_due_after_a_moment_of_quiet(tmp_path: Path) -> None:
    parts = Parts(tmp_path)
    assert parts.pending.due_at() is None
    before = time.monotonic()
    parts.pending.mark({b"Assets"})
    due = parts.pending.due_at()
    assert due is not None
    assert before + QUIET <= due <= time.monotonic() + LONGEST


def test_what_a_client_waits_for_is_due_at_once(tmp_path: Path) -> None:
    parts = Parts(tmp_path)
    parts.pending.mark({b"Assets"})
    parts.pending.is_urgent = True
    due = parts.pending.due_at()
    assert due is not None
    assert due <= time.monotonic()
    assert parts.pending.take() == ({b"Assets"}, "", False)
    assert not parts.pending
    assert not parts.pending.is_urgent


def test_a_client_whose_changes_are_known_is_answered_at_once(tmp_path: Path) -> None:
    parts = Parts(tmp_path)
    parts.requests.answerable.append(WaitingClient(lambda: None, files=False, since=0.0, is_urgent=True))
    due = parts.pending.due_at()
    assert due is not None
    assert due <= time.monotonic()


def test_a_scan_of_everything_releases_those_that_wait_for_cookies(tmp_path: Path) -> None:
    parts = Parts(tmp_path)
    waiting = WaitingClient(lambda: None, files=False, since=time.monotonic(), is_urgent=True)
    parts.requests.wait(waiting)
    parts.pending.mark_everything("events were lost")
    assert parts.requests.take() == [waiting]
    assert parts.pending
    assert parts.pending.take() == (set(), "events were lost", False)


def test_after_a_failure_the_next_try_decides_and_other_work_has_time(tmp_path: Path) -> None:
    parts = Parts(tmp_path)
    assert parts.pending.may_wait
    parts.pending.mark({b"Assets"})
    assert not parts.pending.may_wait
    for _ in range(3):
        parts.failures.record(ScanError("went while it was read", "Assets", 5))
    assert parts.pending.due_at() == parts.failures.retry_at
    assert parts.pending.may_wait
    parts.failures.clear()
    assert not parts.pending.may_wait


def test_directories_are_collected_and_packages_asked_for_once(tmp_path: Path) -> None:
    parts = Parts(tmp_path)
    parts.pending.mark({b"Assets/A"}, last=5.0)
    parts.pending.mark({b"Assets/B", b"Assets/A"})
    parts.pending.packages = True
    assert parts.pending.take() == ({b"Assets/A", b"Assets/B"}, "", True)
    assert parts.pending.take() == (set(), "", False)
