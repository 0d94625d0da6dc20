"""How fast are catalogs read, beside the quickest other reader?

    python3.12 scripts/bench/catalog.py --catalogs FOLDER

The other reader is the Rust backend of `addressablestools` (PyPI, Python 3.12): run this with an interpreter that has
it. Both run in one process, turn about (theirs, ours, theirs, ours ...); what counts is the ratio of the medians.
FOLDER is searched for catalogs of half a megabyte and more, and the largest below that of each folder. The other
reader makes every location with all its facts; ours are asked for twice: as objects whose facts are decoded when they
are asked for, and with every fact decoded. Whole processes and peak memory are measured in child processes.
"""

from __future__ import annotations

import argparse
import gc
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

CHECKOUT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(CHECKOUT))

from assetdb_formats.addressables.lazy import LazyLocations  # noqa: E402 - the same
from assetdb_formats.addressables.queries.diff import diff_catalogs  # noqa: E402 - from this checkout
from assetdb_formats.addressables.reading import read_catalog  # noqa: E402 - the same

if TYPE_CHECKING:
    from collections.abc import Callable

OURS_QUERY = (
    "import sys; sys.path.insert(0, {checkout!r}); from assetdb_formats.addressables.reading import read_catalog; "
    "catalog = read_catalog(open({path!r}, 'rb').read()); catalog.locate('x')"
)
OURS_ALL = OURS_QUERY + "; kept = list(catalog.locations())"
PEER = (
    "import addressablestools; data = open({path!r}, 'rb').read(); "
    "found = addressablestools.parse(data.decode() if data[:1] == b'{{' else data, backend='rust')"
)
# Not getrusage: its peak survives exec, and so would be this process's own.
PEAK = "; print([line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')][0])"


def main() -> int:
    """Print one line for each question."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--catalogs", required=True, help="folder of catalogs")
    parser.add_argument("--rounds", type=int, default=15, help="pairs for each question (default: 15)")
    arguments = parser.parse_args()
    try:
        import addressablestools  # type: ignore[import-not-found, unused-ignore]  # noqa: PLC0415 - optional
    except ImportError:
        addressablestools = None
        print("addressablestools is not installed here: our own times alone")
    large, middle, series = find(arguments.catalogs)
    print(f"Python {sys.version.split()[0]}; medians of {arguments.rounds} pairs\n")
    for path in (*large, *middle):
        data = Path(path).read_bytes()
        given = data.decode("utf-8") if data[:1] == b"{" else data
        name = os.path.relpath(path, arguments.catalogs)

        def theirs(given: object = given) -> object:
            assert addressablestools is not None  # noqa: S101 - asked for only where it is there
            return addressablestools.parse(given, backend="rust")

        def query_ready(data: bytes = data) -> object:
            return read_catalog(data).key_index

        def objects(data: bytes = data) -> object:
            catalog = read_catalog(data)
            return catalog.key_index, list(LazyLocations(catalog))

        def everything(data: bytes = data) -> object:
            catalog = read_catalog(data)
            return catalog.key_index, list(catalog.locations())

        peer = theirs if addressablestools is not None and can_read(theirs) else None
        report(f"{name}: query-ready", *pairs(peer, query_ready, arguments.rounds))
        report(f"{name}: every location an object", *pairs(peer, objects, arguments.rounds))
        report(f"{name}: every fact decoded", *pairs(peer, everything, arguments.rounds))
    if large and addressablestools is not None:
        print()
        for path in large:
            processes(path, os.path.relpath(path, arguments.catalogs), arguments.rounds)
    if len(series) > 1:
        print()
        time_series(series)
    return 0


def can_read(theirs: Callable[[], object]) -> bool:
    """Whether the other reader takes a catalog: those from before 1.1 it does not."""
    try:
        theirs()
    except Exception:  # noqa: BLE001 - whatever it raises
        return False
    return True


def find(folder: str) -> tuple[list[str], list[str], list[str]]:
    """Return the large catalogs, the largest other of each folder, and the longest series of builds, by name."""
    large: list[str] = []
    folders: dict[str, list[str]] = {}
    for place, names, files in os.walk(folder):
        names[:] = sorted(name for name in names if name != "malformed")
        found = [
            os.path.join(place, name)
            for name in sorted(files)
            if name.endswith((".json", ".bin")) and ("catalog" in name or os.path.basename(place) == "derived")
            and "content_state" not in name
        ]  # fmt: skip
        large += [path for path in found if os.path.getsize(path) >= 1 << 19]
        folders[place] = [path for path in found if os.path.getsize(path) < 1 << 19]
    middle = [max(found, key=os.path.getsize) for found in folders.values() if found]
    return large, middle, max(folders.values(), key=len, default=[])[-20:]


def pairs(
    theirs: Callable[[], object] | None, ours: Callable[[], object], rounds: int
) -> tuple[list[float], list[float]]:
    """Time both turn about; seconds of each round."""
    times: tuple[list[float], list[float]] = ([], [])
    for number in range(rounds + 1):
        for which, call in enumerate((theirs, ours)):
            if call is None:
                continue
            gc.collect()
            start = time.perf_counter()
            kept = call()
            taken = time.perf_counter() - start
            del kept
            if number:  # the first round warms up
                times[which].append(taken)
    return times


def report(question: str, theirs: list[float], ours: list[float]) -> None:
    """Print the medians and their ratio."""
    mine = statistics.median(ours) * 1000
    if not theirs:
        print(f"{question:75} {mine:8.2f} ms")
        return
    peer = statistics.median(theirs) * 1000
    print(f"{question:75} {mine:8.2f} ms, theirs {peer:8.2f} ms, ratio {mine / peer:.2f}")


def processes(path: str, name: str, rounds: int) -> None:
    """Compare whole processes, from start to exit, and the most memory each had."""

    def run(code: str) -> str:
        command = code.format(path=path, checkout=str(CHECKOUT))
        return subprocess.run([sys.executable, "-c", command], check=True, capture_output=True, text=True).stdout

    theirs, ours = pairs(lambda: run(PEER), lambda: run(OURS_QUERY), max(5, rounds // 2))
    report(f"{name}: whole process", theirs, ours)
    if not os.path.exists("/proc/self/status"):
        return
    idle, peer, query, everything = (int(run(code + PEAK)) // 1024 for code in ("pass", PEER, OURS_QUERY, OURS_ALL))
    print(f"{name}: peak memory over an idle interpreter: query-ready {query - idle} MB, "
          f"everything {everything - idle} MB, theirs {peer - idle} MB")  # fmt: skip


def time_series(paths: list[str]) -> None:
    """Compare each build with the next, reading included."""
    best = []
    for _ in range(5):
        start = time.perf_counter()
        before = read_catalog(Path(paths[0]).read_bytes())
        for path in paths[1:]:
            after = read_catalog(Path(path).read_bytes())
            diff_catalogs(before, after)
            before = after
        best.append((time.perf_counter() - start) / len(paths))
    print(f"a series of {len(paths)} builds, read and compared one after the other: "
          f"{statistics.median(best) * 1000:.2f} ms a catalog")  # fmt: skip


if __name__ == "__main__":
    raise SystemExit(main())
