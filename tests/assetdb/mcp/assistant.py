"""A client of the server that is nothing but lines, for what the SDK's client never sends; scripts use it, too."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


FIRST = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "lines", "version": "1"}}
"""The parameters of ``initialize``, where a client begins with the handshake."""


class Assistant:
    """A client that knows a server by its pipes."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self._number = 0

    def send(self, message: object) -> None:
        """Send a message, or the bytes of one."""
        line = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.write(line + b"\n")

    def write(self, data: bytes) -> None:
        """Send bytes that need not be a message."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        """Return the next message."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.endswith(b"\n"), "the server has ended"
        found: dict[str, Any] = json.loads(line)
        return found

    def request(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        """Send a request of the form without handshake and return the response."""
        return self.ask(method, {**(params or {}), "_meta": MODERN})

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Send a request and return the response."""
        self._number += 1
        number = self._number
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        found = self.receive()
        assert found["id"] == number, found
        return found

    def call(self, tool: str, **arguments: object) -> str:
        """Call a tool and return the text of its answer."""
        result = self.request("tools/call", {"name": tool, "arguments": arguments})["result"]
        assert not result.get("isError"), result
        return str(result["content"][0]["text"])

    def refused(self, tool: str, arguments: object) -> str:
        """Call a tool and return the text of its error."""
        result = self.request("tools/call", {"name": tool, "arguments": arguments})["result"]
        assert result["isError"], result
        return str(result["content"][0]["text"])


@contextmanager
def assisting(folder: Path, *words: str) -> Iterator[Assistant]:
    """Run the server in a folder."""
    command = [sys.executable, "-m", "assetdb", "mcp", *words]
    with subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            yield Assistant(process)
        finally:
            assert process.stdin is not None
            process.stdin.close()
            assert process.wait(30) == 0
