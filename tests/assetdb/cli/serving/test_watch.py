"""``assetdb watch``: which daemon it starts, replaces or leaves alone. The daemon itself is not started here."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.cli import main
from assetdb.cli.serving import daemon_process
from assetdb.client import control
from assetdb.daemon.files.status_file import Status
from assetdb.errors import NotRunningError

if TYPE_CHECKING:
    from pathlib import Path

NONE = control.DaemonState(running=False, status=None, problem="")


class System:
    """What is asked of the system, and what it answers."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, root: Path) -> None:
        self.root = root
        self.calls: list[tuple[Any, ...]] = []
        self.state = NONE
        self.after: control.DaemonState | None = None
        self.spawned = ""
        self.stopped: int | NotRunningError = 12
        monkeypatch.setattr(control, "inspect", lambda *_: self.state)
        monkeypatch.setattr(control, "inspect_settled", self._settled)
        monkeypatch.setattr(control, "stop", self._stop)
        monkeypatch.setattr(control, "spawn", self._spawn)
        monkeypatch.setattr(daemon_process, "serve", self._serve)

    def status(self, pid: int) -> Status:
        words = {"start": "", "socket": "", "token": "", "version": "0.1", "root": str(self.root)}
        return Status({**words, "pid": pid, "port": 0, "protocol": 1, "started": 0})

    def _settled(self, *_: object) -> control.DaemonState:
        return self.state

    def _stop(self, *_: object) -> int:
        self.calls.append(("stop",))
        if isinstance(self.stopped, NotRunningError):
            raise self.stopped
        return self.stopped

    def _spawn(self, words: list[str], folder: str, log: str, _: float) -> str:
        self.calls.append(("spawn", words[words.index("watch") :], os.path.relpath(log, folder)))
        self.state = self.after or self.state
        return self.spawned

    def _serve(self, root: str, out_dir: str | None, manner: daemon_process.DaemonOptions, _: object) -> int:
        self.calls.append(("serve", root, out_dir, *manner))
        return 7


@pytest.fixture
def system(project: Path, monkeypatch: pytest.MonkeyPatch) -> System:
    monkeypatch.setenv("ASSETDB_WATCH_SPAWN", "1")
    monkeypatch.delenv("ASSETDB_OUT_DIR", raising=False)
    return System(monkeypatch, project)


@pytest.mark.parametrize("seconds", ["0", "-1"])
def test_a_time_that_is_none_is_refused(system: System, capsys: pytest.CaptureFixture[str], seconds: str) -> None:
    assert main(["watch", f"--idle-timeout={seconds}"]) == 2
    assert "--idle-timeout must be more than 0 seconds" in capsys.readouterr().err
    assert system.calls == []


@pytest.mark.parametrize(
    ("words", "manner"),
    [
        ((), ("", None, False, True)),
        (("--quiet",), ("", None, False, False)),
        (("--backend", "polling", "--idle-timeout", "0.5", "--json-log"), ("polling", 0.5, True, True)),
    ],
)
def test_in_the_foreground_this_process_is_the_daemon(
    system: System, words: tuple[str, ...], manner: tuple[object, ...]
) -> None:
    assert main(["watch", *words]) == 7
    assert main(["watch", *words, "--out-dir", "out"]) == 7
    root = str(system.root)
    assert system.calls == [("serve", root, None, *manner), ("serve", root, os.path.join(root, "out"), *manner)]


def test_a_daemon_that_is_there_stays(system: System, capsys: pytest.CaptureFixture[str]) -> None:
    system.state = control.DaemonState(running=True, status=system.status(4711), problem="")
    assert main(["watch", "--detach"]) == 0
    assert capsys.readouterr() == ("already watching . (process 4711)\n", "")
    assert system.calls == []


@pytest.mark.parametrize("is_quiet", [False, True])
def test_a_daemon_of_another_version_is_replaced(
    system: System, capsys: pytest.CaptureFixture[str], *, is_quiet: bool
) -> None:
    system.state = control.DaemonState(running=True, status=system.status(12), problem="of version 0.1")
    system.after = control.DaemonState(running=True, status=system.status(13), problem="")
    assert main(["watch", "--detach", *(["--quiet"] if is_quiet else [])]) == 0
    said = "" if is_quiet else "assetdb: stopped the daemon of process 12: of version 0.1\n"
    assert capsys.readouterr() == ("watching . (process 13)\n", said)
    assert [call[0] for call in system.calls] == ["stop", "spawn"]


def test_a_daemon_that_ends_by_itself_meanwhile_is_no_error(system: System, capsys: pytest.CaptureFixture[str]) -> None:
    system.state = control.DaemonState(running=True, status=system.status(12), problem="of version 0.1")
    system.stopped = NotRunningError("it is gone")
    assert main(["watch"]) == 7
    assert capsys.readouterr().err == ""


def test_the_command_of_the_daemon_is_that_of_the_foreground(
    system: System, capsys: pytest.CaptureFixture[str]
) -> None:
    root = str(system.root)
    assert main(["watch", "--detach"]) == 0
    assert capsys.readouterr().out == "watching .\n"
    folder = os.path.join(root, "Library", "assetdb")
    plain = ["watch", "--quiet", "--project", root, "--out-dir", folder]
    assert system.calls == [("spawn", plain, "asset-db.watch.log")]
    more = ["--idle-timeout", "2.5", "--backend", "polling", "--json-log"]
    assert main(["watch", "--detach", *more]) == 0
    assert system.calls[1][1] == [*plain, *more]


def test_of_two_that_start_at_once_the_second_finds_the_first(
    system: System, capsys: pytest.CaptureFixture[str]
) -> None:
    system.spawned = "the lock is held"
    assert main(["watch", "--detach"]) == 2
    assert "the lock is held" in capsys.readouterr().err
    system.after = control.DaemonState(running=True, status=system.status(5), problem="")
    assert main(["watch", "--detach"]) == 0
    assert capsys.readouterr() == ("already watching . (process 5)\n", "")
