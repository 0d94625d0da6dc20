"""When updates, saves and scans are due, by arithmetic alone."""

from __future__ import annotations

import pytest

from assetdb.daemon.reconciling.schedule import LONGEST, QUIET, Schedule


@pytest.mark.parametrize(
    ("first", "last", "rescan", "at"),
    [
        (100.0, 100.0, False, 100.0 + QUIET),
        (100.0, 100.02, False, 100.02 + QUIET),
        (100.0, 100.5, False, 100.0 + LONGEST),  # a continuing edit is followed
        (100.0, 100.0, True, 100.05),
        (100.0, 100.9, True, 100.95),
        (100.0, 105.0, True, 101.0),
    ],
)
def test_an_update_comes_when_it_is_quiet_or_after_the_longest_time(
    first: float, last: float, at: float, *, rescan: bool
) -> None:
    assert Schedule().update_at(first, last, rescan=rescan) == pytest.approx(at)


@pytest.mark.parametrize(("cost", "pause"), [(0.1, 0.1), (0.3, 0.3), (5.0, 0.3)])
def test_after_an_update_there_is_a_pause_as_long_as_it_took_and_no_longer_than_others_wait(
    cost: float, pause: float
) -> None:
    schedule = Schedule()
    schedule.updated(100.0 - cost, 100.0)
    assert schedule.update_at(99.0, 99.0, rescan=False) == pytest.approx(100.0 + pause)
    assert schedule.update_at(200.0, 200.0, rescan=False) == pytest.approx(200.0 + QUIET)


@pytest.mark.parametrize(("cost", "pause"), [(0.001, 0.004), (0.1, 0.4), (1.0, 2.0)])
def test_while_a_check_is_awaited_updates_take_a_fifth_of_the_time_but_wait_two_seconds_at_most(
    cost: float, pause: float
) -> None:
    schedule = Schedule()
    schedule.updated(100.0 - cost, 100.0)
    schedule.gives_way = lambda: True
    assert schedule.update_at(99.0, 99.0, rescan=False) == pytest.approx(100.0 + pause)


@pytest.mark.parametrize(
    ("changed", "first", "busy", "at"),
    [
        (100.0, 100.0, False, 100.01),
        (100.5, 100.0, False, 100.51),
        (109.0, 100.0, False, 101.0),  # continuous changes are saved all the same
        (100.0, 100.0, True, 101.0),
    ],
)
def test_a_save_comes_after_a_change_and_in_a_storm_now_and_then(
    changed: float, first: float, at: float, *, busy: bool
) -> None:
    assert Schedule().save_at(changed, first, busy=busy) == pytest.approx(at)


def test_expensive_saves_are_rarer() -> None:
    schedule = Schedule()
    schedule.saved(99.5, 100.0)
    assert schedule.save_at(100.1, 100.1, busy=False) == pytest.approx(101.0)  # twice its cost after it
    assert schedule.save_at(100.1, 100.1, busy=True) == pytest.approx(105.1)  # ten times
    assert schedule.save_at(100.1, 99.0, busy=True) == pytest.approx(105.0)
    assert schedule.save_at(300.0, 300.0, busy=False) == pytest.approx(300.01)


def test_the_cache_is_written_after_ten_quiet_seconds_or_ten_times_its_cost() -> None:
    schedule = Schedule()
    assert schedule.cache_at(100.0) == pytest.approx(110.0)
    schedule.cached(98.0, 100.0)
    assert schedule.cache_at(100.0) == pytest.approx(120.0)
    assert schedule.cache_at(115.0) == pytest.approx(125.0)


@pytest.mark.parametrize(("cost", "wait"), [(0.0, 0.5), (0.05, 0.5), (0.2, 2.0), (6.0, 60.0), (100.0, 60.0)])
def test_scans_without_events_take_a_tenth_of_the_time_at_most(cost: float, wait: float) -> None:
    assert Schedule().poll_at(100.0, cost) == pytest.approx(100.0 + wait)
