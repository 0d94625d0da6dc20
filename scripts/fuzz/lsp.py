"""Damage what an editor sends: messages and texts. Whatever comes, the server answers, and its next answer is right.

    python -m scripts.fuzz.lsp [--count 20000] [--seed 1] [--project fixtures/unity_project]

Texts are files of the project, damaged (bytes replaced, cut, doubled, joined from others), opened and edited at random
places; about each everything is asked. Messages are those that such a session has, damaged as bytes and as JSON. Every
message of the server is read by lsprotocol; an internal error, a traceback, a request without an answer or a wrong
hover afterwards is a failure. A server that a damaged message has shut down is started again.
"""

from __future__ import annotations

import random
import tempfile
import time
from pathlib import Path
from typing import Any

from assetdb.lsp.protocol.uris import uri_of
from scripts.arguments import Given, script
from scripts.fixture import FIXTURE
from scripts.fuzz.messages import WORDS, damaged_message
from scripts.fuzz.running import damage
from scripts.programs import copied
from tests.assetdb.lsp.editor import Editor, position

INTERNAL_ERROR = -32603
DOCUMENT_METHODS = ("documentSymbol", "foldingRange", "codeLens")
PLACE_METHODS = ("hover", "definition", "references", "completion", "prepareRename")


def _see(is_so: bool, found: object) -> None:  # noqa: FBT001 - what is seen
    if not is_so:
        raise AssertionError(found)


class Session:
    """A server that is sent what is damaged, and started again when that ended it."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root = root
        self.chance = random.Random(seed)
        self.files = [path for path in sorted(root.rglob("*")) if path.is_file() and path.stat().st_size < 20_000]
        self.contents = [path.read_bytes() for path in self.files]
        self.restarts = 0
        self.editor = self._start()

    def _start(self) -> Editor:
        editor = Editor()
        editor.initialize(self.root)
        self.uri = editor.open(self.root / "Assets/Prefabs/Variant.prefab")
        return editor

    def close(self) -> None:
        """End the server."""
        self.check()
        self.editor.__exit__()
        self._check_stderr()

    def text(self) -> None:
        """Open a damaged text, edit it, and ask everything about it."""
        chance, editor = self.chance, self.editor
        path = chance.choice(self.files)
        text = damage(path.read_bytes(), chance, self.contents, WORDS).decode("utf-8", "replace")
        uri = editor.open(path.with_name(f"x{path.name}") if chance.random() < 0.3 else path, text)
        if uri == self.uri:
            self.uri = ""
        for version in range(2, 2 + chance.randrange(3)):
            line, last = chance.randrange(60), chance.randrange(60)
            new = chance.choice(WORDS).decode("utf-8", "replace") * chance.randrange(3)
            editor.change(uri, version, (line, chance.randrange(90), last, chance.randrange(90), new))
        document = {"textDocument": {"uri": uri}}
        numbers = [editor.begin(f"textDocument/{method}", document) for method in DOCUMENT_METHODS]
        span = {"start": position(chance.randrange(9), 0), "end": position(chance.randrange(1000), 0)}
        numbers.append(editor.begin("textDocument/inlayHint", {**document, "range": span}))
        actions = {**document, "range": span, "context": {"diagnostics": []}}
        numbers.append(editor.begin("textDocument/codeAction", actions))
        for method in PLACE_METHODS:
            place = position(chance.randrange(60), chance.randrange(90))
            params = {**document, "position": place, "context": {"includeDeclaration": chance.random() < 0.5}}
            numbers.append(editor.begin(f"textDocument/{method}", params))
        if chance.random() < 0.3:
            editor.notify("$/cancelRequest", {"id": chance.choice(numbers)})
        for number in numbers:
            self._check_answer(editor.answer(number), text)
        if self.uri:
            editor.notify("textDocument/didClose", document)
        else:
            self.uri = editor.open(self.root / "Assets/Prefabs/Variant.prefab")

    def message(self) -> None:
        """Send a damaged message."""
        chance, editor = self.chance, self.editor
        path = chance.choice(self.files)
        document: dict[str, Any] = {"textDocument": {"uri": uri_of(str(path))}}
        at = {**document, "position": position(chance.randrange(20), chance.randrange(40))}
        span = {"start": position(0, 0), "end": position(9, 9)}
        item = {"uri": uri_of(str(path)), "languageId": "x", "version": 1, "text": "--- !u!1 &1\n"}
        method, params = chance.choice(
            (
                ("textDocument/didOpen", {"textDocument": item}),
                ("textDocument/didChange", {**document, "contentChanges": [{"text": "x", "range": span}]}),
                ("textDocument/didSave", document),
                ("textDocument/didClose", document),
                ("textDocument/hover", at),
                ("textDocument/definition", at),
                ("textDocument/references", {**at, "context": {"includeDeclaration": True}, "workDoneToken": "t"}),
                ("textDocument/inlayHint", {**document, "range": span}),
                ("textDocument/rename", {**at, "newName": "x"}),
                ("textDocument/codeAction", {**document, "range": span, "context": {"diagnostics": []}}),
                ("workspace/symbol", {"query": "item"}),
                ("codeLens/resolve", {"range": span, "data": {"uri": uri_of(str(path)), "guid": "0" * 32}}),
                ("workspace/executeCommand", {"command": "assetdb.usages", "arguments": [uri_of(str(path)), "0" * 32]}),
                (
                    "workspace/executeCommand",
                    {"command": "assetdb.fix", "arguments": [uri_of(str(path)), "lfs-pointer"]},
                ),
                ("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri_of(str(path)), "type": 2}]}),
                ("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": []}}),
                ("$/cancelRequest", {"id": 5}),
            )
        )
        message: dict[str, Any] = {"jsonrpc": "2.0", "id": f"m{chance.random()}", "method": method, "params": params}
        if chance.random() < 0.3:
            del message["id"]
        editor.send_raw(damaged_message(chance, message, self.contents))

    def check(self) -> None:
        """See that the server is there and right."""
        editor = self.editor
        try:
            uri = editor.open(self.root / "Assets/Prefabs/Variant.prefab")
            found = editor.at("hover", uri, 9, 20)
        except (EOFError, BrokenPipeError, AssertionError):
            editor.__exit__()
            self._check_stderr()
            self.restarts += 1
            self.editor = self._start()
            found = self.editor.at("hover", self.uri, 9, 20)
        _see(found["contents"]["value"].startswith("**Base.prefab (GameObject)**"), found)
        for answer in list(self.editor._answers.values()):  # noqa: SLF001 - of damaged requests nobody waits for them
            self._check_answer(answer, "")
        self.editor._answers.clear()  # noqa: SLF001 - the same
        for told in self.editor.told:
            _see("internal error" not in str(told.get("params")), told)
        self.editor.told.clear()

    def _check_answer(self, answer: dict[str, Any], text: str) -> None:
        _see(answer.get("error", {}).get("code") != INTERNAL_ERROR, (answer, text))

    def _check_stderr(self) -> None:
        _see(b"Traceback" not in self.editor.stderr, self.editor.stderr.decode())


def run(root: Path, count: int, seed: int) -> int:
    """Do so many mutations, half of each kind; return how often the server had to be started again."""
    session = Session(root, seed)
    for number in range(count):
        (session.text if number % 2 else session.message)()
        if number % 50 == 49:
            session.check()
    session.close()
    return session.restarts


@script(__doc__, count=20_000, seed=1, project=FIXTURE)
def main(given: Given) -> None:
    """Run, and print what there was."""
    with tempfile.TemporaryDirectory() as folder:
        root = copied(given.project, Path(folder, "project"))
        began = time.monotonic()
        restarts = run(root, given.count, given.seed)
    seconds = time.monotonic() - began
    print(f"{given.count:,} mutations in {seconds:.0f} s, no failure; {restarts} shut the server down")
