"""What do references give: usages beside a search over all files?

    python -m scripts.bench.graph PROJECT... [--runs 7] [--rg rg] [--unityflow unityflow]

Whole processes in turn, warm page cache; the ratio of the medians is what counts. (What references cost a bake shows
in ``python -m scripts.bench.bake``: ours has the graph in it, the crate's has none.) A one-shot ``usages`` cannot take
less than a bare start of the interpreter, which is printed too, with the ratio that this floor would have; and so is
the same question, answered with paths, to a database that is open. A missing peer is reported.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from itertools import pairwise
from pathlib import Path

import assetdb
from assetdb.query.graph.references import AssetGraph
from assetdb.store.database import Database
from scripts.arguments import Given, script
from scripts.bench.measuring import median, runs_of, seconds
from scripts.programs import BARE, ENTRY


def much_used(database: Database) -> tuple[str, str]:
    """Return GUID and path of an asset that more files refer to than to 99 of 100."""
    graph = AssetGraph(database)
    chosen = [asset for asset in database if asset.path.endswith((".cs", ".prefab", ".png", ".mat"))]
    counted = sorted((len(graph.usages(asset.guid)), asset.guid, asset.path) for asset in chosen)
    _, guid, path = counted[len(counted) * 99 // 100]
    return guid, path


def searches(project: Path, rg: str, unityflow: str, runs: int) -> None:
    """Print ``assetdb usages`` of one much used asset beside searches over all files."""
    with tempfile.TemporaryDirectory() as scratch:
        result = assetdb.bake(project, scratch, keep_going=True)
        inside(project, result.database)
        with assetdb.open_database(result.database) as database:
            guid, path = much_used(database)
        with assetdb.open_database(result.database) as database:  # again, so that nothing is remembered
            graph = AssetGraph(database)
            library = seconds(lambda: [database.by_guid(user) for user in graph.usages(guid)])
            print(f"{project.name}: usages of {path}: {len(graph.usages(guid))} files")
        # It was baked just now; what the look takes, query.py measures.
        usages = [*ENTRY, "usages", guid, "--project", str(project), "--out-dir", scratch, "--no-refresh"]
        search = [rg, "--no-ignore", "--hidden", "-l", guid, str(project)]
        refs = [unityflow, "refs", str(project / path), "--project-root", str(project)]
        peers = {"rg": search, "grep": ["grep", "-rl", guid, str(project)], "unityflow refs": refs}
        for name, command in peers.items():
            if shutil.which(command[0]) is None:
                print(f"{project.name}: {name} is not here (looked for {command[0]})")
                continue
            rounds = 1 if name == "unityflow refs" else runs  # that one takes up to a minute
            columns = runs_of({"ours": usages, "theirs": command, "floor": BARE}, rounds, warm=0)
            ours, theirs, floor = (median(column).wall for column in columns.values())
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
        closures = [_closure(graph, asset.guid, asset.path) for asset in database if asset.path.endswith(".unity")]
        slowest, largest = max(closures), max(closures, key=lambda row: row[1])
        for what, (took, size, scene) in (("slowest closure of a scene", slowest), ("largest", largest)):
            print(f"{project.name}: {what}: {took * 1000:.1f} ms ({size:,} assets, {scene})")


def _closure(graph: AssetGraph, guid: str, path: str) -> tuple[float, int, str]:
    found: list[object] = []
    return seconds(lambda: found.extend(graph.dependencies(guid, deep=True))), len(found), path


@script(__doc__, "projects+", runs=7, rg="rg", unityflow="unityflow")
def main(given: Given) -> None:
    """Run from the command line."""
    for project in given.projects:
        searches(project.resolve(), given.rg, given.unityflow, given.runs)
