"""Git as a process: no shell, bounded in time, typed errors."""

from __future__ import annotations

import os
import subprocess
import tempfile
from contextlib import contextmanager
from threading import Thread, Timer
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from assetdb.errors import HistoryError
from assetdb.history.git.questions import command, environment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import IO

MOST_MESSAGE: Final = 400
"""Limit of git's stderr, in bytes."""
_STEP: Final = 1 << 20
_One = TypeVar("_One")
_Other = TypeVar("_Other")


class GitPlace(NamedTuple):
    """The folder and options with which git is run.

    Attributes:
        root: the folder.
        options: that go before every command (``-c name=value``).
        surroundings: variables besides what :func:`assetdb.history.git.questions.environment` sets.
    """

    root: str
    options: Sequence[str]
    surroundings: Mapping[str, str]


@contextmanager
def running(
    place: GitPlace, words: Sequence[str], given: int | IO[bytes], timeout: float, accept: Sequence[int] = (0,)
) -> Iterator[tuple[IO[bytes], Failure]]:
    """Run a git command; yield its output and its error maker.

    Args:
        place: where to run it.
        words: the command.
        given: its input.
        timeout: in seconds; then it is killed.
        accept: exit codes that are not failures.

    Raises:
        HistoryError: git is missing, fails or takes too long.
    """
    root, options, more = place
    late: list[bool] = []
    with tempfile.TemporaryFile() as errors:
        fail = Failure(root, words[0])
        try:
            process = subprocess.Popen(
                command(root, [*options, *words]),
                stdin=given,
                stdout=subprocess.PIPE,
                stderr=errors,
                env={**environment(), **more},
            )
        except FileNotFoundError as error:
            raise HistoryError("git is not here, or not on PATH: install it") from error
        except (OSError, ValueError) as error:
            raise fail(str(error)) from error

        def end() -> None:
            late.append(True)
            process.kill()

        timer = Timer(timeout, end)
        timer.start()
        try:
            assert process.stdout is not None  # noqa: S101 - for the type checker: it is a pipe
            with process.stdout:
                yield process.stdout, fail
                process.stdout.read(1)
        except BaseException:
            process.kill()
            raise
        finally:
            code = process.wait()
            timer.cancel()
            timer.join()
        if late:
            raise fail(f"takes longer than {timeout:.0f} s")
        if code not in accept:
            errors.seek(0)
            raise fail(os.fsdecode(errors.read(MOST_MESSAGE)).strip() or f"ends with {code}")


class Failure(NamedTuple):
    """Makes the errors of a command that runs in ``root``."""

    root: str
    word: str

    def __call__(self, message: str) -> HistoryError:
        """Return the error."""
        line = " ".join(message.split())
        if "not a git repository" in line:
            return HistoryError(f"{self.root} is not in a git repository (run git init to create one)")
        return HistoryError(f"git {self.word} in {self.root}: {line}")


class Blob:
    """A blob of ``size`` bytes that is being read."""

    def __init__(self, source: IO[bytes], size: int) -> None:
        """Take the blob at its first byte."""
        self._source = source
        self._left = size
        self.size = size

    def pieces(self) -> Iterator[bytes]:
        """Yield the rest of the blob.

        Raises:
            HistoryError: git ended before.
        """
        while self._left:
            piece = self._source.read(min(self._left, _STEP))
            if not piece:
                raise HistoryError("git ends within a file: git fsck says what is damaged")
            self._left -= len(piece)
            yield piece

    def skip(self) -> None:
        """Skip the rest."""
        for _ in self.pieces():
            pass


def together(one: Callable[[], _One], other: Callable[[], _Other]) -> tuple[_One, _Other]:
    """Run two functions at once, one waiting for git; return both results."""
    found: list[_Other] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            found.append(other())
        except BaseException as error:  # noqa: BLE001 - whoever waits raises it
            failed.append(error)

    thread = Thread(target=run)
    thread.start()
    try:
        first = one()
    finally:
        thread.join()
    if failed:
        raise failed[0]
    return first, found[0]
