"""How soon is a change on the disk in the daemon's answers and in asset-db.bin, and what does the daemon cost?

::

    python -m scripts.bench.watch PROJECT... --scratch DIR [--edits 200] [--only latency,checkout,...]

Every project is copied to ``--scratch`` first (once: a copy that is there is used again); nothing is written to the
project itself. The daemon is the real one, asked through :class:`assetdb.Client`; the peer has no daemon, so its
latency is that of its bake. Figures are medians and 99th percentiles; the machine should have nothing else to do.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import assetdb

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CHECKOUT = Path(__file__).resolve().parent.parent.parent
PARTS = ("start", "latency", "disk", "checkout", "lookups", "idle", "peer")
PATIENCE = 60.0
GUID = re.compile(rb"guid: ([0-9a-f]{32})")
BATCH = 1000
CLIENTS = 64
SETTLED = 2.0  # seconds after the start; before that the daemon makes ready for the first edit
HEAD = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n"


def assetdb_command(*words: str) -> list[str]:
    """Return a command line of this checkout."""
    return [sys.executable, "-m", "assetdb", *words]


def run(command: list[str], cwd: Path = CHECKOUT) -> float:
    """Run a command to its end; return the seconds it took."""
    started = time.perf_counter()
    subprocess.run(command, check=True, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - started


@contextlib.contextmanager
def daemon(project: Path) -> Iterator[assetdb.Client]:
    """Start the daemon of a project, yield a client, and stop it again."""
    run(assetdb_command("watch", "--detach", "--project", str(project)))
    with assetdb.Client.connect(project, timeout=PATIENCE) as client:
        client.sync()
        time.sleep(SETTLED)
        try:
            yield client
        finally:
            end_of(client)


def end_of(client: assetdb.Client) -> None:
    """Stop a daemon and wait until its process has ended."""
    pid = int(str(client.status()["pid"]))
    client.shutdown()
    end = time.monotonic() + PATIENCE
    while os.path.isdir(f"/proc/{pid}") and time.monotonic() < end:
        time.sleep(0.005)


def guid_in(meta: Path) -> str:
    """Return the GUID that a meta says."""
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


def percentiles(seconds: list[float]) -> str:
    """Lay figures out in milliseconds."""
    ordered = sorted(seconds)
    high = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    return f"median {statistics.median(ordered) * 1000:6.1f} ms, p99 {high * 1000:6.1f} ms, of {len(ordered)}"


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
    with daemon(project) as client:
        time.sleep(2.0)
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
            print(
                f"  {kind:16} write -> answer {percentiles(taken['asked'])}   with sync {percentiles(taken['synced'])}"
            )
        for way, seconds in whole.items():
            print(f"  all edits, {way:6}   {percentiles(seconds)}")


def disk(project: Path, count: int) -> None:
    """Print how long after a write asset-db.bin holds it."""
    path = project / "Library" / "assetdb" / "asset-db.bin"
    with daemon(project) as client:
        client.sync(files=True)
        time.sleep(2.0)
        edits = Edits(project, client, 2)
        taken = []
        for _ in range(count):
            before = path.stat().st_mtime_ns
            started = time.perf_counter()
            edits.add()
            until(lambda before=before: path.stat().st_mtime_ns != before)  # type: ignore[misc]
            taken.append(time.perf_counter() - started)
            time.sleep(0.5)
        print(f"  write -> asset-db.bin on the disk {percentiles(taken)}")


def checkout(project: Path, runs: int) -> None:
    """Print how long after a ``git checkout`` of 10,000 files everything is known, and written."""
    git = ["git", "-c", "user.name=bench", "-c", "user.email=bench@example.invalid", "-c", "core.autocrlf=false"]
    if not (project / ".git").is_dir():
        (project / ".gitignore").write_text("Library/\n")
        run([*git, "init", "-q"], project)
        run([*git, "add", "-A"], project)
        run([*git, "commit", "-q", "-m", "one"], project)
        run([*git, "tag", "one"], project)
        metas = [path for path in sorted((project / "Assets").rglob("*.meta")) if path.is_file()]
        for meta in random.Random(3).sample(metas, min(10_000, len(metas))):
            with meta.open("a", newline="") as file:
                file.write("labels:\n- Late\n")
        run([*git, "commit", "-q", "-a", "-m", "two"], project)
        run([*git, "tag", "two"], project)
    run([*git, "checkout", "-q", "-f", "one"], project)
    run([*git, "clean", "-q", "-f", "-d", "Assets"], project)
    counted = subprocess.run([*git, "diff", "--name-only", "one", "two"], cwd=project, capture_output=True, check=True)
    with daemon(project) as client:
        time.sleep(2.0)
        answers, files, ran = [], [], []
        for number in range(runs):
            ran.append(run([*git, "checkout", "-q", ("two", "one")[number % 2]], project))
            ended = time.perf_counter()
            client.sync()
            answers.append(time.perf_counter() - ended)
            client.sync(files=True)
            files.append(time.perf_counter() - ended)
            time.sleep(1.0)
    print(
        f"  checkout of {counted.stdout.count(b'meta')} files ({statistics.median(ran):.2f} s):"
        f" answers {percentiles(answers)} after git ends; files {percentiles(files)}"
    )


def worker(project: Path, clients: int, seconds: float, queries: list[str], batch: int) -> None:
    """Ask for a while over several connections in turn, and print how many answers came."""
    connections = [assetdb.Client.connect(project, timeout=PATIENCE) for _ in range(clients)]
    count = 0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for connection in connections:
            count += len(connection.resolve(queries[:batch]))
    print(count / seconds)


def lookups(project: Path) -> None:
    """Print how many names a second one connection gets, and 64 at once."""
    with daemon(project) as client:
        time.sleep(2.0)
        edits = Edits(project, client)
        metas = random.Random(4).sample(edits._assets, BATCH)  # noqa: SLF001 - of this very file
        queries = [guid_in(meta) for meta in metas]
        client.resolve(queries)
        for label, clients, processes, batch in (
            ("one connection", 1, 1, BATCH),
            (f"{CLIENTS} clients", CLIENTS // 4, 4, 100),
        ):
            command = [sys.executable, "-m", "scripts.bench.watch", str(project), "--worker", str(clients), str(batch)]
            with contextlib.ExitStack() as stack:
                asked = stack.enter_context(tempfile.TemporaryFile("w+"))
                asked.write("\n".join(queries))
                started = []
                for _ in range(processes):
                    asked.seek(0)
                    name = stack.enter_context(open(f"/proc/self/fd/{asked.fileno()}"))
                    started.append(subprocess.Popen(command, cwd=CHECKOUT, stdin=name, stdout=subprocess.PIPE))
                said = [float(process.communicate()[0]) for process in started]
            print(f"  {label:16} {sum(said):10,.0f} lookups/s in batches of {batch}")


def idle(project: Path) -> None:
    """Print what the daemon takes while nothing happens."""
    with daemon(project) as client:
        client.sync(files=True)
        pid = int(str(client.status()["pid"]))
        memory = _field(f"/proc/{pid}/status", "VmRSS")
        time.sleep(13.0)  # the cache is written once after 10 s
        before = _used(pid)
        time.sleep(10.0)
        after = _used(pid)
        print(
            f"  idle for 10 s: {after[0] - before[0]} ticks of processor time, {after[1] - before[1]} wake-ups;"
            f" memory {memory / 1024:.0f} MiB at first, {_field(f'/proc/{pid}/status', 'VmRSS') / 1024:.0f} MiB then"
        )


def _used(pid: int) -> tuple[int, int]:
    ticks = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    tasks = os.listdir(f"/proc/{pid}/task")
    switches = sum(_field(f"/proc/{pid}/task/{task}/status", "voluntary_ctxt_switches") for task in tasks)
    return int(ticks[11]) + int(ticks[12]), switches


def _field(path: str, name: str) -> int:
    for line in Path(path).read_text().splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1])
    raise KeyError(name)


def start(project: Path, runs: int) -> None:
    """Print how long a start with a good cache takes beside a bake that changes nothing."""
    bakes, starts = [], []
    run(assetdb_command("bake", "--quiet", "--keep-going", "--project", str(project)))
    for number in range(runs + 1):
        baked = run(assetdb_command("bake", "--quiet", "--keep-going", "--project", str(project)))
        started = run(assetdb_command("watch", "--detach", "--project", str(project)))
        with assetdb.Client.connect(project, timeout=PATIENCE) as client:
            end_of(client)
        if number:
            bakes.append(baked)
            starts.append(started)
    one, other = statistics.median(starts), statistics.median(bakes)
    print(f"  start until it answers {one * 1000:.0f} ms, no-op bake {other * 1000:.0f} ms, ratio {one / other:.2f}")


def peer(project: Path, program: str, runs: int) -> None:
    """Print how long an edit takes to be in a database beside the peer, which bakes again."""
    if shutil.which(program) is None:
        print(f"  the peer is not here: cargo install unity-assetdb --version 0.2.0 (looked for {program})")
        return
    command = [program, "bake", "--project", str(project), "--out-dir", str(project / "Library" / "peer")]
    run(command)
    with daemon(project) as client:
        time.sleep(2.0)
        edits = Edits(project, client, 6)
        ours, theirs = [], []
        for _ in range(runs):
            for bakes in (False, True):
                started = time.perf_counter()
                answered = edits.edit_meta()
                if bakes:
                    run(command)
                    theirs.append(time.perf_counter() - started)
                else:
                    until(answered)
                    ours.append(time.perf_counter() - started)
                time.sleep(0.5)
    one, other = statistics.median(ours), statistics.median(theirs)
    print(f"  one edit: ours {one * 1000:.1f} ms, the peer's bake {other * 1000:.1f} ms, ratio {one / other:.3f}")


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("projects", nargs="+", type=Path, metavar="PROJECT")
    parser.add_argument("--scratch", type=Path, help="where the copies go")
    parser.add_argument("--edits", type=int, default=200)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--only", default=",".join(PARTS), help=f"some of {','.join(PARTS)}")
    parser.add_argument("--peer", default="unity-assetdb", help="the crate's command line")
    parser.add_argument("--worker", nargs=2, type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.worker:
        worker(arguments.projects[0], arguments.worker[0], 3.0, sys.stdin.read().split(), arguments.worker[1])
        return
    if arguments.scratch is None:
        parser.error("--scratch says where the projects are copied to")
    for original in arguments.projects:
        project = arguments.scratch.resolve() / f"{original.resolve().parent.name}-{original.resolve().name}"
        if not project.is_dir():
            shutil.copytree(original, project, symlinks=True)
        print(f"{project.name} (load {os.getloadavg()[0]:.1f})")
        for part in arguments.only.split(","):
            match part:
                case "start":
                    start(project, arguments.runs)
                case "latency":
                    latency(project, arguments.edits)
                case "disk":
                    disk(project, max(5, arguments.edits // 10))
                case "checkout":
                    checkout(project, arguments.runs)
                case "lookups":
                    lookups(project)
                case "idle":
                    idle(project)
                case "peer":
                    peer(project, arguments.peer, arguments.runs)
                case _:
                    parser.error(f"{part} is none of {', '.join(PARTS)}")


if __name__ == "__main__":
    main()
