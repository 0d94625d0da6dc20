"""Questions of the tests about a project on the disk."""

from __future__ import annotations

import time
from contextlib import closing
from typing import TYPE_CHECKING

from assetdb.query.snapshots.snapshot import open_project

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from assetdb.checks.findings.engine import Report
    from assetdb.checks.findings.finding import Finding
    from assetdb.query.snapshots.snapshot import Snapshot


def findings_of(root: Path, question: Callable[[Snapshot], Report]) -> tuple[Finding, ...]:
    """Open a project, ask, and return the findings."""
    time.sleep(0.05)  # what is younger is not kept
    with closing(open_project(str(root))) as project:
        return question(project).findings
