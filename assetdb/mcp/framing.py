"""Lines on stdin and stdout, one message each, of bounded length."""

from __future__ import annotations

import os

from assetdb.daemon.rpc.lines import LineBuffer
from assetdb.mcp.protocol import INVALID_REQUEST, McpError

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO, Final

LARGEST_MESSAGE: Final = 8 << 20
"""Bytes; the longest lines that clients have reason to send are lists of paths."""
_READ_AT_ONCE: Final = 1 << 18


def read_lines(stream: BinaryIO) -> Iterator[bytes | McpError]:
    """Yield lines until the other side closes; an error if too long."""
    lines = LineBuffer()
    skipping = False
    descriptor = stream.fileno()
    while True:
        data = os.read(descriptor, _READ_AT_ONCE)
        lines.feed(data or (b"\n" if len(lines) else b""))  # the last line may have no end
        while True:
            if skipping:
                if not lines.has_line:
                    lines.clear()
                    break
                lines.take()
                skipping = False
            elif lines.is_longer(LARGEST_MESSAGE):
                skipping = True
                yield McpError(INVALID_REQUEST, f"a message has at most {LARGEST_MESSAGE:,} bytes")
            else:
                line = lines.take()
                if line is None:
                    break
                if line.strip():
                    yield line
        if not data:
            return
