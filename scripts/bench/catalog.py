"""How fast are catalogs read, beside the quickest other reader?

    python3.12 -m scripts.bench.catalog FOLDER [--rounds 15]

The other reader is the Rust backend of `addressablestools` (PyPI, Python 3.12): run this with an interpreter that has
it. Both run in one process, turn about (theirs, ours, theirs, ours ...); what counts is the ratio of the medians.
FOLDER is searched for catalogs of half a megabyte and more, and the largest below that of each folder. The other
reader makes every location with all its facts; ours are asked for twice: as objects whose facts are decoded when they
are asked for, and with every fact decoded. Whole processes and peak memory are measured in child processes.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median

from assetdb_formats.addressables.lazy import LazyLocations
from assetdb_formats.addressables.queries.diff import diff_catalogs
from assetdb_formats.addressables.reading import read_catalog
from scripts.arguments import Given, script
from scripts.bench.measuring import PEAK, machine, report, seconds
from scripts.programs import CHECKOUT

OURS_QUERY = (
    "from assetdb_formats.addressables.reading import read_catalog; "
    "catalog = read_catalog(open({path!r}, 'rb').read()); catalog.locate('x')"
)
OURS_ALL = OURS_QUERY + "; kept = list(catalog.locations())"
LIST_KEYS = (
    "import os, sys; from assetdb.cli import main; sys.stdout = open(os.devnull, 'w'); "
    "main(['catalog', 'ls', '--kind', 'keys', {path!r}]); sys.stdout = sys.__stdout__"
)
PEER = (
    "import addressablestools; data = open({path!r}, 'rb').read(); "
    "found = addressablestools.parse(data.decode() if data[:1] == b'{{' else data, backend='rust')"
)


def query_ready(data: bytes) -> object:
    """Read what a first query needs."""
    return read_catalog(data).key_index


def objects(data: bytes) -> object:
    """Read every location as an object."""
    catalog = read_catalog(data)
    return catalog.key_index, list(LazyLocations(catalog))


def everything(data: bytes) -> object:
    """Decode every fact."""
    catalog = read_catalog(data)
    return catalog.key_index, list(catalog.locations())


QUESTIONS = {"query-ready": query_ready, "every location an object": objects, "every fact decoded": everything}


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


def processes(path: str, name: str, rounds: int) -> None:
    """Compare whole processes, from start to exit, and the most memory each had."""

    def run(code: str) -> str:
        command = [sys.executable, "-c", code.format(path=path)]
        return subprocess.run(command, check=True, capture_output=True, text=True, cwd=CHECKOUT).stdout

    path = os.path.abspath(path)
    report(f"{name}: whole process", lambda: run(OURS_QUERY), lambda: run(PEER), max(5, rounds // 2))
    if not os.path.exists("/proc/self/status"):
        return
    codes = ("pass", PEER, OURS_QUERY, OURS_ALL, LIST_KEYS)
    idle, peer, query, everything, listed = (int(run(code + PEAK)) // 1024 for code in codes)
    print(f"{name}: peak memory over an idle interpreter: query-ready {query - idle} MB, "
          f"everything {everything - idle} MB, theirs {peer - idle} MB,"
          f" `ls --kind keys` {listed} MB in all")  # fmt: skip


def time_series(paths: list[str]) -> None:
    """Compare each build with the next, reading included."""

    def compare() -> None:
        before = read_catalog(Path(paths[0]).read_bytes())
        for path in paths[1:]:
            after = read_catalog(Path(path).read_bytes())
            diff_catalogs(before, after)
            before = after

    each = median(seconds(compare) for _ in range(5)) / len(paths)
    print(f"a series of {len(paths)} builds, read and compared one after the other: {each * 1000:.2f} ms a catalog")


@script(__doc__, "catalogs", rounds=15)
def main(given: Given) -> None:
    """Print one line for each question."""
    try:
        import addressablestools  # type: ignore[import-not-found, unused-ignore]  # noqa: PLC0415 - optional
    except ImportError:
        addressablestools = None
        print("addressablestools is not installed here: our own times alone")
    large, middle, series = find(str(given.catalogs))
    print(f"{machine()}; medians of {given.rounds} pairs\n")
    for path in (*large, *middle):
        data = Path(path).read_bytes()
        text = data.decode("utf-8") if data[:1] == b"{" else data
        name = os.path.relpath(path, given.catalogs)
        peer: Callable[[], object] | None = None
        if addressablestools is not None:
            peer = partial(addressablestools.parse, text, backend="rust")
        peer = peer if peer is not None and can_read(peer) else None
        for question, work in QUESTIONS.items():
            report(f"{name}: {question}", partial(work, data), peer, given.rounds)
    if large and addressablestools is not None:
        print()
        for path in large:
            processes(path, os.path.relpath(path, given.catalogs), given.rounds)
    if len(series) > 1:
        print()
        time_series(series)
