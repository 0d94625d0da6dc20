"""Damage what an assistant sends: every message is answered or an error, and the next answer is right.

    python -m scripts.fuzz.mcp [--count 30000] [--seed 1] [--project fixtures/unity_project]

Messages are those of a session in both forms of the protocol, damaged as bytes and as JSON. An internal error, a
traceback, a line that is no JSON-RPC, a request without an answer or a server that has ended is a failure.
"""

from __future__ import annotations

import json
import random
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from assetdb.daemon.rpc.protocol import INTERNAL_ERROR
from scripts.arguments import Given, script
from scripts.fixture import FIXTURE
from scripts.fuzz.messages import damaged_message
from scripts.programs import assetdb, copied
from tests.assetdb.mcp.assistant import FIRST, MODERN, Assistant

CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("info", {}),
    ("find", {"inside": "Nested.prefab", "component": "Transform", "pattern": "*"}),
    ("usages", {"query": "Base.prefab", "why": True}),
    ("deps", {"query": "Nested.prefab", "to": "Base.prefab"}),
    ("find", {"pattern": "*base*", "types": ["Prefab"]}),
    ("ls", {"query": "Assets", "deep": True, "max_tokens": 300}),
    ("ls", {"query": "Nested.prefab", "depth": 1, "classes": ["Transform"], "inside": "1080"}),
    ("get", {"query": "Nested.prefab:1080", "overrides": True}),
    ("name", {"queries": ["864eb4c93ac1f6e40d118fd26989f203:1", "{fileID: 1}", "Base.prefab / Root (Transform)"]}),
    ("usages", {"query": "Base.prefab", "objects": True, "deep": True, "cursor": "1.0.00000000.000000000000"}),
    ("deps", {"query": "Assets/Prefabs", "deep": True}),
    ("check", {"paths": ["Assets/Art"], "select": ["duplicate-guid"], "ignore": []}),
    ("unused", {"roots": ["Assets/*.mat"], "incomplete": True}),
    ("groups", {"names": ["Default"], "entries": True}),
    ("trace", {"builds": ["Build"], "queries": ["Base.prefab"], "lists": ["missing"]}),
    ("rule", {"codes": ["missing-script"]}),
)
OTHERS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("initialize", FIRST),
    ("server/discover", {}),
    ("ping", {}),
    ("tools/list", {}),
    ("resources/list", {}),
    ("resources/templates/list", {}),
    ("resources/read", {"uri": "assetdb://diagnostics/missing-script"}),
)


def _refuse(name: str) -> object:
    raise ValueError(name)


class Session:
    """A server that is sent what is damaged."""

    def __init__(self, root: Path, seed: int) -> None:
        self.chance = random.Random(seed)
        self.contents = [path.read_bytes() for path in sorted(root.rglob("*.prefab"))]
        self.errors = self.results = 0
        self._number = 0
        self._expected: set[int | str] = set()
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the session
        pipe = subprocess.PIPE
        self._assistant = Assistant(
            subprocess.Popen(assetdb("mcp"), cwd=root, stdin=pipe, stdout=pipe, stderr=self._stderr)
        )

    def mutate(self) -> None:
        """Send a damaged message, and read what comes until a request after it is answered."""
        chance = self.chance
        method, params = ("tools/call", None) if chance.random() < 0.6 else chance.choice(OTHERS)
        if params is None:
            name, arguments = chance.choice(CALLS)
            params = {"name": name, "arguments": arguments}
        if chance.random() < 0.7:
            params = {**params, "_meta": MODERN}
        self._number += 1
        message = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": json.loads(json.dumps(params))}
        data = damaged_message(chance, message, self.contents)
        for line in data.split(b"\n"):
            self._expect(line)
        self._assistant.send(data)
        self._number += 1
        self._expected.add(self._number)
        self._assistant.send({"jsonrpc": "2.0", "id": self._number, "method": "ping"})
        while self._number in self._expected:
            self._read()

    def close(self) -> None:
        """End the server, which answers what waits first.

        Raises:
            AssertionError: something is not answered, or the server has written more than it should.
        """
        process = self._assistant.process
        assert process.stdin is not None  # noqa: S101 - a pipe
        assert process.stdout is not None  # noqa: S101 - the same
        while self._expected:
            self._read()
        with process.stdout, self._stderr:
            process.stdin.close()
            rest = process.stdout.read()
            code = process.wait(30)
            self._stderr.seek(0)
            said = self._stderr.read()
        if code or rest or b"Traceback" in said:
            raise AssertionError(code, rest, said)

    def _expect(self, line: bytes) -> None:
        """Note the answer that a line needs."""
        try:
            found = json.loads(line.decode(), parse_constant=_refuse)
        except (ValueError, RecursionError):
            return
        number = found.get("id") if isinstance(found, dict) else None
        if isinstance(number, int | str) and not isinstance(number, bool) and found.get("method"):
            self._expected.add(number)

    def _read(self) -> None:
        found = self._assistant.receive()
        if found["jsonrpc"] != "2.0" or ("result" in found) == ("error" in found):
            raise AssertionError(found)
        if "error" in found:
            self.errors += 1
            if found["error"]["code"] == INTERNAL_ERROR:
                raise AssertionError(found)
        else:
            self.results += 1
        self._expected.discard(found["id"])


def run(root: Path, count: int, seed: int) -> tuple[int, int]:
    """Do so many mutations; return how many answers were results, and how many errors."""
    session = Session(root, seed)
    for _ in range(count):
        session.mutate()
    session.close()
    return session.results, session.errors


@script(__doc__, count=30_000, seed=1, project=FIXTURE)
def main(given: Given) -> None:
    """Read the command line and run."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        root = copied(given.project, Path(folder, "project"))
        results, errors = run(root, given.count, given.seed)
    seconds = time.monotonic() - started
    print(f"{given.count:,} messages: {results:,} results, {errors:,} errors, none internal, in {seconds:.0f} s")
