"""Findings of a merge that neither side has.

Rules are asked of the merged tree, and the references in files, that something of both sides decides
(:mod:`assetdb.checks.merges.contested`). The other side is judged only if the merge has findings that this one lacks.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.checks.changes.introduced import (
    DEFAULTS,
    Seen,
    TreeFindings,
    Trees,
    beyond,
    forget,
    kept_before,
    narrowed,
    of_change,
    surely_lost,
)
from assetdb.checks.changes.lost_values import LOST_VALUE, find_lost_values, former_sources
from assetdb.checks.changes.race_check import UnchangedDisk
from assetdb.checks.changes.taken_packages import find_taken
from assetdb.checks.changes.unknown_guids import absent_guids
from assetdb.checks.findings.codes import ABSENT_CODES, ABSENT_PACKAGES, UNKNOWN_GUID
from assetdb.checks.merges.contested import Side, contested, may_be_narrow
from assetdb.checks.merges.unmergeable import unmergeable_findings
from assetdb.checks.rules import CONFLICT_MARKERS, NOT_COMMITTED
from assetdb.checks.verdicts.judging import judge_files, judge_project
from assetdb.errors import ConfigurationError
from assetdb.history.git.merging import merged
from assetdb.history.git.objects import read_blobs
from assetdb.history.git.repository import Repository
from assetdb.history.lost_guids import holders
from assetdb.memo.memo import memo_of
from assetdb.scan.walking.listing import shown
from assetdb.settings.project import CONFIGURATION_NAME, asset_prefix

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assetdb.checks.changes.introduced import CheckOptions
    from assetdb.checks.findings.engine import Report
    from assetdb.checks.findings.finding import Finding
    from assetdb.checks.findings.selection import Selection
    from assetdb.checks.merges.contested import Contest
    from assetdb.checks.verdicts.judging import JudgedProject
    from assetdb.history.git.merging import Merge
    from assetdb.history.git.repository import Revision
    from assetdb.query.snapshots.snapshot import Snapshot

_SHORT: Final = 10  # digits of a commit
_LEADS_NOWHERE: Final = frozenset((*ABSENT_CODES, UNKNOWN_GUID, "dangling", "missing-object", "target-absent"))
_OF_MANY: Final = (ABSENT_PACKAGES, NOT_COMMITTED)
"""Codes whose findings rest on references of other files."""
_NOTHING: Final = TreeFindings((), {}, {})


def check_merge(
    project: Snapshot,
    merge: str,
    selection: Selection,
    options: CheckOptions = DEFAULTS,
) -> Report:
    """Return the findings of a merge that neither side has.

    References that lead nowhere are first. Arguments are as of
    :func:`assetdb.checks.changes.introduced.check_since`; ``merge`` is ``feature``, to be merged into HEAD, or
    ``main...feature``. The sides are commits: uncommitted changes are ignored.

    Raises:
        HistoryError: there is no such revision, no repository, no git that can merge, or the repository is incomplete.
        ConfigurationError: git cannot merge ``assetdb.toml``.
        AssetdbError, OSError: the project cannot be read, or a pattern is invalid.
    """
    repository = Repository(project.root, fetch=options.fetch)
    ours, theirs = repository.sides(merge)
    earlier = kept_before(project)
    still = UnchangedDisk(project, repository, repository.index_identity())
    trees = Trees(project, repository, selection, options, Seen(still.stamp, earlier))
    with merged(repository, ours, theirs) as made:
        if os.fsencode(CONFIGURATION_NAME) in made.conflicted:
            raise ConfigurationError(
                f"{CONFIGURATION_NAME}: git cannot merge it, so the rules of the merge are unknown"
            )
        sides = f"{ours.tree} {theirs.tree} {made.result.tree} {made.conflicted}" if ours.tree and theirs.tree else ""
        known = trees.read(sides)
        if known is not None and options.known is None:
            change = known
        else:
            change = _Question(project, trees, made, (ours, theirs), options).answer(known)
            if known is None:
                trees.add(sides, change)
    trees.write_unproven()
    report = narrowed(change, selection, repository, ours)
    found = sorted(report.findings, key=lambda finding: finding.code not in _LEADS_NOWHERE)
    mine = repository.tree(ours.tree) if report.held else {}
    held = {
        guid: row._replace(commit=(theirs if change.removed[guid].meta in mine else ours).commit[:_SHORT])
        for guid, row in report.held.items()
    }
    return report._replace(findings=tuple(found), held=held)


class _Question(NamedTuple):
    """A merge that nothing is known of.

    Attributes:
        project: as it is on the disk.
        trees: answers about its revisions.
        made: the merge.
        revisions: its sides.
        options: of the check.
    """

    project: Snapshot
    trees: Trees
    made: Merge
    revisions: tuple[Revision, Revision]
    options: CheckOptions

    def answer(self, known: TreeFindings | None) -> TreeFindings:
        """Return the findings of the merge that neither side has."""
        ours, theirs = self.revisions
        if self.options.known is not None:  # all findings of both sides count
            either = self._either()
            forget(self.options.known, either)
            return known if known is not None else self._of_all(either)
        is_side = self.made.result.tree in (ours.tree, theirs.tree) and bool(self.made.result.tree)
        if is_side and not self.made.conflicted:  # git leaves one side of what it cannot merge
            return _NOTHING
        found = self._of_few()
        if found is not None:
            return found
        return self._of_all(self._either())

    def _either(self) -> TreeFindings:
        """Return the findings of the sides, by all references."""
        ours, theirs = self.revisions
        return _of_either(self.trees.of_revision(ours), self.trees.of_revision(theirs))

    def _of_all(self, either: TreeFindings) -> TreeFindings:
        """Return the findings that no side has, by all references."""
        with self.trees.opened(self.made.repository, self.made.result) as other:
            after = self.trees.check(other)
            return self._change(other, after, judge_project(other), either, self._sides())

    def _of_few(self) -> TreeFindings | None:
        """Return findings by few references; None if these do not decide."""
        ours, theirs = self.revisions
        sides = self._sides()
        if not self.trees.keeps or self.made.repository.promisors or not may_be_narrow(self.project, sides):
            return None
        removed = {guid for side in sides for guid in side.removed}
        with self.trees.opened(self.made.repository, self.made.result) as other:
            contest = contested(other, sides)
            self.trees.prepare(ours, contest.concerns)
            if other is not self.project:  # the merge may be on the disk already
                memo_of(other).is_fleeting = True
            judged = judge_files(other, contest.files)
            after = self.trees.check(other, judged, contest.concerns)
            files = _with_problems(other, judged, contest)
            either = self.trees.of_files(ours, files, contest.finders(after.findings))
            absent = absent_guids(judged) - removed
            new = beyond(either.findings, after.findings)
            if new or absent.difference(either.unknown):
                either = _of_either(either, self.trees.of_files(theirs, files, contest.finders(new)))
            # Other files than these few may have such findings, on a side or after the merge.
            is_new_elsewhere = any(row.code in _OF_MANY for row in beyond(either.findings, after.findings))
            if absent.difference(either.unknown) or is_new_elsewhere or other.absent:
                return None
            return self._change(other, after, judged, either, sides)

    def _sides(self) -> tuple[Side, Side]:
        """Return the sides with their differences from the merge."""
        first, second = (self.made.repository.differences(side, self.made.result) for side in self.revisions)
        inner, root = self.made.repository, self.project.root
        return Side(first, holders(inner, first, root)), Side(second, holders(inner, second, root))

    def _change(
        self, other: Snapshot, after: Report, judged: JudgedProject, either: TreeFindings, sides: Sequence[Side]
    ) -> TreeFindings:
        """Return the findings of the merge that no side has.

        Args:
            other: the project after the merge.
            after: its findings.
            judged: its references.
            either: the findings of the sides.
            sides: with their differences from the merge.
        """
        ours, theirs = self.revisions
        inner, conflicted = self.made.repository, self.made.conflicted
        lost: list[Finding] = []
        for another, side, other_side in ((theirs, sides[0], sides[1]), (ours, sides[1], sides[0])):
            rows = [*surely_lost(other, judged, side.removed), *find_taken(other, judged, inner, side.differing)]
            lost += _not_in(inner, another, rows)
            if LOST_VALUE in self.trees.everywhere.codes():
                lost += _lost_in_merge(self.project.root, inner, other, (side, other_side))
        if CONFLICT_MARKERS in self.trees.everywhere.codes():
            lost += unmergeable_findings(inner, self.revisions, conflicted)
        removed = {**sides[0].removed, **sides[1].removed}
        change = of_change(other, either, after, lost, removed).weighed(either)
        if self.trees.asks_for_unknown:
            change = change.with_unknown(other, judged, {*removed, *either.unknown})
        return change


def _with_problems(merged: Snapshot, judged: JudgedProject, contest: Contest) -> dict[str, frozenset[str] | None]:
    """Return the files with problems after a merge, and removed files.

    Of the sides, only findings count that the merge has. A moved file has its findings under the path that it had,
    where another file may be now.
    """
    problems = set(judged.problems)
    found = {path for path in contest.files if shown(os.fsencode(path)) in problems}
    found.update(before for path in tuple(found) for before in contest.former.get(path, ()))
    return {
        path: guids for path, guids in contest.files.items() if problems and (path in found or not merged.exists(path))
    }


def _lost_in_merge(root: str, repository: Repository, after: Snapshot, sides: tuple[Side, Side]) -> list[Finding]:
    """Return values of one side that the other side's code loses.

    Assets that the other side has as they are after the merge lost theirs before it.

    Args:
        root: of the project.
        repository: with the merge.
        after: the project after the merge.
        sides: with the values, and with the code.
    """
    former = former_sources(repository, sides[0].differing, root)
    if not former:
        return []
    prefix = asset_prefix(root)
    brought_here = {prefix + os.fsdecode(path) for path in sides[1].differing}
    return find_lost_values(after, former, brought_here)


def _not_in(repository: Repository, revision: Revision, findings: list[Finding]) -> list[Finding]:
    """Return findings with targets that a revision's same file lacks.

    A side that removed an asset and kept references to it was broken before the merge.
    """
    there = repository.tree(revision.tree) if findings else {}
    oids = {row.path: there[path].oid for row in findings if (path := os.fsencode(row.path)) in there}
    blobs = zip(oids, read_blobs(repository, list(oids.values())), strict=True)
    before = {path: b"".join(blob.pieces()) for path, blob in blobs if blob is not None}
    return [row for row in findings if row.target_guid.encode() not in before.get(row.path, b"")]


def _of_either(one: TreeFindings, other: TreeFindings) -> TreeFindings:
    """Return each finding as often as the side with more has it."""
    more = beyond(one.findings, other.findings)
    absent = tuple(sorted({*one.absent, *other.absent}))
    unknown = dict(one.unknown)
    for guid, users in other.unknown.items():
        unknown[guid] = tuple(sorted({*users, *unknown.get(guid, ())}))
    return TreeFindings((*one.findings, *more), {}, unknown, absent)
