"""Messages of the Model Context Protocol, in both of its forms.

Clients of 2025-11-25 and earlier begin with ``initialize``. Clients of 2026-07-28 name their version in the ``_meta``
of each request; there is no handshake.
"""

from __future__ import annotations

from assetdb.system.json_text import read_json, write_json
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Final

    ID = int | str

HANDSHAKE_VERSIONS: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""Versions with a handshake, the newest last."""
MODERN_VERSIONS: Final = ("2026-07-28",)
"""Versions without a handshake."""

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603
BUSY: Final = -32000
RESOURCE_NOT_FOUND: Final = -32002
UNSUPPORTED_VERSION: Final = -32022

_META: Final = "_meta"
_VERSION_KEY: Final = "io.modelcontextprotocol/protocolVersion"
_CAPABILITIES_KEY: Final = "io.modelcontextprotocol/clientCapabilities"
_SERVER_KEY: Final = "io.modelcontextprotocol/serverInfo"
_LONGEST_ID: Final = 1000
_SHOWN: Final = 100


class McpError(Exception):
    """A request answered with an error: a code, a message for people."""

    def __init__(self, code: int, message: str, *, data: object = None, number: ID | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data
        self.number = number


class Message(NamedTuple):
    """A message: a response has no ``method``, a notification no ``number``."""

    method: str
    params: Mapping[str, Any]
    number: ID | None
    is_modern: bool


def read_message(line: bytes) -> Message:
    """Return the message in a line; raise McpError, with any id."""
    try:
        found = read_json(line.decode("utf-8"))
    except ValueError as error:  # UnicodeDecodeError is one, too
        raise McpError(PARSE_ERROR, "a line is not JSON in UTF-8: send one JSON-RPC message a line") from error
    if not isinstance(found, dict):
        raise McpError(INVALID_REQUEST, "a message is a JSON object; MCP has no batches: send one message a line")
    number = found.get("id")
    if not _is_id(number):
        if "id" in found:
            raise McpError(INVALID_REQUEST, f"an id is a text or an integer, of at most {_LONGEST_ID:,} characters")
        number = None
    if found.get("jsonrpc") != "2.0":
        raise McpError(INVALID_REQUEST, 'a message has "jsonrpc": "2.0"', number=number)
    method = found.get("method", "")
    if not isinstance(method, str) or (not method and not ("result" in found or "error" in found)):
        raise McpError(INVALID_REQUEST, "a message has a method, or is a response", number=number)
    params = found.get("params", {})
    if not isinstance(params, dict):
        raise McpError(INVALID_PARAMS, "params is an object", number=number)
    meta = params.get(_META)
    if meta is not None and not isinstance(meta, dict):
        raise McpError(INVALID_PARAMS, "params._meta is an object", number=number)
    is_modern = isinstance(meta, dict) and _VERSION_KEY in meta
    if is_modern and number is not None:
        _check_version(params[_META], number)
    return Message(method, params, number, is_modern)


def _is_id(value: object) -> bool:
    if isinstance(value, str):
        return len(value) <= _LONGEST_ID
    return isinstance(value, int) and not isinstance(value, bool) and value.bit_length() <= _LONGEST_ID


def _check_version(meta: Mapping[str, Any], number: ID) -> None:
    """Refuse versions not spoken here, and clients without capabilities (McpError)."""
    version = meta[_VERSION_KEY]
    if not isinstance(version, str) or not isinstance(meta.get(_CAPABILITIES_KEY), dict):
        message = f"params._meta has {_VERSION_KEY}, a text, and {_CAPABILITIES_KEY}, an object"
        raise McpError(INVALID_PARAMS, message, number=number)
    if version not in MODERN_VERSIONS:
        data = {"supported": list(MODERN_VERSIONS + HANDSHAKE_VERSIONS), "requested": version[:_SHOWN]}
        raise McpError(UNSUPPORTED_VERSION, "this version is not supported", data=data, number=number)


def negotiated(requested: object) -> str:
    """Return the version of a handshake: as requested, or the newest."""
    return requested if isinstance(requested, str) and requested in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[-1]


def result_line(message: Message, result: Mapping[str, object], server: Mapping[str, object]) -> bytes:
    """Return the line of an answer; modern versions name the server."""
    if message.is_modern:
        result = {**result, "resultType": "complete", _META: {_SERVER_KEY: server}}
    return write_json({"jsonrpc": "2.0", "id": message.number, "result": result})


def error_line(error: McpError) -> bytes:
    """Return the line of an error."""
    fields: dict[str, object] = {"code": error.code, "message": error.message}
    if error.data is not None:
        fields["data"] = error.data
    return write_json({"jsonrpc": "2.0", "id": error.number, "error": fields})
