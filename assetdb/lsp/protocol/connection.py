"""The editor as a peer: its capabilities, and messages to it."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Final

import msgspec

from assetdb.daemon.rpc.protocol import INVALID_REQUEST, PARSE_ERROR, identifier_of
from assetdb.lsp.protocol.capabilities import Capabilities
from assetdb.lsp.protocol.structures import ID, Message

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb.daemon.rpc.lines import Writer

ERROR: Final = 1
WARNING: Final = 2
INFO: Final = 3
_MOST_AWAITED: Final = 64  # requests that a client may leave without an answer before the oldest is forgotten
_MESSAGE: Final = msgspec.json.Decoder(Message)


class Peer:
    """The client; ``client`` has its capabilities from ``initialize``."""

    def __init__(self, writer: Writer) -> None:
        self.client = Capabilities({})
        self._writer = writer
        self._numbers = count(1)
        self._awaited: dict[str, Callable[[msgspec.Raw], None]] = {}
        self._has_told = False

    @property
    def gone(self) -> bool:
        """Whether the client is gone."""
        return self._writer.closed

    def notify(self, method: str, params: object) -> None:
        """Send a notification."""
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def request(self, method: str, params: object = None, then: Callable[[msgspec.Raw], None] | None = None) -> None:
        """Send a request, and pass its result on, ``null`` if refused."""
        number = f"assetdb {next(self._numbers)}"
        if then is not None:
            self._awaited[number] = then
            if len(self._awaited) > _MOST_AWAITED:
                del self._awaited[next(iter(self._awaited))]
        message: dict[str, object] = {"jsonrpc": "2.0", "id": number, "method": method}
        self._send(message if params is None else message | {"params": params})

    def take_answer(self, message: Message) -> None:
        """Pass the answer to a request on, if that is awaited.

        Raises msgspec.DecodeError if it is of another form.
        """
        then = self._awaited.pop(message.id, None) if isinstance(message.id, str) else None
        if then is not None:
            then(message.result)

    def log(self, message: str, kind: int = INFO) -> None:
        """Tell its log."""
        self.notify("window/logMessage", {"type": kind, "message": _encodable(message)})

    def tell(self, message: str) -> None:
        """Tell its log, and once in a session its user.

        A message at each search would disturb, and few look at the log before they know that it tells something.
        """
        if not self._has_told:
            self._has_told = True
            self.notify("window/showMessage", {"type": INFO, "message": _encodable(message)})
        self.log(message)

    def answer(self, number: ID, result: object) -> None:
        """Answer a request; raise ValueError if the result is not JSON."""
        try:
            data = msgspec.json.encode({"jsonrpc": "2.0", "id": number, "result": result})
        except (msgspec.EncodeError, TypeError, RecursionError) as error:
            raise ValueError(str(error)) from error
        self._writer.write(data)

    def fail(self, number: object, code: int, message: str) -> None:
        """Answer a request with an error."""
        error = {"code": code, "message": _encodable(message)}
        self._send({"jsonrpc": "2.0", "id": number, "error": error})

    def _send(self, message: dict[str, object]) -> None:
        self._writer.write(msgspec.json.encode(message))


def _encodable(text: str) -> str:
    """Return a text without the surrogates of names that are not UTF-8."""
    return text.encode("utf-8", "replace").decode()


def read_message(data: bytes, peer: Peer) -> Message | None:
    """Return a message, or answer bad data and return None."""
    try:
        return _MESSAGE.decode(data)
    except msgspec.ValidationError as error:
        peer.fail(identifier_of(data), INVALID_REQUEST, str(error))
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        peer.fail(None, PARSE_ERROR, str(error))
    return None
