"""Work that is done elsewhere: what follows from it is done by who asks for that, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.daemon.reconciling.work import Outcome, Work
from assetdb.system.jobs import Cancelled
from assetdb.workspace.updates import Update

if TYPE_CHECKING:
    from collections.abc import Callable


def test_what_follows_waits_until_it_is_asked_for() -> None:
    woken: list[bool] = []
    given: list[Callable[[], None]] = []
    outcomes: list[Outcome] = []
    work = Work(lambda: woken.append(True))
    work.start = given.append
    work.do(lambda: 7, outcomes.append)
    assert (work.is_busy, work.has_ended) == (True, False)
    given.pop()()
    assert woken == [True]
    assert (work.is_busy, work.has_ended) == (True, True)
    assert outcomes == []
    assert work.follow() is None
    assert (outcomes[0].value, outcomes[0].error) == (7, None)
    assert outcomes[0].began <= outcomes[0].ended
    assert (work.is_busy, work.has_ended) == (False, False)


def test_an_error_is_an_outcome_and_one_update_is_taken_at_a_time() -> None:
    error = ValueError("no")
    outcomes: list[Outcome] = []
    first, second = Update(files_read=1), Update(files_read=2)

    def fail() -> None:
        raise error

    work = Work(lambda: None)
    work.do(fail, outcomes.append)
    work.do(lambda: None, lambda _: first)
    work.do(lambda: None, lambda _: second)
    assert work.follow() is first
    assert [outcome.error for outcome in outcomes] == [error]
    assert work.follow() is second
    assert work.follow() is None


def test_work_that_is_not_alone_keeps_nothing_else() -> None:
    given: list[Callable[[], None]] = []
    work = Work(lambda: None)
    work.start = given.append
    work.do(lambda: None, lambda _: None, alone=False)
    assert not work.is_busy
    work.do(lambda: None, lambda _: None)
    given.pop(0)()
    work.follow()
    assert work.is_busy


@pytest.mark.parametrize("error", [Cancelled(), SystemExit(3)])
def test_whatever_ends_a_piece_the_next_one_can_be_done(error: BaseException) -> None:
    """Otherwise the loop takes it for busy, and updates nothing any more."""
    outcomes: list[Outcome] = []
    work = Work(lambda: None)

    def fail() -> None:
        raise error

    with pytest.raises(type(error)):
        work.do(fail, outcomes.append)
    assert (work.is_busy, work.has_ended) == (True, True)
    work.follow()
    assert [outcome.error for outcome in outcomes] == [error]
    assert not work.is_busy
