"""Hold `check --merge` against checks of the merged tree and of both sides, for random merges.

::

    python -m scripts.fuzz.merges [--rounds 300] [--seed N]

Two branches of a small project get three random changes each: what teams do, and what goes wrong. What the merge breaks
must be what a check of a checkout of it finds, and checks of neither side; of a GUID that is said to be gone for certain,
`git grep` must say so, too. The first merge that differs ends the run.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from pathlib import Path

from tests.assetdb.checks.test_merges import edit_both, hold_merge
from tests.assetdb.history.git_project import git, make_repository

_SAID_EVERY = 50  # rounds


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    found = broken = 0
    for number in range(arguments.rounds):
        with tempfile.TemporaryDirectory() as scratch:
            root = make_repository(Path(scratch) / "repository")
            git(root, "checkout", "-qb", "feature")
            edit_both(root, random.Random(arguments.seed + number))
            count = hold_merge(root, Path(scratch))
        found += count
        broken += bool(count)
        if (number + 1) % _SAID_EVERY == 0:
            print(f"{number + 1} merges, {broken} of them break something: {found} findings, 0 differ", flush=True)


if __name__ == "__main__":
    main()
