"""What does it cost to bring the graph up to date after an edit, beside encoding it afresh?

    python -m scripts.bench.graph_update [PROJECT...] [--runs 9]

Without a project: a made one of 63,000 assets and 300,000 edges. Each edit is made and taken back, in turn with an
encoding of all links; medians of processor time, and their ratio. Whatever an edit leaves is compared with that
encoding byte for byte.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from statistics import median
from typing import Final

import assetdb
from assetdb.scan.directory import reference_columns
from assetdb.scan.known import cache
from assetdb.state import edges as graph_update
from assetdb.state.columns import links_from
from assetdb.state.edge_columns import encode
from assetdb.state.edges import GraphUpdate
from assetdb.state.guid_columns import GuidColumns
from assetdb.store.indexes import graph
from scripts.arguments import Given, script
from scripts.bench.measuring import seconds

Links = tuple[bytes, bytes]
State = tuple[dict[bytes, Links], set[bytes]]

_ASSETS: Final = 63_000
_LARGE: Final = (10, 100, 1_000, 3_000, 10_000, 30_000)


def made(draw: random.Random) -> State:
    """Make a project: some things are referred to by thousands, 2 % of the edges lead out of it."""
    known = [draw.randbytes(16) for _ in range(_ASSETS)]
    outside = [draw.randbytes(16) for _ in range(3_000)]
    assets = {}
    for guid in known:
        size = draw.choice((0, 1, 1, 2, 3, 22))
        certain = {known[int(len(known) * draw.random() ** 2)] for _ in range(size)}
        certain.update(draw.choice(outside) for _ in range(draw.random() < 0.1))
        candidates = draw.sample(known + outside, 2) if draw.random() < 0.005 else []
        assets[guid] = b"".join(sorted(certain)), b"".join(sorted({*candidates} - certain))
    return assets, {draw.randbytes(16) for _ in range(3_000)}


def of_project(project: Path) -> State:
    """Bake a project into a folder of our own and take the links out of the cache."""
    with tempfile.TemporaryDirectory() as scratch:
        assetdb.bake(project, scratch, keep_going=True)
        known = cache.decode((Path(scratch) / cache.FILE_NAME).read_bytes())
    assets: dict[bytes, Links] = {}
    folders: set[bytes] = set()
    for short in known.directories.values():
        directory = known.facts.complete(short)
        assets.update(zip(graph.split(directory.guids), reference_columns(directory), strict=True))
        folders.update(graph.split(directory.folder_guids))
    return assets, folders


def with_links(assets: dict[bytes, Links], rows: Iterable[bytes], more: bytes) -> dict[bytes, Links]:
    """Return the assets, of which some refer to one more GUID."""
    changed = {
        guid: (b"".join(sorted({*graph.split(assets[guid][0]), more})), assets[guid][1].replace(more, b""))
        for guid in rows
    }
    return assets | changed


def edits(assets: dict[bytes, Links], folders: set[bytes], draw: random.Random) -> Iterator[tuple[str, State]]:
    """Return edits by what they do."""
    edges = {guid: set(graph.split(certain)) for guid, (certain, _) in assets.items()}
    used: dict[bytes, int] = {}
    for targets in edges.values():
        for target in targets:
            used[target] = used.get(target, 0) + 1
    by_guid = sorted(assets)
    middle = by_guid[len(by_guid) // 2]
    popular = max((guid for guid in used if guid in assets), key=used.__getitem__)
    lost = max((guid for guid in used if guid not in assets), key=used.__getitem__)
    unused = next(guid for guid in by_guid[len(by_guid) // 3 :] if guid not in used)
    largest = max(edges, key=lambda guid: len(edges[guid]))
    new = draw.randbytes(16)
    other = next(guid for guid in by_guid if guid not in edges[middle] and guid not in edges[largest])

    def without(*guids: bytes) -> dict[bytes, Links]:
        return {guid: pair for guid, pair in assets.items() if guid not in guids}

    yield "nothing of links or assets", (assets, folders)
    yield "one asset refers to one more", (with_links(assets, [middle], other), folders)
    yield "20 assets refer to one more", (with_links(assets, draw.sample(by_guid, 20), popular), folders)
    yield f"one with {len(edges[largest]):,} references to one more", (with_links(assets, [largest], other), folders)
    yield "that one refers to none", (assets | {largest: (b"", b"")}, folders)
    yield "one asset refers to a new external", (with_links(assets, [middle], new), folders)
    yield "an asset comes", (assets | {new: (b"".join(sorted({popular, lost})), b"")}, folders)
    yield "an asset goes that none refers to", (without(unused), folders)
    yield f"an asset goes that {used[popular]:,} refer to", (without(popular), folders)
    yield f"an external that {used[lost]:,} refer to comes", (assets | {lost: (b"", b"")}, folders)
    yield "20 assets come", (assets | {draw.randbytes(16): (popular, b"") for _ in range(20)}, folders)
    yield "20 assets go", (without(*draw.sample(by_guid, 20)), folders)
    candidate = next((pair[1][:16] for pair in assets.values() if pair[1] and pair[1][:16] not in assets), None)
    if candidate is not None:
        yield "a folder that is a candidate comes or goes", (assets, folders ^ {candidate})


def updater(edges: graph.Edges, old: State, new: State) -> Callable[[], graph.Edges]:
    """Return what makes one of the other."""
    (assets, folders), (new_assets, new_folders) = old, new
    before, after = (GuidColumns.of(b"".join(sorted(guids))) for guids in (assets, new_assets))
    links = {guid: pair for guid, pair in new_assets.items() if assets.get(guid) != pair}
    turned = (assets.keys() ^ new_assets.keys()) | (folders ^ new_folders)
    arguments = (
        after,
        new_assets.keys() - assets.keys(),
        assets.keys() - new_assets.keys(),
        links,
        {
            guid: pair
            for guid, pair in new_assets.items()
            if pair[1] and guid not in links and turned & {*graph.split(pair[1])}
        },
        new_folders,
    )
    return lambda: GraphUpdate(edges, before).updated(*arguments)


def compare(edges: graph.Edges, old: State, new: State, runs: int) -> tuple[list[float], list[float]]:
    """Return milliseconds of updates, there and back, and of encoding the new state afresh."""
    assets, folders = new
    guids = sorted(assets)
    links = links_from([assets[guid] for guid in guids])
    there = encode(guids, links, folders)
    forth, back = updater(edges, old, new), updater(there, new, old)
    for made, expected in ((forth(), there), (back(), edges)):
        if list(map(bytes, made.parts)) != list(map(bytes, expected.parts)):
            sys.exit("the bytes differ")
    ours: list[float] = []
    afresh: list[float] = []
    for _ in range(runs):
        for column, work in ((ours, forth), (afresh, lambda: encode(guids, links, folders)), (ours, back)):
            column.append(1000 * seconds(work, time.process_time))
    return ours, afresh


def measure(name: str, old: State, runs: int) -> None:
    """Print the cost of each edit, of large ones in both ways, and the size of the graph."""
    draw = random.Random(1)
    assets, folders = old
    guids = sorted(assets)
    links = links_from([assets[guid] for guid in guids])
    edges = encode(guids, links, folders)
    size = sum(map(len, edges.parts))
    print(
        f"{name}: {len(guids):,} assets, {edges.edge_count:,} edges, {edges.external_count:,} externals;"
        f" the graph takes {size / 1e6:.1f} MB"
    )
    for what, new in edits(assets, folders, draw):
        ours, afresh = compare(edges, old, new, runs)
        ratio = median(afresh) / median(ours)
        print(
            f"  {what:<50} {median(ours):7.2f} ms (at most {max(ours):6.2f}),"
            f" afresh {median(afresh):6.1f} ms: {ratio:6.0f} times"
        )
    limit = graph_update._MOST_ROWS  # noqa: SLF001 - where the two ways part is what is asked
    for count in _LARGE:
        popular, *some = draw.sample(guids, min(count + 1, len(guids)))
        for what, new in (
            ("refer to one more", (with_links(assets, some, popular), folders)),
            ("come", (assets | {draw.randbytes(16): assets[guid] for guid in some}, folders)),
        ):
            chosen, afresh = compare(edges, old, new, 3)
            graph_update._MOST_ROWS = sys.maxsize  # type: ignore[misc]  # noqa: SLF001
            spliced, _ = compare(edges, old, new, 3)
            graph_update._MOST_ROWS = -1  # type: ignore[misc]  # noqa: SLF001
            encoded, _ = compare(edges, old, new, 3)
            graph_update._MOST_ROWS = limit  # type: ignore[misc]  # noqa: SLF001
            print(
                f"  {len(some):6,} assets {what:<18} {median(chosen):7.1f} ms (spliced {median(spliced):7.1f},"
                f" encoded from edges {median(encoded):7.1f}), afresh from links {median(afresh):7.1f} ms"
            )


@script(__doc__, "projects*", runs=9)
def main(given: Given) -> None:
    """Run from the command line."""
    if not given.projects:
        measure("made", made(random.Random(2)), given.runs)
    for project in given.projects:
        measure(project.name, of_project(project.resolve()), given.runs)
