"""Findings of the package that a project's own folder is, too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.checks.request import Question, answer
from assetdb.query.snapshots.package_view import open_package_of
from assetdb.settings.project import ASSET_ROOTS, asset_prefix, relative_file

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assetdb.checks.findings.finding import Finding
    from assetdb.query.snapshots.snapshot import Snapshot


def findings_of_package(root: str, question: Question) -> list[Finding] | None:
    """Return findings of a package outside of the project in it.

    Paths are those in the project's folder. None if that is no package, or where the system refuses links.

    Raises:
        AssetdbError, OSError: the package cannot be read.
    """
    with open_package_of(root) as package:
        return None if package is None else in_package(package, question)


def in_package(package: Snapshot | None, question: Question) -> list[Finding]:
    """Return findings of one side of a package."""
    if package is None:
        return []
    return outside_project(package, answer(package, Question(question.selection)).report.findings)


def outside_project(package: Snapshot, found: Iterable[Finding]) -> list[Finding]:
    """Return findings outside of the project, by paths in its folder."""
    prefix = asset_prefix(package.root)
    rows = [
        row._replace(path=relative_file(package.root, row.path), fixable=False, message=row.message.replace(prefix, ""))
        for row in found
    ]
    return [row for row in rows if row.path.partition("/")[0] not in ASSET_ROOTS]
