"""The saver: when files are written, and what follows a write that was not possible."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

from assetdb.daemon.reconciling.saver import Saver
from assetdb.daemon.reconciling.schedule import Schedule
from assetdb.daemon.reconciling.work import Outcome

if TYPE_CHECKING:
    from assetdb.daemon.session import Session

FULL = OSError(28, "No space left on device")


def make_saver() -> tuple[Saver, list[tuple[str, str]], list[BaseException], SimpleNamespace]:
    """Return a saver with what it logs, its faults, and its session."""
    logged: list[tuple[str, str]] = []
    faults: list[BaseException] = []
    session = SimpleNamespace(is_saved=True)

    def log(message: str, error: str = "") -> None:
        logged.append((message, error))

    return Saver(cast("Session", session), Schedule(), log, faults.append), logged, faults, session


def test_a_cache_that_another_bake_prevents_is_written_later() -> None:
    saver, logged, _, _ = make_saver()
    saver.is_caching = True
    saver.cached(Outcome(value=False, error=None, began=1.0, ended=2.0))
    assert (saver.is_caching, saver.saves, saver.uncached, logged) == (False, 0, 2.0, [])
    assert saver.cache_at() is not None


def test_a_cache_that_is_written_counts() -> None:
    saver, _, _, _ = make_saver()
    saver.is_caching = True
    saver.cached(Outcome(value=True, error=None, began=1.0, ended=2.0))
    assert (saver.is_caching, saver.saves, saver.uncached, saver.cache_at()) == (False, 1, None, None)


def test_a_change_during_a_write_of_the_cache_is_written_by_the_next() -> None:
    saver, _, _, _ = make_saver()
    saver.uncached = 1.5
    saver.cached(Outcome(value=False, error=None, began=1.0, ended=2.0))
    assert saver.uncached == 1.5


def test_a_cache_that_cannot_be_written_is_told_once_and_tried_again_ever_later() -> None:
    saver, logged, faults, _ = make_saver()
    pauses = []
    for _ in range(3):
        saver.uncached = None
        saver.cached(Outcome(value=None, error=FULL, began=1.0, ended=2.0))
        assert saver.uncached is not None
        pauses.append(saver.uncached - 2.0)
    assert pauses == sorted(set(pauses))
    assert (len(logged), faults, saver.saves) == (1, [], 0)
    saver.cached(Outcome(value=True, error=None, began=3.0, ended=4.0))
    saver.cached(Outcome(value=None, error=FULL, began=1.0, ended=2.0))
    assert len(logged) == 2  # it worked in between


def test_files_that_cannot_be_written_are_told_once_and_tried_again() -> None:
    saver, logged, _, _ = make_saver()
    saver.mark(1.0)
    for _ in range(2):
        saver.saved(Outcome(value=None, error=FULL, began=1.0, ended=2.0))
    assert (saver.unsaved, saver.problem) == (1.0, str(FULL))
    assert logged == [("the files cannot be written; trying again", str(FULL))]
    later = saver.save_at(busy=False)
    assert later is not None
    assert later > 2.0
    saver.saved(Outcome(value=True, error=None, began=3.0, ended=4.0))
    assert (saver.unsaved, saver.problem, saver.saves, saver.save_at(busy=False)) == (None, "", 1, None)


def test_files_that_were_touched_while_they_were_written_are_written_again() -> None:
    saver, _, _, session = make_saver()
    saver.mark(1.0)
    session.is_saved = False
    saver.saved(Outcome(value=True, error=None, began=1.0, ended=2.0))
    assert saver.unsaved == 2.0


def test_an_internal_error_is_a_fault_and_no_word_about_a_disk() -> None:
    saver, logged, faults, _ = make_saver()
    error = ZeroDivisionError("a fault of ours")
    saver.saved(Outcome(value=None, error=error, began=1.0, ended=2.0))
    assert (logged, faults) == ([], [error])
