"""The Watchman observer, for machines that have it installed.

Uses its command line (``watchman -j -p``), which finds or starts the server and works on every system; one JSON object
a line. ``is_fresh_instance`` means that events may have been missed.
"""

from __future__ import annotations

import json
import os
import subprocess
import threading
import time
from typing import TYPE_CHECKING, Final

from assetdb.daemon.observers import events
from assetdb.daemon.observers.api import Observation, ObserverError
from assetdb.daemon.observers.paths import CONFIGURATION, ROOTS, named, watched
from assetdb.settings.programs import find_program
from assetdb.workspace.workspace import OUTPUT_FILES

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb.daemon.observers.paths import WatchedPaths

_ANSWER_WITHIN: Final = 30.0  # seconds; Watchman crawls the whole folder before its first answer
_END_WITHIN: Final = 5.0
_NOT_TEXT: Final = ("\ufffd", "?")  # how Watchman reports names that are not UTF-8


def find_watchman() -> str:
    """Return the path of the program, ``""`` if it is not installed."""
    return find_program("watchman")


class WatchmanObserver:
    """Watches through a running Watchman."""

    name = "watchman"
    needs_polling = False
    knows_if_late = False
    is_late = True  # it settles, and tells after that

    def __init__(self, paths: WatchedPaths, wake: Callable[[], None], program: str) -> None:
        self._paths = paths
        self._wake = wake
        self._program = program
        self._lock = threading.Lock()
        self._files: list[dict[str, object]] = []
        self._rescan_reason = ""
        self._begun = False
        self._failure = ""
        self._last = 0.0
        self._process: subprocess.Popen[bytes] | None = None
        self._thread: threading.Thread | None = None
        self._subscribed = threading.Event()
        self._version = ""
        self._output = b""  # relative to the project, with slashes, as Watchman names files on every system

    def start(self) -> None:
        """Ask Watchman to watch the project, and subscribe.

        Raises:
            ObserverError: it does not answer, or refuses.
        """
        root = os.fsdecode(self._paths.root)
        output = os.fsdecode(named(root, os.fsdecode(self._paths.folder)))
        parts = output.split("/")
        if parts[0] in ("", os.pardir):
            raise ObserverError("watchman: the output lies outside the project")
        output = "" if output == os.curdir else output  # the project itself: its files have no folder
        self._output = os.fsencode(output)
        found = self._ask([self._program, "--no-pretty", "watch-project", root])
        watch, relative = found.get("watch"), found.get("relative_path", "")
        if not isinstance(watch, str) or not isinstance(relative, str):
            raise ObserverError(f"watchman: {found.get('error', 'no answer to watch-project')}")
        self._version = str(found.get("version", ""))
        top = [os.fsdecode(name) for name in (*ROOTS, CONFIGURATION)]
        wholes = [*top, *("/".join(parts[: count + 1]) for count in range(len(parts)))]
        query: dict[str, object] = {
            "expression": [
                "anyof",
                ["name", wholes, "wholename"],
                *(["dirname", os.fsdecode(name)] for name in ROOTS),
                ["dirname", output, ["depth", "eq", 0]],
            ],
            "fields": ["name", "type", "exists"],
            "empty_on_fresh_instance": True,
            "defer_vcs": False,
        }
        if relative:
            query["relative_root"] = relative
        command = [self._program, "--no-pretty", "--json-command", "--persistent"]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        message = json.dumps(["subscribe", watch, f"assetdb-{os.getpid()}-{id(self)}", query])
        pipe = self._process.stdin
        if pipe is not None:
            try:
                with pipe:
                    pipe.write(message.encode() + b"\n")
            except OSError as error:
                self.stop()
                raise ObserverError(f"watchman: {error}") from error
        self._thread = threading.Thread(target=self._read, args=(self._process,), name="watchman", daemon=True)
        self._thread.start()
        if not self._subscribed.wait(_ANSWER_WITHIN) or self._failure:
            why = self._failure or f"no answer in {_ANSWER_WITHIN:g} s"
            self.stop()
            raise ObserverError(f"watchman: {why}")

    def listen(self) -> None:
        """Do nothing: the thread runs since :meth:`start`."""

    def collect(self) -> Observation:
        """Sort events by their directories."""
        with self._lock:
            files, self._files = self._files, []
            rescan_reason, self._rescan_reason = self._rescan_reason, ""
            last, failure = self._last, self._failure
        if failure:
            raise ObserverError(f"watchman: {failure}")
        dirty: set[bytes] = set()
        cookies: set[str] = set()
        output_touched = False
        for file in files:
            name = file.get("name")
            if not isinstance(name, str) or any(mark in name for mark in _NOT_TEXT):
                rescan_reason = rescan_reason or "a name that watchman cannot represent"
                continue
            path = os.fsencode(name)
            place, _, file_name = path.rpartition(b"/")
            if place == self._output:
                if file_name.startswith(events.COOKIE) and file.get("exists") is not False:
                    cookies.add(os.fsdecode(file_name))
                output_touched = output_touched or file_name in OUTPUT_FILES
            elif path == self._output:
                output_touched = True
            elif path == CONFIGURATION:
                rescan_reason = rescan_reason or "assetdb.toml changed"
            inside = watched(path)
            if inside is not None:
                dirty.update((inside, inside.rpartition(b"/")[0] or inside))
        return Observation(dirty, cookies, output_touched, rescan_reason, last, len(files))

    def has_backlog(self) -> bool:
        """Return that there is nothing to do."""
        return False

    def status(self) -> dict[str, object]:
        """Return Watchman's version."""
        return {"watchman": self._version}

    def stop(self) -> None:
        """End our client; Watchman itself keeps running."""
        process, self._process = self._process, None
        if process is not None:
            process.terminate()
            try:
                process.wait(_END_WITHIN)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        if process is not None and process.stdout is not None:
            process.stdout.close()

    def _ask(self, command: list[str]) -> dict[str, object]:
        try:
            answer = subprocess.run(
                command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_ANSWER_WITHIN, check=False
            )
            found = json.loads(answer.stdout)
        except (OSError, ValueError, RecursionError, subprocess.TimeoutExpired) as error:
            raise ObserverError(f"watchman: {error}") from error
        if not isinstance(found, dict):
            raise ObserverError("watchman: its answer is not an object")
        return found

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        for line in process.stdout or ():
            try:
                message = json.loads(line)
            except (ValueError, RecursionError):
                message = {"error": "its message is not JSON"}
            if not isinstance(message, dict):
                continue
            with self._lock:
                self._take(message)
            self._wake()
        with self._lock:
            self._failure = self._failure or "it ended"
        self._subscribed.set()
        self._wake()

    def _take(self, message: dict[str, object]) -> None:
        if "error" in message:
            self._failure = str(message["error"])
        if message.get("canceled"):
            self._failure = "the subscription was cancelled"
        files = message.get("files", [])
        if isinstance(files, list):
            self._files += [file for file in files if isinstance(file, dict)]
            self._last = time.monotonic()
        if message.get("is_fresh_instance"):
            self._rescan_reason = "watchman began again" if self._begun else ""
            self._begun = True  # the first time it only reports a new subscription
        if "subscribe" in message:
            self._subscribed.set()
