"""From a line of a client to the method that it means, and from its result to the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from assetdb.errors import AssetdbError
from assetdb.watch import methods, protocol
from assetdb.watch.protocol import RpcError
from formats.binary import FormatError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from assetdb.opening import Opened
    from assetdb.watch.server import Connection

    Question = Callable[[object, Opened], object]
    Deed = Callable[["Call", object], None]

_MOST_IN_BATCH: Final = 1000
_LARGEST_ANSWER: Final = 64 << 20

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


class Call:
    """One request, to be answered once, now or later."""

    def __init__(self, connection: Connection, identifier: object, reply: Callable[[bytes], None] | None) -> None:
        """Take who asks, the ``id``, and where the answer goes: None for a notification."""
        self.connection = connection
        self._identifier = identifier
        self._reply = reply
        self.answered = False
        connection.pending += 1

    def answer(self, result: object) -> None:
        """Give the result."""
        try:
            line = protocol.answer(self._identifier, result) if self._reply else b""
        except (msgspec.EncodeError, TypeError, ValueError, UnicodeError) as error:
            self.fail(protocol.INTERNAL_ERROR, f"the answer is no JSON: {error}")
            return
        if len(line) > _LARGEST_ANSWER:
            self.fail(protocol.TOO_LARGE, f"an answer has at most {_LARGEST_ANSWER:,} bytes")
            return
        self._finish(line)

    def fail(self, code: int, message: str = "") -> None:
        """Say what is wrong."""
        self._finish(protocol.error_answer(self._identifier, code, message))

    def _finish(self, line: bytes) -> None:
        if self.answered:
            return
        self.answered = True
        self.connection.pending -= 1
        if self._reply is not None:
            self._reply(line)
        self.connection.close_when_done()


class Dispatcher:
    """Hands requests to methods."""

    def __init__(
        self,
        project: Callable[[], Opened],
        deeds: Mapping[str, Callable[[Call, protocol.Parameters], None]],
        on_fault: Callable[[str, Exception], None],
    ) -> None:
        """Take what returns the project as it is now, what does each of :data:`DEEDS`, and who hears of faults."""
        self._project = project
        self._deeds = deeds
        self._on_fault = on_fault

    def handle(self, connection: Connection, line: bytes) -> None:
        """Answer a line: a request or a batch of them."""
        if line.lstrip()[:1] == b"[":
            self._handle_batch(connection, line)
        else:
            self._handle_one(connection, line, connection.send)

    def _handle_batch(self, connection: Connection, line: bytes) -> None:
        try:
            parts = protocol.BATCH.decode(line)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            connection.send(protocol.error_answer(None, protocol.PARSE_ERROR, str(error)))
            return
        if not 0 < len(parts) <= _MOST_IN_BATCH:
            message = f"a batch has 1 to {_MOST_IN_BATCH:,} requests"
            connection.send(protocol.error_answer(None, protocol.INVALID_REQUEST, message))
            return
        answers: list[bytes] = []
        open_parts = len(parts) + 1

        def done(answer: bytes = b"") -> None:
            nonlocal open_parts
            open_parts -= 1
            if answer:
                answers.append(answer)
            if not open_parts and answers:
                connection.send(protocol.batch(answers))

        for part in parts:
            if not self._handle_one(connection, bytes(part), done):
                done()
        done()

    def _handle_one(self, connection: Connection, line: bytes, reply: Callable[[bytes], None]) -> bool:
        """Answer one request, now or later; return whether it has or will have an answer."""
        try:
            request = protocol.REQUEST.decode(line)
        except msgspec.ValidationError as error:
            reply(protocol.error_answer(_identifier_of(line), protocol.INVALID_REQUEST, str(error)))
            return True
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            reply(protocol.error_answer(None, protocol.PARSE_ERROR, str(error)))
            return True
        wants_answer = request.id is not msgspec.UNSET
        call = Call(connection, request.id if wants_answer else None, reply if wants_answer else None)
        if request.jsonrpc != "2.0":
            call.fail(protocol.INVALID_REQUEST, '"jsonrpc" is "2.0"')
        elif not connection.allowed and request.method != "hello":
            call.fail(protocol.NOT_ALLOWED, "say hello with the token first")
            connection.finish()
        elif request.method not in _DECODERS:
            call.fail(protocol.METHOD_NOT_FOUND, f"{request.method[:100]!r}; there are {', '.join(METHODS)}")
        else:
            self._call(call, request)
        return wants_answer

    def _call(self, call: Call, request: protocol.Request) -> None:
        try:
            params = _DECODERS[request.method].decode(request.params)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            call.fail(protocol.INVALID_PARAMS, str(error))
            return
        try:
            if request.method in self._deeds:
                self._deeds[request.method](call, params)
            else:
                call.answer(_QUESTIONS[request.method][1](params, self._project()))
        except RpcError as error:
            call.fail(error.code, error.message)
        except (AssetdbError, FormatError, OSError) as error:
            call.fail(protocol.PROJECT_ERROR, str(error))
        except Exception as error:  # noqa: BLE001 - one request that goes wrong must not end the daemon; it is logged
            self._on_fault(request.method, error)
            call.fail(protocol.INTERNAL_ERROR, f"{type(error).__name__}: {error}")


def _identifier_of(line: bytes) -> object:
    """Return the ``id`` of what is no request, where it has one that can be told."""
    try:
        value = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    found = value.get("id") if isinstance(value, dict) else None
    return found if isinstance(found, (str, int, float)) else None
