"""What does a project cost as it grows, to a million assets: bakes, questions, the daemon, memory?

Called by ``python -m scripts.bench.bake --sizes 60k,300k,1m``. The projects are generated
(:mod:`scripts.bench.synthetic`), one after the other, and removed; one that is there as ``SCRATCH/synthetic-1000000``
is used and stays. Ours and the peer's processes run in turn; the cost of an asset is printed with its ratio to that in
the smallest project, which shows whether anything is out of proportion.
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import assetdb
from scripts import programs
from scripts.bench.measuring import Run, bake_of, bakes, bare_start, median, peak_pss, peer_bake, pss, run, table
from scripts.bench.synthetic import Plan, count_of, generate

_LARGE = 200_000  # assets from which on a bake takes seconds: fewer runs are as good
_EDITS = 20
_SETTLED = 20.0  # seconds within which the daemon has made all that it makes for itself after a start


class Sized:
    """A generated project, and the commands that are measured on it."""

    def __init__(self, root: Path, scratch: Path, plan: Plan, peer: str) -> None:
        self.root = root
        self.plan = plan
        self.folders = scratch / "ours", scratch / "theirs"
        self.commands = {"ours": bake_of(root, self.folders[0]), "peer": peer_bake(peer, root, self.folders[1])}
        self._edits = 0

    def command(self, *words: str) -> list[str]:
        """Return a command line of this checkout."""
        return programs.assetdb(*words, project=self.root, out_dir=self.folders[0])

    def path(self, kind: str, share: float) -> Path:
        """Return an asset of a kind, by the share of such assets that come before it."""
        numbers = self.plan.of_kind[kind]
        guid = self.plan.guids[numbers[int(share * (len(numbers) - 1))]]
        with assetdb.open_database(self.folders[0] / "asset-db.bin") as database:
            found = database.by_guid(guid)
        if found is None:
            raise KeyError(guid)
        return self.root / found.path

    def next_edited(self) -> Path:
        """Return the asset that the next edit changes."""
        return self.path(".asset", (self._edits + 1) / 1000)

    def edit(self) -> str:
        """Let one ScriptableObject refer to another asset, and return that one's GUID."""
        path = self.next_edited()
        self._edits += 1
        target = random.Random(self._edits).choice(self.plan.guids)
        with path.open("a", newline="") as file:
            file.write(f"  late{self._edits}: {{fileID: 2100000, guid: {target}, type: 2}}\n")
        os.utime(path.with_name(path.name + ".meta"))  # the peer looks at the meta's time alone
        return target


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
    with assetdb.open_database(project.folders[0] / "asset-db.bin") as database:
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
    with assetdb.Client.connect(project.root, project.folders[0], timeout=programs.PATIENCE) as client:
        pid = int(str(client.status()["pid"]))
        began = time.perf_counter()
        client.resolve([project.plan.guids[0]])
        answered = time.perf_counter() - began
        taken, peak = [], pss(pid)
        for _ in range(_EDITS):
            asset = _guid(project.next_edited())
            began = time.perf_counter()
            target = project.edit()
            client.sync(timeout=programs.PATIENCE)
            if target not in str(client.deps(asset)):
                raise AssertionError("a sync came back before the answer")
            taken.append(time.perf_counter() - began)
            peak = max(peak, pss(pid))
            time.sleep(0.2)
        time.sleep(_SETTLED)
        settled = pss(pid)
        watches = client.status()["watch"]
        programs.stopped(client)
    print(
        f"  watch: starts in {start.wall * 1000:.0f} ms, {start.wall / unchanged:.2f} bakes that change nothing;"
        f" first answer after {answered * 1000:.1f} ms"
    )
    print(
        f"  watch: an edit is in the answers after {statistics.median(taken) * 1000:.0f} ms"
        f" (first {taken[0] * 1000:.0f});"
        f" {max(peak, settled):.0f} MiB at most, {settled:.0f} when settled; {watches}"
    )


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


def compare_sizes(sizes: str, peer: str, runs: int, scratch: Path | None) -> None:
    """Print all that for each size, as ``60k,1m``."""
    smallest: Run | None = None
    for assets in map(count_of, filter(None, sizes.split(","))):
        with generated(assets, scratch, peer) as project:
            print(f"{assets:,} assets in {project.plan.folders:,} folders")
            run(project.commands["ours"])
            few = runs if assets < _LARGE else max(1, runs // 4)
            found = bakes(project.commands, project.folders, few, project.edit, warm=0)
            for name, columns in found.items():
                print(f"  {name}")
                table(columns, "peer")
            cold, unchanged = median(found["cold"]["ours"]), median(found["no-op"]["ours"])
            each = Run(cold.wall / assets, cold.processor / assets, 0)
            smallest = smallest or each
            print(
                f"  cold, each asset {each.wall * 1e6:.1f} us ({each.processor * 1e6:.1f} cpu):"
                f" {each.wall / smallest.wall:.2f} (cpu {each.processor / smallest.processor:.2f}) of the first size's"
            )
            for folder in project.folders:
                shutil.rmtree(folder, ignore_errors=True)
            ours, theirs = ([peak_pss(bake) for _ in range(2)] for bake in project.commands.values())
            print(
                f"  all processes together: cold {ours[0]:.0f} MiB, no-op {ours[1]:.0f};"
                f" the peer's cold {theirs[0]:.0f}, no-op {theirs[1]:.0f}",
                flush=True,
            )
            questions(project, runs, unchanged.wall)
            watch(project, unchanged.wall)
