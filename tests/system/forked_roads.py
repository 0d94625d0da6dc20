"""One road that forks, with a fault at one stage of it: a process of its own, for ``test_forked_roads``.

``python -m tests.system.forked_roads ROAD STAGE FAULT FOLDER OUT`` prints the numbers of the processes that it forks,
and how it ended.
"""

# ruff: noqa: ANN401, T201 - it stands between functions of many types, and says on stdout what became of them

from __future__ import annotations

import array
import fcntl
import functools
import os
import signal
import struct
import sys
import termios
import time
from itertools import chain
from typing import TYPE_CHECKING, Any

import assetdb
from assetdb_formats.forking import ForkedProcess

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

MORE_THAN_A_PIPE = 1 << 20
MUCH = 50_000  # bytes that wait in a pipe whose other end is about to be full
PATIENCE = 60.0

CHILDREN: list[ForkedProcess] = []
ROAD, STAGE, FAULT, FOLDER, OUT = sys.argv[1:]
OF_CHILD = FAULT.startswith("child")


class FaultError(Exception):
    """The one that is made here."""


def forever() -> None:
    """Wait for a signal that ends this process."""
    while True:
        signal.pause()


def waiting_bytes(descriptor: int) -> int:
    """Return how many bytes can be read."""
    count = array.array("i", [0])
    fcntl.ioctl(descriptor, termios.FIONREAD, count)
    return count[0]


def wait_until_full(descriptor: int) -> None:
    """Wait until a child has written as much as goes in, and waits to write more."""
    until = time.monotonic() + PATIENCE
    while waiting_bytes(descriptor) < MUCH:
        assert time.monotonic() < until, "the child does not write"
        time.sleep(0.005)


def die() -> None:
    """Be the faulty child."""
    if FAULT == "child-kill":
        os.kill(os.getpid(), signal.SIGKILL)
    raise FaultError


def fault(result_of: int | None = None) -> None:
    """Let this process, the parent, come to what was asked for; where the child was, end that one."""
    if OF_CHILD:
        return
    if STAGE == "writing" and result_of is not None:
        wait_until_full(result_of)
    if FAULT == "raise":
        raise FaultError
    number = {"kill": signal.SIGKILL, "term": signal.SIGTERM, "interrupt": signal.SIGINT}[FAULT]
    os.kill(os.getpid(), number)


def watched(faulty: Callable[[Callable[[], Any]], bytes | Iterable[bytes]]) -> None:
    """Let every child do ``faulty`` with its work, and print its number."""
    start = ForkedProcess.start.__func__  # type: ignore[attr-defined]

    def started(cls: type[ForkedProcess], work: Callable[[], Any], keep: Any = ()) -> ForkedProcess | None:
        child: ForkedProcess | None = start(cls, lambda: faulty(work), keep)
        assert child is not None
        CHILDREN.append(child)
        print(child._process, flush=True)
        return child

    ForkedProcess.start = classmethod(started)  # type: ignore[method-assign, assignment]


def before_or_amid(work: Callable[[], bytes | Iterable[bytes]]) -> bytes | Iterable[bytes]:
    """Be a child of the bake: one that waits, or is faulty, before its result or while it writes it."""
    if STAGE == "before":
        if OF_CHILD:
            die()
        forever()
    if STAGE != "writing":
        return work()
    if OF_CHILD:
        write = os.write

        def some(descriptor: int, data: bytes) -> int:
            written = write(descriptor, data[:100_000])
            if len(data) > written:
                die()
            return written

        os.write = some  # type: ignore[assignment]
    return chain(work(), [bytes(MORE_THAN_A_PIPE)])


def graph() -> object:
    """Bake, the graph in a process of its own; the scan in this one."""
    from assetdb.scan.walking import tree  # noqa: PLC0415 - the road that was asked for
    from assetdb.state import project_state  # noqa: PLC0415 - the road that was asked for
    from assetdb.store import output  # noqa: PLC0415 - the road that was asked for

    tree.scan = functools.partial(tree.scan, fork_after=1 << 30)  # type: ignore[attr-defined]
    watched(before_or_amid)
    if STAGE == "after":
        before(output.Output, "write", fault)
    else:
        before(project_state, "NamePool", lambda: fault(CHILDREN[0].fileno()))
    return bake()


def scan() -> object:
    """Bake, the scan in two processes, the graph in this one."""
    from assetdb.scan import workers  # noqa: PLC0415 - the road that was asked for

    watched(before_or_amid)
    if STAGE == "before":
        before(workers.ScanWorker, "step", lambda: fault() if CHILDREN else None)
    elif STAGE == "writing":
        before(ForkedProcess, "pieces", lambda: fault(CHILDREN[0].fileno()))
    else:
        before(workers.ScanWorker, "_merge", fault)
    return bake(many_assets=1 << 30)


def bake(many_assets: int = 1) -> object:
    return assetdb.bake(FOLDER, OUT, workers=2, many_assets=many_assets).asset_count


def unreal() -> object:
    """Scan a folder of packages in two processes."""
    from assetdb_formats.unreal.scanning import scan as module  # noqa: PLC0415 - the road that was asked for

    read = module.record_of_file

    def faulty(work: Callable[[], bytes]) -> bytes:
        if STAGE == "before":
            if OF_CHILD:
                die()
            forever()
        if STAGE == "writing":
            if OF_CHILD:
                module._work = amid  # type: ignore[assignment]
            module.record_of_file = much
        return work()

    def amid(pipe: Any, *_: object) -> None:
        pipe.recv_bytes()
        os.write(pipe.fileno(), struct.pack("!i", MORE_THAN_A_PIPE) + bytes(100_000))
        die()

    def much(*arguments: Any) -> Any:
        return read(*arguments)._replace(error="much " * 20_000)

    pipes: list[Any] = []
    start = module._start_helper

    def helper(*arguments: Any) -> Any:
        found = start(*arguments)
        pipes.append(found.pipe)  # type: ignore[union-attr]
        return found

    module._start_helper = helper
    watched(faulty)
    if STAGE == "after":
        before(module, "build", fault)
    else:
        before(module, "_shared", lambda: fault(pipes[0].fileno()))
    return len(module.scan(FOLDER, workers=2, worth_two=1).database)


def before(owner: Any, name: str, does: Callable[[], None]) -> None:
    """Let a function of the road do something first; in this process alone."""
    wrapped = getattr(owner, name)
    parent = os.getpid()

    def first(*arguments: Any, **named: Any) -> Any:
        if os.getpid() == parent:
            does()
        return wrapped(*arguments, **named)

    setattr(owner, name, first)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever runs the tests in the background ignores it
    try:
        print({"graph": graph, "scan": scan, "unreal": unreal}[ROAD](), flush=True)
    except FaultError:
        print("raised", flush=True)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
    # What was forked is gone by now, not only when this process is.
    for child in CHILDREN:
        assert child._process == 0, "not ended"
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        print("no children", flush=True)
