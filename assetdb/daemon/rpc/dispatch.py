"""Dispatch of requests to methods, and of results to responses."""

from __future__ import annotations

import threading
import time
from functools import partial
from typing import TYPE_CHECKING, Final

import msgspec

from assetdb.daemon.rpc import protocol
from assetdb.daemon.rpc.call import Allowance, Call
from assetdb.daemon.rpc.control_methods import control_methods
from assetdb.daemon.rpc.methods import query_methods
from assetdb.daemon.rpc.protocol import RpcError
from assetdb.errors import AssetdbError
from assetdb.system.cancelling import check_cancelled
from assetdb.system.jobs import Cancelled
from assetdb_formats.binary import FormatError
from assetdb_formats.files import words_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb.daemon.rpc.connection import Connection
    from assetdb.daemon.rpc.control_methods import Host
    from assetdb.query.snapshots.snapshot import Snapshot

_BY_NAME: Final = query_methods.methods | control_methods.methods
METHODS: Final = tuple(sorted(_BY_NAME))
_DECODERS: Final = {name: msgspec.json.Decoder(method.params) for name, method in _BY_NAME.items()}

_LONGEST_QUICK: Final = 4096
_STEP: Final = 0.05  # seconds between two checks whether a client still waits
_IN_LOOP: Final = frozenset(method.name for method in _BY_NAME.values() if method.in_loop)
_QUOTED: Final = tuple(f'"{name}"'.encode() for name in _IN_LOOP)


def is_quick(line: bytes) -> bool:
    """Whether the loop answers a request instead of a thread."""
    if len(line) > _LONGEST_QUICK or line[:1] != b"{" or not any(name in line for name in _QUOTED):
        return False
    try:
        return protocol.REQUEST.decode(line).method in _IN_LOOP
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return False


class Dispatcher:
    """Hands requests to methods."""

    def __init__(
        self,
        project: Callable[[], Snapshot],
        host: Host,
        on_fault: Callable[[str, Exception], None],
    ) -> None:
        """Take sources of project and daemon, and a fault handler."""
        self._project = project
        self._host = host
        self._on_fault = on_fault

    def handle(self, connection: Connection, line: bytes) -> None:
        """Answer a request or a batch of them, in any thread."""
        if line.lstrip()[:1] == b"[":
            self._handle_batch(connection, line)
        else:
            self._handle_one(connection, line, connection.send, Allowance(connection.server.limits.answer))

    def _handle_batch(self, connection: Connection, line: bytes) -> None:
        post = connection.server.post

        def reject(code: int, message: str) -> None:
            post(lambda: connection.send(protocol.error_response(None, code, message)))

        try:
            parts = protocol.parts_of_batch(line)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            reject(protocol.PARSE_ERROR, str(error))
            return
        if not parts:
            reject(protocol.INVALID_REQUEST, f"a batch has 1 to {protocol.MOST_IN_BATCH:,} requests")
            return
        answers: list[bytes] = []
        open_parts = len(parts) + 1

        def done(*pieces: bytes) -> None:
            nonlocal open_parts
            open_parts -= 1
            if pieces:
                answers.append(b"," if answers else b"[")
                answers.extend(pieces)
            if not open_parts and answers:
                answers.append(b"]")
                connection.send(*answers)

        allowance = Allowance(connection.server.limits.answer, of_batch=True)
        for part in parts:
            if not self._handle_one(connection, part, done, allowance):
                post(done)
            check_cancelled()
        post(done)

    def _handle_one(
        self, connection: Connection, line: bytes, reply: Callable[..., None], allowance: Allowance
    ) -> bool:
        """Answer one request, maybe later; return whether it gets an answer."""
        server = connection.server
        try:
            request = protocol.REQUEST.decode(line)
        except msgspec.ValidationError as error:
            invalid = protocol.error_response(protocol.identifier_of(line), protocol.INVALID_REQUEST, str(error))
            server.post(partial(reply, invalid))
            return True
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            server.post(partial(reply, protocol.error_response(None, protocol.PARSE_ERROR, str(error))))
            return True
        wants_answer = request.id is not msgspec.UNSET
        call = Call(connection, request.id if wants_answer else None, reply if wants_answer else None, allowance)
        if request.jsonrpc != "2.0":
            call.fail(protocol.INVALID_REQUEST, '"jsonrpc" is "2.0"')
        elif not connection.allowed and request.method != "hello":
            call.fail(protocol.NOT_ALLOWED, "say hello with the token first")
            server.post(connection.finish)
        elif request.method not in _DECODERS:
            call.fail(protocol.METHOD_NOT_FOUND, f"{request.method[:100]!r}; there are {', '.join(METHODS)}")
        elif request.method in _IN_LOOP:
            server.call(partial(self._call, call, request, allowance))
        else:
            self._call(call, request, allowance)
        return wants_answer

    def _call(self, call: Call, request: protocol.Request, allowance: Allowance) -> None:
        try:
            params = _DECODERS[request.method].decode(request.params)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            call.fail(protocol.INVALID_PARAMS, str(error))
            return
        try:
            method = _BY_NAME[request.method]
            if request.method in control_methods.methods:
                method.run(params, self._host, call)
            elif allowance.bytes > 0:
                if method.is_long:
                    self._host.report_working(call)
                self._wait_for_changes(call, allowance)
                call.answer(method.run(params, self._project(), allowance))  # of one snapshot, despite updates
            else:
                call.fail(protocol.TOO_LARGE, "the answers to a batch are one answer")
        except Cancelled:
            call.fail(protocol.STOPPING)
            raise
        except RpcError as error:
            call.fail(error.code, error.message)
        except (AssetdbError, FormatError) as error:
            call.fail(protocol.PROJECT_ERROR, str(error))
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            call.fail(protocol.PROJECT_ERROR, f"{where}{words_of(error)}")
        except Exception as error:  # noqa: BLE001 - one request that goes wrong must not end the daemon; it is logged
            self._on_fault(request.method, error)
            call.fail(protocol.INTERNAL_ERROR, f"{type(error).__name__}: {error}")

    def _wait_for_changes(self, call: Call, allowance: Allowance) -> None:
        """Wait until everything written before a question is known.

        In a storm the wait ends before that: ``sync`` is for whoever must know. No update is hastened: each delays the
        answers of all.
        """
        if allowance.patience <= 0 or not self._host.has_reported:
            return
        known = threading.Event()
        call.connection.server.post(partial(self._host.follow, known.set))
        began = time.monotonic()
        until = began + allowance.patience
        while (left := until - time.monotonic()) > 0 and not known.wait(min(left, _STEP)):
            check_cancelled()
        allowance.patience -= time.monotonic() - began
