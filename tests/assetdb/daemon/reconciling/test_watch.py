"""The watch: which observer it takes, and what it does when one fails."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, cast

import pytest

from assetdb.daemon.observers.api import Observation, Observer, ObserverError
from assetdb.daemon.reconciling import watch as watch_module
from assetdb.daemon.reconciling.requests import Requests
from assetdb.daemon.reconciling.watch import Watch

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.daemon.session import Session


class FakeObserver:
    """Watches if it is allowed to."""

    is_late = False
    knows_if_late = True

    def __init__(self, name: str, *, works: bool) -> None:
        self.name = name
        self.needs_polling = name == "polling"
        self.works = works
        self.calls: list[str] = []

    def start(self) -> None:
        self.calls.append("start")
        if not self.works:
            raise ObserverError(f"{self.name} has no descriptors")

    def listen(self) -> None:
        self.calls.append("listen")

    def collect(self) -> Observation:
        if not self.works:
            raise ObserverError(f"{self.name} went")
        return Observation(events=3)

    def has_backlog(self) -> bool:
        return False

    def status(self) -> dict[str, object]:
        return {"watches": 7}

    def stop(self) -> None:
        self.calls.append("stop")


class FakeSession:
    """A project without files."""

    known = ()

    def __init__(self, root: Path) -> None:
        self.root = str(root)
        self.folder = str(root / "out")


class World:
    """A watch whose observers are made here."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch, backend: str = "") -> None:
        self.best = FakeObserver("inotify", works=True)
        self.polling = FakeObserver("polling", works=True)
        self.logged: list[str] = []
        self.session = FakeSession(root)
        monkeypatch.setattr(
            watch_module, "select_observers", lambda *_: cast("list[Observer]", [self.best, self.polling])
        )
        requests = Requests(lambda: self.session.folder)
        self.watch = Watch(
            cast("Session", self.session), requests, lambda: None, backend, lambda text, **_: self.logged.append(text)
        )


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    (tmp_path / "Assets").mkdir()
    return World(tmp_path, monkeypatch)


def test_the_best_observer_is_taken_and_nothing_is_polled(world: World) -> None:
    world.watch.start()
    world.watch.plan(time.monotonic())
    assert world.watch.observer is world.best
    assert world.watch.poll_at is None
    assert not world.watch.may_be_retried(time.monotonic() + 3600)
    assert world.watch.status() == {"backend": "inotify", "watches": 7}
    assert world.watch.collect().events == 3


def test_where_it_fails_everything_is_polled_and_the_reason_kept(world: World) -> None:
    world.best.works = False
    world.watch.start()
    now = time.monotonic()
    world.watch.plan(now)
    assert world.watch.observer is world.polling
    assert world.watch.poll_at == now + 1.0
    assert world.watch.status()["not_watched"] == "inotify has no descriptors"
    assert "no source of changes: everything is scanned periodically" in world.logged
    assert not world.watch.may_be_retried(now + 29.0)
    assert world.watch.may_be_retried(now + 31.0)


def test_a_later_try_ends_polling(world: World) -> None:
    world.best.works = False
    world.watch.start()
    world.watch.plan(time.monotonic())
    assert world.watch.retry() is False
    assert not world.watch.may_be_retried(time.monotonic())  # in another half of a minute
    world.best.works = True
    assert world.watch.retry() is True
    assert world.watch.poll_at is None
    assert not world.watch.may_be_retried(time.monotonic() + 3600)
    assert "not_watched" not in world.watch.status()
    assert world.best.calls[-1] == "listen"


def test_an_observer_that_dies_is_replaced_by_polling(world: World) -> None:
    world.watch.start()
    world.watch.plan(time.monotonic())
    world.best.works = False
    seen = world.watch.collect()
    assert seen == Observation(rescan_reason="files are no longer watched")
    assert world.best.calls[-1] == "stop"
    assert world.watch.observer.needs_polling
    assert world.watch.poll_at is not None
    assert world.watch.poll_at <= time.monotonic()
    assert world.watch.status()["not_watched"] == "inotify went"
    assert world.watch.collect() == Observation()


def test_a_folder_that_moves_is_watched_at_its_new_place(world: World, tmp_path: Path) -> None:
    world.watch.start()
    assert not world.watch.follow_folder()
    world.session.folder = str(tmp_path / "elsewhere")
    assert world.watch.follow_folder()
    assert world.best.calls == ["start", "stop", "start", "listen"]
    assert (tmp_path / "elsewhere").is_dir()
    assert not world.watch.follow_folder()


def test_a_backend_that_is_not_here_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(tmp_path, monkeypatch, backend="watchman")
    world.watch.start()
    assert "not available here" in world.logged
    assert world.watch.observer is world.best
