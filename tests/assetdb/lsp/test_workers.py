"""Lanes: what their jobs share, and what a job that goes wrong leaves behind."""

from __future__ import annotations

from queue import SimpleQueue
from typing import TYPE_CHECKING

import pytest

from assetdb.lsp.documents.names import Names
from assetdb.lsp.workers import FIND, QUICK, Lane, Lanes

if TYPE_CHECKING:
    from collections.abc import Iterator

PATIENCE = 60.0


def _ignore(_: object) -> None:
    return


@pytest.fixture
def lane() -> Iterator[Lane]:
    made = Lane("/nowhere", QUICK, _ignore, _ignore)
    yield made
    made.close()
    made.join(PATIENCE)


def test_a_job_gets_the_error_of_names_that_cannot_be_refreshed(lane: Lane, monkeypatch: pytest.MonkeyPatch) -> None:
    """A request whose job ended before its function began had no answer, and its id was taken for ever."""
    found: SimpleQueue[object] = SimpleQueue()

    def ask(given: Lane) -> None:
        try:
            found.put(given.names)
        except OSError as error:
            found.put(error)

    lane.submit(lane.job(ask))
    names = found.get(timeout=PATIENCE)
    assert isinstance(names, Names)

    def refresh(self: Names, *, moved: bool = False) -> None:
        raise PermissionError("no")

    monkeypatch.setattr(Names, "refresh", refresh)
    lane.submit(lane.job(ask))
    assert isinstance(found.get(timeout=PATIENCE), PermissionError)
    monkeypatch.undo()
    lane.submit(lane.job(ask))
    assert found.get(timeout=PATIENCE) is names


def test_names_are_refreshed_once_for_each_job(lane: Lane, monkeypatch: pytest.MonkeyPatch) -> None:
    refreshed: SimpleQueue[bool] = SimpleQueue()
    ended: SimpleQueue[int] = SimpleQueue()
    monkeypatch.setattr(Names, "refresh", lambda _, *, moved=False: refreshed.put(moved))

    def ask(given: Lane) -> None:
        given.names.own  # noqa: B018 - each of them is a use of the names
        given.names.own  # noqa: B018 - the same
        ended.put(refreshed.qsize())

    for expected in (0, 1, 2):
        lane.submit(lane.job(ask))
        assert ended.get(timeout=PATIENCE) == expected
    lane.moved = True
    lane.submit(lane.job(ask))
    assert ended.get(timeout=PATIENCE) == 4
    assert [refreshed.get(timeout=PATIENCE) for _ in range(4)] == [False, False, True, False]


def test_a_lane_of_several_projects_keeps_the_engines_of_those_that_are_left() -> None:
    lanes = Lanes(_ignore, _ignore)
    lane = lanes.get("", FIND)
    first, second = lane.engine_of("/a"), lane.engine_of("/b")
    assert (first.root, second.root) == ("/a", "/b")
    assert lane.engine_of("/a") is first
    lane.keep(["/b", "/c"])
    assert lane.engine_of("/b") is second
    assert lane.engine_of("/a") is not first
    lanes.end("")
    lane.join(PATIENCE)
