"""The description of a process that holds a lock."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from assetdb.store.lock_owner import Holder, is_suspended, process_start, this_host, this_process, unpack
from tests.needs import needs_signals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HOLDER = Holder("bake", 77, "boot 123", "host pid:[1]", "1f")
NO_PROCESS = (1 << 32) - 1


@contextmanager
def sleeping() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(["sleep", "60"]) as process:
        try:
            yield process
        finally:
            process.kill()


def until(is_so: Callable[[], bool]) -> bool:
    """Wait up to ten seconds for the system."""
    end = time.monotonic() + 10
    while not is_so() and time.monotonic() < end:
        time.sleep(0.001)
    return is_so()


def test_a_holder_is_one_line() -> None:
    assert HOLDER.packed() == b"bake\t77\tboot 123\thost pid:[1]\t1f\n"
    assert unpack(HOLDER.packed()) == HOLDER
    assert unpack(HOLDER._replace(start="", host="ä").packed()) == HOLDER._replace(start="", host="ä")


@pytest.mark.parametrize(
    "packed",
    [
        b"",
        b"bake\t77\tx\thost\t1f",
        b"bake\t77\tx\thost\n",
        b"bake\t77\tx\thost\t1f\tmore\n",
        b"bake\t77\tx\thost\t1f\nmore",
        b"bake\t0\tx\thost\t1f\n",
        b"bake\t-1\tx\thost\t1f\n",
        b"bake\t4294967296\tx\thost\t1f\n",
        b"bake\tseven\tx\thost\t1f\n",
        "bake\t٣\tx\thost\t1f\n".encode(),
        b"ba\x1bke\t77\tx\thost\t1f\n",
        b"bake\t77\tx\t" + b"h" * 5000 + b"\t1f\n",
    ],
)
def test_other_text_is_no_holder(packed: bytes) -> None:
    assert unpack(packed) is None


@pytest.mark.parametrize("pid", [1, NO_PROCESS])
def test_the_numbers_of_processes_have_bounds(pid: int) -> None:
    found = unpack(HOLDER._replace(pid=pid).packed())
    assert found is not None
    assert found.pid == pid


def test_a_holder_is_named_with_its_computer_if_that_is_another() -> None:
    assert str(HOLDER._replace(host=this_host())) == "a bake (pid 77)"
    assert str(HOLDER) == "a bake (pid 77 on host)"


def test_this_process_is_not_gone() -> None:
    own = this_process("daemon", whole=True)
    assert own[:2] == ("daemon", os.getpid())
    assert own.start == process_start(os.getpid()) != ""
    assert own.host == this_host()
    assert not own.is_gone()
    assert own._replace(start="another").is_gone()
    assert not own._replace(start="").is_gone()
    assert unpack(own.packed()) == own
    assert this_process("daemon", whole=False).nonce != own.nonce


def test_a_process_of_another_computer_is_never_gone() -> None:
    assert not Holder("bake", NO_PROCESS, "x", "elsewhere", "1").is_gone()
    assert Holder("bake", NO_PROCESS, "x", this_host(), "1").is_gone()
    assert process_start(NO_PROCESS) == ""


def test_a_process_that_ended_has_no_start_while_its_parent_holds_it() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        assert process_start(process.pid) != ""
        process.communicate(b"\n", timeout=60)
        assert process.returncode == 0
        assert until(lambda: process_start(process.pid) == "")  # Popen's handle is still open


@needs_signals
def test_a_process_that_ended_is_gone_before_anybody_waits_for_it() -> None:
    with sleeping() as process:
        holder = Holder("bake", process.pid, process_start(process.pid), this_host(), "1")
        assert holder.start
        assert not holder.is_gone()
        process.kill()
        assert until(holder.is_gone)
        assert sys.platform != "linux" or process_start(process.pid) == ""


@needs_signals
def test_a_stopped_process_is_suspended() -> None:
    with sleeping() as process:
        assert not is_suspended(process.pid)
        process.send_signal(signal.SIGSTOP)
        assert until(lambda: is_suspended(process.pid))
        assert not Holder("bake", process.pid, "", this_host(), "1").is_gone()
        process.send_signal(signal.SIGCONT)
        assert until(lambda: not is_suspended(process.pid))
    assert not is_suspended(NO_PROCESS)
