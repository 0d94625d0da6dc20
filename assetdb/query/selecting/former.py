"""Assets that git knows: by path or name, also of deleted ones."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from assetdb.history.life import former_guid, former_paths
from assetdb.query.selecting.selector import Unmatched, find_subject
from assetdb.settings.project import ASSET_ROOTS
from assetdb_formats.files import relative_path

if TYPE_CHECKING:
    from assetdb.history.git.repository import Repository
    from assetdb.query.snapshots.snapshot import Snapshot


class Known(NamedTuple):
    """An asset by its GUID, with its last path, ``""`` if unknown."""

    guid: str
    path: str


def find_known(query: str, project: Snapshot, repository: Repository, cwd: str) -> Known | Unmatched:
    """Return the asset that a query means, or meant in git.

    Raises:
        HistoryError: there is no repository, or no git.
    """
    subject = find_subject(query, project, cwd)
    if not isinstance(subject, Unmatched):
        return Known(subject.guid, subject.path or subject.folder or _path_of(subject.guid, project))
    if subject.ambiguous:
        return subject
    typed = _typed_path(query, project.root, cwd)
    guid = former_guid(repository, typed) if typed else ""
    if not guid:
        former = former_paths(repository, query)
        if len(former) > 1:
            return Unmatched(query, former, ambiguous=True)
        typed = "".join(former)
        guid = former_guid(repository, typed) if typed else ""
    return Known(guid, _path_of(guid, project) or typed) if guid else subject  # it may have moved on from there


def _typed_path(query: str, root: str, cwd: str) -> str:
    """Return a typed path from the project on, or ``""``."""
    here = relative_path(os.path.abspath(os.path.join(cwd, query)), root)
    paths = (path.replace(os.sep, "/") for path in (here, os.path.normpath(query)))
    return next((path for path in paths if path.partition("/")[0] in ASSET_ROOTS), "")


def _path_of(guid: str, project: Snapshot) -> str:
    """Return where a GUID is, or was last, or ``""``."""
    location = project.resolver.locate(guid)
    if location is not None and location.path:
        return location.path
    held = project.losses.held(guid)
    return held.path if held is not None else ""
