"""The handshake: ``initialize`` is answered before the rest is imported."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from assetdb.daemon.rpc.lines import Writer
from assetdb.daemon.rpc.protocol import INVALID_PARAMS, PARSE_ERROR
from assetdb.lsp.protocol.capabilities import Capabilities
from assetdb.lsp.protocol.connection import Peer, read_message
from assetdb.lsp.protocol.framing import FramingError, framed, read_messages
from assetdb.lsp.protocol.lifecycle import server_capabilities
from assetdb.lsp.protocol.structures import SERVER_NOT_INITIALIZED, Initialize

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO


def serve(reading: BinaryIO, writing: BinaryIO, project: str = "", out_dir: str | None = None) -> int:
    """Serve an editor, and also ``project`` (absolute), until it ends that."""
    peer = Peer(Writer(writing, framed))
    messages = read_messages(reading)
    try:
        params = _initialized(messages, peer)
    except FramingError as error:
        peer.fail(None, PARSE_ERROR, str(error))
        return 1
    if params is None:
        return 1
    from assetdb.lsp.server import Server  # noqa: PLC0415 - a third of a second on a slow machine

    return Server(messages, peer, params, project, out_dir).run()


def _initialized(messages: Iterator[bytes], peer: Peer) -> Initialize | None:
    """Answer ``initialize``; return its parameters, None if it never comes."""
    for data in messages:
        message = read_message(data, peer)
        if message is None:
            continue
        number = message.id
        if message.method == "exit":
            return None
        if number is None or number is msgspec.UNSET:
            continue
        if message.method != "initialize":
            peer.fail(number, SERVER_NOT_INITIALIZED, "say initialize first")
            continue
        try:
            params = msgspec.json.decode(message.params, type=Initialize)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            peer.fail(number, INVALID_PARAMS, str(error))
            continue
        peer.client = Capabilities(params.capabilities)
        peer.answer(number, server_capabilities(peer.client))
        return params
    return None
