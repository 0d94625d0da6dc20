"""What does it cost to report only what a change brought, beside a check of everything and a bake that changes nothing?

    python -m scripts.bench.revisions PROJECT [--files 20]

The project is copied, put into a repository of its own and changed (prefabs, and two scripts that go). Whole
processes, git's among them; the median of three rounds where something can be done again.
"""

from __future__ import annotations

import random
import tempfile
from functools import partial
from pathlib import Path

from scripts.arguments import Given, script
from scripts.bench.measuring import Run, run, table
from scripts.programs import assetdb, copied, git, repository

ROUNDS = 3


def change(root: Path, files: int) -> None:
    """Change so many prefabs, and take two scripts away."""
    chosen = random.Random(1)
    prefabs = sorted((root / "Assets").rglob("*.prefab"))
    for path in chosen.sample(prefabs, min(files, len(prefabs))):
        path.write_bytes(path.read_bytes().replace(b"m_IsActive: 1", b"m_IsActive: 0", 1) + b"\n")
    scripts = sorted((root / "Assets").rglob("*.cs"))
    for path in chosen.sample(scripts, min(2, len(scripts))):
        path.unlink()
        path.with_name(path.name + ".meta").unlink(missing_ok=True)


@script(__doc__, "project", files=20)
def main(given: Given) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as place:
        root = copied(given.project, Path(place) / "project")
        repository(root)
        change(root, given.files)

        def ours(*words: str, rounds: int = ROUNDS) -> list[Run]:
            return [run(assetdb(*words, project=root), codes=(0, 1)) for _ in range(rounds)]

        once = partial(ours, rounds=1)
        once("bake", "--keep-going")
        found = {
            "an unchanged bake": ours("bake", "--keep-going"),
            "a first check": once("check"),
            "an unchanged check": ours("check"),
            "--since, its side for the first time": once("check", "--since", "HEAD"),
            "--since, both sides seen": ours("check", "--since", "HEAD"),
        }
        git(root, "add", "-A")
        found[f"--staged, {given.files} files"] = ours("check", "--staged")
    table(found, *list(found)[:3])
