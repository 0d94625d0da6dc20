"""The command line: parse, call, print.

Nothing here decides anything about assets.

Every command line takes the same path: its words are read into a :class:`~assetdb.cli.plain.Line`, by ``plain`` if they
are simple, otherwise by ``reading`` (typer); then its command runs, in the project's daemon if that can run it.
Exit codes: 0 found / clean, 1 not found / findings, 2 usage or broken input.
"""

from __future__ import annotations

import io
import os
import sys
from errno import EINVAL, EPIPE
from gc import set_threshold
from stat import S_ISFIFO

TYPE_CHECKING = False  # typing takes 9 ms to import

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

    from _typeshed import ReadableBuffer

    from assetdb.cli.plain import Line

_BROKEN: Final = 2
# The threshold of garbage collection, in objects: imports leave hardly any garbage, and looking for it took 4 % of each
# start.
_GARBAGE: Final = 50_000


def main(argv: list[str] | None = None) -> int:
    """Run one command line and return its exit code."""
    words = sys.argv[1:] if argv is None else argv
    prepare_streams()
    may_exit = argv is None and may_exit_at_once()
    if may_exit:
        set_threshold(_GARBAGE)
    try:
        code = _run(words, may_exit=may_exit)
        sys.stdout.flush()
    except BrokenPipeError:  # `assetdb dump | head`: the reader has had enough
        _redirect_to_null(sys.stdout.fileno())
        return 0
    except OSError as error:  # the rest of the output cannot be written: a full disk
        _redirect_to_null(sys.stdout.fileno())
        return failure(error) or _BROKEN
    except KeyboardInterrupt:
        return 130
    return code


def may_exit_at_once() -> bool:
    """Whether no coverage, profiler, debugger or thread outlives the command."""
    threading = sys.modules.get("threading")
    return not (
        "atexit" in sys.modules
        or sys.getprofile()
        or sys.gettrace()
        or (threading is not None and threading.active_count() > 1)
    )


def _run(words: list[str], *, may_exit: bool) -> int:
    line = _read(words)
    if isinstance(line, int):
        return line
    try:
        os.getcwd()
    except FileNotFoundError:
        from assetdb.cli.lost_directory import leave_for_project  # noqa: PLC0415 - the working directory is rarely gone

        problem = leave_for_project(line)
        if problem is not None:
            return problem
    code = _run_in_daemon(line)
    if code is None:
        if may_exit:
            from assetdb_formats.processes import Uncollected  # noqa: PLC0415 - clients of a daemon do without

            Uncollected.process_ends = True
        code = _on_files(line)
    if may_exit and line.words:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)  # nothing is left to do, and taking an interpreter apart takes 1.5 ms, as long as the answer
    return code


def _read(words: list[str]) -> Line | int:
    """Return the command line, or the exit code of a complete one."""
    from assetdb.cli.plain import read  # noqa: PLC0415 - other parts of this package do without

    line = read(words)
    if line is not None:
        return line
    if words in (["--version"], ["-V"]):
        from assetdb.version import described_version  # noqa: PLC0415 - only here

        print(described_version())
        return 0
    from assetdb.cli.reading.application import read as read_any  # noqa: PLC0415 - typer takes 80 ms to import

    return read_any(words)


class _LenientStderr(io.TextIOWrapper):
    """Stderr that cannot fail a command: unwritable text is dropped.

    ``assetdb bake 2>&1 >/dev/null | head -1`` ended at a warning without printing its answer, or at an
    error with exit code 0.
    """

    def write(self, text: str) -> int:
        """Write."""
        try:
            return super().write(text)
        except OSError:
            return self._write_nowhere(text)

    def flush(self) -> None:
        """Write the rest of the output."""
        try:
            super().flush()
        except OSError:
            self._write_nowhere("")

    def _write_nowhere(self, text: str) -> int:
        _redirect_to_null(self.fileno())
        super().flush()  # what the buffer still holds
        return len(text)


class _WindowsPipe(io.FileIO):
    """Output in which a closed reader is a broken pipe, as elsewhere.

    Windows says EINVAL: ``assetdb find '*' | head`` ended with "input/output: invalid argument" and exit code 2.
    """

    def write(self, data: ReadableBuffer) -> int:
        """Write; BrokenPipeError if nobody reads any more."""
        try:
            return super().write(data)
        except OSError as error:
            if error.errno != EINVAL:
                raise
            raise BrokenPipeError(EPIPE, os.strerror(EPIPE)) from error


def prepare_streams() -> None:
    """Let every text be written.

    Characters that stdout's encoding lacks are escaped, and a closed stream drops all. An unwritable stderr changes no
    answer and no exit code. In pipes and files of Windows lines end as on other systems, and text is UTF-8 unless the
    user names an encoding.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # `assetdb find X >&-`; in this order, so that each gets its own descriptor
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - for the rest of the process
    if sys.platform == "win32":
        printed = sys.stdout
        if type(printed) is io.TextIOWrapper and printed is sys.__stdout__ and _is_pipe(printed.fileno()):
            pipe = io.BufferedWriter(_WindowsPipe(printed.fileno(), "w", closefd=False))
            through = printed.write_through  # as `python -u` has it
            sys.stdout = io.TextIOWrapper(pipe, printed.encoding, printed.errors, write_through=through)
        encoding = None if "PYTHONIOENCODING" in os.environ else "utf-8"  # cp1252 has escapes for paths of a script
        for stream in (sys.stdout, sys.stderr):
            if type(stream) is io.TextIOWrapper and not stream.isatty():
                stream.reconfigure(encoding=encoding, newline="\n")
    notes = sys.stderr
    if type(notes) is io.TextIOWrapper and notes is sys.__stderr__:  # not a replacement by a test or a host
        line_ends = None if notes.isatty() else "\n"
        sys.stderr = _LenientStderr(notes.buffer, notes.encoding, notes.errors, line_ends, line_buffering=True)
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None and sys.stdout.errors in ("strict", "surrogateescape"):
        reconfigure(errors="backslashreplace")


def _is_pipe(descriptor: int) -> bool:
    """Whether a reader may go.

    In a file, EINVAL stands for each error that Windows' library of C does not know.
    """
    return S_ISFIFO(os.fstat(descriptor).st_mode)


def _redirect_to_null(descriptor: int) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)


def _run_in_daemon(line: Line) -> int | None:
    """Return the daemon's exit code for a command, or None."""
    if not line.served:
        return None
    from assetdb.daemon.files.status_file import find_status  # noqa: PLC0415 - the other commands have nothing to ask a daemon
    from assetdb.errors import ProjectError  # noqa: PLC0415 - the same
    from assetdb.settings.project import find_project  # noqa: PLC0415 - the same

    try:
        project = line.text("project")
        root = find_project(_project_of_file(line) if project is None else project)
        status = find_status(root, line.text("out_dir"))
    except (ProjectError, OSError):  # running on the files reports the error
        return None
    if status is None:
        return None
    from assetdb.client.command import NO_TERMINAL, Request, ask, ask_synced  # noqa: PLC0415 - most projects have no daemon

    shown = NO_TERMINAL
    if sys.stdout.isatty() or sys.stderr.isatty() or "FORCE_COLOR" in os.environ or "CLICOLOR_FORCE" in os.environ:
        from assetdb.cli.terminal import columns, has_color  # noqa: PLC0415 - programs that ask have no terminal

        shown = (columns(), has_color()), (columns(sys.stderr), False)
    request = Request(line.path[0], line.words, line.query_places, root, status, shown)
    if line.served == "staged":
        # `git commit -a` and `git commit FILE` use a temporary index, which only the hook knows.
        if os.path.basename(os.environ.get("GIT_INDEX_FILE", "index")) != "index":
            return None
        return ask(request, lambda: _on_files(line), synced=True)
    if line.served == "sync":
        return ask_synced(request, lambda: _on_files(line, synced=True))
    return ask(request, lambda: _on_files(line))


def _project_of_file(line: Line) -> str | None:
    """Return the project around a file to annotate, or None."""
    file = line.text("file")
    if file in (None, "-") or "textconv" in line.values:
        return None
    from assetdb.settings.project import project_above  # noqa: PLC0415 - only annotate asks about a file

    return project_above(file)


def _on_files(line: Line, *, synced: bool = False) -> int:
    """Run a command in this process; ``synced`` after a daemon's update."""
    from assetdb.cli.arguments import call  # noqa: PLC0415 - the daemon's client answers without it

    try:
        if "rev" in line.values or ".git" in (line.text("project") or ""):
            from assetdb.cli.history.revision import call_in_history  # noqa: PLC0415 - most questions are about the disk

            return call(_function(line), line.values, synced=synced, run=call_in_history)
        return call(_function(line), line.values, synced=synced)
    except Exception as error:
        code = failure(error)
        if code is None:
            raise
        return code


def _function(line: Line) -> Callable[..., int]:
    """Import the module of a line's command and return its function."""
    if line.words:  # the registry takes longer to import than the words to read
        from assetdb.cli.plain import TABLE  # noqa: PLC0415 - it has read them

        name = line.path[0]
        function: Callable[..., int] = getattr(__import__(TABLE[name].module, fromlist=("",)), name)
        return function
    from assetdb.cli.commands import find_command  # noqa: PLC0415 - as above

    return find_command(line.path).load()


def failure(error: Exception) -> int | None:
    """Print an error for the user; return its exit code, or None."""
    from assetdb.cli.terminal import fail  # noqa: PLC0415 - only when something is wrong
    from assetdb.errors import AssetdbError  # noqa: PLC0415 - the same
    from assetdb_formats.binary import FormatError  # noqa: PLC0415 - the same
    from assetdb_formats.files import words_of  # noqa: PLC0415 - the same

    if isinstance(error, (AssetdbError, FormatError)):
        return fail(str(error))
    if isinstance(error, OSError) and not isinstance(error, BrokenPipeError):
        if isinstance(error, FileNotFoundError) and error.filename is None:
            from assetdb.cli.lost_directory import described_loss  # noqa: PLC0415 - the same

            return fail(described_loss() or f"input/output: {words_of(error)}")
        return fail(f"{error.filename or 'input/output'}: {words_of(error)}")
    return None
