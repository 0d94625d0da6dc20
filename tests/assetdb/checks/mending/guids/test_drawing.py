from __future__ import annotations

import pytest

from assetdb.checks.mending.guids import drawing


@pytest.mark.parametrize(("passed", "limits"), [(0.0, [3.0]), (8.0, [2.0]), (10.0, []), (11.0, [])])
def test_git_has_ten_seconds_in_all_and_three_for_one_asset(
    monkeypatch: pytest.MonkeyPatch, passed: float, limits: list[float]
) -> None:
    now = 1000.0
    given: list[float] = []

    def answer(_root: str, _path: str, seconds: float) -> int:
        given.append(seconds)
        return 7

    monkeypatch.setattr(drawing.time, "monotonic", lambda: now)
    monkeypatch.setattr(drawing, "added", answer)
    history = drawing._History("/project")
    now += passed
    assert history.added("Assets/a.mat") == (7 if limits else None)
    assert given == limits
