"""Control methods of the daemon, such as ``sync`` and ``shutdown``."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Final, Protocol

from assetdb.daemon.endpoint import same_token
from assetdb.daemon.files.status_file import PROTOCOL
from assetdb.daemon.rpc import protocol, remote_command
from assetdb.daemon.rpc.protocol import RpcError
from assetdb.daemon.rpc.registry import Registry
from assetdb.store.schema import FILE_NAME
from assetdb.system.cancelling import check_cancelled
from assetdb.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb.daemon.rpc.call import Call
    from assetdb.daemon.rpc.remote_command import Runner
    from assetdb.daemon.session import Session

_MOST_PATHS: Final = 100_000
_STEP: Final = 0.05  # seconds between two checks whether a client still waits

control_methods: Final = Registry()
"""Methods of the daemon itself, called with parameters, the daemon and the call to answer."""
method: Final = control_methods.method


class Host(Protocol):
    """The daemon's interface for its control methods."""

    @property
    def session(self) -> Session:
        """The project."""

    @property
    def runner(self) -> Runner:
        """The runner of command lines."""

    @property
    def log(self) -> Callable[..., None]:
        """The log of events."""

    @property
    def tokens(self) -> tuple[str, str]:
        """The tokens of client and daemon, if they use tokens."""

    @property
    def files_read(self) -> int:
        """How many files updates have read since the start."""

    @property
    def may_be_behind(self) -> bool:
        """Whether something may have changed that only a sync reveals."""

    @property
    def is_late(self) -> bool:
        """Whether a change may be known only after a question about it."""

    @property
    def has_reported(self) -> bool:
        """Whether a change was surely reported that is not known yet."""

    def status(self) -> dict[str, object]:
        """Return the daemon's status."""

    def changed(self, paths: list[str]) -> None:
        """Record written paths."""

    def follow(self, done: Callable[[], None]) -> None:
        """Call ``done`` once all reported changes are known."""

    def synchronize(self, call: Call, params: protocol.Sync, done: Callable[[], None]) -> None:
        """Call ``done`` once all earlier writes are known, or in the files."""

    def report_working(self, call: Call) -> None:
        """Tell the client regularly that its request is being processed."""

    def check_root(self, root: str) -> None:
        """Raise an :class:`RpcError` if a client means another project."""

    def follow_findings(self) -> None:
        """Keep findings current in the background."""

    def shut_down(self) -> None:
        """Stop soon; clients no longer find this daemon."""


@method("hello", params=protocol.Hello, in_loop=True)
def hello(params: protocol.Hello, host: Host, call: Call) -> None:
    """Agree on the protocol, and exchange tokens on the loopback."""
    known, own_token = host.tokens
    if known and not same_token(params.token, known):
        call.fail(protocol.NOT_ALLOWED, "another token")
        host.log("client refused", reason="another token")
        call.connection.finish()
        return
    if params.protocol != PROTOCOL:
        call.fail(protocol.INVALID_PARAMS, f"this daemon uses protocol {PROTOCOL}")
        return
    call.connection.allowed = True
    call.answer({"protocol": PROTOCOL, "version": VERSION, "root": host.session.root, "token": own_token})


@method("status", in_loop=True)
def status(params: protocol.Parameters, host: Host, call: Call) -> None:  # noqa: ARG001 - it has none
    """Show version, process, project, clients and watching of the daemon."""
    call.answer(host.status())


@method("changed", params=protocol.Changed, in_loop=True)
def changed(params: protocol.Changed, host: Host, call: Call) -> None:
    """Tell the daemon of written paths, absolute or in the project."""
    if len(params.paths) > _MOST_PATHS:
        raise RpcError(protocol.INVALID_PARAMS, f"at most {_MOST_PATHS:,} paths at once")
    host.changed(params.paths)
    call.answer({"accepted": len(params.paths)})


@method("sync", params=protocol.Sync, in_loop=True)
def sync(params: protocol.Sync, host: Host, call: Call) -> None:
    """Wait until answers, with ``files`` files too, have all earlier writes."""
    host.synchronize(call, params, lambda: call.answer({"assets": host.session.asset_count}))


@method("bake", params=protocol.Sync, in_loop=True)
def bake(params: protocol.Sync, host: Host, call: Call) -> None:
    """Bring the files up to date; return the result of a bake."""
    database = os.path.join(host.session.folder, FILE_NAME)
    before = _file_state(database)
    read_before = host.files_read

    def done() -> None:
        written = _file_state(database) != before
        read = host.files_read - read_before
        call.answer(
            {
                "project": host.session.root,
                "database": database,
                "assets": host.session.asset_count,
                "files_read": read,
                "written": written,
                "unchanged": not written and not read,
                "diagnostics": [found.fields() for found in host.session.diagnostics],
            }
        )

    host.synchronize(call, protocol.Sync(params.timeout, files=True), done)


@method("subscribe", params=protocol.Subscribe, in_loop=True)
def subscribe(params: protocol.Subscribe, host: Host, call: Call) -> None:
    """Notify the client of changes, with `findings` also of findings."""
    call.connection.subscribed = True
    call.connection.wants_findings = params.findings
    if params.findings:
        host.follow_findings()
    call.answer({"subscribed": True})


@method("unsubscribe", in_loop=True)
def unsubscribe(params: protocol.Parameters, host: Host, call: Call) -> None:  # noqa: ARG001 - it has none
    """End the notifications."""
    call.connection.subscribed = call.connection.wants_findings = False
    call.answer({"subscribed": False})


@method("run", params=protocol.Run)
def run(params: protocol.Run, host: Host, call: Call) -> None:
    """Run a command line; return its exit code and output."""
    host.check_root(params.root)
    if host.may_be_behind:
        raise RpcError(protocol.ON_THE_FILES, "changes here are not reported at once")
    host.report_working(call)
    if host.is_late and not _synchronized(host, call):
        return
    call.answer(remote_command.run(params, host.session.opened, host.runner))


@method("shutdown", in_loop=True)
def shutdown(params: protocol.Parameters, host: Host, call: Call) -> None:  # noqa: ARG001 - it has none
    """Stop the daemon, which writes its files on the way out."""
    host.shut_down()
    call.answer({"stopping": True})


def _synchronized(host: Host, call: Call) -> bool:
    """Wait until all earlier writes are known.

    Returns False if the call has an error instead.
    """
    is_known = threading.Event()
    call.connection.server.call(lambda: host.synchronize(call, protocol.Sync(), is_known.set))
    while not is_known.wait(_STEP):
        check_cancelled()
        if call.answered:
            return False
    return True


def _file_state(path: str) -> tuple[int, int, int, int]:
    """Return a value for a file and its content, zeros if absent."""
    try:
        found = os.stat(path)
    except OSError:
        return 0, 0, 0, 0
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
