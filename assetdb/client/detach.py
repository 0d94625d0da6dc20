"""Detachment of a daemon by forking twice; on Windows, ``control.spawn``."""

from __future__ import annotations

import os
import sys
import traceback
from contextlib import suppress

from assetdb.daemon.files.log import open_log

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

assert sys.platform != "win32", "a process cannot fork here"  # noqa: S101 - also for the type checker

from assetdb_formats.forking import close_descriptors  # noqa: E402 - only after that assertion

_READY: Final = "ready "  # before the number of the process


def detach(run: Callable[[Callable[[str], None]], int], log_path: str) -> tuple[str, int]:
    """Run a daemon in the background.

    Returns ``""`` and its process once it answers, or why it does not, and 0. ``run`` calls its argument with ``""``
    when it answers, or with an error; ``log_path`` is for its stdout and stderr.
    """
    reading, writing = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    first = os.fork()
    if first == 0:
        _be_detached(run, writing, log_path)
    os.close(writing)
    with open(reading, "rb") as pipe:
        answer = pipe.read().decode("utf-8", "replace")
    os.waitpid(first, 0)
    if answer.startswith(_READY):
        return "", int(answer.removeprefix(_READY))
    return answer or f"the daemon exited before it answered; see {log_path}", 0


def _be_detached(run: Callable[[Callable[[str], None]], int], writing: int, log_path: str) -> None:
    """Fork once more and become the daemon, without a terminal."""
    code = 1
    try:
        close_descriptors({0, 1, 2, writing})  # a pipe that the shell reads to its end, a lock
        os.setsid()
        if os.fork() != 0:
            os._exit(0)
        null = os.open(os.devnull, os.O_RDONLY)
        log = open_log(log_path)
        for descriptor, target in ((null, 0), (log, 1), (log, 2)):
            os.dup2(descriptor, target)
        os.close(null)
        os.close(log)
        os.chdir("/")
        has_reported = False

        def report(problem: str) -> None:
            nonlocal has_reported
            if not has_reported:
                has_reported = True
                os.write(writing, problem.encode("utf-8", "replace") or b"%s%d" % (_READY.encode(), os.getpid()))
                os.close(writing)

        code = run(report)
    except BaseException:  # noqa: BLE001 - this process has no caller: what is wrong goes to the log
        traceback.print_exc()
    finally:
        with suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)  # the exit handlers belong to the command that started it
