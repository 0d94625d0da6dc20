"""How long does a merge of a large scene take beside git's and a peer's?

    python -m scripts.bench.merge_time SCENE [--ours 40] [--theirs 30] [--runs 9] [--peer ~/unityflow/bin/unityflow]

Numbers at random places of the scene are changed on both sides, and the three versions are merged by whole processes in
turn: by ``git merge-file``, by assetdb, by the peer (``unityflow merge`` of PyPI, if its program is named), beside the
start of a bare interpreter. Prints medians and the ratio of assetdb's processor time to twice that of git plus four
starts. Exits with 1 if git merges the file and assetdb does not.
"""

from __future__ import annotations

import random
import re
import tempfile
from pathlib import Path

from scripts.arguments import Given, script
from scripts.bench.measuring import alternately, median, run, table
from scripts.programs import BARE, ENTRY

_NUMBER = re.compile(rb"(?<=: )\d+(?=\n)")
_STARTS = 4
MARKER = "<<<<<<< "


def edited(data: bytes, count: int, seed: int) -> bytes:
    """Return a scene with some numbers changed."""
    draw = random.Random(seed)
    places = [
        found.span() for found in _NUMBER.finditer(data) if b"Version" not in data[found.start() - 20 : found.start()]
    ]
    for start, end in sorted(draw.sample(places, count), reverse=True):
        data = data[:start] + b"%d" % draw.randrange(100, 1000) + data[end:]
    return data


@script(__doc__, "scene", ours=40, theirs=30, runs=9, peer="")
def main(given: Given) -> bool:
    """Print the times."""
    scene = Path(given.scene).read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        names = [str(Path(folder) / name) for name in ("base.unity", "ours.unity", "theirs.unity")]
        for name, data in zip(
            names, (scene, edited(scene, given.ours, 1), edited(scene, given.theirs, 2)), strict=True
        ):
            Path(name).write_bytes(data)
        base, ours, theirs = names
        commands = {
            "git merge-file": ["git", "merge-file", "-p", "-q", ours, base, theirs],
            "assetdb merge": [*ENTRY, "merge", *names, "--output", str(Path(folder) / "merged"), "--quiet"],
            "a bare interpreter": BARE,
        }
        if given.peer:
            program = str(Path(given.peer).expanduser())
            commands["unityflow merge"] = [program, "merge", *names, "-o", str(Path(folder) / "peer")]
        works = {name: (lambda words=words: run(words, codes=(0, 1))) for name, words in commands.items()}
        found = alternately(works, given.runs)
        table(found, "git merge-file")
        processor = {name: median(runs).processor for name, runs in found.items()}
        goal = 2 * processor["git merge-file"] + _STARTS * processor["a bare interpreter"]
        print(f"{processor['assetdb merge'] / goal:.2f} of two merges of git and {_STARTS} starts")
        by_git = run(commands["git merge-file"], codes=(0, 1), given="").printed
        return MARKER not in by_git and MARKER in Path(folder, "merged").read_text("utf-8")
