"""Kill what keeps a project current at random moments: no file is ever torn, and the next start mends what is behind.

    python -m scripts.fuzz.watch --count 500 [--seed N] [--command daemon]

A process writes to a project all the time. A daemon watches it, and is killed (SIGKILL) after a random while: during
its start, its first bake, an update, a save. Whenever that was, ``asset-db.bin`` opens and every entry of it decodes.
Then, with the writer at rest, a new start brings both files to the bytes of a cold bake, and leaves no temporary file but
that of the status file, which the next daemon removes.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from assetdb.daemon.files.status_file import STATUS_NAME
from assetdb.store.database import open_database
from scripts.arguments import Given, script
from scripts.programs import CHECKOUT, assetdb
from tests.system.graph.project import write_project
from tests.system.watch.loop import Loop, assert_as_cold
from tests.system.watch.writer import Writer

LONGEST = 1.0  # seconds until the kill; the start takes 0.3
FILES = 400  # that the project begins with


def command(kind: str, project: Path) -> list[str]:
    """Return what is to be killed: the real daemon, or the smallest loop around the same machinery."""
    folder = project / "Library" / "assetdb"
    if kind == "daemon":
        return assetdb("watch", project=project)
    return [sys.executable, "-m", "tests.system.watch.loop", str(project), str(folder)]


def entries_of(path: Path) -> int:
    """Decode all of a database; return how many entries it has, -1 where there is none yet.

    Raises:
        DatabaseError: it is torn.
    """
    try:
        with open_database(path) as database:
            return sum(1 for _ in database)
    except FileNotFoundError:
        return -1


def run(count: int, seed: int, kind: str = "loop") -> int:
    """Kill ``count`` times; return in how many of them there was a database already."""
    chooser = random.Random(seed)
    found = 0
    scratch = Path(tempfile.mkdtemp(prefix="assetdb-watch-"))
    try:
        project = write_project(scratch / "Project")
        folder = project / "Library" / "assetdb"
        writer = Writer(project, scratch / "outside", seed)
        for _ in range(FILES):
            writer.step()
        for number in range(count):
            if chooser.random() < 0.1:
                shutil.rmtree(project / "Library", ignore_errors=True)
            found += _kill_once(project, writer, chooser, kind)
            with Loop(project, folder) as loop:
                loop.sync()
                assert_as_cold(project, folder, scratch / "cold")
            left = [name for name in os.listdir(folder) if name.endswith(".temporary") and STATUS_NAME not in name]
            if left:
                raise AssertionError(f"round {number}: {left} stays for ever")
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return found


def _kill_once(project: Path, writer: Writer, chooser: random.Random, kind: str) -> bool:
    path = project / "Library" / "assetdb" / "asset-db.bin"
    process = subprocess.Popen(
        command(kind, project),
        cwd=CHECKOUT,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        end = time.monotonic() + chooser.random() * LONGEST
        while time.monotonic() < end:
            writer.step()
            if chooser.random() < 0.02:
                time.sleep(0.03)  # long enough for a save
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        _, said = process.communicate()
    if process.returncode != -signal.SIGKILL:
        raise AssertionError(f"it ended by itself: {process.returncode} {said.decode()}")
    return entries_of(path) >= 0


@script(__doc__, count=500, seed=0, command=("daemon", "loop"))
def main(given: Given) -> None:
    """Run from the command line."""
    started = time.monotonic()
    found = run(given.count, given.seed, given.command)
    print(
        f"killed {given.count} times in {time.monotonic() - started:.0f} s, {found} of them with a database there:"
        " none torn, every next start as a cold bake"
    )
