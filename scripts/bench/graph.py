"""What do references cost a bake, and what do they give: usages beside a search over all files?

::

    python scripts/bench/graph.py PROJECT... [--runs 7] [--peer unity-assetdb] [--rg rg] [--unityflow unityflow]

Whole processes in turn, ours and the peer's, warm page cache; the ratio of the medians is what counts. Our bake has the
graph in it, the crate's has none. A one-shot ``usages`` cannot take less than a bare start of the interpreter, which
is said beside it with the ratio that this floor would have; and the same question, answered with paths, to a database
that is open. Then, once open: reverse usages of every asset and the closure of every scene. A peer that is not there
is said.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import assetdb
from assetdb.query.graph.references import AssetGraph
from scripts.bench.measuring import Run, line, median, run

if TYPE_CHECKING:
    from assetdb.store.database import Database

START = "import sys; from assetdb.cli import main; sys.exit(main())"  # what an installed `assetdb` does


def bakes(project: Path, peer: str, runs: int) -> None:
    """Print cold bakes, ours with the graph."""
    if shutil.which(peer) is None:
        print(f"{project.name}: the peer is not here: cargo install unity-assetdb --version 0.2.0 (looked for {peer})")
        return
    ours: list[Run] = []
    theirs: list[Run] = []
    with tempfile.TemporaryDirectory() as scratch:
        for number in range(runs + 1):
            one, other = Path(scratch) / f"ours{number}", Path(scratch) / f"peer{number}"
            first = run(
                [
                    *(sys.executable, "-m", "assetdb", "bake", "--quiet", "--keep-going"),
                    *("--project", str(project), "--out-dir", str(one)),
                ]
            )
            second = run([peer, "bake", "--project", str(project), "--out-dir", str(other)])
            if number:  # the first round warms the page cache
                ours.append(first)
                theirs.append(second)
    print(line(f"{project.name}: cold, with graph", ours, theirs))


def much_used(database: Database) -> tuple[str, str]:
    """Return GUID and path of an asset that more files refer to than to 99 of 100."""
    graph = AssetGraph(database)
    chosen = [asset for asset in database if asset.path.endswith((".cs", ".prefab", ".png", ".mat"))]
    counted = sorted((len(graph.usages(asset.guid)), asset.guid, asset.path) for asset in chosen)
    _, guid, path = counted[len(counted) * 99 // 100]
    return guid, path


def searches(project: Path, arguments: argparse.Namespace) -> None:
    """Print ``assetdb usages`` of one much used asset beside searches over all files."""
    with tempfile.TemporaryDirectory() as scratch:
        result = assetdb.bake(project, scratch, keep_going=True)
        inside(project, result.database)
        with assetdb.open_database(result.database) as database:
            guid, path = much_used(database)
        with assetdb.open_database(result.database) as database:  # again, so that nothing is remembered
            graph = AssetGraph(database)
            started = time.perf_counter()
            found = [database.by_guid(user) for user in graph.usages(guid)]
            library = time.perf_counter() - started
        print(f"{project.name}: usages of {path}: {len(found)} files")
        usages = [sys.executable, "-c", START, "usages", guid, "--project", str(project), "--out-dir", scratch]
        usages.append("--no-refresh")  # it was baked just now; what the look takes, query.py measures
        bare = [sys.executable, "-c", "pass"]
        search = [arguments.rg, "--no-ignore", "--hidden", "-l", guid, str(project)]
        refs = [arguments.unityflow, "refs", str(project / path), "--project-root", str(project)]
        peers = {"rg": search, "grep": ["grep", "-rl", guid, str(project)], "unityflow refs": refs}
        for name, command in peers.items():
            if shutil.which(command[0]) is None:
                print(f"{project.name}: {name} is not here (looked for {command[0]})")
                continue
            runs = 1 if name == "unityflow refs" else arguments.runs  # that one takes up to a minute
            rounds = [(run(usages), run(command), run(bare)) for _ in range(runs)]
            ours, theirs, floor = (median(list(column)).wall for column in zip(*rounds, strict=True))
            print(
                f"{project.name + ': usages, ' + name:34} ours {ours * 1000:6.1f} ms   peer {theirs * 1000:7.1f} ms"
                f"   {theirs / ours:.0f} times; a bare start, {floor * 1000:.1f} ms, is {theirs / floor:.0f} times;"
                f" once open {library * 1e6:.0f} us, {theirs / library:,.0f} times"
            )


def inside(project: Path, path: str) -> None:
    """Print the time of questions to an open database."""
    with assetdb.open_database(path) as database:
        graph = AssetGraph(database)
        guids = [asset.guid for asset in database]
        times = [time.perf_counter()]
        for guid in guids:
            graph.usages(guid)
            times.append(time.perf_counter())
        steps = sorted(after - before for before, after in pairwise(times))
        print(
            f"{project.name}: reverse usages of {len(guids):,} assets: median {steps[len(steps) // 2] * 1e6:.1f} us,"
            f" slowest {steps[-1] * 1000:.2f} ms"
        )
        slowest, size, scene = max(_closure(graph, asset.guid, asset.path) for asset in database if _scene(asset.path))
        largest = max(
            (_closure(graph, asset.guid, asset.path) for asset in database if _scene(asset.path)),
            key=lambda row: row[1],
        )
        print(f"{project.name}: slowest closure of a scene: {slowest * 1000:.1f} ms ({size:,} assets, {scene});")
        print(f"{project.name}: largest: {largest[0] * 1000:.1f} ms ({largest[1]:,} assets, {largest[2]})")


def _scene(path: str) -> bool:
    return path.endswith(".unity")


def _closure(graph: AssetGraph, guid: str, path: str) -> tuple[float, int, str]:
    started = time.perf_counter()
    found = graph.dependencies(guid, deep=True)
    return time.perf_counter() - started, len(found), path


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("projects", nargs="+", type=Path, metavar="PROJECT")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--peer", default="unity-assetdb", help="the crate's command line")
    parser.add_argument("--rg", default="rg", help="ripgrep")
    parser.add_argument("--unityflow", default="unityflow", help="the command line of unityflow (PyPI)")
    arguments = parser.parse_args()
    for project in arguments.projects:
        bakes(project.resolve(), arguments.peer, arguments.runs)
        searches(project.resolve(), arguments)


if __name__ == "__main__":
    main()
