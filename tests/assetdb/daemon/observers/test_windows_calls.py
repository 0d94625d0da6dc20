"""ReadDirectoryChangesW itself, where there is one."""

from __future__ import annotations

import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest

from assetdb.daemon.observers import windows_calls
from assetdb.daemon.observers.windows_events import digest

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.daemon.observers.windows_calls import Feed

on_windows = pytest.mark.skipif(sys.platform != "win32", reason="no ReadDirectoryChangesW on this system")


class Reader:
    """A thread that reads all changes."""

    def __init__(self, feed: Feed) -> None:
        self.paths: dict[bytes, int] = {}
        self.has_overflowed = False
        self.failure: OSError | None = None
        self._feed = feed
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self) -> None:
        try:
            while (buffer := self._feed.read()) is not None:
                if buffer:
                    digest(buffer, self.paths)
                else:
                    self.has_overflowed = True
        except OSError as error:
            self.failure = error

    def wait_for(self, path: bytes) -> float:
        began = time.monotonic()
        while path not in self.paths:
            assert time.monotonic() < began + 10, sorted(self.paths)
            time.sleep(0.001)
        return time.monotonic() - began

    def stop(self) -> None:
        self._feed.stop()
        self.thread.join(10)
        assert not self.thread.is_alive()
        self._feed.close()


@pytest.mark.skipif(sys.platform == "win32", reason="there is one here")
def test_another_system_has_none() -> None:
    with pytest.raises(OSError, match="no ReadDirectoryChangesW"):
        windows_calls.open_feed("/", recursive=True)


@on_windows
def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        windows_calls.open_feed(str(tmp_path / "absent"), recursive=True)


@on_windows
def test_changes_are_there_until_their_reader_asks_for_more(tmp_path: Path) -> None:
    feed = windows_calls.open_feed(str(tmp_path), recursive=True)
    try:
        assert not feed.has_changes
        (tmp_path / "one.txt").write_text("")
        until = time.monotonic() + 10
        while not feed.has_changes:
            assert time.monotonic() < until
        assert feed.read()
        assert feed.has_changes  # the reader has them in hand
        feed.stop()
        assert feed.read() is None
    finally:
        feed.close()


@on_windows
def test_changes_are_told_at_once_from_the_opening_on(tmp_path: Path) -> None:
    feed = windows_calls.open_feed(str(tmp_path), recursive=True)
    (tmp_path / "Below").mkdir()  # Wine tells nothing of folders that were there before
    (tmp_path / "before.txt").write_text("")
    reader = Reader(feed)
    try:
        reader.wait_for(b"before.txt")
        for number in range(10):
            (tmp_path / f"Below/{number}.txt").write_text("")
            assert reader.wait_for(b"Below/%d.txt" % number) < 0.5  # not after a second of quiet
    finally:
        began = time.monotonic()
        reader.stop()
        assert time.monotonic() - began < 0.5
    assert not reader.has_overflowed


@on_windows
def test_a_folder_alone_is_watched_without_what_is_below(tmp_path: Path) -> None:
    (tmp_path / "Below").mkdir()
    reader = Reader(windows_calls.open_feed(str(tmp_path), recursive=False))
    try:
        (tmp_path / "Below" / "a.txt").write_text("")
        (tmp_path / "b.txt").write_text("")
        reader.wait_for(b"b.txt")
        assert b"Below/a.txt" not in reader.paths
    finally:
        reader.stop()


@on_windows
def test_a_watched_folder_can_be_renamed_and_removed(tmp_path: Path) -> None:
    folder = tmp_path / "P"
    folder.mkdir()
    reader = Reader(windows_calls.open_feed(str(folder), recursive=True))
    folder.rename(tmp_path / "Q")
    (tmp_path / "Q").rmdir()
    reader.stop()
    assert not (tmp_path / "Q").exists()
