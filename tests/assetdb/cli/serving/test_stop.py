"""``assetdb stop``: the process that was stopped, or that there was none."""

from __future__ import annotations

import pytest

from assetdb.cli import main
from assetdb.client import control
from assetdb.errors import NotRunningError

pytestmark = pytest.mark.usefixtures("project")


def test_the_process_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    waiters: list[object] = []

    def stop(_root: str, _folder: str, on_wait: object) -> int:
        waiters.append(on_wait)
        return 4711

    monkeypatch.setattr(control, "stop", stop)
    assert main(["stop"]) == 0
    assert main(["stop", "--quiet"]) == 0
    assert capsys.readouterr() == (2 * "stopped watching . (process 4711)\n", "")
    assert [waiter is None for waiter in waiters] == [False, True]


def test_no_daemon_is_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def stop(*_: object) -> int:
        raise NotRunningError("no daemon is running")

    monkeypatch.setattr(control, "stop", stop)
    assert main(["stop"]) == 1
    assert capsys.readouterr() == ("", "assetdb: no daemon is running\n")
