"""One call of a method: its client, its limits and its answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from assetdb.daemon.rpc import protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from assetdb.daemon.rpc.connection import Connection

MOST_QUERIES: Final = 20_000
_MOST_SUGGESTIONS: Final = 20  # queries of one message with suggestions: 2 to 50 ms each
_PATIENCE: Final = 0.5  # seconds; outside storms an update follows an edit within 0.03


class Allowance:
    """The shared bounds of all answers to one message or batch.

    Attributes:
        patience: seconds for which they may still wait for changes that were made before.
    """

    def __init__(self, size: int, *, of_batch: bool = False) -> None:
        self.bytes = size
        self.of_batch = of_batch
        self.suggestions = _MOST_SUGGESTIONS
        self.candidates = MOST_QUERIES
        self.patience = _PATIENCE


class Call:
    """One request, to be answered once, now or later."""

    def __init__(
        self,
        connection: Connection,
        identifier: object,
        reply: Callable[..., None] | None,
        allowance: Allowance,
    ) -> None:
        """Take client, ``id``, allowance, and the receiver of the answer's pieces."""
        self.connection = connection
        self._identifier = identifier
        self._reply = reply
        self._allowance = allowance
        self.answered = False
        connection.pending.add(self)

    @property
    def is_alone(self) -> bool:
        """Whether progress is reported: not in a batch, an answer wanted."""
        return self._reply is not None and not self._allowance.of_batch

    def answer(self, result: object) -> None:
        """Send the result, from any thread, which encodes it."""
        server = self.connection.server
        try:
            pieces = protocol.response(self._identifier, result, self._allowance.bytes) if self._reply else []
        except protocol.TooLargeError:
            self.fail(protocol.TOO_LARGE, f"an answer has at most {server.limits.answer:,} bytes, a batch's together")
            return
        except (msgspec.EncodeError, TypeError, ValueError, UnicodeError) as error:
            self.fail(protocol.INTERNAL_ERROR, f"the answer is not JSON: {error}")
            return
        size = sum(map(len, pieces))
        self._allowance.bytes -= size
        server.post(lambda: self._finish(pieces, size))

    def fail(self, code: int, message: str = "") -> None:
        """Answer with an error, from any thread."""
        error = protocol.error_response(self._identifier, code, message)
        self.connection.server.post(lambda: self._finish([error]))

    def _finish(self, pieces: Sequence[bytes], size: int = 0) -> None:
        """Answer, in the loop."""
        if self.answered:
            return
        self.answered = True
        self.connection.pending.discard(self)
        limits = self.connection.server.limits
        if size and self.connection.server.unread + size > limits.answers:
            message = f"all clients have not read {limits.answers:,} bytes of answers"
            pieces = [protocol.error_response(self._identifier, protocol.TOO_LARGE, message)]
        if self._reply is not None:
            self._reply(*pieces)
        self.connection.close_when_done()
