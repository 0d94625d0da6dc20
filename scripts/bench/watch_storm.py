"""How long does each kind of question wait while a project changes a thousand times a second?

    python -m scripts.bench.watch_storm PROJECT [--minutes 12] [--edits 1000] [--clients 8] [--only check,status]

Works on a copy of the project. A daemon watches it; one process edits files (contents, new assets, renames, removals;
now and then everything is as it was at the start), and clients ask everything, each the next question as soon as the
last is answered. Two more ask through servers: an editor (``lsp``: the references of a GUID in a text) and an assistant
(``mcp``: the users of a GUID). Prints the waits by method and the daemon's memory, and exits with 1 where an answer did
not come, was an error, or a bound was missed. The bounds are for a quiet machine of two processors.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import random
import socket
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from multiprocessing import sharedctypes
from multiprocessing.synchronize import Event
from pathlib import Path

from assetdb import Client
from scripts.arguments import Given, script
from scripts.bench.crowd import address_of
from scripts.bench.measuring import field_of, share_of
from scripts.programs import assetdb, copied, daemon
from tests.assetdb.lsp.editor import Editor
from tests.assetdb.mcp.assistant import assisting

PATIENCE = 60.0  # seconds, after which an answer is taken for lost
BOUNDS = {"status": 0.05, "resolve": 1.0, "usages": 1.0, "check": 5.0, "lsp": 5.0}  # seconds, of 99 in 100 answers
MEMORY_BEGINS = 90.0  # seconds until all that a daemon makes once has been made
MEMORY_GROWS = 1.1
EDITED = (".asset", ".prefab", ".unity", ".mat", ".controller", ".anim")
_MOST_LINES = 100
AT_REST = 1000  # edits after which the tree is as it was
ON_THE_FILES = b'"code":-32004,'  # where no event tells of every change: the client runs the words itself
Asked = Callable[[str], object]
METHODS = ("status", "resolve", "unknown", "locate", "find", "usages", "deps", "annotate", "check", "run")


class Writer:
    """Edits files of a project, and takes all of it back."""

    def __init__(self, project: Path) -> None:
        self._random = random.Random(1)
        assets = project / "Assets"
        found = [path for path in assets.rglob("*") if path.suffix in EDITED and 0 < path.stat().st_size < 1 << 16]
        self._files = [path for path in found if path.with_name(f"{path.name}.meta").is_file()]
        if not self._files:
            raise SystemExit(f"{project} has no text assets")
        self._before: dict[Path, bytes] = {}
        self._made: list[Path] = []
        self._number = 0

    def step(self) -> int:
        """Do one thing; return how many files that changed."""
        self._number += 1
        if self._number % AT_REST == 0:
            return self.undo()
        path = self._random.choice(self._files)
        kind = self._random.random()
        if kind < 0.6:
            self._before.setdefault(path, path.read_bytes())
            path.write_bytes(
                self._before[path] + b"\n" * (self._number % _MOST_LINES + 1)
            )  # a comment would be a finding
            return 1
        if kind < 0.8:
            new = path.with_name(f"Storm{self._number}{path.suffix}")
            meta = new.with_name(f"{new.name}.meta")
            new.write_bytes(self._before.get(path) or path.read_bytes())
            meta.write_text(f"fileFormatVersion: 2\nguid: {self._random.getrandbits(128):032x}\n")
            self._made += [new, meta]
            return 2
        if self._made and kind < 0.9:
            self._made.pop(self._random.randrange(len(self._made))).unlink()
            return 1
        if self._made:
            number = self._random.randrange(len(self._made))
            path = self._made[number]
            self._made[number] = path.rename(path.with_name(f"Moved{self._number}{path.name[-12:]}"))
            return 1
        return 0

    def undo(self) -> int:
        """Have the tree as it was."""
        count = len(self._before) + len(self._made)
        for path, data in self._before.items():
            path.write_bytes(data)
        for path in self._made:
            path.unlink()
        self._before.clear()
        self._made.clear()
        return count


def write(project: Path, rate: float, stop: Event, count: sharedctypes.Synchronized[int]) -> None:
    """Edit so many files a second until ``stop`` is set, then restore the tree."""
    writer = Writer(project)
    began = time.monotonic()
    done = 0
    while not stop.is_set():
        done += writer.step()
        count.value = done
        ahead = done / rate - (time.monotonic() - began)
        if ahead > 0.002:
            time.sleep(ahead)
    writer.undo()


class Asking:
    """What clients ask, and how long each of them waited."""

    def __init__(self, client: Client, project: Path, methods: tuple[str, ...]) -> None:
        self._methods = methods
        found = client.find("", limit=100_000)
        self._project = str(project)
        self._guids = sorted({str(row["guid"]) for row in found})
        self._references = [f"{row['guid']}:{row['file_id']}" for row in found if row["file_id"] is not None]
        self._text = "".join(f"  m_Item: {{fileID: 11400000, guid: {guid}, type: 2}}\n" for guid in self._guids[:500])
        self._address = address_of(str(client.status()["folder"]))
        self.waits: defaultdict[str, list[float]] = defaultdict(list)
        self.problems: list[str] = []

    def ask(self, seed: int, until: float) -> None:
        """Ask one question after the other; some clients prefer what takes long."""
        chooser = random.Random(seed)
        with socket.socket(socket.AF_UNIX) as peer:
            peer.connect(self._address)
            peer.settimeout(PATIENCE)
            lines = peer.makefile("rb")
            while time.monotonic() < until and not self.problems:
                kind = chooser.choice(self._methods)
                method, params = self._question(kind, chooser)
                request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
                began = time.monotonic()
                try:
                    peer.sendall(json.dumps(request).encode() + b"\n")
                    while b'"method":' in (line := lines.readline())[:40]:  # word that it is being worked on
                        if time.monotonic() - began > PATIENCE:
                            raise TimeoutError
                except OSError as error:
                    self.problems.append(f"{kind}: no answer after {time.monotonic() - began:.0f} s: {error}")
                    return
                self.waits[kind].append(time.monotonic() - began)
                if b'"result":' not in line[:80] and not (kind == "run" and ON_THE_FILES in line):
                    self.problems.append(f"{kind}: {line[:300].decode()}")

    def ask_as(self, begun: contextlib.AbstractContextManager[Asked], kind: str, seed: int, until: float) -> None:
        """Ask as an editor or an assistant, one question after the other."""
        chooser = random.Random(seed)
        with begun as answered:
            while time.monotonic() < until and not self.problems:
                began = time.monotonic()
                try:
                    answered(chooser.choice(self._guids))
                except (AssertionError, OSError, KeyError) as error:
                    self.problems.append(f"{kind}: {type(error).__name__}: {str(error)[:300]}")
                    return
                self.waits[kind].append(time.monotonic() - began)

    def _question(self, kind: str, chooser: random.Random) -> tuple[str, dict[str, object]]:
        guid = chooser.choice(self._guids)
        streams = [["utf-8", "strict", "block"], ["utf-8", "strict", "block"]]
        words = ["usages", guid] if chooser.random() < 0.5 else ["find", "a"]
        references = self._references or self._guids
        questions: dict[str, Callable[[], tuple[str, dict[str, object]]]] = {
            "status": lambda: ("status", {}),
            "resolve": lambda: ("resolve", {"queries": [chooser.choice(references) for _ in range(100)]}),
            "unknown": lambda: (
                "resolve",
                {"queries": [f"NoSuchAsset{chooser.getrandbits(32)}" for _ in range(20)]},
            ),
            "locate": lambda: ("locate", {"guids": chooser.choices(self._guids, k=100)}),
            "find": lambda: ("find", {"pattern": chooser.choice(("", "a", "*e*")), "limit": 1000}),
            "usages": lambda: ("usages", {"query": guid, "objects": chooser.random() < 0.5}),
            "deps": lambda: ("deps", {"query": guid, "deep": chooser.random() < 0.5}),
            "annotate": lambda: ("annotate", {"text": self._text}),
            "check": lambda: ("check", {}),
            "run": lambda: (
                "run",
                {"argv": words, "cwd": self._project, "root": self._project, "streams": streams},
            ),
        }
        return questions[kind]()


@contextlib.contextmanager
def editor(project: Path) -> Iterator[Asked]:
    """Yield a function that asks an editor's server for the references of a GUID."""
    path, before = project / "Assets" / "Asking.asset", "  a: {fileID: 11400000, guid: "
    with Editor(*assetdb("lsp")) as asking:
        asking.initialize(project)

        def ask(guid: str) -> None:
            uri = asking.open(path, f"%YAML 1.1\n--- !u!114 &11400000\nMonoBehaviour:\n{before}{guid}, type: 2}}\n")
            asking.at("references", uri, 3, len(before) + 1, context={"includeDeclaration": False})
            asking.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

        yield ask
        asking.quit()


@contextlib.contextmanager
def assistant(project: Path) -> Iterator[Asked]:
    """Yield a function that asks an assistant's server for the users of a GUID."""
    with assisting(project) as asking:
        yield lambda guid: asking.call("usages", query=guid)


SERVERS = {"lsp": editor, "mcp": assistant}


def memory(pid: int) -> float:
    """Return how many MB a process has in memory."""
    return field_of(f"/proc/{pid}/status", "VmRSS") / 1024


def storm(project: Path, given: argparse.Namespace) -> list[str]:
    """Ask during a storm, print what it took, and return what was missed."""
    stop, count = multiprocessing.Event(), multiprocessing.Value("q", 0)
    with daemon(project) as client:
        pid = int(str(client.status()["pid"]))
        only = given.only.split(",") if given.only else [*METHODS, *SERVERS]
        methods = tuple(method for method in METHODS if method in only)
        asking = Asking(client, project, methods)
        writing = multiprocessing.Process(target=write, args=(project, given.edits, stop, count), daemon=True)
        began = time.monotonic()
        until = began + given.minutes * 60
        if given.edits:
            writing.start()
        clients = range(given.clients if methods else 0)
        threads = [threading.Thread(target=asking.ask, args=(seed, until), daemon=True) for seed in clients]
        for number, (kind, begin) in enumerate(SERVERS.items()):
            if kind in only:
                known = begin(project), kind, given.clients + number, until
                threads.append(threading.Thread(target=asking.ask_as, args=known, daemon=True))
        for thread in threads:
            thread.start()
        first, sizes = 0.0, list[float]()
        while any(thread.is_alive() for thread in threads):
            time.sleep(0.5)
            if time.monotonic() - began > 30.0 * (len(sizes) + 1):
                sizes.append(memory(pid))
            if not first and time.monotonic() - began > min(MEMORY_BEGINS, given.minutes * 20):
                first = memory(pid)
        seconds = time.monotonic() - began
        stop.set()
        if given.edits:
            writing.join()
        last = memory(pid)
        client.sync()
        watch = client.status()["watch"]
    print(f"{count.value / seconds:,.0f} edits/s for {seconds:.0f} s; {watch}")
    missed = list(asking.problems)
    everything: list[float] = []
    print(f"{'method':<10} {'answers':>8} {'p50':>8} {'p99':>8} {'worst':>8}  ms")
    for kind, waits in (*sorted(asking.waits.items()), ("all", everything)):
        if not waits:
            continue
        everything += waits if waits is not everything else []
        p50, p99, worst = share_of(waits, 0.5), share_of(waits, 0.99), max(waits)
        print(f"{kind:<10} {len(waits):>8,} {p50 * 1e3:>8.1f} {p99 * 1e3:>8.1f} {worst * 1e3:>8.1f}")
        if p99 > BOUNDS.get(kind, PATIENCE):
            missed.append(f"{kind}: p99 is {p99:.3f} s, not {BOUNDS[kind]:g}")
    print(f"memory {first:.1f} MB, at the end {last:.1f}; each 30 s {' '.join(f'{size:.0f}' for size in sizes)}")
    if first and last > first * MEMORY_GROWS:
        missed.append(f"memory grew by {last / first - 1:.0%}")
    return missed


@script(__doc__, "project", minutes=12.0, edits=1000.0, clients=8, only="")
def main(given: Given) -> bool:
    """Run from the command line."""
    with tempfile.TemporaryDirectory(prefix="assetdb-storm-") as scratch:
        missed = storm(copied(given.project, Path(scratch) / "Project"), given)
    print(*missed, sep="\n", end="\n" if missed else "")
    return bool(missed)
