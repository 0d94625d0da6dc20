"""Received lines of bounded length, and a writer for several threads."""

from __future__ import annotations

from _thread import allocate_lock  # threading takes 2 ms to import

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO, Final

_END: Final = b"\n"


class LineBuffer:
    """Bytes taken out line by line; each is searched once."""

    __slots__ = ("_received", "_searched")

    def __init__(self) -> None:
        self._received = bytearray()
        self._searched = 0

    def __len__(self) -> int:
        return len(self._received)

    def feed(self, data: bytes) -> None:
        """Add bytes at the end."""
        self._received += data

    @property
    def has_line(self) -> bool:
        """Whether a whole line has arrived."""
        if self._received.find(_END, self._searched) >= 0:
            return True
        self._searched = len(self._received)
        return False

    def is_longer(self, limit: int) -> bool:
        """Whether the first line, complete or not, exceeds some bytes."""
        if len(self._received) <= limit:
            return False
        return self._received.find(_END, min(self._searched, limit), limit + 1) < 0

    def take(self) -> bytes | None:
        """Remove and return the first complete line without its end, or None."""
        end = self._received.find(_END, self._searched)
        if end < 0:
            self._searched = len(self._received)
            return None
        with memoryview(self._received) as view:
            line = bytes(view[:end])
        del self._received[: end + 1]
        self._searched = 0
        return line

    def clear(self) -> None:
        """Remove everything."""
        self._received.clear()
        self._searched = 0


class Writer:
    """Writes messages from any thread, until the client is gone (``closed``)."""

    def __init__(self, stream: BinaryIO, frame: Callable[[bytes], bytes]) -> None:
        """Take a stream; ``frame`` returns the bytes of a message there."""
        self._stream = stream
        self._frame = frame
        self._lock = allocate_lock()
        self.closed = False

    def write(self, message: bytes) -> None:
        """Write one message, unless the client is gone."""
        with self._lock:
            if self.closed:
                return
            try:
                self._stream.write(self._frame(message))
                self._stream.flush()
            except (OSError, ValueError):  # ValueError: the stream is closed
                self.closed = True
