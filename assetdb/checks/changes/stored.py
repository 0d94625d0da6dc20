"""Findings of how git stores the files that a change touches.

Git's index has the newer side of every change, and no mirror has an index: the touched files tell what is new.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from assetdb.checks.findings.engine import rule_findings
from assetdb.checks.rules import LARGE_FILE, LFS_MISMATCH, RULES
from assetdb.checks.rules.repository.git_storage import uncovered
from assetdb.diagnostics.codes import ERROR
from assetdb.history.tracking.storage import find_uncovered
from assetdb.memo.memo import memo_of
from assetdb.settings.project import asset_prefix

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from assetdb.checks.findings.finding import Finding
    from assetdb.query.snapshots.snapshot import Snapshot

_CODES: Final = frozenset((LARGE_FILE, LFS_MISMATCH))


def of_touched(root: str, findings: Iterable[Finding], touched: Collection[bytes]) -> Iterator[Finding]:
    """Yield findings; findings of storage for touched files alone.

    Args:
        root: of the project.
        findings: what the change brought.
        touched: paths in git, relative to the project.
    """
    prefix = asset_prefix(root)
    paths = {prefix + os.fsdecode(path) for path in touched}
    for row in findings:
        if row.code not in _CODES:
            yield row
        elif row.path in paths:
            yield row._replace(severity=ERROR) if row.code == LARGE_FILE else row


def with_staged(
    project: Snapshot, findings: Iterable[Finding], codes: Collection[str], touched: Collection[bytes]
) -> list[Finding]:
    """Return findings; of storage only for the touched files of git's index.

    Args:
        project: on the disk, whose index it is.
        findings: what the change brought, seen in the project itself or in a mirror.
        codes: the wanted ones.
        touched: paths in git, relative to the project.
    """
    rules = [rule for rule in RULES if rule.code in _CODES and rule.code in codes]
    found = rule_findings(memo_of(project).inputs(project), rules) if touched else ()
    rows = list(of_touched(project.root, found, touched))
    if touched and LFS_MISMATCH in codes:
        told = {row.path for row in rows if row.code == LFS_MISMATCH}
        rows += [uncovered(path) for path in find_uncovered(project.root, touched) if path not in told]
    return [*(row for row in findings if row.code not in _CODES), *rows]
