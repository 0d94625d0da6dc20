"""How long does a merge of a large scene take beside git's and a peer's?

    python -m scripts.bench.merge_time SCENE [--ours 40] [--theirs 30] [--runs 9] [--peer ~/unityflow/bin/unityflow]
        [--most BYTES] [--patience 120]

Numbers at random places of the scene are changed on both sides, and the three versions are merged by whole processes in
turn: by ``git merge-file``, by assetdb, by the peer (``unityflow merge`` of PyPI, if its program is named), beside the
start of a bare interpreter. Prints medians and the ratio of assetdb's processor time to twice that of git plus four
starts. With ``--most`` only the first objects of the scene are taken, of about so many bytes. A peer that does not end
within the seconds of its patience is left out, and that is said. Exits with 1 if git merges the file and assetdb does
not.
"""

from __future__ import annotations

import random
import re
import subprocess
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


def beginning(data: bytes, most: int) -> bytes:
    """Return the first objects of a scene, of at least so many bytes; all of them for 0."""
    end = data.find(b"\n--- ", most) + 1 if most else 0
    return data[:end] if end else data


def ends(command: list[str], patience: float) -> bool:
    """Whether a program ends in so many seconds; else say that it does not."""
    try:
        subprocess.run(command, timeout=patience, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    except subprocess.TimeoutExpired:
        print(f"{command[0]} did not end in {patience:g} s")
        return False
    return True


@script(__doc__, "scene", ours=40, theirs=30, runs=9, peer="", most=0, patience=120)
def main(given: Given) -> bool:
    """Print the times."""
    scene = beginning(Path(given.scene).read_bytes(), given.most)
    print(f"{len(scene):,} bytes")
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
            peer = [program, "merge", *names, "-o", str(Path(folder) / "peer")]
            commands |= {"unityflow merge": peer} if ends(peer, given.patience) else {}
        works = {name: (lambda words=words: run(words, codes=(0, 1))) for name, words in commands.items()}
        found = alternately(works, given.runs)
        table(found, "git merge-file")
        processor = {name: median(runs).processor for name, runs in found.items()}
        goal = 2 * processor["git merge-file"] + _STARTS * processor["a bare interpreter"]
        print(f"{processor['assetdb merge'] / goal:.2f} of two merges of git and {_STARTS} starts")
        by_git = run(commands["git merge-file"], codes=(0, 1), given="").printed
        if "unityflow merge" in processor:
            print(f"{processor['assetdb merge'] / processor['unityflow merge']:.2f} of unityflow merge")
        return MARKER not in by_git and MARKER in Path(folder, "merged").read_text("utf-8")
