"""From a line of a client to the method that it means, and from its result to the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from assetdb.daemon.rpc import methods, protocol
from assetdb.daemon.rpc.protocol import RpcError
from assetdb.daemon.rpc.turns import Cancelled, TakesLong
from assetdb.errors import AssetdbError
from assetdb.system.pausing import pause_here
from formats.binary import FormatError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from assetdb.daemon.rpc.transport import Connection
    from assetdb.query.snapshot import Snapshot

    Question = Callable[[object, Snapshot, methods.Allowance], object]
    Deed = Callable[["Call", object], None]

_QUESTIONS: Final[dict[str, tuple[type[protocol.Parameters], Callable[..., object]]]] = {
    "resolve": (protocol.Resolve, methods.resolve),
    "find": (protocol.Find, methods.find_assets),
    "deps": (protocol.Deps, methods.deps),
    "usages": (protocol.Usages, methods.usages),
    "annotate": (protocol.Annotate, methods.annotate),
}
"""Methods that the project as it is now answers."""

DEEDS: Final[dict[str, type[protocol.Parameters]]] = {
    "hello": protocol.Hello,
    "status": protocol.Parameters,
    "changed": protocol.Changed,
    "sync": protocol.Sync,
    "bake": protocol.Sync,
    "subscribe": protocol.Parameters,
    "unsubscribe": protocol.Parameters,
    "run": protocol.Run,
    "shutdown": protocol.Parameters,
}
"""Methods that the daemon itself has to do something for; some are answered later."""

METHODS: Final = tuple(sorted((*_QUESTIONS, *DEEDS)))
_DECODERS: Final = {
    name: msgspec.json.Decoder(kind)
    for name, kind in (*DEEDS.items(), *((name, kind) for name, (kind, _) in _QUESTIONS.items()))
}


_LONGEST_IN_PASSING: Final = 4096
_IN_PASSING: Final = tuple(
    f'"{name}"'.encode()
    for name in ("resolve", "hello", "status", "changed", "sync", "subscribe", "unsubscribe", "shutdown")
)


def is_short(line: bytes) -> bool:
    """Whether what a line asks for is most likely done in less time than it takes to hand it over to a thread."""
    return len(line) <= _LONGEST_IN_PASSING and line[:1] == b"{" and any(name in line for name in _IN_PASSING)


class Call:
    """One request, to be answered once, now or later."""

    def __init__(
        self,
        connection: Connection,
        identifier: object,
        reply: Callable[..., None] | None,
        allowance: methods.Allowance,
    ) -> None:
        """Take who asks, the ``id``, where the answer goes (None for a notification), and what its message may have.

        The answer goes there in pieces.
        """
        self.connection = connection
        self._identifier = identifier
        self._reply = reply
        self._allowance = allowance
        self.answered = False
        connection.pending += 1

    @property
    def is_alone(self) -> bool:
        """Whether it is a message of its own, and wants an answer: then it may be told that work goes on."""
        return self._reply is not None and not self._allowance.of_batch

    def answer(self, result: object) -> None:
        """Give the result."""
        server = self.connection.server
        try:
            pieces = protocol.answer(self._identifier, result, self._allowance.bytes) if self._reply else []
        except protocol.TooLargeError:
            self.fail(protocol.TOO_LARGE, f"an answer has at most {server.limits.answer:,} bytes, a batch's together")
            return
        except (msgspec.EncodeError, TypeError, ValueError, UnicodeError) as error:
            self.fail(protocol.INTERNAL_ERROR, f"the answer is no JSON: {error}")
            return
        size = sum(map(len, pieces))
        if server.unread + size > server.limits.answers:
            self.fail(protocol.TOO_LARGE, f"all clients have not read {server.limits.answers:,} bytes of answers")
            return
        self._allowance.bytes -= size
        self._finish(pieces)

    def fail(self, code: int, message: str = "") -> None:
        """Say what is wrong."""
        self._finish([protocol.error_answer(self._identifier, code, message)])

    def forget(self) -> None:
        """Take it back: the request is handled again."""
        if not self.answered:
            self.answered = True
            self.connection.pending -= 1

    def _finish(self, pieces: Sequence[bytes]) -> None:
        if self.answered:
            return
        self.answered = True
        self.connection.pending -= 1
        if self._reply is not None:
            self._reply(*pieces)
        self.connection.close_when_done()


class Dispatcher:
    """Hands requests to methods."""

    def __init__(
        self,
        project: Callable[[], Snapshot],
        deeds: Mapping[str, Callable[[Call, protocol.Parameters], None]],
        on_fault: Callable[[str, Exception], None],
    ) -> None:
        """Take what returns the project as it is now, what does each of :data:`DEEDS`, and who hears of faults."""
        self._project = project
        self._deeds = deeds
        self._on_fault = on_fault

    def handle(self, connection: Connection, line: bytes) -> None:
        """Answer a line: a request or a batch of them.

        Raises:
            TakesLong: it was begun in passing; nothing has been done.
        """
        if line.lstrip()[:1] == b"[":
            self._handle_batch(connection, line)
        else:
            self._handle_one(connection, line, connection.send, methods.Allowance(connection.server.limits.answer))

    def _handle_batch(self, connection: Connection, line: bytes) -> None:
        try:
            parts = protocol.parts_of_batch(line)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            connection.send(protocol.error_answer(None, protocol.PARSE_ERROR, str(error)))
            return
        if not parts:
            message = f"a batch has 1 to {protocol.MOST_IN_BATCH:,} requests"
            connection.send(protocol.error_answer(None, protocol.INVALID_REQUEST, message))
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

        allowance = methods.Allowance(connection.server.limits.answer, of_batch=True)
        for part in parts:
            if not self._handle_one(connection, part, done, allowance):
                done()
            pause_here()
        done()

    def _handle_one(
        self, connection: Connection, line: bytes, reply: Callable[..., None], allowance: methods.Allowance
    ) -> bool:
        """Answer one request, now or later; return whether it has or will have an answer."""
        try:
            request = protocol.REQUEST.decode(line)
        except msgspec.ValidationError as error:
            reply(protocol.error_answer(protocol.identifier_of(line), protocol.INVALID_REQUEST, str(error)))
            return True
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            reply(protocol.error_answer(None, protocol.PARSE_ERROR, str(error)))
            return True
        wants_answer = request.id is not msgspec.UNSET
        call = Call(connection, request.id if wants_answer else None, reply if wants_answer else None, allowance)
        if request.jsonrpc != "2.0":
            call.fail(protocol.INVALID_REQUEST, '"jsonrpc" is "2.0"')
        elif not connection.allowed and request.method != "hello":
            call.fail(protocol.NOT_ALLOWED, "say hello with the token first")
            connection.finish()
        elif request.method not in _DECODERS:
            call.fail(protocol.METHOD_NOT_FOUND, f"{request.method[:100]!r}; there are {', '.join(METHODS)}")
        else:
            self._call(call, request, allowance)
        return wants_answer

    def _call(self, call: Call, request: protocol.Request, allowance: methods.Allowance) -> None:
        try:
            params = _DECODERS[request.method].decode(request.params)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            call.fail(protocol.INVALID_PARAMS, str(error))
            return
        try:
            if request.method in self._deeds:
                self._deeds[request.method](call, params)
            elif allowance.bytes > 0:
                project = self._project()
                with project.database.held():  # an update in between makes another one, and this goes on with its own
                    call.answer(_QUESTIONS[request.method][1](params, project, allowance))
            else:
                call.fail(protocol.TOO_LARGE, "the answers to a batch are one answer")
        except Cancelled:
            call.fail(protocol.STOPPING)
            raise
        except TakesLong:
            call.forget()
            raise
        except RpcError as error:
            call.fail(error.code, error.message)
        except (AssetdbError, FormatError, OSError) as error:
            call.fail(protocol.PROJECT_ERROR, str(error))
        except Exception as error:  # noqa: BLE001 - one request that goes wrong must not end the daemon; it is logged
            self._on_fault(request.method, error)
            call.fail(protocol.INTERNAL_ERROR, f"{type(error).__name__}: {error}")
