"""A machine that slept and a clock that was set are told from time that went by."""

from __future__ import annotations

import pytest

from assetdb.daemon.suspend import ClockMonitor, Reading, clock_jump, read_clocks

START = Reading(1000.0, 2000.0, 3000.0)


def after(passed: float, slept: float = 0.0, wall: float = 0.0) -> Reading:
    """Return a later reading; the wall's clock also runs while the machine sleeps."""
    return Reading(START.monotonic + passed, START.boot + passed + slept, START.wall + passed + slept + wall)


@pytest.mark.parametrize(
    ("now", "said"),
    [
        (after(0), ""),
        (after(100), ""),
        (after(1, slept=0.09), ""),
        (after(1, slept=0.2), "the machine was suspended"),
        (after(1, wall=0.9), ""),
        (after(1, wall=1.1), "the clock was set"),
        (after(1, wall=-1.1), "the clock was set"),
        (after(1000, wall=1.9), ""),  # which NTP may make of it
        (after(1000, wall=2.1), "the clock was set"),
        (after(1000, wall=-1.9), ""),
        (after(1, slept=100, wall=50), "the machine was suspended"),
    ],
)
def test_a_jump_between_two_readings_is_told(now: Reading, said: str) -> None:
    assert clock_jump(START, now) == said


def test_a_monitor_compares_with_its_last_reading() -> None:
    readings = iter([START, after(1), after(2, wall=5), after(3, wall=5)])
    monitor = ClockMonitor(lambda: next(readings))
    assert [monitor.jump(), monitor.jump(), monitor.jump()] == ["", "the clock was set", ""]


def test_the_clocks_of_the_system_run() -> None:
    first, second = read_clocks(), read_clocks()
    assert second.monotonic >= first.monotonic
    assert second.boot >= first.boot
    assert clock_jump(first, second) == ""
