"""What a change brought: the findings of one side of it that the other has not.

The findings of a revision are kept in the output folder, by all that they depend on: its tree, the settings, the
packages, and the files on the disk that git ignores. So the side that does not move costs nothing the next time. Most
of a mirror is what the disk has: nothing is kept where that became another meanwhile (an editor that imports).
"""

from __future__ import annotations

import os
import stat
from hashlib import sha256
from typing import TYPE_CHECKING, Final

import msgspec

from assetdb.checks.engine import Report, check_project, report_of
from assetdb.checks.finding import Finding
from assetdb.checks.references import code_of_missing, message_of_missing
from assetdb.checks.revisions import brought, open_entries, tops_of
from assetdb.checks.selection import Selection
from assetdb.diagnostics.codes import WARNING
from assetdb.errors import FileError
from assetdb.history.repository import FILE, Repository
from assetdb.packages.listing import read_list
from assetdb.resolve.resolver import PACKAGE_NOT_PRESENT
from assetdb.settings.effective import read_settings
from assetdb.store.files import REVISIONS_NAME
from assetdb.system.identity import identity
from assetdb.system.reading import read_small
from assetdb.unity.meta import MetaReader
from assetdb.version import VERSION
from formats.atomic import replace_file

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable

    from assetdb.checks.baseline import Identity
    from assetdb.history.repository import Entries, Revision
    from assetdb.query.snapshot import Snapshot

_MOST_KEPT: Final = 16
_LARGEST_KEPT: Final = 1 << 28
_SUBMODULES: Final = ".gitmodules"


def check_since(
    project: Snapshot,
    revision: str,
    selection: Selection,
    *,
    known: Counter[Identity] | None = None,
    workers: int = 1,
    on_progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Return what is wrong with a project as it is on the disk and was not in a revision.

    Args:
        project: as it is.
        revision: ``main``, ``HEAD~3``, ``main...`` (where the work forked from it).
        selection: which codes, where.
        known: how many findings of each identity a baseline has; what the older side has of them is taken from it, for
            that is subtracted already.
        workers: how many processes may judge references.
        on_progress: is given the files judged and the files there are, now and then.

    Raises:
        HistoryError: there is no such revision, no repository, no git, or the repository has not all of it.
        AssetdbError: the project cannot be read, or a pattern is none.
        OSError: likewise.
    """
    repository = Repository(project.root)
    found = repository.head() if revision == "HEAD" else repository.revision(revision)
    wide = _wide(selection)
    after = check_project(project, wide, workers=workers, on_progress=on_progress)
    kept = _Kept(project, repository, wide)
    before = _of_revision(project, repository, found, wide, kept, workers)
    _forget(known, before)
    new = brought(before, after)
    return _narrowed(new, selection, repository, lambda: repository.revision_against_disk(found))


def check_staged(
    project: Snapshot,
    selection: Selection,
    *,
    known: Counter[Identity] | None = None,
    workers: int = 1,
    on_progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Return what is wrong with the next commit, which is git's index, and was not in the last one.

    Args:
        project: as it is on the disk, which counts for nothing where the index has something else.
        selection: which codes, where.
        known: how many findings of each identity a baseline has; what the older side has of them is taken from it, for
            that is subtracted already.
        workers: how many processes may judge references.
        on_progress: is given the files judged and the files there are, now and then.

    Raises:
        HistoryError: there is no repository, no git, or the repository has not all of it.
        AssetdbError: the project cannot be read, or a pattern is none.
        OSError: likewise.
    """
    repository = Repository(project.root)
    head = repository.head()
    staged = repository.revision_against_index(head)
    if not staged:
        return report_of((), selection.codes())
    wide = _wide(selection)
    entries = repository.index_against_disk(tops=tops_of(project.root))
    with open_entries(project, repository, entries) as index:
        after = check_project(index, wide, workers=workers, on_progress=on_progress)
    kept = _Kept(project, repository, wide)
    tree = repository.index_tree()  # after the commit it is the older side of the next
    repository.look_again()
    if repository.index_against_disk(tops=tops_of(project.root)) == entries:
        kept.keep(tree, after.findings)
    before = _of_revision(project, repository, head, wide, kept, workers)
    _forget(known, before)
    new = brought(before, after)
    return _narrowed(new, selection, repository, lambda: staged)


def _forget(known: Counter[Identity] | None, before: Report) -> None:
    """Take findings from those of a baseline: of three that are old a fourth is new, though the baseline has three."""
    if known is not None:
        known.subtract(finding.identity() for finding in before.findings)


def _of_revision(
    project: Snapshot, repository: Repository, revision: Revision, selection: Selection, kept: _Kept, workers: int
) -> Report:
    """Return what is wrong with a revision."""
    known = kept.read(revision.tree)
    if known is not None:
        return report_of(known, selection.codes())
    entries = repository.revision_against_disk(revision, tops=tops_of(project.root))
    with open_entries(project, repository, entries) as other:
        found = check_project(other, selection, workers=workers)
    repository.look_again()
    if repository.revision_against_disk(revision, tops=tops_of(project.root)) == entries:
        kept.keep(revision.tree, found.findings)
    return found


# --- what went with the change


def _wide(selection: Selection) -> Selection:
    """Return what both sides are asked for: everything wherever it is, for a file may have been elsewhere then.

    Also what may be in a package that is not here: where the change took it away, it surely is not.
    """
    select = (*selection.select, PACKAGE_NOT_PRESENT) if selection.select else ()
    ignore = tuple(code for code in selection.ignore if code != PACKAGE_NOT_PRESENT)
    severities = {**selection.severities, PACKAGE_NOT_PRESENT: WARNING}
    return Selection((), select, ignore, (), severities)


def _narrowed(report: Report, selection: Selection, repository: Repository, changed: Callable[[], Entries]) -> Report:
    """Return of a report what is asked for; ``changed`` tells what the older side has that the other has not."""
    if any(finding.code == PACKAGE_NOT_PRESENT for finding in report.findings):
        report = _certain(report, _guids_of(repository, changed()))
    return report_of(tuple(selection.chosen(report.findings)), selection.codes())


def _certain(report: Report, gone: frozenset[str]) -> Report:
    """Return a report in which what the change took away is missing, and not in a package that is not here."""
    rows = []
    for row in report.findings:
        guid = row.target.partition(":")[0]
        if row.code == PACKAGE_NOT_PRESENT and guid in gone:
            code = code_of_missing(row.path, row.property_path)
            rows.append(row._replace(code=code, message=message_of_missing(code, guid)))
        else:
            rows.append(row)
    return report_of(tuple(rows), report.codes)


def _guids_of(repository: Repository, entries: Entries) -> frozenset[str]:
    """Return the GUIDs of the metas that a side has where another has something else, or nothing."""
    metas = [entry for path, entry in entries.items() if entry is not None and path.endswith(b".meta")]
    reader = MetaReader()
    found = set()
    for blob in repository.blobs([entry.oid for entry in metas if entry.kind == FILE]):
        guid, _, _ = reader.read(next(blob.pieces(), b""))
        if guid:
            found.add(guid.decode("ascii"))
    return frozenset(found)


# --- what is kept


class _Kept:
    """The findings of trees that are kept in the output folder of a project."""

    def __init__(self, project: Snapshot, repository: Repository, selection: Selection) -> None:
        """Tell what findings depend on besides the tree."""
        self._folder = os.path.join(project.folder, REVISIONS_NAME)
        self._stamp = ""
        if os.path.lexists(os.path.join(repository.top, _SUBMODULES)):
            return  # what is in them is in no tree of this repository
        ignored = []
        for path in repository.ignored(tops_of(project.root)):
            try:
                status = os.stat(os.path.join(os.fsencode(project.root), path))
            except OSError:
                ignored.append((path, 0))
                continue
            if stat.S_ISDIR(status.st_mode):
                return  # another repository: git does not say what is in it
            ignored.append((path, identity(status)))
        pointers = sorted(item.path for item in project.diagnostics() if item.code == "lfs-pointer")
        self._stamp = repr(
            (
                VERSION,
                read_settings(project.root, project.folder).packed(),
                read_list(project.folder).content,
                ignored,
                pointers,
                selection.codes(),
                sorted(selection.severities.items()),
            )
        )

    def _path(self, tree: str) -> str:
        digest = sha256(f"{tree}\n{self._stamp}".encode("utf-8", "backslashreplace")).hexdigest()
        return os.path.join(self._folder, digest)

    def read(self, tree: str) -> tuple[Finding, ...] | None:
        """Return the findings of a tree, None where there are none that can be read."""
        if not (tree and self._stamp):
            return None
        try:
            return msgspec.json.decode(read_small(self._path(tree), _LARGEST_KEPT), type=tuple[Finding, ...])
        except (OSError, FileError, msgspec.DecodeError, UnicodeError):
            return None

    def keep(self, tree: str, findings: tuple[Finding, ...]) -> None:
        """Keep the findings of a tree, and forget those that came the longest ago; where that cannot be, none."""
        if not (tree and self._stamp):
            return
        try:
            data = msgspec.json.encode(findings)
            os.makedirs(self._folder, exist_ok=True)
            replace_file(self._path(tree), [data])
            kept = sorted(os.scandir(self._folder), key=lambda entry: entry.stat(follow_symlinks=False).st_mtime_ns)
            for entry in kept[:-_MOST_KEPT]:
                os.unlink(entry.path)
        except (OSError, UnicodeError):
            return
