"""Scans: which files each reads, what it marks after a failure, and what follows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from assetdb.daemon.reconciling.failures import Failures
from assetdb.daemon.reconciling.pending import ASKED, Pending
from assetdb.daemon.reconciling.requests import Requests
from assetdb.daemon.reconciling.scans import ChangedDirectories, Everything, LinkedDirectories, Poll
from assetdb.daemon.reconciling.schedule import Schedule
from assetdb.daemon.reconciling.work import Outcome
from assetdb.errors import ScanError
from assetdb.workspace.updates import Update

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.daemon.reconciling.saver import Saver
    from assetdb.daemon.reconciling.watch import Watch
    from assetdb.daemon.session import Session

UPDATE = Update(files_read=1)


class Parts:
    """A session, a watch and a saver that record what they are asked; the other parts are real."""

    has_local_packages = True

    def __init__(self, folder: Path) -> None:
        self.calls: list[object] = []
        self.failures = Failures(lambda *_, **__: None)
        self.schedule = Schedule()
        self.pending = Pending(self.schedule, Requests(lambda: str(folder)), self.failures)
        self.moved = False
        self.watchable = False
        self.poll_at: float | None = None
        self.session = cast("Session", self)
        self.watch = cast("Watch", self)
        self.saver = cast("Saver", self)

    def through_links(self) -> list[bytes]:
        return [b"Assets/Linked"]

    def refresh_packages(self) -> None:
        self.calls.append("packages")

    def update(self, directories: set[bytes]) -> Update:
        self.calls.append(directories)
        return UPDATE

    def reconcile(self, *, elsewhere: bool) -> Update:
        self.calls.append(f"everything, elsewhere: {elsewhere}")
        return UPDATE

    def follow_folder(self) -> bool:
        return self.moved

    def may_be_retried(self, now: float) -> bool:
        self.calls.append(now)
        return True

    def retry(self) -> bool:
        return self.watchable

    def mark_if_saved(self, at: float) -> None:
        self.calls.append(("touched", at))

    def everything(self, reason: str, *, packages: bool = False) -> Everything:
        return Everything(self.session, self.pending, self.schedule, self.watch, reason, packages=packages)

    def poll(self) -> Poll:
        return Poll(self.session, self.pending, self.schedule, self.watch, self.saver, self.failures)


@pytest.fixture
def parts(tmp_path: Path) -> Parts:
    return Parts(tmp_path)


def ended(began: float = 10.0, end: float = 12.0) -> Outcome:
    return Outcome(UPDATE, None, began, end)


def test_changed_directories_are_read_after_the_packages(parts: Parts) -> None:
    scan = ChangedDirectories(parts.session, parts.pending, parts.schedule, {b"Assets"}, packages=True)
    assert scan.run() is UPDATE
    assert parts.calls == ["packages", {b"Assets"}]
    scan.failed()
    assert parts.pending.take() == ({b"Assets"}, "", False)
    scan.ended(ended(), UPDATE)
    assert parts.schedule.update_at(0.0, 0.0, rescan=False) == pytest.approx(12.3)  # a pause, of at most 0.3 s


def test_without_directories_only_packages_are_read(parts: Parts) -> None:
    scan = ChangedDirectories(parts.session, parts.pending, parts.schedule, set(), packages=True)
    assert scan.run() is None
    assert parts.calls == ["packages"]


def test_linked_directories_are_those_of_when_the_scan_began(parts: Parts) -> None:
    scan = LinkedDirectories(parts.session, parts.pending)
    assert scan.run() is UPDATE
    assert parts.calls == ["packages", {b"Assets/Linked"}]
    scan.failed()
    assert parts.pending.take() == ({b"Assets/Linked"}, "", False)


@pytest.mark.parametrize(("reason", "elsewhere"), [("events were lost", True), (ASKED, False)])
def test_everything_is_read_and_keeps_its_reason_after_a_failure(parts: Parts, reason: str, elsewhere: bool) -> None:  # noqa: FBT001
    scan = parts.everything(reason, packages=True)
    assert scan.run() is UPDATE
    assert parts.calls == ["packages", f"everything, elsewhere: {elsewhere}"]
    scan.failed()
    assert parts.pending.take() == (set(), reason, False)


def test_an_output_folder_that_moved_is_read_about_again(parts: Parts) -> None:
    parts.moved = True
    scan = parts.everything("events were lost")
    scan.ended(ended(), None)  # failed: nothing is known about the folder
    assert not parts.pending
    scan.ended(ended(), UPDATE)
    assert parts.pending.rescan_reason == "the output folder has moved"


def test_a_poll_plans_the_next_one_by_its_cost(parts: Parts) -> None:
    scan = parts.poll()
    assert scan.run() is UPDATE
    assert parts.calls == ["everything, elsewhere: False"]
    scan.failed()
    assert not parts.pending
    scan.ended(ended(10.0, 12.0), None)
    assert parts.poll_at == pytest.approx(32.0)  # polling takes a tenth of the time
    assert not parts.pending  # a failed poll does not try to watch
    assert ("touched", 12.0) in parts.calls


def test_a_poll_waits_for_the_next_try_after_failures(parts: Parts) -> None:
    for _ in range(12):
        parts.failures.record(ScanError("went", "Assets", 5))
    parts.poll().ended(ended(0.0, 0.0), None)
    assert parts.poll_at == parts.failures.retry_at


@pytest.mark.parametrize(("watchable", "reason"), [(True, "files are watched again"), (False, ASKED)])
def test_a_poll_tries_to_watch_again(parts: Parts, watchable: bool, reason: str) -> None:  # noqa: FBT001
    parts.watchable = watchable
    parts.poll().ended(ended(), UPDATE)
    assert parts.pending.rescan_reason == reason
