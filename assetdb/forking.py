"""One function over several forked processes, or one beside this one. POSIX only."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable

assert sys.platform != "win32", "a process cannot fork here"  # noqa: S101 - also tells the type checker


def fork_out(work: Callable[[int], dict[str, int]], workers: int) -> list[dict[str, int]]:
    """Return ``work(0) ... work(workers - 1)``, each but the first done in a process of its own.

    What a process that was killed had to do is done again in this one.
    """
    import json  # noqa: PLC0415 - a bake does without

    pipes = []
    for number in range(1, workers):
        reading, writing = os.pipe()
        process = os.fork()
        if process == 0:
            _write_and_exit(lambda number=number: json.dumps(work(number)).encode(), writing)  # type: ignore[misc]
        os.close(writing)
        pipes.append((number, process, reading))
    results = [work(0)]
    for number, process, reading in pipes:
        with open(reading, "rb") as pipe:
            packed = pipe.read()
        _, status = os.waitpid(process, 0)
        results.append(json.loads(packed) if status == 0 else work(number))
    return results


class Aside:
    """Bytes that a forked process makes while this one goes on."""

    def __init__(self, work: Callable[[], bytes]) -> None:
        """Start ``work`` in a process of its own."""
        self._pipe, writing = os.pipe()
        self._process = os.fork()
        if self._process == 0:
            _write_and_exit(work, writing)
        os.close(writing)

    def result(self) -> bytes | None:
        """Wait for the bytes; None where the process was killed. To be called once."""
        with open(self._pipe, "rb") as pipe:
            made = pipe.read()
        _, status = os.waitpid(self._process, 0)
        self._process = 0
        return made if status == 0 else None

    def close(self) -> None:
        """End the process where its bytes are not wanted any more."""
        if self._process:
            os.close(self._pipe)  # it ends as soon as it writes
            os.waitpid(self._process, 0)
            self._process = 0


def _write_and_exit(work: Callable[[], bytes], writing: int) -> None:
    code = 1
    try:
        made = work()
        with open(writing, "wb") as pipe:
            pipe.write(made)
        code = 0
    finally:
        os._exit(code)  # no handlers, no buffers: they are the parent's
