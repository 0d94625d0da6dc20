"""The Python API: ``assetdb.Client``, a connection to a project's daemon.

:meth:`Client.connect` finds the daemon of a project, which ``assetdb watch`` starts::

    with assetdb.Client.connect("MyProject") as client:
        client.resolve(["8f57b4a070f7b43bbb3925467e6752ab:400"])[0].name  # Player.prefab / Body / Head (MeshRenderer)
"""

from __future__ import annotations

import contextlib
import os
import socket
import time
from collections import deque
from typing import TYPE_CHECKING, NamedTuple, Self, TypeVar

import msgspec

from assetdb.daemon.endpoint import connect, same_token
from assetdb.daemon.files.status_file import PROTOCOL, read_status
from assetdb.daemon.rpc import protocol
from assetdb.daemon.rpc.lines import LineBuffer
from assetdb.errors import DaemonError, NotRunningError, RequestError
from assetdb.settings.effective import read_settings
from assetdb.version import VERSION
from assetdb.workspace.changes import Change

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from types import TracebackType

    from assetdb.daemon.files.status_file import Status

_RECEIVED_AT_ONCE = 1 << 18
_Event = TypeVar("_Event")


class ResolvedName(NamedTuple):
    """The answer to one query of :meth:`Client.resolve`; see :class:`assetdb.daemon.rpc.protocol.Resolved`."""

    guid: str | None
    file_id: int | None
    name: str
    path: str
    type: str
    reason: str
    candidates: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()


class UpdateEvent(NamedTuple):
    """The changes of one update; ``more`` if others of it follow."""

    changes: tuple[Change, ...]
    diagnostics_added: list[dict[str, object]]
    diagnostics_removed: list[dict[str, object]]
    more: bool


class FindingsEvent(msgspec.Struct, frozen=True):
    """The findings of one update, as from :meth:`Client.check`; ``more`` may follow."""

    added: list[dict[str, object]]
    removed: list[dict[str, object]]
    more: bool


class _Update(msgspec.Struct):
    changes: list[protocol.ChangeEntry]
    diagnostics_added: list[dict[str, object]]
    diagnostics_removed: list[dict[str, object]]
    more: bool


class _Closed(msgspec.Struct):
    reason: str
    message: str = ""


_RESPONSE = msgspec.json.Decoder(protocol.Response)
_RESOLVED = msgspec.json.Decoder(list[protocol.Resolved])
_UPDATE = msgspec.json.Decoder(_Update)
_OBJECT = msgspec.json.Decoder(dict[str, object])


class Client:
    """A connection to the daemon of one project.

    Every method raises :class:`assetdb.RequestError` if the daemon answers with an error, and
    :class:`assetdb.DaemonError` if it does not answer. Not thread-safe: connect in each thread.
    """

    def __init__(self, peer: socket.socket, timeout: float) -> None:
        """Take a connected socket; :meth:`connect` makes one."""
        self._peer = peer
        self._timeout = timeout
        self._lines = LineBuffer()
        self._number = 0
        self._events: deque[UpdateEvent] = deque()
        self._findings: deque[FindingsEvent] = deque()
        self._follows_updates = self._follows_findings = False
        self.root = ""

    @classmethod
    def connect(
        cls,
        project: str | os.PathLike[str] | None = None,
        out_dir: str | os.PathLike[str] | None = None,
        *,
        timeout: float = 30.0,
    ) -> Self:
        """Connect to the daemon of a project.

        Args:
            project: the project's root; by default the working directory or the nearest parent that is one.
            out_dir: where its files are, by default what ``assetdb.toml`` says, else ``Library/assetdb``.
            timeout: seconds to wait for each answer.

        Raises:
            NotRunningError: there is none, or one of another version.
            ProjectError: there is no project.
            ConfigurationError: ``assetdb.toml`` is wrong.
        """
        settings = read_settings(
            os.fspath(project) if project is not None else None, os.path.abspath(out_dir) if out_dir else None
        )
        status = read_status(settings.folder)
        if status is None:
            raise NotRunningError(f"no daemon is running for {settings.root}: run `assetdb watch`")
        return cls.of_status(status, timeout=timeout)

    @classmethod
    def of_status(cls, status: Status, *, timeout: float = 30.0, any_version: bool = False) -> Self:
        """Connect to the daemon of a status file; raises NotRunningError."""
        if not any_version and (status.version != VERSION or status.protocol != PROTOCOL):
            raise NotRunningError(f"the daemon is of version {status.version}, this is {VERSION}: restart it")
        try:
            peer, (own, expected) = connect(status, timeout)
        except OSError as error:
            raise NotRunningError(f"cannot connect to the daemon of {status.root}: {error}") from error
        client = cls(peer, timeout)
        try:
            params = {"protocol": status.protocol} | ({"token": own} if own else {})
            hello = _OBJECT.decode(client.call("hello", params))
            client.root = str(hello.get("root"))
        except BaseException:
            client.close()
            raise
        if expected and not same_token(str(hello.get("token")), expected):
            client.close()
            raise NotRunningError("another program answers where the daemon was")
        return client

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the connection."""
        self._peer.close()

    def interrupt(self) -> None:
        """End a call that waits in another thread with DaemonError."""
        with contextlib.suppress(OSError):  # it is closed already
            self._peer.shutdown(socket.SHUT_RDWR)

    # --- questions

    def resolve(self, queries: Sequence[str], *, labels: bool = False) -> list[ResolvedName]:
        """Name up to 20,000 references, in their order, maybe with labels.

        Each is ``GUID``, ``GUID:fileID`` or whatever ``assetdb name`` understands.
        """
        params = {"queries": list(queries), "cwd": os.getcwd(), "labels": labels}
        found = _RESOLVED.decode(self.call("resolve", params))
        return [ResolvedName(*msgspec.structs.astuple(item)) for item in found]

    def find(
        self,
        pattern: str,
        types: Sequence[str] = (),
        *,
        labels: Sequence[str] = (),
        limit: int = 10_000,
        sizes: bool = False,
    ) -> list[dict[str, object]]:
        """List assets and sub-assets, as ``assetdb find --json``."""
        params = {"pattern": pattern, "types": list(types), "labels": list(labels), "limit": limit, "sizes": sizes}
        result = self.call("find", params)
        return msgspec.convert(_OBJECT.decode(result)["found"], list[dict[str, object]])

    def check(
        self,
        paths: Sequence[str | os.PathLike[str]] = (),
        *,
        select: Sequence[str] = (),
        ignore: Sequence[str] = (),
        limit: int = 10_000,
        timeout: float = 120.0,
    ) -> list[dict[str, object]]:
        """List findings, as ``assetdb check --format json``.

        ``paths`` are relative to the project. A first check may take as long as ``timeout`` seconds.
        """
        words = [os.fspath(path) for path in paths]
        params = {"paths": words, "select": list(select), "ignore": list(ignore), "limit": limit}
        found = _OBJECT.decode(self.call("check", params, timeout=timeout))["findings"]
        return msgspec.convert(found, list[dict[str, object]])

    def deps(self, query: str, *, deep: bool = False, sizes: bool = False) -> dict[str, object]:
        """List dependencies, as ``assetdb deps --json``."""
        return _OBJECT.decode(self.call("deps", {"query": query, "deep": deep, "cwd": os.getcwd(), "sizes": sizes}))

    def usages(
        self, query: str, *, deep: bool = False, objects: bool = False, field: str = "", sizes: bool = False
    ) -> dict[str, object]:
        """List references to an asset, as ``assetdb usages --json``."""
        params = {"query": query, "deep": deep, "objects": objects, "field": field, "cwd": os.getcwd(), "sizes": sizes}
        return _OBJECT.decode(self.call("usages", params))

    def trace(
        self,
        queries: Sequence[str],
        builds: Sequence[str | os.PathLike[str]],
        *,
        lists: Sequence[str] = (),
        report: str | os.PathLike[str] = "",
    ) -> dict[str, object]:
        """Follow assets to builds and back.

        Returns the ``rows`` of ``assetdb trace --json``, and ``problems``. The first question about a build reads it.

        Args:
            queries: assets, or built objects.
            builds: the paths of the build.
            lists: of the whole: ``missing``, ``unshipped``, ``implicit``, ``duplicates``, ``mixed``.
            report: Unity's report of the build, if it is neither beside it nor in the project's Library.
        """
        paths = [os.path.abspath(path) for path in builds]
        given = os.path.abspath(report) if report else ""
        params = {
            "builds": paths,
            "queries": list(queries),
            "lists": list(lists),
            "cwd": os.getcwd(),
            "report": given,
        }
        return _OBJECT.decode(self.call("trace", params))

    def groups(
        self, names: Sequence[str] = (), *, duplicates: bool = False, entries: bool = False, profile: str = ""
    ) -> dict[str, object]:
        """Return ``rows`` of ``assetdb groups --json``, and ``problems``."""
        params = {"names": list(names), "duplicates": duplicates, "entries": entries, "profile": profile}
        return _OBJECT.decode(self.call("groups", params))

    def annotate(self, text: str) -> str:
        """Return YAML with names as comments."""
        return str(_OBJECT.decode(self.call("annotate", {"text": text}))["text"])

    def status(self) -> dict[str, object]:
        """Return the daemon's status: version, process, project, clients, watches."""
        return _OBJECT.decode(self.call("status", {}))

    # --- announcements

    def changed(self, paths: Sequence[str | os.PathLike[str]]) -> None:
        """Announce files just written; paths may be relative to the project."""
        self.call("changed", {"paths": [os.fspath(path) for path in paths]})

    def sync(self, *, timeout: float | None = None, files: bool = False) -> None:
        """Wait until earlier writes are in all answers, with ``files`` in files."""
        self._wait("sync", self._timeout if timeout is None else timeout, files=files)

    def bake(self, *, timeout: float | None = None) -> dict[str, object]:
        """Bring the files up to date; return the result of a bake."""
        return _OBJECT.decode(self._wait("bake", self._timeout if timeout is None else timeout, files=True))

    def shutdown(self) -> None:
        """Stop the daemon; it writes its files on the way out."""
        self.call("shutdown", {})

    # --- notifications

    def subscribe(self, *, timeout: float | None = None) -> Iterator[UpdateEvent]:
        """Yield the changes of each update from this call on.

        Ends when ``timeout`` seconds pass without one. Raises DaemonError if the daemon ends, or drops a slow
        subscriber.
        """
        self._follows_updates = True
        self._subscribe()
        return self._notified(self._events, timeout)

    def subscribe_to_findings(self, *, timeout: float | None = None) -> Iterator[FindingsEvent]:
        """Yield findings that come and go, as :meth:`subscribe` does."""
        self._follows_findings = True
        self._subscribe()
        return self._notified(self._findings, timeout)

    def _subscribe(self) -> None:
        """Subscribe to everything that is followed; the last call counts."""
        self.call("subscribe", {"findings": self._follows_findings})

    def _notified(self, events: deque[_Event], timeout: float | None) -> Iterator[_Event]:
        while True:
            while events:
                yield events.popleft()
            try:
                answer = self._read(timeout)
            except TimeoutError:
                return
            except OSError as error:  # reset, where the daemon had not read all of a request
                raise DaemonError(f"the connection to the daemon was lost: {error}") from error
            self._keep_notification(answer)

    # --- messages

    def call(self, method: str, params: Mapping[str, object], *, timeout: float | None = None) -> msgspec.Raw:
        """Ask a method; return its result as JSON.

        Raises RequestError for an error, and DaemonError without an answer.
        """
        self._number += 1
        number = self._number
        self._peer.settimeout(self._timeout)
        try:
            self._peer.sendall(protocol.request(number, method, params) + b"\n")
            while True:
                answer = self._read(self._timeout if timeout is None else timeout)
                if answer.error is not None and answer.id in (number, None):
                    raise RequestError(answer.error.code, answer.error.message)
                if not answer.method and answer.id == number:
                    return answer.result
                self._keep_notification(answer)
        except TimeoutError as error:
            raise DaemonError(f"timed out waiting for the daemon to answer {method}") from error
        except OSError as error:
            raise DaemonError(f"the connection to the daemon was lost: {error}") from error

    def _wait(self, method: str, timeout: float, *, files: bool) -> msgspec.Raw:
        return self.call(method, {"timeout": timeout, "files": files}, timeout=timeout + self._timeout)

    def _keep_notification(self, answer: protocol.Response) -> None:
        """Keep a notification; updates come with findings even if nobody follows them."""
        if answer.method == "update":
            if not self._follows_updates:
                return
            update = _UPDATE.decode(answer.params)
            changes = tuple(Change(*msgspec.structs.astuple(change)) for change in update.changes)
            self._events.append(UpdateEvent(changes, update.diagnostics_added, update.diagnostics_removed, update.more))
        elif answer.method == "findings":
            self._findings.append(msgspec.json.decode(answer.params, type=FindingsEvent))
        elif answer.method == "closed":
            closed = msgspec.json.decode(answer.params, type=_Closed)
            raise DaemonError(f"the daemon closed the connection: {closed.reason}: {closed.message}")

    def _read(self, timeout: float | None) -> protocol.Response:
        until = None if timeout is None else time.monotonic() + timeout
        while True:
            line = self._lines.take()
            if line is not None:
                try:
                    return _RESPONSE.decode(line)
                except msgspec.DecodeError as error:
                    raise DaemonError(f"the daemon's response is not JSON-RPC: {error}") from error
            left = None if until is None else until - time.monotonic()
            if left is not None and left <= 0:
                raise TimeoutError
            self._peer.settimeout(left)
            data = self._peer.recv(_RECEIVED_AT_ONCE)
            if not data:
                raise DaemonError("the daemon closed the connection")
            self._lines.feed(data)
