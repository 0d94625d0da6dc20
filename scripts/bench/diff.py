"""How long does a diff of two revisions take, beside unityflow's of the one scene that differs most?

    python -m scripts.bench.diff PROJECT [--peer UNITYFLOW] [--runs 5]

The project is copied into a new repository; its scene nearest to 4 MB gets 100 other positions, 20 prefabs one each,
and five prefabs move. Whole processes in turn; prints medians, and ratios to the start of an interpreter, to a bake
that changes nothing, and to the peer, which is given the two versions of the scene alone.
"""

from __future__ import annotations

import random
import re
import tempfile
from pathlib import Path

from scripts.arguments import Given, script
from scripts.bench.measuring import run, runs_of, table
from scripts.programs import BARE, assetdb, commit, copied, git, repository

GOAL = 4_000_000  # bytes of the scene
_POSITION = re.compile(r"m_LocalPosition: \{x: ")


def moved(path: Path, count: int, chance: random.Random) -> None:
    """Give some objects of a file other positions."""
    text = path.read_bytes().decode("utf-8", "surrogateescape")
    places = [match.end() for match in _POSITION.finditer(text)]
    for place in sorted(chance.sample(places, min(count, len(places))), reverse=True):
        text = f"{text[:place]}1{text[place:]}"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))


def prepared(project: Path, root: Path) -> Path:
    """Make a repository with two commits, and return the scene that differs."""
    repository(copied(project, root))
    chance = random.Random(3)
    scene = min(root.glob("Assets/**/*.unity"), key=lambda path: abs(path.stat().st_size - GOAL))
    moved(scene, 100, chance)
    prefabs = chance.sample(sorted(root.glob("Assets/**/*.prefab")), 25)
    for path in prefabs[:20]:
        moved(path, 1, chance)
    target = root / "Assets" / "Moved by the bench"
    target.mkdir()
    for path in prefabs[20:]:
        for name in (path.name, f"{path.name}.meta"):
            path.with_name(name).rename(target / name)
    commit(root)
    return scene


@script(__doc__, "project", peer="", runs=5)
def main(given: Given) -> None:
    """Run from the command line."""
    with tempfile.TemporaryDirectory() as scratch:
        root, old = Path(scratch) / "project", Path(scratch) / "old.unity"
        scene = prepared(given.project.resolve(), root)
        name = scene.relative_to(root).as_posix()
        old.write_text(git(root, "show", f"HEAD~1:{name}"), "utf-8", newline="")
        commands = {
            "interpreter": BARE,
            "no-op bake": assetdb("bake", "--keep-going", project=root),
            "diff": assetdb("diff", "HEAD~1", project=root),
            "diff of the scene": assetdb("diff", "HEAD~1", "--verbose", "--in", name, project=root),
        }
        if given.peer:
            commands["peer"] = [given.peer, "diff", str(old), str(scene)]
        run(commands["no-op bake"])
        print(f"scene of {scene.stat().st_size:,} bytes")
        bases = ["interpreter", "no-op bake", *(["peer"] if given.peer else [])]
        table(runs_of(commands, given.runs, warm=0, given=""), *bases)
