"""``assetdb watch``."""

from __future__ import annotations

import os
import sys

from assetdb.cli.arguments import DatabaseOptions
from assetdb.cli.terminal import fail, say, shown_path, waiting
from assetdb.client import control
from assetdb.daemon.files.log import LOG_NAME
from assetdb.errors import NotRunningError
from assetdb.settings.effective import read_settings, refuse_folder_of
from assetdb.settings.output_folder import OUT_DIR_VARIABLE, make_folder

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Literal

    from assetdb.settings.effective import Settings

_SPAWNED_WITHIN = 600.0  # seconds: a first bake of 300,000 assets


class WatchOptions(DatabaseOptions):
    """The options of ``assetdb watch``."""

    detach: bool = False
    idle_timeout: float | None = None
    json_log: bool = False
    backend: Literal["inotify", "windows", "watchman", "watchdog", "polling"] | None = None


def watch(options: WatchOptions) -> int:
    """Keep a project's database current until told to stop."""
    if options.idle_timeout is not None and options.idle_timeout <= 0:
        return fail("--idle-timeout must be more than 0 seconds")
    # Once, for the daemon has another working directory.
    given = options.out_dir or os.environ.get(OUT_DIR_VARIABLE)
    out_dir = os.path.abspath(given) if given else None
    settings = read_settings(options.project, out_dir)
    root, folder = settings.root, settings.folder
    on_wait = None if options.quiet else waiting
    state = control.inspect(root, folder)
    if options.detach:
        state = control.inspect_settled(root, folder, on_wait)
        if _is_watched(state, root):
            return 0
    if state.status is not None and state.problem:  # of another version, or from where the project was before
        refuse_folder_of(state.status.root, settings)
        try:
            pid = control.stop(root, folder, on_wait)
        except NotRunningError:
            pass
        else:
            if not options.quiet:
                say(f"stopped the daemon of process {pid}: {state.problem}")

    def be_daemon(report: Callable[[str], None]) -> int:
        from assetdb.cli.serving.daemon_process import DaemonOptions, serve  # noqa: PLC0415 - needed by the daemon alone

        shown = not (options.detach or options.quiet)
        return serve(
            root, out_dir, DaemonOptions(options.backend or "", options.idle_timeout, options.json_log, shown), report
        )

    if not options.detach:
        return be_daemon(lambda _: None)
    make_folder(folder, root)
    log_path = os.path.join(folder, LOG_NAME)
    if sys.platform == "win32" or os.environ.get("ASSETDB_WATCH_SPAWN"):
        problem = control.spawn(_words(settings, options), folder, log_path, _SPAWNED_WITHIN)
        status = control.inspect(root, folder).status if not problem else None
        pid = status.pid if status is not None else 0
    else:
        from assetdb.client.detach import detach  # noqa: PLC0415 - a module that Windows cannot import

        problem, pid = detach(be_daemon, log_path)
    if problem:  # another that was started at the same time may have been the first
        return 0 if _is_watched(control.inspect_settled(root, folder, on_wait), root) else fail(problem)
    print(f"watching {shown_path(root)}" + (f" (process {pid})" if pid else ""))
    return 0


def _is_watched(state: control.DaemonState, root: str) -> bool:
    """Whether a daemon runs already; print that it does."""
    if not state.running or state.problem or state.status is None:
        return False
    print(f"already watching {shown_path(root)} (process {state.status.pid})")
    return True


def _words(settings: Settings, options: WatchOptions) -> list[str]:
    """Return the command line of the same daemon in the foreground."""
    from assetdb.client.autostart import own_program  # noqa: PLC0415 - only where processes cannot be forked

    words = [*own_program(), "watch", "--quiet", "--project", settings.root, "--out-dir", settings.folder]
    if options.idle_timeout is not None:
        words += ["--idle-timeout", str(options.idle_timeout)]
    if options.backend:
        words += ["--backend", options.backend]
    return words + ["--json-log"] * options.json_log
