"""The package that a project's own folder is, too.

Unity reads ``Assets`` and ``Packages`` of a project alone. Installed as a package, the repository has all folders that
have a meta: the other root is a mirror (:mod:`assetdb.system.mirrors`) of such folders.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from assetdb.history.git.mirror import Mirror
from assetdb.history.git.submodules import with_submodules
from assetdb.query.snapshots.snapshot import open_project
from assetdb.settings.project import META, SETTINGS_FOLDERS, package_name
from assetdb.system.mirrors import announce, forget

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assetdb.history.git.entries import Entries
    from assetdb.history.git.repository import Repository
    from assetdb.query.snapshots.snapshot import Snapshot

_PACKAGE = "package.json"


@contextmanager
def open_package_of(root: str) -> Iterator[Snapshot | None]:
    """Open the package of a project's folder.

    None without a name, or where the system refuses links.

    Raises:
        AssetdbError, OSError: it cannot be read.
    """
    with _place_of(root) as view:
        try:
            os.mkdir(view, 0o700)
            is_linked = _link(os.path.realpath(root), view)
            announce(view, root)
            with _opened(view if is_linked else "") as package:
                yield package
        finally:
            forget(view)


@contextmanager
def open_package_at(repository: Repository, entries: Entries) -> Iterator[Snapshot | None]:
    """Open the package of a project's folder with other files in it.

    Args:
        repository: of the project, whose folder it is.
        entries: of the other side, by path; None if absent.

    Raises:
        HistoryError: git fails.
        AssetdbError, OSError: it cannot be read.
    """
    entries = with_submodules(repository, entries)
    on_disk = {os.fsencode(name) for name in os.listdir(repository.root)}
    deleted = {path for path, entry in entries.items() if entry is None}
    there = {path.partition(b"/")[0] for path, entry in entries.items() if entry is not None}
    kept = {os.fsencode(name) for name in _of_package(map(os.fsdecode, (on_disk - deleted) | there))}
    side: Entries = {path: entry for path, entry in entries.items() if path.partition(b"/")[0] in kept}
    side.update(dict.fromkeys(on_disk - kept))
    with _place_of(repository.root) as view:
        mirror = Mirror(repository, view, side, stand_ins=True, is_project=False)
        try:
            with _opened(view) as package:
                yield package
        finally:
            mirror.remove()


@contextmanager
def _place_of(root: str) -> Iterator[str]:
    """Yield a path for a folder, which is removed at the end."""
    place = os.path.realpath(tempfile.mkdtemp(prefix="assetdb-"))
    try:
        yield os.path.join(place, os.path.basename(root) or "package")
    finally:
        shutil.rmtree(place, ignore_errors=True)  # links are removed, never entered


@contextmanager
def _opened(view: str) -> Iterator[Snapshot | None]:
    """Open a folder with a package, or None."""
    if not view or not package_name(view):
        yield None
        return
    with closing(open_project(view, os.path.join(os.path.dirname(view), ".files"))) as package:
        yield package


def _link(root: str, view: str) -> bool:
    """Link a package's assets into a folder, if the system allows that."""
    for name in _of_package(os.listdir(root)):
        source = os.path.join(root, name)
        try:
            os.symlink(source, os.path.join(view, name), target_is_directory=os.path.isdir(source))
        except OSError:
            if os.name == "nt":  # a privilege there
                return False
            raise
    return True


def _of_package(listed: Iterable[str]) -> list[str]:
    """Return those names in a folder that are assets with metas."""
    names = {name for name in listed if name.removesuffix(META) not in SETTINGS_FOLDERS}
    return sorted(name for name in names if f"{name}{META}" in names or name.removesuffix(META) in names - {name})
