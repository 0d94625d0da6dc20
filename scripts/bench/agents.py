"""What do an assistant's tasks cost with `assetdb mcp`, and with `rg` and reading files alone?

    python -m scripts.bench.agents PROJECT

Asks what assistants ask of any project, of assets that are chosen from it: calls, tokens (4 bytes each) of all answers,
and whether the second way finds what the first does. A file that is read counts as an assistant reads it, up to 25,000
tokens; a chain of references is followed as long as each step is one call. `rg` has to be installed.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

import assetdb
from scripts.arguments import Given, script
from scripts.bench.contents import ended, server
from tests.assetdb.mcp.assistant import Assistant

BYTES_A_TOKEN = 4
MOST_READ = 25_000 * BYTES_A_TOKEN
MOST_CALLS = 400


class Cost(NamedTuple):
    """Calls, tokens of their answers, and what was found."""

    calls: int
    tokens: int
    found: frozenset[str]


class Counted:
    """Calls and bytes since the last :meth:`cost`."""

    def __init__(self) -> None:
        self._calls = self._bytes = 0

    def count(self, size: int) -> None:
        """Count a call with so many bytes of an answer."""
        self._calls += 1
        self._bytes += size

    def cost(self, found: Iterable[str] = ()) -> Cost:
        """Return what was asked since the last time."""
        cost = Cost(self._calls, self._bytes // BYTES_A_TOKEN, frozenset(found))
        self._calls = self._bytes = 0
        return cost


class Tools(Counted):
    """The server for assistants."""

    def __init__(self, project: Path, out: str) -> None:
        """Start it."""
        super().__init__()
        self._process = server(project, out)
        self._assistant = Assistant(self._process)

    def call(self, name: str, **arguments: object) -> None:
        """Call a tool."""
        self.count(len(self._assistant.call(name, **arguments).encode()))

    def close(self) -> None:
        """Have the server end."""
        ended(self._process)


class Search(Counted):
    """``rg`` and files that are read."""

    def __init__(self, root: Path) -> None:
        """Search in a project."""
        super().__init__()
        self._root = root

    def rg(self, *words: str) -> list[str]:
        """Run ``rg``, and return its lines."""
        done = subprocess.run(["rg", *words], cwd=self._root, capture_output=True, check=False)
        self.count(min(len(done.stdout), MOST_READ))
        return done.stdout.decode("utf-8", "replace").splitlines()

    def read(self, path: str) -> str:
        """Read a file as far as an assistant does."""
        data = Path(self._root, path).read_bytes()[:MOST_READ]
        self.count(len(data))
        return data.decode("utf-8", "replace")

    def guid(self, path: str) -> str:
        """Return the GUID in the meta of an asset."""
        return self.read(f"{path}.meta").partition("guid: ")[2][:32]

    def users(self, guid: str) -> list[str]:
        """Return the files with a GUID, but for the meta that it is of."""
        found = self.rg("-l", guid, "Assets", "Packages", "ProjectSettings")
        return [path for path in found if not path.endswith(".meta")]

    def all_users(self, path: str) -> set[str]:
        """Return the files that lead to one, however far, or as far as the calls go."""
        found: set[str] = set()
        waiting = [path]
        while waiting and self._calls < MOST_CALLS:
            for user in self.users(self.guid(waiting.pop())):
                if user not in found:
                    found.add(user)
                    waiting += [user] if Path(self._root, f"{user}.meta").exists() else []
        return found


def is_text(root: Path, path: str) -> bool:
    """Whether a file is Unity's YAML."""
    return Path(root, path).read_bytes()[:5] == b"%YAML"


def names_in(text: str) -> set[str]:
    """Return the names that a file shows by itself."""
    return {line.partition("m_Name: ")[2].strip() for line in text.splitlines() if line.startswith("  m_Name: ")}


def looked_up(search: Search, project: assetdb.Project, scene: str) -> set[str]:
    """Look a reference up as one does by hand: the meta of its GUID, then the document of its fileID."""
    last = project.ls(scene).objects[-1]
    metas = search.rg("-l", last.source, "-g", "*.meta")
    lines = search.rg("-A", "12", f"&{last.source_id}$", metas[0].removesuffix(".meta")) if metas else []
    return {line.partition("m_Name: ")[2].strip() for line in lines if "m_Name: " in line}


def one_by_one(search: Search) -> set[str]:
    """Ask for the users of one asset after the other, as far as the calls go."""
    for path in search.rg("--files", "-g", "*.{mat,prefab,png,asset}", "Assets")[:MOST_CALLS]:
        search.users(search.guid(path))
    return set()  # and all the others are left


@script(__doc__, "project")
def main(given: Given) -> None:
    """Ask, and print a table."""
    root = given.project.resolve()
    with tempfile.TemporaryDirectory() as out, assetdb.open_project(root, out) as project:
        tools, search = Tools(root, out), Search(root)
        rows: list[tuple[str, Cost, Cost]] = []

        def compare(task: str, ours: Callable[[], Iterable[str]], theirs: Callable[[], Iterable[str]]) -> None:
            rows.append((task, tools.cost(ours()), search.cost(theirs())))

        materials = [row.path for row in project.find(types=["Material"])]
        scenes = [row.path for row in project.find("*.unity") if is_text(root, row.path)]
        material = max(materials, key=lambda path: len(project.usages(path)))
        scene = max(scenes, key=lambda path: len(project.ls(path).objects))
        tools.cost()

        def users() -> set[str]:
            tools.call("usages", query=material)
            return {row.path for row in project.usages(material)}

        def all_users() -> set[str]:
            tools.call("usages", query=material, deep=True)
            return {row.path for row in project.usages(material, deep=True)}

        def objects() -> set[str]:
            tools.call("ls", query=scene)
            return {row.name for row in project.ls(scene).objects}

        def cameras() -> set[str]:
            tools.call("find", component="Camera")
            return {f"{row.path} {row.name.rpartition(' / ')[2]}" for row in project.find(component="Camera")}

        def meaning() -> set[str]:
            last = project.ls(scene).objects[-1]
            tools.call("name", queries=[f"{last.source}:{last.source_id}"])
            return {project.name(f"{last.source}:{last.source_id}").name}

        def unused() -> set[str]:
            tools.call("unused", incomplete=True)
            return {"unused"}

        compare(f"who uses {Path(material).name}", users, lambda: search.users(search.guid(material)))
        compare("who uses it, however far", all_users, lambda: search.all_users(material))
        compare(f"what is in {Path(scene).name}", objects, lambda: names_in(search.read(scene)))
        compare("where are the cameras", cameras, lambda: search.rg("-n", "^--- !u!20 &", "-g", "*.{prefab,unity}"))
        compare("what does a reference mean", meaning, lambda: looked_up(search, project, scene))
        compare("what is unused", unused, lambda: one_by_one(search))
        tools.close()
    print(f"{'task':34}{'calls':>7}{'tokens':>9}{'rg: calls':>11}{'tokens':>9}  finds the same")
    for task, ours, theirs in rows:
        same = "yes" if ours.found == theirs.found else "no"
        print(f"{task[:33]:34}{ours.calls:7}{ours.tokens:9,}{theirs.calls:11,}{theirs.tokens:9,}  {same}")
