"""References to public packages that a change takes out.

If it is not known what some package requires, a public package that no list names may still come with that one. But
a package that was in the lists on the other side of a change, and is not any more, was taken out.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from assetdb.checks.findings.references import code_of_missing, message_of_missing, reference_findings
from assetdb.diagnostics.codes import CODES
from assetdb.history.git.entries import FILE
from assetdb.history.git.objects import read_blobs
from assetdb.packages.belonging import NOT_REQUIRED, UNDECIDED, belonging, explained
from assetdb.packages.required import required_packages
from assetdb.resolve.resolver import PACKAGE_NOT_PRESENT
from assetdb.unity.settings.packages import LOCK, MANIFEST, SIZE_LIMIT, read_packages

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assetdb.checks.findings.finding import Finding
    from assetdb.checks.verdicts.judging import JudgedProject
    from assetdb.history.git.entries import Entries
    from assetdb.history.git.repository import Repository
    from assetdb.query.snapshots.snapshot import Snapshot

LISTS: Final = (MANIFEST, LOCK)
"""The files that tell the packages of a project."""


def find_taken(project: Snapshot, judged: JudgedProject, repository: Repository, entries: Entries) -> list[Finding]:
    """Return findings of references to packages that a change takes out.

    Args:
        project: with the change.
        judged: its references.
        repository: with the other side.
        entries: of the other side, where it differs.

    Raises:
        HistoryError: git fails.
    """
    former = _former_lists(repository, entries)
    current = project.read(MANIFEST) if former else None
    # A manifest with an unresolved merge took no package out; one that was deleted took all.
    if not former or (current is not None and not read_packages(current, None).is_whole):
        return []
    manifest, lock = (former.get(name, project.read(name)) for name in LISTS)
    packages = project.packages.list
    before = required_packages(read_packages(manifest, lock), lambda _: None).packages
    taken = {package.name for package in before}.difference(packages.versions)
    said: dict[str, str] = {}
    for guid, _ in judged.problems.targets() if taken else ():
        found = belonging(guid, packages)
        if found is None or found.standing != UNDECIDED or found.is_leftover:
            continue
        if not taken.isdisjoint((found.file.package, *found.others)):
            said[guid] = explained(found._replace(standing=NOT_REQUIRED))
    if not said:
        return []
    lost = []
    for row in reference_findings(
        project, judged.problems, lambda row: row.guid in said and row.verdict.reason == PACKAGE_NOT_PRESENT
    ):
        code = code_of_missing(row.path, row.property_path)
        guid = row.target_guid
        message = f"{message_of_missing(code, guid, packages)}: {said[guid]}"
        lost.append(row._replace(code=code, severity=CODES[code].severity, message=message))
    return lost


def _former_lists(repository: Repository, entries: Entries) -> Mapping[str, bytes | None]:
    """Return the other side's lists of packages that differ."""
    changed = {name: entries[os.fsencode(name)] for name in LISTS if os.fsencode(name) in entries}
    there = {name: entry.oid for name, entry in changed.items() if entry is not None and entry.kind == FILE}
    blobs = zip(there, read_blobs(repository, list(there.values())), strict=True)
    read = {name: b"".join(blob.pieces()) for name, blob in blobs if blob is not None and blob.size <= SIZE_LIMIT}
    return {name: read.get(name) for name in changed}
