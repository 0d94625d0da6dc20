"""Whatever happens to a project and to what its checks keep, a check says what one from nothing says."""

from __future__ import annotations

import pytest

from scripts.fuzz.check import run
from tests.needs import needs_git


@needs_git
@pytest.mark.parametrize(("rounds", "seed"), [(8, 1), pytest.param(100, 2, marks=pytest.mark.long)])
def test_what_is_kept_changes_no_answer(rounds: int, seed: int) -> None:
    failures, changes = run(rounds, seed)
    assert failures == []
    assert sum(changes.values()) > rounds // 2
