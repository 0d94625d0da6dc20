"""Attack the kept files of checks: a check always reports the same as one without kept files.

    python -m scripts.fuzz.check [--rounds 500] [--seed N] [--project DIR]

Every round some of these happen: references are retargeted, objects renamed, files and metas edited, deleted, copied,
renamed and moved with their folders, old times brought back, packages and ``assetdb.toml`` changed, all files touched,
``git`` goes to another commit, converts the ends of lines, all files are cloned, in place or elsewhere; and to the kept
files: they are damaged, deleted, exchanged with those of an earlier state, each for itself, or with those of another
project; all are deleted, where a folder of shared facts is there. Checks are killed, run two at once, or beside a daemon.
Then what a check finds with the kept files, twice, and what it finds with an output folder that is new must be the same
lines, and database and index the same bytes.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from assetdb.store.files import DATABASE_NAME, INDEX_NAME, MEMO_NAME
from scripts.arguments import Given, script
from scripts.fuzz.project_changes import ChangedProject
from scripts.fuzz.running import damage
from scripts.programs import CHECKOUT, assetdb, copied, git, in_process
from tests.assetdb.checks.healthy import make_healthy

KEPT: Final = (MEMO_NAME,)
COMPARED: Final = (DATABASE_NAME, INDEX_NAME)
FACTS: Final = "ASSETDB_FACTS"
SETTLED: Final = 0.03  # seconds after which a file's times tell it from what it becomes
OLD: Final = 1_420_070_400  # 2015-01-01
_TEXT: Final = (".prefab", ".unity", ".mat", ".asset", ".anim", ".controller", ".asmdef", ".meta")
_GUID: Final = b"guid: "
_SAID_EVERY: Final = 50  # rounds
_CONFIGURATIONS: Final = (
    '[check]\nselect = ["missing-asset", "dangling", "placeholder-guid", "missing-meta"]\n',
    '[check]\nignore = ["stale-override", "orphan-meta"]\n',
    '[check.per-path-ignores]\n"*.unity" = ["all"]\n',
    '[check.severity]\ndangling = "error"\norphan-meta = "off"\n',
)
_ATTRIBUTES: Final = ("* -text\n", "* text=auto eol=lf\n", "* text=auto eol=crlf\n", "*.meta ident\n*.mat text\n")
_PACKAGES: Final = ("com.unity.ugui", "com.unity.textmeshpro", "com.unity.inputsystem", "com.example.gone")


class Attack(ChangedProject):
    """A project, what its checks keep, and all that happens to both."""

    def __init__(self, scratch: Path, seed: int, source: Path | None = None) -> None:
        """Copy ``source``, or write a small project, into a folder."""
        super().__init__(scratch / "Game", seed)
        self.out = scratch / "out"
        self._scratch = scratch
        self._daemon: subprocess.Popen[bytes] | None = None
        if source is None:
            make_healthy(self.root)
        else:
            copied(source, self.root)
        other = make_healthy(scratch / "Other", 2)
        (other / "Assets/Scripts/Item.cs").unlink()
        self._check(other, scratch / "other-out")
        git(self.root, "init", "-q", "-b", "main")
        self.commit()
        self.changes: dict[str, int] = {}
        self.lines: set[int] = set()
        self._saved = 0

    def round(self) -> str:
        """Let something happen, compare, and return what differs, ``""`` for nothing."""
        done = [self._do(self.edits) for _ in range(self.chooser.choice((1, 1, 2, 5)))]
        if self.chooser.random() < 0.5:
            time.sleep(SETTLED)
        done += [self._do(self.interference) for _ in range(self.chooser.choice((0, 1, 1, 2)))]
        new = self._scratch / "new"
        shutil.rmtree(new, ignore_errors=True)
        shared = os.environ.pop(FACTS, None)
        expected = self._check(self.root, new)
        if shared is not None:
            os.environ[FACTS] = shared
        self.lines.add(len(expected[1].splitlines()))
        for what in ("first", "second"):
            found = self._check(self.root, self.out)
            if found != expected:
                lines, right = found[1].splitlines(), expected[1].splitlines()
                extra = [line for line in lines if line not in right][:3]
                missing = [line for line in right if line not in lines][:3]
                return f"{what} check after {done}: {found[0]} for {expected[0]}, {extra=} {missing=} {found[2]}"
            for name in COMPARED:
                if (self.out / name).read_bytes() != (new / name).read_bytes():
                    return f"{name} is another at the {what} check after {done}"
        return ""

    def end(self) -> None:
        """End what still runs."""
        if self._daemon is not None:
            self._daemon.terminate()
            self._daemon.wait()
            self._daemon = None

    def _do(self, changes: Sequence[Callable[[], object]]) -> str:
        name = self.make_one(changes)
        self.changes[name] = self.changes.get(name, 0) + 1
        return name

    @property
    def edits(self) -> tuple[Callable[[], object], ...]:
        """What people do to a project."""
        return (
            *(self.retarget, self.retarget, self.renumber, self.rename_object, self.same_size, self.blunt),
            *(self.delete, self.delete_asset, self.delete_meta, self.copy, self.rename, self.rename_asset),
            *(self.rename_folder, self.swap, self.old_times, self.packages, self.embed, self.configure, self.modes),
            *(self.commit, self.checkout, self.reset, self.clean, self.stash, self.other_files, self.clone),
            *(self.clone, self.move, self.touch, self.convert, self.attributes),
        )

    @property
    def interference(self) -> tuple[Callable[[], object], ...]:
        """What happens to checks, and to what they keep."""
        return (
            *(self.save, self.save, self.restore, self.restore, self.restore, self.damage, self.remove, self.foreign),
            *(self.killed, self.killed, self.at_once, self.daemon, self.bake, self.another_selection),
            *(self.share, self.empty),
        )

    # --- a project

    def retarget(self) -> None:
        """Let a reference mean another asset, or none."""
        path = self.any_file(*_TEXT)
        parts = path.read_bytes().split(_GUID)
        place = self.chooser.randrange(1, len(parts)) if len(parts) > 1 else 0
        if place:
            parts[place] = self._any_guid() + parts[place][32:]
        self._write(path, _GUID.join(parts))

    def renumber(self) -> None:
        """Let a reference mean another object, or an object have another id."""
        path = self.any_file(*_TEXT)
        before = self.chooser.choice((b"fileID: ", b"--- !u!1 &", b"--- !u!114 &", b"internalID: "))
        parts = path.read_bytes().split(before)
        place = self.chooser.randrange(1, len(parts)) if len(parts) > 1 else 0
        if place:
            parts[place] = b"%d" % self.chooser.randrange(1, 99) + parts[place].lstrip(b"-0123456789")
        self._write(path, before.join(parts))

    def rename_object(self) -> None:
        """Give an object another name."""
        path = self.any_file(*_TEXT)
        self._write(path, path.read_bytes().replace(b"m_Name: ", b"m_Name: N%d" % self.chooser.randrange(9), 1))

    def same_size(self) -> None:
        """Edit without another size, and put the old time back."""
        path = self.any_file(*_TEXT)
        status = path.stat()
        data = bytearray(path.read_bytes())
        place = data.find(_GUID, self.chooser.randrange(len(data) + 1))
        if place >= 0:
            data[place + 20] = ord(self.chooser.choice("0123456789abcdef"))
        self._write(path, bytes(data))
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))

    def blunt(self) -> None:
        """Leave a file that is none of its kind."""
        texts = ("", "plain\n", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "<<<<<<< HEAD\n")
        self.any_file(*_TEXT).write_text(self.chooser.choice(texts))

    def swap(self) -> None:
        """Let two files of one kind change places."""
        one = self.any_file(*_TEXT)
        other = self.any_file(one.suffix)
        between = one.with_name(".between")
        one.replace(between)
        other.replace(one)
        between.replace(other)

    def old_times(self) -> None:
        """Edit a file and give it the time of long ago."""
        path = self.any_file(*_TEXT)
        self._write(path, path.read_bytes() + b"\n")
        os.utime(path, (OLD, OLD))

    def clone(self) -> None:
        """Give every file another inode and another time, as a clone has them."""
        for path in sorted(self.root.rglob("*")):
            if path.is_file() and not path.is_symlink() and ".git" not in path.parts and "Library" not in path.parts:
                other = path.with_name(f"{path.name}.cloned")
                shutil.copyfile(path, other)
                other.replace(path)

    def move(self) -> None:
        """Go on in a clone elsewhere, with the output folder."""
        self.end()
        other = self._scratch / f"Clone{self.chooser.randrange(1 << 30)}" / "Game"
        shutil.copytree(self.root, other, symlinks=True, copy_function=shutil.copyfile)
        shutil.rmtree(self.root)
        self.root = other

    def touch(self) -> None:
        """Give all files another time."""
        for path in self.files():
            os.utime(path)

    def convert(self) -> None:
        """Convert the ends of lines of a file."""
        path = self.any_file(*_TEXT)
        data = path.read_bytes()
        self._write(path, data.replace(b"\r\n", b"\n") if b"\r\n" in data else data.replace(b"\n", b"\r\n"))

    def attributes(self) -> None:
        """Change what git converts, and check all files out anew."""
        (self.root / ".gitattributes").write_text(self.chooser.choice(_ATTRIBUTES))
        self.commit()
        for path in self.files():
            path.unlink()
        git(self.root, "reset", "-q", "--hard")

    def packages(self) -> None:
        """Add or remove a package in the manifest, or the lock."""
        path = self.root / "Packages" / self.chooser.choice(("manifest.json", "packages-lock.json"))
        content = json.loads(path.read_text() if path.exists() else "{}")
        rows = content.setdefault("dependencies", {})
        name = self.chooser.choice(_PACKAGES)
        if name in rows:
            del rows[name]
        else:
            rows[name] = "1.0.0" if path.stem == "manifest" else {"version": "1.0.0", "depth": 0, "dependencies": {}}
        path.write_text(json.dumps(content))

    def embed(self) -> None:
        """Embed a package that has an asset of the project, or remove it."""
        folder = self.root / "Packages" / "com.example.embedded"
        if folder.exists():
            shutil.rmtree(folder)
            return
        path = self.any_asset()
        folder.mkdir()
        (folder / "package.json").write_text('{"name": "com.example.embedded", "version": "1.0.0"}')
        path.replace(folder / path.name)
        Path(f"{path}.meta").replace(folder / f"{path.name}.meta")

    def configure(self) -> None:
        """Write the project's configuration anew, or remove it."""
        path = self.root / "assetdb.toml"
        if path.exists() and self.chooser.random() < 0.5:
            path.unlink()
        else:
            path.write_text(self.chooser.choice(_CONFIGURATIONS))

    def modes(self) -> None:
        """Change the project's settings."""
        path = self.root / "ProjectSettings" / "EditorSettings.asset"
        mode = b"m_SerializationMode: "
        head, _, rest = path.read_bytes().partition(mode)
        self._write(path, head + mode + b"%d" % self.chooser.randrange(3) + rest[1:])

    def other_files(self) -> None:
        """Copy files of another project in."""
        source = self.chooser.choice(sorted((self._scratch / "Other" / "Assets").iterdir()))
        if source.is_dir():
            shutil.copytree(source, self.root / "Assets" / source.name, dirs_exist_ok=True)
        else:
            shutil.copy2(source, self.root / "Assets" / source.name)

    def checkout(self) -> None:
        """Go back some commits, or to the newest."""
        self.commit()
        if self.chooser.random() < 0.5:
            git(self.root, "branch", "-q", "-f", "newest")
            git(self.root, "reset", "-q", "--hard", f"HEAD~{self.chooser.randrange(1, 6)}")
        else:
            git(self.root, "reset", "-q", "--hard", "newest")

    # --- checks, and what they keep

    def save(self) -> None:
        """Check, and keep what was kept aside."""
        self._check(self.root, self.out)
        self._saved += 1
        shutil.copytree(self.out, self._scratch / f"saved{self._saved % 4}", dirs_exist_ok=True)

    def restore(self) -> None:
        """Bring one or more of the kept files of an earlier state back."""
        source = self._scratch / f"saved{self.chooser.randrange(4)}"
        for name in self.chooser.sample(KEPT, self.chooser.randrange(1, len(KEPT) + 1)):
            shutil.copy2(source / name, self.out / name)

    def damage(self) -> None:
        """Change some bytes of a kept file, or cut it."""
        path = self.out / self.chooser.choice(KEPT)
        path.write_bytes(damage(path.read_bytes(), self.chooser, [path.read_bytes()]))

    def remove(self) -> None:
        """Remove a kept file."""
        (self.out / self.chooser.choice(KEPT)).unlink()

    def foreign(self) -> None:
        """Take a kept file of another project."""
        name = self.chooser.choice(KEPT)
        shutil.copy2(self._scratch / "other-out" / name, self.out / name)

    def share(self) -> None:
        """Begin to share facts, or end it."""
        if os.environ.pop(FACTS, None) is None:
            os.environ[FACTS] = str(self._scratch / "facts")

    def empty(self) -> None:
        """Remove the output folder, and go on from shared facts."""
        self.end()
        os.environ[FACTS] = str(self._scratch / "facts")
        shutil.rmtree(self.out)

    def killed(self) -> None:
        """Kill a check at some moment."""
        check = self._begun("check", "-q")
        time.sleep(self.chooser.random() * self.chooser.choice((0.1, 0.5)))
        check.kill()
        check.wait()

    def at_once(self) -> None:
        """Run two checks at once, and edit meanwhile."""
        checks = [self._begun("check", "-q"), self._begun("check", "-q")]
        with contextlib.suppress(OSError, IndexError):
            self.retarget()
        for check in checks:
            check.wait()

    def daemon(self) -> None:
        """Start a daemon, or end it."""
        if self._daemon is not None:
            self.end()
            return
        self._daemon = self._begun("watch")
        time.sleep(self.chooser.choice((0.0, 1.0)))

    def bake(self) -> None:
        """Bake without a check."""
        in_process("bake", "-q", "--keep-going", "--project", self.root, "--out-dir", self.out)

    def another_selection(self) -> None:
        """Check for some codes alone."""
        self._check(self.root, self.out, "--select", self.chooser.choice(("dangling", "missing-asset", "all")))

    # --- how these are done

    def _check(self, root: Path, out: Path, *words: str) -> tuple[int, str, str]:
        return in_process("check", "-q", "--json", "--exit-zero", "--project", root, "--out-dir", out, *words)

    def _begun(self, *words: str) -> subprocess.Popen[bytes]:
        """Start a command of its own process."""
        nothing = subprocess.DEVNULL
        command = assetdb(*words, project=self.root, out_dir=self.out)
        return subprocess.Popen(command, cwd=CHECKOUT, stdin=nothing, stdout=nothing, stderr=nothing)

    def _write(self, path: Path, data: bytes) -> None:
        """Write a file in place or, as editors do, by replacing it."""
        if self.chooser.random() < 0.5:
            path.write_bytes(data)
        else:
            beside = path.with_name(f".{path.name}.new")
            beside.write_bytes(data)
            beside.replace(path)

    def _any_guid(self) -> bytes:
        """Return the GUID of an asset, or that of none."""
        guid = self.any_file(".meta").read_bytes().partition(_GUID)[2][:32]
        return guid if len(guid) == 32 and self.chooser.random() < 0.7 else b"%032x" % self.chooser.getrandbits(128)


def run(rounds: int, seed: int, source: Path | None = None) -> tuple[list[str], dict[str, int]]:
    """Return what differed in so many rounds, and how often each thing was done; what differs is printed at once."""
    failures: list[str] = []
    with tempfile.TemporaryDirectory() as scratch:
        attack = Attack(Path(scratch), seed, source)
        try:
            for number in range(rounds):
                if failed := attack.round():
                    failures.append(f"seed {seed}, round {number}: {failed}")
                    print(failures[-1], flush=True)
                if (number + 1) % _SAID_EVERY == 0:
                    print(f"{number + 1} rounds", flush=True)
        finally:
            attack.end()
            os.environ.pop(FACTS, None)
    return failures, {**attack.changes, "different numbers of findings": len(attack.lines)}


@script(__doc__, rounds=500, seed=1, project=Path)
def main(given: Given) -> bool:
    """Attack, and print what differed."""
    failures, changes = run(given.rounds, given.seed, given.project)
    print(f"{given.rounds} rounds, {len(failures)} differ; {changes}")
    return bool(failures)
