"""Unread files that an answer rests on.

Every answer that could be longer, were these files readable, says how many there are: ``unread_files`` in JSON, a note
elsewhere. Which files count for which answer is decided here.
"""

from __future__ import annotations

from assetdb.settings.project import asset_file
from assetdb.settings.user import refused_link
from assetdb.store.indexes.supplement import Unread
from assetdb.unity.kinds import extension_of

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator
    from typing import Final

    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.store.entry import Asset

UNREAD_FILES: Final = "unread_files"
"""The field of an answer that counts them."""

KINDS: Final = {
    "lfs-pointer": "LFS pointers",
    "empty-asset": "empty files",
    "absent": "metas without their file",
    "unread-format": "models in formats that are not read",
    "unreadable": "unreadable files",
    "too-large": "files that are too large",
    "link-out": "links out of the project",
    "not-a-file": "pipes and devices",
    "no-guid": "metas without a GUID",
    "encoded-guid": "metas with an encoded GUID",
    "missing-meta": "assets without a meta",
}
"""Why files could not be read, by the code of the diagnostic, for a list that counts them."""

_SHOWN: Final = 3
_TEXTS: Final = {
    "lfs-pointer": "is a Git LFS pointer, so its references are not known: run `git lfs pull`",
    "empty-asset": "is empty, so its references are not known",
    "absent": "is not there, so its references are not known",
    "unreadable": "cannot be read, so its references are not known",
    "too-large": "is too large to be read, so its references are not known",
    "not-a-file": "is no regular file, so its references are not known",
    "link-out": "is a link out of the project, so its content is not shown",
}


def unread_text(code: str) -> str:
    """Return a note on an unreadable file, to follow its path."""
    return _TEXTS.get(code, code)


def why_unread(path: str, project: Snapshot) -> str:
    """Return the code of an unreadable file, ``""`` for others."""
    return next((item.code for item in project.unread if item.path == path), "")


def of_whole(project: Snapshot) -> tuple[Unread, ...]:
    """Return the unread files of the whole project.

    What refers to an asset, which chains lead to it, and which names there are.
    """
    return project.unread


def links_out(project: Snapshot, assets: Iterable[Asset]) -> Iterator[Unread]:
    """Yield assets that are links out of the project."""
    from assetdb.resolve.sizes import LINK_OUT  # noqa: PLC0415 - only where contents are searched

    for asset in assets:
        if refused_link(asset_file(project.root, asset.path), project.root):
            yield Unread(asset.path, LINK_OUT)


def besides(project: Snapshot, removed: Collection[str]) -> list[Unread]:
    """Return the unread files but those at or below some paths."""
    below = tuple(f"{path}/" for path in removed)
    return [
        item
        for item in project.unread
        if item.path.removesuffix(".meta") not in removed and not item.path.startswith(below)
    ]


def unseen_note(unread: Iterable[Unread]) -> str:
    """Return a note on unreadable files before a removal, or ``""``.

    What git or LFS has not fetched is no reason to keep an asset; what the system refuses to show may be.
    """
    from assetdb.resolve.sizes import UNREADABLE  # noqa: PLC0415 - only before something is removed

    unseen = [item.path for item in unread if item.code == UNREADABLE]
    if not unseen:
        return ""
    subject = "a file or folder" if len(unseen) == 1 else f"{len(unseen):,} files or folders"
    return (
        f"{subject} that cannot be read may refer to it: {', '.join(unseen[:_SHOWN])}{' ...' * (len(unseen) > _SHOWN)}"
    )


def of_assets(paths: Collection[str], folder: str, project: Snapshot) -> list[Unread]:
    """Return the unread files among assets by path, and below a folder."""
    below = f"{folder}/" if folder else None
    return [
        item
        for item in project.unread
        if item.path.removesuffix(".meta") in paths or (below is not None and item.path.startswith(below))
    ]


def of_kinds(project: Snapshot, extensions: Collection[str]) -> list[Unread]:
    """Return the unread files with some extensions."""
    return [item for item in project.unread if extension_of(item.path) in extensions]


def of_selection(project: Snapshot, inside: Callable[[str], bool]) -> list[Unread]:
    """Return the unread files that a check of some paths rests on."""
    return [item for item in project.unread if inside(item.path)]


def of_nested(reasons: Iterable[tuple[str, str]]) -> list[Unread]:
    """Return the unread files among nested assets, by path and reason."""
    return sorted({Unread(path, reason) for path, reason in reasons if reason in KINDS})


def unread_fields(files: Collection[Unread]) -> dict[str, object]:
    """Return the JSON field of an answer, none without unread files."""
    return {UNREAD_FILES: len(files)} if files else {}
