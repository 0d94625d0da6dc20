"""``assetdb watch``."""

from __future__ import annotations

import contextlib
import os
import sys
from functools import partial
from typing import TYPE_CHECKING

from assetdb.cli.arguments import Placed
from assetdb.cli.terminal import fail, printable, shown_path, waiting
from assetdb.client import control
from assetdb.client.autostart import own_program
from assetdb.daemon.endpoint import endpoint_name, listen
from assetdb.daemon.lock import acquire_daemon_lock
from assetdb.daemon.log import LOG_NAME, Log
from assetdb.daemon.session import Session
from assetdb.daemon.start import Start
from assetdb.daemon.status_file import may_be_port
from assetdb.errors import AssetdbError, LockedError, NotRunningError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Annotated, Literal

    from typer import Option

    from assetdb.daemon.lock import DaemonLock
    from assetdb.daemon.start import Reconciler

_SPAWNED_WITHIN = 600.0  # seconds: a first bake of 300,000 assets


class Watching(Placed):
    """The options of ``assetdb watch``."""

    detach: Annotated[bool, Option("--detach", help="Run in the background, and return when it answers.")] = False
    idle_timeout: Annotated[
        float | None,
        Option("--idle-timeout", metavar="SECONDS", help="Stop after so long without a request or a subscriber."),
    ] = None
    json_log: Annotated[bool, Option("--json-log", help="Log as JSON, one object a line.")] = False
    backend: Annotated[
        Literal["inotify", "watchman", "watchdog", "polling"] | None,
        Option("--backend", help="What tells of changes (default: the best here)."),
    ] = None
    poll: Annotated[bool, Option("--poll", help="Look every few seconds instead of asking the system.")] = False


def watch(options: Watching) -> int:
    """Keep a project's database current until told to stop."""
    if options.idle_timeout is not None and options.idle_timeout <= 0:
        return fail("--idle-timeout is more than 0 seconds")
    session = Session(options.project, options.out_dir)
    on_wait = None if options.quiet else waiting
    state = control.inspect(session.root, session.folder)
    if options.detach:
        state = control.inspect_settled(session.root, session.folder, on_wait)
        if state.running and not state.problem and state.status is not None:
            print(f"already watching {shown_path(session.root)} (process {state.status.pid})")
            return 0
    if state.status is not None and state.problem:  # of another version, or from where the project was before
        with contextlib.suppress(NotRunningError):
            pid = control.stop(session.root, session.folder, on_wait)
            if not options.quiet:
                print(f"assetdb: stopped the daemon of process {pid}: {printable(state.problem)}", file=sys.stderr)
    if not options.detach:
        return serve(session, options, lambda _: None, shown=not options.quiet)
    os.makedirs(session.folder, exist_ok=True)
    log_path = os.path.join(session.folder, LOG_NAME)
    if sys.platform == "win32" or os.environ.get("ASSETDB_WATCH_SPAWN"):
        problem = control.spawn(_words(session, options), session.folder, log_path, _SPAWNED_WITHIN)
    else:
        from assetdb.client.detach import detach  # noqa: PLC0415 - a module that Windows cannot import

        problem = detach(lambda tell: serve(session, options, tell, shown=False), log_path)
    if problem:
        return fail(problem)
    status = control.inspect(session.root, session.folder).status
    print(f"watching {shown_path(session.root)}" + (f" (process {status.pid})" if status is not None else ""))
    return 0


def _words(session: Session, options: Watching) -> list[str]:
    """Return the command line of the same daemon in the foreground."""
    words = [*own_program(), "watch", "--project", session.root, "--out-dir", session.folder]
    if options.idle_timeout is not None:
        words += ["--idle-timeout", str(options.idle_timeout)]
    if options.backend:
        words += ["--backend", options.backend]
    return words + ["--json-log"] * options.json_log + ["--poll"] * options.poll


def serve(session: Session, options: Watching, tell: Callable[[str], None], *, shown: bool) -> int:
    """Be the daemon; ``tell`` is given ``""`` when it answers, or what is wrong."""
    try:
        with acquire_daemon_lock(session.folder, session.root) as lock:
            log = Log(os.path.join(session.folder, LOG_NAME), shown=_show if shown else None, as_json=options.json_log)
            if lock.problem:
                log("no-file-locks", why=lock.problem)
            try:
                with Start(
                    session,
                    partial(listen, endpoint_name(session.folder), loopback=may_be_port()),
                    _reconciling("polling" if options.poll else options.backend or ""),
                    log,
                ) as start:
                    start.run()
                    tell("")
                    _answer(start, options, log, lock)
            finally:
                log.close()
    except LockedError as error:
        problem = str(error)
    except (AssetdbError, OSError) as error:
        problem = str(error)
    else:
        return 0
    tell(problem)
    return fail(problem)


def _answer(start: Start, options: Watching, log: Log, lock: DaemonLock) -> None:
    """Answer clients until told to stop."""
    from assetdb.cli import served  # noqa: PLC0415 - clients wait in the socket's queue meanwhile
    from assetdb.daemon.daemon import Daemon  # noqa: PLC0415 - the same

    daemon = Daemon(
        start,
        served.run,
        lock,
        on_output=lambda folder: log.move(os.path.join(folder, LOG_NAME)),
        idle_timeout=options.idle_timeout,
    )
    daemon.serve()


def _reconciling(backend: str) -> Callable[[Session, Callable[[], None], Callable[..., None]], Reconciler]:
    from assetdb.daemon.reconcile import Reconciler as Watching  # noqa: PLC0415 - only the daemon watches

    return lambda session, wake, log: Watching(session, wake, backend=backend, log=log)


def _show(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
