"""``assetdb status`` where there is a daemon to ask, and where there is none."""

from __future__ import annotations

import json
import re
import time
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.cli import main
from assetdb.client import control

if TYPE_CHECKING:
    from pathlib import Path

NONE = control.DaemonState(running=False, status=None, problem="")


def answer(root: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401
    counts = {"assets": 1234, "problems": 5678, "clients": 2, "subscribers": 1, "requests": 9876}
    watch = {"back_end": "inotify", "is_quick": True, "is_slow": False, "error": "", "folders": 7}
    return {"root": root, "pid": 4711, "version": "1.2.3", "started": 0, **counts, "watch": watch, **more}


def asked(monkeypatch: pytest.MonkeyPatch, state: control.DaemonState, found: dict[str, Any]) -> None:
    monkeypatch.setattr(control, "ask_status", lambda *_: (state, found))


def test_what_a_daemon_says_of_itself(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked(monkeypatch, NONE._replace(running=True), answer(str(project), started=int(time.time()) - 7201))
    assert main(["status"]) == 0
    rows = [re.split(r"\s{2,}", line) for line in capsys.readouterr().out.splitlines()]
    assert rows == [
        ["project", "."],
        ["process", "4711, version 1.2.3, up 2 h"],
        ["assets", "1,234, 5,678 problems"],
        ["clients", "2, 1 subscribed, 9,876 requests"],
        *(["back end", "inotify"], ["is quick", "yes"], ["is slow", "no"], ["folders", "7"]),
    ]


@pytest.mark.parametrize(
    ("running", "problem", "said"),
    [
        (False, "", "no daemon is running for ."),
        (False, "gone", "no daemon is running for .: gone"),
        (True, "too slow", "the daemon does not answer: too slow; `assetdb watch --detach` replaces it"),
    ],
)
@pytest.mark.usefixtures("project")
def test_no_daemon_to_ask(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *, running: bool, problem: str, said: str
) -> None:
    asked(monkeypatch, NONE._replace(running=running, problem=problem), {})
    assert main(["status"]) == 1
    assert capsys.readouterr() == ("", f"assetdb: {said}\n")
    assert main(["status", "--json"]) == 1
    fields = json.loads(capsys.readouterr().out)
    assert (fields["running"], fields["problem"]) == (running, problem)


def test_json_has_the_answer_beside_the_state(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked(monkeypatch, NONE._replace(running=True), answer(str(project)))
    assert main(["status", "--json"]) == 0
    fields = json.loads(capsys.readouterr().out)
    assert (fields["running"], fields["assets"], fields["watch"]["is_quick"]) == (True, 1234, True)
