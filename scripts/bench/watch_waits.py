"""How long does a client wait for a short question while others give the daemon all the work that its limits allow?

    python -m scripts.bench.watch_waits PROJECT [--seconds 5] [--only NAME;...]

Starts a daemon for the project, and stops it. One client asks for the name of a GUID every few milliseconds; under each
load the median and the worst of its waits are printed, how many of the long requests were answered, and how long a
`shutdown` takes under the heaviest load until the process has ended.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from multiprocessing.synchronize import Event

import assetdb
from assetdb.errors import DaemonError
from scripts.arguments import Given, script
from scripts.bench.crowd import address_of, answers
from scripts.bench.measuring import machine, spread
from scripts.programs import PATIENCE, daemon

Load = tuple[str, dict[str, object]] | list[tuple[str, dict[str, object]]]

ASKED_EVERY = 0.005


def loads(project: str, found: list[dict[str, object]], guids: list[str]) -> list[tuple[str, int, Load]]:
    """Return the loads: a name, how many clients, and the requests that each repeats."""
    random.seed(1)
    references = [f"{row['guid']}:{row['file_id']}" for row in found if row["file_id"] is not None] or guids
    unknown = [f"NoSuchAsset{number:06}" for number in range(20_000)]
    foreign = [f"{random.getrandbits(128):032x}" for _ in range(20_000)]
    text = "".join(
        f"  m_Item: {{fileID: {row['file_id'] or 11400000}, guid: {row['guid']}, type: 3}}\n" for row in found
    )
    text = (text * (1 + (7 << 20) // max(1, len(text))))[: 7 << 20]
    largest = max(guids, key=lambda guid: hash(guid) & 0xFFFF)
    streams = [["utf-8", "strict", "block"], ["utf-8", "strict", "block"]]

    def run(*words: str) -> Load:
        return "run", {"argv": list(words), "cwd": project, "root": project, "streams": streams}

    return [
        ("nothing", 0, ("status", {})),
        ("resolve of 20,000 GUIDs", 4, ("resolve", {"queries": (guids * 20)[:20_000]})),
        ("resolve of 20,000 references", 4, ("resolve", {"queries": (references * 20)[:20_000]})),
        ("resolve of 20,000 unknown names", 4, ("resolve", {"queries": unknown})),
        ("resolve of 20,000 unknown GUIDs", 4, ("resolve", {"queries": foreign})),
        ("find of everything", 4, ("find", {"pattern": "", "limit": 100_000})),
        ("a batch of 1,000 find", 2, [("find", {"pattern": "", "limit": 10_000})] * 1000),
        ("find with stars", 4, ("find", {"pattern": "*a*e*i*o*u*" * 20})),
        ("annotate of 7 MB", 4, ("annotate", {"text": text})),
        (
            "usages deep with objects",
            4,
            [
                ("usages", {"query": guid, "deep": True, "objects": True})
                for guid in random.sample(guids, min(1000, len(guids)))
            ],
        ),
        (
            "deps deep",
            4,
            [("deps", {"query": guid, "deep": True}) for guid in random.sample(guids, min(1000, len(guids)))],
        ),
        ("run find", 4, run("find", "")),
        ("run find --json", 4, run("find", "--json", "")),
        ("run usages --deep --objects", 4, run("usages", "--deep", "--objects", largest)),
        ("find of everything by many", 200, ("find", {"pattern": "", "limit": 100_000})),
    ]


def under(
    client: assetdb.Client,
    project: str,
    guids: list[str],
    name: str,
    clients: int,
    load: Load,
    seconds: float,
) -> None:
    """Print the waits under one load."""
    with loaded(project, clients, load) as answered:
        time.sleep(0.5 if clients else 0.0)
        waits = []
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            started = time.perf_counter()
            client.resolve([random.choice(guids)])
            waits.append(time.perf_counter() - started)
            time.sleep(ASKED_EVERY)
        count = answered()
    label = f"{clients} x {name}" if clients else name
    print(f"{label:<44} {spread(waits)}; long requests answered: {count}", flush=True)


@contextlib.contextmanager
def loaded(project: str, clients: int, load: Load) -> Iterator[Callable[[], int]]:
    """Have clients in another process ask all the time; yield what returns how many answers they have had."""
    count = multiprocessing.Value("q", 0)
    stop = multiprocessing.Event()
    process = multiprocessing.Process(target=asking, args=(project, clients, load, count, stop), daemon=True)
    if clients:
        process.start()
    try:
        yield lambda: count.value
    finally:
        stop.set()
        if clients:
            process.terminate()
            process.join()


def asking(project: str, clients: int, load: Load, count: object, stop: Event) -> None:
    """Send the load over so many connections, and again when its answer has come."""
    parts = load if isinstance(load, list) else [load]
    messages = [
        {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        for number, (method, params) in enumerate(parts)
    ]
    line = json.dumps(messages if isinstance(load, list) else messages[0]).encode() + b"\n"
    with assetdb.Client.connect(project, timeout=PATIENCE) as client:
        address = address_of(str(client.status()["folder"]))
    for _ in answers(address, [line], clients, stop.is_set):
        count.value += 1  # type: ignore[attr-defined]  # a shared number


def ask_to_stop(project: str, _: int) -> None:
    """Stop the daemon as a client does."""
    with contextlib.suppress(DaemonError), assetdb.Client.connect(project, timeout=PATIENCE) as client:
        client.shutdown()


def stopping(project: str, load: Load, pid: int, title: str, stop: Callable[[str, int], object]) -> None:
    """Print how long it takes to stop the daemon while many ask for much."""
    with loaded(project, 8, load):
        time.sleep(2.0)
        started = time.perf_counter()
        stop(project, pid)
        while os.path.isdir(f"/proc/{pid}") and time.perf_counter() - started < PATIENCE:
            time.sleep(0.002)
        print(
            f"{title} under 8 batches of 1,000 find: the process has ended after {time.perf_counter() - started:.2f} s"
        )


@script(__doc__, "project", seconds=5.0, only="")
def main(given: Given) -> None:
    """Measure and print."""
    project = str(given.project.resolve())
    only = set(filter(None, given.only.split(";")))
    with daemon(given.project.resolve(), settled=3.0) as client:
        print(f"{project}: {client.status()['assets']:,} assets; {machine()}")
        found = client.find("", limit=100_000)
        guids = sorted({str(row["guid"]) for row in found})
        every = loads(project, found, guids)
        print(f"{'load':<44} waits")
        for name, clients, load in every:
            if not only or name in only:
                under(client, project, guids, name, clients, load, given.seconds)
    if not only or "stop" in only:
        heavy = next(load for name, _, load in every if name == "a batch of 1,000 find")
        for title, stop in (("shutdown", ask_to_stop), ("SIGTERM", lambda _, pid: os.kill(pid, signal.SIGTERM))):
            with daemon(given.project.resolve()) as client:
                stopping(project, heavy, int(str(client.status()["pid"])), title, stop)
