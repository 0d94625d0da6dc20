"""One daemon a project: started, found, replaced, stopped, whatever happened to the last one."""

from __future__ import annotations

import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest

from assetdb.client.control import is_same_process
from assetdb.daemon.files.lock import is_held
from assetdb.daemon.files.status_file import Status, read_status
from assetdb.store.lock_owner import process_start
from tests.assetdb.unity_project import guid
from tests.needs import (
    needs_fork,
    needs_growing_files,
    needs_links,
    needs_modes,
    needs_removable_folders,
    needs_signals,
    needs_unix_sockets,
)
from tests.system.watch.daemons import SOON, Project, call, project, result, wait_for, words

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["project"]

# As dmypy's tests: the command, what it prints, and its exit code where that is not 0. PID stands for any number.
TRANSCRIPTS = {
    "a life": """
$ assetdb status
assetdb: no daemon is running for .
== Return code: 1
$ assetdb stop
assetdb: no daemon is running for ROOT
== Return code: 1
$ assetdb log
assetdb: . has no log: run `assetdb watch`
== Return code: 1
$ assetdb watch --detach --idle-timeout 100
watching . (process PID)
$ assetdb watch --detach
already watching . (process PID)
$ assetdb watch
assetdb: error: a daemon is already running for ROOT/Library/assetdb
== Return code: 2
$ assetdb name Player
Player.prefab  Prefab  Assets/Prefabs/Player.prefab
$ assetdb bake
baked 9 assets -> Library/assetdb/asset-db.bin (unchanged); 1 lfs-pointer, 2 missing-meta, 1 orphan-meta
$ assetdb stop
stopped watching . (process PID)
$ assetdb stop
assetdb: no daemon is running for ROOT
== Return code: 1
$ assetdb name Player
Player.prefab  Prefab  Assets/Prefabs/Player.prefab
""",
    "mistakes": """
$ assetdb watch --idle-timeout 0
assetdb: error: --idle-timeout must be more than 0 seconds
== Return code: 2
$ assetdb watch --project Assets
assetdb: error: ROOT/Assets is not a Unity project: it has no Assets/ and no ProjectSettings/
== Return code: 2
$ assetdb status --project nowhere
assetdb: error: ROOT/nowhere is not a Unity project: it has no Assets/ and no ProjectSettings/
== Return code: 2
""",
    "after a kill": """
$ assetdb watch --detach --idle-timeout 100
watching . (process PID)
$ KILL
$ assetdb status
assetdb: no daemon is running for .: the daemon (process PID) exited unexpectedly
== Return code: 1
$ assetdb name Player
Player.prefab  Prefab  Assets/Prefabs/Player.prefab
$ assetdb watch --detach --idle-timeout 100
watching . (process PID)
$ assetdb name Player
Player.prefab  Prefab  Assets/Prefabs/Player.prefab
$ KILL
$ assetdb stop
assetdb: no daemon is running for ROOT: the daemon (process PID) exited unexpectedly
== Return code: 1
$ assetdb stop
assetdb: no daemon is running for ROOT
== Return code: 1
""",
}


def kill(found: Project) -> None:
    found.kill()
    wait_for(lambda: not is_held(str(found.folder)))


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_transcript(project: Project, name: str) -> None:
    printed: list[str] = []
    for line in TRANSCRIPTS[name].strip().splitlines():
        if not line.startswith("$ "):
            continue
        printed.append(line)
        if line == "$ KILL":
            kill(project)
            continue
        done = project.run(*line.split()[2:])
        text = (done.stdout + done.stderr).decode().replace(str(project.root), "ROOT")
        text = re.sub(r"(ROOT|Library)\S*", lambda found: found[0].replace(os.sep, "/"), text)
        text = re.sub(r"(process) \d+", r"\1 PID", text)
        printed += [row for row in text.splitlines() if not row.startswith("warning: ")]
        if done.returncode:
            printed.append(f"== Return code: {done.returncode}")
    assert "\n".join(printed) == TRANSCRIPTS[name].strip()


@needs_signals
@pytest.mark.parametrize("number", [getattr(signal, name, None) for name in ("SIGTERM", "SIGINT", "SIGHUP")])
def test_signals_stop_cleanly(project: Project, number: signal.Signals) -> None:
    daemon = project.start()
    socket_path = str(project.status()["socket"])
    daemon.send_signal(number)
    _, log = daemon.communicate(timeout=30)
    assert daemon.returncode == 0
    assert f"reason={number.name}" in log.decode()
    assert not project.status_path.exists()
    assert not os.path.exists(socket_path)
    assert (project.folder / "asset-db.cache").is_file()


@needs_signals
def test_a_signal_while_the_project_is_first_read(project: Project) -> None:
    for number in range(300):
        folder = project.root / "Assets" / f"Folder{number}"
        folder.mkdir()
    daemon = project.begin("watch")
    log_path = project.folder / "asset-db.watch.log"
    wait_for(lambda: log_path.exists() and b"starting" in log_path.read_bytes())
    daemon.send_signal(signal.SIGTERM)
    _, log = daemon.communicate(timeout=30)
    assert daemon.returncode == 0, log
    assert not project.status_path.exists()
    assert project.run("bake").returncode == 0


def test_idle_timeout(project: Project) -> None:
    started = time.monotonic()
    daemon = project.begin("watch", "--idle-timeout", "0.5")
    _, log = daemon.communicate(timeout=60)
    assert daemon.returncode == 0
    assert time.monotonic() - started >= 0.5
    assert "reason=idle" in log.decode()


@pytest.mark.long
def test_a_subscriber_is_no_idleness(project: Project) -> None:
    daemon = project.start("--idle-timeout", "2")  # a loaded machine takes a second to come to the subscription
    with project.connect() as peer:
        assert result(peer, "subscribe") == {"subscribed": True}
        with pytest.raises(subprocess.TimeoutExpired):
            daemon.wait(4.0)
        assert result(peer, "unsubscribe") == {"subscribed": False}
        daemon.communicate(timeout=30)


def write_status(found: Project, **changes: object) -> None:
    found.status_path.write_text(json.dumps(found.status() | changes))


def test_a_dead_pid_and_a_reused_one(project: Project) -> None:
    """The number of a daemon that was killed may be another process's by now: that is never touched."""
    project.start()
    status = project.status_path.read_bytes()
    kill(project)
    bystander = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        for pid, start in ((bystander.pid, None), (bystander.pid, "elsewhen"), (2**22 - 1, None)):
            project.status_path.write_bytes(status)
            write_status(project, pid=pid, **({} if start is None else {"start": start}))
            assert project.run("status").returncode == 1
            assert project.run("name", "Player").returncode == 0
            assert project.run("stop").returncode == 1
            assert not project.status_path.exists()
        project.status_path.write_bytes(status)
        write_status(project, pid=bystander.pid)
        done = project.run("watch", "--detach", "--idle-timeout", "60")
        assert done.returncode == 0
        assert project.run("stop").returncode == 0
        assert bystander.poll() is None
    finally:
        bystander.kill()
        bystander.wait()


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"pid": "1"}',
        b"\xff" * 100,
        b'{"pid": 1}' + b" " * 100_000,
        b'{"pid": 1' + b"[" * 9999,
    ],
)
def test_a_damaged_status_file(project: Project, text: bytes) -> None:
    project.folder.mkdir(parents=True)
    project.status_path.write_bytes(text)
    assert read_status(str(project.folder)) is None
    assert project.run("name", "Player").returncode == 0
    assert project.run("status").returncode == 1


@needs_unix_sockets
def test_a_status_file_of_strangers_is_not_followed(project: Project, tmp_path: Path) -> None:
    """It may have come with a cloned project: a socket elsewhere is never spoken to."""
    import socket  # noqa: PLC0415 - only here

    project.start()
    with socket.socket(socket.AF_UNIX) as trap:
        trap.bind(str(tmp_path / "trap.sock"))
        trap.listen()
        trap.settimeout(0.3)
        write_status(project, socket=str(tmp_path / "trap.sock"))
        assert project.run("name", "Player").returncode == 0
        with pytest.raises(TimeoutError):
            trap.accept()
    write_status(project, socket=str(project.runtime / "assetdb" / ".." / "assetdb" / "none.sock"))
    assert project.run("name", "Player").returncode == 0


def test_another_version_is_not_asked_and_is_replaced(project: Project) -> None:
    code = "import sys, assetdb.version as v; v.VERSION = '0.0.1'; from assetdb.cli import main; main(sys.argv[1:])"
    old = project.begin("watch", "--idle-timeout", "120", program=[sys.executable, "-c", code])
    wait_for(lambda: project.status_path.exists() and project.pid == old.pid)
    done = project.run("status")
    assert done.returncode == 1
    assert b"it is of version 0.0.1" in done.stderr
    with project.connect() as peer:
        status = result(peer, "status")
        assert project.run("name", "Player").returncode == 0
        again = result(peer, "status")
        assert isinstance(status, dict)
        assert isinstance(again, dict)
        assert again["requests"] == status["requests"] + 1, "nobody else asked"
    done = project.run("watch", "--detach", "--idle-timeout", "60")
    assert done.returncode == 0
    assert b"stopped the daemon of process" in done.stderr
    old.communicate(timeout=30)
    assert project.pid != old.pid
    assert project.run("status").returncode == 0
    assert project.run("stop").returncode == 0


@needs_removable_folders
def test_a_moved_project(project: Project) -> None:
    old = project.start()
    there = project.root.with_name("moved")
    project.root.rename(there)
    moved = Project(there, project.runtime)
    assert moved.run("name", "Player").stdout == b"Player.prefab  Prefab  Assets/Prefabs/Player.prefab\n"
    done = moved.run("watch", "--detach", "--idle-timeout", "60")
    assert done.returncode == 0, done
    old.communicate(timeout=30)
    status = moved.run("status", "--json")
    assert json.loads(status.stdout)["root"] == str(there)
    assert moved.run("stop").returncode == 0
    assert not project.root.exists(), "nothing was written where the project was"


def test_the_daemon_of_another_project_is_not_stopped_for_its_folder(project: Project) -> None:
    daemon = project.start()
    other = Project(project.root.with_name("other"), project.runtime)
    for name in ("Assets", "ProjectSettings"):
        (other.root / name).mkdir(parents=True)
    folder = str(project.root / "Library" / "assetdb")
    for more in ((), ("--detach",)):
        done = other.run("watch", *more, "--out-dir", folder)
        assert done.returncode == 2
        assert b"holds the database of" in done.stderr, done
        assert b"stopped" not in done.stderr
    assert daemon.poll() is None
    assert project.run("status").returncode == 0


def test_of_several_that_start_at_once_one_watches_and_the_others_say_so(project: Project) -> None:
    command = [*words("watch"), "--detach", "--idle-timeout", "60"]
    started = [
        subprocess.Popen(command, cwd=project.root, env=project.environment, stdout=subprocess.PIPE) for _ in range(8)
    ]
    said = [process.communicate(timeout=SOON)[0].split()[:2] for process in started]
    assert [process.returncode for process in started] == [0] * 8
    assert sorted(said) == [[b"already", b"watching"]] * 7 + [[b"watching", b"."]]
    assert project.run("stop").returncode == 0


def test_a_copied_project_is_not_answered_by_the_other_ones_daemon(project: Project) -> None:
    project.start()
    there = project.root.with_name("copy")
    shutil.copytree(project.root, there)
    copy = Project(there, project.runtime)
    (there / "Assets" / "Prefabs" / "Player.prefab.meta").unlink()
    assert copy.run("bake", "--quiet", "--keep-going").returncode == 0
    assert copy.run("name", guid(1)).returncode == 1
    assert project.run("name", guid(1)).returncode == 0
    assert copy.run("status").returncode == 1
    assert copy.run("watch", "--detach", "--idle-timeout", "60").returncode == 0
    assert project.run("status").returncode == 0
    assert copy.run("stop").returncode == 0


def test_two_at_once(project: Project) -> None:
    """Of many that start together one wins, and the others say so."""
    daemons = [project.begin("watch", "--idle-timeout", "60") for _ in range(4)]
    wait_for(lambda: sum(daemon.poll() is not None for daemon in daemons) == 3)
    assert [daemon.poll() for daemon in daemons].count(2) == 3
    wait_for(project.status_path.exists)
    assert project.run("status").returncode == 0
    assert project.run("stop").returncode == 0
    for daemon in daemons:
        daemon.communicate(timeout=30)


@pytest.mark.parametrize("mode", ["ASSETDB_WATCH_LOOPBACK", "ASSETDB_WATCH_SPAWN"])
def test_the_ways_of_windows(project: Project, mode: str) -> None:
    """A loopback port with a token, and a daemon that is spawned and not forked."""
    more = {mode: "1"}
    assert project.run("bake", "--quiet").returncode == 0
    project.environment |= more
    alone = project.run("name", "--json", "Player", "Plaier")
    done = project.run("watch", "--detach", "--idle-timeout", "60", more=more)
    assert done.returncode == 0, done
    assert project.run("watch", "--detach").stdout.startswith(b"already watching")
    beside = project.run("name", "--json", "Player", "Plaier")
    assert (beside.stdout, beside.stderr, beside.returncode) == (alone.stdout, alone.stderr, alone.returncode)
    status = json.loads(project.run("status", "--json").stdout)
    assert status["requests"] >= 2
    if mode == "ASSETDB_WATCH_LOOPBACK":
        assert (status["socket"], status["port"] > 0) == ("", True)
        assert os.name != "posix" or os.stat(status["token"]).st_mode & 0o777 == 0o600
    assert project.run("stop").returncode == 0
    assert not project.status_path.exists()
    assert not status["token"] or not os.path.exists(status["token"])


@pytest.mark.long
def test_the_output_is_removed(project: Project) -> None:
    """`rm -rf Library` is a common cure: the files come back, and so does the way to the daemon."""
    daemon = project.start()
    for _ in range(2):
        shutil.rmtree(project.root / "Library", ignore_errors=True)
        wait_for(lambda: project.status_path.exists() and (project.folder / "asset-db.index").exists())
        assert project.run("status").returncode == 0
        assert project.run("watch").returncode == 2, "it holds the new lock as well"
    assert project.pid == daemon.pid
    assert project.run("stop").returncode == 0


@pytest.mark.long
def test_a_daemon_whose_output_was_just_removed_is_waited_for(project: Project) -> None:
    project.start()
    for _ in range(3):
        shutil.rmtree(project.root / "Library", ignore_errors=True)
        done = project.run("status")
        assert done.returncode == 0, done.stderr
        assert b"no daemon" not in done.stderr
    wait_for(lambda: b"status file restored" in project.run("log").stdout)
    assert project.run("stop").returncode == 0
    assert b"stopped" in project.run("log").stdout


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="a process cannot be suspended there")
def test_a_suspended_daemon_is_said_to_be_so_and_can_be_stopped(project: Project) -> None:
    daemon = project.start()
    os.kill(daemon.pid, signal.SIGSTOP)
    began = time.monotonic()
    done = project.run("status")
    assert done.returncode == 1
    assert f"process {daemon.pid} is suspended (`kill -CONT {daemon.pid}` lets it go on)".encode() in done.stderr
    assert json.loads(project.run("status", "--json").stdout)["running"] is True
    assert time.monotonic() - began < 4, "nobody waits for an answer"
    assert project.run("stop").returncode == 0
    assert daemon.wait(SOON) == 0
    assert not project.status_path.exists()


@needs_modes
def test_why_it_does_not_start_is_said(project: Project) -> None:
    runtime = project.runtime / "assetdb"
    runtime.write_text("in the way")
    for options, more in (([], {}), (["--detach"], {}), (["--detach"], {"ASSETDB_WATCH_SPAWN": "1"})):
        done = project.run("watch", *options, more=more)
        assert done.returncode == 2
        if not more:
            assert b"is not private to this user" in done.stderr
        else:
            assert b"asset-db.watch.log" in done.stderr
    runtime.unlink()
    (project.root / "assetdb.toml").write_text("out-dir = 7")
    assert project.run("watch", "--detach").returncode == 2


def test_an_out_dir_of_the_configuration_is_found(project: Project) -> None:
    (project.root / "assetdb.toml").write_text('out-dir = "Build/db"\n')
    assert project.run("watch", "--detach", "--idle-timeout", "60").returncode == 0
    before = json.loads(project.run("status", "--json").stdout)
    assert before["folder"] == str(project.root / "Build" / "db")
    assert project.run("name", "Player").returncode == 0
    greetings = 0 if before["socket"] else 1  # a question says nothing else to a socket that the system guards
    after = json.loads(project.run("status", "--json").stdout)
    assert after["requests"] == before["requests"] + 3 + greetings
    assert project.run("stop").returncode == 0


@needs_growing_files
def test_the_log_is_followed(project: Project) -> None:
    project.start("--json-log")
    following = project.begin("log", "-f")
    path = project.root / "Assets" / "Prefabs" / "Player.prefab.meta"
    assert following.stdout is not None
    hung = threading.Timer(SOON, following.kill)
    hung.start()
    for line in following.stdout:
        if json.loads(line)["event"] == "ready":
            break
    path.write_text(path.read_text().replace(guid(1), guid(50)))
    for line in following.stdout:
        found = json.loads(line)
        if found["event"] == "updated":
            break
    hung.cancel()
    assert found["event"] == "updated"
    assert found["files_read"] >= 1
    assert project.run("stop").returncode == 0
    rest, _ = following.communicate(timeout=30)
    assert json.loads(rest.splitlines()[-1])["event"] == "stopped"


def test_after_shutdown_nobody_finds_it(project: Project) -> None:
    """The status file is gone before the answer comes, so who stops and starts again meets no ghost."""
    daemon = project.start()
    with project.connect() as peer:
        answer = call(peer, "shutdown")
        assert not project.status_path.exists()
        assert answer["result"] == {"stopping": True}
    daemon.communicate(timeout=30)
    assert daemon.returncode == 0


def test_the_start_of_a_process() -> None:
    assert process_start(os.getpid()) == process_start(os.getpid()) != ""
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    assert process_start(child.pid) not in ("", process_start(os.getpid()))
    child.communicate()
    assert process_start(child.pid) == ""
    fields = dict.fromkeys(("socket", "token", "version", "root"), "")
    numbers = dict.fromkeys(("pid", "port", "protocol", "started"), 0)
    assert not is_same_process(Status({**fields, **numbers, "start": ""}))


@needs_signals
def test_the_output_is_no_folder_any_more(project: Project, tmp_path: Path) -> None:
    daemon = project.start()
    status = project.status()
    (project.root / "Library").rename(tmp_path / "Library")
    (project.root / "Library").write_text("")
    daemon.terminate()
    assert daemon.wait(SOON) == 0
    assert not os.path.exists(str(status["socket"]))
    (project.root / "Library").unlink()


@needs_links
@pytest.mark.parametrize("spawned", ["", "1"])
def test_a_link_instead_of_the_log_is_not_followed(project: Project, tmp_path: Path, spawned: str) -> None:
    profile = tmp_path / "profile"
    profile.write_text("mine\n")
    project.folder.mkdir(parents=True, exist_ok=True)
    (project.folder / "asset-db.watch.log").symlink_to(profile)
    assert project.run("watch", "--detach", more={"ASSETDB_WATCH_SPAWN": spawned}).returncode == 0
    assert project.run("stop").returncode == 0
    assert profile.read_text() == "mine\n"
    assert b"stopped" in project.run("log").stdout


LATE = """
import sys, threading
from assetdb.cli import main
from assetdb.daemon.observers import watchdog

note = watchdog.WatchdogObserver._note
watchdog.WatchdogObserver._note = lambda self, event: threading.Timer(0.4, note, (self, event)).start()
sys.argv[0] = "assetdb"
sys.exit(main())
"""


def test_a_question_after_an_edit_has_it_although_events_are_late(project: Project) -> None:
    """As on Windows, where watchdog collects events until there was none for a second."""
    daemon = project.begin(
        *("watch", "--idle-timeout", "900", "--backend", "watchdog"), program=[sys.executable, "-c", LATE]
    )
    wait_for(lambda: daemon.poll() is not None or project.status_path.exists())
    assert daemon.poll() is None, daemon.communicate()
    for number in range(4):
        path = project.root / f"Assets/New{number}.txt"
        path.write_text("text")
        path.with_name(f"New{number}.txt.meta").write_text(f"fileFormatVersion: 2\nguid: {number:032x}\n")
        done = project.run("find", f"New{number}.txt", "--json")
        assert (done.returncode, done.stderr) == (0, b""), number
    assert b"watchdog" in project.run("status").stdout


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="a process cannot be suspended there")
def test_a_question_after_an_edit_has_it_although_the_daemon_did_not_run_meanwhile(project: Project) -> None:
    daemon = project.start()
    stream = ["utf-8", "strict", "block"]
    place = {"cwd": str(project.root), "root": str(project.root), "streams": [stream, stream]}
    with project.connect() as peer, peer.makefile("rb") as answers:
        for number in range(20):
            name = f"Later{number}"
            run = {"jsonrpc": "2.0", "id": 1, "method": "run", "params": {"argv": ["find", name], **place}}
            daemon.send_signal(signal.SIGSTOP)
            (project.root / f"Assets/{name}.txt").write_bytes(b"x")
            (project.root / f"Assets/{name}.txt.meta").write_text(f"guid: {guid(80 + number)}\n")
            peer.sendall(json.dumps(run).encode() + b"\n")
            daemon.send_signal(signal.SIGCONT)
            answer = next(line for line in answers if b'"method"' not in line[:40])  # word that it is being worked on
            assert json.loads(answer)["result"]["code"] == 0, name


def test_a_daemon_runs_nothing_of_the_working_directory(project: Project, tmp_path: Path) -> None:
    for name in ("assetdb", "msgspec"):
        (project.root / name).mkdir()
        for module in ("__init__.py", "__main__.py"):
            (project.root / name / module).write_text(f"open({str(tmp_path / 'ran')!r}, 'a').close()\n")
    # As the installed script is started, which has no working directory among its modules.
    program = [sys.executable, "-P", "-c", "import sys; from assetdb.cli import main; sys.exit(main(sys.argv[1:]))"]
    done = subprocess.run(
        [*program, "watch", "--detach"],
        cwd=project.root,
        env=project.environment | {"ASSETDB_WATCH_SPAWN": "1"},
        capture_output=True,
        timeout=SOON * 2,
        check=False,
    )
    try:
        assert not (tmp_path / "ran").exists()
        assert done.returncode == 0, done.stderr
    finally:
        project.run("stop", "--project", str(project.root), cwd=tmp_path)


def test_the_configuration_moves_the_output_under_a_daemon(project: Project) -> None:
    daemon = project.start()
    other = 'out-dir = "Build/db"\n'
    for folder, text in (("Build/db", other), ("Library/assetdb", ""), ("Build/db", other)):
        (project.root / "assetdb.toml").write_text(text)
        wait_for((project.root / folder / "asset-db.watch.json").exists)
        assert len(list(project.root.glob("*/*/asset-db.watch.json"))) == 1
        assert re.search(rf"process +{daemon.pid},".encode(), project.run("status").stdout)
        found = project.run("watch", "--detach")
        assert found.stdout == f"already watching . (process {daemon.pid})\n".encode()
    assert project.run("stop").returncode == 0
    assert daemon.wait(SOON) == 0
    assert not list(project.root.glob("*/*/asset-db.watch.json"))
    assert b"stopped" in project.run("log").stdout


def test_a_relative_output_of_the_environment_is_the_same_at_every_look(project: Project) -> None:
    more = {"ASSETDB_OUT_DIR": "Elsewhere"}  # a daemon in the background has another working directory
    log = project.root / "Elsewhere" / "asset-db.watch.log"
    assert project.run("watch", "--detach", "--idle-timeout", "60", more=more).returncode == 0
    try:
        (project.root / "assetdb.toml").write_text('exclude = ["*.nothing"]\n')
        wait_for(lambda: b"assetdb.toml changed" in log.read_bytes())
        assert project.run("bake", more=more).returncode == 0
        assert b"the output folder has moved" not in log.read_bytes()
    finally:
        assert project.run("stop", more=more).returncode == 0


def test_another_daemon_has_what_becomes_the_output(project: Project) -> None:
    first = project.start()
    second = project.begin("watch", "--idle-timeout", "120", "--out-dir", "Build/db")
    status = project.root / "Build" / "db" / "asset-db.watch.json"
    wait_for(status.exists)
    (project.root / "assetdb.toml").write_text('out-dir = "Build/db"\n')
    assert first.wait(SOON) == 0
    found = read_status(str(status.parent))
    assert found is not None
    assert found.pid == second.pid
    assert project.run("stop").returncode == 0
    assert second.wait(SOON) == 0


@needs_fork
def test_a_detached_daemon_holds_nothing_of_who_started_it(project: Project) -> None:
    reading, writing = os.pipe()
    with open(reading, "rb") as pipe:
        try:
            done = subprocess.run(
                words("watch", "--detach", "--idle-timeout", "60"),
                cwd=project.root,
                env=project.environment,
                pass_fds=(writing,),
                capture_output=True,
                timeout=SOON * 2,
                check=True,
            )
        finally:
            os.close(writing)
        assert done.stdout.startswith(b"watching")
        assert select.select([pipe], [], [], SOON)[0], "the daemon holds the pipe"
        assert pipe.read() == b""
        assert is_held(str(project.folder))
