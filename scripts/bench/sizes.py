"""What does a project cost as it grows, to a million assets: bakes, questions, the daemon, memory?

Called by ``scripts/bench/bake.py --sizes 60k,300k,1m``. The projects are generated (:mod:`scripts.bench.synthetic`),
one after the other, and removed; one that is there as ``SCRATCH/synthetic-1000000`` is used and stays. Ours and the
peer's processes run in turn; the cost of an asset is told beside that in
the smallest project, which is what shows whether anything is out of proportion.
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import assetdb
from scripts.bench.measuring import Run, bare_start, line, median, peak_pss, pss, run
from scripts.bench.synthetic import Plan, generate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_LARGE = 200_000  # assets from which on a bake takes seconds: fewer runs are as good
_EDITS = 20
_SETTLED = 20.0  # seconds within which the daemon has made all that it makes for itself after a start


class Sized:
    """A generated project, and the commands that are measured on it."""

    def __init__(self, root: Path, scratch: Path, plan: Plan, peer: str) -> None:
        self.root = root
        self.plan = plan
        self.folder = scratch / "ours"
        self._theirs = scratch / "theirs"
        self._peer = peer
        self._edits = 0

    def command(self, *words: str) -> list[str]:
        """Return a command line of this checkout."""
        return [sys.executable, "-m", "assetdb", *words, "--project", str(self.root), "--out-dir", str(self.folder)]

    @property
    def bake(self) -> list[str]:
        """Our bake."""
        return self.command("bake", "--quiet")

    @property
    def peer_bake(self) -> list[str]:
        """The peer's."""
        return [self._peer, "bake", "--project", str(self.root), "--out-dir", str(self._theirs)]

    def forget(self) -> None:
        """Remove what both wrote."""
        for folder in (self.folder, self._theirs):
            shutil.rmtree(folder, ignore_errors=True)

    def path(self, kind: str, share: float) -> Path:
        """Return an asset of a kind, by the share of such assets that come before it."""
        numbers = self.plan.of_kind[kind]
        guid = self.plan.guids[numbers[int(share * (len(numbers) - 1))]]
        with assetdb.open_database(self.folder / "asset-db.bin") as database:
            found = database.by_guid(guid)
        if found is None:
            raise KeyError(guid)
        return self.root / found.path

    def edit(self) -> str:
        """Let one ScriptableObject refer to another asset, and return that one's GUID."""
        self._edits += 1
        path = self.path(".asset", self._edits / 1000)
        target = random.Random(self._edits).choice(self.plan.guids)
        with path.open("a", newline="") as file:
            file.write(f"  late{self._edits}: {{fileID: 2100000, guid: {target}, type: 2}}\n")
        os.utime(path.with_name(path.name + ".meta"))  # the peer looks at the meta's time alone
        return target


def bakes(project: Sized, runs: int) -> dict[str, tuple[list[Run], list[Run]]]:
    """Bake cold, unchanged and after an edit, in turn with the peer, after one bake that warms the page cache."""
    run(project.bake)
    found: dict[str, tuple[list[Run], list[Run]]] = {name: ([], []) for name in ("cold", "no-op", "one file edited")}
    for _ in range(runs):
        project.forget()
        pairs = [(run(project.bake), run(project.peer_bake)) for _ in range(2)]
        project.edit()
        pairs.append((run(project.bake), run(project.peer_bake)))
        for (ours, theirs), (mine, peers) in zip(pairs, found.values(), strict=True):
            mine.append(ours)
            peers.append(theirs)
    return found


def questions(project: Sized, runs: int, unchanged: float) -> None:
    """Print what a question takes: by GUID beside a bare start, after a look at the tree beside a bake."""
    asset, script = project.path(".prefab", 0.5), project.path(".cs", 0.001)
    guids = [_guid(path) for path in (asset, script)]
    bare = bare_start()
    for words in (["name", f"{guids[0]}:1000"], ["usages", guids[1], "--no-refresh"], ["usages", guids[1]]):
        taken = median([run(project.command(*words)) for _ in range(runs + 1)][1:])
        beside = f"{taken.wall / bare.wall:.2f} bare starts"
        if words[0] == "usages" and len(words) == 2:
            beside = f"{taken.wall / unchanged:.2f} bakes that change nothing"
        print(f"  {' '.join(['assetdb', words[0], *words[2:]]):32} {taken.wall * 1000:7.1f} ms, {beside}")
    started = time.perf_counter()
    with assetdb.open_database(project.folder / "asset-db.bin") as database:
        opened = time.perf_counter()
        database.by_guid(guids[0])
        answered = time.perf_counter()
    print(
        f"  the database opens in {(opened - started) * 1e6:.0f} us, first by_guid {(answered - opened) * 1e6:.0f} us"
    )


def _guid(path: Path) -> str:
    return path.with_name(path.name + ".meta").read_text().split("guid: ")[1][:32]


def watch(project: Sized, unchanged: float) -> None:
    """Print what a daemon takes: its start, an edit until it is in the answers, its memory."""
    start = run(project.command("watch", "--detach"))
    with assetdb.Client.connect(project.root, project.folder, timeout=600.0) as client:
        pid = int(str(client.status()["pid"]))
        began = time.perf_counter()
        client.resolve([project.plan.guids[0]])
        answered = time.perf_counter() - began
        peak = pss(pid)
        edits = _edits(project, client, lambda: pss(pid))
        peak = max(peak, edits[2])
        time.sleep(_SETTLED)
        settled = pss(pid)
        watches = client.status()["watch"]
        client.shutdown()
        while os.path.isdir(f"/proc/{pid}"):
            time.sleep(0.01)
    print(
        f"  watch: starts in {start.wall * 1000:.0f} ms, {start.wall / unchanged:.2f} bakes that change nothing;"
        f" first answer after {answered * 1000:.1f} ms"
    )
    print(
        f"  watch: an edit is in the answers after {edits[0] * 1000:.0f} ms (first {edits[1] * 1000:.0f});"
        f" {max(peak, settled):.0f} MiB at most, {settled:.0f} when settled; {watches}"
    )


def _edits(project: Sized, client: assetdb.Client, memory: Callable[[], float]) -> tuple[float, float, float]:
    """Edit, and return the median and the first latency, and the most memory seen."""
    taken, most = [], 0.0
    for _ in range(_EDITS):
        asset = _guid(project.path(".asset", (project._edits + 1) / 1000))  # noqa: SLF001 - of this very file
        began = time.perf_counter()
        target = project.edit()
        client.sync(timeout=600.0)
        if target not in str(client.deps(asset)):
            raise AssertionError("a sync came back before the answer")
        taken.append(time.perf_counter() - began)
        most = max(most, memory())
        time.sleep(0.2)
    return statistics.median(taken), taken[0], most


@contextlib.contextmanager
def generated(assets: int, scratch: Path | None, peer: str) -> Iterator[Sized]:
    """Yield a project of so many assets: the one that ``scratch`` has already, which stays, or a new one."""
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        root = (scratch or Path(folder)) / f"synthetic-{assets}"
        if root.is_dir():
            yield Sized(root, Path(folder), Plan(assets), peer)
            return
        root = Path(folder) / "Project"
        began = time.perf_counter()
        plan = generate(root, assets)
        print(f"written in {time.perf_counter() - began:.0f} s", flush=True)
        time.sleep(1.0)  # what was written a moment ago is read again by the next bake
        yield Sized(root, Path(folder), plan, peer)


def compare_sizes(sizes: list[int], peer: str, runs: int, scratch: Path | None) -> None:
    """Print all that for each size."""
    smallest: Run | None = None
    for assets in sizes:
        with generated(assets, scratch, peer) as project:
            print(f"{assets:,} assets in {project.plan.folders:,} folders")
            found = bakes(project, runs if assets < _LARGE else max(1, runs // 4))
            for name, (ours, theirs) in found.items():
                print(f"  {line(name, ours, theirs)}", flush=True)
            cold, unchanged = median(found["cold"][0]), median(found["no-op"][0])
            each = Run(cold.wall / assets, cold.processor / assets, 0)
            smallest = smallest or each
            print(
                f"  cold, each asset {each.wall * 1e6:.1f} us ({each.processor * 1e6:.1f} cpu):"
                f" {each.wall / smallest.wall:.2f} (cpu {each.processor / smallest.processor:.2f}) of the first size's"
            )
            project.forget()
            ours, theirs = ([peak_pss(bake) for _ in range(2)] for bake in (project.bake, project.peer_bake))
            print(
                f"  all processes together: cold {ours[0]:.0f} MiB, no-op {ours[1]:.0f};"
                f" the peer's cold {theirs[0]:.0f}, no-op {theirs[1]:.0f}",
                flush=True,
            )
            questions(project, runs, unchanged.wall)
            watch(project, unchanged.wall)
