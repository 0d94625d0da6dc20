"""Counts of references with a name, and of the reasons for none."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from assetdb.checks.verdicts.judging import judge_project
from assetdb.checks.verdicts.processing import Processing
from assetdb.query.graph import verdicts

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb.query.snapshots.snapshot import Snapshot


class Coverage(NamedTuple):
    """Counts of references; every number is of occurrences.

    Attributes:
        total: all references in the text assets of ``Assets/`` and ``Packages/``.
        in_tree: those whose GUID the project has or the engine, without ``apart``.
        named: references in the tree that have a name.
        reasons: references in the tree that have none, by reason.
        apart: references to a text asset that is absent, empty, unreadable, binary or a Git LFS pointer, by reason:
            their objects are unknown.
        packages: references into packages outside the project that were found on this machine, and are named.
        absent: references into known public packages that are not on this machine.
        missing: references whose GUID nothing has, while all packages of the project are here or known.
        outside: references whose GUID nothing has that is here or known, where a package of the project is neither.
    """

    total: int
    in_tree: int
    named: int
    reasons: dict[str, int]
    apart: dict[str, int]
    packages: int
    absent: int
    missing: int
    outside: int

    @property
    def share(self) -> float:
        """Per cent of ``in_tree`` that are named, 100 if there are none."""
        return 100 * self.named / self.in_tree if self.in_tree else 100.0


def measure(project: Snapshot, *, workers: int = 1, on_progress: Callable[[int, int], None] | None = None) -> Coverage:
    """Count and name all references, reusing results of earlier runs.

    Args:
        project: brought up to date first.
        workers: how many processes to use, where processes can fork.
        on_progress: called periodically with the files read and the total.

    Raises:
        ScanError: the project cannot be read now.
        AssetdbError, OSError: the project cannot be brought up to date.
    """
    counts = judge_project(project, Processing(workers, on_progress)).counts
    reasons = _by_reason(counts, verdicts.UNNAMED)
    apart = _by_reason(counts, verdicts.APART)
    kinds = (verdicts.IN_PACKAGE, verdicts.ABSENT, verdicts.MISSING, verdicts.OUTSIDE)
    numbers = [sum(_by_reason(counts, kind).values()) for kind in kinds]
    named = sum(_by_reason(counts, verdicts.NAMED).values())
    in_tree = named + sum(reasons.values())
    total = in_tree + sum(apart.values()) + sum(numbers)
    return Coverage(total, in_tree, named, reasons, apart, *numbers)


def _by_reason(counts: dict[tuple[str, str], int], kind: str) -> dict[str, int]:
    return {reason: count for (other, reason), count in sorted(counts.items()) if other == kind}
