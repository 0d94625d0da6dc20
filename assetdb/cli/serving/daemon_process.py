"""The daemon's process, in the foreground or in the background."""

from __future__ import annotations

import os
import sys

from assetdb.cli.terminal import fail
from assetdb.daemon.endpoint import listen
from assetdb.daemon.files.lock import acquire_daemon_lock
from assetdb.daemon.files.log import LOG_NAME, Log
from assetdb.daemon.files.status_file import digest_of, may_be_port
from assetdb.daemon.session import Session
from assetdb.daemon.start import Start
from assetdb.errors import AssetdbError
from assetdb.system.failures import message_with_advice
from assetdb_formats.records import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb.daemon.files.lock import DaemonLock
    from assetdb.daemon.start import ReconcilerFactory


class DaemonOptions(NamedTuple):
    """How a daemon is to be; ``backend`` ``""`` is the best."""

    backend: str
    idle_timeout: float | None
    json_log: bool
    shown: bool


def serve(root: str, out_dir: str | None, manner: DaemonOptions, report: Callable[[str], None]) -> int:
    """Run a project's daemon; ``tell`` is given ``""`` or the error."""
    try:
        session = Session(root, out_dir)
        with acquire_daemon_lock(session.folder, session.root) as lock:
            log = Log(
                os.path.join(session.folder, LOG_NAME),
                shown=(lambda line: print(line, file=sys.stderr, flush=True)) if manner.shown else None,
                as_json=manner.json_log,
            )
            if lock.problem:
                log("no-file-locks", why=lock.problem)
            name = digest_of(session.folder)
            try:
                with Start(
                    session, lambda: listen(name, loopback=may_be_port()), _reconciling(manner.backend), log
                ) as start:
                    start.run()
                    report("")
                    _answer(start, log, lock, manner.idle_timeout)
            finally:
                log.close()
    except AssetdbError as error:
        problem = str(error)
    except OSError as error:
        problem = f"the daemon cannot start: {message_with_advice(error)}"
    else:
        return 0
    report(problem)
    return fail(problem)


def _answer(start: Start, log: Log, lock: DaemonLock, idle_timeout: float | None) -> None:
    """Answer clients until told to stop."""
    from assetdb.cli import served  # noqa: PLC0415 - clients wait in the socket's queue meanwhile
    from assetdb.daemon.daemon import Daemon  # noqa: PLC0415 - the same

    daemon = Daemon(
        start,
        served.run,
        lock,
        on_output=lambda folder: log.move(os.path.join(folder, LOG_NAME)),
        idle_timeout=idle_timeout,
    )
    daemon.serve()


def _reconciling(backend: str) -> ReconcilerFactory:
    from assetdb.daemon.reconciling.reconciler import Reconciler  # noqa: PLC0415 - only the daemon watches

    return lambda session, wake, log: Reconciler(session, wake, backend=backend, log=log)
