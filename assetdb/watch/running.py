"""``run``: a command line of a client, done by the daemon, its output recorded as the client would have written it.

The streams are built as Python builds its own: text over a buffer over what would be the file. So the client is told
each write that its own process would have made, in order, and repeats them.
"""

from __future__ import annotations

import binascii
import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from typing import TYPE_CHECKING

from assetdb.watch import protocol
from assetdb.watch.protocol import RpcError

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb.opening import Opened

    Runner = Callable[[list[str], str, Opened], int | None]
    """Runs words in a working directory on an open project; None where that has to be done on the files."""


class _Recorder(io.RawIOBase):
    """Where the bytes of a stream end."""

    def __init__(self, number: int, chunks: list[tuple[int, bytearray]]) -> None:
        self._number = number
        self._chunks = chunks

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        with memoryview(data) as view:  # type: ignore[arg-type]  # any buffer
            if not self._chunks or self._chunks[-1][0] != self._number:
                self._chunks.append((self._number, bytearray()))
            self._chunks[-1][1].extend(view)
            return view.nbytes


def run(params: protocol.Run, project: Opened, runner: Runner) -> dict[str, object]:
    """Run a command line and return its exit code and output.

    ``output`` is a list of ``[stream, text]``: 1 is stdout, 2 stderr. Bytes that are no UTF-8 come as
    ``[stream, base64, true]``.

    Raises:
        RpcError: it has to be run on the files.
    """
    chunks: list[tuple[int, bytearray]] = []
    try:
        stdout, stderr = (
            _stream(_Recorder(number, chunks), stream) for number, stream in enumerate(params.streams, start=1)
        )
        stdin = io.TextIOWrapper(io.BytesIO(binascii.a2b_base64(params.stdin, strict_mode=True)), encoding="utf-8")
    except (LookupError, ValueError) as error:
        raise RpcError(protocol.INVALID_PARAMS, str(error)) from error
    before, sys.stdin = sys.stdin, stdin
    try:
        with redirect_stdout(stdout), redirect_stderr(stderr):
            code = runner(params.argv, params.cwd, project)
        stdout.flush()
        stderr.flush()
    except UnicodeError:
        code = None  # the client's terminal cannot show a name
    finally:
        sys.stdin = before
    if code is None:
        raise RpcError(protocol.ON_THE_FILES, "")
    return {"code": code, "output": [_chunk(number, bytes(data)) for number, data in chunks]}


def _stream(recorder: _Recorder, described: protocol.Stream) -> io.TextIOWrapper:
    plain = described.buffering == "none"
    return io.TextIOWrapper(
        recorder if plain else io.BufferedWriter(recorder),  # type: ignore[arg-type]  # as Python itself does with -u
        encoding=described.encoding,
        errors=described.errors,
        line_buffering=described.buffering == "line",
        write_through=plain,
    )


def _chunk(number: int, data: bytes) -> list[object]:
    try:
        return [number, data.decode()]
    except UnicodeDecodeError:
        return [number, binascii.b2a_base64(data, newline=False).decode(), True]
