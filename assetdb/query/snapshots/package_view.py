"""The package that a project's own folder is, too.

Unity reads ``Assets`` and ``Packages`` of a project alone. Installed as a package, the repository has all folders that
have a meta: the other root is a mirror (:mod:`assetdb.system.mirrors`) of these.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from assetdb.query.snapshots.snapshot import open_project
from assetdb.settings.project import META, SETTINGS_FOLDERS, is_part, package_name
from assetdb.system.mirrors import announce, forget

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.query.snapshots.snapshot import Snapshot

_PACKAGE = "package.json"


def is_package_too(root: str) -> bool:
    """Whether the folder of a project is also a package.

    A ``package.json`` without a meta is npm's, of a tool of the repository.
    """
    return os.path.isfile(os.path.join(root, _PACKAGE + META)) and not package_name(root) and not is_part(root)


@contextmanager
def open_package_of(root: str) -> Iterator[Snapshot | None]:
    """Open the package of a project's folder.

    None without a name, or where the system refuses links.

    Raises:
        AssetdbError, OSError: it cannot be read.
    """
    place = os.path.realpath(tempfile.mkdtemp(prefix="assetdb-"))
    view = os.path.join(place, os.path.basename(root) or "package")
    try:
        os.mkdir(view, 0o700)
        is_linked = _link(os.path.realpath(root), view)
        announce(view, root)
        if not is_linked or not package_name(view):
            yield None
            return
        with closing(open_project(view, os.path.join(place, ".files"))) as package:
            yield package
    finally:
        forget(view)
        shutil.rmtree(place, ignore_errors=True)  # links are removed, never entered


def _link(root: str, view: str) -> bool:
    """Link a package's assets into a folder, if the system allows that."""
    for name in _names(root):
        source = os.path.join(root, name)
        try:
            os.symlink(source, os.path.join(view, name), target_is_directory=os.path.isdir(source))
        except OSError:
            if os.name == "nt":  # a privilege there
                return False
            raise
    return True


def _names(root: str) -> list[str]:
    """Return the assets of a package in a folder, with their metas."""
    names = {name for name in os.listdir(root) if name.removesuffix(META) not in SETTINGS_FOLDERS}
    return sorted(name for name in names if f"{name}{META}" in names or name.removesuffix(META) in names - {name})
