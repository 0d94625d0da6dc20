"""Moves and deletions of files, with their metas and users."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from assetdb.checks.counting import counted
from assetdb.errors import AssetdbError
from assetdb.lsp.projects import path_in, project_of
from assetdb.lsp.protocol.structures import ChangeAnnotation, DeleteFiles, FileOperation, RenameFiles, WorkspaceEdit
from assetdb.lsp.protocol.uris import path_of, uri_of
from assetdb.query.completeness import besides, unseen_note
from assetdb.query.graph.users import users_of
from assetdb.settings.project import ASSET_ROOTS, META, asset_prefix

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb.lsp.workers import Lane

_LABEL: Final = "metas"
_SHOWN: Final = 5


def metas_to_rename(params: RenameFiles, *, labelled: bool) -> WorkspaceEdit | None:
    """Return the edit that moves metas along, overwriting none, or None."""
    moved = {path_of(file.old_uri) for file in params.files}
    operations = []
    for file in params.files:
        meta = _meta_of(path_of(file.old_uri))
        target = path_of(file.new_uri) + META
        if meta and meta not in moved and target != META and not os.path.lexists(target):
            operations.append(FileOperation("rename", uri_of(meta), uri_of(target)))
    return _edit(operations, "Move metas along", labelled=labelled)


def metas_to_delete(params: DeleteFiles, *, labelled: bool) -> WorkspaceEdit | None:
    """Return the edit that deletes metas along, or None."""
    gone = {path_of(file.uri) for file in params.files}
    metas = [meta for path in sorted(gone) if (meta := _meta_of(path)) and meta not in gone]
    return _edit([FileOperation("delete", uri=uri_of(meta)) for meta in metas], "Delete metas along", labelled=labelled)


class Offer(NamedTuple):
    """A message on metas left behind, an action, and its edit."""

    message: str
    action: str
    edit: WorkspaceEdit


def left_by_renaming(params: RenameFiles, *, labelled: bool) -> Offer | None:
    """Return an offer to move metas that files left behind."""
    moved = [file for file in params.files if _is_gone(file.old_uri) and not _is_gone(file.new_uri)]
    edit = metas_to_rename(RenameFiles(moved), labelled=labelled)
    if edit is None:
        return None
    names = [str(each.new_uri) for each in edit.document_changes or ()]
    what, their = _subject(names, "was moved", "were moved")
    message = f"{what} without {their}: Unity would write another GUID, and what refers to the old one would lose it."
    return Offer(message, "Move the Meta" if len(names) == 1 else "Move the Metas", edit)


def left_by_deleting(params: DeleteFiles, *, labelled: bool) -> Offer | None:
    """Return an offer to delete metas that files left behind."""
    gone = [file for file in params.files if _is_gone(file.uri)]
    edit = metas_to_delete(DeleteFiles(gone), labelled=labelled)
    if edit is None:
        return None
    names = [str(each.uri) for each in edit.document_changes or ()]
    what, their = _subject(names, "was deleted", "were deleted")
    return Offer(f"{what} without {their}.", "Delete the Meta" if len(names) == 1 else "Delete the Metas", edit)


def _is_gone(uri: str) -> bool:
    path = path_of(uri)
    return not path or not os.path.lexists(path)


def _subject(metas: list[str], one: str, more: str) -> tuple[str, str]:
    """Return the subject for the assets of metas, and the object."""
    if len(metas) > 1:
        return f"{len(metas):,} files {more}", "their metas"
    return f"{os.path.basename(path_of(metas[0])).removesuffix(META)} {one}", "its meta"


def _edit(operations: list[FileOperation], label: str, *, labelled: bool) -> WorkspaceEdit | None:
    """Return an edit with a label, where the client shows labels."""
    if not operations:
        return None
    if not labelled:
        return WorkspaceEdit(operations)
    named = [msgspec.structs.replace(each, annotation_id=_LABEL) for each in operations]
    return WorkspaceEdit(named, {_LABEL: ChangeAnnotation(f"{label} (assetdb)")})


def warning_of_users(params: DeleteFiles, lane: Lane, tell: Callable[[str], None]) -> str:
    """Return a warning of users of deleted assets, or ``""``.

    It says what could not be read; ``tell`` is called with that where no user is known, since files that git or LFS has
    not fetched are no reason to interrupt.
    """
    gone = [path_of(file.uri) for file in params.files]
    paths = [path for place in gone if not place.endswith(META) and (path := _in_assets(lane.root, place))]
    if not paths:
        return ""
    try:
        project = lane.engine.snapshot()
        users = sorted({user.path for user in users_of(project, paths)})
        left = besides(project, paths)
        unread, unseen = len(left), unseen_note(left)
    except (AssetdbError, OSError) as error:  # metas are deleted all the same
        return f"References to the deleted files are not known: {error}"
    their = "it" if len(paths) == 1 else "them"
    note = f"{counted(unread, 'file')} could not be read, and may refer to {their} as well" if unread else ""
    if not users:
        if note:
            tell(note)
        return f"{unseen[0].upper()}{unseen[1:]}." if unseen else ""
    what = os.path.basename(paths[0]) if len(paths) == 1 else f"the {len(paths)} deleted files"
    more = f" and {len(users) - _SHOWN:,} more" if len(users) > _SHOWN else ""
    refer = "1 file refers" if len(users) == 1 else f"{len(users):,} files refer"
    known = f"{refer} to {what}: {', '.join(users[:_SHOWN])}{more}."
    return " ".join([known, *([f"{note}."] if note else ()), "Undo brings it back with its meta."])


def _meta_of(path: str) -> str:
    """Return the meta of an asset or folder, or ``""``."""
    meta = path + META
    if not path or path.endswith(META) or not os.path.isfile(meta):
        return ""
    return meta if _in_assets(project_of(path), path) else ""


def _in_assets(root: str, path: str) -> str:
    """Return an asset's path in its project or package, or ``""``."""
    inside = path_in(root, path) if root else ""
    found = asset_prefix(root) + inside if inside else ""
    return found if found.startswith(tuple(f"{top}/" for top in ASSET_ROOTS)) else ""
