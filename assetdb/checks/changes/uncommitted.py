"""Assets that a change uses, and forgets to bring.

On the author's disk all is well: the files are there, and git does not have them.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from assetdb.checks.changes.unknown_guids import ABSENT_KINDS, absent_guids
from assetdb.checks.findings.codes import ABSENT_CODES, MISSING, ORPHAN
from assetdb.checks.findings.references import reference_findings
from assetdb.checks.findings.selection import may_be_meant
from assetdb.checks.rules import NOT_COMMITTED
from assetdb.checks.rules.repository.uncommitted import message_of_untracked, unjudged
from assetdb.diagnostics.codes import ERROR
from assetdb.settings.project import META, asset_roots, folded

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from assetdb.checks.findings.finding import Finding
    from assetdb.checks.verdicts.judging import JudgedProject
    from assetdb.history.tracking.untracked import Untracked
    from assetdb.query.snapshots.snapshot import Snapshot

_HALVES: Final = (MISSING, ORPHAN)


def emptied_folders(root: str, touched: Iterable[bytes]) -> list[bytes]:
    """Return folders that a change leaves empty, which git does not keep.

    Args:
        root: of the project.
        touched: paths of the change, relative to the project.
    """
    top = os.fsencode(root)
    found: dict[bytes, bool] = {}
    for path in touched:
        if os.path.lexists(os.path.join(top, path)):
            continue
        above = os.path.dirname(path)
        while above and above not in found:
            found[above] = _is_empty(os.path.join(top, above))
            above = os.path.dirname(above) if found[above] else b""
    return [path for path, is_empty in found.items() if is_empty]


def _is_empty(folder: bytes) -> bool:
    """Whether a folder is there and holds nothing that git could have."""
    for place, folders, names in os.walk(folder):
        if names or any(os.path.islink(os.path.join(place, name)) for name in folders):
            return False
    return os.path.isdir(folder)


def with_uncommitted(
    disk: Snapshot,
    other: Snapshot,
    judged: JudgedProject,
    findings: Iterable[Finding],
    before: Mapping[str, Collection[str]],
) -> list[Finding]:
    """Return the findings of a change, with the files that it forgets.

    Args:
        disk: the project, with files that git does not have.
        other: the project with the change, without them.
        judged: the references of ``other``.
        findings: what the change brought.
        before: the users of each GUID that the project without the change refers to and lacks.
    """
    untracked = disk.untracked()
    rows = list(findings)
    has_halves = any(row.code == ORPHAN for row in rows)  # else 100,000 ignored files need no keys
    lacking = untracked.added | untracked.ignored if has_halves else frozenset()
    alike = {folded(os.fsencode(path)): path for path in sorted(lacking, reverse=True)}
    rows = [_half(row, untracked, alike) for row in rows]
    here = {guid for guid in absent_guids(judged) if disk.database.by_guid(guid) is not None}
    forgotten = list(_forgotten(disk, other, judged, here, untracked))
    new = [row for row in forgotten if user_of(row) not in before.get(row.target_guid, ())]
    lost = {row.target_guid for row in forgotten}
    kept = [row for row in rows if row.code not in ABSENT_CODES or row.target_guid not in lost]
    failed = unjudged(asset_roots(disk.root)[0], untracked)
    is_told = not untracked.failure or failed in kept  # an index that is as the disk was judged as the disk
    return [*kept, *new, *(() if is_told else (failed,))]


def as_of_change(
    findings: Iterable[Finding], older: Iterable[Finding], before: Mapping[str, Collection[str]]
) -> Iterator[Finding]:
    """Yield the findings of a change; uncommitted files are errors.

    Left out are those that the older side has under another code, for it has no untracked file at all.
    """
    halves = {row.path for row in older if row.code in _HALVES}
    for row in findings:
        if row.code != NOT_COMMITTED:
            yield row
        elif row.path not in halves and user_of(row) not in before.get(row.target_guid, ()):
            yield row._replace(severity=ERROR) if row.target or _is_asset(row.path) else row


def user_of(finding: Finding) -> str:
    """Return the GUID of the file of a finding, or its path."""
    return finding.asset or finding.path


def _is_asset(path: str) -> bool:
    return may_be_meant(path.removesuffix(META))


def _forgotten(
    disk: Snapshot, other: Snapshot, judged: JudgedProject, guids: Collection[str], untracked: Untracked
) -> Iterator[Finding]:
    """Yield references to assets that are on this disk alone."""
    if not guids:
        return
    for row in reference_findings(
        other, judged.problems, lambda row: row.guid in guids and row.verdict.kind in ABSENT_KINDS
    ):
        asset = disk.database.by_guid(row.target_guid)
        if asset is None:
            continue
        if other.exists(asset.path) and not any(map(untracked.is_in_no_clone, (asset.path, f"{asset.path}{META}"))):
            message = f"{asset.path}{META} has another GUID in git: add it"
        else:
            message = message_of_untracked(asset.path, untracked)
        yield row._replace(code=NOT_COMMITTED, severity=ERROR, message=message)


def _asset_of(meta: str, untracked: Untracked, alike: Mapping[str | bytes, str]) -> str:
    """Return the asset of a meta that git lacks, or ``""``."""
    asset = meta.removesuffix(META)
    return asset if untracked.has(asset) else alike.get(folded(os.fsencode(asset)), "")


def _half(row: Finding, untracked: Untracked, alike: Mapping[str | bytes, str]) -> Finding:
    """Return half an asset as a forgotten file.

    Args:
        row: a finding.
        untracked: the files that git does not have.
        alike: their paths, by keys of names in any case.
    """
    if row.code == MISSING and untracked.has(f"{row.path}{META}"):
        ignored = f"{row.path}{META}" in untracked.ignored
        said = "git ignores its .meta" if ignored else "its .meta is not in git: add it"
    elif row.code == ORPHAN and (asset := _asset_of(row.path, untracked, alike)):
        said = f"git ignores its asset {asset}" if asset in untracked.ignored else f"its asset {asset} is not in git"
    else:
        return row
    severity = ERROR if _is_asset(row.path) else row.severity
    return row._replace(code=NOT_COMMITTED, severity=severity, message=said, fixable=False)
