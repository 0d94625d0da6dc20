"""The inotify observer: what it lists when the first scan found more than the cache knew."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, NamedTuple

from assetdb.daemon.observers.paths import WatchedPaths
from tests.needs import needs_inotify

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest


class Known(NamedTuple):
    children: bytes = b""


@needs_inotify
def test_each_directory_that_the_first_scan_found_is_listed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from assetdb.daemon.observers.inotify import InotifyObserver  # noqa: PLC0415 - a module of Linux

    names = [b"/".join([b"Assets", *[b"d"] * depth]) for depth in range(9)]
    (tmp_path / os.fsdecode(names[-1])).mkdir(parents=True)
    (tmp_path / "Library").mkdir()
    cached = {names[0]: Known()}
    scanned = {name: Known(b"d") for name in names}
    known = [cached]
    listed: list[bytes] = []
    listing: Callable[..., list[bytes]] = InotifyObserver._list

    def noted(observer: InotifyObserver, path: bytes, *rest: set[bytes]) -> list[bytes]:
        listed.append(path)
        return listing(observer, path, *rest)

    root = os.fsencode(tmp_path)
    observer = InotifyObserver(WatchedPaths(root, root + b"/Library", lambda: known[-1]), lambda: None)
    observer.start()
    try:
        observer.listen()
        assert observer.status()["directories"] == 1
        known.append(scanned)
        monkeypatch.setattr(InotifyObserver, "_list", noted)
        assert observer.collect().dirty == set(names[1:])
        assert observer.status()["directories"] == len(names)
        assert sorted(listed) == sorted(names)  # those that are new, and once more the cached one: it may hold links
    finally:
        observer.stop()


@needs_inotify
def test_it_is_late_until_what_was_written_is_collected(tmp_path: Path) -> None:
    from assetdb.daemon.observers.inotify import InotifyObserver  # noqa: PLC0415 - a module of Linux

    for name in ("Assets", "Library"):
        (tmp_path / name).mkdir()
    root = os.fsencode(tmp_path)
    observer = InotifyObserver(WatchedPaths(root, root + b"/Library", dict[bytes, Known]), lambda: None)
    observer.start()
    try:
        assert observer.is_late  # directories that only the first scan found are not watched yet
        observer.listen()
        observer.collect()
        for number in range(200):
            assert not observer.is_late
            (tmp_path / "Assets" / f"{number}.txt").touch()
            dirty: set[bytes] = set()
            while observer.is_late:  # before and after the thread that reads has the event
                dirty.update(observer.collect().dirty)
            assert f"Assets/{number}.txt".encode() in dirty
    finally:
        observer.stop()


@needs_inotify
def test_permissions_of_a_folder_are_those_of_all_below_it(tmp_path: Path) -> None:
    """Without the right to enter it, ``Deep`` and what it holds cannot be read, but only ``Sub`` has an event."""
    from assetdb.daemon.observers.inotify import InotifyObserver  # noqa: PLC0415 - a module of Linux

    (tmp_path / "Assets" / "Sub" / "Deep" / "Deeper").mkdir(parents=True)
    (tmp_path / "Assets" / "Other").mkdir()
    (tmp_path / "Library").mkdir()
    root = os.fsencode(tmp_path)
    names = (b"Assets", b"Assets/Sub", b"Assets/Sub/Deep", b"Assets/Sub/Deep/Deeper", b"Assets/Other")
    known = {name: Known() for name in names}
    observer = InotifyObserver(WatchedPaths(root, root + b"/Library", lambda: known), lambda: None)
    observer.start()
    try:
        observer.listen()
        observer.collect()
        (tmp_path / "Assets" / "Sub").chmod(0o700)
        dirty: set[bytes] = set()
        end = time.monotonic() + 10.0
        while b"Assets/Sub/Deep/Deeper" not in dirty and time.monotonic() < end:
            dirty |= set(observer.collect().dirty)
            time.sleep(0.01)
        assert {b"Assets/Sub", b"Assets/Sub/Deep", b"Assets/Sub/Deep/Deeper"} <= dirty
        assert b"Assets/Other" not in dirty
    finally:
        observer.stop()


@needs_inotify
def test_a_folder_that_may_be_entered_again_shows_what_was_never_watched(tmp_path: Path) -> None:
    """A start while ``Sub`` may not be entered knows nothing of ``Deep``, and later only ``Sub`` has an event."""
    from assetdb.daemon.observers.inotify import InotifyObserver  # noqa: PLC0415 - a module of Linux

    (tmp_path / "Assets" / "Sub" / "Deep" / "Deeper").mkdir(parents=True)
    (tmp_path / "Library").mkdir()
    root = os.fsencode(tmp_path)
    known = {name: Known() for name in (b"Assets", b"Assets/Sub")}
    observer = InotifyObserver(WatchedPaths(root, root + b"/Library", lambda: known), lambda: None)
    observer.start()

    def is_told(wanted: bytes) -> bool:
        dirty: set[bytes] = set()
        end = time.monotonic() + 10.0
        while wanted not in dirty and time.monotonic() < end:
            dirty |= set(observer.collect().dirty)
            time.sleep(0.01)
        return wanted in dirty

    try:
        observer.listen()
        observer.collect()
        (tmp_path / "Assets").chmod(0o700)
        assert is_told(b"Assets/Sub/Deep/Deeper")
        (tmp_path / "Assets" / "Sub" / "Deep" / "Deeper" / "a.txt").write_text("a")
        assert is_told(b"Assets/Sub/Deep/Deeper/a.txt")
    finally:
        observer.stop()
