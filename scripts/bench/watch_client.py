"""What does a question cost beside a daemon?

    python scripts/bench/watch_client.py PROJECT [--script PATH] [--rounds 41]

One-shot: ``assetdb name`` through the daemon against a bare start of the same interpreter, in turns, the ratio of the
medians; as the console script that pip installed (``--script``, else the one beside this interpreter), and as the
client's module alone. Then lookups on one connection, one by one and in batches, and 64 connections at once.
Starts a daemon for the project, and stops it, unless there is one.
"""

from __future__ import annotations

import argparse
import os
import random
import selectors
import subprocess
import sys
import time
from statistics import median

import assetdb
from assetdb.daemon import endpoint
from assetdb.daemon.files.status_file import read_status
from assetdb.daemon.rpc import protocol
from assetdb.errors import NotRunningError

CLIENT = (
    "import os, sys; from assetdb.client.command import Request, ask;"
    "from assetdb.daemon.files.status_file import find_status;"
    " words = sys.argv[1:]; root = words[2];"
    " os._exit(ask(Request(words[0], words, [3], root, find_status(root, None)), None))"
)
ENTRY = "import sys; from assetdb.cli import main; sys.exit(main())"
BATCH = 1000
CLIENTS = 64
SECONDS = 3.0


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("project")
    parser.add_argument("--script", default=os.path.join(os.path.dirname(sys.executable), "assetdb"))
    parser.add_argument("--rounds", type=int, default=41)
    arguments = parser.parse_args()
    project = os.path.abspath(arguments.project)
    begun = False
    try:
        client = assetdb.Client.connect(project)
    except NotRunningError:
        subprocess.run([sys.executable, "-m", "assetdb", "watch", "--detach", "--project", project], check=True)
        client = assetdb.Client.connect(project)
        begun = True
    with client:
        status = client.status()
        print(f"{project}: {status['assets']:,} assets; Python {sys.version.split()[0]}")
        found = client.find("", limit=50_000)
        queries = [f"{row['guid']}" + (f":{row['file_id']}" if row["file_id"] is not None else "") for row in found]
        random.Random(1).shuffle(queries)
        one_shot(arguments.script, project, queries[0], arguments.rounds)
        throughput(client, queries)
        many_clients(project, queries)
        if begun:
            client.shutdown()


def one_shot(script: str, project: str, query: str, rounds: int) -> None:
    """Compare whole processes."""
    words = ["name", "--project", project, query]
    works = {"bare interpreter": [sys.executable, "-c", "pass"]}
    if os.path.exists(script):
        works["console script"] = [script, *words]
    else:
        print(f"no console script at {script}: install the package, or name one with --script")
    works["entry point"] = [sys.executable, "-c", ENTRY, *words]
    works["client module"] = [sys.executable, "-c", CLIENT, *words]
    works["python -m assetdb"] = [sys.executable, "-m", "assetdb", *words]
    times: dict[str, list[float]] = {title: [] for title in works}
    for _ in range(rounds):
        for title, command in works.items():
            started = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            times[title].append(time.perf_counter() - started)
    bare = median(times["bare interpreter"])
    for title, column in times.items():
        print(f"{title:<20} {median(column) * 1e3:6.1f} ms  {median(column) / bare:5.2f} bare starts")


def throughput(client: assetdb.Client, queries: list[str]) -> None:
    """Count lookups of one connection."""
    for size in (1, 10, BATCH):
        count, started = 0, time.perf_counter()
        while time.perf_counter() - started < SECONDS:
            start = count % max(1, len(queries) - size)
            count += len(client.resolve(queries[start : start + size]))
        seconds = time.perf_counter() - started
        print(f"one connection, {size:>4} a request: {count / seconds:10,.0f} lookups/s")


def many_clients(project: str, queries: list[str]) -> None:
    """Count lookups of 64 connections that all ask at once, and time their answers."""
    settings = read_status(str(assetdb.Client.connect(project).status()["folder"]))
    if settings is None:
        raise SystemExit("the daemon has gone")
    selector = selectors.DefaultSelector()
    requests = [
        protocol.request(1, "resolve", {"queries": queries[start : start + 100]}) + b"\n"
        for start in range(0, min(len(queries), 6400), 100)
    ]
    peers = {}
    for number in range(CLIENTS):
        peer, _ = endpoint.connect(settings, 30.0)
        peers[peer] = time.perf_counter()
        selector.register(peer, selectors.EVENT_READ)
        peer.sendall(requests[number % len(requests)])
    times: list[float] = []
    started = time.perf_counter()
    while time.perf_counter() - started < SECONDS:
        for key, _ in selector.select(1.0):
            peer = key.fileobj  # type: ignore[assignment]  # all are sockets
            if peer.recv(1 << 18).endswith(b"\n"):
                now = time.perf_counter()
                times.append(now - peers[peer])
                peers[peer] = now
                peer.sendall(requests[len(times) % len(requests)])
    seconds = time.perf_counter() - started
    times.sort()
    print(
        f"{CLIENTS} connections, 100 a request: {len(times) * 100 / seconds:,.0f} lookups/s, an answer takes"
        f" {median(times) * 1e3:.1f} ms in the median, {times[int(len(times) * 0.99)] * 1e3:.1f} in the 99th hundredth"
    )
    for peer in peers:
        peer.close()


if __name__ == "__main__":
    main()
