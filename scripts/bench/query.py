"""How fast is a question about a baked project?

    python scripts/bench/query.py PROJECT [--out-dir DIR] [--rounds 31]

One-shot ``assetdb name`` against a bare start of the same interpreter, in turns: A B A B, the ratio of the medians of
processor time; as ``python -m assetdb`` and as the installed script. Then what comes after a look at the tree,
``usages`` and ``find``, against a bake that changes nothing. The project is baked first.
Then lookups of the library in a process that has the database open, in microseconds. The questions are chosen from
the project: an object of a prefab, one that only a nested prefab has, a script, a sprite, a mesh of a model that is
there, a type in a DLL that is there.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import time
from statistics import median
from typing import TYPE_CHECKING

from assetdb.query.snapshots.snapshot import open_project
from assetdb.resolve.instances import Imported
from assetdb.unity.yaml.objects import TextObjects

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from assetdb.query.snapshots.snapshot import Snapshot

START = "import sys; from assetdb.cli import main; sys.exit(main())"
ROUNDS_OF_LOOKUPS = 20_000


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("project")
    parser.add_argument("--out-dir")
    parser.add_argument("--rounds", type=int, default=31)
    arguments = parser.parse_args()
    project = open_project(arguments.project, arguments.out_dir)
    print(f"{project.root}: {len(project.database):,} assets; Python {sys.version.split()[0]}")
    options = ["--project", project.root]
    if arguments.out_dir:
        options += ["--out-dir", os.path.abspath(arguments.out_dir)]
    run(["-m", "assetdb", "find", "*", *options])  # lets what was written a moment before the bake be trusted
    script = os.path.join(os.path.dirname(sys.executable), "assetdb")
    for title, query in questions(project).items():
        works = [lambda: run(["-c", "pass"]), lambda query=query: run(["-m", "assetdb", "name", *options, query])]  # type: ignore[misc]
        if os.path.isfile(script):
            works.append(lambda query=query: run([script, "name", *options, query]))  # type: ignore[misc]
        bare, *ours = in_turns(works, arguments.rounds)
        shown = ", as a script ".join(f"{one * 1e3:5.1f} ms = {one / bare:4.2f}" for one in ours)
        print(f"assetdb name, {title:<24} {shown} bare starts of {bare * 1e3:.1f} ms")
    asset = max(project.database, key=lambda asset: len(asset.sub_assets)).guid
    plain = [["bake", "--keep-going", "--quiet"], ["usages", asset], ["find", "Player"], ["deps", asset]]
    plain.append(["name", "f" * 32])
    works = [lambda words=words: run(["-m", "assetdb", *words, *options]) for words in plain]  # type: ignore[misc]
    baked, *ours = in_turns(works, arguments.rounds)
    for words, one in zip(plain[1:], ours, strict=True):
        ratio = f"{one / baked:4.2f} bakes that change nothing of {baked * 1e3:.1f} ms"
        print(f"assetdb {words[0]:<8} {one * 1e3:6.1f} ms, {ratio}")
    for title, seconds in lookups(project).items():
        print(f"{title:<38} {seconds * 1e6:6.2f} us")
    project.close()


def questions(project: Snapshot) -> dict[str, str]:
    """Return one query of each kind that the project has."""
    found: dict[str, str] = {}
    for asset in project.database:
        query = ""
        if asset.path.endswith(".prefab"):
            with open(os.path.join(project.root, asset.path), "rb") as file:
                objects = TextObjects(file.read())
            own = [item for item in objects.objects.values() if item.game_object and not item.stripped]
            if own:
                found.setdefault("object of a prefab", f"{asset.guid}:{own[-1].file_id}")
            foreign = [item for item in objects.objects.values() if item.stripped]
            if foreign and "object of a nested one" not in found:
                query = f"{asset.guid}:{foreign[0].file_id}"
                if not project.resolver.name(asset.guid, foreign[0].file_id).reason:
                    found["object of a nested one"] = query
        elif asset.class_id == 115:
            found.setdefault("script", f"{asset.guid}:11500000")
        elif asset.class_id == 28 and len(asset.sub_assets) > 1:
            found.setdefault("sprite of a sheet", f"{asset.guid}:{asset.sub_assets[-1].file_id}")
        elif asset.path.lower().endswith((".fbx", ".dll")):
            kind = asset.path[-3:].lower()
            title = {"fbx": "mesh of a model", "dll": "type in a DLL"}[kind]
            if title not in found:
                content = project.resolver.content(asset.guid)
                wanted = {"fbx": "Mesh", "dll": "MonoScript"}[kind]
                objects_made = content.objects if isinstance(content, Imported) else {}
                made = [number for number, item in objects_made.items() if item.class_name == wanted and item.certain]
                if made and os.path.getsize(os.path.join(project.root, asset.path)):
                    found[title] = f"{asset.guid}:{made[-1]}"
        if len(found) == 6:
            break
    return found


def lookups(project: Snapshot) -> dict[str, float]:
    """Return the seconds that one lookup takes, by what it is."""
    database = project.database
    guids = [asset.guid for asset in database]
    numbers = random.Random(1)
    few = [numbers.choice(guids) for _ in range(2000)]
    many = [numbers.choice(guids) for _ in range(ROUNDS_OF_LOOKUPS)]
    for guid in few:
        database.by_guid(guid)
    again = per_call(lambda: [database.by_guid(guid) for guid in few], len(few))
    first = per_call(lambda: [database.by_guid(guid) for guid in many], len(many))
    name = project.resolver.name
    named = per_call(lambda: [name(guid, None) for guid in few], len(few))
    return {
        "by_guid, an asset that was asked before": again,
        "by_guid, any asset": first,
        "Resolver.name, an asset": named,
    }


def per_call(work: Callable[[], object], count: int) -> float:
    """Return the best of five runs, for each call."""
    times = []
    for _ in range(5):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times) / count


def in_turns(works: Sequence[Callable[[], float]], rounds: int) -> list[float]:
    """Run all works in turns, and return the median time of each."""
    times: list[list[float]] = [[] for _ in works]
    for _ in range(rounds):
        for number, work in enumerate(works):
            times[number].append(work())
    return [median(column) for column in times]


def run(words: list[str]) -> float:
    """Return the seconds of processor time that a Python process with these arguments takes."""
    before = _of_children()
    null = subprocess.DEVNULL
    done = subprocess.run([sys.executable, *words], check=False, stdout=null, stderr=null)
    if done.returncode > 1:
        raise SystemExit(f"{words} failed")
    return _of_children() - before


def _of_children() -> float:
    if sys.platform == "win32":
        return time.perf_counter()
    else:  # noqa: RET505 - the type checker reads one branch for each platform
        import resource  # noqa: PLC0415 - absent on Windows

        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
