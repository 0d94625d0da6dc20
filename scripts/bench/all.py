"""How fast is assetdb, in one table: all of docs/performance.md, measured in one run?

    python -m scripts.bench.all [PROJECT...] [--native VENV] [--runs 9] [--peer unity-assetdb] [--rg rg]
                                [--sizes 60k,1m] [--scratch DIR] [--minutes 12] [--update docs/performance.md]

Prints Markdown, and with ``--update`` puts it into a page, between ``<!-- figures -->`` and ``<!-- /figures -->``.
Without projects: unitystation, unity-explorer, FPSSample and Mirror of the corpus (``ASSETDB_CORPUS``, else
``~/.cache/assetdb-corpus``), which are copied to ``--scratch``, since they are edited and committed. The installed
script beside this interpreter is measured, and with ``--native`` the one of a virtual environment that has the native
wheel, too; whole processes in turn with the peer's, warm page cache, medians; a ratio is to the peer's median in the
same rounds. Memory is that of all processes together, at its highest (PSS), in runs of their own. Where ``--minutes``
are over, the rows that are left out are told, and the exit code is 1. ``--sizes`` adds generated projects, which take
their own time (a million: eight minutes, and 9 GB in ``--scratch``). The machine should have nothing else to do.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import assetdb
from scripts import programs
from scripts.arguments import Given, script
from scripts.bench import measuring
from scripts.bench.floor import KINDS, floor
from scripts.bench.graph import much_used
from scripts.bench.measuring import Run, bare_start, in_turns, median, peak_pss, run
from scripts.bench.sizes import compare_sizes

PROJECTS: Final = ("unitystation/UnityProject", "unity-explorer/Explorer", "FPSSample", "Mirror")
PEER: Final = "unity-assetdb"
MARKS: Final = ("<!-- figures -->", "<!-- /figures -->")
CHECKS: Final = 3  # rounds of what takes several bakes
FINDINGS: Final = 1  # the exit code of a check that has some
SAID: Final[list[str]] = []
"""The lines of the table."""


class Project(NamedTuple):
    """A copy of a project, and what it is called."""

    name: str
    root: Path
    rounds: int


class Tools:
    """What is compared: programs by the name of their column, the peer first."""

    def __init__(self, peer: str, native: Path | None) -> None:
        self.peer = peer
        self.ours = {"pure": Path(sys.executable).with_name("assetdb")}
        if native is not None:
            self.ours["native"] = native.resolve() / "bin" / "assetdb"
        for program in (peer, *map(str, self.ours.values())):
            if shutil.which(program) is None:
                sys.exit(f"{program} is not here (cargo install unity-assetdb --version 0.2.0; pip install .)")

    @property
    def columns(self) -> list[str]:
        """The names of all columns."""
        return ["crate", *self.ours]

    def bakes(self, project: Path, scratch: Path) -> dict[str, list[str]]:
        """Return a bake by each, into a folder of its own."""
        commands = {"crate": measuring.peer_bake(self.peer, project, scratch / "crate")}
        for name, program in self.ours.items():
            commands[name] = [str(program), *measuring.bake_of(project, scratch / name)[3:]]
        return commands

    def versions(self) -> list[str]:
        """Return the versions of ours and of their Python; the crate has no such option."""
        found = []
        for program in self.ours.values():
            commands = [str(program), "--version"], [str(program.with_name("python")), "--version"]
            said = [subprocess.run(words, check=True, capture_output=True, text=True).stdout for words in commands]
            found.append(" on ".join(map(str.strip, said)))
        return found


def say(text: str) -> None:
    """Print a line, and keep it for the page."""
    print(text, flush=True)
    SAID.append(text)


def row(*cells: str) -> None:
    """Print a row of a table."""
    say("| " + " | ".join(cells) + " |")


def commit() -> str:
    """Return the commit of this checkout, and whether it was changed since."""
    found = programs.git(programs.CHECKOUT, "describe", "--always", "--dirty", "--exclude", "*").strip()
    return f"commit {found}"


def update(page: Path) -> None:
    """Put the printed table into a page."""
    before, begin, rest = page.read_text("utf-8").partition(MARKS[0])
    _, end, after = rest.partition(MARKS[1])
    if not begin or not end:
        sys.exit(f"{page} has no place for figures: {' ... '.join(MARKS)}")
    page.write_text("\n".join([before + begin, *SAID, end + after]), "utf-8")


def shown(seconds: float) -> str:
    """Format a time."""
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1000:.0f} ms"


def beside(columns: Sequence[Sequence[Run]]) -> list[str]:
    """Format times, all but the first with their ratio to that."""
    first, *rest = (median(column).wall for column in columns)
    return [shown(first), *(f"{shown(each)}, **{each / first:.2f}**" for each in rest)]


def bakes(project: Project, tools: Tools) -> None:
    """Print the rows of one project's bakes."""
    edited = next(path for path in sorted(project.root.rglob("*.asset")) if path.stat().st_size)

    def edit() -> None:
        with edited.open("ab") as file:
            file.write(b"\n")

    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        commands = tools.bakes(project.root, scratch)
        folders = [scratch / column for column in commands]
        found = measuring.bakes(commands, folders, project.rounds, edit)
        with assetdb.open_database(scratch / "pure" / "asset-db.bin") as database:
            title = f"{project.name}, {len(database):,} assets"
        for step, name in (("cold", "cold"), ("no-op", "nothing changed"), ("one file edited", "one file edited")):
            row(title if step == "cold" else "", name, *beside([*found[step].values()]))
        unchanged = [f"{peak_pss(command):.0f} MiB" for command in commands.values()]
        for own in folders:
            shutil.rmtree(own)
        row("", "memory, cold", *[f"{peak_pss(command):.0f} MiB" for command in commands.values()])
        row("", "memory, nothing changed", *unchanged)


def starts(project: Project, tools: Tools) -> None:
    """Print a daemon's start, and its ratio to a bake that changes nothing."""
    cells = []
    for program in tools.ours.values():
        with tempfile.TemporaryDirectory() as scratch:
            places = ["--project", str(project.root), "--out-dir", scratch]
            bake = [str(program), "bake", "--quiet", "--keep-going", *places]
            start, stop = ([str(program), *words, *places] for words in (("watch", "--detach"), ("stop",)))
            run(bake)
            baked, started, _ = (median(column).wall for column in in_turns([bake, start, stop], project.rounds))
            cells.append(f"{shown(started)}, **{started / baked:.2f}** bakes of {shown(baked)}")
    row(project.name, "`assetdb watch --detach`, good cache", "", *cells)


def questions(project: Project, tools: Tools, rg: str) -> None:
    """Print how long ``usages`` takes beside a bare start of the interpreter, and a search over all files."""
    cells, searched = [], 0.0
    for program in tools.ours.values():
        with tempfile.TemporaryDirectory() as scratch:
            places = ["--project", str(project.root), "--out-dir", scratch]
            run([str(program), "bake", "--quiet", "--keep-going", *places])
            with assetdb.open_database(Path(scratch) / "asset-db.bin") as database:
                guid, _ = much_used(database)
            commands = [
                [str(program), "usages", guid, "--no-refresh", *places],
                [str(program), "usages", guid, *places],
                [str(program.with_name("python")), *programs.BARE[1:]],
            ]
            if shutil.which(rg) is not None:
                commands.append([rg, "--no-ignore", "--hidden", "-l", guid, str(project.root)])
            plain, looked, bare, *search = (median(column).wall for column in in_turns(commands, project.rounds))
            cells.append(
                f"{shown(plain)}, **{plain / bare:.2f}** bare starts; {shown(looked)} after a look at the tree"
            )
            searched = search[0] if search else 0.0
    other = f"rg {shown(searched)}" if searched else "rg is not here"
    row(project.name, "`assetdb usages GUID --no-refresh`", other, *cells)


def checks(project: Project, tools: Tools) -> None:
    """Print what checks, a comparison and an export take, in bakes of the same project."""
    if not (project.root / ".git").exists():
        programs.repository(project.root)
    cells: dict[str, list[str]] = {}
    for program in tools.ours.values():
        with tempfile.TemporaryDirectory() as scratch:
            out = Path(scratch) / "out"
            own = partial(_asked, program, project.root, out)
            taken: dict[str, list[Run]] = {}
            for _ in range(min(CHECKS, project.rounds)):
                shutil.rmtree(out, ignore_errors=True)
                taken.setdefault("cold", []).append(own("bake", "--quiet", "--keep-going"))
                taken.setdefault("first `check`, baked before", []).append(own("check", "--quiet"))
                taken.setdefault("unchanged `check`", []).append(own("check", "--quiet"))
                taken.setdefault("no-op", []).append(own("bake", "--quiet", "--keep-going"))
                taken.setdefault("`diff`, nothing differs", []).append(own("diff"))
                fleet = Path(scratch) / "fleet"
                taken.setdefault("`export --format jsonl`, checked before", []).append(
                    own("export", str(fleet), "--format", "jsonl")
                )
                shutil.rmtree(fleet)
            middle = {name: median(runs) for name, runs in taken.items()}
            for name, base in (
                ("first `check`, baked before", "cold"),
                ("unchanged `check`", "no-op"),
                ("`diff`, nothing differs", "no-op"),
                ("`export --format jsonl`, checked before", "cold"),
            ):
                one, other = middle[name], middle[base]
                said = f"{shown(one.wall)}, **{one.wall / other.wall:.2f}** {base} bakes"
                said += f" (processor {one.processor / other.processor:.2f})"
                cells.setdefault(name, []).append(said)
    for number, (name, columns) in enumerate(cells.items()):
        row("" if number else project.name, name, "", *columns)


def _asked(program: Path, root: Path, out: Path, *words: str) -> Run:
    """Run a command of ours on a project."""
    return run([str(program), *words, "--project", str(root), "--out-dir", str(out)], codes=(0, FINDINGS))


def floors(project: Project, tools: Tools) -> None:
    """Print what the system's calls alone take."""
    taken = floor(project.root, min(5, project.rounds))
    cells = [f"{shown(taken[kind])} in two processes, {shown(taken[f'{kind}, 1'])} in one" for kind in KINDS]
    said = f"cold {cells[0]}; nothing changed {cells[1]}"
    row(project.name, "the system's calls alone", "", said, *[""] * (len(tools.ours) - 1))


@script(
    __doc__, "projects*", native=Path, runs=9, peer=PEER, rg="rg", sizes="", scratch=Path, minutes=12.0, update=Path
)
def main(given: Given) -> bool:
    """Run from the command line."""
    end = time.monotonic() + 60 * given.minutes
    page: Path | None = given.update and given.update.resolve()  # the floor is measured in other directories
    tools = Tools(given.peer, given.native)
    paths = {path.resolve().name: path.resolve() for path in given.projects}
    paths = paths or {name.partition("/")[0]: programs.CORPUS / "unity" / name for name in PROJECTS}
    for path in paths.values():
        if not path.is_dir():
            sys.exit(f"{path} is not here")
    say(
        f"{', '.join(tools.versions())}; {commit()}; {measuring.machine()}, a bare start of the interpreter"
        f" {bare_start().wall * 1000:.1f} ms, load {os.getloadavg()[0]:.1f}, medians of {given.runs} rounds.\n"
    )
    row("project", "what", *tools.columns)
    row(*["---"] * (2 + len(tools.columns)))
    left_out = []
    with tempfile.TemporaryDirectory(dir=given.scratch) as scratch:
        projects = [
            Project(name, programs.copied(path, Path(scratch) / name), given.runs) for name, path in paths.items()
        ]
        parts: tuple[Callable[[Project], None], ...] = (
            partial(bakes, tools=tools),
            partial(starts, tools=tools),
            partial(questions, tools=tools, rg=given.rg),
            partial(floors, tools=tools),
            partial(checks, tools=tools),
        )
        for part in parts:
            for project in projects:
                if time.monotonic() < end:
                    part(project)
                else:
                    left_out.append(project.name)
    if left_out:
        print(f"{len(left_out)} parts were left out after {given.minutes:g} minutes: {', '.join(left_out)}")
    elif page is not None:
        update(page)
    compare_sizes(given.sizes, given.peer, min(4, given.runs), given.scratch)
    return bool(left_out)
