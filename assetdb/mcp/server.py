"""The main loop of the server; another thread calls tools."""

from __future__ import annotations

from assetdb.daemon.rpc.lines import Writer
from assetdb.mcp import prompts, protocol
from assetdb.mcp.declarations import INSTRUCTIONS, READING, RESOURCES, TEMPLATES, WRITING, declaration
from assetdb.mcp.framing import read_lines
from assetdb.mcp.protocol import McpError, Message
from assetdb.version import VERSION

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, BinaryIO, Final

    from assetdb.mcp.calls import Calls

_SERVER: Final = {"name": "assetdb", "version": VERSION}
_CAPABILITIES: Final[Mapping[str, object]] = {"tools": {}, "resources": {}, "prompts": {}}
_FOR_EVER: Final = 3_600_000  # milliseconds for which clients may cache what only a new version changes
_SHOWN: Final = 100


def serve(
    reading: BinaryIO,
    writing: BinaryIO,
    project: str | None = None,
    out_dir: str | None = None,
    *,
    may_write: bool = False,
) -> int:
    """Serve an assistant until it closes; return 0.

    Without ``project`` it serves the one around the working directory, whose files are in ``out_dir`` (absolute) or
    where its settings say; ``may_write`` adds tools that change files.
    """
    server = Server(Writer(writing, lambda line: line + b"\n"), project, out_dir, may_write=may_write)
    for line in read_lines(reading):
        server.handle(line)
        if server.gone:
            break
    server.close()
    return 0


class Server:
    """A server for one client."""

    def __init__(
        self, writer: Writer, project: str | None = None, out_dir: str | None = None, *, may_write: bool = False
    ) -> None:
        """Take a writer, a project, its files, and whether to change any."""
        self._writer = writer
        self._place = project, out_dir
        self._initialized = False
        self._made: Calls | None = None
        self._tools = {tool.name: tool for tool in (READING + WRITING if may_write else READING)}
        self._methods: Mapping[str, Callable[[Message], dict[str, Any] | None]] = {
            "initialize": self._initialize,
            "server/discover": self._discover,
            "ping": lambda _: {},
            "tools/list": lambda message: _list(message, "tools", map(declaration, self._tools.values())),
            "tools/call": self._call_tool,
            "resources/list": lambda message: _list(message, "resources", RESOURCES),
            "resources/templates/list": lambda message: _list(message, "resourceTemplates", TEMPLATES),
            "resources/read": self._read_resource,
            "prompts/list": lambda message: _list(message, "prompts", prompts.declared()),
            "prompts/get": lambda message: prompts.filled(message.params),
        }

    @property
    def gone(self) -> bool:
        """Whether nobody reads any more."""
        return self._writer.closed

    def close(self) -> None:
        """Answer waiting requests, if that is quick."""
        if self._made is not None and not self.gone:
            self._made.close()

    def handle(self, line: bytes | McpError) -> None:
        """Handle one message, or the error of one."""
        try:
            if isinstance(line, McpError):
                raise line
            message = protocol.read_message(line)
            if message.number is None:
                self._take_notification(message)
            elif message.method:
                self._take_request(message)
        except McpError as error:
            self._writer.write(protocol.error_line(error))

    def _take_notification(self, message: Message) -> None:
        if message.method == "notifications/cancelled" and self._made is not None:
            number = message.params.get("requestId")
            if isinstance(number, int | str):
                self._made.cancel(number)

    def _take_request(self, message: Message) -> None:
        """Answer a request, or have it answered; raises McpError."""
        number = message.number
        if self._made is not None and number is not None and self._made.has(number):
            # Without the id: the client would take an error with it for the answer to the first one.
            raise McpError(protocol.INVALID_REQUEST, f"the request {number!r} has no answer yet: use another id")
        try:
            result = self._method(message)(message)
        except McpError as error:
            error.number = number
            raise
        if result is not None:
            self._answer(message, result)

    def _method(self, message: Message) -> Callable[[Message], dict[str, Any] | None]:
        """Return the function that answers a request; raise McpError without one."""
        run = self._methods.get(message.method)
        if run is None:
            known = ", ".join(self._methods)
            raise McpError(protocol.METHOD_NOT_FOUND, f"no method {message.method[:_SHOWN]!r}; there are {known}")
        if message.is_modern or self._initialized or message.method in ("initialize", "ping"):
            return run
        code = protocol.INVALID_PARAMS if message.method == "server/discover" else protocol.INVALID_REQUEST
        version = protocol.MODERN_VERSIONS[-1]
        raise McpError(code, f"send initialize first, or with each request the _meta of {version}")

    def _answer(self, message: Message, result: dict[str, Any]) -> None:
        self._writer.write(protocol.result_line(message, result, _SERVER))

    # --- methods

    def _initialize(self, message: Message) -> dict[str, Any]:
        if message.is_modern:
            data = {"supported": list(protocol.MODERN_VERSIONS)}
            raise McpError(protocol.UNSUPPORTED_VERSION, "this version has no initialize", data=data)
        self._initialized = True
        return {
            "protocolVersion": protocol.negotiated(message.params.get("protocolVersion")),
            "capabilities": _CAPABILITIES,
            "serverInfo": _SERVER,
            "instructions": INSTRUCTIONS,
        }

    def _discover(self, message: Message) -> dict[str, Any]:
        versions = list(protocol.MODERN_VERSIONS + protocol.HANDSHAKE_VERSIONS)
        fields = {"supportedVersions": versions, "capabilities": _CAPABILITIES, "instructions": INSTRUCTIONS}
        return _lasting(message, fields)

    def _call_tool(self, message: Message) -> None:
        name = message.params.get("name")
        tool = self._tools.get(name) if isinstance(name, str) else None
        if tool is None:
            shown = repr(name[:_SHOWN]) if isinstance(name, str) else "of that name"
            raise McpError(protocol.INVALID_PARAMS, f"no tool {shown}; there are {', '.join(self._tools)}")
        self._submitted(self._calls.call_tool(message, tool, message.params.get("arguments", {})))

    def _read_resource(self, message: Message) -> None:
        uri = message.params.get("uri")
        if not isinstance(uri, str):
            raise McpError(protocol.INVALID_PARAMS, "uri is a text")
        self._submitted(self._calls.read(message, uri))

    @staticmethod
    def _submitted(taken: bool) -> None:  # noqa: FBT001 - the result of a call
        if not taken:
            raise McpError(protocol.BUSY, "too many requests wait for an answer: send fewer at once")

    @property
    def _calls(self) -> Calls:
        if self._made is None:
            from assetdb.mcp.calls import Calls  # noqa: PLC0415 - as long as three starts, and the first answers do without

            self._made = Calls(self._place, self._finish, self._fail)
        return self._made

    # --- answers of the other thread

    def _finish(self, message: Message, result: dict[str, Any]) -> None:
        if message.is_modern and message.method == "resources/read":
            result = {**result, "ttlMs": 0, "cacheScope": "private"}
        self._answer(message, result)

    def _fail(self, message: Message, error: BaseException) -> None:
        from assetdb.mcp.calls import NoResourceError  # noqa: PLC0415 - as above

        if isinstance(error, NoResourceError):
            code = protocol.INVALID_PARAMS if message.is_modern else protocol.RESOURCE_NOT_FOUND
            found = McpError(code, str(error), number=message.number)
        else:
            found = McpError(protocol.INTERNAL_ERROR, f"{type(error).__name__}: {error}", number=message.number)
        self._writer.write(protocol.error_line(found))


def _lasting(message: Message, fields: dict[str, Any]) -> dict[str, Any]:
    """Return a result that holds as long as this version of assetdb."""
    return {**fields, "ttlMs": _FOR_EVER, "cacheScope": "public"} if message.is_modern else fields


def _list(message: Message, key: str, rows: Iterable[object]) -> dict[str, Any]:
    if message.params.get("cursor") is not None:
        raise McpError(protocol.INVALID_PARAMS, "there are no further pages: leave the cursor out")
    return _lasting(message, {key: list(rows)})
