"""One function over several forked processes. POSIX only."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

assert sys.platform != "win32", "a process cannot fork here"  # noqa: S101 - also tells the type checker


def fork_out(work: Callable[[int], dict[str, int]], workers: int) -> list[dict[str, int]]:
    """Return ``work(0) ... work(workers - 1)``, each but the first done in a process of its own.

    What a process that was killed had to do is done again in this one.
    """
    pipes = []
    for number in range(1, workers):
        reading, writing = os.pipe()
        process = os.fork()
        if process == 0:
            _work_and_exit(work, number, writing)
        os.close(writing)
        pipes.append((number, process, reading))
    results = [work(0)]
    for number, process, reading in pipes:
        with open(reading, "rb") as pipe:
            packed = pipe.read()
        _, status = os.waitpid(process, 0)
        results.append(json.loads(packed) if status == 0 else work(number))
    return results


def _work_and_exit(work: Callable[[int], dict[str, int]], number: int, writing: int) -> None:
    code = 1
    try:
        packed = json.dumps(work(number)).encode()
        with open(writing, "wb") as pipe:
            pipe.write(packed)
        code = 0
    finally:
        os._exit(code)  # no handlers, no buffers: they are the parent's
