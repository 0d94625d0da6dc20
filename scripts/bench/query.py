"""How fast is a question about a baked project?

    python -m scripts.bench.query PROJECT [--out-dir DIR] [--rounds 31]

One-shot ``assetdb name`` against a bare start of the same interpreter, in turns: A B A B, the ratio of the medians of
processor time; as ``python -m assetdb`` and as the installed script. Then what comes after a look at the tree,
``usages`` and ``find``, against a bake that changes nothing. The project is baked first.
Then lookups of the library in a process that has the database open, in microseconds. The questions are chosen from
the project: an object of a prefab, one that only a nested prefab has, a script, a sprite, a mesh of a model that is
there, a type in a DLL that is there.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from functools import partial
from pathlib import Path

from assetdb.query.snapshots.snapshot import Snapshot, open_project
from assetdb.resolve.instances import Imported
from assetdb.unity.yaml.objects import TextObjects
from scripts.arguments import Given, script
from scripts.bench.measuring import machine, medians, run, seconds
from scripts.programs import BARE, assetdb, installed

ROUNDS_OF_LOOKUPS = 20_000


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
    return min(seconds(work) for _ in range(5)) / count


@script(__doc__, "project", out_dir=Path, rounds=31)
def main(given: Given) -> None:
    """Measure and print."""
    project = open_project(str(given.project), given.out_dir and str(given.out_dir))
    print(f"{project.root}: {len(project.database):,} assets; {machine()}")
    out_dir = given.out_dir and given.out_dir.resolve()

    def ours(*words: str) -> list[str]:
        return assetdb(*words, project=Path(project.root), out_dir=out_dir)

    def processor(command: list[str]) -> float:
        return run(command, codes=(0, 1)).processor

    processor(ours("find", "*"))  # lets what was written a moment before the bake be trusted
    for title, query in questions(project).items():
        commands = {"bare": BARE, "module": ours("name", query)}
        if installed().is_file():
            commands["script"] = [str(installed()), *ours("name", query)[3:]]
        bare, *taken = medians(
            {name: partial(processor, each) for name, each in commands.items()}, given.rounds
        ).values()
        shown = ", as a script ".join(f"{one * 1e3:5.1f} ms = {one / bare:4.2f}" for one in taken)
        print(f"assetdb name, {title:<24} {shown} bare starts of {bare * 1e3:.1f} ms")
    asset = max(project.database, key=lambda asset: len(asset.sub_assets)).guid
    plain = [["bake", "--keep-going", "--quiet"], ["usages", asset], ["find", "Player"], ["deps", asset]]
    plain.append(["name", "f" * 32])
    works = {words[0]: partial(processor, ours(*words)) for words in plain}
    (_, baked), *asked = medians(works, given.rounds).items()
    for word, one in asked:
        ratio = f"{one / baked:4.2f} bakes that change nothing of {baked * 1e3:.1f} ms"
        print(f"assetdb {word:<8} {one * 1e3:6.1f} ms, {ratio}")
    for title, each in lookups(project).items():
        print(f"{title:<38} {each * 1e6:6.2f} us")
    project.close()
