"""How soon is a change on the disk in the daemon's answers and in asset-db.bin, and what does the daemon cost?

    python -m scripts.bench.watch PROJECT... --scratch DIR [--edits 200] [--only latency,checkout,...]
    python -m scripts.bench.watch --scratch DIR --only wide [--assets 100000]

Parts: latency, disk, checkout, idle, peer, and wide: how soon a new asset of a folder of so many is in the answers,
compared with a bake that changes nothing. Every project is copied to ``--scratch`` first (once: a copy that is there is
used again); nothing is written to the project itself. The daemon is the real one, asked by :class:`assetdb.Client`;
the peer has no daemon, so its latency is that of its bake. Figures are medians and 99th percentiles; the machine should
have nothing else to do. (How long a start takes, :mod:`scripts.bench.all` prints; how many names are looked up,
:mod:`scripts.bench.watch_client`.)
"""

from __future__ import annotations

import os
import random
import re
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import assetdb
from scripts.arguments import Given, script
from scripts.bench.measuring import absent, bake_of, field_of, machine, medians, peer_bake, run, seconds, spread
from scripts.programs import daemon, git, repository

PARTS = "latency,disk,checkout,idle,peer"
PATIENCE = 60.0
GUID = re.compile(rb"guid: ([0-9a-f]{32})")
SETTLED = 4.0  # seconds after the start; before that the daemon makes ready for the first edit
HEAD = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n"


def guid_in(meta: Path) -> str:
    """Return the GUID of a meta."""
    found = GUID.search(meta.read_bytes())
    if found is None:
        raise ValueError(f"{meta} has no GUID")
    return found[1].decode()


def hidden(path: Path) -> bool:
    """Whether Unity, and so a bake, never sees a file of a project (``path`` relative to it)."""
    return any(part.startswith(".") or part.endswith("~") for part in path.parts)


def until(true: Callable[[], bool]) -> None:
    """Ask until it is so, 1 ms between two questions."""
    end = time.monotonic() + PATIENCE
    while not true():
        if time.monotonic() > end:
            raise TimeoutError("never")
        time.sleep(0.001)


class Edits:
    """Edits one project's copy, and knows what the daemon must answer after each."""

    def __init__(self, project: Path, client: assetdb.Client, seed: int = 1) -> None:
        self._project = project
        self._client = client
        self._chooser = random.Random(seed)
        self._guids = random.SystemRandom()  # a second run must not make duplicates of what the first left
        self._assets = [
            path
            for path in sorted((project / "Assets").rglob("*.meta"))
            if path.with_suffix("").is_file()
            and GUID.search(path.read_bytes()[:200])
            and not hidden(path.relative_to(project))
        ]
        self._yaml = [path for path in self._assets if path.with_suffix("").suffix in {".prefab", ".asset", ".unity"}]
        self._made: list[Path] = []
        self._number = 0

    def kinds(self) -> dict[str, Callable[[], Callable[[], bool]]]:
        """Return what edits there are: each does one, and returns what says whether the answer is there."""
        return {
            "meta edited": self.edit_meta,
            "prefab edited": self.edit_asset,
            "file added": self.add,
            "file renamed": self.rename,
            "file deleted": self.delete,
        }

    def _guid(self) -> str:
        return f"{self._guids.getrandbits(128):032x}"

    def _named(self, guid: str) -> str:
        return self._client.resolve([guid])[0].path

    def edit_meta(self) -> Callable[[], bool]:
        """Give an asset another GUID."""
        meta = self._chooser.choice(self._assets)
        guid = self._guid()
        meta.write_bytes(GUID.sub(b"guid: " + guid.encode(), meta.read_bytes(), count=1))
        return lambda: bool(self._named(guid))

    def edit_asset(self) -> Callable[[], bool]:
        """Let an asset refer to one more."""
        meta = self._chooser.choice(self._yaml)
        asset = meta.with_suffix("")
        own = guid_in(meta)
        target = guid_in(self._chooser.choice(self._assets))
        self._number += 1
        with asset.open("a", newline="") as file:
            file.write(
                f"--- !u!114 &{self._number}\nMonoBehaviour:\n"
                f"  m_Script: {{fileID: 11500000, guid: {target}, type: 3}}\n  m_Name: Late\n"
            )
        return lambda: target in str(self._client.deps(own))

    def add(self) -> Callable[[], bool]:
        """Add an asset."""
        guid = self._guid()
        folder = self._chooser.choice(self._assets).parent
        self._number += 1
        path = folder / f"Late{guid[:8]}.asset"
        path.write_text(f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n  m_Name: Late\n")
        meta = path.with_name(path.name + ".meta")
        meta.write_text(f"fileFormatVersion: 2\nguid: {guid}\nNativeFormatImporter:\n  userData: \n")
        self._made.append(meta)
        return lambda: bool(self._named(guid))

    def _one_made(self) -> tuple[Path, str]:
        meta = self._made.pop(self._chooser.randrange(len(self._made)))
        return meta, guid_in(meta)

    def rename(self) -> Callable[[], bool]:
        """Rename an asset that was added."""
        meta, guid = self._one_made()
        new = meta.with_name(f"Renamed{guid[:8]}{self._guids.getrandbits(32):08x}.asset.meta")
        meta.with_suffix("").rename(new.with_suffix(""))
        meta.rename(new)
        self._made.append(new)
        return lambda: self._named(guid).endswith(new.stem)

    def delete(self) -> Callable[[], bool]:
        """Delete an asset that was added."""
        meta, guid = self._one_made()
        meta.with_suffix("").unlink()
        meta.unlink()
        return lambda: not self._named(guid)


def latency(project: Path, count: int) -> None:
    """Print how long after a write the answer is there, asked all the time, and asked for by ``sync``."""
    with daemon(project, settled=SETTLED) as client:
        edits = Edits(project, client)
        whole: dict[str, list[float]] = {"asked": [], "synced": []}
        for kind, edit in edits.kinds().items():
            taken: dict[str, list[float]] = {"asked": [], "synced": []}
            for number in range(max(2, count // 5)):
                way = "asked" if number % 2 == 0 else "synced"
                started = time.perf_counter()
                answered = edit()
                if way == "synced":
                    client.sync()
                    if not answered():
                        raise AssertionError(f"{kind}: a sync came back before the answer")
                else:
                    until(answered)
                taken[way].append(time.perf_counter() - started)
                time.sleep(0.15)
            for way, seconds in taken.items():
                whole[way] += seconds
            print(f"  {kind:16} write -> answer {spread(taken['asked'])}   with sync {spread(taken['synced'])}")
        for way, seconds in whole.items():
            print(f"  all edits, {way:6}   {spread(seconds)}")


def disk(project: Path, count: int) -> None:
    """Print how long after a write asset-db.bin holds it."""
    path = project / "Library" / "assetdb" / "asset-db.bin"
    with daemon(project, settled=SETTLED) as client:
        client.sync(files=True)
        edits = Edits(project, client, 2)
        taken = []
        for _ in range(count):
            before = path.stat().st_mtime_ns
            started = time.perf_counter()
            edits.add()
            until(lambda before=before: path.stat().st_mtime_ns != before)  # type: ignore[misc]
            taken.append(time.perf_counter() - started)
            time.sleep(0.5)
        print(f"  write -> asset-db.bin on the disk {spread(taken)}")


def checkout(project: Path, runs: int) -> None:
    """Print how long after a ``git checkout`` of 10,000 files everything is known, and written."""
    if not (project / ".git").is_dir():
        repository(project)
        git(project, "config", "core.autocrlf", "false")
        git(project, "tag", "one")
        metas = [path for path in sorted((project / "Assets").rglob("*.meta")) if path.is_file()]
        for meta in random.Random(3).sample(metas, min(10_000, len(metas))):
            with meta.open("a", newline="") as file:
                file.write("labels:\n- Late\n")
        git(project, "commit", "-q", "-a", "-m", "two")
        git(project, "tag", "two")
    git(project, "checkout", "-q", "-f", "one")
    git(project, "clean", "-q", "-f", "-d", "Assets")
    changed = git(project, "diff", "--name-only", "one", "two").count("meta")
    with daemon(project, settled=SETTLED) as client:
        answers, files, ran = [], [], []
        for number in range(runs):
            ran.append(seconds(partial(git, project, "checkout", "-q", ("two", "one")[number % 2])))
            ended = time.perf_counter()
            client.sync()
            answers.append(time.perf_counter() - ended)
            client.sync(files=True)
            files.append(time.perf_counter() - ended)
            time.sleep(1.0)
    print(
        f"  checkout of {changed} files ({statistics.median(ran):.2f} s):"
        f" answers {spread(answers)} after git ends; files {spread(files)}"
    )


def idle(project: Path) -> None:
    """Print what the daemon takes while nothing happens."""
    with daemon(project, settled=SETTLED) as client:
        client.sync(files=True)
        pid = int(str(client.status()["pid"]))
        memory = field_of(f"/proc/{pid}/status", "VmRSS")
        time.sleep(13.0)  # the cache is written once after 10 s
        before = _used(pid)
        time.sleep(10.0)
        after = _used(pid)
        print(
            f"  idle for 10 s: {after[0] - before[0]} ticks of processor time, {after[1] - before[1]} wake-ups;"
            f" memory {memory / 1024:.0f} MiB at first, {field_of(f'/proc/{pid}/status', 'VmRSS') / 1024:.0f} MiB then"
        )


def _used(pid: int) -> tuple[int, int]:
    ticks = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    tasks = os.listdir(f"/proc/{pid}/task")
    switches = sum(field_of(f"/proc/{pid}/task/{task}/status", "voluntary_ctxt_switches") for task in tasks)
    return int(ticks[11]) + int(ticks[12]), switches


def peer(project: Path, program: str, runs: int) -> None:
    """Print how long an edit takes to be in a database beside the peer, which bakes again."""
    if shutil.which(program) is None:
        print(f"  {absent(program)}")
        return
    command = peer_bake(program, project, project / "Library" / "peer")
    run(command)
    with daemon(project, settled=SETTLED) as client:
        edits = Edits(project, client, 6)

        def edited(*, bakes: bool) -> float:
            time.sleep(0.5)
            started = time.perf_counter()
            answered = edits.edit_meta()
            if bakes:
                run(command)
            else:
                until(answered)
            return time.perf_counter() - started

        one, other = medians({bakes: partial(edited, bakes=bakes) for bakes in (False, True)}, runs).values()
    print(f"  one edit: ours {one * 1000:.1f} ms, the peer's bake {other * 1000:.1f} ms, ratio {one / other:.3f}")


def wide(scratch: Path, assets: int, edits: int) -> None:
    """Print how soon a new asset of a wide folder is known, beside a bake that changes nothing."""
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        project, place = Path(folder), Path(folder, "Assets", "Wide")
        place.mkdir(parents=True)
        (project / "ProjectSettings").mkdir()

        def add(name: str, number: int) -> None:
            (place / name).write_text("x")
            (place / f"{name}.meta").write_text(f"fileFormatVersion: 2\nguid: {number:032x}\nTextScriptImporter:\n")

        for number in range(assets):
            add(f"f{number}.txt", number + 1)
        bake = partial(run, bake_of(project, project / "Library" / "assetdb"))
        unchanged = medians({"bake": lambda: bake().wall}, 3, warm=1)["bake"]
        waits = []
        with daemon(project, settled=SETTLED) as client:
            for number in range(edits):
                add(f"new{number}.txt", (1 << 100) + number)
                waits.append(seconds(client.sync))
                time.sleep(1.0)
    wait = statistics.median(waits)
    print(f"sync {wait:.3f} s, unchanged bake {unchanged:.3f} s, ratio {wait / unchanged:.2f}")


@script(__doc__, "projects*", scratch=Path, only=PARTS, peer="unity-assetdb", edits=200, runs=7, assets=100_000)
def main(given: Given) -> None:
    """Run from the command line."""
    parts: dict[str, Callable[[Path], None]] = {
        "latency": lambda project: latency(project, given.edits),
        "disk": lambda project: disk(project, max(5, given.edits // 10)),
        "checkout": lambda project: checkout(project, given.runs),
        "idle": idle,
        "peer": lambda project: peer(project, given.peer, given.runs),
    }
    chosen = given.only.split(",")
    if given.scratch is None:
        sys.exit("--scratch is needed: the folder that projects are written to")
    if not {*chosen} <= {*parts, "wide"}:
        sys.exit(f"--only has some of {PARTS},wide")
    if "wide" in chosen:
        wide(given.scratch, given.assets, given.runs)
    for original in given.projects:
        project = given.scratch.resolve() / f"{original.resolve().parent.name}-{original.resolve().name}"
        if not project.is_dir():
            shutil.copytree(original, project, symlinks=True)
        print(f"{project.name}, {machine()} (load {os.getloadavg()[0]:.1f})")
        for part in chosen:
            if part in parts:
                parts[part](project)
