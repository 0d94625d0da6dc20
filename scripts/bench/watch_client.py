"""What does a question cost beside a daemon?

    python -m scripts.bench.watch_client PROJECT [--script PATH] [--rounds 41]

One-shot: ``assetdb name`` through the daemon against a bare start of the same interpreter, in turns, the ratio of the
medians; as the console script that pip installed (``--script``, else the one beside this interpreter), and as the
client's module alone. Then lookups on one connection, one by one and in batches, and 64 connections at once.
Starts a daemon for the project, and stops it, unless there is one.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

from assetdb import Client
from assetdb.daemon.rpc import protocol
from scripts.arguments import Given, script
from scripts.bench.crowd import address_of, answers
from scripts.bench.measuring import machine, runs_of, spread, table
from scripts.programs import BARE, ENTRY, daemon, installed

CLIENT = (
    "import os, sys; from assetdb.client.command import Request, ask;"
    "from assetdb.daemon.files.status_file import find_status;"
    " words = sys.argv[1:]; root = words[2];"
    " os._exit(ask(Request(words[0], words, [3], root, find_status(root, None), (0, False)), None))"
)
BATCH = 1000
CLIENTS = 64
SECONDS = 3.0


def one_shot(script: Path, project: str, query: str, rounds: int) -> None:
    """Compare whole processes."""
    words = ["name", "--project", project, query]
    commands = {
        "bare interpreter": BARE,
        "console script": [str(script), *words],
        "entry point": [*ENTRY, *words],
        "client module": [sys.executable, "-c", CLIENT, *words],
        "python -m assetdb": [sys.executable, "-m", "assetdb", *words],
    }
    if not script.exists():
        print(f"no console script at {script}: install the package, or name one with --script")
        del commands["console script"]

    table(runs_of(commands, rounds), "bare interpreter")


def throughput(client: Client, queries: list[str]) -> None:
    """Count lookups of one connection."""
    for size in (1, 10, BATCH):
        count, started = 0, time.perf_counter()
        while time.perf_counter() - started < SECONDS:
            start = count % max(1, len(queries) - size)
            count += len(client.resolve(queries[start : start + size]))
        seconds = time.perf_counter() - started
        print(f"one connection, {size:>4} a request: {count / seconds:10,.0f} lookups/s")


def many_clients(folder: str, queries: list[str]) -> None:
    """Count lookups of 64 connections that all ask at once, and time their answers."""
    requests = [
        protocol.request(1, "resolve", {"queries": queries[start : start + 100]}) + b"\n"
        for start in range(0, min(len(queries), 6400), 100)
    ]
    until = time.perf_counter() + SECONDS
    times = list(answers(address_of(folder), requests, CLIENTS, lambda: time.perf_counter() > until))
    rate = len(times) * 100 / SECONDS
    print(f"{CLIENTS} connections, 100 a request: {rate:,.0f} lookups/s, an answer takes {spread(times)}")


@script(__doc__, "project", script=installed(), rounds=41)
def main(given: Given) -> None:
    """Measure and print."""
    project = str(given.project.resolve())
    with daemon(given.project.resolve()) as client:
        status = client.status()
        print(f"{project}: {status['assets']:,} assets; {machine()}")
        found = client.find("", limit=50_000)
        queries = [f"{row['guid']}" + (f":{row['file_id']}" if row["file_id"] is not None else "") for row in found]
        random.Random(1).shuffle(queries)
        one_shot(given.script, project, queries[0], given.rounds)
        throughput(client, queries)
        many_clients(str(status["folder"]), queries)
