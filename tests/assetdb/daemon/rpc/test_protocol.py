"""JSON-RPC on the daemon's socket."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import msgspec
import pytest

from assetdb.daemon.files.status_file import PROTOCOL
from assetdb.daemon.rpc import protocol
from assetdb.daemon.rpc.dispatch import METHODS
from assetdb.daemon.rpc.methods import query_methods
from assetdb.daemon.rpc.registry import Registry, documentation
from scripts.pages import DOCS, with_methods
from tests.assetdb.unity_project import guid
from tests.needs import needs_unix_sockets
from tests.system.watch.daemons import Project, ask, call, result, watched

if TYPE_CHECKING:
    import socket

__all__ = ["watched"]

PLAYER = "Player.prefab"


def code_of(answer: dict[str, object]) -> object:
    error = answer["error"]
    assert isinstance(error, dict)
    assert error["message"].startswith(protocol.ERROR_MESSAGES[error["code"]])
    return error["code"]


@pytest.mark.parametrize(
    ("line", "identifier", "code"),
    [
        (b"{", None, protocol.PARSE_ERROR),
        (b"\xff\xfe\x00", None, protocol.PARSE_ERROR),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "status", "params": {}', None, protocol.PARSE_ERROR),
        (b"[" * 100_000, None, protocol.PARSE_ERROR),
        (b'{"a":' * 100_000, None, protocol.PARSE_ERROR),
        (b'"hello"', None, protocol.INVALID_REQUEST),
        (b"17", None, protocol.INVALID_REQUEST),
        (b"[]", None, protocol.INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": 5, "method": 7}', 5, protocol.INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": "a"}', "a", protocol.INVALID_REQUEST),
        (b'{"jsonrpc": "1.0", "id": 6, "method": "status"}', 6, protocol.INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": {"a": 1}, "method": "status"}', None, protocol.INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": 2, "method": "statu"}', 2, protocol.METHOD_NOT_FOUND),
        (b'{"jsonrpc": "2.0", "id": 3, "method": "resolve"}', 3, protocol.INVALID_PARAMS),
        (b'{"jsonrpc": "2.0", "id": 3, "method": "resolve", "params": [1]}', 3, protocol.INVALID_PARAMS),
        (b'{"jsonrpc": "2.0", "id": 3, "method": "resolve", "params": {"queries": [1]}}', 3, protocol.INVALID_PARAMS),
        (b'{"jsonrpc": "2.0", "id": 3, "method": "status", "params": {"x": 1}}', 3, protocol.INVALID_PARAMS),
        (b'{"jsonrpc": "2.0", "id": 3, "method": "sync", "params": {"timeout": -1}}', 3, protocol.INVALID_PARAMS),
        pytest.param(
            b'{"jsonrpc": "2.0", "id": 3, "method": "hello", "params": {"protocol": 99}}',
            *(3, protocol.INVALID_PARAMS),
            marks=needs_unix_sockets,  # to a port the token is said first
        ),
        (b'{"jsonrpc": "2.0", "id": 3, "method": "find", "params": {"pattern": "", "limit": 0}}', 3, -32602),
        (b'{"jsonrpc": "2.0", "id": null, "method": "nothing"}', None, protocol.METHOD_NOT_FOUND),
    ],
)
def test_what_is_wrong_is_said(watched: Project, line: bytes, identifier: object, code: int) -> None:
    with watched.connect() as peer:
        (answer,) = ask(peer, line)
        assert (answer["jsonrpc"], answer["id"], code_of(answer)) == ("2.0", identifier, code)
        assert result(peer, "status"), "the same connection goes on"


def test_notifications_get_no_answer(watched: Project) -> None:
    with watched.connect() as peer:
        peer.sendall(b'{"jsonrpc": "2.0", "method": "status"}\n{"jsonrpc": "2.0", "method": "nothing"}\n\n  \n')
        assert call(peer, "status")["id"] == 1


def test_batches(watched: Project) -> None:
    status = {"jsonrpc": "2.0", "method": "status"}
    with watched.connect() as peer:
        peer.sendall(json.dumps([status, {**status, "id": 1}, 17, {**status, "id": "b", "method": "sync"}]).encode())
        peer.sendall(b"\n")
        with peer.makefile("rb") as file:
            answers = json.loads(file.readline())
        by_id = {answer["id"]: answer for answer in answers}
        assert set(by_id) == {1, None, "b"}
        assert code_of(by_id[None]) == protocol.INVALID_REQUEST
        peer.sendall(json.dumps([status, status]).encode() + b"\n")  # nothing to be answered: no answer at all
        peer.sendall(json.dumps([{**status, "id": 0}] * 1001).encode() + b"\n")
        with peer.makefile("rb") as file:
            assert code_of(json.loads(file.readline())) == protocol.INVALID_REQUEST


@needs_unix_sockets
def test_hello_and_status(watched: Project) -> None:
    with watched.connect() as peer:
        hello = result(peer, "hello", {"protocol": PROTOCOL})
        assert isinstance(hello, dict)
        assert hello["root"] == str(watched.root)
        status = result(peer, "status")
        assert isinstance(status, dict)
        assert (status["pid"], status["folder"]) == (watched.pid, str(watched.folder))


def test_resolve(watched: Project) -> None:
    queries = [f"{guid(1)}:300", guid(1), f"{guid(1)}:12345", "Player", "tiles_second", "Plaier", "", "Assets/Art"]
    with watched.connect() as peer:
        found = result(peer, "resolve", {"queries": [*queries, f"{guid(1)}:{1 << 70}", guid(99)]})
        assert isinstance(found, list)
        assert [item["name"] for item in found] == [
            *("Player.prefab / Body (Health)", PLAYER, "", PLAYER, "tiles.png / tiles_second (Sprite)", "", "", "Art"),
            *("", ""),
        ]
        assert [item["reason"] for item in found][2] == "dangling"
        assert found[5]["reason"] == "not-found"
        assert found[5]["candidates"] == ["Assets/Prefabs/Player.prefab"]
        assert code_of(call(peer, "resolve", {"queries": [""] * 20_001})) == protocol.INVALID_PARAMS


def test_find_deps_usages_annotate(watched: Project) -> None:
    with watched.connect() as peer:
        found = result(peer, "find", {"pattern": "TILES", "limit": 2})
        assert isinstance(found, dict)
        assert ([item["name"] for item in found["found"]], found["total"]) == (["tiles", "tiles_first"], 3)
        for method in ("deps", "usages"):
            options = ["--objects"] if method == "usages" else []
            printed = watched.run(method, "--json", *options, guid(1)).stdout
            params = {"query": guid(1)} | ({"objects": True} if options else {})
            assert result(peer, method, params) == json.loads(printed)
            missed = result(peer, method, {"query": "Plaier"})
            assert isinstance(missed, dict)
            assert missed["reason"] == "not-found"
        scene = watched.root / "Assets" / "Main.unity"
        annotated = result(peer, "annotate", {"text": scene.read_text()})
        assert isinstance(annotated, dict)
        assert annotated["text"].encode() == watched.run("annotate", str(scene)).stdout


@pytest.mark.parametrize(("method", "asked"), [("*", ""), ("Hurt", "Hurt"), ("Hurt*", "Hurt*")])
def test_a_star_alone_is_any_method(watched: Project, method: str, asked: str) -> None:
    with watched.connect() as peer:
        found = result(peer, "usages", {"query": guid(3), "method": method})
        assert isinstance(found, dict)
        assert found["method"] == asked


def test_labels_are_searched_for_and_shown(watched: Project) -> None:
    path = watched.root / "Assets" / "Marked.txt"
    with watched.connect() as peer:
        path.write_text("x")
        meta = f"fileFormatVersion: 2\nguid: {guid(78)}\nlabels:\n- Red\n- Big one\nTextScriptImporter:\n  userData: \n"
        path.with_name("Marked.txt.meta").write_text(meta)
        assert result(peer, "sync", {"files": True})
        found = result(peer, "find", {"pattern": "", "labels": ["red"]})
        assert isinstance(found, dict)
        assert [(row["path"], row["labels"]) for row in found["found"]] == [("Assets/Marked.txt", ["Red", "Big one"])]
        named = result(peer, "resolve", {"queries": [guid(78), guid(1)], "labels": True})
        assert isinstance(named, list)
        assert [row.get("labels", []) for row in named] == [["Red", "Big one"], []]
        assert code_of(call(peer, "find", {"pattern": "", "labels": [""] * 101})) == protocol.INVALID_PARAMS
        path.unlink()
        path.with_name("Marked.txt.meta").unlink()
        assert result(peer, "sync", {"files": True})


def resolved(peer: socket.socket, query: str) -> dict[str, object]:
    found = result(peer, "resolve", {"queries": [query]})
    assert isinstance(found, list)
    assert isinstance(found[0], dict)
    return found[0]


def test_changed_and_sync(watched: Project) -> None:
    path = watched.root / "Assets" / "New.txt"
    with watched.connect() as peer:
        path.write_text("x")
        meta = path.with_name("New.txt.meta")
        meta.write_text(f"fileFormatVersion: 2\nguid: {guid(77)}\nTextScriptImporter:\n  userData: \n")
        assert result(peer, "changed", {"paths": ["Assets/New.txt", str(meta)]}) == {"accepted": 2}
        assert result(peer, "sync", {"files": True})
        assert resolved(peer, guid(77))["path"] == "Assets/New.txt"
        path.unlink()
        meta.unlink()
        assert result(peer, "sync")
        assert resolved(peer, guid(77))["reason"] == "missing-asset"


def test_run_refuses_another_project_and_other_commands(watched: Project) -> None:
    stream = ["utf-8", "strict", "block"]
    params = {"argv": ["name", "Player"], "cwd": "/", "root": str(watched.root), "streams": [stream, stream]}
    with watched.connect() as peer:
        answer = result(peer, "run", params)
        assert answer == {"code": 0, "output": [[1, "Player.prefab  Prefab  Assets/Prefabs/Player.prefab\n"]]}
        assert code_of(call(peer, "run", {**params, "root": "/"})) == protocol.OTHER_PROJECT
        for argv in ([], ["bake"], ["watch"], ["name"], ["name", "--help"], ["annotate", "/nowhere"], ["xyzzy", "x"]):
            assert code_of(call(peer, "run", {**params, "argv": argv})) == protocol.ON_THE_FILES
        for streams in ([["klingon", "strict", "line"], stream], [stream, [stream]]):
            assert "error" in call(peer, "run", {**params, "streams": streams})
        assert code_of(call(peer, "run", {**params, "stdin": "*"})) == protocol.INVALID_PARAMS
        ascii_only = ["ascii", "strict", "none"]
        assert result(peer, "run", {**params, "streams": [ascii_only, ascii_only]}) == answer


def test_the_guide_has_the_methods_of_the_registry() -> None:
    text = (DOCS / "watch.md").read_text("utf-8")
    assert with_methods(text) == text, "run python -m scripts.pages"
    for method in METHODS:
        assert f"| `{method}` |" in text
    for code in protocol.ERROR_MESSAGES:
        assert f"`{code}`" in text, code
    long = [f"`{name}`" for name in METHODS if name in query_methods.methods and query_methods.methods[name].is_long]
    assert ", ".join(long) in " ".join(text.split()), "watch.md, For the command line: the methods that send `working`"


def test_a_method_has_one_function_and_says_what_it_does() -> None:
    registry = Registry()

    @registry.method("twice", params=protocol.Find, in_loop=True)
    def twice() -> None:
        """Do it twice.

        And more.
        """

    assert registry.methods["twice"].run is twice
    assert documentation(registry.methods.values()).splitlines()[-1] == (
        '| `twice` | `pattern`, `types=[]`, `labels=[]`, `limit=10000`, `sizes=false`, `imported=""` | Do it twice. |'
    )
    with pytest.raises(ValueError, match="registered twice"):
        registry.method("twice")(twice)
    with pytest.raises(ValueError, match="no docstring"):
        registry.method("silent")(lambda: None)


def test_a_change_has_a_former_name_and_path_only_where_they_differ() -> None:
    added = protocol.ChangeEntry("added", guid(1), "A", "Assets/A.mat", "Material", "", "")
    moved = protocol.ChangeEntry("moved", guid(1), "A", "Assets/A.mat", "Material", "A", "Assets/B.mat")
    assert json.loads(msgspec.json.encode(added)).keys() == {"kind", "guid", "name", "path", "type"}
    assert json.loads(msgspec.json.encode(moved))["old_path"] == "Assets/B.mat"
    with pytest.raises(AttributeError):
        added.name = "B"  # type: ignore[misc]
