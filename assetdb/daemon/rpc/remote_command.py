"""Remote commands (``run``): a client's command line, run by the daemon.

The streams are built as Python builds its own: text over a buffer over what would be the file. So the client is told
each write that its own process would have made, in order, and repeats them.
"""

from __future__ import annotations

import binascii
import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from typing import TYPE_CHECKING, Final

import msgspec

from assetdb.daemon.rpc import protocol
from assetdb.daemon.rpc.protocol import RpcError
from assetdb.system.pausing import pause_here

_LARGEST_OUTPUT: Final = 16 << 20
_CONTINUES: Final = 0x80  # the upper two bits of a byte that goes on with a character
_PIECE: Final = 1 << 18  # bytes of output that are made JSON in one go
_MOST_WORDS: Final = 1000

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assetdb.query.snapshots.snapshot import Snapshot

    Runner = Callable[[list[str], str, Snapshot], int | None]
    """Runs words in a working directory on an open project; None where that has to be done on the files."""


class _TooMuchError(Exception):
    """More was written than one answer takes."""


class _Recorder(io.RawIOBase):
    """Where the bytes of a stream end."""

    def __init__(self, number: int, chunks: list[tuple[int, bytearray]], left: list[int]) -> None:
        self._number = number
        self._chunks = chunks
        self._left = left  # how many bytes all streams together may still take

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        with memoryview(data) as view:  # type: ignore[arg-type]  # any buffer
            if not self._chunks or self._chunks[-1][0] != self._number:
                self._chunks.append((self._number, bytearray()))
            if self._left[0] < 0:
                return view.nbytes  # nobody wants it any more
            self._left[0] -= view.nbytes
            if self._left[0] < 0:
                raise _TooMuchError
            self._chunks[-1][1].extend(view)
            size = view.nbytes
        pause_here()
        return size


def run(params: protocol.Run, project: Snapshot, runner: Runner) -> dict[str, object]:
    """Run a command line and return its exit code and output.

    ``output`` is a list of ``[stream, text]``: 1 is stdout, 2 stderr. Bytes that are no UTF-8 come as
    ``[stream, base64, true]``.

    Raises:
        RpcError: it has to be run on the files.
    """
    if len(params.argv) > _MOST_WORDS or max(map(len, params.argv), default=0) > _MOST_WORDS:
        raise RpcError(protocol.ON_THE_FILES, "a command line of so much text")
    chunks: list[tuple[int, bytearray]] = []
    left = [_LARGEST_OUTPUT]
    try:
        stdout, stderr = (
            _stream(_Recorder(number, chunks, left), stream) for number, stream in enumerate(params.streams, start=1)
        )
        stdin = io.TextIOWrapper(io.BytesIO(binascii.a2b_base64(params.stdin, strict_mode=True)), encoding="utf-8")
    except (LookupError, ValueError) as error:
        raise RpcError(protocol.INVALID_PARAMS, str(error)) from error
    before, sys.stdin = sys.stdin, stdin
    try:
        with redirect_stdout(stdout), redirect_stderr(stderr), project.database.held():
            code = runner(params.argv, params.cwd, project)
        stdout.flush()
        stderr.flush()
    except (UnicodeError, _TooMuchError):
        code = None  # the client's terminal cannot show a name
    finally:
        sys.stdin = before
        left[0] = -1  # what is left in the buffers is written when they are collected
    if code is None:
        raise RpcError(protocol.ON_THE_FILES, "")
    return {"code": code, "output": _output(chunks)}


def _output(chunks: list[tuple[int, bytearray]]) -> Iterator[msgspec.Raw]:
    for number, data in chunks:
        start = 0
        while start < len(data):
            end = min(start + _PIECE, len(data))
            while end < len(data) and end > start + 1 and data[end] & 0xC0 == _CONTINUES:  # not within a character
                end -= 1
            yield msgspec.Raw(protocol.ENCODER.encode(_chunk(number, bytes(data[start:end]))))
            pause_here()
            start = end


class _ClientStream(io.TextIOWrapper):
    """A client's stream, with its terminal's width and colours."""

    columns = 0
    color = False


def _stream(recorder: _Recorder, described: protocol.Stream) -> _ClientStream:
    plain = described.buffering == "none"
    stream = _ClientStream(
        recorder if plain else io.BufferedWriter(recorder),  # type: ignore[arg-type]  # as Python itself does with -u
        encoding=described.encoding,
        errors=described.errors,
        line_buffering=described.buffering == "line",
        write_through=plain,
    )
    stream.columns, stream.color = described.columns, described.color
    return stream


def _chunk(number: int, data: bytes) -> list[object]:
    try:
        return [number, data.decode()]
    except UnicodeDecodeError:
        return [number, binascii.b2a_base64(data, newline=False).decode(), True]
