"""References that a change adds to unknown GUIDs: mistyped or invented."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assetdb.checks.counting import listed
from assetdb.checks.findings.codes import ABSENT_CODES, UNKNOWN_GUID
from assetdb.checks.findings.guid_owners import guids_of
from assetdb.checks.findings.references import reference_findings
from assetdb.diagnostics.codes import ERROR, WARNING
from assetdb.packages.belonging import belonging
from assetdb.query.graph.verdicts import MISSING, OUTSIDE
from assetdb.resolve.resolver import PACKAGE_NOT_PRESENT

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from assetdb.checks.findings.finding import Finding
    from assetdb.checks.verdicts.judging import JudgedProject
    from assetdb.query.snapshots.snapshot import Snapshot

ABSENT_KINDS: Final = frozenset((MISSING, OUTSIDE))
"""Kinds of verdicts on GUIDs that nothing here has."""


def absent_guids(judged: JudgedProject) -> frozenset[str]:
    """Return the GUIDs that text assets refer to and nothing has."""
    return frozenset(guid for guid, kind in judged.problems.targets() if kind in ABSENT_KINDS)


def users_of_absent(project: Snapshot, judged: JudgedProject) -> dict[str, tuple[str, ...]]:
    """Return the users of GUIDs that nothing has, by GUID.

    A user is the GUID of a file, or its path if it has none.
    """
    problems = judged.problems
    users: dict[str, set[str]] = {}
    for path in problems:
        for guid in {row.guid for row in problems[path] if row.verdict.kind in ABSENT_KINDS}:
            users.setdefault(guid, set()).add(path)
    guids = guids_of(project, set().union(*users.values()))
    return {guid: tuple(sorted(guids.get(path, path) for path in paths)) for guid, paths in users.items()}


def with_unknown_guids(
    project: Snapshot,
    judged: JudgedProject,
    findings: Iterable[Finding],
    known: Collection[str],
) -> list[Finding]:
    """Return the findings of a change, with GUIDs that it invented.

    Args:
        project: with the change.
        judged: its references.
        findings: what the change brought.
        known: GUIDs that the project had before the change or has outside it, and those that it already referred to: a
            copied component whose script was missing before is not an invention.
    """
    rows = list(findings)
    packages = project.packages.list
    new = {
        guid
        for guid in absent_guids(judged).difference(known)
        if belonging(guid, packages) is None and project.losses.held(guid) is None
    }
    if not new:
        return rows
    may_be = _absent_packages(project)
    earlier = _unsearched_history(project)
    unjudged = reference_findings(project, judged.problems, lambda row: row.guid in new and row.verdict.kind == OUTSIDE)
    made_up: list[Finding] = []
    others: list[Finding] = []
    for row in rows:
        (made_up if row.code in ABSENT_CODES and row.target[:32] in new else others).append(row)
    surely = [row for row in made_up if row.code != PACKAGE_NOT_PRESENT]  # not part of every selection
    for group, doubt in ((surely, earlier), (unjudged, may_be or earlier)):
        for row in group:
            message = f"no asset, package or commit here has the GUID {row.target[:32]}{doubt}"
            others.append(row._replace(code=UNKNOWN_GUID, severity=WARNING if doubt else ERROR, message=message))
    return others


def _absent_packages(project: Snapshot) -> str:
    """Return the packages that may have a GUID, or ``""``."""
    absent = [row.name for row in project.packages.list.absent]
    return f"; packages that are not on this machine may ({listed(absent)})" if absent else ""


def _unsearched_history(project: Snapshot) -> str:
    """Return why an earlier commit may have a GUID, or ``""``."""
    if project.losses.is_shallow:
        return "; this clone is shallow, so earlier commits may"
    return "" if project.losses.is_complete else "; not all commits could be searched in time"
