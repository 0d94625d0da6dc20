"""The findings of a project as rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.checks.findings.engine import check_project
from assetdb.checks.findings.finding import fingerprint, numbered
from assetdb.checks.findings.selection import selection_of
from assetdb.export.tables import FindingRow, bounded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.query.snapshots.snapshot import Snapshot


def findings(project: Snapshot, workers: int) -> Iterator[FindingRow]:
    """Yield the configured findings. Raises AssetdbError or OSError."""
    report = check_project(project, selection_of(project.root), workers=workers)
    for finding, number in numbered(report.findings):
        yield FindingRow(
            code=finding.code,
            severity=finding.severity,
            path=finding.path,
            line=finding.line,
            message=finding.message,
            object=finding.object_path,
            property=finding.property_path,
            asset=finding.asset,
            file_id=bounded(finding.anchor),
            target=finding.target,
            fixable=finding.fixable,
            identity=fingerprint(finding, number),
        )
