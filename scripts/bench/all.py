"""How fast is assetdb, in one table: all of docs/performance.md, measured in one run?

    python -m scripts.bench.all [PROJECT...] [--native VENV] [--runs 9] [--peer unity-assetdb] [--rg rg]
                                [--sizes 60k,1m --scratch DIR] [--update docs/performance.md]

Prints Markdown, and with ``--update`` puts it into a page, between ``<!-- figures -->`` and ``<!-- /figures -->``.
Without projects: unitystation, unity-explorer, FPSSample and Mirror of the corpus (``ASSETDB_CORPUS``, else
``~/.cache/assetdb-corpus``). The installed script beside this interpreter is measured, and with ``--native`` the one
of a virtual environment that has the native wheel, too; whole processes in turn with the peer's, warm page cache,
medians; a ratio is to the peer's median in the same rounds. Memory is that of all processes together, at its highest
(PSS), in runs of their own. Eight minutes on two processors; ``--sizes`` adds generated projects (a million: eight
more, and 9 GB in ``--scratch``). The machine should have nothing else to do.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

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
SAID: Final[list[str]] = []
"""The lines of the table."""


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
        """Return the versions of ours; the crate has no such option."""
        said = [[str(program), "--version"] for program in self.ours.values()]
        return [subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip() for words in said]


def say(text: str) -> None:
    """Print a line, and keep it for the page."""
    print(text, flush=True)
    SAID.append(text)


def row(*cells: str) -> None:
    """Print a row of a table."""
    say("| " + " | ".join(cells) + " |")


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


def bakes(project: Path, name: str, tools: Tools, runs: int) -> None:
    """Print the rows of one project's bakes."""
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        commands = tools.bakes(project, scratch)
        folders = [scratch / column for column in commands]
        found = measuring.bakes(commands, folders, runs)
        with assetdb.open_database(scratch / "pure" / "asset-db.bin") as database:
            title = f"{name}, {len(database):,} assets"
        row(title, "cold", *beside([*found["cold"].values()]))
        row("", "nothing changed", *beside([*found["no-op"].values()]))
        memory = []
        for own, command in zip(folders, commands.values(), strict=True):
            shutil.rmtree(own)
            memory.append(f"{peak_pss(command):.0f} MiB")
        row("", "memory, cold", *memory)


def starts(project: Path, name: str, tools: Tools, runs: int) -> None:
    """Print a daemon's start, and its ratio to a bake that changes nothing."""
    cells = []
    for program in tools.ours.values():
        with tempfile.TemporaryDirectory() as scratch:
            places = ["--project", str(project), "--out-dir", scratch]
            bake = [str(program), "bake", "--quiet", "--keep-going", *places]
            start, stop = ([str(program), *words, *places] for words in (("watch", "--detach"), ("stop",)))
            run(bake)
            baked, started, _ = (median(column).wall for column in in_turns([bake, start, stop], runs))
            cells.append(f"{shown(started)}, **{started / baked:.2f}** bakes of {shown(baked)}")
    row(name, "`assetdb watch --detach`, good cache", "", *cells)


def questions(project: Path, name: str, tools: Tools, runs: int, rg: str) -> None:
    """Print how long ``usages`` takes beside a bare start of the interpreter, and a search over all files."""
    cells, searched = [], 0.0
    for program in tools.ours.values():
        with tempfile.TemporaryDirectory() as scratch:
            places = ["--project", str(project), "--out-dir", scratch]
            run([str(program), "bake", "--quiet", "--keep-going", *places])
            with assetdb.open_database(Path(scratch) / "asset-db.bin") as database:
                guid, _ = much_used(database)
            commands = [
                [str(program), "usages", guid, "--no-refresh", *places],
                [str(program), "usages", guid, *places],
                [str(program.with_name("python")), *programs.BARE[1:]],
            ]
            if shutil.which(rg) is not None:
                commands.append([rg, "--no-ignore", "--hidden", "-l", guid, str(project)])
            plain, looked, bare, *search = (median(column).wall for column in in_turns(commands, runs))
            cells.append(
                f"{shown(plain)}, **{plain / bare:.2f}** bare starts; {shown(looked)} after a look at the tree"
            )
            searched = search[0] if search else 0.0
    other = f"rg {shown(searched)}" if searched else "rg is not here"
    row(name, "`assetdb usages GUID --no-refresh`", other, *cells)


def floors(project: Path, name: str, tools: Tools, runs: int) -> None:
    """Print what the system's calls alone take."""
    taken = floor(project, runs)
    cells = [f"{shown(taken[kind])} in two processes, {shown(taken[f'{kind}, 1'])} in one" for kind in KINDS]
    said = f"cold {cells[0]}; nothing changed {cells[1]}"
    row(name, "the system's calls alone", "", said, *[""] * (len(tools.ours) - 1))


@script(__doc__, "projects*", native=Path, runs=9, peer=PEER, rg="rg", sizes="", scratch=Path, update=Path)
def main(given: Given) -> None:
    """Run from the command line."""
    page: Path | None = given.update and given.update.resolve()  # the floor is measured in other directories
    tools = Tools(given.peer, given.native)
    projects = {path.resolve().name: path.resolve() for path in given.projects}
    projects = projects or {name.partition("/")[0]: programs.CORPUS / "unity" / name for name in PROJECTS}
    for path in projects.values():
        if not path.is_dir():
            sys.exit(f"{path} is not here")
    say(
        f"{', '.join(tools.versions())}; {measuring.machine()},"
        f" a bare start of the interpreter {bare_start().wall * 1000:.1f} ms, medians of {given.runs} rounds.\n"
    )
    print(f"load {os.getloadavg()[0]:.1f}", file=sys.stderr)
    row("project", "what", *tools.columns)
    row(*["---"] * (2 + len(tools.columns)))
    for name, path in projects.items():
        bakes(path, name, tools, given.runs)
    for name, path in projects.items():
        starts(path, name, tools, given.runs)
    for name, path in projects.items():
        questions(path, name, tools, given.runs, given.rg)
    for name, path in projects.items():
        floors(path, name, tools, min(5, given.runs))
    if page is not None:
        update(page)
    compare_sizes(given.sizes, given.peer, min(4, given.runs), given.scratch)
