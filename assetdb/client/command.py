"""The one-shot client: one command line, run by the daemon.

It imports almost nothing: a bare interpreter starts in 10 ms, ``socket`` takes 6 ms and ``json`` 3, question and
answer 0.5. In any doubt (no daemon, another version, an error) the command runs on the files, which gives the same
answer, and proper errors.
"""

from __future__ import annotations

import os
import sys

from assetdb.daemon.files.status_file import PROTOCOL, WORKING, is_own, may_be_port
from assetdb.system.reading import OF_ONE_PROCESS

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final, TypeVar

    from assetdb.daemon.files.status_file import Status

    _Answer = TypeVar("_Answer")
    Terminals = tuple[tuple[int, bool], tuple[int, bool]]

_STDIN: Final = "-"
_TIMEOUT: Final = 1.0  # seconds without a message; a working daemon reports progress
_LONG_TIMEOUT: Final = 10.0
_WORKING: Final = f'{{"jsonrpc":"2.0","method":"{WORKING}",'.encode()
_SYNC_TIMEOUT: Final = 30.0
_RECEIVED_AT_ONCE: Final = 1 << 18
LARGEST_FILE: Final = 8 << 20
"""Largest file that the daemon annotates, in bytes; larger ones are read here."""
_LARGEST_INPUT: Final = 4 << 20
NO_TERMINAL: Final = ((0, False), (0, False))
"""Columns and colours of stdout and stderr where they are not a terminal."""


class _UnansweredError(Exception):
    """The daemon does not answer, or not this request."""


class _SilentError(_UnansweredError):
    """A daemon that does not answer."""


class Request:
    """A command line, as far as the client has to understand it."""

    __slots__ = ("command", "places", "root", "shown", "status", "words")

    def __init__(
        self, command: str, words: list[str], places: list[int], root: str, status: Status, shown: Terminals
    ) -> None:
        """Describe a command line.

        Args:
            command: its name.
            words: all of it, the command first.
            places: positions of the queries in the words.
            root: of the project.
            status: of that project's daemon.
            shown: of stdout and stderr: columns of the terminal, 0 if it is none, and whether it shows colours.
        """
        self.command = command
        self.words = words
        self.places = places
        self.root = root
        self.status = status
        self.shown = shown

    @property
    def subjects(self) -> list[str]:
        """The queries, pattern or file of the command line."""
        return [self.words[place] for place in self.places]


def ask(request: Request, on_files: Callable[[], int], *, synced: bool = False) -> int | None:
    """Run a command line in the daemon; return its exit code.

    None if it must run on the files.

    Args:
        request: the command line.
        on_files: runs the rest on the files if the daemon stops.
        synced: whether the daemon first processes everything written so far.
    """

    def answer(daemon: _Connection) -> int | None:
        if synced:
            daemon.wait_longer()
            daemon.sync(files=False)
        subjects = request.subjects
        if _STDIN not in subjects:
            return _annotate_file(daemon, request) if request.command == "annotate" else daemon.run(request.words)
        if subjects != [_STDIN]:
            return None  # some of the queries are words, some lines
        if request.command == "annotate":
            return _annotate_stdin(daemon, request.words)
        return _run_lines(daemon, request.words, on_files)

    return _with_daemon(request.root, request.status, answer, request.shown)


def ask_synced(request: Request, on_synced: Callable[[], int]) -> int | None:
    """Run a command line on files that the daemon updated, or None."""

    def sync(daemon: _Connection) -> bool:
        daemon.sync()
        return True

    return on_synced() if _with_daemon(request.root, request.status, sync) else None


def _with_daemon(
    root: str, status: Status, ask: Callable[[_Connection], _Answer], shown: Terminals = NO_TERMINAL
) -> _Answer | None:
    """Return the result of a function of the daemon's connection.

    None without a daemon, or where it does not answer.
    """
    try:
        daemon = _Connection(status, os.getcwd(), root, shown)
    except (OSError, _UnansweredError) as error:
        _warn_silent(error)
        return None
    try:
        return ask(daemon)
    except _UnansweredError as error:
        _warn_silent(error)
        return None
    finally:
        daemon.close()


def _warn_silent(error: Exception) -> None:
    if isinstance(error, _SilentError):
        sys.stderr.write("assetdb: the daemon does not answer; reading the files\n")


def bake_with_daemon(root: str, status: Status) -> dict[str, Any] | None:
    """Have the daemon update the files; return the result of a bake.

    None if it does not answer.
    """
    return _with_daemon(root, status, lambda daemon: daemon.sync("bake"))


def _annotate_file(daemon: _Connection, request: Request) -> int | None:
    """Have the daemon annotate a file, sent along if outside its project."""
    words, place = request.words, request.places[0]
    path = os.path.abspath(words[place])
    try:
        status = os.stat(path)
        if status.st_mode & 0o170000 != 0o100000 or status.st_size > LARGEST_FILE or path.startswith(OF_ONE_PROCESS):
            return None
        if path.startswith(daemon.root + os.sep):
            return daemon.run(words)
        if status.st_size > _LARGEST_INPUT:
            return None
        with open(path, "rb") as file:
            data = file.read(_LARGEST_INPUT + 1)
    except OSError:
        return None
    return daemon.run([*words[:place], _STDIN, *words[place + 1 :]], data)


def _annotate_stdin(daemon: _Connection, words: list[str]) -> int | None:
    data = sys.stdin.buffer.read()
    try:
        if len(data) <= _LARGEST_INPUT:
            return daemon.run(words, data)
    except _UnansweredError as error:
        _warn_silent(error)
    from io import BytesIO, TextIOWrapper  # noqa: PLC0415 - the command reads it again

    sys.stdin = TextIOWrapper(BytesIO(data), encoding="utf-8")
    return None


def _run_lines(daemon: _Connection, words: list[str], on_files: Callable[[], int]) -> int:
    """Ask for each line of stdin as it comes."""
    reconfigure = getattr(sys.stdin, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(encoding="utf-8", errors="replace")
    worst = 0
    for text in sys.stdin:
        if not text.strip():
            continue
        try:
            code = daemon.run(words, text.encode("utf-8", "replace"))
        except _UnansweredError as error:
            from itertools import chain  # noqa: PLC0415 - the daemon has gone

            _warn_silent(error)
            sys.stdin = chain((text,), sys.stdin)
            return max(worst, on_files())
        worst = max(worst, code)
    return worst


class _Connection:
    """A connection to the daemon, for one question."""

    def __init__(self, status: Status, cwd: str, root: str, shown: Terminals) -> None:
        import _socket  # noqa: PLC0415 - most projects have no daemon

        from assetdb.system.json_text import quote, read_json  # noqa: PLC0415 - the same

        self.root = root
        self._quote = quote
        self._read_json = read_json
        self._root = quote(root)
        self._context = f'"cwd":{quote(cwd)},"root":{self._root},"streams":{_streams(quote, shown)}'
        if status.socket and sys.platform != "win32":
            if not is_own(status.socket):
                raise _UnansweredError
            self._peer = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
            greet = self._connect_to_socket
        else:
            if not may_be_port() or not is_own(status.token):
                raise _UnansweredError
            self._peer = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
            greet = self._connect_to_port
        try:
            greet(status)
        except (OSError, _UnansweredError):
            self.close()
            raise

    def _connect_to_socket(self, status: Status) -> None:
        self._connect(status.socket)
        if sys.platform == "linux":
            import _socket  # noqa: PLC0415 - most projects have no daemon

            packed = self._peer.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)
            if int.from_bytes(packed[4:8], sys.byteorder) != os.geteuid():
                raise _UnansweredError

    def _connect_to_port(self, status: Status) -> None:
        with open(status.token, "rb") as file:
            ours, _, theirs = file.read(256).decode("ascii", "replace").partition(" ")
        self._connect(("127.0.0.1", status.port))
        hello = self._ask("hello", f'"protocol":{PROTOCOL},"token":{self._quote(ours)}')
        if hello.get("token") != theirs or not theirs:
            raise _UnansweredError

    def _connect(self, address: str | tuple[str, int]) -> None:
        self._peer.settimeout(_TIMEOUT)
        try:
            self._peer.connect(address)
        except (TimeoutError, BlockingIOError) as error:  # the queue of waiting clients is full
            raise _SilentError from error

    def wait_longer(self) -> None:
        """Wait longer for a message, as running it here would."""
        self._peer.settimeout(_LONG_TIMEOUT)

    def close(self) -> None:
        """End the connection."""
        self._peer.close()

    def sync(self, method: str = "sync", *, files: bool = True) -> dict[str, object]:
        """Wait until answers are up to date, with ``files`` files, too."""
        written = "true" if files else "false"
        return self._ask(method, f'"timeout":{_SYNC_TIMEOUT},"files":{written},"root":{self._root}')

    def run(self, words: list[str], stdin: bytes = b"") -> int:
        """Run a command line and print its output; raises _UnansweredError before that."""
        given = ""
        if stdin:
            from binascii import b2a_base64  # noqa: PLC0415 - most commands read no stdin

            given = b2a_base64(stdin, newline=False).decode()
        argv = ",".join(map(self._quote, words))
        result = self._ask("run", f'"argv":[{argv}],{self._context},"stdin":"{given}"')
        code, output = result.get("code"), result.get("output")
        if not isinstance(code, int) or not isinstance(output, list):
            raise _UnansweredError
        for chunk in output:
            _write(*chunk)
        return code

    def _ask(self, method: str, params: str) -> dict[str, object]:
        request = f'{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{{params}}}}}\n'
        try:
            self._peer.sendall(request.encode("ascii"))
            parts: list[bytes] = []
            while True:
                part = self._peer.recv(_RECEIVED_AT_ONCE)
                if not part:
                    raise _UnansweredError
                parts.append(part)
                if not part.endswith(b"\n"):
                    continue
                line = b"".join(parts)
                while line.startswith(_WORKING):
                    line = line.partition(b"\n")[2]
                if line:
                    break
                parts = []
            answer = self._read_json(line.decode("utf-8"))
        except TimeoutError as error:
            raise _SilentError from error
        except (OSError, ValueError) as error:
            raise _UnansweredError from error
        result = answer.get("result") if isinstance(answer, dict) else None
        if not isinstance(result, dict):
            raise _UnansweredError
        return result


def _streams(quote: Callable[[str], str], shown: Terminals) -> str:
    """Return encoding and buffering of stdout and stderr."""
    described = []
    for stream, (columns, has_color) in zip((sys.stdout, sys.stderr), shown, strict=True):
        encoding = quote(getattr(stream, "encoding", None) or "utf-8")
        errors = quote(getattr(stream, "errors", None) or "strict")
        # Unbuffered with PYTHONUNBUFFERED; then each write is sent unchanged.
        unbuffered = getattr(stream, "write_through", False)
        buffering = "none" if unbuffered else "line" if getattr(stream, "line_buffering", False) else "block"
        described.append(f'[{encoding},{errors},"{buffering}",{columns},{"true" if has_color else "false"}]')
    return f"[{','.join(described)}]"


def _write(number: int, text: str, packed: bool = False) -> None:  # noqa: FBT001, FBT002 - as it comes in the answer
    """Write output of the command to stdout (1) or stderr (2)."""
    stream = sys.stdout if number == 1 else sys.stderr
    if packed:
        from binascii import a2b_base64  # noqa: PLC0415 - hardly any output is no UTF-8

        data = a2b_base64(text)
    else:
        data = text.encode("utf-8")
    buffer = getattr(stream, "buffer", None)
    if buffer is None:
        stream.write(data.decode(stream.encoding or "utf-8"))
        return
    stream.flush()
    buffer.write(data)
    buffer.flush()
