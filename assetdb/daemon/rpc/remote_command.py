"""Remote commands (``run``): a client's command line, run by the daemon.

The streams are built like Python's own: text over a buffer over a raw file. So the client receives each write that its
own process would have made, in order, and repeats it.
"""

from __future__ import annotations

import binascii
import io
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, TextIO

import msgspec

from assetdb.daemon.rpc import protocol
from assetdb.daemon.rpc.protocol import RpcError
from assetdb.system.cancelling import check_cancelled

_LARGEST_OUTPUT: Final = 16 << 20
_CONTINUES: Final = 0x80  # the upper two bits of a UTF-8 continuation byte
_PIECE: Final = 1 << 18  # bytes of output encoded at a time
_MOST_WORDS: Final = 1000
_LONGEST_WORD: Final = 1000

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assetdb.query.snapshots.snapshot import Snapshot

    Runner = Callable[[list[str], str, Snapshot], int | None]
    """Runs words in a working directory on an open project; None if that must be done on the files."""


class _TooMuchError(Exception):
    """The output exceeds one answer."""


class _Recorder(io.RawIOBase):
    """The raw end of a stream."""

    def __init__(self, number: int, chunks: list[tuple[int, bytearray]], left: list[int]) -> None:
        self._number = number
        self._chunks = chunks
        self._left = left  # bytes left for all streams together

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        with memoryview(data) as view:  # type: ignore[arg-type]  # any buffer
            if not self._chunks or self._chunks[-1][0] != self._number:
                self._chunks.append((self._number, bytearray()))
            if self._left[0] < 0:
                return view.nbytes  # the client is gone
            self._left[0] -= view.nbytes
            if self._left[0] < 0:
                raise _TooMuchError
            self._chunks[-1][1].extend(view)
            size = view.nbytes
        check_cancelled()
        return size


def run(params: protocol.Run, project: Snapshot, runner: Runner) -> dict[str, object]:
    """Run a command line and return its exit code and output.

    ``output`` is a list of ``[stream, text]``: 1 is stdout, 2 stderr. Bytes that are not UTF-8 come as
    ``[stream, base64, true]``.

    Raises:
        RpcError: it must run on the files.
    """
    if len(params.argv) > _MOST_WORDS or max(map(len, params.argv), default=0) > _LONGEST_WORD:
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
    try:
        with _streams_of_thread(stdin, stdout, stderr):
            code = runner(params.argv, params.cwd, project)
        stdout.flush()
        stderr.flush()
    except (UnicodeError, _TooMuchError):
        code = None  # the client's terminal cannot show a name
    finally:
        left[0] = -1  # remaining buffers are written when they are collected
    if code is None:
        raise RpcError(protocol.ON_THE_FILES, "")
    return {"code": code, "output": _output(chunks)}


def _output(chunks: list[tuple[int, bytearray]]) -> Iterator[msgspec.Raw]:
    for number, data in chunks:
        start = 0
        while start < len(data):
            end = min(start + _PIECE, len(data))
            while end < len(data) and end > start + 1 and data[end] & 0xC0 == _CONTINUES:  # not inside a character
                end -= 1
            yield msgspec.Raw(protocol.ENCODER.encode(_chunk(number, bytes(data[start:end]))))
            start = end


class _OfThread:
    """A stream of ``sys``, and threads' streams of their own."""

    def __init__(self, original: TextIO) -> None:
        self._original = original
        self._here = threading.local()

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever a stream has
        return getattr(self.present, name)

    def __setattr__(self, name: str, value: object) -> None:
        if name in ("_original", "_here"):
            object.__setattr__(self, name, value)
        else:
            setattr(self.present, name, value)

    def __iter__(self) -> Iterator[str]:
        return iter(self.present)

    @property
    def present(self) -> TextIO:
        """The stream of this thread."""
        found: TextIO | None = getattr(self._here, "stream", None)
        return found if found is not None else self._original

    def switch(self, stream: TextIO | None) -> None:
        """Set this thread's stream; None: the default."""
        self._here.stream = stream


_switching: Final = threading.Lock()


@contextmanager
def _streams_of_thread(*streams: TextIO) -> Iterator[None]:
    """Give this thread its own streams, as others run commands too."""
    switched = []
    with _switching:
        for name in ("stdin", "stdout", "stderr"):
            stream = getattr(sys, name)
            if not isinstance(stream, _OfThread):
                stream = _OfThread(stream)
                setattr(sys, name, stream)
            switched.append(stream)
    for found, replacement in zip(switched, streams, strict=True):
        found.switch(replacement)
    try:
        yield
    finally:
        for found in switched:
            found.switch(None)


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
        newline="\n",  # as the client writes into a pipe of Windows, too; a console takes both
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
