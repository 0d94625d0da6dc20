"""The observer of Windows, on any system: its folders are fed by the test."""

from __future__ import annotations

import os
import queue
import threading
import time
from typing import TYPE_CHECKING

import pytest

from assetdb.daemon.observers.api import Observation, ObserverError
from assetdb.daemon.observers.paths import WatchedPaths
from assetdb.daemon.observers.windows import WindowsObserver
from tests.assetdb.daemon.observers.records import ADDED, MODIFIED_ACTION, REMOVED, RENAMED_FROM, RENAMED_TO, records

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Known:
    children = b""


class Said:
    """What a test says, counted before it can be taken."""

    def __init__(self) -> None:
        self.count = 0
        self._queue: queue.SimpleQueue[bytes | OSError | None] = queue.SimpleQueue()

    def put(self, said: bytes | OSError | None) -> None:
        self.count += 1
        self._queue.put(said)

    def get(self) -> bytes | OSError | None:
        return self._queue.get()


class Folder:
    """A watched folder, whose changes the test says."""

    def __init__(self, path: str, *, recursive: bool) -> None:
        self.path, self.recursive = path, recursive
        self.said = Said()
        self.is_open = True
        self._taken = self._dealt_with = 0

    @property
    def has_changes(self) -> bool:
        return self.said.count > self._dealt_with

    def read(self) -> bytes | None:
        self._dealt_with = self._taken
        found = self.said.get()
        self._taken += 1
        if isinstance(found, OSError):
            raise found
        return found

    def stop(self) -> None:
        self.said.put(None)

    def close(self) -> None:
        assert self.is_open
        self.is_open = False


class Watched:
    """A project, its observer and the folders that it watches."""

    def __init__(self, root: Path, folder: Path, *known: bytes) -> None:
        self.root = root
        self.folders: list[Folder] = []
        self.woken = threading.Semaphore(0)
        paths = WatchedPaths(os.fsencode(root), os.fsencode(folder), lambda: dict.fromkeys(known, Known()))
        self.observer = WindowsObserver(paths, self.woken.release, self.open)

    def open(self, path: str, *, recursive: bool) -> Folder:
        if not os.path.isdir(path):
            raise FileNotFoundError(2, "No such file or directory", path)
        self.folders.append(Folder(path, recursive=recursive))
        return self.folders[-1]

    def say(self, *changes: tuple[int, str], folder: int = 0) -> Observation:
        return self.give(records(*changes), folder)

    def give(self, buffer: bytes | OSError, folder: int = 0) -> Observation:
        self.folders[folder].said.put(buffer)
        assert self.woken.acquire(timeout=30)
        return self.observer.collect()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "P"
    for name in ("Assets/Art/Deep", "Assets/Other", "Packages", "Library/assetdb"):
        (root / name).mkdir(parents=True)
    (root / "Assets/Art/Deep/a.mat").write_text("")
    return root


@pytest.fixture
def watched(root: Path) -> Iterator[Watched]:
    known = (b"Assets", b"Assets/Art", b"Assets/Art/Deep", b"Assets/Other", b"Packages")
    made = Watched(root, root / "Library/assetdb", *known)
    made.observer.start()
    made.observer.listen()
    yield made
    made.observer.stop()
    assert not any(folder.is_open for folder in made.folders)


def test_one_folder_is_watched_with_all_below(watched: Watched, root: Path) -> None:
    assert [(folder.path, folder.recursive) for folder in watched.folders] == [(str(root), True)]
    seen = watched.observer.collect()
    assert (set(seen.dirty), seen.events, seen.rescan_reason) == (set(), 0, "")
    assert (watched.observer.has_backlog(), watched.observer.status()) == (False, {})


def test_a_changed_file_is_dirty_in_its_folder(watched: Watched) -> None:
    before = time.monotonic()
    found = watched.say((MODIFIED_ACTION, "Assets\\Art\\x.mat"), (MODIFIED_ACTION, "Assets\\Art"))
    assert set(found.dirty) == {b"Assets/Art", b"Assets/Art/x.mat"}
    assert (found.events, found.rescan_reason, found.output_touched, found.cookies) == (2, "", False, set())
    assert before <= found.last <= time.monotonic()
    assert set(watched.observer.collect().dirty) == set()


def test_it_is_late_until_what_was_said_is_collected(watched: Watched) -> None:
    watched.observer.collect()
    for number in range(200):
        while watched.folders[0].has_changes:  # the thread has not asked for more yet
            time.sleep(0.0001)
        assert not watched.observer.is_late
        watched.folders[0].said.put(records((MODIFIED_ACTION, f"Assets\\Art\\{number}.mat")))
        assert watched.observer.is_late
        assert watched.woken.acquire(timeout=30)
        assert watched.observer.is_late
        assert b"Assets/Art/%d.mat" % number in watched.observer.collect().dirty


def test_it_is_late_until_a_lost_buffer_is_collected(watched: Watched) -> None:
    watched.folders[0].said.put(b"")
    assert watched.woken.acquire(timeout=30)
    assert watched.observer.is_late
    assert watched.observer.collect().rescan_reason


def test_it_is_late_while_its_folders_are_opened_anew(watched: Watched, root: Path) -> None:
    assert watched.observer.is_late  # what came before it is for the first scan
    watched.observer.collect()
    assert not watched.observer.is_late
    said: list[bool] = []
    opening = watched.observer._open_feed

    def asked(path: str, *, recursive: bool) -> Folder:
        said.append(watched.observer.is_late)
        return opening(path, recursive=recursive)  # type: ignore[return-value]

    watched.observer._open_feed = asked
    root.rename(root.with_name("Moved"))
    (root / "Assets").mkdir(parents=True)
    assert watched.say((ADDED, "Assets\\x.mat")).rescan_reason
    assert said == [True]
    while watched.folders[1].has_changes:
        time.sleep(0.0001)
    assert not watched.observer.is_late
    watched.observer.stop()
    assert watched.observer.is_late  # nobody reports, and closed handles of the system say nothing
    watched.observer.start()
    assert watched.observer.is_late
    assert said == [True, True]


def test_a_folder_that_appears_is_listed_with_all_below_and_its_files_are_read(watched: Watched) -> None:
    found = watched.say((RENAMED_FROM, "Assets\\Before"), (RENAMED_TO, "Assets\\Art"))
    assert set(found.dirty) == {
        *(b"Assets", b"Assets/Before", b"Assets/Art", b"Assets/Art/Deep", b"Assets/Art/Deep/a.mat"),
    }
    found = watched.say((ADDED, "Assets"))
    assert {b"Assets", b"Assets/Other", b"Assets/Art/Deep/a.mat"} <= set(found.dirty)


def test_a_name_that_disappears_is_dirty_in_its_folder(watched: Watched) -> None:
    found = watched.say((REMOVED, "Assets\\Gone\\x.mat"), (REMOVED, "Assets\\Gone"))
    assert set(found.dirty) == {b"Assets", b"Assets/Gone", b"Assets/Gone/x.mat"}


@pytest.mark.parametrize(
    "name",
    ["Library\\Bee\\a", "Temp\\x", "Assets\\.hidden\\a.mat", "Assets\\Samples~\\a.mat", "Assets\\x.tmp", "notes.txt"],
)
def test_what_is_no_part_of_the_project_is_not_dirty(watched: Watched, name: str) -> None:
    found = watched.say((ADDED, name), (MODIFIED_ACTION, name))
    assert (set(found.dirty), found.rescan_reason, found.output_touched) == (set(), "", False)


def test_cookies_and_output_are_seen_in_any_spelling_of_the_folder(watched: Watched) -> None:
    found = watched.say((ADDED, "library\\AssetDB\\.assetdb-cookie-1-2"))
    assert (found.cookies, found.output_touched) == ({".assetdb-cookie-1-2"}, False)
    assert not watched.say((MODIFIED_ACTION, "Library\\assetdb\\asset-db.watch.log")).output_touched
    assert watched.say((REMOVED, "Library\\assetdb\\asset-db.bin")).output_touched
    assert not watched.say((MODIFIED_ACTION, "Library")).output_touched
    for name in ("Library", "Library\\assetdb"):
        assert watched.say((REMOVED, name)).output_touched


def test_settings_are_a_reason_to_scan(watched: Watched) -> None:
    assert watched.say((MODIFIED_ACTION, "assetdb.toml")).rescan_reason == "assetdb.toml changed"
    assert watched.say((MODIFIED_ACTION, "Assets\\assetdb.toml")).rescan_reason == ""


def test_an_overflow_is_a_reason_to_scan(watched: Watched) -> None:
    assert watched.give(b"").rescan_reason == "more changes than the system's buffer holds"
    assert watched.observer.collect().rescan_reason == ""
    assert set(watched.say((ADDED, "Assets\\after.mat")).dirty) == {b"Assets", b"Assets/after.mat"}


def test_records_that_nobody_takes_are_a_reason_to_scan(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assetdb.daemon.observers.windows._MOST_BUFFERED", 100)
    for _ in range(20):
        watched.folders[0].said.put(records((ADDED, "Assets\\a.mat")))
    for _ in range(20):
        assert watched.woken.acquire(timeout=30)
    assert watched.observer.collect().rescan_reason == "more changes than could be processed"


def test_a_path_in_another_case_is_that_of_the_disk(watched: Watched) -> None:
    found = watched.say((MODIFIED_ACTION, "Assets\\ART\\x.mat"))
    assert set(found.dirty) == {b"Assets/Art", b"Assets/Art/x.mat"}


def test_a_short_name_of_a_folder_is_a_reason_to_scan(watched: Watched) -> None:
    found = watched.say((MODIFIED_ACTION, "Assets\\LONGNA~1\\x.mat"))
    assert found.rescan_reason == "a program used the short name of a folder"
    assert watched.say((ADDED, "Assets\\New Folder\\x.mat")).rescan_reason == ""
    assert watched.say((MODIFIED_ACTION, "Assets\\x~1.mat")).rescan_reason == ""


def test_a_folder_that_can_no_longer_be_watched_is_an_error(watched: Watched) -> None:
    with pytest.raises(ObserverError, match=r"files are no longer watched: Access is denied"):
        watched.give(PermissionError(13, "Access is denied"))


def test_another_project_in_its_place_is_scanned_and_watched(watched: Watched, root: Path) -> None:
    root.rename(root.with_name("Moved"))
    (root / "Assets").mkdir(parents=True)
    found = watched.say((ADDED, "Assets\\x.mat"))
    assert (found.rescan_reason, found.output_touched) == ("the project's folder was replaced", True)
    assert [folder.is_open for folder in watched.folders] == [False, True]
    assert set(watched.say((ADDED, "Assets\\y.mat"), folder=1).dirty) == {b"Assets", b"Assets/y.mat"}


def test_a_project_that_is_gone_is_an_error(watched: Watched, root: Path) -> None:
    root.rename(root.with_name("Moved"))
    with pytest.raises(ObserverError, match="files cannot be watched: No such file"):
        watched.say((ADDED, "Assets\\x.mat"))


def test_an_output_elsewhere_is_watched_alone(root: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    made = Watched(root, tmp_path / "out", b"Assets")
    made.observer.start()
    try:
        assert [folder.recursive for folder in made.folders] == [True, False]
        assert made.folders[1].path == str(tmp_path / "out")
        found = made.say((ADDED, ".assetdb-cookie-7"), (MODIFIED_ACTION, "asset-db.index"), folder=1)
        assert (found.cookies, found.output_touched, set(found.dirty)) == ({".assetdb-cookie-7"}, True, set())
    finally:
        made.observer.stop()


def test_assets_behind_a_link_are_watched_where_they_are(root: Path, tmp_path: Path) -> None:
    (root / "Packages").rename(tmp_path / "Elsewhere")
    try:
        (root / "Packages").symlink_to(tmp_path / "Elsewhere", target_is_directory=True)
    except OSError as error:
        pytest.skip(f"no links here: {error}")
    if not (root / "Packages").is_symlink():
        pytest.skip("links are made and are none")
    made = Watched(root, root / "Library/assetdb", b"Packages")
    made.observer.start()
    try:
        assert [folder.path for folder in made.folders] == [str(root), str(tmp_path / "Elsewhere")]
        found = made.say((MODIFIED_ACTION, "p\\a.mat"), folder=1)
        assert set(found.dirty) == {b"Packages/p", b"Packages/p/a.mat"}
    finally:
        made.observer.stop()
