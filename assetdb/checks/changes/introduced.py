"""Findings that a change introduces.

The findings of a revision are kept in the output folder, keyed by everything that they depend on: its tree, the
settings, the packages, and ignored files on disk. So the unchanged side costs nothing the next time. Most of a mirror
is the disk itself: an answer counts once it is proven that the disk did not change meanwhile (an editor that
imports), by a scan at the end or by the scan with which another question begins.
"""

from __future__ import annotations

import os
import stat
import zlib
from collections import Counter
from hashlib import sha256
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from assetdb.checks.changes.lost_materials import LOST_MATERIAL, MODELS, find_lost_materials
from assetdb.checks.changes.lost_values import LOST_VALUE, SOURCES, find_lost_values, former_sources
from assetdb.checks.changes.race_check import STAMP_SIZE, UnchangedDisk, UnchangedSnapshot
from assetdb.checks.changes.stored import of_touched, with_staged
from assetdb.checks.changes.taken_packages import LISTS, find_taken
from assetdb.checks.changes.uncommitted import as_of_change, emptied_folders, with_uncommitted
from assetdb.checks.changes.unknown_guids import users_of_absent, with_unknown_guids
from assetdb.checks.daemon_report import find_after_updates
from assetdb.checks.findings.codes import UNKNOWN_GUID
from assetdb.checks.findings.engine import (
    Report,
    answers_of,
    check_project,
    derive_rules,
    digest_of_findings,
    in_order,
    report_of,
)
from assetdb.checks.findings.finding import Finding  # noqa: TC001 - msgspec looks at the types of fields
from assetdb.checks.findings.references import code_of_missing, message_of_missing, reference_findings
from assetdb.checks.left_out import with_left_out
from assetdb.checks.rules import NOT_COMMITTED
from assetdb.checks.verdicts.judging import judge_files, judge_project
from assetdb.diagnostics.codes import CODES
from assetdb.errors import DaemonError
from assetdb.history.git.process import together
from assetdb.history.git.questions import Held
from assetdb.history.git.repository import Repository
from assetdb.history.git.submodules import with_submodules
from assetdb.history.lost_guids import METAS, Holder, holders
from assetdb.memo.memo import memo_of
from assetdb.packages.listing import read_list
from assetdb.query.snapshots.revisions import open_entries, tops_of
from assetdb.resolve.resolver import PACKAGE_NOT_PRESENT
from assetdb.settings.effective import read_settings
from assetdb.settings.project import META
from assetdb.system.identity import identity
from assetdb.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping
    from contextlib import AbstractContextManager

    from assetdb.checks.findings.baseline import Identity
    from assetdb.checks.findings.selection import Selection
    from assetdb.checks.rules import Rule
    from assetdb.checks.verdicts.judging import JudgedProject
    from assetdb.history.git.entries import Entries
    from assetdb.history.git.repository import Revision
    from assetdb.query.snapshots.snapshot import Snapshot

_MOST_KEPT: Final = 16
PREFIX: Final = "findings of a revision: "
_FORMAT: Final = 3  # of what is kept: 1 had lost values of a change, 2 no stamp of the disk
_PROVEN: Final = bytes(STAMP_SIZE)  # in place of a stamp
_SUBMODULES: Final = ".gitmodules"


class CheckOptions(NamedTuple):
    """Options for checking both sides of a change.

    Attributes:
        known: number of findings of each identity in a baseline, minus findings of the older side, which are subtracted
            anyway.
        workers: how many processes may judge references.
        on_progress: called periodically with the files judged and the total.
        fetch: whether git may fetch blobs that a partial clone lacks.
    """

    known: Counter[Identity] | None = None
    workers: int = 1
    on_progress: Callable[[int, int], None] | None = None
    fetch: bool = False


DEFAULTS: Final = CheckOptions()
"""One process, and nothing is fetched."""


def check_since(
    project: Snapshot,
    revision: str,
    selection: Selection,
    options: CheckOptions = DEFAULTS,
) -> Report:
    """Return the findings of the disk that a revision lacks.

    Args:
        project: as it is.
        revision: ``main``, ``HEAD~3``, ``main...`` (where the work forked from it).
        selection: which codes, where.
        options: for both sides.

    Raises:
        HistoryError: there is no such revision, no repository, no git, or the repository is incomplete.
        AssetdbError, OSError: the project cannot be read, or a pattern is invalid.
    """
    repository = Repository(project.root, fetch=options.fetch)
    project.compare_with(repository)
    still = UnchangedDisk(project, repository, repository.index_identity())
    found = repository.revision(revision)
    trees = Trees(project, repository, selection, options)
    digest = digest_of_findings(project, trees.everywhere)
    changed = repository.revision_against_disk(found, only=(*METAS, *MODELS, *LISTS))
    places = f"{project.database.fingerprint()} {sha256(b'/'.join(sorted(changed))).hexdigest()}"  # of lost materials
    sides = f"{found.tree} {places} {digest}" if found.tree and digest else ""
    change = trees.read(sides)
    if change is None or options.known is not None:
        before = trees.of_revision(found)
        forget(options.known, before)
    if change is None:
        removed = holders(repository, changed, project.root)
        after = trees.check(project)
        judged = judge_project(project)
        lost = [*surely_lost(project, judged, removed), *find_taken(project, judged, repository, changed)]
        change = of_change(project, before, after, lost, removed)
        touched = repository.revision_against_index(found)
        weighed = change.weighed(before).with_lost_materials(project, trees, removed, changed)
        change = weighed.changed(of_touched(project.root, weighed.findings, touched))
        if trees.asks_for_unknown:
            change = change.with_unknown(project, judged, {*removed, *before.unknown})
        if digest_of_findings(project, trees.everywhere) == digest:
            trees.add(sides, change)
    # Lost values depend on C# and values of which no other finding tells: an answer that is kept does not have them.
    change = change.with_lost(
        project,
        trees,
        lambda: former_sources(repository, repository.revision_against_disk(found, only=SOURCES), project.root),
    )
    trees.write(still)
    return narrowed(change, selection, repository, found)


def check_staged(
    project: Snapshot,
    selection: Selection,
    options: CheckOptions = DEFAULTS,
    *,
    in_daemon: bool = False,
) -> Report:
    """Return the findings of git's index that HEAD lacks.

    Arguments are as of :func:`check_since`; files on disk that differ from the index are ignored. With ``in_daemon``
    the project is the newest one of a daemon that was just synchronized.

    Raises:
        DaemonError: a daemon cannot answer: one side is not on the disk, or something changes meanwhile.
        HistoryError: there is no repository, no git, or the repository is incomplete.
        AssetdbError, OSError: the project cannot be read, or a pattern is invalid.
    """
    if in_daemon:
        find_after_updates(project)  # files of the next commit have usually been saved some time ago
    repository = Repository(project.root, fetch=options.fetch)
    project.compare_with(repository)
    index = repository.index_identity()
    head = repository.head()
    staged, digest = repository.staged(head)
    if not staged:
        return report_of((), selection.codes())
    still = UnchangedSnapshot(project, repository, index) if in_daemon else UnchangedDisk(project, repository, index)
    repository.look_at_disk(tops_of(project.root))
    trees = Trees(project, repository, selection, options)
    on_disk = project.database.fingerprint()
    sides = f"{head.tree} {digest} {on_disk}" if head.tree and digest else ""
    change = trees.read(sides)
    if change is None or options.known is not None:
        if in_daemon and trees.read(head.tree) is None:
            raise DaemonError("the findings of the last commit are not known")
        before = trees.of_revision(head)
        forget(options.known, before)
    if change is None:
        removed = holders(repository, staged, project.root)
        entries = with_submodules(repository, repository.index_against_disk(tops=tops_of(project.root)))
        entries.update(dict.fromkeys(emptied_folders(project.root, staged)))
        if in_daemon and entries:
            raise DaemonError("the index is not what is on the disk")
        with open_entries(project, repository, entries, stand_ins=True) as other:
            after, tree = together(lambda: trees.check(other), repository.index_tree)
            judged = judge_project(other)
            unknown = users_of_absent(other, judged)
            lost = [*surely_lost(other, judged, removed), *find_taken(other, judged, repository, staged)]
            change = of_change(other, before, after, lost, removed).weighed(before)
            change = change.with_lost(other, trees, lambda: former_sources(repository, staged, project.root))
            change = change.with_lost_materials(other, trees, removed, staged)
            change = change.changed(with_staged(project, change.findings, trees.everywhere.codes(), staged))
            if trees.asks_for_untracked:
                change = change.with_uncommitted(project, other, judged, before)
            if trees.asks_for_unknown:
                unstaged = {guid for guid in unknown if project.database.by_guid(guid) is not None}
                change = change.with_unknown(other, judged, {*removed, *unstaged, *before.unknown})
        # After the commit, this becomes the older side.
        trees.add(tree, of_tree(after, unknown))
        if not (trees.asks_for_untracked and project.untracked().failure):  # a fetch in a submodule changes no side
            trees.add(sides, change)
    if in_daemon and not still.holds():
        raise DaemonError("files changed meanwhile")
    trees.write(still)
    return narrowed(change, selection, repository, head)


def brought(before: Report, after: Report) -> Report:
    """Return the findings that ``after`` has more often than ``before``."""
    return report_of(beyond(before.findings, after.findings), after.codes)


def beyond(before: Iterable[Finding], after: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the findings that the other side has less often."""
    known = Counter(finding.identity() for finding in before)
    found = []
    for finding in after:
        identity = finding.identity()
        if known[identity]:
            known[identity] -= 1
        else:
            found.append(finding)
    return tuple(found)


def forget(known: Counter[Identity] | None, before: TreeFindings) -> None:
    """Subtract findings of the older side from a baseline's."""
    if known is not None:
        known.subtract(finding.identity() for finding in before.findings)


def of_tree(report: Report, unknown: dict[str, tuple[str, ...]]) -> TreeFindings:
    """Return the findings of a tree, and users of absent GUIDs."""
    return TreeFindings(report.findings, {}, unknown, report.absent, is_sure=report.is_sure)


# --- removed by the change


def of_change(
    project: Snapshot, before: TreeFindings, after: Report, lost: list[Finding], removed: Mapping[str, Holder]
) -> TreeFindings:
    """Return the findings of a change.

    Includes the former owners of GUIDs that it removed. These GUIDs certainly no longer exist, so absent packages are
    not mentioned.
    """
    report = brought(report_of(before.findings, ()), after)
    rows = [row for row in report.findings if row.code != PACKAGE_NOT_PRESENT or row.target_guid not in removed]
    found = tuple(in_order([*rows, *lost]))
    held = {guid: removed[guid] for row in found if (guid := row.target_guid) in removed}
    absent = tuple(sorted({*before.absent, *after.absent}))
    is_sure = after.is_sure and not (before.absent and _rests_on(project, before.absent, found, after, removed))
    return TreeFindings(found, held, {}, absent, is_sure=is_sure)


def _rests_on(
    project: Snapshot,
    absent: Collection[str],
    found: Collection[Finding],
    after: Report,
    removed: Mapping[str, Holder],
) -> bool:
    """Whether findings depend on files that the older side lacks.

    They may have had findings of their own; and since they were not read, references to them had no target, so that the
    same ones on the newer side count as old. An absent meta may have had any GUID.
    """
    paths = {path.removesuffix(META) for path in absent}
    if any(row.path.removesuffix(META) in paths for row in found):
        return True
    guids = {asset.guid for asset in project.database if asset.path in paths}
    guids.update(guid for guid, row in removed.items() if row.path in paths)
    has_meta = any(path.endswith(META) for path in absent)
    new = set(found)
    return any(
        (guid in guids or (has_meta and guid)) and row not in new for row in after.findings if (guid := row.target_guid)
    )


def narrowed(found: TreeFindings, selection: Selection, repository: Repository, revision: Revision) -> Report:
    """Return the selected findings of a change."""
    chosen = tuple(with_left_out(repository.root, selection.chosen(found.findings)))
    asked = {guid: found.removed[guid] for row in chosen if (guid := row.target_guid) in found.removed}
    report = report_of(chosen, selection.codes())
    return report._replace(held=_held(repository, revision, asked), absent=found.absent, is_sure=found.is_sure)


def surely_lost(project: Snapshot, judged: JudgedProject, removed: Collection[str]) -> list[Finding]:
    """Return findings of references to deleted assets.

    Their verdict is that a package may have the GUID, but on the older side they were valid.
    """
    if not removed:
        return []
    found = []
    for row in reference_findings(
        project, judged.problems, lambda row: row.guid in removed and row.verdict.reason == PACKAGE_NOT_PRESENT
    ):
        code = code_of_missing(row.path, row.property_path)
        message = message_of_missing(code, row.target_guid, project.packages.list)
        found.append(row._replace(code=code, severity=CODES[code].severity, message=message))
    return found


class TreeFindings(NamedTuple):
    """The findings of a tree, or of a change.

    Attributes:
        findings: in their order.
        removed: former owners of missing GUIDs that the change removed.
        unknown: of a tree: by GUIDs that nothing has, the files that refer to them.
        absent: as in :class:`Report`.
        is_sure: whether the findings do not depend on absent files.
    """

    findings: tuple[Finding, ...]
    removed: dict[str, Holder]
    unknown: dict[str, tuple[str, ...]] = {}  # noqa: RUF012 - never changed
    absent: tuple[str, ...] = ()
    is_sure: bool = True

    def with_unknown(self, project: Snapshot, judged: JudgedProject, known: Collection[str]) -> TreeFindings:
        """Return the findings completed by :func:`with_unknown_guids`."""
        return self.changed(with_unknown_guids(project, judged, self.findings, known))

    def changed(self, findings: Iterable[Finding]) -> TreeFindings:
        """Return other findings, in order."""
        return self._replace(findings=tuple(in_order(findings)))

    def weighed(self, before: TreeFindings) -> TreeFindings:
        """Return the findings as weighed by :func:`as_of_change`."""
        return self.changed(as_of_change(self.findings, before.findings, before.unknown))

    def with_lost(self, after: Snapshot, trees: Trees, former: Callable[[], Mapping[str, bytes]]) -> TreeFindings:
        """Return the findings completed by :func:`find_lost_values`."""
        lost = find_lost_values(after, former()) if LOST_VALUE in trees.everywhere.codes() else []
        return self.changed([*self.findings, *lost]) if lost else self

    def with_lost_materials(
        self, after: Snapshot, trees: Trees, removed: Mapping[str, Holder], changed: Iterable[bytes]
    ) -> TreeFindings:
        """Return the findings completed by :func:`find_lost_materials`."""
        is_wanted = LOST_MATERIAL in trees.everywhere.codes()
        lost = find_lost_materials(after, removed, changed) if is_wanted else []
        return self.changed([*self.findings, *lost]) if lost else self

    def with_uncommitted(
        self, disk: Snapshot, other: Snapshot, judged: JudgedProject, before: TreeFindings
    ) -> TreeFindings:
        """Return the findings completed by :func:`with_uncommitted`."""
        return self.changed(with_uncommitted(disk, other, judged, self.findings, before.unknown))


def _held(repository: Repository, revision: Revision, removed: Mapping[str, Holder]) -> dict[str, Held]:
    """Return former holders known from the last commit, without walking the history."""
    if not removed:
        return {}
    head = repository.head()
    if head != revision:
        there = repository.tree(head.tree)
        removed = {guid: row for guid, row in removed.items() if row.meta in there and there[row.meta].oid == row.oid}
    return {guid: Held(row.path, "") for guid, row in removed.items()}


# --- what is kept


class Seen(NamedTuple):
    """The disk as a question found it.

    Attributes:
        stamp: of disk and index, ``b""`` if uncertain.
        earlier: the answers that were kept before the question looked at the disk, by key. An answer that another
            process writes later may rest on a file that changed since.
    """

    stamp: bytes = b""
    earlier: Mapping[str, bytes] = MappingProxyType({})

    def proves(self, key: str, kept: bytes) -> bool:
        """Whether an answer rests on this disk, unchanged since."""
        return bool(self.stamp) and kept[:STAMP_SIZE] == self.stamp and self.earlier.get(key) == kept


def kept_before(project: Snapshot) -> dict[str, bytes]:
    """Return kept answers, none if the disk was looked at already."""
    memo = memo_of(project)
    return {key: memo.get(key) or b"" for key in memo.keys(PREFIX)} if not project.is_fresh else {}


class Trees:
    """Findings of trees, some of them in the memo of a project.

    Attributes:
        everywhere: the selection without its paths: files may have been moved.
        asks_for_unknown: whether unknown GUIDs are among the selected codes.
        asks_for_untracked: whether files that git does not have are.
    """

    def __init__(
        self,
        project: Snapshot,
        repository: Repository,
        selection: Selection,
        options: CheckOptions,
        seen: Seen = Seen(),  # noqa: B008 - a tuple
    ) -> None:
        """Compute the stamp of all inputs besides the tree.

        Args:
            project: as it is on the disk.
            repository: that it is in.
            selection: which codes, where.
            options: for both sides.
            seen: the disk as this question found it; by default, only what is proven counts.
        """
        self._project, self._repository, self._options = project, repository, options
        self.everywhere = selection._replace(paths=(), per_path_ignores=())
        self.asks_for_unknown = UNKNOWN_GUID in selection.codes()
        self.asks_for_untracked = NOT_COMMITTED in selection.codes()
        self._memo = memo_of(project)
        self._seen = seen
        self._added: list[tuple[str, TreeFindings]] = []
        self._confirmed: dict[str, bytes] = {}
        self._differing: dict[Revision, Entries] = {}
        self._stamp = ""
        if os.path.lexists(os.path.join(repository.top, _SUBMODULES)):
            return  # their content is in no tree of this repository
        ignored = []
        for path in repository.ignored(tops_of(project.root)):
            try:
                status = os.stat(os.path.join(os.fsencode(project.root), path))
            except OSError:
                ignored.append((path, 0))
                continue
            if stat.S_ISDIR(status.st_mode):
                return  # another repository: git does not report its content
            ignored.append((path, identity(status)))
        pointers = sorted(item.path for item in project.diagnostics() if item.code == "lfs-pointer")
        self._stamp = repr(
            (
                *(VERSION, _FORMAT),
                read_settings(project.root, project.folder).packed(),
                read_list(project.folder).content,
                ignored,
                pointers,
                selection.codes(),
                answers_of(selection.codes()),  # of another version of a rule, what both sides have would be new
                sorted(selection.severities.items()),
            )
        )

    @property
    def keeps(self) -> bool:
        """Whether answers are kept: no file belongs to another repository."""
        return bool(self._stamp)

    def _key(self, tree: str) -> str:
        digest = sha256(f"{tree}\n{self._stamp}".encode("utf-8", "backslashreplace")).hexdigest()
        return f"{PREFIX}{digest}"

    def read(self, tree: str) -> TreeFindings | None:
        """Return the findings of a tree, or of two sides, or None."""
        if not (tree and self._stamp):
            return None
        key = self._key(tree)
        kept = self._memo.get(key) or b""
        seen, packed = kept[:STAMP_SIZE], kept[STAMP_SIZE:]
        if seen != _PROVEN:
            if not self._seen.proves(key, kept):
                return None
            self._confirmed[key] = packed
        try:
            return msgspec.json.decode(zlib.decompress(packed), type=TreeFindings)
        except (zlib.error, msgspec.DecodeError, UnicodeError):
            return None

    def check(
        self, project: Snapshot, judged: JudgedProject | None = None, rules: Callable[[Rule], bool] | None = None
    ) -> Report:
        """Return the newer side's findings; ``judged`` and ``rules`` as in :func:`check_project`."""
        return check_project(
            project,
            self.everywhere,
            workers=self._options.workers,
            on_progress=self._options.on_progress,
            judged=judged,
            rules=rules,
        )

    def of_revision(self, revision: Revision) -> TreeFindings:
        """Return the findings of an older side."""
        known = self.read(revision.tree)
        if known is not None:
            return known
        with self.opened(self._repository, revision) as other:
            report = check_project(other, self.everywhere, workers=self._options.workers)
            unknown = users_of_absent(other, judge_project(other))
        found = of_tree(report, unknown)
        self.add(revision.tree, found)
        return found

    def prepare(self, revision: Revision, rules: Callable[[Rule], bool]) -> None:
        """Let rules read the disk, if a side is the disk.

        What is kept of them serves the other revisions, of which nothing is kept.
        """
        with self.opened(self._repository, revision) as other:
            if other is self._project:
                derive_rules(other, self.everywhere, rules)

    def of_files(
        self, revision: Revision, files: Mapping[str, Collection[str] | None], rules: Callable[[Rule], bool]
    ) -> TreeFindings:
        """Return an older side's findings; arguments are as of :func:`judge_files` and :func:`check_project`."""
        with self.opened(self._repository, revision) as other:
            judged = judge_files(other, files)
            report = self.check(other, judged, rules)
            return of_tree(report, users_of_absent(other, judged))

    def opened(self, repository: Repository, revision: Revision) -> AbstractContextManager[Snapshot]:
        """Open the project at a revision that a repository has."""
        entries = self._differing.get(revision)
        if entries is None:
            entries = repository.revision_against_disk(revision, tops=tops_of(self._project.root))
            self._differing[revision] = entries
        return open_entries(self._project, repository, dict(entries), stand_ins=True)

    def add(self, tree: str, findings: TreeFindings) -> None:
        """Add the findings of a tree or change, for :meth:`write`."""
        if tree and self._stamp and not findings.absent:  # this is not a fact about the tree
            self._added.append((tree, findings))

    def write(self, still: UnchangedDisk | UnchangedSnapshot) -> None:
        """Write added findings unless a file changed meanwhile; drop the oldest."""
        if self._added and still.holds():
            self._write(_PROVEN)

    def write_unproven(self) -> None:
        """Write added findings, unproven until another question finds this disk.

        So a question needs no second scan.
        """
        if (self._added and self._seen.stamp) or self._confirmed:
            self._write(self._seen.stamp)

    def _write(self, seen: bytes) -> None:
        for key, kept in self._seen.earlier.items():
            if self._seen.proves(key, kept):
                self._confirmed[key] = kept[STAMP_SIZE:]
        for key, packed in self._confirmed.items():
            self._memo.put(key, _PROVEN + packed)
        for tree, findings in self._added if seen else ():
            try:
                self._memo.put(self._key(tree), seen + zlib.compress(msgspec.json.encode(findings), 1))
            except UnicodeError:  # a name that is not text
                continue
        self._memo.bound(PREFIX, _MOST_KEPT)
        self._memo.write()
