"""The life of a server, documents that change, cancelling, and everything that is not as it should be."""

from __future__ import annotations

import json
import shutil
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.lsp.protocol.uris import uri_of
from scripts.fixture import copy_fixture
from tests.assetdb.lsp.editor import EVERYTHING, Editor, editing, position

if TYPE_CHECKING:
    from pathlib import Path

ITEM = "d1c74252c1f6ad0ccea4a18ab1a04ee8"
REFERENCE = f"  a: {{fileID: 11500000, guid: {ITEM}, type: 3}}\n"


def test_a_server_is_initialized_once_and_ends_in_order(project: Path) -> None:
    with Editor() as editor:
        assert editor.error("textDocument/hover", {})["code"] == -32002
        editor.notify("textDocument/didOpen", {"nothing": 1})
        result = editor.initialize(project)
        assert result["serverInfo"]["name"] == "assetdb"
        assert result["capabilities"]["positionEncoding"] == "utf-16"
        assert editor.error("initialize", {"capabilities": {}})["code"] == -32600
        registered = editor.wait_for("client/registerCapability")["registrations"][0]
        assert registered["method"] == "workspace/didChangeWatchedFiles"
        assert "prefab" in registered["registerOptions"]["watchers"][0]["globPattern"]
        assert editor.ask("shutdown") is None
        assert editor.error("workspace/symbol", {"query": "x"})["code"] == -32600
        editor.notify("exit")
        assert editor.process.wait(60) == 0


@pytest.mark.parametrize("words", [("--project", "PROJECT", "lsp"), ("lsp", "--stdio", "--project", "PROJECT")])
def test_a_project_of_the_command_line_is_served_whatever_folders_are_open(
    words: tuple[str, ...], project: Path, tmp_path: Path
) -> None:
    line = [str(project) if word == "PROJECT" else word for word in words]
    with Editor(sys.executable, "-m", "assetdb", *line) as editor:
        editor.initialize(tmp_path / "elsewhere")
        assert editor.ask("workspace/symbol", {"query": "item"})
        assert editor.quit() == 0


def test_a_project_without_a_database_is_told_of_once(tmp_path: Path) -> None:
    root = tmp_path / "Game"
    copy_fixture(root)
    with editing(root) as editor:
        uri = editor.open(root / "Assets/Prefabs/Variant.prefab")
        editor.ask("workspace/symbol", {"query": "item"})
        editor.hints(uri)
        editor.of("codeLens", uri)
        editor.at("references", uri, 9, 20, context={"includeDeclaration": False})
        editor.wait_for("textDocument/publishDiagnostics", uri=uri)
        logged = [row["params"]["message"] for row in editor.told if row["method"] == "window/logMessage"]
        assert [text for text in logged if "no database yet" in text] == [f"reading {root}: it has no database yet"]


@pytest.mark.parametrize("words", [("exit",), ("initialize", "exit")])
def test_a_server_that_was_not_shut_down_says_so(words: tuple[str, ...], project: Path) -> None:
    with Editor() as editor:
        if "initialize" in words:
            editor.initialize(project)
        editor.notify("exit")
        assert editor.process.wait(60) == 1


def test_a_server_whose_editor_has_gone_ends(project: Path) -> None:
    with Editor() as editor:
        editor.initialize(project)
        assert editor.process.stdin is not None
        editor.process.stdin.close()
        assert editor.process.wait(60) == 1


def test_messages_that_are_none_are_answered_and_the_next_is_served(project: Path) -> None:
    with editing(project) as editor:
        for data, code in (
            (b"{", -32700),
            (b"[" * 100_000, -32600),
            (b'{"a":' + b"[" * 1_000_000, -32700),
            (b'"x"', -32600),
            (b"{}", -32600),
            (b'{"jsonrpc":"2.0","id":null,"method":"shutdown"}', -32600),
            (b'{"jsonrpc":"2.0","id":{},"method":"shutdown"}', -32600),
            (b'{"jsonrpc":"2.0","id":"a","method":"no/such"}', -32601),
            (b'{"jsonrpc":"2.0","id":"b","method":"textDocument/hover","params":[1]}', -32602),
            (b'{"jsonrpc":"2.0","id":"c","method":"textDocument/hover","params":{"textDocument":{"uri":5}}}', -32602),
            ('{"method":"\xe9"}'.encode("latin-1"), -32700),
        ):
            editor.send_raw(data)
            while "error" not in (message := editor.step()):
                pass
            assert message["error"]["code"] == code, data[:80]
        editor.notify("textDocument/didChange", {"textDocument": {"uri": "file:///x"}, "contentChanges": 5})
        assert editor.wait_for("window/logMessage")["type"] == 1
        editor.notify("$/unknown", {"x": 1})
        editor.send({"id": "never asked", "result": None})
        assert editor.ask("workspace/symbol", {"query": "nothing of the sort"}) == []


def test_a_stream_that_is_no_messages_ends_the_server(project: Path) -> None:
    with Editor() as editor:
        editor.initialize(project)
        editor.send_raw(b"", b"GET / HTTP/1.1\r\n\r\n")
        while "error" not in (message := editor.step()):
            pass
        assert message["error"]["code"] == -32700
        assert editor.process.wait(60) == 1


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_positions_count_what_the_client_wants(project: Path, encoding: str) -> None:
    capabilities = {**EVERYTHING, "general": {"positionEncodings": ["x", encoding]}}
    with Editor() as editor:
        result = editor.initialize(project, capabilities=capabilities)
        assert result["capabilities"]["positionEncoding"] == encoding
        before = "  ä𝄞: "
        uri = editor.open(project / "Assets/Wide.asset", f"--- !u!114 &5\nM:\n{before}{REFERENCE.strip()[3:]}\n")
        width = {"utf-8": len(before.encode()), "utf-16": len(before) + 1, "utf-32": len(before)}[encoding]
        start = editor.at("hover", uri, 2, width + 3)["range"]["start"]
        assert start == position(2, width)
        assert editor.at("hover", uri, 2, width - 1) is None
        editor.change(uri, 2, (2, 2, 2, 2, "𝄞"))
        unit = {"utf-8": 4, "utf-16": 2, "utf-32": 1}[encoding]
        assert editor.hints(uri)[0]["position"]["character"] == width + unit + len(REFERENCE.strip()[3:])
        assert editor.quit() == 0


def test_edits_are_applied_in_their_order(editor: Editor, project: Path) -> None:
    uri = editor.open(project / "Assets/Edited.asset", "--- !u!114 &5\nM:\n")
    assert editor.hints(uri) == []
    editor.change(uri, 2, (2, 0, 2, 0, REFERENCE), (2, 2, 2, 3, "first"), (3, 0, 3, 0, REFERENCE))
    assert [hint["position"]["line"] for hint in editor.hints(uri)] == [2, 3]
    editor.notify(
        "textDocument/didChange",
        {
            "textDocument": {"uri": uri, "version": 3},
            "contentChanges": [{"text": "--- !u!114 &5\nM:\n\n\n" + REFERENCE}],
        },
    )
    assert [hint["position"]["line"] for hint in editor.hints(uri)] == [4]
    editor.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert editor.hints(uri) is None


def test_what_is_cancelled_has_no_result(editor: Editor, project: Path) -> None:
    text = "".join(f"--- !u!1 &{n}\nGameObject:\n  m_Name: N{n}\n" for n in range(1, 40_000))
    uri = editor.open(project / "Assets/Large.prefab", text)
    document = {"textDocument": {"uri": uri}}
    numbers = [editor.begin("textDocument/documentSymbol", document) for _ in range(6)]
    for number in numbers:
        editor.notify("$/cancelRequest", {"id": number})
    last = editor.begin("textDocument/hover", {**document, "position": position(0, 5)})
    assert "result" in editor.answer(last)
    for number in numbers:
        answer = editor.answer(number)
        assert "result" not in answer
        assert answer["error"]["code"] == -32800
    editor.notify("$/cancelRequest", {"id": last})  # it has its answer
    editor.notify("$/cancelRequest", {"id": "never asked"})
    assert editor.at("hover", uri, 0, 5) is not None
    assert not editor._answers, "no request has two answers"


@pytest.mark.long
def test_a_token_cancels_too(editor: Editor, project: Path) -> None:
    text = "".join(f"--- !u!1 &{n}\nGameObject:\n  m_Name: N{n}\n" for n in range(1, 40_000))
    uri = editor.open(project / "Assets/Tokens.prefab", text)
    busy = editor.begin("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    number = editor.begin("textDocument/documentSymbol", {"textDocument": {"uri": uri}, "workDoneToken": "t"})
    editor.notify("window/workDoneProgress/cancel", {"token": "t"})
    assert editor.answer(number)["error"]["code"] == -32800
    assert "result" in editor.answer(busy)


def test_long_work_does_not_keep_a_hover_waiting(editor: Editor, project: Path) -> None:
    text = "".join(f"--- !u!1 &{n}\nGameObject:\n  m_Name: N{n}\n" for n in range(1, 40_000))
    large = editor.open(project / "Assets/Long.prefab", text)
    small = editor.open(project / "Assets/Prefabs/Variant.prefab")
    long = editor.begin("textDocument/documentSymbol", {"textDocument": {"uri": large}})
    assert editor.at("hover", small, 2, 5) is not None
    assert long not in editor._answers, "the hover came first"
    assert "result" in editor.answer(long)


@pytest.mark.parametrize(
    "uri", ["untitled:Untitled-1", "untitled:New.prefab", "file:///", "file:///no/such/place/A.prefab", "x", ""]
)
def test_documents_in_no_project_have_right_answers_or_none(editor: Editor, uri: str) -> None:
    text = f"--- !u!1 &10\nGameObject:\n  m_Name: Alone\n{REFERENCE}"
    item = {"uri": uri, "languageId": "yaml", "version": 1, "text": text}
    editor.notify("textDocument/didOpen", {"textDocument": item})
    document = {"textDocument": {"uri": uri}}
    at = {**document, "position": position(3, 10)}
    for method, params in (
        ("hover", at),
        ("definition", at),
        ("references", {**at, "context": {"includeDeclaration": True}}),
        ("completion", at),
        ("codeLens", document),
        ("inlayHint", {**document, "range": {"start": position(0, 0), "end": position(9, 0)}}),
    ):
        assert editor.ask(f"textDocument/{method}", params) is None, method
    symbols = editor.of("documentSymbol", uri)
    assert symbols is None or symbols[0]["name"] == "Alone"
    editor.notify("textDocument/didSave", document)
    editor.notify("textDocument/didClose", document)


def test_a_project_that_is_deleted_has_no_answers_and_no_crash(tmp_path: Path, project: Path) -> None:
    root = tmp_path / "Gone"
    copy_fixture(root)
    with editing(root, project) as editor:
        uri = editor.open(root / "Assets/Prefabs/Variant.prefab")
        assert len(editor.hints(uri)) == 2
        editor.wait_for("textDocument/publishDiagnostics", uri=uri)  # until then its answers are being kept in Library
        shutil.rmtree(root)
        time.sleep(0.3)
        assert editor.hints(uri) is None
        editor.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
        assert editor.at("hover", uri, 9, 20) is None
        other = editor.open(project / "Assets/Prefabs/Variant.prefab")
        assert len(editor.hints(other)) == 2


def test_a_workspace_may_have_several_projects(tmp_path: Path) -> None:
    roots = [tmp_path / "repository" / "client" / name for name in ("One", "Two")]
    for root in roots:
        copy_fixture(root)
    (roots[1] / "Assets/Art/Red.mat").rename(roots[1] / "Assets/Art/Blue.mat")
    (roots[1] / "Assets/Art/Red.mat.meta").rename(roots[1] / "Assets/Art/Blue.mat.meta")
    third = tmp_path / "Third"
    copy_fixture(third)
    with editing(tmp_path / "repository") as editor:
        guid = (roots[0] / "Assets/Art/Red.mat.meta").read_text().split("guid: ")[1][:32]
        text = f"--- !u!114 &5\nM:\n  a: {{fileID: 2100000, guid: {guid}, type: 2}}\n"
        labels = [editor.hints(editor.open(root / "Assets/X.asset", text))[0]["label"] for root in roots]
        assert labels == ["Red.mat", "Blue.mat"]

        def holders() -> set[str]:
            found = editor.ask("workspace/symbol", {"query": "hero.fbx"})
            return {item["location"]["uri"] for item in found}

        expected = {uri_of(str(root / "Assets/Art/Hero.fbx")) for root in roots}
        assert holders() == expected
        folders: dict[str, Any] = {"added": [{"uri": uri_of(str(third)), "name": "t"}], "removed": []}
        editor.notify("workspace/didChangeWorkspaceFolders", {"event": folders})
        assert holders() == expected | {uri_of(str(third / "Assets/Art/Hero.fbx"))}
        folders = {"added": [], "removed": [{"uri": uri_of(str(third)), "name": "t"}]}
        editor.notify("workspace/didChangeWorkspaceFolders", {"event": folders})
        assert holders() == expected


def test_what_was_saved_is_named_anew_without_a_daemon(editor: Editor, project: Path) -> None:
    base = project / "Assets/Prefabs/Base.prefab"
    own = editor.open(base)
    uri = editor.open(project / "Assets/Prefabs/Variant.prefab")
    assert editor.hints(uri)[1]["label"] == "Base.prefab"
    text = base.read_text().replace("m_Name: ", "m_Name: New ", 1)
    name = next(line for line in text.split("\n") if "m_Name: New" in line).partition(": ")[2]
    base.write_text(text, newline="\n")
    editor.told.clear()
    editor.notify("textDocument/didSave", {"textDocument": {"uri": own}})
    editor.wait_for("workspace/inlayHint/refresh")
    assert editor.hints(uri)[0]["label"] == f"Base.prefab / {name} (GameObject)"
    for path in (base, base.with_name("Base.prefab.meta")):
        path.rename(path.with_name(path.name.replace("Base", "Moved")))
    changes = [{"uri": uri_of(str(base)), "type": 3}, {"uri": uri_of(str(base.with_name("Moved.prefab"))), "type": 1}]
    editor.told.clear()
    editor.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    editor.wait_for("workspace/inlayHint/refresh")
    assert editor.hints(uri)[1]["label"] == "Moved.prefab"


def test_messages_may_be_large(project: Path) -> None:
    text = "".join(f"--- !u!1 &{n}\nGameObject:\n  m_Name: N{n}\n  a: {'x' * 900}\n" for n in range(1, 4_000))
    with editing(project) as editor:
        uri = editor.open(project / "Assets/Whole.prefab", text)
        editor.change(uri, 2, (15_000, 0, 15_000, 0, REFERENCE))
        assert [hint["position"]["line"] for hint in editor.hints(uri, 14_990, 15_010)] == [15_000]
        assert json.dumps(editor.at("hover", uri, 0, 5))
