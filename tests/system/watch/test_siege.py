"""Attacks on a daemon that once succeeded: each was seen to."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest

from assetdb.daemon.rpc import protocol
from assetdb.packages.external import LIMITS, Bound
from assetdb.packages.search import find_in_packages
from tests.needs import (
    needs_limits,
    needs_links,
    needs_pipes,
    needs_removable_folders,
    needs_signals,
    needs_unix_sockets,
)
from tests.system.watch.daemons import SOON, Project, ask, call, make, project, result, wait_for, watched

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["project", "watched"]

UNKNOWN = "NoSuchAsset"
STREAMS = [["utf-8", "strict", "block"], ["utf-8", "strict", "block"]]


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """Return a project of 3,000 assets with a daemon."""
    found = make(tmp_path_factory.mktemp("large"))
    for number in range(3000):
        folder = found.root / "Assets" / "Many" / f"Folder{number % 30}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"Thing{number}.txt").write_text("")
        (folder / f"Thing{number}.txt.meta").write_text(f"fileFormatVersion: 2\nguid: {number + 1:032x}\n")
    found.start()
    yield found
    found.end()


def run_in(project: Project, *argv: str) -> dict[str, object]:
    return {"argv": list(argv), "cwd": str(project.root), "root": str(project.root), "streams": STREAMS}


# --- nobody waits for another


LONG: list[tuple[str, dict[str, object]]] = [
    ("resolve", {"queries": [f"{UNKNOWN}{number}" for number in range(20_000)]}),
    ("annotate", {"text": "  m_A: {fileID: 11400000, guid: 00000000000000000000000000000001, type: 2}\n" * 60_000}),
]


@pytest.mark.parametrize("number", range(len(LONG) + 1))
def test_a_short_question_goes_before_the_end_of_a_long_one(large: Project, number: int) -> None:
    """The answers say in which order they were made: that needs no clock."""
    with large.connect() as slow, large.connect() as quick:
        if number == len(LONG):
            parts = [{"jsonrpc": "2.0", "id": n, "method": "find", "params": {"pattern": ""}} for n in range(20)]
            slow.sendall(json.dumps(parts).encode() + b"\n")
        else:
            method, params = LONG[number]
            slow.sendall(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode() + b"\n")
        wait_for(lambda: int(str(requests(quick))) > 0)
        for _ in range(5):
            result(quick, "resolve", {"queries": [f"{5:032x}"]})
        slow.settimeout(0.0)
        with pytest.raises(BlockingIOError):  # of 20 ms or more of work nothing has been said yet
            slow.recv(1)


def requests(peer: socket.socket) -> object:
    status = result(peer, "status")
    assert isinstance(status, dict)
    return status["requests"]


def test_what_comes_near_is_looked_for_a_few_times_only(watched: Project) -> None:
    with watched.connect() as peer:
        queries = [f"Player{number}.prefab" for number in range(10, 40)]
        found = result(peer, "resolve", {"queries": [queries[0], *queries]})
        assert isinstance(found, list)
        assert found[0]["candidates"]
        assert sum("candidates" in item for item in found) == 21  # the first is asked for twice, and looked for once
        parts = [{"jsonrpc": "2.0", "id": n, "method": "deps", "params": {"query": q}} for n, q in enumerate(queries)]
        peer.sendall(json.dumps(parts).encode() + b"\n")
        with peer.makefile("rb") as file:
            answers = json.loads(file.readline())
        assert sum(bool(answer["result"]["candidates"]) for answer in answers) == 20


@pytest.mark.long
def test_the_answers_to_a_batch_are_bounded_together(large: Project) -> None:
    parts = [
        {"jsonrpc": "2.0", "id": n, "method": "find", "params": {"pattern": "", "limit": 100_000}} for n in range(400)
    ]
    with large.connect() as peer:
        peer.settimeout(SOON * 2)
        line = json.dumps(parts).encode()
        threading.Thread(target=peer.sendall, args=(line + b"\n",), daemon=True).start()
        with peer.makefile("rb") as file:
            said = file.readline()
    assert len(said) < (64 << 20) + 400 * 1000
    answers = json.loads(said)
    assert len(answers) == len(parts)
    assert "result" in answers[0]
    assert {answer["error"]["code"] for answer in answers if "error" in answer} == {protocol.TOO_LARGE}


@pytest.mark.parametrize("method", ["stop", pytest.param("signal", marks=needs_signals)])
def test_it_stops_under_any_load(project: Project, method: str) -> None:
    daemon = project.start()
    text = "  m_A: {fileID: 11400000, guid: 00000000000000000000000000000001, type: 2}\n" * 80_000
    parts: list[dict[str, object]] = [
        {"jsonrpc": "2.0", "id": n, "method": "annotate", "params": {"text": text[: 7 << 10]}} for n in range(1000)
    ]
    queries = [f"{UNKNOWN}{number}" for number in range(20_000)]
    peers = []
    clock = project.connect()
    for message in (parts, {"jsonrpc": "2.0", "id": 1, "method": "resolve", "params": {"queries": queries}}):
        peer = project.connect()
        peer.sendall(json.dumps(message).encode() + b"\n")
        peers.append(peer)
    result(clock, "status")  # both have begun, or (as it was) have been done first
    if method == "stop":
        result(clock, "shutdown")
    else:
        daemon.send_signal(signal.SIGTERM)
    assert daemon.wait(SOON) == 0
    for peer in peers:
        line = b""
        with peer, peer.makefile("rb") as file, contextlib.suppress(ConnectionResetError):
            line = file.readline()
        assert b'"result"' not in line, "what was begun is not waited for"
    clock.close()


def test_a_client_that_goes_takes_its_work_along(large: Project) -> None:
    method, params = LONG[0]
    with large.connect() as peer:
        for _ in range(30):
            with large.connect() as left:
                left.sendall(
                    json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode() + b"\n"
                )
        wait_for(lambda: clients(peer) == 1, within=20.0)  # all of it would take a minute


def test_one_that_goes_from_the_loopback_does_so_too(project: Project) -> None:
    """There the system tells the end of its side alone: 30 clients were worked for, one by one."""
    project.environment["ASSETDB_WATCH_LOOPBACK"] = "1"
    project.start()
    test_a_client_that_goes_takes_its_work_along(project)


def clients(peer: socket.socket) -> object:
    status = result(peer, "status")
    assert isinstance(status, dict)
    return status["clients"]


@needs_links
@needs_pipes
@pytest.mark.parametrize("place", ["/dev/zero", "pipe", "link", "outside"])
def test_what_is_no_file_of_the_project_is_refused(project: Project, tmp_path: Path, place: str) -> None:
    project.start()
    assets = project.root / "Assets"
    os.mkfifo(assets / "pipe.asset")
    (assets / "link.asset").symlink_to("/dev/zero")
    (tmp_path / "outside.asset").write_text("a: 1\n")
    path = {"pipe": "Assets/pipe.asset", "link": "Assets/link.asset", "outside": str(tmp_path / "outside.asset")}
    with project.connect() as peer:
        answer = call(peer, "run", run_in(project, "annotate", path.get(place, place)))
        assert isinstance(answer["error"], dict)
        assert answer["error"]["code"] == protocol.ON_THE_FILES
        assert result(peer, "resolve", {"queries": ["Assets/pipe.asset", "Assets/pipe"]})


@needs_pipes
def test_a_pipe_beside_its_meta_hangs_nobody(project: Project) -> None:
    """Names, places and metas are read from the files: none of them may be a pipe that nobody writes to."""
    assets = project.root / "Assets"
    os.mkfifo(assets / "Pipe.prefab")
    (assets / "Pipe.prefab.meta").write_text(f"fileFormatVersion: 2\nguid: {77:032x}\n")
    os.mkfifo(assets / "Other.txt.meta")
    os.mkfifo(project.root / "ProjectSettings" / "Pipe.asset")
    project.start()
    with project.connect() as peer:
        found = result(peer, "resolve", {"queries": [f"{77:032x}:100", "Assets/Other.txt", f"{78:032x}"]})
        assert isinstance(found, list)
        assert len(found) == 3
        assert result(peer, "usages", {"query": f"{77:032x}", "objects": True})


def test_a_file_outside_is_sent_to_be_annotated(project: Project, tmp_path: Path) -> None:
    """The daemon reads no files elsewhere; those that git makes for a difference are sent."""
    path = tmp_path / "old.asset"
    path.write_text(f"m_A: {{fileID: 100100000, guid: {1:032x}, type: 3}}\n")
    assert project.run("bake", "--quiet").returncode == 0
    alone = project.run("annotate", "--textconv", str(path))
    project.start()
    with project.connect() as peer:
        before = int(str(requests(peer)))
        beside = project.run("annotate", "--textconv", str(path))
        assert (beside.stdout, beside.stderr, beside.returncode) == (alone.stdout, alone.stderr, alone.returncode)
        greetings = 0 if project.status()["socket"] else 1  # a port has one for each client
        assert int(str(requests(peer))) == before + 2 + greetings


# --- packages


def test_packages_are_searched_within_bounds(tmp_path: Path) -> None:
    project = tmp_path / "Game"
    shared = tmp_path / "shared"
    for folder in (
        project / "Assets",
        project / "Packages",
        project / "ProjectSettings",
        *(shared / str(n) for n in range(50)),
    ):
        folder.mkdir(parents=True)
    for number in range(50):
        (shared / str(number) / "a.txt.meta").write_text(f"guid: {number + 1:032x}\n")
    (project / "Packages" / "manifest.json").write_text('{"dependencies": {"com.a": "file:../../shared"}}')
    assert len(find_in_packages(str(project))[0]) == 50
    bound = Bound(LIMITS._replace(files=60))
    found, packages = find_in_packages(str(project), bound)
    assert len(found) < 20
    assert packages.missing, "an unknown GUID may be in what was not searched"
    assert [row.name for row in bound.cut] == ["com.a"]
    assert not find_in_packages(str(project), Bound(LIMITS._replace(seconds=-1.0)))[0]


@pytest.mark.parametrize("place", ["/", "..", "../.."])
def test_a_package_that_holds_its_project_is_none(tmp_path: Path, place: str) -> None:
    project = tmp_path / "Game"
    (project / "Packages").mkdir(parents=True)
    (project / "Packages" / "manifest.json").write_text(json.dumps({"dependencies": {"com.a": f"file:{place}"}}))
    (tmp_path / "a.txt.meta").write_text(f"guid: {1:032x}\n")
    bound = Bound()
    found, packages = find_in_packages(str(project), bound)
    assert (found, packages.missing) == ({}, "assets")
    assert [row.name for row in bound.cut] == ["com.a"]


def test_a_package_that_is_cut_is_said(project: Project) -> None:
    (project.root / "Packages").mkdir(exist_ok=True)
    (project.root / "Packages" / "manifest.json").write_text('{"dependencies": {"com.a": "file:../.."}}')
    project.start()
    said = project.run("bake", "--keep-going").stderr.decode()
    assert f"Packages/com.a: package-too-large: is {project.root.parent}, which contains the project: not read" in said


# --- a project that is replaced or deleted


def gone(daemon: subprocess.Popen[bytes]) -> str:
    _, log = daemon.communicate(timeout=SOON)
    assert daemon.returncode == 0
    return log.decode()


@pytest.mark.long
def test_another_project_in_the_place_of_the_first(project: Project, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    shutil.copytree(project.root, clone)
    first = project.start()
    project.root.rename(tmp_path / "moved")
    shutil.copytree(clone, project.root)
    second = project.start()
    status = project.status()
    (project.root / "Assets" / "Prefabs" / "Player.prefab").touch()
    assert "another folder is in the project's place" in gone(first)
    assert project.status() == status
    assert os.path.exists(str(status["socket"] or status["token"])), "the second's way to it is left alone"
    assert project.run("status").returncode == 0
    assert project.run("stop").returncode == 0
    assert second.wait(SOON) == 0


@pytest.mark.long
def test_nothing_is_written_into_another_project(project: Project, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    shutil.copytree(project.root, clone)
    daemon = project.start()
    project.root.rename(tmp_path / "moved")
    clone.rename(project.root)
    before = sorted(project.root.rglob("*"))
    (tmp_path / "moved" / "Assets" / "Prefabs" / "Player.prefab.meta").unlink()
    assert "nothing is written any more" in gone(daemon)
    assert sorted(project.root.rglob("*")) == before


@pytest.mark.long
@pytest.mark.parametrize("backend", ["inotify", "watchdog", "polling"])
@pytest.mark.parametrize("times", [2])
def test_a_deleted_project_stays_deleted(project: Project, tmp_path: Path, backend: str, times: int) -> None:
    if backend == "watchdog":
        pytest.importorskip("watchdog")
    kept = tmp_path / "kept"
    shutil.copytree(project.root, kept)
    for number in range(times):
        daemon = project.start("--backend", backend)
        time.sleep(0.1 * number)  # in the middle of what it does after its start, and later
        subprocess.run(["rm", "-rf", str(project.root)], check=True)
        assert "the project is gone" in gone(daemon)
        assert not project.root.exists()
        shutil.copytree(kept, project.root)


@pytest.mark.long
def test_a_project_is_deleted_while_much_happens(large: Project, tmp_path: Path) -> None:
    """Many edits before, so that files are about to be written while `rm` works."""
    for number in range(3):
        root = tmp_path / f"copy{number}"
        shutil.copytree(large.root, root, ignore=shutil.ignore_patterns("Library"))
        copy = Project(root, large.runtime)
        daemon = copy.start()
        for other in range(20):
            (root / "Assets" / "Many" / f"Folder{other}" / f"Thing{other}.txt.meta").unlink()
            time.sleep(0.01 * number)
        done = subprocess.run(["rm", "-rf", str(root)], check=False, capture_output=True)
        assert (done.returncode, done.stderr) == (0, b"")
        gone(daemon)
        assert not root.exists()


@pytest.mark.long
def test_neither_assets_nor_settings(project: Project) -> None:
    daemon = project.start()
    shutil.rmtree(project.root / "ProjectSettings")
    shutil.rmtree(project.root / "Assets")
    assert "the project has neither Assets nor ProjectSettings" in gone(daemon)


@needs_removable_folders
def test_a_project_that_comes_back_in_time(project: Project) -> None:
    daemon = project.start()
    project.root.rename(project.root.with_name("away"))
    project.root.with_name("away").rename(project.root)
    path = project.root / "Assets" / "Prefabs" / "Player.prefab.meta"
    path.write_text(path.read_text().replace(f"{1:032x}", f"{50:032x}"))
    with project.connect() as peer:
        result(peer, "sync")
    assert daemon.poll() is None


# --- always findable


@pytest.mark.parametrize(
    "what", ["cut", "removed", "of another", "socket", pytest.param("runtime", marks=needs_unix_sockets)]
)
def test_it_can_be_found_again(project: Project, what: str) -> None:
    project.start()
    status = project.status_path.read_bytes()
    path = str(project.status()["socket"] or project.status()["token"])
    if what == "cut":
        project.status_path.write_bytes(status[:40])
    elif what == "removed":
        project.status_path.unlink()
    elif what == "of another":
        project.status_path.write_text(json.dumps(project.status() | {"version": "0.0.1"}))
    elif what == "socket":
        os.unlink(path)
    else:
        shutil.rmtree(os.path.dirname(path))
    meta = project.root / "Assets" / "Prefabs" / "Player.prefab.meta"
    meta.write_text(meta.read_text().replace(f"{1:032x}", f"{60:032x}"))  # else it takes 20 seconds
    wait_for(lambda: os.path.exists(path) and project.status_path.exists() and project.status_path.read_bytes() != b"")
    wait_for(lambda: project.run("status").returncode == 0)
    assert project.run("stop").returncode == 0
    assert not os.path.exists(path)


@needs_signals
@pytest.mark.long
@pytest.mark.parametrize("command", [("name", "Player"), ("coverage",), ("bake",), ("annotate", "-")])
def test_a_daemon_that_does_not_answer_is_said(project: Project, command: tuple[str, ...]) -> None:
    daemon = project.start()
    alone = project.run(*command)
    daemon.send_signal(signal.SIGSTOP)
    try:
        done = project.run(*command)
    finally:
        daemon.send_signal(signal.SIGCONT)
    assert done.returncode == alone.returncode
    assert b"the daemon does not answer; reading the files" in done.stderr
    if command[0] != "bake":
        assert done.stdout == alone.stdout


def test_a_daemon_that_works_is_waited_for(project: Project) -> None:
    """It says every now and then that an answer is being made."""
    project.start()
    with project.connect() as peer:
        (project.root / "Library" / "assetdb").rename(project.root / "Library" / "other")
        (project.root / "Library" / "assetdb").write_text("in the way")  # so no files can be written
        request = {"jsonrpc": "2.0", "id": 1, "method": "sync", "params": {"files": True, "timeout": 3.0}}
        peer.sendall(json.dumps(request).encode() + b"\n")
        with peer.makefile("rb") as file:
            lines = []
            while b'"id":1' not in (line := file.readline()):
                lines.append(json.loads(line))
        (project.root / "Library" / "assetdb").unlink()
    assert all(line["method"] == "working" for line in lines)


@needs_unix_sockets
def test_a_port_is_not_asked_where_there_are_sockets(project: Project) -> None:
    project.start()
    with socket.create_server(("127.0.0.1", 0)) as trap:
        trap.settimeout(0.3)
        token = project.runtime / "assetdb" / "x.token"
        token.write_text("a b")
        fields = project.status() | {"socket": "", "port": trap.getsockname()[1], "token": str(token)}
        project.status_path.write_text(json.dumps(fields))
        assert project.run("name", "Player").returncode == 0
        with pytest.raises(TimeoutError):
            trap.accept()


# --- descriptors


@needs_limits
@pytest.mark.long
def test_idle_clients_leave_descriptors_for_the_scan(project: Project) -> None:
    """256 descriptors are macOS's default."""
    limited = f"import resource, sys; resource.setrlimit(resource.RLIMIT_NOFILE, (256, {hard()})); "
    code = limited + "from assetdb.cli import main; sys.exit(main(sys.argv[1:]))"
    daemon = project.begin("watch", "--idle-timeout", "120", program=[sys.executable, "-c", code])
    wait_for(lambda: project.status_path.exists() and project.pid == daemon.pid)
    first = project.connect()
    assert result(first, "status")
    peers = [project.connect() for _ in range(243)]
    try:
        turned_away = []
        for peer in peers:
            peer.settimeout(0.05 if len(turned_away) < 20 else 0.001)
            try:
                turned_away.append(peer.recv(1000))
            except TimeoutError:
                continue
        assert len(turned_away) > 20
        for said in turned_away:
            error = json.loads(said)["error"]
            assert error["code"] == protocol.TOO_MANY_CLIENTS
            assert "at most" in error["message"]
        assert len(os.listdir(f"/proc/{daemon.pid}/fd")) <= 256 - 50
        for number in range(30):
            folder = project.root / "Assets" / "New" / f"Folder{number}"
            folder.mkdir(parents=True)
            (folder / "a.txt").write_text("")
            (folder / "a.txt.meta").write_text(f"fileFormatVersion: 2\nguid: {number + 500:032x}\n")
        assert result(first, "sync", {"files": True})
        found = result(first, "resolve", {"queries": [f"{number + 500:032x}" for number in range(30)]})
        assert isinstance(found, list)
        assert all(item["path"] for item in found)
    finally:
        for peer in (first, *peers):
            peer.close()


@needs_limits
@pytest.mark.long
def test_with_few_descriptors_a_daemon_answers_or_says_that_it_cannot_start(project: Project) -> None:
    """With 12 or 13 of them it said "watching" and ended; with 11, 14 or 15 it was there and could take no client."""
    outcomes = set()
    for limit in (8, *range(10, 24), 40):
        limited = f"import resource, sys; resource.setrlimit(resource.RLIMIT_NOFILE, ({limit}, {hard()})); "
        code = limited + "from assetdb.cli import main; sys.exit(main(sys.argv[1:]))"
        started = project.begin("watch", "--detach", program=[sys.executable, "-c", code])
        said, problem = started.communicate(timeout=SOON)
        outcomes.add(started.returncode)
        if started.returncode == 2:
            assert said == b""
            assert b"Too many open files (raise the limit of open files" in problem, limit
            continue
        assert said.startswith(b"watching "), limit
        with project.connect() as client:
            (project.root / "Assets" / "New.txt").write_text("")
            (project.root / "Assets" / "New.txt.meta").write_text(f"fileFormatVersion: 2\nguid: {limit:032x}\n")
            assert result(client, "sync", {"files": True}), limit
            assert result(client, "resolve", {"queries": [f"{limit:032x}"]})
            assert result(client, "find", {"pattern": "New"}), limit
        assert project.run("stop").returncode == 0
    assert outcomes == {0, 2}


def hard() -> int:
    import resource  # noqa: PLC0415 - not on Windows

    return resource.getrlimit(resource.RLIMIT_NOFILE)[1]


def test_a_command_line_of_much_text_is_for_the_files(watched: Project) -> None:
    with watched.connect() as peer:
        for argv in (["name", *["x"] * 2000], ["find", "[" * 20_000]):
            (answer,) = ask(peer, {"jsonrpc": "2.0", "id": 1, "method": "run", "params": run_in(watched, *argv)})
            assert isinstance(answer["error"], dict)
            assert answer["error"]["code"] == protocol.ON_THE_FILES
