"""Kill the commands that change files at each of their system calls, or let the call fail, and look what is left.

    python -m scripts.fuzz.faults --count 1200 [--seed N] [--command mv]

Every try runs one command on a small project under ``strace``, which kills it at a certain call or makes that call
fail. Then other commands use the project: in its place, without its ``Library``, with another output folder, or behind a
copy, in which a half done change is refused and nothing is touched. All of them share facts.
Nothing may be lost: the next command leaves the files as they were or as they were to be. Exit codes are right: 0 means
that all was done, with any other the messages name what was done. And ``check`` never passes what is half done.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from scripts.arguments import Given, script
from scripts.programs import CHECKOUT, assetdb, commit, git, in_process
from tests.system.graph.project import HEAD, add, add_folder, reference

PATIENCE = 120.0  # seconds that only a hang takes
_GUID = re.compile(rb"[0-9a-f]{32}")
_CHANGING = re.compile(r"O_(?:CREAT|WRONLY|RDWR)")
_KILL = "signal=KILL"
ERRORS = {
    "openat": ("EACCES", "EMFILE"),
    "write": ("ENOSPC", "EIO"),
    "rename": ("EIO", "EACCES"),
    "renameat": ("EIO", "EACCES"),
    "renameat2": ("EIO", "EINVAL", "EACCES"),
    "link": ("EPERM",),
    "linkat": ("EPERM",),
    "unlink": ("EIO", "EACCES"),
    "unlinkat": ("EIO", "EBUSY"),
    "mkdir": ("ENOSPC",),
    "rmdir": ("EBUSY",),
    "chmod": ("EPERM",),
    "fchmod": ("EPERM",),
    "fchmodat": ("EPERM",),
    "fsync": ("EIO",),
    "ftruncate": ("EIO",),
    "flock": ("ENOLCK",),
    "read": ("EIO",),
    "newfstatat": ("EIO",),
    "getdents64": ("EIO",),
    "close": ("EIO",),
}
"""Errors of each call. The calls in `LOOKING` change nothing; one in seven of them is tried."""
LOOKING = ("read", "newfstatat", "getdents64", "close", "openat")
_ONE_IN = 7
SURROUNDINGS = ("where it is", "a copy", "without Library", "another output folder")
# Messages of an interpreter that cannot start or import: no program can replace them.
_OF_PYTHON = ("ModuleNotFoundError", "ImportError", "importlib", "Fatal Python error", "frozen site", "frozen runpy")
SAID = (
    "next register, mv, rm or check --fix",
    "left behind",
    "cannot be removed",
    "mended:",
    "undid",
    "everything was done",
)


class Case(NamedTuple):
    """One command that changes files."""

    words: tuple[str, ...]  # of its command line, behind ``--project``
    in_git: bool = False  # whether the project is in a git repository
    whole: bool = True  # whether it does all or nothing


CASES = {
    "mv": Case(("mv", "Assets/Art/Red.mat", "Assets/Art/Deep", "Assets/Other")),
    "rm": Case(("rm", "--force", "Assets/Art/Red.mat", "Assets/Art/Deep")),
    "register": Case(("register", "Assets/New")),
    "--fix": Case(("check", "--fix"), in_git=True),
    "git-setup": Case(("git-setup",), in_git=True, whole=False),
    "git-setup --remove": Case(("git-setup", "--remove"), in_git=True, whole=False),
}


class Fault(NamedTuple):
    """A system call of a command, and what happens at it: the ``number``-th of its name."""

    call: str
    number: int
    what: str


class Outcome(NamedTuple):
    """What a try showed: how it ended, and what is wrong with that (``""``: nothing)."""

    end: str
    problem: str


# --- the project


def write_project(root: Path, case: Case) -> None:
    """Write a project in which the command has something to do."""
    _write(root, "ProjectSettings/ProjectVersion.txt", "m_EditorVersion: 2022.3.10f1\n")
    settings = f"{HEAD}--- !u!159 &1\nEditorSettings:\n  m_SerializationMode: 2\n"
    _write(root, "ProjectSettings/EditorSettings.asset", settings)
    materials = (
        "Assets/Art/Red.mat",
        "Assets/Art/Deep/Blue.mat",
        "Assets/Art/Deep/Lower/Green.mat",
        "Assets/Other/x.mat",
    )
    for path in materials:
        add(root, path, f"{HEAD}--- !u!21 &2100000\nMaterial:\n  m_Name: {Path(path).stem}\n")
    for path in ("Assets/Art", "Assets/Art/Deep", "Assets/Art/Deep/Lower", "Assets/Other"):
        add_folder(root, path)
    users = "".join(f"  - {reference(path, 2100000)}\n" for path in materials[:3])
    add(root, "Assets/Use.prefab", f"{HEAD}--- !u!23 &101\nMeshRenderer:\n  m_Materials:\n{users}")
    if case.in_git:
        _write(root, ".gitignore", "/Library/\n/other/\n")
        git(root, "init", "-q", "-b", "main")
        commit(root)
    if "register" in case.words:
        _write(root, "Assets/New/a.cs", "class A {}\n")
        _write(root, "Assets/New/Inner/b.txt", "b\n")
    elif "--fix" in case.words:
        (root / "Assets/Art/Red.mat.meta").unlink()
        (root / "Assets/Other/x.mat").unlink()
        git(root, "rm", "-q", "--cached", "Assets/Other/x.mat")
        shutil.copy(root / "Assets/Art/Deep/Blue.mat", root / "Assets/Art/Deep/Blue copy.mat")
        shutil.copy(root / "Assets/Art/Deep/Blue.mat.meta", root / "Assets/Art/Deep/Blue copy.mat.meta")
        _write(root, "Assets/Art/new.txt", "new\n")
    elif "--remove" in case.words:
        in_process("git-setup", "--project", root)
    in_process("bake", "-q", "--keep-going", "--project", root)


def _write(root: Path, path: str, text: str) -> None:
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text)


def state(root: Path, known: frozenset[bytes]) -> dict[str, tuple[int, bytes]]:
    """Return mode and bytes of whatever may be changed; GUIDs that are not known are all the same."""
    tops = [
        root / name for name in ("Assets", "ProjectSettings", ".gitattributes", ".git/config", ".git/hooks/pre-commit")
    ]
    files = [path for top in tops for path in ([top] if top.is_file() else sorted(top.rglob("*")))]
    return {
        path.relative_to(root).as_posix(): (
            path.stat().st_mode & 0o777,
            _GUID.sub(lambda found: found[0] if found[0] in known else b"new", path.read_bytes())
            if path.is_file()
            else b"",
        )
        for path in files
    }


# --- one command


class Command:
    """A command, what it finds and what it leaves where nothing is in its way."""

    def __init__(self, name: str, scratch: Path) -> None:
        """Write its project, run it once, and list its system calls."""
        self.name = name
        self.case = CASES[name]
        self._scratch = scratch / name.replace(" ", "")
        self._scratch.mkdir()
        self.template = self._scratch / "template"
        write_project(self.template, self.case)
        files = [path for path in self.template.rglob("*.meta") if "Library" not in path.parts]
        self.known = frozenset(guid for path in files for guid in _GUID.findall(path.read_bytes()))
        self.before = state(self.template, self.known)
        root = self.copy()
        log = self._scratch / "log"
        calls = ",".join(ERRORS)
        done = self._traced(root, ["-o", str(log), "-e", f"trace={calls}"])
        if done.returncode not in (0, 1):
            raise AssertionError(f"{name}: {done.stderr}")
        self.code = done.returncode
        self.after = state(root, self.known)
        if self.after == self.before:
            raise AssertionError(f"{name} changes nothing: {done.stderr}")
        self.faults = list(_faults(log.read_text("utf-8", "replace")))

    def copy(self) -> Path:
        """Return a project on which the command can be tried."""
        root = self._scratch / "Project"
        shutil.rmtree(root, ignore_errors=True)
        shutil.rmtree(self._scratch / "Copy", ignore_errors=True)
        subprocess.run(["cp", "-a", str(self.template), str(root)], check=True)
        return root

    def _traced(self, root: Path, options: list[str]) -> subprocess.CompletedProcess[str]:
        words = assetdb(*self.case.words, project=root)
        places = [str(root / word) if word.startswith("Assets/") else word for word in words]
        return subprocess.run(
            ["strace", "-f", "-qq", *options, *places],
            cwd=CHECKOUT,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PATIENCE,
            check=False,
        )

    def attempt(self, fault: Fault, surroundings: str) -> Outcome:
        """Inject a fault, go on somewhere, and return the outcome."""
        root = self.copy()
        inject = f"inject={fault.call}:{fault.what}:when={fault.number}"
        done = self._traced(root, ["-o", "/dev/null", "-e", f"trace={fault.call}", "-e", inject])
        found = state(root, self.known)
        is_said = self._is_left_to_a_person(done) and self._is_between(found)
        is_half = found not in (self.before, self.after) and not is_said
        was_killed = done.returncode in (-9, 137)
        problem = "" if was_killed else self._lie(done, found)
        end = "killed" if was_killed else f"exit {done.returncode}"
        kind = "half done" if is_half else "done" if found == self.after else "not begun"
        problem = problem or self._go_on(root, surroundings, is_half=is_half, may_be_between=is_said)
        return Outcome(f"{end}, {kind}", problem and f"{problem}\n    {done.stderr.strip()[-400:]}")

    def _lie(self, done: subprocess.CompletedProcess[str], found: dict[str, tuple[int, bytes]]) -> str:
        """Return why the exit code of a command that ended by itself is wrong, ``""`` if it is right."""
        if "Traceback" in done.stderr or "Fatal Python error" in done.stderr:
            is_of_python = any(words in done.stderr for words in _OF_PYTHON)
            return "" if is_of_python and found in (self.before, self.after) else "a traceback"
        if (
            done.returncode == self.code
            and found != self.after
            and self.case.whole
            and not self._is_left_to_a_person(done)
        ):
            return f"exit code {done.returncode}, and not all is done"
        says = any(words in done.stderr for words in SAID)
        if done.returncode not in (0, 1) and found != self.before and self.case.whole and not says:
            return f"exit code {done.returncode}, and something is changed"
        return ""

    @staticmethod
    def _is_left_to_a_person(done: subprocess.CompletedProcess[str]) -> bool:
        """Whether a command reports something as not done, by exit code and message, as where git fails."""
        return done.returncode == 1 and ("not mended:" in done.stderr or "assetdb: Assets/" in done.stderr)

    def _is_between(self, found: dict[str, tuple[int, bytes]]) -> bool:
        """Whether each file is as it was, or as it was to be."""
        names = {*found, *self.before, *self.after}
        return all(found.get(name) in (self.before.get(name), self.after.get(name)) for name in names)

    def _go_on(self, root: Path, surroundings: str, *, is_half: bool, may_be_between: bool) -> str:
        """Use the project on, and return what is lost by then, ``""`` where nothing is."""
        more: list[str] = []
        if surroundings == "a copy":
            copy = self._scratch / "Copy"
            subprocess.run(["cp", "-a", str(root), str(copy)], check=True)
            if (copy / ".assetdb-mending").exists() and self.case.whole:
                found = state(copy, self.known)
                code, _, errors = in_process("register", "--project", copy, copy / "Assets/Use.prefab")
                if code == 0 or "is not believed" not in errors or state(copy, self.known) != found:
                    return f"a copy is not left alone, exit code {code}: {errors[-300:]}"
        elif surroundings == "without Library":
            shutil.rmtree(root / "Library", ignore_errors=True)
        elif surroundings == "another output folder":
            more = ["--out-dir", str(root / "other")]
        if not self.case.whole:
            return self._set_up_again(root)
        if is_half:
            code, out, errors = in_process("check", "--project", root, *more)
            if code == 0:
                return f"check passes what is half done: {(out + errors)[-300:]}"
        code, out, errors = in_process("register", "--project", root, *more, root / "Assets/Use.prefab")
        found = state(root, self.known)
        if found not in (self.before, self.after) and not (may_be_between and self._is_between(found)):
            names = sorted(name for name in {*found, *self.before} if found.get(name) != self.before.get(name))
            return f"lost, after exit code {code}: {names[:6]} ({(out + errors)[-300:]})"
        left = sorted(path.name for path in root.glob(".assetdb-mending*") if not path.name.endswith(".lock"))
        return f"left behind: {left}" if left and code == 0 else ""

    def _set_up_again(self, root: Path) -> str:
        """Return what is wrong after ``git-setup``, and after ``git-setup --remove``."""
        for words in (("git-setup",), ("git-setup", "--remove")):
            code, out, errors = in_process(*words, "--project", root)
            if code:
                return f"{words[-1]} fails afterwards: {(out + errors)[-300:]}"
        subprocess.run(["git", "-C", str(root), "config", "-l"], check=True, stdout=subprocess.DEVNULL)
        plain = self.before if "--remove" not in self.case.words else self.after
        found = state(root, self.known)
        return "" if found == plain else f"not what it was: {sorted(set(found) ^ set(plain))}"


def _faults(log: str) -> Iterator[Fault]:
    """Yield what may go wrong at each call that the first process makes, by its ``strace`` log."""
    first = log.split(" ", 1)[0]
    counts: Counter[str] = Counter()
    for line in log.splitlines():
        process, _, rest = line.partition(" ")
        call, _, words = rest.strip().partition("(")
        if process != first or call not in ERRORS:
            continue
        counts[call] += 1
        changes = call not in LOOKING or (call == "openat" and _CHANGING.search(words) is not None)
        if not changes and counts[call] % _ONE_IN:
            continue
        yield Fault(call, counts[call], _KILL)
        for error in ERRORS[call]:
            yield Fault(call, counts[call], f"error={error}")


def run(count: int, seed: int, names: list[str]) -> list[str]:
    """Try ``count`` faults, print a table of what came of them, and return the problems."""
    scratch = Path(tempfile.mkdtemp(prefix="assetdb-faults-"))
    os.environ["ASSETDB_FACTS"] = str(scratch / "facts")
    chooser = random.Random(seed)
    problems: list[str] = []
    table: dict[str, Counter[str]] = {}
    try:
        commands = [Command(name, scratch) for name in names]
        changing = [(each, fault) for each in commands for fault in each.faults if fault.call not in LOOKING]
        looking = [(each, fault) for each in commands for fault in each.faults if fault.call in LOOKING]
        print(f"{len(changing):,} faults of calls that change something, {len(looking):,} of others")
        chooser.shuffle(changing)
        chooser.shuffle(looking)
        tries = (changing + looking)[:count]
        for number, (command, fault) in enumerate(tries):
            surroundings = SURROUNDINGS[number % len(SURROUNDINGS)]
            outcome = command.attempt(fault, surroundings)
            kind = "kill" if fault.what == _KILL else "error"
            table.setdefault(f"{command.name}, {kind}", Counter())[outcome.end] += 1
            if outcome.problem:
                problems.append(f"{command.name}: {fault}: {surroundings}: {outcome.end}: {outcome.problem}")
                print(problems[-1], flush=True)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
        for name, counts in sorted(table.items()):
            ends = ", ".join(f"{count} {end}" for end, count in sorted(counts.items()))
            print(f"{name}: {sum(counts.values())} tries: {ends}")
        print(f"{sum(sum(counts.values()) for counts in table.values()):,} tries, {len(problems)} problems", flush=True)
    return problems


@script(__doc__, count=1200, seed=0, command=[])
def main(given: Given) -> bool:
    """Run from the command line."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # the table is printed then, too
    return bool(run(given.count, given.seed, given.command or list(CASES)))
