"""Do processes that share facts get a wrong answer, whatever happens to the shared folder?

    python -m scripts.fuzz.facts [--seconds 600] [--processes 10] [--seed 0]

Several processes bake and check clones of a few versions of one project, all with one folder of shared facts and each
with a new output folder, so that everything comes from there or is made anew. Processes are killed (SIGKILL) at random,
and files of the shared folder are damaged, removed, touched and replaced by others. Every answer must be that of a
process without shared facts, byte for byte.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from scripts.arguments import Given, script
from scripts.fuzz.running import damage
from scripts.programs import assetdb
from tests.assetdb.checks.healthy import make_healthy, put

VERSIONS = 3
FACTS = "ASSETDB_FACTS"
FILES = ("asset-db.bin", "asset-db.index")
KILLED = 0.25  # of all processes
DAMAGED = 0.5  # of all rounds


class Job(NamedTuple):
    """A process, its kind, the version it looks at, and its folder."""

    process: subprocess.Popen[bytes]
    kind: str
    version: int
    out: Path


def write_versions(place: Path) -> list[Path]:
    """Write versions of one project, the later ones with more in them."""
    found = []
    for number in range(VERSIONS):
        root = make_healthy(place / str(number) / "Game", 40)
        for more in range(20 * number):
            guid = f"{more + 1:032x}"
            reference = f"  x: {{fileID: 7, guid: {guid}, type: 2}}\n"
            text = f"%YAML 1.1\n--- !u!114 &11400000\nMonoBehaviour:\n{reference}"
            put(root, f"Assets/More/{number}-{more}.asset", text)
        found.append(root)
    return found


def command(kind: str, root: Path, out: Path) -> list[str]:
    """Return the command line of a job."""
    options = ["--keep-going", "--quiet"] if kind == "bake" else ["--exit-zero"]
    return assetdb(kind, *options, project=root, out_dir=out)


def answer_of(kind: str, out: Path, printed: bytes) -> list[bytes]:
    """Return what counts of a job's answer."""
    files = [(out / name).read_bytes() for name in FILES]
    return files if kind == "bake" else [*files, printed]


def damage_one_of(store: Path, chance: random.Random) -> None:
    """Damage, remove, touch or exchange a file of the shared folder."""
    packs = [path for path in store.rglob("*") if path.is_file()]
    if not packs:
        return
    path, other = chance.choice(packs), chance.choice(packs)
    try:
        how = chance.randrange(6)
        if how == 0:
            path.unlink()
        elif how == 1:
            os.utime(path, (chance.randrange(1 << 31),) * 2)
        elif how == 2:
            path.write_bytes(other.read_bytes())
        else:
            path.write_bytes(damage(path.read_bytes(), chance, [other.read_bytes()]))
    except FileNotFoundError:
        pass  # a process has just dropped it


def run(seconds: float, processes: int, seed: int) -> int:
    """Run jobs for a while; return how many wrong answers there were."""
    chance = random.Random(seed)
    wrong = done = killed = damaged = 0
    with tempfile.TemporaryDirectory() as scratch:
        place, store = Path(scratch), Path(scratch) / "facts"
        roots = write_versions(place)
        own = {name: value for name, value in os.environ.items() if name != FACTS}
        expected = {}
        for number, root in enumerate(roots):
            for kind in ("bake", "check"):
                out = place / f"{kind}-{number}"
                printed = subprocess.run(command(kind, root, out), env=own, stdout=subprocess.PIPE, check=True).stdout
                expected[kind, number] = answer_of(kind, out, printed)
        jobs: list[Job] = []
        started = time.monotonic()
        count = 0
        while jobs or time.monotonic() - started < seconds:
            while len(jobs) < processes and time.monotonic() - started < seconds:
                kind, number = chance.choice(list(expected))
                out = place / f"out-{count}"
                count += 1
                process = subprocess.Popen(
                    command(kind, roots[number], out),
                    env={**own, FACTS: str(store)},
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                )
                jobs.append(Job(process, kind, number, out))
            if chance.random() < DAMAGED:
                damage_one_of(store, chance)
                damaged += 1
            is_killed = chance.random() < KILLED
            job = jobs.pop(chance.randrange(len(jobs)) if is_killed else 0)
            if is_killed:
                time.sleep(chance.random() / 5)
                job.process.kill()
            printed, _ = job.process.communicate()
            if not (is_killed and job.process.returncode):
                done += 1
                if job.process.returncode or answer_of(job.kind, job.out, printed) != expected[job.kind, job.version]:
                    wrong += 1
                    print(f"wrong: {job.kind} of version {job.version}, exit code {job.process.returncode}")
            else:
                killed += 1
            shutil.rmtree(job.out, ignore_errors=True)
        left = [path.name for path in store.rglob("*.temporary")]
    print(f"{done} answers, {killed} processes killed, {damaged} times damaged, {wrong} wrong; {len(left)} files left")
    return wrong


@script(__doc__, seconds=600.0, processes=10, seed=0)
def main(given: Given) -> bool:
    """Run from the command line."""
    return run(given.seconds, given.processes, given.seed) > 0
