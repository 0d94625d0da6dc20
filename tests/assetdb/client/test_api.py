"""``assetdb.Client``, and what the client of one command line imports."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import assetdb
from assetdb.daemon.rpc import protocol
from assetdb.system.json_text import quote, read_json
from tests.assetdb.unity_project import guid, write
from tests.system.watch.daemons import Project, project, suspended, watched

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["project", "watched"]


@pytest.fixture
def client(watched: Project, monkeypatch: pytest.MonkeyPatch) -> Iterator[assetdb.Client]:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(watched.runtime))
    with assetdb.Client.connect(watched.root, timeout=20) as found:
        yield found


def test_questions(client: assetdb.Client, watched: Project) -> None:
    assert client.root == str(watched.root)
    found = client.resolve([f"{guid(1)}:300", "Plaier"])
    assert (found[0].name, found[0].file_id) == ("Player.prefab / Body (Health)", 300)
    assert (found[1].reason, found[1].candidates) == ("not-found", ("Assets/Prefabs/Player.prefab",))
    assert [row["name"] for row in client.find("tiles", ["Sprite"])] == ["tiles_first", "tiles_second"]
    assert client.deps(guid(2))["dependencies"]
    assert client.usages(guid(3), objects=True)["objects"]
    line = f"x: {{fileID: 100, guid: {guid(1)}, type: 3}}"
    assert client.annotate(line) == f"{line} # Player.prefab (GameObject)"
    assert client.status()["pid"] == watched.pid


def test_what_changes_is_told(client: assetdb.Client, watched: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    events = client.subscribe(timeout=20)
    with assetdb.Client.connect(watched.root) as other:
        write(watched.root, "Assets/One.txt", 70, "x")
        other.sync()
        moved = watched.root / "Assets" / "Two.txt"
        with suspended(watched.pid):  # an update between the two would see an asset that went and one that came
            for ending in ("", ".meta"):
                (watched.root / "Assets" / f"One.txt{ending}").rename(f"{moved}{ending}")
        other.changed([moved])
        other.sync(files=True)
        moved.unlink()
        moved.with_name("Two.txt.meta").unlink()
        other.sync()
        assert other.bake()["written"]
    seen = []
    for event in events:
        seen += [(change.kind, change.old_path, change.path) for change in event.changes]
        if len(seen) >= 3:
            break
    assert seen == [
        ("added", "", "Assets/One.txt"),
        ("renamed", "Assets/One.txt", "Assets/Two.txt"),
        ("removed", "Assets/Two.txt", "Assets/Two.txt"),
    ]
    assert list(client.subscribe(timeout=0.05)) == []
    assert client.status()["subscribers"] == 1


def test_a_subscription_whose_connection_is_reset_is_a_daemon_error() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(b'{"jsonrpc":"2.0","id":1,"result":{"subscribed":true}}\n')
        events = assetdb.Client(ours, 5).subscribe(timeout=5)
        theirs.close()  # with the request unread
        with pytest.raises(assetdb.DaemonError):
            next(events)


def test_updates_and_findings_are_followed_together() -> None:
    change = protocol.ChangeEntry("added", guid(1), "A", "Assets/A.mat", "Material", "", "")
    update = protocol.notification(
        "update", {"changes": [change], "diagnostics_added": [], "diagnostics_removed": [], "more": False}
    )
    findings = protocol.notification("findings", {"added": [{"code": "dangling"}], "removed": [], "more": False})
    subscribed = [f'{{"jsonrpc":"2.0","id":{number},"result":{{"subscribed":true}}}}'.encode() for number in (1, 2)]
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(b"".join(line + b"\n" for line in (subscribed[0], update, findings)))
        client = assetdb.Client(ours, 5)
        found = client.subscribe_to_findings(timeout=0.2)
        assert next(found).added == [{"code": "dangling"}]
        theirs.sendall(b"".join(line + b"\n" for line in (subscribed[1], update, findings)))
        updates = client.subscribe(timeout=0.2)
        assert next(found).added == [{"code": "dangling"}]
        assert list(found) == []
        assert [[change.path for change in event.changes] for event in updates] == [["Assets/A.mat"]]
        sent = [json.loads(line)["params"] for line in theirs.recv(1 << 16).splitlines()]
    assert sent == [{"findings": True}] * 2, "the second subscription does not end the first"


def test_many_changes_come_in_several_notifications(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(project.runtime))
    project.start()
    with assetdb.Client.connect(project.root) as client, assetdb.Client.connect(project.root) as other:
        events = client.subscribe(timeout=20)
        for number in range(1200):
            write(project.root, f"Assets/Many/{number}.txt", 1000 + number, "x")
        other.sync()
        count = 0
        for event in events:
            assert len(event.changes) <= 500
            count += len(event.changes)
            if count >= 1200:
                break
        assert count == 1200
        other.shutdown()
        with pytest.raises(assetdb.DaemonError):
            list(events)


def test_errors(client: assetdb.Client, watched: Project, tmp_path: object) -> None:
    with pytest.raises(assetdb.RequestError) as wrong:
        client.find("x", limit=0)
    assert wrong.value.code == -32602
    with pytest.raises(assetdb.RequestError):
        client.sync(timeout=0)
    assert client.status(), "the connection goes on"
    with pytest.raises(assetdb.ProjectError):
        assetdb.Client.connect(watched.root / "Assets")
    with pytest.raises(assetdb.NotRunningError):
        assetdb.Client.connect(watched.root, watched.root / "elsewhere")


def test_a_daemon_that_has_gone(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(project.runtime))
    daemon = project.start()
    with assetdb.Client.connect(project.root) as client:
        daemon.kill()
        daemon.wait()
        with pytest.raises(assetdb.DaemonError):
            client.status()
    with pytest.raises(assetdb.NotRunningError):
        assetdb.Client.connect(project.root)


def test_the_client_of_a_command_line_imports_next_to_nothing(watched: Project) -> None:
    code = (
        "import sys; before = set(sys.modules); from assetdb.cli import main; code = main(sys.argv[1:]);"
        "print(*sorted(set(sys.modules) - before)); sys.exit(code)"
    )
    arguments = [sys.executable, "-I", "-c", f"import sys; sys.path[:0] = {sys.path!r}; {code}"]
    done = subprocess.run(
        [*arguments, "name", f"{guid(1)}:300"],
        check=True,
        capture_output=True,
        text=True,
        cwd=watched.root,
        env=watched.environment,
    )
    name, modules = done.stdout.splitlines()
    assert name == "Player.prefab / Body (Health)  Assets/Prefabs/Player.prefab"
    ours = {
        "cli",
        "cli.plain",
        "client",
        "client.command",
        "daemon",
        "daemon.files",
        "daemon.files.status_file",
        "errors",
        "settings",
        "settings.output_folder",
        "settings.project",
        "system",
        "system.json_text",
        "system.reading",
        "system.shared_opening",
        "version",
    }
    if sys.platform == "win32":  # where a file is opened by a function of the system, so that others may rename it
        loaded = {module for module in modules.split() if module.startswith("assetdb")}
        assert loaded == {"assetdb", "assetdb_formats", "assetdb_formats.files", *(f"assetdb.{name}" for name in ours)}
        return
    assert set(modules.split()) == {
        "gc",
        "__future__",
        "_json",
        "_socket",
        "errno",  # of the interpreter itself: no file is read
        "assetdb",
        *(f"assetdb.{name}" for name in ours),
    }


@pytest.mark.parametrize("text", ["", "[", "[1] 2", '{"a" 1}', "NaN", "-Infinity", "[" * 100_000, "'a'", '"\n"'])
def test_json_that_is_none(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        read_json(text)


def test_json() -> None:
    assert read_json(' {"a": [1, 2.5, null, true, "\\u00e9\\ud83d\\ude00"]}\n') == {
        "a": [1, 2.5, None, True, "\u00e9\U0001f600"]
    }
    assert read_json(quote('a\u00e9\udcff\n"')) == 'a\u00e9\udcff\n"'


def test_a_command_beside_a_daemon_that_polls_answers_for_the_tree_as_it_is(project: Project) -> None:
    project.start("--backend", "polling")
    prefabs = project.root / "Assets" / "Prefabs"
    for number in range(5):
        old, new = (f"Player{count or ''}.prefab" for count in (number, number + 1))
        for ending in ("", ".meta"):
            (prefabs / f"{old}{ending}").rename(prefabs / f"{new}{ending}")
        found = project.run("guid", f"Assets/Prefabs/{new}")
        assert found.stdout.decode().strip() == guid(1), found.stderr
        assert project.run("guid", f"Assets/Prefabs/{old}").returncode == 1
