"""How long does an editor wait for the language server?

    python -m scripts.bench.lsp PROJECT [--script PATH] [--rounds 15] [--hovers 2000]

``initialize``: from the start of the process to its answer, against a bare start of the same interpreter, in turns; the
ratio of the medians. Then, beside a daemon (started, and stopped, unless there is one): hovers on references of the
project's files, once their findings are there, and the names of a screen of 60 lines, both by the clock, against the
smallest question to the same server (a document that is not open). At last a scene of 15 MB is opened: how long its
names take, a hover in another document while its symbols are made, and an edit in it until its names are back.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from assetdb.lsp.documents.line_references import YAML, form_of, references_in
from assetdb.lsp.documents.text import Text
from scripts.arguments import Given, script
from scripts.bench.measuring import medians, seconds, spread
from scripts.programs import daemon, installed
from tests.assetdb.lsp.editor import Editor, position

SCREEN = 60
LARGE = 15_000_000
SECONDS = 5.0
SUFFIXES = (".prefab", ".unity", ".asset", ".mat")


def starts(script: str, root: Path, rounds: int) -> None:
    """Compare the start of the server with that of the interpreter."""

    def server() -> float:
        began = time.perf_counter()
        with Editor(script, "lsp") as editor:
            editor.initialize(root)
            taken = time.perf_counter() - began
            editor.quit()
        return taken

    bare = partial(seconds, partial(subprocess.run, [sys.executable, "-S", "-c", ""], check=True))
    other, one = medians({"bare": bare, "server": server}, rounds).values()
    print(f"initialize   {one * 1000:8.1f} ms, {one / other:.1f} bare starts of {other * 1000:.1f} ms")


def answers(editor: Editor, root: Path, hovers: int) -> None:
    """Time hovers and the names of a screen."""
    chance = random.Random(1)
    files = [path for path in (root / "Assets").rglob("*") if path.suffix in SUFFIXES and path.is_file()]
    places = list[tuple[Path, int, int]]()
    while len(places) < hovers and files:
        path = chance.choice(files)
        text = Text.of(path.read_bytes())
        if form_of(str(path), text) != YAML:
            files.remove(path)
            continue
        found = references_in(text.data, YAML)
        for reference in chance.sample(found, min(10, len(found))):
            line, character = text.position_at(reference.start + 1, "utf-16")
            places.append((path, line, character))
    opened = {path: editor.open(path) for path in dict.fromkeys(path for path, _, _ in places)}
    for uri in opened.values():  # an editor that opens a hundred files at once does not send questions meanwhile
        editor.wait_for("textDocument/publishDiagnostics", uri=uri)
    chance.shuffle(places)
    asked, shown, floor = [], [], []
    for path, line, character in places:
        asked.append(timed(editor, "textDocument/hover", at(opened[path], line, character)))
        span = {"start": position(max(0, line - SCREEN // 2), 0), "end": position(line + SCREEN // 2, 0)}
        shown.append(timed(editor, "textDocument/inlayHint", {"textDocument": {"uri": opened[path]}, "range": span}))
        floor.append(timed(editor, "textDocument/hover", at("file:///nothing", 0, 0)))
    print(f"{len(places):,} references of {len(opened):,} files, beside a daemon")
    for name, times in (("hover", asked), ("names", shown), ("nothing", floor)):
        print(f"{name:12} {spread(times)}; {median(times) / median(floor):.1f} times the smallest question")


def large(editor: Editor, root: Path) -> None:
    """Time what else is asked while a large scene is open."""
    text = "".join(scene())
    small = editor.open(next(path for path in sorted((root / "Assets").rglob("*.prefab"))))
    began = time.perf_counter()
    big = editor.open(root / "Assets" / "Large.unity", text)
    timed(editor, "textDocument/hover", at(small, 2, 5))
    opened = 1000 * (time.perf_counter() - began)
    print(f"opened       {opened:8.1f} ms for {len(text) / 1e6:.0f} MB, until another answers")
    for lines in (SCREEN, text.count("\n")):
        began = time.perf_counter()
        count = len(editor.hints(big, 0, lines))
        print(f"first names  {1000 * (time.perf_counter() - began):8.1f} ms for {count:,} in {lines:,} lines")
    symbols = editor.begin("textDocument/documentSymbol", {"textDocument": {"uri": big}})
    until = time.monotonic() + SECONDS
    beside = []
    while time.monotonic() < until:
        beside.append(timed(editor, "textDocument/hover", at(small, 2, 5)))
    print(f"beside it    {spread(beside)}")
    editor.answer(symbols)
    middle = text.count("\n") // 2
    edits = []
    for number in range(50):
        began = time.perf_counter()
        editor.change(big, 2 + number, (middle + number, 0, middle + number, 0, "  x: 1\n"))
        editor.hints(big, middle - SCREEN, middle)
        edits.append(time.perf_counter() - began)
    print(f"edit, names  {spread(edits)}")


def scene() -> Iterator[str]:
    """Yield the text of a scene."""
    yield "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n"
    size, number = 0, 1000
    while size < LARGE:
        number += 10
        part = (
            f"--- !u!1 &{number}\nGameObject:\n  m_Component:\n  - component: {{fileID: {number + 1}}}\n"
            f"  m_Name: Object {number}\n--- !u!4 &{number + 1}\nTransform:\n  m_GameObject: {{fileID: {number}}}\n"
            f"  m_LocalPosition: {{x: 0, y: 0, z: 0}}\n  m_Father: {{fileID: {number - 9 if number % 50 else 0}}}\n"
            + "  m_Value: 0\n"
            * 30
        )
        size += len(part)
        yield part


def at(uri: str, line: int, character: int) -> dict[str, Any]:
    """Return the parameters of a question about a place."""
    return {"textDocument": {"uri": uri}, "position": position(line, character)}


def timed(editor: Editor, method: str, params: object) -> float:
    """Ask, and return the seconds until the answer."""
    return seconds(lambda: editor.ask(method, params))


@script(__doc__, "project", script=str(installed()), rounds=15, hovers=2000)
def main(given: Given) -> None:
    """Measure and print."""
    root = given.project.resolve()
    starts(given.script, root, given.rounds)
    with daemon(root), Editor(given.script, "lsp") as editor:
        editor.initialize(root, capabilities={})
        answers(editor, root, given.hovers)
        large(editor, root)
        editor.quit()
