"""What goes wrong around a reconciler: clocks, locks, lost cookies, errors. Nothing of it may hang or be believed."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import pytest

from assetdb.daemon.reconciling import reconciler as reconciling
from assetdb.daemon.reconciling import requests
from assetdb.daemon.suspend import ClockMonitor, Reading, read_clocks
from assetdb.store.files import LOCK_NAME
from assetdb.store.lock import FileLock
from assetdb.store.output import Output
from tests.needs import needs_inotify, needs_links
from tests.system.graph.project import add, data_asset, guid_of, write_project
from tests.system.watch.loop import PATIENCE, Loop, assert_as_cold

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from pathlib import Path

    from assetdb.daemon.observers.api import Observation
    from assetdb.workspace.workspace import Update


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return write_project(tmp_path / "Project")


@pytest.fixture(params=[False, True])
def loop(project: Path, request: pytest.FixtureRequest) -> Iterator[Loop]:
    """Watch in one thread, and in several."""
    with Loop(project, in_threads=request.param) as loop:
        loop.sync()
        yield loop


def run_until(loop: Loop, true: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, loop.reconciler.status()
        loop.step(0.1)


def test_a_clock_that_jumps(loop: Loop) -> None:
    now = read_clocks()
    later = Reading(now.monotonic + 1, now.boot + 4000, now.wall + 4000)
    loop.reconciler._clocks = ClockMonitor(lambda: later if loop.logged[-1] != "later" else now)
    loop.logged.append("later")
    loop.reconciler._clocks.jump()
    loop.logged.append("and now")
    run_until(loop, lambda: loop.reconciler.status()["reconciles"] == 1)


def test_who_follows_is_called_when_what_was_written_before_is_known(loop: Loop, project: Path) -> None:
    new = guid_of("Assets/New.asset")
    known: list[bool] = []

    def note() -> None:
        known.append(loop.session.opened.database.by_guid(new) is not None)

    loop.reconciler.follow(note)
    run_until(loop, lambda: known == [False])  # also where nothing changed
    add(project, "Assets/New.asset", data_asset("New"))
    loop.reconciler.follow(note)
    run_until(loop, lambda: len(known) > 1)
    if not loop.reconciler.watch.observer.needs_polling:
        assert known == [False, True]


def test_what_was_read_is_reported_no_more(loop: Loop, project: Path) -> None:
    add(project, "Assets/New.asset", data_asset("New"))
    loop.sync()
    run_until(loop, lambda: not loop.reconciler.has_reported)  # or every question would wait for it


def test_the_lock_of_another_bake(loop: Loop, project: Path, tmp_path: Path) -> None:
    folder = project / "Library" / "assetdb"
    with FileLock(str(folder / LOCK_NAME), 1.0):
        add(project, "Assets/New.asset", data_asset("New"))
        loop.run(0.3)
        assert loop.session.opened.database.by_guid(guid_of("Assets/New.asset")) is not None  # answers do not wait
        assert loop.reconciler.status()["saved"] is False
    run_until(loop, lambda: loop.reconciler.status()["saved"] is True)
    assert_as_cold(project, folder, tmp_path / "cold")


def test_a_cookie_that_nobody_sees(loop: Loop, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "_PATIENCE", 0.05)
    observer = loop.reconciler.watch.observer
    collect = observer.collect

    def without_cookies() -> Observation:
        return collect()._replace(cookies=())

    monkeypatch.setattr(observer, "collect", without_cookies)
    loop.sync()
    assert loop.reconciler.status()["rescan_reason"] == "a cookie did not appear"
    assert not [path for path in (project / "Library" / "assetdb").iterdir() if "cookie" in path.name]


def test_the_folder_for_cookies_is_gone(loop: Loop, project: Path, tmp_path: Path) -> None:
    (project / "Library").rename(tmp_path / "Elsewhere")
    loop.sync()
    assert_as_cold(project, project / "Library" / "assetdb", tmp_path / "cold")


def test_errors_keep_the_last_good_answers(loop: Loop, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    update = loop.session.update
    failures = [OSError(24, "Too many open files")] * 3

    def failing(dirty: Collection[bytes]) -> Update:
        if failures:
            raise failures.pop()
        return update(dirty)

    monkeypatch.setattr(loop.session, "update", failing)
    add(project, "Assets/New.asset", data_asset("New"))
    loop.sync()  # answers, with what is known
    assert "Too many" in str(loop.reconciler.status()["problem"])
    assert 1 <= len([line for line in loop.logged if "Too many" in line]) <= 3  # once for each pause
    run_until(loop, lambda: loop.session.opened.database.by_guid(guid_of("Assets/New.asset")) is not None)
    run_until(loop, lambda: loop.reconciler.status()["problem"] == "")


def test_files_that_cannot_be_written(loop: Loop, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save = loop.session.save
    failures = [OSError(28, "No space left on device")] * 2

    def failing(*, cache: bool = False) -> bool:
        if failures:
            raise failures.pop()
        return save(cache=cache)

    monkeypatch.setattr(loop.session, "save", failing)
    add(project, "Assets/New.asset", data_asset("New"))
    run_until(loop, lambda: loop.session.opened.database.by_guid(guid_of("Assets/New.asset")) is not None)
    run_until(loop, lambda: not failures and loop.reconciler.status()["saved"] is True)
    assert len([line for line in loop.logged if "No space" in line]) == 1


def test_one_cache_is_written_at_a_time(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begin, begun, go_on = Output.begin_cache, [], threading.Event()

    def slow(output: Output, parts: Sequence[bytes], is_wanted: Callable[[], bool]) -> bool:
        begun.append(output.cache)
        go_on.wait(PATIENCE)
        return begin(output, parts, is_wanted)

    monkeypatch.setattr(Output, "begin_cache", slow)
    with Loop(project, in_threads=True) as loop:
        loop.sync()
        loop.reconciler.saver.uncached = 0.0  # due
        run_until(loop, lambda: len(begun) == 1)
        add(project, "Assets/New.asset", data_asset("New"))
        loop.sync()
        loop.reconciler.saver.uncached = 0.0
        loop.run(0.3)
        assert len(begun) == 1
        go_on.set()
        run_until(loop, lambda: loop.session._workspace.record.is_written)
        assert len(begun) == 2


def test_stopped_before_it_started(project: Path) -> None:
    folder = project / "Library" / "assetdb"
    loop = Loop(project)
    loop.close()
    assert not (folder / "asset-db.bin").exists()


@pytest.mark.parametrize(("in_threads", "steps"), [(False, 0), (True, 0), (True, 1), (True, 2), (True, 3), (True, 5)])
def test_a_stop_takes_in_the_last_edit(project: Path, tmp_path: Path, in_threads: bool, steps: int) -> None:  # noqa: FBT001
    with Loop(project, in_threads=in_threads) as loop:
        loop.sync()
        add(project, "Assets/New.asset", data_asset("New"))
        loop.reconciler.changed(["Assets/New.asset"])
        for _ in range(steps):  # into the middle of what is done in threads
            loop.step(0.0)
    assert (project / "Library" / "assetdb" / "asset-db.cache").is_file(), loop.logged
    assert_as_cold(project, project / "Library" / "assetdb", tmp_path / "cold")


def test_a_stop_takes_in_the_last_edit_also_if_everything_is_to_be_scanned(project: Path, tmp_path: Path) -> None:
    with Loop(project) as loop:
        loop.sync()
        now = read_clocks()
        readings = iter((now, now._replace(wall=now.wall + 2)))  # the clock is set just before the stop
        loop.reconciler._clocks = ClockMonitor(lambda: next(readings))
        add(project, "Assets/New.asset", data_asset("New"))
        loop.reconciler.changed(["Assets/New.asset"])
    assert_as_cold(project, project / "Library" / "assetdb", tmp_path / "cold")


@pytest.mark.long
def test_nothing_spins_while_everything_waits_to_be_tried_again(loop: Loop, project: Path) -> None:
    loop.run(0.5)
    (project / "assetdb.toml").write_text("no TOML", encoding="utf-8")
    run_until(loop, lambda: loop.reconciler.status()["problem"] != "")
    loop.reconciler.failures.retry_at = time.monotonic() + 3600
    add(project, "Assets/New.asset", data_asset("New"))
    loop.reconciler.saver.uncached = loop.reconciler.saver.unsaved = 0.0  # both due, for hours
    run_until(loop, lambda: loop.reconciler.status()["saved"] is True)
    run_until(loop, lambda: loop.reconciler.saver.uncached is None)
    end = time.monotonic() + 1
    steps = 0
    while (left := end - time.monotonic()) > 0:
        loop.step(left)
        steps += 1
    assert steps < 100  # tries again a few times; spinning takes thousands
    loop.sync(files=False)  # is answered all the same, from what is known
    assert "no TOML" not in str(loop.reconciler.status()["problem"])
    assert loop.reconciler.status()["problem"] != ""
    (project / "assetdb.toml").unlink()
    loop.sync()
    assert loop.reconciler.status()["problem"] == ""


@pytest.mark.long
def test_files_are_written_in_a_storm_without_end(loop: Loop, project: Path) -> None:
    loop.run(0.3)
    before = (project / "Library" / "assetdb" / "asset-db.bin").stat().st_ino
    number = 0

    def storm() -> bool:
        nonlocal number
        number += 1
        add(project, f"Assets/New{number % 20}.asset", data_asset(f"New{number}"))
        return (project / "Library" / "assetdb" / "asset-db.bin").stat().st_ino != before

    end = time.monotonic() + PATIENCE
    while not storm():
        assert time.monotonic() < end, loop.reconciler.status()
        loop.step(0.005)
    assert number > 1  # how many changes a second holds is the machine's affair: ten on a loaded one


@pytest.mark.parametrize("fault", [MemoryError(), ValueError("rows do not agree"), RecursionError()])
def test_a_fault_in_an_update_is_told_and_mended(
    loop: Loop, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    def fail(*_: object) -> None:
        raise fault

    loop.run(0.5)  # so that updates go on from a state
    with monkeypatch.context() as patched:
        patched.setattr("assetdb.state.live_state.LiveState.update", fail)
        patched.setattr("assetdb.workspace.workspace.Workspace._build", fail)
        add(project, "Assets/New.asset", data_asset("New"))
        loop.sync()
        assert loop.reconciler.status()["problem"] == (str(fault) or type(fault).__name__)
        assert loop.reconciler.status()["pending"] is True
        loop.sync()
        assert len([line for line in loop.logged if line.startswith("fault")]) == 1
    loop.sync()
    assert loop.reconciler.status()["problem"] == ""
    assert_as_cold(project, project / "Library" / "assetdb", tmp_path / "cold")


@needs_inotify
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_the_thread_that_reads_events_ends(
    loop: Loop, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> None:
        raise MemoryError

    loop.run(0.3)
    with monkeypatch.context() as patched:
        patched.setattr("assetdb.daemon.observers.inotify._Reader._read", fail)
        add(project, "Assets/New.asset", data_asset("New"))
        run_until(loop, lambda: loop.reconciler.status()["backend"] == "polling")
    loop.sync()
    assert_as_cold(project, project / "Library" / "assetdb", tmp_path / "cold")


@needs_links
@pytest.mark.parametrize("asked", [True, False])
def test_what_is_there_through_a_link_is_followed(project: Path, tmp_path: Path, *, asked: bool) -> None:
    """No event tells of it, so it is looked at now and then, and before every answer."""
    add(project, "Shared/Deep/First.asset", data_asset("First"))
    try:
        (project / "Assets" / "Linked").symlink_to("../Shared", target_is_directory=True)
    except OSError:
        pytest.skip("this system has no symbolic links")
    with Loop(project, tmp_path / "out") as loop:
        loop.sync()
        assert loop.session.opened.database.by_guid(guid_of("Shared/Deep/First.asset")) is not None
        add(project, "Shared/Deep/Second.asset", data_asset("Second"))
        add(project, "Shared/Third.asset", data_asset("Third"))

        def seen() -> bool:
            known = loop.session.opened.database
            return all(known.by_guid(guid_of(f"Shared/{name}.asset")) for name in ("Deep/Second", "Third"))

        if asked:
            loop.sync()
            assert seen()
        else:
            run_until(loop, seen)
        (project / "Assets" / "Linked").unlink()
        loop.sync()
        assert loop.session.opened.database.by_guid(guid_of("Shared/Third.asset")) is None
        assert_as_cold(project, tmp_path / "out", tmp_path / "cold")


@pytest.mark.long
@pytest.mark.parametrize("step", ["save", "save_cache", "prepare"])
def test_a_fault_of_what_nobody_asked_for_keeps_nobody(
    loop: Loop, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """Neither the loop nor who asks: what is known is as it should be, and the files follow."""

    def faulty(*_: object, **__: object) -> bool:
        raise RuntimeError("ours")

    reconciler = loop.reconciler
    with monkeypatch.context() as patch:
        patch.setattr(loop.session, step, faulty)
        add(project, "Assets/New.asset", data_asset("New"))
        reconciler.unprepared = time.monotonic()
        reconciler.saver.uncached = -1000.0
        run_until(loop, lambda: any("RuntimeError: ours" in line for line in loop.logged))
        loop.run(0.5)
        loop.sync(files=step != "save")
        assert reconciler.failures.stale_because == ""
        assert loop.session.opened.database.by_guid(guid_of("Assets/New.asset")) is not None
        assert len([line for line in loop.logged if "RuntimeError: ours" in line]) <= 2  # the cache saves, too
    run_until(loop, lambda: reconciler.status()["saved"] is True)
    assert_as_cold(project, project / "Library" / "assetdb", tmp_path / "cold")


def test_a_stop_leaves_what_does_not_end(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reconciling, "_LAST_WORK", 0.01)
    release = threading.Event()
    with Loop(project, in_threads=True) as loop:
        loop.sync()
        run_until(loop, lambda: not loop.reconciler.work.is_busy)
        loop.reconciler.work.do(release.wait, lambda _: None)
        add(project, "Assets/New.asset", data_asset("New"))
    release.set()
    assert loop.logged[-1] == "the files may not be up to date: the current work does not end"


def test_who_asks_during_a_look_at_everything_is_answered_by_a_later_one(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Loop(project, in_threads=True) as loop:
        loop.sync()
        looked, go_on = threading.Event(), threading.Event()
        reconcile = loop.session.reconcile

        def slow(*, elsewhere: bool) -> Update:
            update = reconcile(elsewhere=elsewhere)
            looked.set()
            assert go_on.wait(PATIENCE)
            return update

        monkeypatch.setattr(loop.session, "reconcile", slow)
        loop.reconciler.changed([str(project / "assetdb.toml")])
        run_until(loop, looked.is_set)
        add(project, "Assets/New.asset", data_asset("New"))
        known: list[bool] = []
        new = guid_of("Assets/New.asset")
        loop.reconciler.sync(lambda: known.append(loop.session.opened.database.by_guid(new) is not None))
        loop.run(0.5)  # the cookie is seen meanwhile
        assert not known
        assert loop.reconciler.has_pending
        go_on.set()
        run_until(loop, lambda: bool(known))
        run_until(loop, lambda: not loop.reconciler.has_pending)
    assert known == [True]


# --- a beginning, and what editors tell


def test_files_that_another_bake_locks_at_the_start_are_written_later(project: Path, tmp_path: Path) -> None:
    folder = project / "Library" / "assetdb"
    folder.mkdir(parents=True)
    with Loop(project) as first:
        first.sync()
    add(project, "Assets/New.asset", data_asset("New"))
    loop = Loop(project)
    with FileLock(str(folder / LOCK_NAME), 1.0):
        loop.reconciler.start()
        loop.reconciler.listen()
        assert loop.reconciler.status()["saved"] is False
    run_until(loop, lambda: loop.reconciler.status()["saved"] is True)
    loop.close()
    assert_as_cold(project, folder, tmp_path / "cold")


def test_a_start_plans_what_makes_the_next_answers_fast(project: Path) -> None:
    loop = Loop(project)
    prepared: list[float | None] = []
    assert (loop.reconciler.unprepared, loop.reconciler.next_deadline()) == (None, None)
    loop.reconciler.on_prepared = lambda: prepared.append(loop.reconciler.unprepared)
    before = time.monotonic()
    loop.reconciler.start()
    loop.reconciler.listen()
    planned = loop.reconciler.unprepared
    assert planned is not None
    assert before + 0.2 <= planned <= time.monotonic() + 0.2
    assert loop.reconciler.saver.uncached is not None
    run_until(loop, lambda: prepared == [None])
    assert loop.session.is_prepared
    loop.close()


def test_a_file_that_an_editor_wrote_is_read_without_an_event(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its path in the project or its absolute one; others are nobody's."""
    with Loop(project) as loop:
        loop.sync()
        observer = loop.reconciler.watch.observer
        collect = observer.collect
        monkeypatch.setattr(observer, "collect", lambda: collect()._replace(dirty=(), rescan_reason=""))
        for number, told in enumerate(("Assets/New0.asset", str(project / "Assets/New1.asset"))):
            path = f"Assets/New{number}.asset"
            add(project, path, data_asset("New"))
            loop.reconciler.changed([told])
            assert loop.reconciler.has_pending
            assert loop.reconciler.is_late
            run_until(loop, lambda path=path: loop.session.opened.database.by_guid(guid_of(path)) is not None)  # type: ignore[misc]
            assert not loop.reconciler.has_pending
        updates = loop.reconciler.status()["updates"]
        loop.reconciler.changed(["Temp/other.txt", str(project.parent / "Assets/a.mat")])
        assert not loop.reconciler.has_pending
        assert loop.reconciler.status()["updates"] == updates
        assert loop.reconciler.status()["rescan_reason"] == ""
        loop.reconciler.changed(["assetdb.toml"])
        run_until(loop, lambda: loop.reconciler.status()["rescan_reason"] == "assetdb.toml changed")


@pytest.mark.parametrize("backend", ["", "polling"])
def test_without_events_a_change_may_be_unknown_and_nobody_waits_for_one(project: Path, backend: str) -> None:
    with Loop(project, backend=backend) as loop:
        polls = loop.reconciler.watch.observer.needs_polling
        assert polls or not backend
        assert loop.reconciler.may_be_behind is polls
        called: list[bool] = []
        loop.reconciler.follow(lambda: called.append(True))
        assert called == [True] * polls
        run_until(loop, lambda: called == [True])
        add(project, "Assets/New.asset", data_asset("New"))
        loop.sync()
        assert loop.session.opened.database.by_guid(guid_of("Assets/New.asset")) is not None
        assert loop.reconciler.status()["saved"] is True


@needs_links
def test_a_link_in_the_project_hides_changes(project: Path) -> None:
    (project / "Shared").mkdir()
    (project / "Assets/Linked").symlink_to("../Shared", target_is_directory=True)
    with Loop(project) as loop:
        assert loop.reconciler.may_be_behind
