"""Besiege a daemon as programs of Windows do, there or under Wine; at rest it equals a cold bake.

    python -m scripts.fuzz.windows_siege [--seconds 900] [--seed N] [--files 200] [--backend windows] [--without-moves]

Every round a daemon watches a project in a git repository while editors save, folders are renamed and moved out and in,
git checks out, stashes, resets and cleans, hundreds of files with metas appear at once, and other programs hold files of
the project and the database open, most of them without FILE_SHARE_DELETE, as Python's ``open`` does there. A client and
commands ask meanwhile. Then all is let be: database, index and answers must be those of a cold bake of the same tree. In
the end the daemon stops, and nothing but its lasting files may stay.

Wine loses changes in a folder that was moved: there, one siege is ``--backend polling``, and another ``--without-moves``.

It prints how often that was compared, what happened, and what was refused. Everything is random by the seed but the time
of day.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import IO

from assetdb import Client
from assetdb.baking import bake
from assetdb.errors import DaemonError
from scripts.arguments import Given, script
from scripts.fuzz.project_changes import ChangedProject, meta_of
from scripts.programs import CHECKOUT, assetdb, git, repository
from tests.system.graph.project import write_project
from tests.system.watch.writer import Writer

COMPARED = ("asset-db.bin", "asset-db.index")
LASTING = {
    *COMPARED,
    *(".gitignore", "asset-db.cache", "asset-db.edits", "asset-db.lock", "asset-db.seen", "asset-db.watch.log"),
}
PATIENCE = 120.0  # seconds that only a hang takes
STORM = 400  # files, each with a meta: more records than the system's buffer holds


class WindowsWriter(Writer):
    """One who keeps no time of a change in which size and number stay, too: Windows tells Python no other time."""

    def _keep_time(self) -> None:
        self._write()


class StayingWriter(WindowsWriter):
    """One who moves no folder either."""

    def _move_folder(self) -> None:
        self._write()

    def _move_out(self) -> None:
        self._write()

    def _move_in(self) -> None:
        self._write()


class Tree(ChangedProject):
    """The project, and what programs of Windows do to it."""

    def __init__(self, root: Path, outside: Path, seed: int, *, moves: bool) -> None:
        super().__init__(root, seed)
        self._outside = outside
        self._moves = moves
        self._writer = (WindowsWriter if moves else StayingWriter)(root, outside, seed + 1)
        self._branches = 0
        self._storms = 0
        self._held: list[IO[bytes] | mmap.mmap] = []
        repository(root)

    def fill(self, count: int) -> None:
        """Write something ``count`` times."""
        for _ in range(count):
            self._writer.step()

    def disturb(self) -> str:
        """Do one thing and return its name."""
        editors = (self.edit, self.edit, self.edit, self.save_keeping_the_time)
        folders = (self.rename_folder, self.rename_folder, self.move_out_and_in) if self._moves else ()
        files = (self.rename, self.copy, self.delete)
        versions = (self.commit, self.checkout, self.stash, self.reset, self.clean)
        return self.make_one((*editors, *folders, *files, *versions, self.hold_file, self.hold_database, self.storm))

    def edit(self) -> None:
        """Do a few things at once."""
        self.fill(self.chooser.randrange(1, 15))

    def save_keeping_the_time(self) -> None:
        """Append to a file, and put its old time back."""
        path = self.any_file()
        status = path.stat()
        with path.open("ab") as file:
            file.write(b"\n")
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))

    def move_out_and_in(self) -> None:
        """Move a folder out of the project, and in again under another name."""
        folder = self.any_folder()
        there = self._outside / "moved"
        folder.rename(there)
        there.rename(folder.parent / f"Moved{self.chooser.randrange(5)}")

    def storm(self) -> None:
        """Write many files with metas into a new folder, or remove such a folder."""
        self._storms += 1
        folder = self.root / "Assets" / f"Storm{self._storms % 2}"
        if folder.exists():
            shutil.rmtree(folder)
            return
        folder.mkdir()
        for number in range(STORM):
            path = folder / f"New{number}.txt"
            path.write_bytes(b"x")
            meta_of(path).write_text(f"fileFormatVersion: 2\nguid: {self.chooser.getrandbits(128):032x}\n")

    # --- git

    def checkout(self) -> None:
        """Make a branch, or go to one that is there, leaving nothing behind."""
        self.commit()
        if self._branches < 4:
            self._branches += 1
            git(self.root, "checkout", "-q", "-b", f"branch{self._branches}")
            return
        git(self.root, "checkout", "-q", "-f", f"branch{self.chooser.randrange(1, 5)}")

    def stash(self) -> None:
        """Stash, and take it back."""
        super().stash()
        git(self.root, "stash", "pop", "-q")

    # --- other programs

    def hold_file(self) -> None:
        """Open a file of the project as a program does that does not share its removal."""
        self._held.append(self.any_file().open("rb"))

    def hold_database(self) -> None:
        """Map the database or its index as such a program does."""
        with (self.root / "Library" / "assetdb" / self.chooser.choice(COMPARED)).open("rb") as file:
            self._held.append(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))

    def let_go(self) -> None:
        """Close what other programs hold."""
        held, self._held = self._held, []
        for each in held:
            each.close()


class Siege:
    """A daemon under siege, and what was seen."""

    def __init__(self, tree: Tree, scratch: Path, backend: str) -> None:
        self._tree = tree
        self._scratch = scratch
        self._folder = tree.root / "Library" / "assetdb"
        self._backend = backend
        self._daemon: subprocess.Popen[bytes] | None = None
        self.compared = self.asked = 0
        self.seen: dict[str, int] = {}

    def start(self) -> None:
        """Start a daemon, and wait until it answers."""
        nothing = subprocess.DEVNULL
        with open(self._scratch / "daemon.err", "ab") as errors:
            words = assetdb("watch", "--backend", self._backend, project=self._tree.root)
            self._daemon = subprocess.Popen(words, cwd=CHECKOUT, stdin=nothing, stdout=nothing, stderr=errors)
        end = time.monotonic() + PATIENCE
        while True:
            with contextlib.suppress(DaemonError, OSError), self._connect() as client:
                client.sync()
                return
            if self._daemon.poll() is not None or time.monotonic() > end:
                raise AssertionError(f"the daemon does not start; see {self._scratch / 'daemon.err'}")
            time.sleep(0.1)

    def round(self) -> None:
        """Disturb for a while, ask meanwhile, let it be, and compare."""
        chooser = self._tree.chooser
        for _ in range(chooser.randrange(1, 8)):
            self._count(self._tree.disturb())
            if chooser.random() < 0.2:
                self._ask()
            time.sleep(chooser.random() * 0.1)
        self._tree.let_go()
        if chooser.random() < 0.1:
            self._kill()
        self._compare()

    def end(self) -> None:
        """Stop the daemon, and look for what it left."""
        self._tree.let_go()
        if self._daemon is not None and self._daemon.poll() is None:
            done = subprocess.run(
                assetdb("stop", project=self._tree.root), cwd=CHECKOUT, check=False, capture_output=True
            )
            if done.returncode or self._daemon.wait(PATIENCE):
                raise AssertionError(f"the daemon does not stop: {done.stderr.decode(errors='replace')}")

    def leftovers(self) -> list[str]:
        """Return what stayed in the output folder and beside the assets."""
        made = {path.name for path in self._folder.iterdir()} - LASTING
        beside = {path.name for path in self._tree.root.rglob("*") if ".assetdb-" in path.name}
        return sorted(made | beside)

    def _connect(self) -> Client:
        return Client.connect(self._tree.root, timeout=PATIENCE)

    def _ask(self) -> None:
        """Have a new asset found by a command that starts right after the edit."""
        self.asked += 1
        name = f"Fresh{self.asked}"
        path = self._tree.root / "Assets" / f"{name}.txt"
        path.write_bytes(b"fresh")
        meta_of(path).write_text(f"fileFormatVersion: 2\nguid: {self._tree.chooser.getrandbits(128):032x}\n")
        done = subprocess.run(
            assetdb("find", name, project=self._tree.root), cwd=CHECKOUT, check=False, capture_output=True
        )
        if name.encode() not in done.stdout:
            said = done.stderr.decode(errors="replace")
            raise AssertionError(f"{name} is not found right after it was written ({done.returncode}): {said}")

    def _kill(self) -> None:
        self._count("kill")
        if self._daemon is not None:
            self._daemon.kill()
            self._daemon.wait(PATIENCE)
        self._count(self._tree.disturb())
        self._tree.let_go()
        self.start()

    def _compare(self) -> None:
        with self._connect() as client:
            client.sync(files=True, timeout=PATIENCE)
            said = {str(found["path"]) for found in client.find("*", limit=100_000)}
        cold = self._scratch / "cold"
        shutil.rmtree(cold, ignore_errors=True)
        bake(self._tree.root, cold, keep_going=True, workers=1)
        for name in COMPARED:
            if (cold / name).read_bytes() != (self._folder / name).read_bytes():
                raise AssertionError(f"{name} is not what a cold bake writes; see {self._scratch}")
        done = subprocess.run(
            assetdb("find", "*", "--json", project=self._tree.root, out_dir=cold),
            cwd=CHECKOUT,
            check=False,
            capture_output=True,
        )
        missing = [path for path in said if os.fsencode(path.rpartition("/")[2]) not in done.stdout]
        if missing:
            raise AssertionError(f"the daemon knows what a cold bake does not: {sorted(missing)[:5]}")
        self.compared += 1

    def _count(self, name: str) -> None:
        self.seen[name] = self.seen.get(name, 0) + 1


def run(seconds: float, seed: int, files: int, backend: str, *, moves: bool) -> None:
    """Besiege for ``seconds`` and print what was found.

    Raises:
        AssertionError: something differs or stays; the tree and the files stay where they are.
    """
    scratch = Path(tempfile.mkdtemp(prefix="assetdb-siege-"))
    tree = Tree(write_project(scratch / "Project"), scratch, seed, moves=moves)
    tree.fill(files)
    siege = Siege(tree, scratch, backend)
    began = time.monotonic()
    try:
        siege.start()
        while time.monotonic() - began < seconds:
            siege.round()
    finally:
        siege.end()
        happened = ", ".join(f"{count} {name}" for name, count in sorted(siege.seen.items()))
        print(
            f"{time.monotonic() - began:.0f} s: {siege.compared} comparisons with a cold bake, "
            f"{siege.asked} questions right after an edit\n{happened}",
            flush=True,
        )
    left = siege.leftovers()
    if left:
        raise AssertionError(f"this stayed: {left[:10]}; see {scratch}")
    shutil.rmtree(scratch, ignore_errors=True)


@script(__doc__, seconds=900.0, seed=0, files=200, backend="windows", without_moves=False)
def main(given: Given) -> None:
    """Run from the command line."""
    run(given.seconds, given.seed, given.files, given.backend, moves=not given.without_moves)
