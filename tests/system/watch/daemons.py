"""Daemons of the tests: each a process of its own, ended by its number whatever the test does."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from assetdb.daemon.files.status_file import PROTOCOL, WORKING
from assetdb.store.lock_owner import process_start
from tests.architecture.imports import PYTHONPATH
from tests.assetdb.unity_project import make_project

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SOON = 120.0  # seconds that anything may take before a test takes it for hung; a loaded machine needs 60 for some


def words(*command: str) -> list[str]:
    return [sys.executable, "-m", "assetdb", *command]


def environment(runtime: Path, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("ASSETDB_", "XDG_"))}
    return kept | {"PYTHONPATH": PYTHONPATH, "XDG_RUNTIME_DIR": str(runtime), "PYTHONHASHSEED": "0"} | more


class Project:
    """A project with a runtime folder of its own, in which commands are run."""

    def __init__(self, root: Path, runtime: Path) -> None:
        self.root = root
        self.environment = environment(runtime)
        self.runtime = runtime
        self.started: list[subprocess.Popen[bytes]] = []

    @property
    def folder(self) -> Path:
        return self.root / "Library" / "assetdb"

    @property
    def status_path(self) -> Path:
        return self.folder / "asset-db.watch.json"

    def run(
        self, *command: str, cwd: Path | None = None, stdin: bytes = b"", more: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            words(*command),
            cwd=cwd or self.root,
            env=self.environment | dict(more or {}),
            input=stdin,
            capture_output=True,
            timeout=SOON * 2,
            check=False,
        )

    def status(self) -> dict[str, object]:
        found = json.loads(self.status_path.read_bytes())
        assert isinstance(found, dict)
        return found

    @property
    def pid(self) -> int:
        pid = self.status()["pid"]
        assert isinstance(pid, int)
        return pid

    def start(self, *options: str, more: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
        """Start a daemon in the foreground, and return when it answers."""
        daemon = self.begin("watch", "--idle-timeout", "900", *options, more=more)
        wait_for(lambda: daemon.poll() is not None or (self.status_path.exists() and self.pid == daemon.pid))
        assert daemon.poll() is None, daemon.communicate()
        return daemon

    def begin(
        self, *command: str, more: Mapping[str, str] | None = None, program: list[str] | None = None
    ) -> subprocess.Popen[bytes]:
        """Start a command (of another ``program`` than the command line) and do not wait for it."""
        begun = subprocess.Popen(
            [*program, *command] if program else words(*command),
            cwd=self.root,
            env=self.environment | dict(more or {}),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.started.append(begun)
        return begun

    def connect(self) -> socket.socket:
        """Connect to the daemon's Unix socket, or to its port with the word that it wants to hear."""
        status = self.status()
        if status["socket"]:
            peer = socket.socket(socket.AF_UNIX)
            peer.settimeout(SOON)
            peer.connect(str(status["socket"]))
            return peer
        peer = socket.create_connection(("127.0.0.1", int(str(status["port"]))), SOON)
        said, expected = Path(str(status["token"])).read_text().split()
        hello = result(peer, "hello", {"protocol": PROTOCOL, "token": said})
        assert isinstance(hello, dict)
        assert hello["token"] == expected
        return peer

    def kill(self) -> None:
        """Have the daemon end without a word."""
        os.kill(self.pid, getattr(signal, "SIGKILL", signal.SIGTERM))  # Windows ends a process by every signal

    def end(self) -> None:
        """End whatever was begun here, and the daemon that the project has."""
        for begun in self.started:
            begun.kill()
            begun.wait()
            for stream in (begun.stdin, begun.stdout, begun.stderr):
                if stream is not None:
                    with contextlib.suppress(BrokenPipeError):
                        stream.close()
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError, AssertionError):  # there may be none
            if self.pid != os.getpid() and process_start(self.pid) == self.status()["start"] != "":
                self.kill()
        with contextlib.suppress(FileNotFoundError):
            self.status_path.unlink()


def wait_for(is_so: object, within: float = SOON) -> None:
    assert callable(is_so)
    until = time.monotonic() + within
    while not is_so():
        assert time.monotonic() < until, "not so in time"
        time.sleep(0.01)


def ask(peer: socket.socket, *messages: object) -> list[dict[str, object]]:
    """Send messages (bytes as they are), and return an answer for each."""
    for message in messages:
        line = message if isinstance(message, bytes) else json.dumps(message).encode()
        peer.sendall(line + b"\n")
    with peer.makefile("rb") as file:
        told = map(json.loads, file)
        answers = (answer for answer in told if answer.get("method") != WORKING)  # which slow machines are told
        return [answer for _, answer in zip(messages, answers, strict=False)]


def call(peer: socket.socket, method: str, params: object = None) -> dict[str, object]:
    fields = {"jsonrpc": "2.0", "id": 1, "method": method} | ({} if params is None else {"params": params})
    return ask(peer, fields)[0]


def result(peer: socket.socket, method: str, params: object = None) -> object:
    answer = call(peer, method, params)
    assert "result" in answer, answer
    return answer["result"]


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    """Return a small project without a daemon; what it has at the end is ended."""
    found = make(tmp_path)
    yield found
    found.end()


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """Return a small project with a daemon, which the tests of a module share."""
    found = make(tmp_path_factory.mktemp("watched"))
    found.start()
    yield found
    found.end()


@contextlib.contextmanager
def suspended(process: int) -> Iterator[None]:
    """Have a process see nothing for a while, where the system can."""
    if not hasattr(signal, "SIGSTOP"):
        yield
        return
    os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(process, signal.SIGCONT)


def make(folder: Path) -> Project:
    return Project(make_project(folder / "project"), short_folder())


def short_folder() -> Path:
    """Return a folder of this test run in which the path of a socket is not too long."""
    short = "/tmp" if os.name == "posix" else None  # noqa: S108 - that of TMPDIR may be long
    folder = Path(tempfile.mkdtemp(prefix="assetdb-test-", dir=short))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
