"""The engine of answers: the daemon, or a snapshot in this process.

Not for several threads at once: each has its own.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

import msgspec

from assetdb.client.api import Client
from assetdb.daemon.rpc import protocol
from assetdb.daemon.rpc.call import Allowance
from assetdb.daemon.rpc.methods import query_methods
from assetdb.daemon.rpc.protocol import RpcError
from assetdb.errors import DaemonError, NotRunningError, RequestError
from assetdb.packages.location import Location
from assetdb.query.snapshots.snapshot import Snapshot, open_project
from assetdb.resolve.resolver import PACKAGE_NOT_PRESENT
from assetdb.resolve.sizes import UNREADABLE
from assetdb.store.database import leave_files_free
from assetdb.system.cancelling import check_cancelled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

_ASK_AGAIN: Final = 2.0  # seconds between searches for a missing daemon
_SILENT_FOR: Final = 60.0  # and for one that did not answer
_LARGEST_ANSWER: Final = 256 << 20
_ANSWERS_WITHIN: Final = 120.0
_SHORT: Final = frozenset(("locate", "resolve"))  # after names, which a user waits for; see _NAMES_WITHIN
_NAMES_WITHIN: Final = 10.0
_SYNCED_WITHIN: Final = 10.0
_LOCATED_AT_ONCE: Final = 10_000
_RESPONSE: Final = msgspec.json.Decoder(protocol.Response)
_LOCATED: Final = msgspec.json.Decoder(list[protocol.Located])


class Engine:
    """Answers questions about one project.

    Attributes:
        root: of the project, absolute.
        out_dir: where its files are, absolute, None for what its settings say.
        missing: whether packages of the project are known to be absent.
        hides_guids: whether files that could not be read may have unknown GUIDs.
    """

    def __init__(
        self,
        root: str,
        on_bake: Callable[[], None] = lambda: None,
        *,
        out_dir: str | None = None,
        names_within: float = _NAMES_WITHIN,
        fresh_for: float | None = None,
    ) -> None:
        """Take the project.

        Args:
            root: absolute.
            out_dir: where its files are, absolute; by default what its settings say.
            on_bake: called before its database is made, which may take a while.
            names_within: seconds to wait for a daemon's names; a hanging one must not delay typing.
            fresh_for: seconds for which one scan is valid, without a daemon; by default one.
        """
        self.root = root
        self.out_dir = out_dir
        self.missing = False
        self.hides_guids = False
        self._on_bake = on_bake
        self._names_within = names_within
        self._fresh_for = fresh_for
        self._client: Client | None = None
        self._snapshot: Snapshot | None = None
        self._look_from = float("-inf")

    @property
    def has_daemon(self) -> bool:
        """Whether the last answer came from a daemon."""
        return self._client is not None

    def ask(self, method: str, params: Mapping[str, object]) -> msgspec.Raw:
        """Return a daemon method's answer as JSON; raises AssetdbError or OSError."""
        client = self._connected()
        if client is not None:
            within = self._names_within if method in _SHORT else _ANSWERS_WITHIN
            started = time.monotonic()
            try:
                return client.call(method, params, timeout=within)
            except DaemonError as error:  # stopped, stopping or hanging: use the files
                if isinstance(error, RequestError) and error.code != protocol.STOPPING:
                    raise
                self._drop_client(_SILENT_FOR if time.monotonic() - started >= within else _ASK_AGAIN)
                check_cancelled()  # or the request was cancelled
        return self._answer(method, params)

    def locate(self, guids: Iterable[str]) -> list[Location | None]:
        """Return where the assets of GUIDs are, in their order."""
        found: list[Location | None] = []
        wanted = list(guids)
        parts = [wanted[start : start + _LOCATED_AT_ONCE] for start in range(0, len(wanted), _LOCATED_AT_ONCE)]
        for row in (row for part in parts for row in _LOCATED.decode(self.ask("locate", {"guids": part}))):
            if row.reason:
                self.missing = self.missing or row.reason == PACKAGE_NOT_PRESENT
                self.hides_guids = self.hides_guids or row.reason == UNREADABLE
                found.append(None)
            else:
                place = row.path, row.file, row.class_id, row.script, row.folder, row.package
                found.append(Location(*place, standing=row.standing, absent=row.absent))
        return found

    def expire(self) -> None:
        """Discard all earlier answers: files were written."""
        self.missing = self.hides_guids = False
        if self._snapshot is not None:
            self._snapshot.close()
            self._snapshot = None

    def expire_old(self) -> None:
        """Discard answers that are older than a moment."""
        if self._snapshot is not None:
            self.missing = self.hides_guids = False
            self._snapshot.expire(self._fresh_for)

    def changed(self, paths: Iterable[str]) -> None:
        """Tell the daemon, if there is one, which files were just written."""
        client = self._connected()
        if client is not None:
            try:
                client.changed(list(paths))
                client.sync(timeout=_SYNCED_WITHIN)
            except DaemonError:  # stopped, or it refuses a path outside the project
                self._drop_client()

    def snapshot(self) -> Snapshot:
        """Return the project opened in this process; raises AssetdbError."""
        if self._snapshot is None:
            leave_files_free()  # a server keeps it for hours
            self._snapshot = open_project(self.root, self.out_dir, on_bake=lambda path, reason: self._on_bake())  # noqa: ARG005
        return self._snapshot

    def interrupt(self) -> None:
        """End the wait for a daemon's answer, from any thread."""
        client = self._client
        if client is not None:
            client.interrupt()

    def close(self) -> None:
        """Release everything."""
        self._drop_client()
        self.expire()

    # --- the two sources of answers

    def _connected(self) -> Client | None:
        started = time.monotonic()
        if self._client is None and started >= self._look_from:
            try:
                self._client = Client.connect(self.root, self.out_dir, timeout=self._names_within)
            except (NotRunningError, DaemonError):
                now = time.monotonic()
                self._look_from = now + (_SILENT_FOR if now - started >= self._names_within else _ASK_AGAIN)
                return None
            if self._snapshot is not None:
                self.expire()
        return self._client

    def _drop_client(self, again: float = _ASK_AGAIN) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None
            self._look_from = time.monotonic() + again

    def _answer(self, name: str, params: Mapping[str, object]) -> msgspec.Raw:
        method = query_methods.methods[name]
        allowance = Allowance(_LARGEST_ANSWER)
        if name != "locate":
            self.expire_old()
        try:
            read = msgspec.convert(dict(params), method.params)
            result = method.run(read, self.snapshot(), allowance)
            pieces = protocol.response(0, result, _LARGEST_ANSWER)
        except RpcError as error:
            raise RequestError(error.code, error.message) from error
        except protocol.TooLargeError as error:
            raise RequestError(protocol.TOO_LARGE, f"an answer has at most {_LARGEST_ANSWER:,} bytes") from error
        return _RESPONSE.decode(b"".join(pieces)).result
