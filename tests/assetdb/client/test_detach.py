"""A daemon that detaches: the command learns whether it answers, and ends without it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.needs import needs_fork
from tests.system.watch.daemons import wait_for

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = needs_fork

MAIN = """
import os, sys
from assetdb.client.detach import detach

held = os.open(os.devnull, os.O_RDONLY)

def run(report):
    %s

print("not flushed", end="; ")
print(*detach(run, sys.argv[1]), sep=";", flush=True)
"""
ANSWERS = """
    report("")
    report("too late")
    print(os.getcwd(), os.getsid(0) != int(sys.argv[2]), sys.stdin.read() == "", flush=True)
    try:
        os.fstat(held)
    except OSError:
        print("closed")
    os.write(2, b"%d" % os.getpid())
    return 0
"""


@pytest.mark.parametrize(
    ("body", "expected", "logged"),
    [
        (ANSWERS, ";PID", "/ True True\nclosed\n"),
        ('report("no \\udcff socket"); return 2', "no ? socket;0", ""),
        ("return 0", "the daemon exited before it answered; see LOG;0", ""),
        ("raise ValueError(7)", "the daemon exited before it answered; see LOG;0", "ValueError: 7\n"),
    ],
)
def test_the_command_says_what_became_of_the_daemon(tmp_path: Path, body: str, expected: str, logged: str) -> None:
    log = tmp_path / "log"
    words = [sys.executable, "-c", MAIN % body, str(log), str(os.getsid(0))]
    done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=20)
    ending = re.compile(rf"{re.escape(logged)}{'([0-9]+)' if 'PID' in expected else '()'}\Z")
    wait_for(lambda: log.exists() and ending.search(log.read_text()))
    process = ending.findall(log.read_text())[0]
    assert done.stdout == "not flushed; " + expected.replace("LOG", str(log)).replace("PID", process) + "\n"
    assert done.stderr == ""
