"""The protocol of the socket: JSON-RPC 2.0, one message a line.

``docs/watch.md`` describes it with examples.

Types of requests are checked here, on arrival; answers are built from the structs below.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final, Literal

import msgspec

from assetdb.system.cancelling import check_cancelled

# Codes of JSON-RPC itself.
PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603
# And of this server.
PROJECT_ERROR: Final = -32000  # the database or a file is unusable: the message has the reason
TOO_LARGE: Final = -32001  # the message, or the answer
TOO_MANY_CLIENTS: Final = -32002
NOT_ALLOWED: Final = -32003  # another user, or without the token
ON_THE_FILES: Final = -32004  # ``run``: this command line is for the files
STOPPING: Final = -32005
OTHER_PROJECT: Final = -32006
NOT_SYNCED: Final = -32007  # the cookie of ``sync`` did not appear in time

ERROR_MESSAGES: Final = {
    PARSE_ERROR: "parse error",
    INVALID_REQUEST: "invalid request",
    METHOD_NOT_FOUND: "method not found",
    INVALID_PARAMS: "invalid params",
    INTERNAL_ERROR: "internal error",
    PROJECT_ERROR: "the project cannot answer",
    TOO_LARGE: "too large",
    TOO_MANY_CLIENTS: "too many clients",
    NOT_ALLOWED: "not allowed",
    ON_THE_FILES: "this command line runs on the files",
    STOPPING: "the daemon is stopping",
    OTHER_PROJECT: "the daemon serves another project",
    NOT_SYNCED: "not synchronized in time",
}
"""Every error code, and the words its message begins with."""


class RpcError(Exception):
    """An error answer: a code of the list above, and a message."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Request(msgspec.Struct, frozen=True):
    """One request, or a notification where there is no ``id``."""

    jsonrpc: str
    method: str
    params: msgspec.Raw = msgspec.Raw(b"{}")
    id: str | int | float | msgspec.UnsetType | None = msgspec.UNSET


class ErrorObject(msgspec.Struct, frozen=True):
    """The ``error`` of a response."""

    code: int
    message: str


class Response(msgspec.Struct, frozen=True, omit_defaults=True):
    """A response or notification as a client reads it."""

    jsonrpc: str = ""
    id: str | int | float | None = None
    result: msgspec.Raw = msgspec.Raw(b"")
    error: ErrorObject | None = None
    method: str = ""
    params: msgspec.Raw = msgspec.Raw(b"")


# --- parameters


class Parameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Parameters of a method, which are given by name."""


class Hello(Parameters, frozen=True):
    """Parameters of ``hello``: protocol, and this user's token on the loopback."""

    protocol: int
    token: str = ""


class OfSubject(Parameters, frozen=True):
    """Parameters of a method about one asset or folder, or its objects.

    Attributes:
        query: the asset or folder, as ``assetdb name`` understands it.
        cwd: for paths from there.
    """

    query: str
    cwd: str = ""


class Resolve(Parameters, frozen=True):
    """``resolve``: queries as ``assetdb name`` understands them; ``cwd`` for paths from there.

    With ``labels``, each answer has its asset's labels.
    """

    queries: list[str]
    cwd: str = ""
    labels: bool = False


class Find(Parameters, frozen=True):
    """``find``.

    Attributes:
        pattern: as ``assetdb find`` has it; so have ``types`` and ``labels``.
        limit: how many are returned at most.
        sizes: whether each answer has the bytes of its file.
        imported: the platform whose textures are estimated, ``""`` for none.
    """

    pattern: str
    types: list[str] = []
    labels: list[str] = []
    limit: int = 10_000
    sizes: bool = False
    imported: str = ""


class Check(Parameters, frozen=True):
    """``check``.

    Attributes:
        paths: files, folders or patterns, relative to the project; none: all of it.
        select: codes instead of the ones in ``assetdb.toml``.
        ignore: unwanted codes.
        limit: how many findings are returned at most.
    """

    paths: list[str] = []
    select: list[str] = []
    ignore: list[str] = []
    limit: int = 10_000


class Subscribe(Parameters, frozen=True):
    """Parameters of ``subscribe``; with ``findings`` also to findings of ``check``."""

    findings: bool = False


class Objects(Parameters, frozen=True):
    """``objects``: of one asset, or of all that have a component.

    Attributes:
        pattern: text in a name, or with ``* ? [abc]``; ``""`` for any.
        inside: the prefab or scene; ``""`` for all, which takes a component.
        component: a class of Unity or a script; ``""`` for any.
        cwd: for paths from there.
    """

    pattern: str = ""
    inside: str = ""
    component: str = ""
    cwd: str = ""


class Ways(OfSubject, frozen=True):
    """``ways``.

    Attributes:
        to: the asset that the chains end at; ``""``: they end at the query, and begin at the roots of a build.
        every: whether to return all chains, not only the shortest.
    """

    to: str = ""
    every: bool = False


class Ls(OfSubject, frozen=True):
    """``ls``.

    Attributes:
        nested: whether nested prefabs are opened.
        depth: number of levels; 0 for all.
        classes: only objects with a component of one of the classes.
        inside: only this object and what is below it: a fileID, or its name as the asset prints it.
        deep: of a folder, also the assets in its folders.
        imported: the platform whose textures are estimated, ``""`` for none.
    """

    nested: bool = True
    depth: int = 0
    classes: list[str] = []
    inside: str = ""
    deep: bool = False
    imported: str = ""


class Get(OfSubject, frozen=True):
    """``get``; with ``overrides`` only overridden values."""

    overrides: bool = False


class Unused(Parameters, frozen=True):
    """``unused``.

    Attributes:
        roots: further paths to keep with all that they refer to.
        incomplete: whether to answer although files could not be read.
        sizes: whether to add the bytes of each file, and of what each root keeps alone.
    """

    roots: list[str] = []
    incomplete: bool = False
    sizes: bool = False


class Deps(OfSubject, frozen=True):
    """``deps``; with ``sizes``, rows have bytes, and the answer their sum."""

    deep: bool = False
    sizes: bool = False


class Usages(Deps, frozen=True):
    """``usages``, or values of a script's ``field``, callers of its ``method``."""

    objects: bool = False
    field: str = ""
    method: str = ""


class Members(OfSubject, frozen=True):
    """``members``, of a script."""


class Trace(Parameters, frozen=True):
    """``trace``.

    Attributes:
        builds: absolute paths of one build.
        queries: assets or built objects, as for ``assetdb trace``.
        lists: of the whole: ``missing``, ``unshipped``, ``implicit``, ``duplicates``, ``mixed``.
        cwd: for paths of assets from there.
        report: absolute path of Unity's report of the build, if it is not near.
    """

    builds: list[str]
    queries: list[str] = []
    lists: list[str] = []
    cwd: str = ""
    report: str = ""


class Groups(Parameters, frozen=True):
    """``groups``.

    Attributes:
        names: groups whose bundles are listed, asset by asset; none: a row for each group.
        duplicates: list assets that several bundles would contain instead.
        entries: list every asset with an entry instead.
        profile: of the paths; by default the active one.
    """

    names: list[str] = []
    duplicates: bool = False
    entries: bool = False
    profile: str = ""


class Locate(Parameters, frozen=True):
    """``locate``: GUIDs, 32 hex digits each."""

    guids: list[str]


class Annotate(Parameters, frozen=True):
    """``annotate``: YAML as text."""

    text: str


class Changed(Parameters, frozen=True):
    """``changed``: files or folders, absolute or from the project's root on."""

    paths: list[str]


class Sync(Parameters, frozen=True):
    """``sync`` and ``bake``.

    Attributes:
        timeout: longest wait in seconds.
        files: whether to write the files as well.
        root: the project that the client means, or ``""``.
    """

    timeout: float = 30.0
    files: bool = False
    root: str = ""


class Stream(msgspec.Struct, frozen=True, array_like=True):
    """How a client writes a stream."""

    encoding: str
    errors: str
    buffering: Literal["block", "line", "none"]
    columns: int = 0
    color: bool = False


class Run(Parameters, frozen=True):
    """``run``: a command line of assetdb.

    Attributes:
        argv: the words after ``assetdb``.
        cwd: working directory of the client, absolute.
        root: the project that the client found.
        streams: of the client's stdout and of its stderr the encoding, the error handler, and how it is buffered:
            ``block``, ``line`` or ``none``; then how many columns its terminal has (0 without one), and whether it
            shows colours.
        stdin: what the command reads, in base64.
    """

    argv: list[str]
    cwd: str
    root: str
    streams: tuple[Stream, Stream]
    stdin: str = ""


# --- results


class Resolved(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """The answer to one query.

    The fields are as in :class:`assetdb.resolve.resolver.Name`, with ``reason`` also ``not-found`` or ``ambiguous``
    for a query without a unique match; then ``candidates`` lists possible ones.
    """

    guid: str | None
    file_id: int | None
    name: str
    path: str
    type: str
    reason: str
    candidates: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()


class Located(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Where an asset is; the fields are as in :class:`assetdb.packages.location.Location`.

    If the GUID is unknown, ``reason`` tells why.
    """

    path: str = ""
    file: str = ""
    class_id: int = 0
    script: str = ""
    folder: bool = False
    package: str = ""
    reason: str = ""
    standing: str = ""
    absent: bool = False


class ChangeEntry(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A change of one asset; see :class:`assetdb.daemon.session.Change`."""

    kind: str
    guid: str
    name: str
    path: str
    type: str
    old_name: str = ""
    old_path: str = ""


class _Identified(msgspec.Struct, frozen=True):
    id: str | int | float | None = None


MOST_IN_BATCH: Final = 1000
_TEXT_AT_ONCE: Final = 1 << 18  # characters
_AT_ONCE: Final = 256  # items of a list encoded per batch: a tenth of a millisecond
ENCODER: Final = msgspec.json.Encoder()
REQUEST: Final = msgspec.json.Decoder(Request)
_IDENTIFIED: Final = msgspec.json.Decoder(_Identified)
# A bounded list: otherwise four million items would be decoded before the length check.
_BATCH: Final = msgspec.json.Decoder(
    msgspec.defstruct(
        "Batch",
        [(f"_{number}", msgspec.Raw, msgspec.Raw(b"")) for number in range(MOST_IN_BATCH)],
        array_like=True,
        forbid_unknown_fields=True,
    )
)


_SMALL: Final = 1 << 16  # bytes of a piece of an answer


class TooLargeError(Exception):
    """An answer is too large."""


def identifier_of(line: bytes) -> object:
    """Return the ``id`` of an invalid request, if any."""
    try:
        return _IDENTIFIED.decode(line).id
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None


def parts_of_batch(line: bytes) -> list[bytes]:
    """Return the requests of a batch, none if there are too many.

    Raises:
        msgspec.DecodeError: it is not JSON.
    """
    try:
        found = _BATCH.decode(line)
    except msgspec.ValidationError:
        return []
    return [bytes(part) for part in msgspec.structs.astuple(found) if bytes(part)]


def response(identifier: object, result: object, most: int) -> list[bytes]:
    """Return the line of an answer in pieces.

    Lists in ``result`` may be iterators, whose items are encoded and released one at a time.

    Raises:
        TooLargeError: it has more than ``most`` bytes.
    """
    if isinstance(result, list) and len(result) <= _AT_ONCE:  # the usual case, and the fastest
        whole = ENCODER.encode({"jsonrpc": "2.0", "id": identifier, "result": result})
        if len(whole) > most:
            raise TooLargeError
        return [whole]
    pieces = [b'{"jsonrpc":"2.0","id":', ENCODER.encode(identifier), b',"result":']
    size = 0
    for piece in _encoded(result):
        size += len(piece)
        if size > most:
            raise TooLargeError
        pieces.append(piece)
        check_cancelled()
    pieces.append(b"}")
    return [b"".join(pieces)] if size <= _SMALL else pieces


def _encoded(value: object) -> Iterator[bytes]:
    """Yield the JSON of a list or object in pieces."""
    if isinstance(value, Iterator) or (isinstance(value, list) and len(value) > _AT_ONCE):
        items = iter(value)
        before = b"["
        for item in items:
            if isinstance(item, msgspec.Raw):  # already JSON, and large
                yield before
                yield bytes(item)
            else:
                yield before + ENCODER.encode([item, *islice(items, _AT_ONCE - 1)])[1:-1]
            before = b","
        yield b"[]" if before == b"[" else b"]"
    elif isinstance(value, str) and len(value) > _TEXT_AT_ONCE:
        yield b'"'
        for start in range(0, len(value), _TEXT_AT_ONCE):
            yield ENCODER.encode(value[start : start + _TEXT_AT_ONCE])[1:-1]
        yield b'"'
    elif isinstance(value, dict) and any(isinstance(item, str | list | Iterator) for item in value.values()):
        before = b"{"
        for name, item in value.items():
            yield before + ENCODER.encode(name) + b":"
            yield from _encoded(item)
            before = b","
        yield b"}"
    else:
        yield ENCODER.encode(value)


def error_response(identifier: object, code: int, message: str = "") -> bytes:
    """Return the line of an error."""
    text = f"{ERROR_MESSAGES[code]}: {message}" if message else ERROR_MESSAGES[code]
    return ENCODER.encode({"jsonrpc": "2.0", "id": identifier, "error": {"code": code, "message": text}})


def notification(method: str, params: object) -> bytes:
    """Return the line of a notification."""
    return ENCODER.encode({"jsonrpc": "2.0", "method": method, "params": params})


def request(identifier: int, method: str, params: object) -> bytes:
    """Return the line of a request."""
    return ENCODER.encode({"jsonrpc": "2.0", "id": identifier, "method": method, "params": params})
