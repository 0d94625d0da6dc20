"""Builds and groups, asked of a live daemon: rows of the commands, as the tree and the build are now, and refusals."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import assetdb
from assetdb.daemon.rpc.protocol import INVALID_PARAMS, PROJECT_ERROR
from tests.assetdb.builds.making import Texture, bundle
from tests.assetdb.builds.projects import add_group, add_settings
from tests.assetdb.builds.trace.test_tracer import PIXELS, TEX, write_bundles, write_project
from tests.system.graph.project import add, guid_of
from tests.system.watch.daemons import Project, short_folder

if TYPE_CHECKING:
    import socket
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Project]:
    root = write_project(tmp_path / "Game")
    add_settings(root, "First")
    add_group(root, "First", (TEX, "tex", ("label",)))
    write_bundles(root / "Build")
    found = Project(root, short_folder())
    found.start()
    yield found
    found.end()


def call(peer: socket.socket, method: str, params: object) -> dict[str, Any]:
    """Return an answer; until it comes the daemon may say that it works on it."""
    peer.sendall(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode() + b"\n")
    with peer.makefile("rb") as file:
        for line in file:
            answer: dict[str, Any] = json.loads(line)
            if "method" not in answer:
                return answer
            assert answer["method"] == "working"
    raise AssertionError("the daemon is gone")


def result(peer: socket.socket, method: str, params: object) -> dict[str, Any]:
    answer = call(peer, method, params)
    assert "result" in answer, answer
    found: dict[str, Any] = answer["result"]
    return found


def printed(project: Project, *words: str) -> list[object]:
    done = project.run(*words, "--json", "-q")
    assert done.returncode < 2, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_the_rows_are_those_of_the_command(game: Project) -> None:
    build = str(game.root / "Build")
    with game.connect() as peer:
        found = result(peer, "trace", {"builds": [build], "queries": [TEX, "others.bundle"], "lists": ["duplicates"]})
        groups = result(peer, "groups", {"entries": True})
    assert found == {
        "rows": printed(game, "trace", TEX, "others.bundle", "--duplicates", "--in", "Build"),
        "problems": [],
        "complete": True,
    }
    assert groups["rows"] == printed(game, "groups", "--entries")
    with assetdb.Client.connect(game.root) as client:
        assert client.trace([TEX, "others.bundle"], [build], lists=["duplicates"]) == found
        assert client.groups(entries=True) == groups


def test_an_edit_and_another_build_are_in_the_next_answer(game: Project) -> None:
    build = game.root / "Build"
    with game.connect() as peer:
        params = {"builds": [str(build)], "queries": ["others.bundle#73"]}
        before = result(peer, "trace", params)
        assert before["rows"][0]["certainty"] == "none"
        add(game.root, "Assets/Nobody.png", "x", "TextureImporter")
        result(peer, "sync", {})
        after = result(peer, "trace", params)
        assert [source["guid"] for source in after["rows"][0]["sources"]] == [guid_of("Assets/Nobody.png")]
        (build / "others.bundle").write_bytes(bundle("CAB-" + "1" * 32, "o", [Texture(73, "Only", PIXELS)]))
        last = result(peer, "trace", params)
        assert [source["path"] for source in last["rows"][0]["sources"]] == ["Assets/Only.png"]


def test_what_is_refused(game: Project) -> None:
    build = str(game.root / "Build")
    with game.connect() as peer:
        for params, code in (
            ({"builds": ["Build"], "queries": [TEX]}, INVALID_PARAMS),
            ({"builds": [], "queries": [TEX]}, INVALID_PARAMS),
            ({"builds": [f"{build}\0"], "queries": [TEX]}, INVALID_PARAMS),
            ({"builds": [build]}, INVALID_PARAMS),
            ({"builds": [build], "lists": ["everything"]}, INVALID_PARAMS),
            ({"builds": [build], "queries": [TEX] * 1001}, INVALID_PARAMS),
            ({"builds": [build] * 101, "queries": [TEX]}, INVALID_PARAMS),
            ({"builds": [f"{build}/nowhere"], "queries": [TEX]}, PROJECT_ERROR),
            ({"builds": [str(game.root / "Assets")], "queries": [TEX]}, PROJECT_ERROR),
            ({"builds": ["/proc/self/fd/0"], "queries": [TEX]}, PROJECT_ERROR),
        ):
            error = call(peer, "trace", params).get("error")
            assert isinstance(error, dict), params
            assert error["code"] == code, (params, error)
        for groups in ({"names": ["Third"]}, {"profile": "Nobody's"}, {"entries": True, "duplicates": True}):
            error = call(peer, "groups", groups).get("error")
            assert isinstance(error, dict), groups
            assert error["code"] == INVALID_PARAMS
        assert result(peer, "trace", {"builds": [build], "queries": [TEX]})


def test_a_damaged_build_says_so(game: Project) -> None:
    bad = game.root / "Build" / "bad.bundle"
    bad.write_bytes((game.root / "Build" / "things.bundle").read_bytes()[:90])
    with game.connect() as peer:
        found = result(peer, "trace", {"builds": [str(bad.parent)], "queries": [TEX]})
    assert len(found["problems"]) == 1
    assert "bad.bundle" in found["problems"][0]
    assert found["rows"][0]["parts"]
    done = game.run("trace", TEX, "--in", "Build")
    assert done.returncode == 2
    assert f"assetdb: error: {found['problems'][0]}\n".encode() in done.stderr
