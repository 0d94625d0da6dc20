"""What strangers and broken clients can do to the daemon: nothing."""

from __future__ import annotations

import contextlib
import json
import os
import random
import socket
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from assetdb.daemon import endpoint
from assetdb.daemon.files.status_file import is_own, is_private, runtime_folder
from assetdb.daemon.rpc import protocol
from assetdb.daemon.rpc.connection import Limits
from assetdb.errors import DaemonError
from tests.needs import needs_modes, needs_unix_sockets
from tests.system.watch.daemons import Project, ask, call, project, result, short_folder, wait_for, watched

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["project", "watched"]

NOBODY = 65534

needs_proc = pytest.mark.skipif(
    not os.path.isfile(f"/proc/{os.getpid()}/statm"), reason="nothing tells the memory of another process"
)


def memory(pid: int) -> int:
    """Return the resident bytes of a process."""
    with open(f"/proc/{pid}/statm", "rb") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def unharmed(found: Project) -> bool:
    with found.connect() as peer:
        return bool(result(peer, "status")) and found.run("status").returncode == 0


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can become another user")
def test_another_user_cannot_connect(watched: Project) -> None:
    """A real second user: the folder keeps it out, and where the folder is open the daemon does."""
    path = str(watched.status()["socket"])
    code = f"""
import os, socket, sys
os.setgroups([]); os.setgid({NOBODY}); os.setuid({NOBODY})
peer = socket.socket(socket.AF_UNIX)
peer.settimeout(20)
try:
    peer.connect({path!r})
    peer.sendall(b'{{"jsonrpc": "2.0", "id": 1, "method": "status"}}\\n')
    print(peer.makefile().readline())
except PermissionError:
    print("PermissionError")
except (BrokenPipeError, ConnectionResetError):
    print("closed")
"""

    def stranger() -> str:
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd="/")
        return done.stdout.strip()

    assert stranger() == "PermissionError"
    folder = os.path.dirname(path)
    opened = [folder, *list(map(str, watched.runtime.parents))[:-2], str(watched.runtime)]
    modes = {name: stat.S_IMODE(os.stat(name).st_mode) for name in opened}
    try:
        for name in opened:
            os.chmod(name, modes[name] | 0o755)  # noqa: S103 - that is the test
        assert stranger() == "PermissionError", "the socket itself is 0600"
        os.chmod(path, 0o666)  # noqa: S103 - that is the test
        answer = stranger()
        assert answer == "closed" or json.loads(answer)["error"]["code"] == protocol.NOT_ALLOWED
    finally:
        os.chmod(path, 0o600)
        for name in reversed(opened):
            os.chmod(name, modes[name])
    assert unharmed(watched)


@needs_modes
def test_modes(watched: Project) -> None:
    path = str(watched.status()["socket"])
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(os.path.dirname(path)).st_mode) == 0o700


@needs_modes
def test_a_runtime_folder_that_is_not_safe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runtime = short_folder()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    folder = runtime / "assetdb"
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    folder.symlink_to(elsewhere)
    with pytest.raises(DaemonError, match="is not private to this user"):
        endpoint.listen("0" * 16)
    folder.unlink()
    folder.write_text("")
    with pytest.raises(DaemonError, match="is not private to this user"):
        endpoint.listen("0" * 16)
    folder.unlink()
    folder.mkdir(mode=0o777)
    folder.chmod(0o777)
    assert not is_private(str(folder))
    assert not is_own(str(folder / "x.sock"))
    endpoint.listen("0" * 16).close()
    assert is_private(str(folder)), "its own folder it puts right"
    if os.getuid() == 0:
        os.chown(folder, NOBODY, NOBODY)
        with pytest.raises(DaemonError, match="is not private to this user"):
            endpoint.listen("0" * 16)
    long = tmp_path / ("long" * 30)
    long.mkdir()
    for unusable in (tmp_path / "absent", long):
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(unusable))
        monkeypatch.setenv("TMPDIR", str(unusable) if unusable == long else "")
        assert runtime_folder() == f"/tmp/assetdb-{os.getuid()}"  # noqa: S108 - the product's own choice


@needs_proc
def test_a_gigabyte_in_one_message(watched: Project) -> None:
    before = memory(watched.pid)
    block = b"x" * (1 << 20)
    sent = most = 0
    with watched.connect() as peer:
        peer.sendall(b'{"jsonrpc": "2.0", "id": 1, "method": "resolve", "params": {"queries": ["')
        with contextlib.suppress(OSError):
            while sent < 1 << 30:
                sent += peer.send(block)
                most = max(most, memory(watched.pid))
            pytest.fail("a gigabyte was taken")
        with contextlib.suppress(ConnectionResetError):
            answer = json.loads(peer.makefile("rb").readline())
            assert answer["error"]["code"] == protocol.TOO_LARGE
    assert most - before < 64 << 20
    assert unharmed(watched)


def test_the_limit_of_a_message_is_told(watched: Project) -> None:
    with watched.connect() as peer:
        (answer,) = ask(peer, b"x" * ((8 << 20) + 1))
        assert isinstance(answer["error"], dict)
        assert answer["error"]["code"] == protocol.TOO_LARGE
        assert peer.recv(1) == b"", "and the connection ends"
    with watched.connect() as peer:
        queries = ["x" * 100] * 10_000
        assert "result" in call(peer, "find", {"pattern": "x" * ((8 << 20) - 1000)})
        assert len(json.dumps(queries)) < 8 << 20


def test_half_a_message(watched: Project) -> None:
    with watched.connect() as peer:
        peer.sendall(b'{"jsonrpc": "2.0", "id": 1, "me')
    with watched.connect() as peer:
        peer.sendall(b'{"jsonrpc": "2.0", "id": 1, "me')
        peer.shutdown(socket.SHUT_WR)
        assert peer.recv(1) == b""
    peers = [watched.connect() for _ in range(50)]
    for peer in peers:
        peer.sendall(b'{"jsonrpc": "2.0", "id": 1,')
    assert unharmed(watched)
    for peer in peers:
        (answer,) = ask(peer, b' "method": "status"}')
        assert "result" in answer
        peer.close()


def test_a_client_that_ends_its_side_gets_its_answers(watched: Project) -> None:
    with watched.connect() as peer:
        for number in range(100):
            peer.sendall(b'{"jsonrpc": "2.0", "id": %d, "method": "sync"}\n' % number)
        peer.shutdown(socket.SHUT_WR)
        found = [json.loads(line)["id"] for line in peer.makefile("rb")]
    assert sorted(found) == list(range(100))


@pytest.mark.long
def test_garbage(watched: Project) -> None:
    numbers = random.Random(5)
    for _ in range(300):
        with watched.connect() as peer:
            with contextlib.suppress(BrokenPipeError):
                peer.sendall(numbers.randbytes(numbers.randrange(1, 4000)) + b"\n" * numbers.randrange(2))
            if numbers.random() < 0.5:
                peer.shutdown(socket.SHUT_WR)
                for line in peer.makefile("rb"):
                    assert json.loads(line)["error"]["code"] in protocol.ERROR_MESSAGES
    valid = b'{"jsonrpc": "2.0", "id": 1, "method": "resolve", "params": {"queries": ["Player", "a:1"]}}'
    with watched.connect() as peer:
        for _ in range(2000):
            damaged = bytearray(valid)
            for _ in range(numbers.randrange(1, 4)):
                damaged[numbers.randrange(len(damaged))] = numbers.choice(b'{}[]":,0x\\\x00\xff ')
            line = bytes(damaged).replace(b"\n", b" ")
            peer.sendall(line + b"\n" + b'{"jsonrpc": "2.0", "id": "next", "method": "status"}\n')
            with peer.makefile("rb") as file:
                while json.loads(file.readline()).get("id") != "next":
                    pass
    assert unharmed(watched)


@needs_proc
@pytest.mark.long
def test_ten_thousand_connections(watched: Project) -> None:
    pid = watched.pid
    before = memory(pid)
    path = str(watched.status()["socket"])
    held: list[socket.socket] = []
    refused: set[int] = set()

    def enough_are_refused() -> bool:
        refused.update(number for number, peer in enumerate(held) if number not in refused and is_refused(peer))
        return len(refused) >= len(held) - Limits().clients

    try:
        for _ in range(20):
            for _ in range(500):
                peer = socket.socket(socket.AF_UNIX)
                held.append(peer)
                peer.connect(path)  # waits where the system's queue is full
            wait_for(enough_are_refused)
            assert len(refused) == 500 - Limits().clients
            for peer in held:
                peer.close()
            held.clear()
            refused.clear()
            wait_for(lambda: len(os.listdir(f"/proc/{pid}/fd")) < 50)
    finally:
        for peer in held:
            peer.close()
    assert memory(pid) - before < 32 << 20
    wait_for(lambda: unharmed(watched))


def is_refused(peer: socket.socket) -> bool:
    """Whether a client was told that there are too many; the others are still connected."""
    peer.settimeout(0.0)
    try:
        line = peer.recv(4096)
    except BlockingIOError:
        return False
    except ConnectionResetError:
        return True
    return b"too many clients" in line


@pytest.mark.parametrize("word", ["", "x", "0" * 64])
def test_the_loopback_wants_its_token(project: Project, word: str) -> None:
    project.environment["ASSETDB_WATCH_LOOPBACK"] = "1"
    project.start()
    port = project.status()["port"]
    assert isinstance(port, int)
    for first in ("status", "hello"):
        with socket.create_connection(("127.0.0.1", port), 20) as peer:
            params = {"protocol": 1, "token": word} if first == "hello" else {}
            answer = call(peer, first, params)
            assert isinstance(answer["error"], dict)
            assert answer["error"]["code"] == protocol.NOT_ALLOWED
            assert peer.recv(1) == b"", "and the connection ends"
    with open(str(project.status()["token"]), encoding="ascii") as file:
        said, expected = file.read().split()
    with socket.create_connection(("127.0.0.1", port), 20) as peer:
        hello = result(peer, "hello", {"protocol": 1, "token": said})
        assert isinstance(hello, dict)
        assert hello["token"] == expected
        assert result(peer, "status")


def test_a_stranger_on_the_port_of_a_dead_daemon(project: Project) -> None:
    """It does not know the word that the daemon would say, so nothing of what it says is printed."""
    project.environment["ASSETDB_WATCH_LOOPBACK"] = "1"
    daemon = project.start()
    status = project.status_path.read_bytes()
    with open(str(project.status()["token"]), encoding="ascii") as file:
        token = file.read()
    daemon.kill()
    daemon.wait()
    with socket.create_server(("127.0.0.1", 0)) as stranger:
        fields = json.loads(status) | {"port": stranger.getsockname()[1]}
        project.status_path.write_text(json.dumps(fields))
        assert token
        asking = project.begin("name", "Player")
        peer, _ = stranger.accept()
        with peer, peer.makefile("rwb") as file:
            assert b"hello" in file.readline()
            file.write(
                b'{"jsonrpc": "2.0", "id": 1, "result": {"protocol": 1, "token": "?", "root": "", "version": ""}}\n'
            )
            file.flush()
            out, _ = asking.communicate(timeout=30)
    assert out == b"Player.prefab  Prefab  Assets/Prefabs/Player.prefab\n"


@needs_unix_sockets
@pytest.mark.parametrize(
    "said", [b"", b"garbage\n", b"{}\n", b'{"result": 1}\n', b'{"result": {"code": 0}}\n', b"[" * 99999]
)
def test_a_daemon_that_says_nonsense(project: Project, said: bytes) -> None:
    """The client leaves the command to the files."""
    daemon = project.start()
    path = str(project.status()["socket"])
    status = project.status_path.read_bytes()
    daemon.kill()
    daemon.wait()
    os.unlink(path)
    project.status_path.write_bytes(status)
    with socket.socket(socket.AF_UNIX) as impostor:
        impostor.bind(path)
        impostor.listen()
        asking = project.begin("name", "Player")
        peer, _ = impostor.accept()
        with peer:
            peer.recv(4096)
            peer.sendall(said)
        out, _ = asking.communicate(timeout=30)
    assert out == b"Player.prefab  Prefab  Assets/Prefabs/Player.prefab\n"


def test_names_of_peers() -> None:
    one, other = socket.socketpair()
    with one, other:
        if sys.platform == "linux":
            assert endpoint.peer_user(one) == os.getuid()
        assert endpoint.is_allowed(one) is (True if hasattr(socket, "AF_UNIX") else None)  # a token allows
    assert not endpoint.same_token("", "")
    assert endpoint.same_token("a", "a")
    assert not endpoint.same_token("\u00e4", "a")
