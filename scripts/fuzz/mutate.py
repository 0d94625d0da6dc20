"""Mutations of the sources: do the tests notice each of them?

    python -m scripts.fuzz.mutate [FILE|FOLDER...] [--since REVISION] [--count 60] [--seed 1] [--wider TESTS]...
                                [--everything]

Changes one operator, constant, condition or call at a time in a copy of the checkout, and runs the tests named for the
module, then those of its folder, then those that name the module, then those of ``--wider`` (a file or folder, given
once for each), until one fails. ``--everything`` goes on with all tests of the module's part, long ones and those of
the corpus included, as ``.ci/run`` has them. Prints every mutation with its fate, and the survivors again; some of these
are equivalent, which only a reader can see.
"""

from __future__ import annotations

import ast
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Final, NamedTuple

from scripts.arguments import Given, script
from scripts.programs import CHECKOUT

SOURCES: Final = ("assetdb", "formats/assetdb_formats")
_SKIPPED: Final = (ast.JoinedStr, ast.Raise, ast.AnnAssign, ast.arguments)  # texts, types and defaults
_PAIRS: Final[tuple[tuple[type[ast.AST], type[ast.AST]], ...]] = (
    *((ast.Eq, ast.NotEq), (ast.Is, ast.IsNot), (ast.In, ast.NotIn), (ast.Lt, ast.LtE), (ast.Gt, ast.GtE)),
    *((ast.Add, ast.Sub), (ast.Mult, ast.FloorDiv), (ast.BitAnd, ast.BitOr), (ast.And, ast.Or)),
)
_QUICK: Final = "-mnot long and not corpus"
_ALL: Final = "-mlong or not long"
_OTHER: Final = dict(_PAIRS) | {second: first for first, second in _PAIRS}


class Mutation(NamedTuple):
    """A change of one place: the file, its line, the bytes that are replaced, and both texts."""

    path: str
    line: int
    start: int
    end: int
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.before} -> {self.after}"


def mutants_of(node: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    """Yield places at a node, and the text that takes their place."""
    if isinstance(node, ast.Compare):
        for number, operator in enumerate(node.ops):
            other = deepcopy(node)
            other.ops[number] = _OTHER[type(operator)]()  # type: ignore[call-overload]  # of comparisons
            yield node, ast.unparse(other)
    elif isinstance(node, ast.BoolOp | ast.BinOp) and type(node.op) in _OTHER:
        yield node, ast.unparse(type(node)(**{**dict(ast.iter_fields(node)), "op": _OTHER[type(node.op)]()}))
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node, ast.unparse(node.operand)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield node, repr(not node.value if isinstance(node.value, bool) else node.value + 1)
    elif isinstance(node, ast.If | ast.IfExp | ast.While):
        yield node.test, f"not ({ast.unparse(node.test)})"
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield node, "pass"


def mutations(path: str, lines: set[int] | None = None) -> list[Mutation]:
    """Return all mutations of a file, or of some of its lines."""
    source = (CHECKOUT / path).read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = []

    def look(node: ast.AST) -> None:
        if isinstance(node, _SKIPPED) or (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)):
            return
        for place, after in mutants_of(node):
            first, last = place.lineno, place.end_lineno or place.lineno
            if lines is None or not lines.isdisjoint(range(first, last + 1)):
                start, end = starts[first - 1] + place.col_offset, starts[last - 1] + (place.end_col_offset or 0)
                text = after if isinstance(place, ast.stmt) else f"({after})"
                found.append(Mutation(path, first, start, end, ast.unparse(place), text))
        for child in ast.iter_child_nodes(node):
            if child is not getattr(node, "returns", None):
                look(child)

    look(ast.parse(source))
    return found


def changed_lines(revision: str) -> dict[str, set[int]]:
    """Return the lines of each source that differ from a revision."""
    command = ["git", "diff", "-U0", "--no-renames", revision, "--", *SOURCES]
    printed = subprocess.run(command, cwd=CHECKOUT, check=True, capture_output=True, text=True).stdout
    found: dict[str, set[int]] = {}
    for row in printed.splitlines():
        if row.startswith("+++ "):
            lines = found.setdefault(row.removeprefix("+++ b/"), set())
        elif hunk := re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", row):
            first, count = int(hunk[1]), int(hunk[2] or 1)
            lines.update(range(first, first + count))
    return found


class Trial:
    """A copy of the checkout, in which one file at a time is mutated and tests are run."""

    def __init__(self, copy: Path, wider: list[str], *, everything: bool) -> None:
        self._copy = copy
        self._wider = wider
        self._everything = everything
        self._took: dict[tuple[str, ...], float] = {}  # seconds of tests that pass where nothing is mutated
        self._written = int(time.time())
        made = shutil.ignore_patterns(".git", ".venv", "target", "node_modules", "*_cache", "__pycache__")

        def left_out(folder: str, names: list[str]) -> set[str]:
            return made(folder, names) | ({"build"} if Path(folder) == CHECKOUT else set())  # not assetdb/cli/build

        shutil.copytree(CHECKOUT, copy, symlinks=True, ignore=left_out, dirs_exist_ok=True)
        self._environment = {**os.environ, "PYTHONPATH": f"{copy}{os.pathsep}{copy / 'formats'}"}

    def stages(self, path: str) -> list[tuple[str, ...]]:
        """Return the tests of a module behind their marker, those that are likely to notice first."""
        module = path.removeprefix("formats/").removesuffix(".py")
        folder = sorted((self._copy / "tests" / module).parent.glob("test_*.py"))
        named = [each for each in folder if each.stem.startswith(f"test_{Path(module).name}")]
        dotted = re.compile(rf"\b{re.escape(module.replace('/', '.'))}\b")
        tests = [each for each in self._copy.glob("tests/*/**/test_*.py") if "architecture" not in each.parts]
        naming = [each for each in sorted(tests) if dotted.search(each.read_text("utf-8"))]
        stages: list[tuple[str, ...]] = []
        for stage in (named, folder, naming, self._wider):
            quick = (name for name in map(str, stage) if not any(name in known for known in stages))
            stages.append(tuple(quick))
        stages = [(_QUICK, *stage) for stage in stages if stage]
        part = self._copy / "tests" / "/".join(module.split("/")[:2])
        if self._everything and part.is_dir():
            stages.append((_ALL, str(part)))
        return stages

    def noticed(self, mutation: Mutation) -> str:
        """Return the first stage that notices a mutation, or nothing."""
        path = self._copy / mutation.path
        source = path.read_bytes()
        for stage in self.stages(mutation.path):
            if stage not in self._took:
                started = time.perf_counter()
                if self._fail(stage, 3600):
                    sys.exit(f"these fail where nothing is mutated: {' '.join(stage)}")
                self._took[stage] = time.perf_counter() - started
            try:
                self._write(path, source[: mutation.start] + mutation.after.encode() + source[mutation.end :])
                if self._fail(stage, 3 * self._took[stage] + 60):
                    return stage[1].removeprefix(f"{self._copy}{os.sep}") + (" ..." if stage[2:] else "")
            finally:
                self._write(path, source)
        return ""

    def _write(self, path: Path, content: bytes) -> None:
        """Replace a file; no two contents have one time, by which compiled modules are believed."""
        self._written += 1
        path.write_bytes(content)
        os.utime(path, (self._written, self._written))

    def _fail(self, tests: tuple[str, ...], seconds: float) -> bool:
        """Run tests; return whether one fails, or does not end."""
        command = [sys.executable, "-m", "pytest", "-qx", "-pno:cacheprovider", *tests]
        try:
            done = subprocess.run(
                command, cwd=self._copy, env=self._environment, capture_output=True, timeout=seconds, check=False
            )
        except subprocess.TimeoutExpired:
            return True
        return done.returncode not in (0, 5)  # 5: markers leave all of them out


@script(__doc__, "paths*", since="", count=60, seed=1, wider=[], everything=False)
def main(given: Given) -> None:
    """Run from the command line."""
    lines = changed_lines(given.since) if given.since else None
    files = [CHECKOUT / path for path in given.paths or SOURCES]
    files = sorted({each for file in files for each in ([file] if file.is_file() else file.rglob("*.py"))})
    names = [str(file.relative_to(CHECKOUT)) for file in files]
    every = [each for name in names for each in mutations(name, None if lines is None else lines.get(name, set()))]
    chosen = random.Random(given.seed).sample(every, min(given.count, len(every)))
    with tempfile.TemporaryDirectory() as folder:
        trial, survivors = Trial(Path(folder).resolve(), given.wider, everything=given.everything), []
        for mutation in chosen:
            noticed = trial.noticed(mutation)
            print(f"{'killed' if noticed else 'SURVIVED'}  {mutation}  {noticed}", flush=True)
            survivors += [] if noticed else [mutation]
    killed = len(chosen) - len(survivors)
    print(f"\n{killed} of {len(chosen)} killed ({100 * killed / max(1, len(chosen)):.0f} %)", *survivors, sep="\n")
