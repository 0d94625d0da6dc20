"""Processes that share the work of a bake: all of it is done once, whoever dies."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.needs import needs_fork

pytestmark = needs_fork
CHECKOUT = Path(__file__).resolve().parents[3]
HEAD = """
import os, signal
from assetdb.scan.processes import BackgroundProcess, work_together

class Counter:
    \"\"\"Work as numbers: each batch n leaves two batches n - 1.\"\"\"

    def __init__(self, top, die=-1, size=0):
        self.stack = [b"%d" % top]
        self.rest = b" " * size
        self.done = []
        self.die = die
        self.parent = os.getpid()

    def step(self):
        number = int(self.stack.pop())
        self.done.append(number)
        if number == self.die and os.getpid() != self.parent:
            os.kill(os.getpid(), signal.SIGKILL)
        if number:
            self.stack += [b"%d" % (number - 1) + self.rest] * 2

    def start_afresh(self):
        self.stack, self.done = [], []

    def packed(self):
        yield b" ".join(b"%d" % number for number in self.done)

def merged(found):
    def merge(pieces):
        try:
            for piece in pieces:
                found.extend(map(int, piece.split()))
        except EOFError:
            return False
        return True
    return merge
"""


def run(script: str) -> None:
    """Run a script in a process of its own (that of the tests has threads)."""
    command = [sys.executable, "-c", HEAD + script]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


def test_all_work_is_done_once_by_whoever_takes_it() -> None:
    run("""
for helpers, size in ((0, 0), (1, 0), (2, 40_000), (1, 65_535), (1, 70_000)):
    worker, found = Counter(9, size=size), []
    assert work_together(worker, helpers, merged(found))
    if helpers:
        assert worker.stack == []
        done = worker.done + found
        assert sorted(done) == sorted(n for n in range(10) for _ in range(2 ** (9 - n)))
    else:
        assert (worker.stack, worker.done, found) == ([b"9"], [], [])
""")


def test_a_helper_that_dies_is_noticed() -> None:
    run("""
for _ in range(3):
    worker, found = Counter(12, die=3), []
    whole = work_together(worker, 1, merged(found))
    done = sorted(worker.done + found)
    assert not whole or done == sorted(n for n in range(13) for _ in range(2 ** (12 - n)))
try:
    os.waitpid(-1, os.WNOHANG)
    raise SystemExit("a process is left")
except ChildProcessError:
    pass
""")


def test_pieces_of_a_background_process_come_in_order() -> None:
    run("""
def work():
    for number in range(4):
        yield b"%d" % number * number

child = BackgroundProcess.start(work)
assert (child.piece(), child.piece()) == (b"", b"1")
assert child.rest() == [b"22", b"333"]
child.close()

def dies():
    yield b"first"
    if os.getpid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)
    yield b"second"

parent = os.getpid()
child = BackgroundProcess.start(dies)
assert child.piece() == b"first"
assert child.rest() == [b"second"]
child.close()
""")
