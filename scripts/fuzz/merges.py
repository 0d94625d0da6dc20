"""Hold `check --merge` against checks of the merged tree and of both sides, for random merges.

    python -m scripts.fuzz.merges [--rounds 300] [--seed N]

Two branches of a small project get three random changes each: what teams do, and what goes wrong. What the merge breaks
must be what a check of a checkout of it finds, and checks of neither side; a GUID that is reported as
gone for certain must have no match of `git grep`. The first merge that differs ends the run.
"""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

from scripts.arguments import Given, script
from scripts.fuzz.running import run
from tests.assetdb.checks.merges.test_merge import edit_both, hold_merge
from tests.assetdb.history.git_project import git, make_repository


@script(__doc__, rounds=300, seed=1)
def main(given: Given) -> None:
    """Run from the command line."""
    findings = []

    def attempt(seed: int) -> str:
        with tempfile.TemporaryDirectory() as scratch:
            root = make_repository(Path(scratch) / "repository")
            git(root, "checkout", "-qb", "feature")
            edit_both(root, random.Random(seed))
            findings.append(hold_merge(root, Path(scratch)))
        return "that break something" if findings[-1] else "sound"

    run(range(given.seed, given.seed + given.rounds), attempt, "the merge of seed {}".format, every=50)
    print(f"{sum(findings)} findings, 0 differ")
