"""Forked processes by themselves: what they hold, how they end, and what happens where there are none to be had."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.needs import needs_fork

CHECKOUT = Path(__file__).resolve().parents[2]
PATIENCE = 60.0
pytestmark = needs_fork
HEAD = """
import errno, fcntl, os, resource, signal, sys, time
from assetdb_formats.forking import ForkedProcess, fork_out

def forever():
    while True:
        signal.pause()

def gone(pid):
    try:
        os.kill(pid, 0)
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] in "ZX"
    except (ProcessLookupError, FileNotFoundError):
        return True
"""


def run(script: str) -> str:
    """Run a script in a process of its own (that of the tests has threads); return what it printed."""
    command = [sys.executable, "-c", HEAD + script]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.stderr == ""
    return done.stdout


def test_a_result_of_any_size() -> None:
    script = """
for size in (0, 1, 7, 8, 65_528, 65_536, 3_000_000):
    child = ForkedProcess.start(lambda: b"x" * size)
    assert child.result() == b"x" * size
    child.close()
    child = ForkedProcess.start(lambda: b"x" * size)
    while not child.has_result():
        pass
    assert child.result() == b"x" * size
"""
    assert run(script) == ""


def test_pieces_come_one_by_one() -> None:
    script = """
made = [b"x" * size for size in (0, 1, 8_191, 8_192, 65_536, 1_000_000, 0)]
child = ForkedProcess.start(lambda: iter(made))
assert list(child.pieces()) == made
child.close()
child = ForkedProcess.start(lambda: made)
while not child.has_result():
    pass
assert child.result() == b"".join(made)
child.close()
child = ForkedProcess.start(lambda: [])
assert child.result() == b""
child.close()

def ends_early():
    yield b"first"
    yield b"x" * 100_000
    os._exit(0)

child = ForkedProcess.start(ends_early)
pieces = child.pieces()
assert (next(pieces), len(next(pieces))) == (b"first", 100_000)
try:
    next(pieces)
except EOFError:
    child.close()
child = ForkedProcess.start(ends_early)
assert child.result() is None
child.close()
"""
    assert run(script) == ""


def test_a_child_holds_only_what_it_needs() -> None:
    script = """
lock = os.open("pyproject.toml", os.O_RDONLY)
high = fcntl.fcntl(lock, fcntl.F_DUPFD, 900)
kept = os.pipe()
others = [os.pipe() for _ in range(5)]
first = ForkedProcess.start(lambda: bytes(forever() or ()))

def held():
    names = os.listdir("/proc/self/fd")
    paths = [f"/proc/self/fd/{name}" for name in names]
    return " ".join(os.readlink(path) for path in paths if os.path.lexists(path)).encode()

child = ForkedProcess.start(held, (kept[1],))
words = child.result().decode().split()
# The ends of the result and of the life line, what was asked for, and nothing thrice.
assert words.count("/dev/null") == 3, words
assert len([word for word in words if word.startswith("pipe:")]) == 3, words
assert len(words) == 6, words
first.close()
"""
    if sys.platform != "linux":
        pytest.skip("nothing says there what a process holds")
    assert run(script) == ""


@pytest.mark.parametrize("by_alarm", [False, True])
@pytest.mark.parametrize("busy", ["forever()", "exec('while True: pass')", "os.read(os.pipe()[0], 1)"])
def test_a_child_ends_with_its_parent(*, by_alarm: bool, busy: str) -> None:
    script = f"""
reading, writing = os.pipe()
parent = os.fork()
if parent == 0:
    signal.signal(signal.SIGTERM, lambda *_: None)  # of the parent, not of its child
    def work():
        keep = os.pipe()
        os.write(writing, str(os.getpid()).encode())
        {busy}
        return b""
    ForkedProcess.start(work, (writing,), by_alarm={by_alarm})
    forever()
child = int(os.read(reading, 100))
os.kill(parent, signal.SIGKILL)
os.waitpid(parent, 0)
until = time.monotonic() + {PATIENCE / 2}
while not gone(child) and time.monotonic() < until:
    time.sleep(0.01)
print(gone(child))
"""
    assert run(script) == "True\n"


def test_handlers_are_the_parents() -> None:
    script = """
signal.signal(signal.SIGTERM, lambda *_: print("handled", flush=True))
reading, writing = os.pipe()
child = ForkedProcess.start(lambda: bytes(os.write(writing, b"x") and forever() or ()), (writing,))
os.read(reading, 1)
os.kill(child._process, signal.SIGTERM)
print(child.result())
"""
    assert run(script) == "None\n"


def test_no_descriptors_or_processes_to_be_had() -> None:
    script = """
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
opened = []
while True:
    try:
        opened.append(os.open("/dev/null", os.O_RDONLY))
    except OSError:
        break
for left in range(4):  # of the four that it takes
    assert ForkedProcess.start(lambda: b"made") is None, left
    os.close(opened.pop())
child = ForkedProcess.start(lambda: b"made")
assert child.result() in (b"made", None)  # the child could open what it needs, or not
os.fork = lambda: (_ for _ in ()).throw(OSError(errno.EAGAIN, "none"))
before = len(os.listdir("/dev/fd"))
assert ForkedProcess.start(lambda: b"made") is None
assert len(os.listdir("/dev/fd")) == before
print(fork_out(lambda number: {"number": number}, 3))
"""
    assert run(script) == "[{'number': 0}, {'number': 1}, {'number': 2}]\n"


def test_a_program_that_waits_for_all_children() -> None:
    script = """
def reap(*_):
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass
for handler in (reap, signal.SIG_IGN):
    signal.signal(signal.SIGCHLD, handler)
    child = ForkedProcess.start(lambda: b"made" * 50_000)
    assert child.result() == b"made" * 50_000
    child = ForkedProcess.start(lambda: os._exit(0))
    assert child.result() is None
    child = ForkedProcess.start(lambda: bytes(forever() or ()))
    child.close()
"""
    assert run(script) == ""


def test_without_the_standard_descriptors() -> None:
    script = """
for descriptor in (0, 1):
    os.close(descriptor)
child = ForkedProcess.start(lambda: b"made" * 50_000)  # whose pipe has those numbers
assert child.result() == b"made" * 50_000
"""
    assert run(script) == ""


def test_parts_of_a_work() -> None:
    script = """
def work(number):
    if number == 2 and os.getpid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)
    return {"number": number, "pid": os.getpid() == parent}
parent = os.getpid()
print([(part["number"], part["pid"]) for part in fork_out(work, 4)])
def wrong(number):
    if number == 0:
        raise KeyError("wrong")
    forever()
try:
    fork_out(wrong, 3)
except KeyError:
    print("raised")
try:
    os.waitpid(-1, os.WNOHANG)
except ChildProcessError:
    print("no children")
"""
    assert run(script) == "[(0, True), (1, False), (2, True), (3, False)]\nraised\nno children\n"
