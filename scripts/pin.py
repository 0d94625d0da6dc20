"""Pin what the command line prints, and compare a later state of the code with it.

    python -m scripts.pin record FOLDER [--corpus DIR] [--program PATH] [--only 'bake-*'] [--jobs 2]
    python -m scripts.pin compare FOLDER [--corpus DIR] [--program PATH] [--skip help]
    python -m scripts.pin list

``record`` runs the command lines of ``pin_cases.py`` in fresh copies of ``fixtures/`` and, where it is there, of parts
of the corpus of real files, and stores one text file for each: the command, its exit code, stdout, stderr, and size and
SHA-256 of the files that it wrote. ``compare`` runs them again and prints a unified diff for each that differs; it
exits with 1 if any does, and ``--skip help`` leaves out those that show help or usage. ``--program`` pins another
assetdb than the checkout's own: the path of an ``assetdb`` script.

What differs between runs has a placeholder: the temporary folder (``<TMP>``), the checkout, process ids, times,
durations and the names of sockets. Scenes (a copy and the commands that follow each other in it) run beside each other.
"""

from __future__ import annotations

import difflib
import fnmatch
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from scripts import programs
from scripts.arguments import Given, script
from scripts.pin_cases import SCENES
from scripts.pin_scene import HELP, Case, Scene

CHECKOUT: Final = str(programs.CHECKOUT)
SHOWN_CHARACTERS: Final = 200_000  # of one stream; a longer one is stored as its beginning and its SHA-256
COMMAND_TIMEOUT: Final = 180  # seconds; no command takes 10 on an idle machine
TIMED_OUT: Final = 124  # the exit code that is stored then, as of timeout(1)
# Of these only the name is stored: they hold inodes, times, process ids and absolute paths of the copy.
UNSTABLE_FILES: Final = (
    "asset-db.cache",
    "asset-db.edits",
    "asset-db.seen",
    "asset-db.memo",
    "asset-db.lock",
    "asset-db.watch.lock",
    "asset-db.watch.log",
    "asset-db.watch.json",
    "packages.list",
    "scan.cache",
)
# The hash of a project's path, or a socket's, in the user's own folders.
_HASHED_PATH: Final = re.compile(r"(cache[/\\]assetdb[/\\][^/\\\s]+-)[0-9a-f]{16}")
_PROCESS: Final = re.compile(r"(\b(?:pid|process)\b\W{1,6})\d+")
# Only in cases that declare it: elsewhere a number before "s" may be what the answer is about.
_TIMES: Final = (
    (re.compile(r"\b\d\d\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.,\d]*(Z|[+-]\d\d:?\d\d)?"), "<DATE>"),
    (re.compile(r"\b\d\d:\d\d:\d\d\b"), "<CLOCK>"),
    (re.compile(r"\bseconds=[\d.]+"), "seconds=<TIME>"),
    (re.compile(r'("seconds": *)\{[^}]*\}'), r"\1<TIMES>"),
    (re.compile(r'("(?:started|seconds)": *)[\d.e-]+'), r"\1<TIME>"),
    (re.compile(r'("start": *)"[^"]*"'), r"\1<START>"),
    (re.compile(r"\b\d+(\.\d+)? (ms|s|min|h)\b"), "<TIME>"),
    (re.compile(r"assetdb-\d+/[0-9a-f]{16}\.sock"), "<SOCKET>"),
    # How many events a change makes, and in how many updates they arrive, is the system's affair.
    (re.compile(r"^((?:events|updates|reconciles|saves|clients) +).*$", re.MULTILINE), r"\1<COUNT>"),
    (re.compile(r'("(?:events|updates|reconciles|saves|clients|requests)": *)\d+'), r"\1<COUNT>"),
    (re.compile(r"\b((?:events|updates|saves|files_read)=)\d+"), r"\1<COUNT>"),
)


class Runner:
    """Runs scenes in one temporary folder and gives what each case became, as text."""

    def __init__(self, program: list[str], corpus: str | None, folder: str) -> None:
        self.program = program
        self.corpus = corpus
        self.folder = folder

    def run(self, scene: Scene) -> dict[str, str]:
        """Run a scene in a fresh copy of what it needs: the text of each case by its id."""
        root = os.path.join(self.folder, scene.name)
        os.makedirs(root)
        environment = self._environment(root)
        self._copy(scene, root)
        if scene.prepare is not None:
            scene.prepare(root)
        try:
            return {case.name: self._case(case, root, environment) for case in scene.cases}
        finally:
            if scene.daemon:
                self._execute(["stop", "--project", "project"], root, environment, b"")

    def _environment(self, root: str) -> dict[str, str]:
        """Return the variables of a user without settings, whose home is in the temporary folder."""
        kept = {name: value for name, value in os.environ.items() if name in {"PATH", "SYSTEMROOT", "TMPDIR", "TEMP"}}
        home = os.path.join(root, "home")
        os.makedirs(home)
        own = {
            "HOME": home,
            "XDG_CONFIG_HOME": os.path.join(home, "config"),
            "XDG_CACHE_HOME": os.path.join(home, "cache"),
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
            "COLUMNS": "100",
            "GIT_CONFIG_NOSYSTEM": "1",
        }
        if len(self.program) > 1:
            own["PYTHONPATH"] = CHECKOUT
        return kept | own

    def _copy(self, scene: Scene, root: str) -> None:
        for source, target in scene.copies:
            base, _, path = source.partition(":")
            where = os.path.join(CHECKOUT if base == "checkout" else str(self.corpus), path)
            there = os.path.join(root, target)
            if os.path.isdir(where):
                generated = shutil.ignore_patterns("Library") if base == "checkout" else None
                shutil.copytree(where, there, symlinks=True, ignore=generated)
            else:
                os.makedirs(os.path.dirname(there), exist_ok=True)
                shutil.copy2(where, there)

    def _execute(
        self, arguments: list[str], folder: str, environment: dict[str, str], stdin: bytes
    ) -> tuple[int, bytes, bytes]:
        # Files and no pipes: a daemon that is started in between would keep a pipe open.
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            try:
                code = subprocess.run(
                    [*self.program, *arguments],
                    cwd=folder,
                    env=environment,
                    input=stdin,
                    stdout=out,
                    stderr=err,
                    timeout=COMMAND_TIMEOUT,
                    check=False,
                ).returncode
            except subprocess.TimeoutExpired:
                code = TIMED_OUT
            out.seek(0)
            err.seek(0)
            return code, out.read(), err.read()

    def _case(self, case: Case, root: str, environment: dict[str, str]) -> str:
        if case.before is not None:
            case.before(root)
        folder = os.path.join(root, case.folder)
        variables = {name: os.path.join(root, value) for name, value in case.folders.items()}
        code, out, err = self._execute(shlex.split(case.line), folder, environment | variables, case.stdin.encode())
        where = f"  (in {case.folder})" if case.folder else ""
        stdin = f"  < {case.stdin!r}" if case.stdin else ""
        settings = "".join(f"{name}=<TMP>/{value} " for name, value in case.folders.items())
        parts = [f"$ {settings}assetdb {case.line}{where}{stdin}\nexit code: {code}\n"]
        for title, data in (("stdout", out), ("stderr", err)):
            parts.append(f"--- {title}\n{self._stable(data, root, times=case.times)}")
        if case.written:
            parts.append("--- files\n")
            parts.extend(f"{line}\n" for name in case.written for line in files(root, name))
        return "".join(parts)

    def _stable(self, data: bytes, root: str, *, times: bool) -> str:
        text = data.decode("utf-8", "backslashreplace")
        text = text.replace(root, "<TMP>").replace(self.folder, "<TMP>").replace(CHECKOUT, "<CHECKOUT>")
        text = _HASHED_PATH.sub(r"\1<HASH>", text)
        text = _PROCESS.sub(r"\1<PID>", text)
        for pattern, placeholder in _TIMES if times else ():
            text = pattern.sub(placeholder, text)
        if text and not text.endswith("\n"):
            text += "\n(no newline at the end)\n"
        if len(text) <= SHOWN_CHARACTERS:
            return text
        digest = hashlib.sha256(text.encode()).hexdigest()
        return f"{text[:SHOWN_CHARACTERS]}\n(cut: {len(text)} characters in all, SHA-256 {digest})\n"


def files(root: str, name: str) -> Iterator[str]:
    """List a file, or the files of a folder, as ``path size SHA-256``."""
    top = Path(root, name)
    if not top.is_symlink() and not top.exists():
        yield f"{name} is not there"
    for path in [top] if top.is_file() else sorted(path for path in top.rglob("*") if not path.is_dir()):
        shown = path.relative_to(root).as_posix()
        if path.name in UNSTABLE_FILES:
            yield f"{shown} (not compared)"
        else:
            data = path.read_bytes()
            yield f"{shown} {len(data)} {hashlib.sha256(data).hexdigest()}"


def run_all(program: list[str], corpus: str | None, only: str, jobs: int) -> dict[str, str]:
    """Run the scenes with a case whose id matches ``only``: the text of those cases by id, in the order of the list."""
    scenes = [scene for scene in SCENES if any(fnmatch.fnmatch(case.name, only) for case in scene.cases)]
    if corpus is None:
        absent = [scene for scene in scenes if scene.needs_corpus]
        scenes = [scene for scene in scenes if not scene.needs_corpus]
        if absent:
            count = sum(len(scene.cases) for scene in absent)
            print(f"pin: no corpus (--corpus DIR): {count} command lines left out", file=sys.stderr)
    folder = os.path.realpath(tempfile.mkdtemp(prefix="pin-"))
    try:
        runner = Runner(program, corpus, folder)
        with ThreadPoolExecutor(jobs) as pool:
            results = list(pool.map(runner.run, scenes))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return {name: text for result in results for name, text in result.items() if fnmatch.fnmatch(name, only)}


def record(folder: Path, texts: dict[str, str]) -> None:
    """Store the text of each case, and remove those that are no longer in the list."""
    folder.mkdir(parents=True, exist_ok=True)
    known = {case.name for scene in SCENES for case in scene.cases}
    for path in folder.glob("*.txt"):
        if path.stem not in known:
            path.unlink()
    for name, text in texts.items():
        (folder / f"{name}.txt").write_bytes(text.encode())
    print(f"pinned {len(texts)} command lines in {folder}")


def compare(folder: Path, texts: dict[str, str], skipped: set[str]) -> bool:
    """Print a unified diff for each case that is not as it was recorded; whether there is one."""
    different = 0
    compared = {name: text for name, text in texts.items() if name not in skipped}
    for name, text in compared.items():
        path = folder / f"{name}.txt"
        before = path.read_bytes().decode() if path.is_file() else None
        if before is None:
            print(f"{name}: was not recorded\n")
        elif before != text:
            names = f"{name} (recorded)", f"{name} (now)"
            print(*difflib.unified_diff(before.splitlines(), text.splitlines(), *names, lineterm=""), "", sep="\n")
        different += before != text
    print(f"{len(compared)} command lines compared: {different or 'none'} {'differs' if different == 1 else 'differ'}")
    return different > 0


def corpus_folder(named: Path | None) -> str | None:
    """Return the unpacked corpus: as named, of ``ASSETDB_CORPUS``, or in its usual place; None where there is none."""
    folder = named or programs.CORPUS
    if (folder / "unity").is_dir():
        return os.path.realpath(folder)
    if named:
        sys.exit(f"pin: {named} is not the unpacked corpus: it has no folder unity/")
    return None


_OPTIONS: Final = {"only": "*", "jobs": os.cpu_count() or 1, "skip": ("", HELP)}


@script(__doc__, "action=record|compare|list", "folder?", corpus=Path, program=Path, **_OPTIONS)
def main(given: Given) -> bool:
    """Record, compare or list."""
    cases = [case for scene in SCENES for case in scene.cases]
    if given.action == "list":
        for case in cases:
            print(f"{case.name:32} {case.kind:5} assetdb {case.line}")
        return False
    if given.folder is None:
        sys.exit("pin: name the folder of the recording")
    program = [os.path.abspath(given.program)] if given.program else programs.assetdb()
    texts = run_all(program, corpus_folder(given.corpus), given.only, given.jobs)
    if given.action == "record":
        record(given.folder, texts)
        return False
    return compare(given.folder, texts, {case.name for case in cases if case.kind == given.skip})
