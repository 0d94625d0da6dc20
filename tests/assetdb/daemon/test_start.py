"""The start of a daemon: a signal ends the first read of the project, and nothing after it."""

from __future__ import annotations

import signal
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.daemon.start import Start

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Make = Callable[[Callable[[], None]], Start]


@pytest.fixture
def said() -> list[tuple[str, str]]:
    """What was logged, each with its reason."""
    return []


@pytest.fixture
def make(tmp_path: Path, said: list[tuple[str, str]]) -> Iterator[Make]:
    """Return a function that makes a start whose first read of the project is another function."""
    (tmp_path / "Assets").mkdir()

    def made(read: Callable[[], None]) -> Start:
        session: Any = SimpleNamespace(
            root=str(tmp_path), folder="", asset_count=0, close=lambda: said.append(("closed", ""))
        )
        endpoint: Any = SimpleNamespace(close=lambda: None)
        reconciler: Any = SimpleNamespace(start=read, stop=lambda *, save: said.append(("saved", str(save))))
        start = Start(
            session,
            lambda: endpoint,
            lambda *_: reconciler,
            lambda what, **more: said.append((what, more.get("reason", ""))),
        )
        status_file: Any = SimpleNamespace(write=lambda *_: None, remove=lambda: None)
        start.status_file = status_file
        return start

    before = signal.getsignal(signal.SIGTERM)
    yield made
    assert signal.getsignal(signal.SIGTERM) is before


def _stop() -> None:
    signal.raise_signal(signal.SIGTERM)


def test_a_signal_ends_the_first_read(make: Make, said: list[tuple[str, str]]) -> None:
    def read() -> None:
        _stop()
        said.append(("read on", ""))

    with make(read) as start:
        start.run()
    assert start.stopping == "SIGTERM"
    assert said == [("starting", ""), ("stopping", "SIGTERM"), ("saved", "True"), ("stopped", "")]


def test_a_later_signal_lets_what_is_done_end(make: Make, said: list[tuple[str, str]]) -> None:
    with make(lambda: None) as start:
        start.run()
        _stop()
        said.append(("answered", start.stopping))
    assert said == [
        *(("starting", ""), ("ready", ""), ("answered", "SIGTERM")),
        *(("stopping", "SIGTERM"), ("saved", "True"), ("closed", ""), ("stopped", "")),
    ]
