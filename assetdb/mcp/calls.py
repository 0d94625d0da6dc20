"""The thread that calls tools and reads resources, one after the other."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, Any, Final

from assetdb.client.engine import Engine
from assetdb.daemon.rpc.protocol import ERROR_MESSAGES
from assetdb.diagnostics.codes import CODES
from assetdb.errors import AssetdbError, RequestError
from assetdb.mcp.answers import TOOLS
from assetdb.mcp.arguments import ArgumentError, checked
from assetdb.mcp.declarations import CURSOR, DEFAULT_TOKENS, DIAGNOSTICS, INFO, MAX_TOKENS, PLAIN_TEXT
from assetdb.mcp.paging import BadCursorError, page, page_of, shortened
from assetdb.mcp.rendering import rule_lines
from assetdb.settings.project import find_project
from assetdb.system.escaping import printable_lines
from assetdb.system.jobs import Job, Worker
from assetdb_formats.binary import FormatError
from assetdb_formats.files import words_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb.mcp.changes import Changes
    from assetdb.mcp.declarations import Tool
    from assetdb.mcp.protocol import Message

_MOST_WAITING: Final = 64
_ENDS_WITHIN: Final = 10.0  # seconds that a client's last calls have after it has closed


class NoResourceError(Exception):
    """An address that names no resource."""


class Calls:
    """The thread that answers calls, in their order."""

    def __init__(
        self,
        place: tuple[str | None, str | None],
        answer: Callable[[Message, dict[str, Any]], None],
        fail: Callable[[Message, BaseException], None],
    ) -> None:
        """Take a project and the functions that send answers and errors.

        Args:
            place: folder of the project, None for the one that the working directory is in, and of its files, absolute,
                None for what its settings say.
            answer: is given a request and its result, in this thread.
            fail: is given a request and what went wrong.
        """
        self._project, self._out_dir = place
        self._answer = answer
        self._fail = fail
        self._engine: Engine | None = None
        self._made: Changes | None = None
        self._pending: dict[int | str, Job] = {}
        self._running: Job | None = None
        self._lock = threading.Lock()
        self._worker = Worker("calls", _raise)

    def call_tool(self, message: Message, tool: Tool, arguments: object) -> bool:
        """Have a tool called; return False where too many calls wait already."""
        return self._submit(message, lambda: self._call(tool, arguments))

    def read(self, message: Message, uri: str) -> bool:
        """Have a resource read; return False where too many calls wait already."""
        return self._submit(message, lambda: self._read(uri))

    def has(self, number: int | str) -> bool:
        """Whether a request with an id has no answer yet."""
        return number in self._pending

    def cancel(self, number: int | str) -> None:
        """Take a request back: it is not answered."""
        with self._lock:
            job = self._pending.pop(number, None)
            if job is not None:
                job.cancel()
                if job is self._running and self._engine is not None:
                    self._engine.interrupt()

    def close(self) -> None:
        """Answer waiting requests if that is quick, and end."""
        self._worker.close()
        self._worker.join(_ENDS_WITHIN)

    def _submit(self, message: Message, run: Callable[[], dict[str, Any]]) -> bool:
        number = message.number
        if number is None or len(self._pending) >= _MOST_WAITING:
            return False
        job = Job(lambda: self._work(job, number, message, run))
        with self._lock:
            self._pending[number] = job
        self._worker.submit(job)
        return True

    # --- in the thread

    def _work(self, job: Job, number: int | str, message: Message, run: Callable[[], dict[str, Any]]) -> None:
        with self._lock:
            self._running = job
        try:
            result = run()
        except BaseException as error:  # noqa: BLE001 - a call that goes wrong must not end the server; it is reported
            if self._finish(job, number):
                self._fail(message, error)
        else:
            if self._finish(job, number):
                self._answer(message, result)
        finally:
            with self._lock:
                self._running = None

    def _finish(self, job: Job, number: int | str) -> bool:
        """Remove a request; return whether it still wants an answer."""
        with self._lock:
            if job.cancelled:
                return False
            del self._pending[number]
            return True

    def _opened(self) -> Engine:
        """Return the project's engine; raise ProjectError if there is no project."""
        if self._engine is None:
            self._engine = Engine(find_project(self._project), _say_bake, out_dir=self._out_dir, fresh_for=0.0)
        return self._engine

    def _read(self, uri: str) -> dict[str, Any]:
        code = uri.removeprefix(DIAGNOSTICS)
        if uri == INFO:
            text = page(TOOLS["info"]({}, self._opened()), {}, "", DEFAULT_TOKENS)
        elif code != uri and code in CODES:
            text = "\n".join(rule_lines(code))
        else:
            raise NoResourceError(f"there is no resource {uri[:200]!r}; {DIAGNOSTICS}CODE has a code of check")
        return {"contents": [{"uri": uri, "mimeType": PLAIN_TEXT, "text": text}]}

    def _changes(self) -> Changes:
        if self._made is None:
            from assetdb.mcp.changes import Changes  # noqa: PLC0415 - most servers only read

            self._made = Changes()
        return self._made

    def _call(self, tool: Tool, given: object) -> dict[str, Any]:
        """Return a page of a tool's answer, or an error."""
        tokens = DEFAULT_TOKENS
        try:
            arguments = checked(tool, given)
            cursor, tokens = arguments.pop(CURSOR, ""), arguments.pop(MAX_TOKENS, DEFAULT_TOKENS)
            if tool.writes:
                answer = self._changes().answer(tool.name, arguments, self._opened())
            else:
                answer = TOOLS[tool.name](arguments, self._opened())
            found = page_of(answer, {"tool": tool.name, **arguments}, cursor, tokens)
            return {**_text(found.text), "structuredContent": found.fields()}
        except RequestError as error:  # a daemon begins with what kind of error it is
            message = str(error).removeprefix(f"{ERROR_MESSAGES.get(error.code)}: ")
        except (ArgumentError, BadCursorError, AssetdbError, FormatError) as error:
            message = str(error)
        except OSError as error:
            message = f"{error.filename or 'input/output'}: {words_of(error)}"
        return {**_text(shortened(printable_lines(message), tokens)), "isError": True}


def _text(text: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}]}


def _raise(error: BaseException) -> None:
    raise error  # of an answer that cannot be written


def _say_bake() -> None:
    sys.stderr.write("assetdb: no database yet, reading the project\n")
