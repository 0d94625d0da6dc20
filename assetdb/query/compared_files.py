"""Differences of two versions of one text asset, each a file.

For files that are in no commit, and for ``git difftool``, which writes the older version to a temporary folder.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from assetdb.contents.differences import CHANGED
from assetdb.errors import FileError
from assetdb.query.differences import AssetChange, NamedObject, ReferenceChange, named_object, named_objects
from assetdb.resolve.sizes import LARGEST, is_too_large
from assetdb.system.reading import read_file
from assetdb.unity.yaml.objects import TextObjects

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.query.graph.relations import AssetInfo
    from assetdb.query.snapshots.snapshot import Snapshot

NO_FILE: Final = ("/dev/null", os.devnull)
"""Paths of a file that does not exist on one side."""
_OLD, _NEW = "older file", "newer file"  # in place of GUIDs


class ComparedFiles:
    """Two text assets of Unity, with the names of a project.

    It has the attributes of :class:`assetdb.query.differences.Comparison` that are printed.
    """

    def __init__(self, project: Snapshot, old: str, new: str) -> None:
        """Read two files.

        Args:
            project: names what they refer to.
            old: path of the older version, or one of :data:`NO_FILE`.
            new: path of the newer version.

        Raises:
            FileError: one cannot be read, or is no text asset.
            ScanError: whether one can be read cannot be determined now.
        """
        self._project = project
        self._old, self._new = _objects(old), _objects(new)
        project.resolver.add_content(_OLD, self._old, old.replace("\\", "/"))
        project.resolver.add_content(_NEW, self._new, new.replace("\\", "/"))
        self._change = AssetChange(CHANGED, new, "", "", old, file=True)
        self.assets = [self._change] if next(self.objects(self._change), None) is not None else []
        self.references: list[ReferenceChange] = []
        self.reached: list[AssetInfo] = []
        self.absent: tuple[str, ...] = ()

    def objects(self, change: AssetChange) -> Iterator[NamedObject]:
        """Yield the objects that differ."""
        old, new = (self._project.resolver, _OLD), (self._project.resolver, _NEW)
        return named_objects(self._old, self._new, lambda item: named_object(item, old, new, change.path))


def _objects(path: str) -> TextObjects:
    if path in NO_FILE:
        return TextObjects(b"")
    if is_too_large(path):
        raise FileError(f"{path}: larger than {LARGEST >> 20} MiB, too large to be compared")
    data = read_file(path)
    if data is None:
        raise FileError(f"{path}: cannot be read")
    found = TextObjects(data)
    if found.kind not in ("yaml", "empty"):
        raise FileError(f"{path}: not a text asset of Unity: only those are compared object by object")
    return found
