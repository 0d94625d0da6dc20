"""How many of git's conflicts in Unity's files does the merge by object leave?

    python -m scripts.bench.merges REPOSITORY [--most 1000]

Every merge commit with two parents and one merge base is made again: each asset and meta that both parents changed is
merged by ``git merge-file`` and by object. Prints how many git merges, how many of its conflicts are merged by object,
and how many open values the others have. Reads the repository and changes nothing. Exits with 1 if a file that git
merges is a conflict by object, unless the merge would break it.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections import Counter
from pathlib import Path

from assetdb.history.configuration.merge_driver import extensions
from assetdb.unity.merging.envelope import UnmergeableError
from assetdb.unity.merging.files import merge_files
from assetdb.unity.merging.pieces import DICTIONARY, FAULT, ROTATION
from scripts.arguments import Given, script
from scripts.programs import git


def blob(root: Path, revision: str, path: str) -> bytes | None:
    """Return a file of a revision, None if it has none."""
    words = ["git", "-C", str(root), "cat-file", "blob", f"{revision}:{path}"]
    done = subprocess.run(words, capture_output=True, check=False)
    return done.stdout if done.returncode == 0 else None


def changed(root: Path, base: str, side: str) -> set[str]:
    """Return Unity's files that a side changed."""
    names = git(root, "diff", "--name-only", "--no-renames", "-z", base, side).split("\0")
    ends = tuple(f".{extension}" for extension in extensions())
    return {name for name in names if name.endswith(ends)}


def by_git(base: bytes, ours: bytes, theirs: bytes) -> bool:
    """Whether git merges three versions of a file."""
    with tempfile.TemporaryDirectory() as folder:
        places = [Path(folder) / name for name in ("ours", "base", "theirs")]
        for place, data in zip(places, (ours, base, theirs), strict=True):
            place.write_bytes(data)
        done = subprocess.run(["git", "merge-file", "-p", "-q", *map(str, places)], capture_output=True, check=False)
    return done.returncode == 0


@script(__doc__, "repository", most=1000)
def main(given: Given) -> bool:
    """Print the counts."""
    root = Path(given.repository)
    counts: Counter[str] = Counter()
    wrong = 0
    for line in git(root, "rev-list", "--merges", "--parents", f"--max-count={given.most}", "--all").splitlines():
        _, *parents = line.split()
        bases = git(root, "merge-base", "--all", *parents).split() if len(parents) == 2 else []
        if len(bases) != 1:
            counts["merges of other kinds"] += 1
            continue
        counts["merges"] += 1
        for path in sorted(changed(root, bases[0], parents[0]) & changed(root, bases[0], parents[1])):
            base, ours, theirs = (blob(root, revision, path) for revision in (bases[0], *parents))
            if base is None or ours is None or theirs is None or ours == theirs:
                continue
            is_clean = by_git(base, ours, theirs)
            counts["files that git merges" if is_clean else "files that git does not merge"] += 1
            try:
                conflicts = merge_files(base, ours, theirs).conflicts
            except UnmergeableError:
                counts["files left to git"] += 1
                continue
            if not is_clean:
                counts["of these merged by object" if not conflicts else "of these with open values"] += 1
                counts["open values"] += len(conflicts)
            elif any(found.reason not in (DICTIONARY, FAULT, ROTATION) for found in conflicts):
                print(f"{path} of {line.split()[0]}: git merges it")
                wrong += 1
    for name, count in counts.items():
        print(f"{count:7,} {name}")
    left = counts["files that git does not merge"]
    if left:
        print(f"{counts['of these merged by object'] / left:.0%} of git's conflicts are merged")
    return bool(wrong)
