"""Work in slices: what is done in passing, what is made and forgotten piece by piece, what goes on beside others."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import msgspec
import pytest

from assetdb.daemon.rpc import protocol, remote_command
from assetdb.daemon.rpc.dispatch import METHODS, is_short
from assetdb.daemon.rpc.jobs import Job, JobThreads, run_inline
from assetdb.daemon.rpc.protocol import TooLargeError
from assetdb.system import pausing

if TYPE_CHECKING:
    from collections.abc import Callable

LATE = -1.0
LONG = (
    *("annotate", "bake", "check", "deps", "find", "get", "groups", "info", "ls", "objects", "run", "trace", "unused"),
    *("usages", "ways"),
)


@pytest.mark.parametrize(
    ("work", "seconds"),
    [
        (pausing.pause_here, LATE),
        (lambda: list(pausing.paused(range(3))), LATE),
        (lambda: pausing.beside(list), 60.0),
        (pausing.before_long, 60.0),
    ],
)
def test_what_takes_long_is_not_done_in_passing(work: Callable[[], object], seconds: float) -> None:
    done = []

    def both() -> None:
        work()
        done.append("done")

    assert not run_inline(both, seconds)
    assert not done
    threads = JobThreads(lambda: None)
    job = Job(threads, both)
    while not job.done:
        if not job.is_concurrent:
            job.step(60.0)
    threads.close()
    assert done == ["done"]


def test_who_waits_takes_no_turn_and_no_place_beside_the_loop() -> None:
    ready: list[bool] = []
    done: list[str] = []

    def waiting() -> None:
        pausing.wait_until(lambda: bool(ready))
        done.append("waited")

    def working() -> None:
        done.append(pausing.beside(lambda: "beside"))
        ready.append(True)

    threads = JobThreads(lambda: None)
    assert not run_inline(waiting, 60.0)
    jobs = [Job(threads, waiting) for _ in range(10)]
    for job in jobs:
        job.step(60.0)
    assert not any(job.done or job.can_go_on for job in jobs)
    last = Job(threads, working)
    while not last.done:
        if last.can_go_on:
            last.step(60.0)
    gone = jobs.pop()
    gone.cancel()
    for job in (*jobs, gone):
        assert job.can_go_on
        job.step(60.0)
        assert job.done
    threads.close()
    assert done == ["beside", *["waited"] * 9]


def test_nobody_waits_for_what_no_one_else_can_do() -> None:
    pausing.wait_until(lambda: True)
    with pytest.raises(BlockingIOError, match="again"):
        pausing.wait_until(lambda: False)


def test_what_is_short_is_done_in_passing() -> None:
    done: list[str] = []

    def work() -> None:
        pausing.pause_here()
        done.append("done")

    assert run_inline(work, 60.0)
    assert done == ["done"]
    pausing.before_long()  # and what comes after it is none of its business


def test_an_error_in_passing_is_one() -> None:
    def fail() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        run_inline(fail, 60.0)
    pausing.before_long()


@pytest.mark.parametrize("method", METHODS)
def test_which_messages_are_short(method: str) -> None:
    line = protocol.request(1, method, {})
    assert is_short(line) == (method not in LONG)
    assert not is_short(b"[" + line + b"]")
    assert not is_short(protocol.request(1, method, {"queries": ["x" * 5000]}))


def test_drained_leaves_nothing() -> None:
    items = list(range(1000))
    found = []
    for item in pausing.drained(items):
        found.append(item)
        assert len(items) == 1000 - len(found)
    assert found == list(range(1000))


@pytest.mark.parametrize("count", [0, 1, 255, 256, 257, 1000])
@pytest.mark.parametrize("of", [list, iter])
def test_a_list_is_made_in_pieces(count: int, of: Callable[[list[object]], object]) -> None:
    items: list[object] = [{"name": f"Ä{number}"} for number in range(count)]
    pieces = protocol.response(7, {"found": of(list(items)), "total": count}, 1 << 20)
    answer = {"jsonrpc": "2.0", "id": 7, "result": {"found": items, "total": count}}
    assert json.loads(b"".join(pieces)) == answer
    with pytest.raises(TooLargeError):
        protocol.response(7, {"found": of(list(items)), "total": count}, 20)


def test_a_text_is_made_in_pieces() -> None:
    text = 'a"ä\n\U0001f600\\' * 200_000
    pieces = protocol.response(7, {"text": text}, 8 << 20)
    assert len(pieces) > 5
    assert json.loads(b"".join(pieces))["result"] == {"text": text}


def test_output_is_not_cut_within_a_character() -> None:
    data = ("a" + "€😀" * 200_000).encode()
    found = list(remote_command._output([(1, bytearray(data)), (2, bytearray(b"\xff" * 300_000))]))
    assert all(isinstance(item, msgspec.Raw) for item in found)
    chunks = [json.loads(bytes(item)) for item in found]
    assert "".join(chunk[1] for chunk in chunks if chunk[0] == 1) == data.decode()
    assert all(len(chunk) == 2 for chunk in chunks if chunk[0] == 1)
    assert all(len(chunk) == 3 for chunk in chunks if chunk[0] == 2)
