"""An editor for tests: it drives a server over pipes, and checks each message with the types of lsprotocol."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Self

import pytest

from assetdb.lsp.protocol.uris import uri_of

pytest.importorskip("lsprotocol", reason="not installed: pip install -e '.[dev]'")

from lsprotocol import converters, types

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CONVERTER = converters.get_converter()
COMMAND = (sys.executable, "-c", "import sys; from assetdb.cli import main; sys.exit(main(['lsp']))")
PATIENCE = 120.0
PULLING: dict[str, Any] = {
    "textDocument": {"diagnostic": {"dynamicRegistration": False, "relatedDocumentSupport": False}},
    "workspace": {"diagnostics": {"refreshSupport": True}},
}
"""The capabilities of a client that asks for findings."""
EVERYTHING: dict[str, Any] = {
    "general": {"positionEncodings": ["utf-16"]},
    "textDocument": {
        "hover": {"contentFormat": ["markdown", "plaintext"]},
        "definition": {"linkSupport": True},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "foldingRange": {"foldingRange": {"collapsedText": True}},
        "publishDiagnostics": {"versionSupport": True},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}},
    },
    "workspace": {
        "inlayHint": {"refreshSupport": True},
        "codeLens": {"refreshSupport": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
    },
    "window": {"workDoneProgress": True},
}


def check_message(message: dict[str, Any], method: str) -> None:
    """Let lsprotocol read a message of the server; what it reads is all that there is."""
    if method == "textDocument/codeAction" and message.get("result"):
        for item in message["result"]:  # lsprotocol reads an action that has a command as that
            read = CONVERTER.structure(item, types.CodeAction if "kind" in item else types.Command)
            assert json.loads(json.dumps(CONVERTER.unstructure(read))) == item
        return
    kinds = types.METHOD_TO_TYPES[method]
    answers = "method" not in message
    if answers and "error" in message:
        kind: Any = types.ResponseErrorMessage
    else:
        kind = kinds[1] if answers else kinds[0]
    read = CONVERTER.structure(message, kind)
    again = json.loads(json.dumps(CONVERTER.unstructure(read, kind)))
    assert again.get("params") == message.get("params")
    if message.get("result") is not None:
        assert again["result"] == message["result"]


class Editor:
    """One editor and its server."""

    def __init__(self, *command: str, cwd: Path | None = None) -> None:
        self.process = subprocess.Popen(
            command or COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd
        )
        self.asked: dict[object, str] = {}
        self.told: list[dict[str, Any]] = []
        self.replies: dict[str, object] = {}
        """Results of the server's requests by method; of all others null."""
        self._number = 0
        self._arrived: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._answers: dict[object, dict[str, Any]] = {}
        self.stderr = b""
        self._threads = [threading.Thread(target=run, daemon=True) for run in (self._read, self._read_errors)]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for thread in self._threads:
            thread.join(PATIENCE)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                try:
                    stream.close()
                except BrokenPipeError:
                    continue

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        self.stderr = self.process.stderr.read()

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while True:
            length = 0
            while line := stream.readline().strip():
                length = int(line.removeprefix(b"Content-Length: "))
            if not length:
                break
            self._arrived.put(json.loads(stream.read(length)))
        self._arrived.put(None)

    # --- to the server

    def send_raw(self, data: bytes, header: bytes | None = None) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write((b"Content-Length: %d\r\n\r\n" % len(data) if header is None else header) + data)
        self.process.stdin.flush()

    def send(self, message: dict[str, Any]) -> None:
        self.send_raw(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def notify(self, method: str, params: object = None) -> None:
        self.send({"method": method} | ({} if params is None else {"params": params}))

    def begin(self, method: str, params: object = None) -> int:
        """Ask, and wait for nothing."""
        self._number += 1
        self.asked[self._number] = method
        self.send({"id": self._number, "method": method} | ({} if params is None else {"params": params}))
        return self._number

    # --- from it

    def step(self, timeout: float = PATIENCE) -> dict[str, Any]:
        """Return the next message that arrives."""
        message = self._arrived.get(timeout=timeout)
        if message is None:
            raise EOFError(self.stderr.decode())
        if "method" in message:
            check_message(message, message["method"])
            self.told.append(message)
            if "id" in message:
                self.send({"id": message["id"], "result": self.replies.get(message["method"])})
        else:
            if message["id"] in self.asked:
                check_message(message, self.asked[message["id"]])
            self._answers[message["id"]] = message
        return message

    def answer(self, number: object) -> dict[str, Any]:
        """Return the whole answer to what was asked."""
        while number not in self._answers:
            self.step()
        return self._answers.pop(number)

    def ask(self, method: str, params: object = None) -> Any:  # noqa: ANN401 - JSON
        """Ask, and return the result."""
        answer = self.answer(self.begin(method, params))
        assert "error" not in answer, answer
        return answer["result"]

    def error(self, method: str, params: object = None) -> dict[str, Any]:
        """Ask, and return the error."""
        error: dict[str, Any] = self.answer(self.begin(method, params))["error"]
        return error

    def wait_for(self, method: str, **fields: object) -> dict[str, Any]:
        """Return the parameters of the next notification or request of a method that has these fields."""
        seen = 0
        while True:
            for message in self.told[seen:]:
                params = message.get("params") or {}
                if message["method"] == method and fields.items() <= params.items():
                    self.told.remove(message)
                    found: dict[str, Any] = params
                    return found
            seen = len(self.told)
            self.step()

    # --- what editors do

    def initialize(self, *folders: Path, capabilities: dict[str, Any] | None = None) -> Any:  # noqa: ANN401 - JSON
        params = {
            "processId": None,
            "rootUri": uri_of(str(folders[0])) if folders else None,
            "capabilities": EVERYTHING if capabilities is None else capabilities,
            "workspaceFolders": [{"uri": uri_of(str(folder)), "name": folder.name} for folder in folders],
        }
        result = self.ask("initialize", params)
        self.notify("initialized", {})
        return result

    def open(self, path: Path, text: str | None = None) -> str:
        uri = uri_of(str(path))
        text = path.read_bytes().decode("utf-8", "replace") if text is None else text
        item = {"uri": uri, "languageId": "unity-yaml", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})
        return uri

    def change(self, uri: str, version: int, *edits: tuple[int, int, int, int, str]) -> None:
        changes = [
            {"range": {"start": position(*edit[:2]), "end": position(*edit[2:4])}, "text": edit[4]} for edit in edits
        ]
        self.notify(
            "textDocument/didChange", {"textDocument": {"uri": uri, "version": version}, "contentChanges": changes}
        )

    def at(self, method: str, uri: str, line: int, character: int, **more: object) -> Any:  # noqa: ANN401 - JSON
        params = {"textDocument": {"uri": uri}, "position": position(line, character), **more}
        return self.ask(f"textDocument/{method}", params)

    def of(self, method: str, uri: str) -> Any:  # noqa: ANN401 - JSON
        return self.ask(f"textDocument/{method}", {"textDocument": {"uri": uri}})

    def hints(self, uri: str, first: int = 0, last: int = 1 << 30) -> Any:  # noqa: ANN401 - JSON
        span = {"start": position(first, 0), "end": position(last, 0)}
        return self.ask("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": span})

    def quit(self) -> int:
        self.ask("shutdown")
        self.notify("exit")
        return self.process.wait(PATIENCE)


def position(line: int, character: int) -> dict[str, int]:
    return {"line": line, "character": character}


@contextmanager
def editing(*folders: Path, capabilities: dict[str, Any] | None = None) -> Iterator[Editor]:
    """An editor that has initialized its server, and ends it as it should."""
    with Editor() as editor:
        editor.initialize(*folders, capabilities=capabilities)
        yield editor
        assert editor.quit() == 0
        assert b"Traceback" not in editor.stderr
