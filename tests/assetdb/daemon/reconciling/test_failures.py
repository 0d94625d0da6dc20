"""Failures to read: pauses that double, one line for each kind, and what a change means for the next try."""

from __future__ import annotations

import errno

import pytest

from assetdb.daemon.reconciling import failures as failures_module
from assetdb.daemon.reconciling.failures import Failures, pause_after
from assetdb.errors import ConfigurationError, ScanError


class Clock:
    """Time that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(failures_module, "time", clock)
    return clock


def make() -> tuple[Failures, list[str]]:
    logged: list[str] = []
    return Failures(lambda text, **_: logged.append(text)), logged


def test_pauses_double_up_to_half_a_minute() -> None:
    assert [pause_after(number) for number in range(5)] == [0.0, 0.1, 0.2, 0.4, 0.8]
    assert pause_after(9) == pytest.approx(25.6)
    assert pause_after(10) == pause_after(10**6) == 30.0


def test_the_next_try_is_planned_and_told_until_files_are_read(clock: Clock) -> None:
    failures, logged = make()
    failures.record(OSError(errno.EIO, "no disk"))
    assert failures.retry_at == pytest.approx(clock.now + 0.1)
    clock.now += 0.1
    failures.record(OSError(errno.EIO, "no disk"))
    assert failures.retry_at == pytest.approx(clock.now + 0.2)
    assert "no disk" in failures.problem
    assert failures.stale_because == failures.problem
    failures.clear()
    assert (failures.retry_at, failures.problem, failures.stale_because) == (None, "", "")
    failures.clear()
    assert logged.count("reading the files works again") == 1


def test_a_failure_is_told_again_only_when_it_is_another_or_rarer(clock: Clock) -> None:
    failures, logged = make()
    for _ in range(40):
        failures.record(OSError(errno.EIO, "no disk"))
    assert len(logged) == 10  # one for each longer pause
    failures.record(OSError(errno.ENFILE, "too many files"))
    assert len(logged) == 11
    assert failures.retry_at == clock.now + 30.0


def test_a_change_shortens_the_pause_to_a_second(clock: Clock) -> None:
    failures, _ = make()
    failures.hasten()
    assert failures.retry_at is None
    for _ in range(10):
        failures.record(ScanError("a folder went while it was read", "Assets", 5))
    failures.hasten()
    assert failures.retry_at == clock.now + 1.0


def test_a_change_after_invalid_settings_is_read_at_once(clock: Clock) -> None:
    failures, _ = make()
    failures.record(ConfigurationError("assetdb.toml: no TOML"))
    assert failures.retry_at == pytest.approx(clock.now + 0.1)
    assert failures.stale_because == ""  # the last valid settings still hold
    failures.hasten()
    assert failures.retry_at is None
    assert failures.problem == "assetdb.toml: no TOML"


def test_an_error_without_words_has_the_name_of_its_class() -> None:
    failures, _ = make()
    failures.record(MemoryError())
    assert failures.problem == "MemoryError"
    assert failures.is_repeated(MemoryError())
    assert not failures.is_repeated(OSError())
