"""How long does a diff of two revisions take, beside unityflow's of the one scene that differs most?

::

    python -m scripts.bench.diff PROJECT [--peer UNITYFLOW] [--runs 5]

The project is copied into a new repository; its scene nearest to 4 MB gets 100 other positions, 20 prefabs one each,
and five prefabs move. Whole processes in turn; prints medians, and ratios to the start of an interpreter, to a bake
that changes nothing, and to the peer, which is given the two versions of the scene alone.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from scripts.bench.measuring import median, run

GOAL = 4_000_000  # bytes of the scene
DIFF = [sys.executable, "-m", "assetdb", "diff", "HEAD~1", "--project"]
SCENE = [*DIFF[:-1], "--verbose", "--in"]
BAKE = [sys.executable, "-m", "assetdb", "bake", "--keep-going", "--project"]
START = [sys.executable, "-c", "pass"]
_POSITION = re.compile(r"m_LocalPosition: \{x: ")


def commit(root: Path) -> None:
    """Commit all files of a repository."""
    identity = ["-c", "user.name=bench", "-c", "user.email=bench@localhost"]
    subprocess.run(["git", "-C", str(root), "add", "-A"], check=True)
    subprocess.run(["git", "-C", str(root), *identity, "commit", "-qm", "change"], check=True)


def moved(path: Path, count: int, chance: random.Random) -> None:
    """Give some objects of a file other positions."""
    text = path.read_bytes().decode("utf-8", "surrogateescape")
    places = [match.end() for match in _POSITION.finditer(text)]
    for place in sorted(chance.sample(places, min(count, len(places))), reverse=True):
        text = f"{text[:place]}1{text[place:]}"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))


def prepared(project: Path, root: Path) -> Path:
    """Make a repository with two commits, and return the scene that differs."""
    ignored = shutil.ignore_patterns("Library", "Temp", ".git")
    shutil.copytree(project, root, copy_function=shutil.copyfile, ignore=ignored, symlinks=True)
    subprocess.run(["git", "-C", str(root), "init", "-q"], check=True)
    (root / ".gitignore").write_text("/Library/\n")
    commit(root)
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


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("project", type=Path, metavar="PROJECT")
    parser.add_argument("--peer", metavar="UNITYFLOW", help="the peer's command")
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        root, printed = Path(scratch) / "project", Path(scratch) / "printed"
        scene = prepared(arguments.project.resolve(), root)
        old = Path(scratch) / "old.unity"
        name = os.fspath(scene.relative_to(root))
        old.write_bytes(subprocess.check_output(["git", "-C", str(root), "show", f"HEAD~1:{name}"]))
        commands = {
            "interpreter": START,
            "no-op bake": [*BAKE, str(root)],
            "diff": [*DIFF, str(root)],
            "diff of the scene": [*SCENE, name, "--project", str(root)],
        }
        if arguments.peer:
            commands["peer"] = [arguments.peer, "diff", str(old), str(scene)]
        run(commands["no-op bake"], printed=printed)
        taken = {
            key: [run(command, printed=printed) for _ in range(arguments.runs)] for key, command in commands.items()
        }
        found = {key: median(runs) for key, runs in taken.items()}
        shown = (f"{key} {row.wall:.3f} s ({row.processor:.3f} of the processor)" for key, row in found.items())
        print(f"scene of {scene.stat().st_size:,} bytes: {', '.join(shown)}")
        ratios = [("diff", "interpreter"), ("diff", "no-op bake"), ("diff of the scene", "peer")]
        for one, other in ratios if arguments.peer else ratios[:-1]:
            wall, processor = (found[one][number] / found[other][number] for number in range(2))
            print(f"{one} / {other}: {wall:.3f} ({processor:.3f} of the processor)")


if __name__ == "__main__":
    main()
