"""A project at a git revision or index, without a checkout.

>>> from assetdb.query.snapshots.snapshot import open_project
>>> with open_revision(open_project("Village"), "main~1") as before:
...     [asset.path for asset in before.database.by_name("Tower")]
['Assets/Prefabs/Tower.prefab']

The other side is an ordinary snapshot: its root is a mirror (:mod:`assetdb.history.git.mirror`), mostly links to
unchanged files, and its database is derived from the project's own. Ignored files, and packages outside the project,
are on all sides as they are on disk; untracked files exist only on disk.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Final

from assetdb.errors import HistoryError
from assetdb.history.git.mirror import Mirror, is_symlinked
from assetdb.history.git.objects import how_to_fetch
from assetdb.history.git.repository import Repository
from assetdb.history.git.submodules import with_submodules
from assetdb.history.tracking.untracked import Untracked, ignored_in
from assetdb.packages.listing import are_same, read_list
from assetdb.query.snapshots.snapshot import Snapshot
from assetdb.settings.effective import read_settings
from assetdb.settings.project import ASSET_ROOTS, CONFIGURATION_NAME, MARKERS, asset_roots, relative_file
from assetdb.store.files import MEMO_NAME, NAMES_NAME, PACKAGES_FOLDER
from assetdb.system.failures import excuse
from assetdb.system.identity import RACY
from assetdb.system.mirrors import link_out
from assetdb.workspace.workspace import Options, Workspace
from assetdb_formats.processes import Uncollected

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.history.git.entries import Entries

_IN_MEMORY: Final = "/dev/shm"  # noqa: S108 - mkdtemp makes a folder of this user's own there
_USUAL: Final = "/tmp"  # noqa: S108 - only compared
_MOST_IN_MEMORY: Final = 1 << 25  # half of the 64 MiB that a container has there
_TOPS: Final = tuple(dict.fromkeys((*ASSET_ROOTS, *MARKERS, CONFIGURATION_NAME)))


@contextmanager
def open_revision(project: Snapshot, revision: str, *, fetch: bool = False) -> Iterator[Snapshot]:
    """Open a project at a revision.

    Args:
        project: as it is on the disk.
        revision: ``main``, ``HEAD~3``, ``main...`` (where the work forked from it).
        fetch: whether git may fetch blobs that a partial clone lacks.

    Raises:
        HistoryError: there is no such revision, no repository, or no git.
        AssetdbError, OSError: the project cannot be read.
    """
    repository = Repository(project.root, fetch=fetch)
    with open_entries(project, repository, entries_of(project, repository, revision)) as other:
        yield other


def tops_of(root: str) -> tuple[str, ...]:
    """Return the folders in which ignored files count, not builds beside them."""
    return _TOPS if asset_roots(root) == ASSET_ROOTS else (".",)


def entries_of(project: Snapshot, repository: Repository, revision: str) -> Entries:
    """Return the files that differ between a revision and the disk.

    Raises:
        HistoryError: there is no such revision.
    """
    return repository.revision_against_disk(repository.revision(revision), tops=tops_of(project.root))


@contextmanager
def open_entries(
    project: Snapshot, repository: Repository, entries: Entries, *, stand_ins: bool = False
) -> Iterator[Snapshot]:
    """Open a project with other files in it.

    Files that git does not have locally are listed in :attr:`Snapshot.absent`, links that are left out in
    :attr:`Snapshot.outside`.

    Args:
        project: as it is on the disk.
        repository: that it is in.
        entries: of the other side, by path.
        stand_ins: as for :class:`Mirror`.

    Raises:
        HistoryError: git fails.
        AssetdbError, OSError: the project cannot be read.
    """
    project.refresh()
    entries = with_submodules(repository, entries)
    outside: list[bytes] = []
    if not stand_ins:
        entries = _with_contents(project, repository, entries)
        outside = _links_out_of(project)
    if not entries and not outside:
        yield project
        return
    with _mirrored(project, repository, entries, outside, stand_ins=stand_ins) as (mirror, workspace):
        other = Snapshot(
            mirror.root,
            workspace.output.database,
            workspace.database,
            directories=workspace.complete_directories,
            diagnostics=lambda: workspace.diagnostics,
            listing=workspace.listing,
            losses=project.losses,
            untracked=Untracked(ignored=ignored_in(repository, entries)),
        )
        other.absent = tuple(map(os.fsdecode, mirror.absent))
        other.outside = tuple(map(os.fsdecode, mirror.outside))
        try:
            yield other
        finally:
            other.close()


def bytes_of_revision(project: Snapshot, revision: str, *, fetch: bool = False) -> bytes:
    """Return the database that a bake of a revision's checkout writes.

    Raises:
        HistoryError, AssetdbError, OSError: as :func:`open_revision`, and if git lacks files of the revision.
    """
    repository = Repository(project.root, fetch=fetch)
    project.refresh()
    entries = with_submodules(repository, entries_of(project, repository, revision))
    entries = _with_contents(project, repository, entries)
    outside = _links_out_of(project)
    if not entries and not outside:
        return project.database.contents()
    with _mirrored(project, repository, entries, outside) as (mirror, workspace):
        if mirror.absent:
            raise HistoryError(
                f"git has not all of {revision} in this clone ({len(mirror.absent):,} files, such as"
                f" {os.fsdecode(mirror.absent[0])}): {how_to_fetch(is_tried=fetch)}"
            )
        return workspace.contents()[0]


def _with_contents(project: Snapshot, repository: Repository, entries: Entries) -> Entries:
    """Add pointers on the disk with content in Git LFS."""
    pointers = [os.fsencode(item.path) for item in project.diagnostics() if item.code == "lfs-pointer"]
    if not pointers or not os.path.isdir(os.path.join(repository.folder, "lfs", "objects")):
        return entries
    index = repository.index()
    return {**{path: index[path] for path in pointers if path in index}, **entries}


@contextmanager
def _mirrored(
    project: Snapshot, repository: Repository, entries: Entries, outside: list[bytes], *, stand_ins: bool = False
) -> Iterator[tuple[Mirror, Workspace]]:
    """Yield a mirror and its workspace; ``outside``: links that it leaves out."""
    links = [*_links_of(project), *outside]
    with ExitStack() as stack:
        mirror = _made_mirror(stack, project, repository, entries, links, stand_ins=stand_ins)
        stack.callback(mirror.remove)
        files = os.path.realpath(tempfile.mkdtemp(prefix="assetdb-"))  # on the disk: they may be large
        stack.callback(shutil.rmtree, files, ignore_errors=True)
        with _workspace(project, mirror, os.path.join(files, ".files")) as workspace:
            yield mirror, workspace


def _made_mirror(
    stack: ExitStack,
    project: Snapshot,
    repository: Repository,
    entries: Entries,
    links: list[bytes],
    *,
    stand_ins: bool,
) -> Mirror:
    """Return a mirror in memory, or on the disk."""

    def make(above: str, most_bytes: int) -> Mirror:
        place = os.path.realpath(tempfile.mkdtemp(prefix="assetdb-", dir=above or None))
        stack.callback(shutil.rmtree, place, ignore_errors=True)
        root = os.path.join(place, os.path.basename(project.root) or "project")
        return Mirror(repository, root, entries, links, stand_ins=stand_ins, most_bytes=most_bytes)

    above = _memory_folder()
    if above:
        with suppress(OSError):  # full: many containers have little memory for files
            return make(above, _MOST_IN_MEMORY)
        stack.pop_all().close()  # removes what was made in memory
    return make("", 0)


def _memory_folder() -> str:
    """Return a folder in memory for links, or ``""``.

    A link takes 2 us there, and up to 250 us on a disk: a merge of unitystation needs 6,800 of them. ``""`` for users
    who chose a folder for temporary files: the links are made there.
    """
    if tempfile.gettempdir() != _USUAL or not os.access(_IN_MEMORY, os.W_OK | os.X_OK):
        return ""
    return _IN_MEMORY


@contextmanager
def _workspace(project: Snapshot, mirror: Mirror, folder: str) -> Iterator[Workspace]:
    """Open the workspace of a mirror, which goes on from the project's."""
    os.mkdir(folder, 0o700)
    for kept in (MEMO_NAME, NAMES_NAME):
        _link(project, folder, kept)  # also valid here for all unchanged files
    options = Options(as_before=True, read_only=True)
    known = Workspace(project.root, lambda: read_settings(project.root, project.folder), options)
    listing = project.listing()
    try:
        with Uncollected():
            if listing is None or not known.take(listing):
                known.refresh()
            known.packages = read_list(project.folder)
            other = known.mirrored(mirror.root, folder, _dirty(mirror))
    finally:
        known.close()
    try:
        if are_same(mirror.root, known.packages.stamps):
            _link(project, folder, PACKAGES_FOLDER)
        else:
            other.read_packages()
        yield other
    finally:
        other.close()


def _links_of(project: Snapshot) -> list[bytes]:
    """Return links to folders of the project under their own paths."""
    listing = project.listing()
    if listing is None or asset_roots(project.root) != ASSET_ROOTS:
        return []
    rows = listing.directories.values()
    return [row.path + b"/" + name for row in rows if row.links for name in row.links.split(b"/")]


def _links_out_of(project: Snapshot) -> list[bytes]:
    """Return links out of the project, relative to it.

    An unchanged folder is one link in a mirror, and would lead through them to today's files.
    """
    listing = project.listing()
    rows = listing.directories.values() if listing is not None else ()
    folders = [*MARKERS, *(os.fsdecode(row.path) for row in rows if row.identity == RACY)]  # a folder with links has it
    found = []
    for folder in dict.fromkeys(relative_file(project.root, folder) for folder in folders):
        try:
            with os.scandir(os.path.join(project.root, folder)) as entries:
                names = [entry.name for entry in entries if entry.is_symlink()]
        except OSError as error:
            excuse(folder, error)
            continue
        paths = [f"{folder}/{name}" if folder else name for name in names]
        found += [path for path in paths if link_out(os.path.join(project.root, path), project.root)]
    return [os.fsencode(path) for path in found]


def _dirty(mirror: Mirror) -> list[bytes]:
    """Return the folders of a mirror that are to be scanned."""
    roots = asset_roots(mirror.root)
    if roots == ASSET_ROOTS:
        return mirror.folders
    above = os.fsencode(roots[0])  # the repository is a package
    return [above, *(above + b"/" + folder for folder in mirror.folders)]


def _link(project: Snapshot, folder: str, name: str) -> None:
    """Link an output file into another folder; writing replaces the link.

    The memo is linked also before it exists: it may be written later.
    """
    kept = os.path.join(project.folder, name)
    if name != MEMO_NAME and not os.path.exists(kept):
        return
    if os.name != "nt" and is_symlinked(os.fsencode(os.path.abspath(kept)), os.fsencode(os.path.join(folder, name))):
        return
    if os.path.isdir(kept):
        shutil.copytree(kept, os.path.join(folder, name))
    elif os.path.exists(kept):
        shutil.copyfile(kept, os.path.join(folder, name))
