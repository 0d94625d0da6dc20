"""How fast are packages read?

    python -m scripts.bench.unreal tables|all|scan|rescan [--packages FOLDER] [--peer PROGRAM] [--temporary FOLDER]

tables   names, imports, exports of real packages beside the Rust crate `uasset` 0.6, from disk and from memory
all      every table of every real package, with all names and paths resolved
scan     10,000 packages into a database, on one process and on two
rescan   an unchanged rescan of 100,000 packages, and the memory it takes

`tables` and `all` want `--packages` (a folder of real packages with `package_tables.jsonl` beside it, default the
corpus); `tables` wants `--peer` or ASSETDB_UNREAL_PEER: the program of scripts/bench/peers/unreal
(`cargo build --release`). Runs are paired, A B A B; ratios are of medians.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from assetdb_formats.unreal.packages.package import Package
from assetdb_formats.unreal.scanning.scan import list_packages, scan
from assetdb_formats.unreal.scanning.store import decode, encode
from assetdb_formats.unreal.versions import PackageVersion
from scripts.arguments import Given, script
from scripts.bench.measuring import PEAK, alternately, medians, seconds
from scripts.programs import CHECKOUT, CORPUS
from tests.assetdb_formats.unreal.package_writer import Writer

ROUNDS = 7
PEER = os.environ.get("ASSETDB_UNREAL_PEER", "")


def rows_of(folder: Path) -> list[dict[str, Any]]:
    """Return the expected tables of the packages that have some."""
    lines = (folder / "package_tables.jsonl").read_bytes().splitlines()
    return [row for row in map(json.loads, lines) if row["ok"]]


def read_like_the_peer(data: bytes, version: PackageVersion | None = None) -> tuple[int, int, int]:
    """Read what the peer reads: summary, names as text, imports and exports as rows."""
    package = Package(data, version)
    return len(package.names), len(package.imports), len(package.exports)


def tables(given: argparse.Namespace) -> None:
    """Compare with the peer."""
    folder = given.packages or CORPUS / "unreal"
    rows = rows_of(folder)
    paths = [str(folder / "data" / row["file"]) for row in rows]
    peer = given.peer
    ours_right = 0
    for path, row in zip(paths, rows, strict=True):
        counts = read_like_the_peer(Path(path).read_bytes(), PackageVersion(row["ue4"], row["ue5"]))
        ours_right += counts == (row["name_count"], row["import_count"], row["export_count"])
    print(f"ours reads {ours_right} of {len(rows)} right")
    if not peer:
        print("the peer is absent: give --peer or ASSETDB_UNREAL_PEER (build scripts/bench/peers/unreal)")
        return

    def ask(mode: str, rounds: int, files: list[str]) -> list[str]:
        done = subprocess.run(
            [peer, mode, str(rounds)], input="\n".join(files), text=True, capture_output=True, check=True
        )
        return done.stdout.splitlines()

    verdicts = ask("check", 1, paths)
    readable = []
    for path, row, verdict in zip(paths, rows, verdicts, strict=True):
        if verdict == f"{row['name_count']} {row['import_count']} {row['export_count']}":
            readable.append(path)
    print(f"the peer reads {len(readable)} of {len(rows)} right; timed on these {len(readable)} alone")
    blobs = [Path(path).read_bytes() for path in readable]

    def disk() -> None:
        for path in readable:
            with open(path, "rb", buffering=0) as file:
                read_like_the_peer(file.read())

    def memory() -> None:
        for data in blobs:
            read_like_the_peer(data)

    count = len(readable)
    for mode, action in (("disk", disk), ("memory", memory)):
        # From memory both only compute, so a busy machine is left out of it: processor time, and the peer's best of
        # five rounds of 4 ms. From disk it is the time that passes.
        clock, rounds = (time.process_time, 5) if mode == "memory" else (time.perf_counter, 1)
        works = {
            "ours": partial(seconds, action, clock),
            "peer": partial(
                lambda *words: min(int(line.split()[0]) for line in ask(*words)) / 1e9, mode, rounds, readable
            ),
        }
        ours, theirs = medians(works, ROUNDS).values()
        print(
            f"{mode:6}  ours {ours / count * 1e6:7.1f} us a package, "
            f"peer {theirs / count * 1e6:7.1f} us, ratio {ours / theirs:.2f}"
        )


def everything(given: argparse.Namespace) -> None:
    """Time every table of every package."""
    folder = given.packages or CORPUS / "unreal"
    rows = rows_of(folder)
    packages = [((folder / "data" / row["file"]).read_bytes(), PackageVersion(row["ue4"], row["ue5"])) for row in rows]

    def tables_only() -> None:
        for data, version in packages:
            Package(data, version).tables()

    def resolved() -> None:
        for data, version in packages:
            package = Package(data, version)
            if package.damage():
                raise RuntimeError("a sound package has damage")

    for name, action in (("every table", tables_only), ("with all records and paths", resolved)):
        taken = median(seconds(action) for _ in range(ROUNDS))
        print(f"{name}: {taken:.3f} s for {len(packages)} packages, {taken / len(packages) * 1000:.3f} ms each")


def link_tree(folder: Path, sources: list[Path], count: int) -> None:
    """Fill a folder with ``count`` packages: hard links to the sources in turn, 100 a directory."""
    for number in range(count):
        source = sources[number % len(sources)]
        directory = folder / "Content" / f"D{number // 100:04d}"
        if number % 100 == 0:
            directory.mkdir(parents=True)
        os.link(source, directory / f"P{number}{source.suffix}")


def scanning(given: argparse.Namespace) -> None:
    """Time a scan of 10,000 packages."""
    folder = given.packages or CORPUS / "unreal"
    # Editor packages, what a project consists of; cooked, unversioned ones need their version inferred as well.
    sources = [folder / "data" / row["file"] for row in rows_of(folder) if not row["unversioned"]]
    with tempfile.TemporaryDirectory(dir=given.temporary) as place:
        copies = Path(place) / "sources"
        copies.mkdir()
        local = []
        for number, source in enumerate(sources):
            target = copies / f"{number}{source.suffix}"
            target.write_bytes(source.read_bytes())
            local.append(target)
        root = Path(place) / "project"
        link_tree(root, local, 10_000)

        def scanned(workers: int) -> tuple[float, float, float]:
            before = os.times()
            wall = seconds(partial(scan, str(root), workers=workers))
            spent = [after - earlier for after, earlier in zip(os.times(), before, strict=True)]
            return wall, spent[0] + spent[1], spent[2] + spent[3]

        found = alternately({workers: partial(scanned, workers) for workers in (1, 2)}, 5, warm=0)
        walls, processor = ({n: median(row[at] for row in rows) for n, rows in found.items()} for at in (0, 1))
        print(
            f"10,000 packages: {walls[1]:.2f} s on one process, {walls[2]:.2f} s on two, "
            f"{walls[1] / walls[2]:.2f} times as fast"
        )
        # On a machine that is busy with other things the second process waits for a core: this is what it would save.
        print(
            f"processor time of this process: {processor[1]:.2f} s alone, {processor[2]:.2f} s "
            f"with a helper, {processor[1] / processor[2]:.2f} times less"
        )
        spent = median(own + helper for _, own, helper in found[2])
        print(
            f"both processes together: {spent:.2f} s, {spent / processor[1] - 1:.0%} more than one alone; "
            f"the helper had {median(row[2] for row in found[2]) / spent:.0%} of it (half, on two free cores)"
        )


def rescanning(given: argparse.Namespace) -> None:
    """Time an unchanged rescan of 100,000 packages; each needs 15 of 20,000 others."""
    count = 100_000
    with tempfile.TemporaryDirectory(dir=given.temporary) as place:
        sources = []
        for number in range(500):
            writer = Writer(-8, 522, 1009)
            for near in range(15):
                target = (number * 37 + near * 1331) % count
                name = f"/Game/D{target // 100:04d}/P{target}"
                writer.imports.append(("/Script/CoreUObject", "Package", 0, name))
            writer.exports = [(0, 0, "Main", b"", True)]
            writer.assets = [("Main", "/Script/Engine.StaticMesh", {})]
            source = Path(place) / f"{number}.uasset"
            source.write_bytes(writer.data())
            sources.append(source)
        root = Path(place) / "project"
        link_tree(root, sources, count)
        first = seconds(lambda: scan(str(root)))
        database = scan(str(root)).database
        saved = encode(database, str(root))
        cache = Path(place) / "cache"
        cache.write_bytes(saved)
        del database

        def again() -> None:
            found = scan(str(root), decode(cache.read_bytes(), str(root)))
            if found.changed or found.removed:
                raise RuntimeError("something changed")

        taken = [seconds(again) for _ in range(5)]
        listing = median(seconds(lambda: list_packages(str(root))) for _ in range(3))
        script = (
            "import sys; from assetdb_formats.unreal.scanning.scan import scan\n"
            "from assetdb_formats.unreal.scanning.store import decode\n"
            "known = decode(open(sys.argv[2], 'rb').read(), sys.argv[1]) if sys.argv[2] else None\n"
            f"database = scan(sys.argv[1], known).database{PEAK}"
        )
        peaks = []
        for known in ("", str(cache)):
            command = [sys.executable, "-c", script, str(root), known]
            peaks.append(int(subprocess.check_output(command, text=True, cwd=CHECKOUT)) // 1024)
        print(
            f"{count:,} packages: first scan {first:.2f} s; unchanged rescan {median(taken):.2f} s "
            f"(of it {listing:.2f} s listing and stat); cache {len(saved) / 1e6:.0f} MB; "
            f"peak memory {peaks[0]} MB of the first scan, {peaks[1]} MB of the rescan"
        )


QUESTIONS = {"tables": tables, "all": everything, "scan": scanning, "rescan": rescanning}


@script(__doc__, f"question={'|'.join(QUESTIONS)}", packages=Path, peer=PEER, temporary=Path)
def main(given: Given) -> None:
    """Answer one question."""
    QUESTIONS[given.question](given)
