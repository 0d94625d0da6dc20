"""Look into assets that are damaged, in circles or very large, on the command line and as an assistant does.

    python -m scripts.fuzz.contents [--megabytes 200] [--levels 300] [--references 76000]

Each question gets an answer or a message, no traceback, within 2 seconds and 256 MB of a process; so does a client that
sends a message of 1 GB, asks twice with one id, or closes amid a message.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from assetdb.daemon.rpc.protocol import INTERNAL_ERROR
from scripts.arguments import Given, script
from scripts.bench.measuring import field_of
from scripts.programs import assetdb, quietly
from tests.assetdb.mcp.assistant import FIRST, Assistant
from tests.assetdb.unity_project import HEAD, component, game_object, guid, instance, stripped, write

SECONDS: Final = 2.0
MEGABYTES: Final = 256
BIDI: Final = "\u202egnp.exe\u2066"
CHUNK: Final = b"x" * (1 << 20)


class Measured(NamedTuple):
    """One question: its name, seconds, megabytes at most, and the first line of the answer."""

    name: str
    seconds: float
    megabytes: float
    answer: str


def make(root: Path, *, megabytes: int, levels: int, references: int) -> dict[str, int]:
    """Write the project; return the fileID to ask for of each asset."""
    (root / "ProjectSettings").mkdir(parents=True)
    conflict = game_object(10, "A").replace(
        "  m_Name: A\n", "<<<<<<< HEAD\n  m_Name: A\n=======\n  m_Name: B\n>>>>>>> x\n"
    )
    lost = game_object(10, "A") + instance(7000, 999, 11) + stripped(1, 8000, "GameObject", 999, 100, 7000)
    many = "".join(f"  - {{fileID: {number}, guid: {guid(7)}, type: 3}}\n" for number in range(references))
    lines = "".join(f"  m_Line{number}: {'x' * 1000}\n" for number in range(1000))
    texts = {
        "Conflict.prefab": (conflict, 10),
        "Twice.prefab": (game_object(10, "A") + game_object(10, "B"), 10),
        "Itself.prefab": (game_object(10, "A") + instance(7000, 3, 11), 10),
        "Circle.prefab": (game_object(10, "A", 21) + game_object(20, "B", 11), 10),
        "References.prefab": (game_object(10, "A") + component(114, 50, 10, "MonoBehaviour", f"  all:\n{many}"), 50),
        "Pointer.prefab": (f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0' * 64}\nsize 12\n", 10),
        "Lost.prefab": (lost, 8000),
        "Marks.prefab": (game_object(10, f'"{BIDI}"'), 10),
        "Lines.prefab": (game_object(10, "A") + component(114, 50, 10, "MonoBehaviour", lines), 50),
        "Line.prefab": (game_object(10, "A" * (4 << 20)), 10),
    }
    asked = {}
    for number, (name, (text, file_id)) in enumerate(texts.items(), 1):
        write(root, f"Assets/{name}", number, text if name == "Pointer.prefab" else HEAD + text)
        asked[f"Assets/{name}"] = file_id
    for number in range(1, levels + 1):
        inner = instance(7000 + 97 * number, 1000 + number + 1, 11) if number < levels else ""
        write(root, f"Assets/Levels/{number}.prefab", 1000 + number, HEAD + game_object(10, str(number)) + inner)
    asked["Assets/Levels/1.prefab"] = 10
    for number, name in enumerate(("Binary.prefab", "Binary.unity", "Binary.asset"), 20):
        write(root, f"Assets/{name}", number, bytes(range(256)) * 4096)
        asked[f"Assets/{name}"] = 10
    write(root, "Assets/Huge.unity", 30, HEAD)
    with open(root / "Assets" / "Huge.unity", "ab") as file:
        number, size = 10, 0
        while size < megabytes * 1_000_000:
            size += file.write("".join(game_object(number + 2 * step, "Object") for step in range(5000)).encode())
            number += 10_000
    asked["Assets/Huge.unity"] = number - 10
    return asked


def on_the_command_line(root: Path, *words: str) -> Measured:
    """Run one command, and measure it."""
    started = time.perf_counter()
    line = assetdb(*words, "--quiet", project=root)
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        assert process.stdout is not None  # noqa: S101 - a pipe
        said = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - started
    if process.returncode not in (0, 1, 2) or b"Traceback" in said:
        raise AssertionError(words, process.returncode, said[-2000:])
    return Measured(" ".join(words), seconds, usage.ru_maxrss / 1024, _first_line(said.decode()))


class Client(Assistant):
    """An assistant's client, as rude as one can be."""

    def __init__(self, root: Path) -> None:
        line = assetdb("mcp", project=root)
        pipe = subprocess.PIPE
        super().__init__(subprocess.Popen(line, bufsize=1 << 20, stdin=pipe, stdout=pipe, stderr=pipe))
        self.ask("initialize", FIRST)

    def receive(self) -> dict[str, Any]:
        """Return the next answer, which is no fault of the server."""
        found = super().receive()
        if found.get("error", {}).get("code") == INTERNAL_ERROR:
            raise AssertionError(found)
        return found

    def measure(self, name: str, **arguments: object) -> Measured:
        """Call a tool, and measure that."""
        started = time.perf_counter()
        found = self.ask("tools/call", {"name": name, "arguments": arguments})["result"]
        seconds = time.perf_counter() - started
        text = found["content"][0]["text"]
        if not all(line.isprintable() for line in text.split("\n")):
            raise AssertionError(name, arguments, "steers a terminal")
        said = f"mcp {name} {json.dumps(arguments)}"
        return Measured(said, seconds, self.peak(), _first_line(text))

    def peak(self) -> float:
        """Return the most megabytes that the server had."""
        return field_of(f"/proc/{self.process.pid}/status", "VmHWM") / 1024

    def close(self) -> int:
        """Close the pipe to the server, and return how that ends."""
        assert self.process.stdin is not None  # noqa: S101 - a pipe
        self.process.stdin.close()
        _, errors = self.process.stdout, self.process.stderr
        assert errors is not None  # noqa: S101 - a pipe
        said = errors.read()
        if b"Traceback" in said:
            raise AssertionError(said)
        with self.process:
            return self.process.wait(SECONDS)


def rude(root: Path, gigabyte: int) -> Iterator[Measured]:
    """Send too much, one id twice, and half a message."""
    client = Client(root)
    started = time.perf_counter()
    for _ in range(gigabyte // len(CHUNK)):
        client.write(CHUNK)
    client.write(b"\n")
    error = client.receive()["error"]["message"]
    took = time.perf_counter() - started
    yield Measured(f"mcp, a message of {gigabyte >> 20} MB", took, client.peak(), error)
    started = time.perf_counter()
    for _ in range(2):
        client.send(
            {"jsonrpc": "2.0", "id": "one", "method": "tools/call", "params": {"name": "info", "arguments": {}}}
        )
    both = [client.receive() for _ in range(2)]
    yield Measured("mcp, one id twice", time.perf_counter() - started, client.peak(), f"{len(both)} answers")
    client.write(b'{"jsonrpc": "2.0", "id": 7, "method": "tools/ca')
    started = time.perf_counter()
    code = client.close()
    yield Measured("mcp, closed amid a message", time.perf_counter() - started, 0, f"exit code {code}")


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0][:100]


def run(
    folder: Path, *, megabytes: int = 200, levels: int = 300, references: int = 76_000, gigabyte: int = 1 << 30
) -> Iterator[Measured]:
    """Ask everything about everything.

    Raises:
        AssertionError: a question had no answer, or a traceback.
    """
    root = folder / "Game"
    asked = make(root, megabytes=megabytes, levels=levels, references=references)
    quietly(assetdb("bake", "--keep-going", "--quiet", project=root), 1)
    time.sleep(1)  # so that a file's time shows that it was changed again
    for path, file_id in asked.items():
        yield on_the_command_line(root, "ls", path)
        for words in ((f"{path}:{file_id}",), (f"{path}:5",), (path,), (f"{path}:{file_id}", "--overrides")):
            yield on_the_command_line(root, "get", *words)
    client = Client(root)
    for path, file_id in asked.items():
        yield client.measure("ls", query=path)
        yield client.measure("ls", query=path, depth=1, nested=False)
        yield client.measure("get", query=f"{path}:{file_id}")
        yield client.measure("get", query=f"{path}:5")
        yield client.measure("find", inside=path, pattern="A")
    if client.close():
        raise AssertionError("the server did not end well")
    yield from rude(root, gigabyte)


@script(__doc__, megabytes=200, levels=300, references=76_000)
def main(given: Given) -> bool:
    """Read the command line and run."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for row in run(Path(folder), megabytes=given.megabytes, levels=given.levels, references=given.references):
            rows.append(row)
            print(f"{row.seconds:6.2f} s {row.megabytes:6.0f} MB  {row.name}: {row.answer}")
    print(f"{len(rows)} questions, at most {max(row.seconds for row in rows):.2f} s", end=" ")
    print(f"and {max(row.megabytes for row in rows):.0f} MB")
    missed = [row for row in rows if row.seconds > SECONDS or row.megabytes > MEGABYTES]
    for row in missed:
        print(f"more than {SECONDS:g} s or {MEGABYTES} MB: {row.name}")
    return bool(missed)
