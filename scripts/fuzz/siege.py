"""Besiege a daemon: random changes by the tools that people use, faults, clients that ask; at rest it equals a cold bake.

    python -m scripts.fuzz.siege [--seconds 3600] [--seed N] [--project DIR] [--files 400] [--without FAULT]...

Every round a daemon watches a project in a git repository while some of these happen to it: edits and moves as editors
do them, ``git`` (commit, checkout, stash, rebase, reset, clean), ``rsync -a`` and ``tar`` and ``cp -p``, which bring old times back,
two folders or files exchanged in one step, links into ``/proc``, ``/sys`` and ``/dev``, hard links to files outside in
the place of locks and log, a full disk (where a small file system can be mounted), few descriptors,
SIGSTOP, SIGKILL, damage to its files and its socket; metas that one hash does not tell apart, files that may not be read,
forged and committed journals, links out of the project, files of others among shared facts (``scripts/fuzz/intruders.py``).
Meanwhile clients ask, and one is subscribed. Then all is let be: the daemon's answers and files, and what the subscriber
received, must be those of a cold bake of the same tree, and so must be what commands, assistants and editors are told.
Where this runs as root, nothing is unreadable: run it by ``setpriv --bounding-set=-dac_override,-dac_read_search``.

It prints how often that was compared, the worst wait of a client that asked while nothing held the daemon up, and the
daemon's memory. Everything is random by the seed but the time of day.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import random
import resource
import shutil
import signal
import subprocess
import tarfile
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from assetdb import Client
from assetdb.baking import bake
from assetdb.errors import DaemonError
from assetdb.store.database import open_database
from scripts.arguments import Given, script
from scripts.bench.measuring import field_of, spread
from scripts.fuzz.intruders import Intruder
from scripts.fuzz.project_changes import ChangedProject
from scripts.fuzz.running import damage
from scripts.programs import CHECKOUT, assetdb, copied, git, quietly, repository
from tests.system.graph.project import write_project
from tests.system.watch.writer import Writer

COMPARED = ("asset-db.bin", "asset-db.index")
PATIENCE = 120.0  # seconds that only a hang takes
OLD = 1_420_070_400  # 2015-01-01
MOUNTED_SIZE = "24m"
FEW_DESCRIPTORS = 24
_OUTSIDE = b"a file outside, which nobody writes\n"
_EXCHANGE = 2  # RENAME_EXCHANGE of renameat2
_ANSWERS = 0.3  # of the comparisons: each takes seconds
_HERE = -100  # AT_FDCWD


class Fault(NamedTuple):
    """What holds a daemon up for a while: how it begins, and how it ends."""

    begin: Callable[[], object]
    end: Callable[[], object]


class Tree(ChangedProject):
    """The project, and whatever can be done to it."""

    def __init__(self, root: Path, scratch: Path, seed: int) -> None:
        super().__init__(root, seed)
        self._scratch = scratch
        self._writer = Writer(root, scratch / "outside", seed)
        self._branches = 0
        self.intruder = Intruder(self, scratch)
        repository(root)

    def fill(self, count: int) -> None:
        """Write something ``count`` times."""
        for _ in range(count):
            self._writer.step()

    def disturb(self, mood: int) -> str:
        """Do one thing and return its name; ``mood``: 0 anything, 1 git, 2 what brings old times back, 3 hostile."""
        edits = (self.edit, self.edit, self.save)
        git = (self.commit, self.branch, self.checkout, self.stash, self.reset, self.rebase, self.clean)
        times = (
            *(self.old_times, self.old_times, self.swap_metas, self.save, self.copy_kept, self.exchange),
            *(self.sync_copy, self.archive, self.move, self.link_into_system),
        )
        hostile = self.intruder.acts()
        return self.make_one(
            ((*edits, *edits, *edits, *git, *times), (*edits, *git), times, (*edits, *hostile, *hostile))[mood]
        )

    # --- people and editors

    def edit(self) -> None:
        """Do a few things at once."""
        for _ in range(self.chooser.randrange(1, 20)):
            self._writer.step()

    def save(self) -> None:
        """Save one asset, and put its old time back."""
        path = self.any_file()
        status = path.stat()
        data = path.read_bytes()
        path.write_bytes(data.replace(b"m_Name: T", b"m_Name: Z") if b"m_Name: T" in data else data + b"\n")
        if self.chooser.random() < 0.5:
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))

    def move(self) -> None:
        """Move a folder out and at once in again under another name."""
        folder = self.any_folder()
        os.rename(folder, self._scratch / "moved")
        os.rename(self._scratch / "moved", folder.parent / f"Moved{self.chooser.randrange(5)}")

    # --- git

    def branch(self) -> None:
        """Go on in a new branch."""
        self._branches += 1
        self.commit()
        git(self.root, "checkout", "-q", "-b", f"branch{self._branches}")

    def checkout(self) -> None:
        """Go to another branch, leaving nothing behind."""
        self.commit()
        git(self.root, "checkout", "-q", "-f", self._any_branch())

    def stash(self) -> None:
        """Stash, and take it back."""
        super().stash()
        git(self.root, "stash", "pop", "-q")

    def rebase(self) -> None:
        """Rebase onto another branch; where that conflicts, leave it."""
        self.commit()
        try:
            git(self.root, "rebase", "-q", self._any_branch())
        except subprocess.CalledProcessError:
            git(self.root, "rebase", "--abort")

    # --- what brings old times back

    def sync_copy(self) -> None:
        """Keep a copy with its times, change the tree, and bring it back as it was with rsync."""
        kept = self._scratch / "kept"
        quietly(["rsync", "-a", "--delete", f"{self.root}/Assets/", f"{kept}/"])
        self.edit()
        quietly(["rsync", "-a", "--delete", f"{kept}/", f"{self.root}/Assets/"])

    def archive(self) -> None:
        """Unpack an archive in which all files have one time over a folder."""
        folder = self.any_folder()
        path = self._scratch / "one-time.tar"
        with tarfile.open(path, "w") as archive:
            archive.add(folder, "", filter=_with_one_time)
        self.edit()
        with tarfile.open(path) as archive:
            archive.extractall(folder, filter="tar")

    def copy_kept(self) -> None:
        """Copy a file over another of the same size or not, with its times."""
        shutil.copy2(self.any_file(), self.any_file())

    def exchange(self) -> None:
        """Exchange two folders or two files in one step."""
        choose = self.chooser.choice((self.any_folder, self.any_file))
        one, other = choose(), choose()
        libc = ctypes.CDLL(None, use_errno=True)
        libc.renameat2(_HERE, os.fsencode(one), _HERE, os.fsencode(other), _EXCHANGE)

    def old_times(self) -> None:
        """Write into a folder, and give it and its files the time of long ago."""
        folder = self.root / "Assets" / "Old"  # always the same one: its time is known to be old by the second look
        folder.mkdir(exist_ok=True)
        path = folder / f"Old{self.chooser.randrange(100):02}.asset"
        if path.exists():
            path.unlink()
        else:
            path.write_text("%YAML 1.1\n")
            path.with_name(path.name + ".meta").write_text(
                f"fileFormatVersion: 2\nguid: {self.chooser.getrandbits(128):032x}\n"
            )
        for old in (*folder.iterdir(), folder):
            os.utime(old, (OLD, OLD), follow_symlinks=False)

    def link_into_system(self) -> None:
        """Let an asset, or its meta, be a link to what the kernel makes up."""
        path = self.any_file()
        target = self.chooser.choice(("/proc/self/mem", "/proc/version", "/sys/kernel/notes", "/dev/zero", "/dev/tty"))
        path.unlink()
        path.symlink_to(target)

    def swap_metas(self) -> None:
        """Let two metas of one time and size change places."""
        folder = self.any_folder()
        metas = sorted(path for path in folder.glob("*.meta") if not path.is_symlink()) or [folder / "none.meta"]
        one, other = self.chooser.choices(metas, k=2)
        first, second = one.read_bytes(), other.read_bytes()
        for path, data in ((one, second), (other, first)):
            path.write_bytes(data)
            os.utime(path, (OLD, OLD))

    def _any_branch(self) -> str:
        return self.chooser.choice(("main", *(f"branch{number + 1}" for number in range(self._branches))))


def _with_one_time(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.mtime = OLD
    return member


class Siege:
    """A daemon under siege, who asks it, and what was measured."""

    def __init__(
        self, tree: Tree, folder: Path, scratch: Path, seed: int, *, mounted: bool, without: frozenset[str]
    ) -> None:
        self._tree = tree
        self._without = without
        self._folder = folder
        self._scratch = scratch
        self._outside = (folder if mounted else scratch) / "outside.txt"  # a hard link leads to the same file system
        self._outside.write_bytes(_OUTSIDE)
        self._chooser = random.Random(seed)
        self._mounted = mounted
        self._daemon: subprocess.Popen[bytes] | None = None
        self._held = threading.Event()
        self._over = threading.Event()
        self._told: set[str] = set()
        self._subscriber: Client | None = None
        self.compared = self.answered = 0
        self.changes: dict[str, int] = {}
        self.waits: list[float] = []
        self.memory: list[int] = []

    # --- the daemon

    def start(self) -> None:
        """Start a daemon and wait until it answers."""
        words, nothing = assetdb("watch", project=self._tree.root, out_dir=self._folder), subprocess.DEVNULL
        with open(self._scratch / "daemon.err", "ab") as errors:
            self._daemon = subprocess.Popen(words, cwd=CHECKOUT, stdin=nothing, stdout=nothing, stderr=errors)
        self._until(lambda client: client.sync())
        self._held.clear()

    def stop(self, number: int = signal.SIGTERM) -> None:
        """End the daemon by a signal."""
        if self._daemon is not None:
            self._held.set()
            self._daemon.send_signal(number)
            self._daemon.wait(PATIENCE)
            self._daemon = None

    def _connect(self) -> Client:
        return Client.connect(self._tree.root, self._folder, timeout=PATIENCE)

    # --- those who ask

    def ask(self, seed: int) -> None:
        """Ask until the siege is over, and measure how long each answer takes."""
        chooser = random.Random(seed)
        while not self._over.is_set():
            try:
                with self._connect() as client:
                    while not self._over.is_set():
                        self._ask_once(client, chooser)
            except (DaemonError, OSError):
                time.sleep(0.02)

    def _ask_once(self, client: Client, chooser: random.Random) -> None:
        name = f"Thing{chooser.randrange(12)}"
        questions: tuple[Callable[[], object], ...] = (
            lambda: client.resolve([f"{chooser.getrandbits(128):032x}:1"]),
            lambda: client.resolve([f"{chooser.getrandbits(128):032x}" for _ in range(500)]),
            lambda: client.find(f"{name}*"),
            lambda: client.usages(f"{name}.asset"),
            lambda: client.deps(f"{name}.asset"),
            client.status,
        )
        held = self._held.is_set()
        began = time.perf_counter()
        with contextlib.suppress(DaemonError):
            chooser.choice(questions)()
        took = time.perf_counter() - began
        if not held and not self._held.is_set():
            self.waits.append(took)
        time.sleep(0.005)

    def _subscribe(self) -> None:
        """Subscribe; to be called at rest."""
        if self._subscriber is not None:
            self._subscriber.close()
        self._subscriber = self._connect()
        self._subscriber.call("subscribe", {})
        self._told = self._paths()

    def _hear(self) -> None:
        """Take what the subscriber received by now."""
        if self._subscriber is None:
            return
        for event in self._subscriber.subscribe(timeout=0.3):
            # Two that changed places are two moves: first all that is gone, then all that is there.
            self._told -= {change.old_path or change.path for change in event.changes if change.kind != "added"}
            self._told |= {change.path for change in event.changes if change.kind != "removed"}

    def _paths(self) -> set[str]:
        with open_database(self._folder / "asset-db.bin") as database:
            return {asset.path for asset in database}

    # --- faults

    @property
    def _pid(self) -> int:
        if self._daemon is None:
            raise AssertionError("there is no daemon")
        return self._daemon.pid

    def _faults(self) -> dict[str, Fault]:
        pid = self._pid
        limits = resource.prlimit(pid, resource.RLIMIT_NOFILE)
        filler = self._folder / "filler"
        found = {
            "stop": Fault(lambda: os.kill(pid, signal.SIGSTOP), lambda: os.kill(pid, signal.SIGCONT)),
            "descriptors": Fault(
                lambda: resource.prlimit(pid, resource.RLIMIT_NOFILE, (FEW_DESCRIPTORS, limits[1])),
                lambda: resource.prlimit(pid, resource.RLIMIT_NOFILE, limits),
            ),
            "socket": Fault(self._remove_socket, lambda: None),
            "status": Fault(lambda: self._damage("asset-db.watch.json"), lambda: None),
            "hard links": Fault(self._link_outside, self._compare_outside),
        }
        if self._mounted:
            found["full disk"] = Fault(lambda: _fill_up(filler), lambda: filler.unlink(missing_ok=True))
        return {name: fault for name, fault in found.items() if name not in self._without}

    def _remove_socket(self) -> None:
        for path in Path(os.environ["XDG_RUNTIME_DIR"]).rglob("*.sock"):
            path.unlink(missing_ok=True)

    def _link_outside(self) -> None:
        """Put hard links to a file outside in the place of locks and log."""
        self._outside.write_bytes(_OUTSIDE)
        for name in ("asset-db.lock", "asset-db.watch.lock", "asset-db.watch.log"):
            if self._chooser.random() < 0.5:
                place = self._folder / name
                place.unlink(missing_ok=True)
                os.link(self._outside, place)

    def _compare_outside(self) -> None:
        if self._outside.read_bytes() != _OUTSIDE:
            raise AssertionError(f"{self._outside} was written, which only a hard link leads to")

    def _damage(self, name: str) -> None:
        path = self._folder / name
        path.write_bytes(damage(path.read_bytes(), self._chooser, [path.read_bytes()]))

    # --- rounds

    def round(self) -> None:
        """Disturb for a while, let it be, and compare."""
        mood = self._chooser.randrange(4)
        for _ in range(self._chooser.randrange(1, 8)):
            self._count(self._tree.disturb(mood))
            if self._chooser.random() < 0.25:
                self._fault()
            time.sleep(self._chooser.random() * 0.1)
        if self._chooser.random() < 0.15:
            self._kill()
        self._compare()

    def _fault(self) -> None:
        name, fault = self._chooser.choice(sorted(self._faults().items()))
        self._count(name)
        self._held.set()
        with contextlib.suppress(OSError, IndexError, ValueError):
            fault.begin()
        self._count(self._tree.disturb(0))
        time.sleep(self._chooser.random() * 0.5)
        with contextlib.suppress(OSError):
            fault.end()
        if name in ("socket", "status", "hard links"):
            self._until(lambda client: client.status())
        self._held.clear()

    def _until(self, answered: Callable[[Client], object]) -> None:
        """Wait until the daemon is found and answers."""
        end = time.monotonic() + PATIENCE
        while True:
            if self._daemon is None or self._daemon.poll() is not None:
                raise AssertionError("the daemon ended by itself")
            with contextlib.suppress(DaemonError, OSError), self._connect() as client:
                answered(client)
                return
            if time.monotonic() > end:
                raise AssertionError("the daemon is not to be found, or does not answer")
            time.sleep(0.05)

    def _kill(self) -> None:
        self._count("kill")
        self.stop(signal.SIGKILL)
        for name in (*COMPARED, "asset-db.cache", "asset-db.edits"):
            if self._chooser.random() < 0.15:
                self._count("damage")
                with contextlib.suppress(OSError, IndexError, ValueError):
                    self._damage(name)
        self._count(self._tree.disturb(0))
        self.start()
        with self._connect() as client:
            client.sync(files=True)
        self._subscribe()

    def _compare(self) -> None:
        with self._connect() as client:
            client.sync(files=True, timeout=PATIENCE)
            if self._chooser.random() < 0.2:
                client.bake()
            said = {str(found["path"]) for found in client.find("*", limit=100_000)}
        cold = self._scratch / "cold"
        shutil.rmtree(cold, ignore_errors=True)
        bake(self._tree.root, cold, keep_going=True, workers=1)
        for name in COMPARED:
            if (cold / name).read_bytes() != (self._folder / name).read_bytes():
                for each in COMPARED:  # the folder may be a mounted file system, which goes with the siege
                    shutil.copy(self._folder / each, self._scratch / f"found.{each}")
                raise AssertionError(f"{name} is not what a cold bake writes; see {self._scratch}")
        paths = self._paths()
        with open_database(self._folder / "asset-db.bin") as database:
            known = paths | {duplicate.asset.path for duplicate in database.supplement.duplicates}
        if said != known:
            raise AssertionError(f"the daemon's answers differ: {sorted(said ^ known)[:5]}")
        if self._subscriber is None:
            self._subscribe()
        else:
            self._hear()
            if self._told != paths:
                raise AssertionError(f"the subscriber received wrong events: {sorted(self._told ^ paths)[:5]}")
        self._compare_outside()
        if self._chooser.random() < _ANSWERS:
            self._tree.intruder.compare(self._folder, cold)
            self.answered += 1
        self.compared += 1
        self.memory.append(field_of(f"/proc/{self._pid}/status", "VmRSS"))

    def _count(self, name: str) -> None:
        self.changes[name] = self.changes.get(name, 0) + 1

    def end(self) -> None:
        """Let everybody go."""
        self._over.set()
        if self._subscriber is not None:
            self._subscriber.close()
        self.stop()


def _fill_up(path: Path) -> None:
    with path.open("wb") as file:
        while True:
            file.write(bytes(1 << 16))
            file.flush()


def run(seconds: float, seed: int, project: Path | None, files: int, without: frozenset[str] = frozenset()) -> None:
    """Besiege for ``seconds`` and print what was found.

    Raises:
        AssertionError: something differs; the tree and the files stay where they are.
    """
    scratch = Path(tempfile.mkdtemp(prefix="assetdb-siege-"))
    os.environ["XDG_RUNTIME_DIR"] = str(scratch / "runtime")
    (scratch / "runtime").mkdir(mode=0o700)
    root = scratch / "Project"
    if project is None:
        write_project(root)
    else:
        copied(project, root)
    folder = scratch / "out"
    folder.mkdir()
    mounting = ["mount", "-t", "tmpfs", "-o", f"size={MOUNTED_SIZE}", "tmpfs", str(folder)]
    mounted = subprocess.run(mounting, check=False, stderr=subprocess.DEVNULL).returncode == 0
    tree = Tree(root, scratch, seed)
    tree.fill(files)
    siege = Siege(tree, folder, scratch, seed, mounted=mounted, without=without)
    clients = [threading.Thread(target=siege.ask, args=(seed + number,), daemon=True) for number in range(8)]
    began = time.monotonic()
    try:
        siege.start()
        for client in clients:
            client.start()
        while time.monotonic() - began < seconds:
            siege.round()
    finally:
        siege.end()
        print(_summary(siege, time.monotonic() - began, mounted=mounted))
        for client in clients:
            if client.ident is not None:
                client.join(PATIENCE)
        if mounted:
            subprocess.run(["umount", str(folder)], check=False)
    shutil.rmtree(scratch, ignore_errors=True)


def _summary(siege: Siege, seconds: float, *, mounted: bool) -> str:
    memory = siege.memory or [0]
    disk = "" if mounted else " (no full disk: a file system cannot be mounted here)"
    changes = ", ".join(f"{count} {name}" for name, count in sorted(siege.changes.items()))
    return (
        f"{seconds:.0f} s: {siege.compared} comparisons with a cold bake, {siege.answered} of all answers{disk}\n{changes}\n"
        f"answers: {spread(siege.waits or [0.0])}\n"
        f"memory of the daemon: {memory[0] / 1024:.0f} MiB at first, {memory[-1] / 1024:.0f} at last, {max(memory) / 1024:.0f} at most"
    )


@script(__doc__, seconds=3600.0, seed=0, project=Path, files=400, without=[])
def main(given: Given) -> None:
    """Run from the command line."""
    run(given.seconds, given.seed, given.project, given.files, frozenset(given.without))
