"""Metas without an asset: removed, or kept where the asset moved."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from assetdb.checks.counting import listed
from assetdb.checks.findings.codes import MISSING, NO_FOLDER, ORPHAN
from assetdb.checks.mending.draft import Draft
from assetdb.checks.mending.paths import hidden_part
from assetdb.errors import MendingError
from assetdb.history.moved_files import blob_name, committed_blobs, has_repository, ignored, tracked
from assetdb.settings.project import META, asset_file, relative_file
from assetdb.system.reading import read_file
from assetdb.unity.kinds import extension_of
from assetdb.unity.metas.meta import read_meta
from assetdb_formats.files import words_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from assetdb.checks.mending.guids.search import GuidHolders
    from assetdb.query.snapshots.snapshot import Snapshot


class Strays:
    """Metas without an asset and assets without a meta, matched where moved."""

    def __init__(
        self,
        draft: Draft,
        orphans: dict[str, str],
        missing: Sequence[str],
        folders: Sequence[str] = (),
        restored: Collection[str] = (),
    ) -> None:
        """Take orphaned metas with GUIDs (or ``""``), and paths without metas.

        ``folders`` are the metas of missing folders, ``restored`` the GUIDs of metas that the plan restores.
        """
        self._draft = draft
        self._orphans = orphans
        self._missing = missing
        self._folders = folders
        self._restored = restored
        self._claims: dict[str, str] = {}
        self._claimed_by: dict[str, str] = {}
        self._in_git = bool(orphans) and has_repository(draft.root)
        self._match()

    def claimed(self, path: str) -> str:
        """Return why a path gets no new meta (an orphan is its)."""
        meta = self._claims.get(path, "")
        return f"{meta} has no asset and may be its meta: rename it to {path}{META} to keep its GUID" if meta else ""

    def _match(self) -> None:
        """Find the former metas by content, name, or as the only one."""
        blobs = self._committed()
        if blobs:
            self._claim(blobs, self._content_of)
        assets = {meta: meta.removesuffix(META) for meta, guid in self._orphans.items() if guid not in self._restored}
        self._claim({meta: _name(asset) for meta, asset in assets.items()}, _name)
        self._claim({meta: _kin(asset) for meta, asset in assets.items()}, _kin)
        if self._folders:
            moved = [path for path in self._missing if self._brought_metas(path)]
            for key_of in (_name, _above):
                self._claim({meta: key_of(meta.removesuffix(META)) for meta in self._folders}, key_of, moved)

    def _brought_metas(self, path: str) -> bool:
        """Whether a folder was moved with its files' metas, without its own."""
        place = asset_file(self._draft.root, path)
        if os.path.islink(place) or not os.path.isdir(place):
            return False
        try:
            return any(name.endswith(META) for name in os.listdir(place))
        except OSError:  # it cannot be ruled out
            return True

    def _claim(self, keys: dict[str, str], key_of: Callable[[str], str], missing: Sequence[str] | None = None) -> None:
        """Give each path (by default of all) a meta with its key."""
        left: dict[str, list[str]] = {}
        for meta, key in keys.items():
            if meta not in self._claimed_by:
                left.setdefault(key, []).append(meta)
        for path in self._missing if missing is None else missing:
            if path in self._claims or not left:
                continue
            metas = left.get(key_of(path), [])
            if metas:
                meta = metas.pop(0)
                self._claims[path] = meta
                self._claimed_by[meta] = path

    def _committed(self) -> dict[str, str]:
        """Return by meta the blob of its asset's last commit."""
        if not self._in_git or not self._missing:
            return {}
        root = self._draft.root
        files = {
            relative_file(root, meta.removesuffix(META)): meta
            for meta, guid in self._orphans.items()
            if guid not in self._restored
        }
        return {files[path]: name for path, name in committed_blobs(root, sorted(files)).items() if path in files}

    def _content_of(self, path: str) -> str:
        data = read_file(asset_file(self._draft.root, path))
        return blob_name(data) if data is not None else ""

    def remove_orphans(self, asked: Mapping[str, str], found: GuidHolders, used_outside: Callable[[str], str]) -> None:
        """Remove orphans without an asset anywhere; propose the others."""
        there = {meta: guid for meta, guid in asked.items() if self._draft.has_content(meta)}
        reasons = {meta: self._reason(meta, guid, found, used_outside) for meta, guid in there.items()}
        files = {
            relative_file(self._draft.root, asset): meta
            for meta, reason in reasons.items()
            if not (reason or hidden_part(asset := meta.removesuffix(META)))
        }
        if self._in_git and files:
            kept = tracked(self._draft.root, list(files))
            hidden = ignored(self._draft.root, list(files))
            for file, meta in files.items():
                if kept is None:
                    reasons[meta] = "git cannot tell whether it has its asset"
                elif file in kept:
                    reasons[meta] = "git still has its asset: restore that, or remove both (git rm)"
                elif file in hidden:
                    reasons[meta] = "git ignores its asset, which may be made by a tool on other machines"
        for meta, reason in reasons.items():
            if reason:
                self._draft.propose(ORPHAN, meta, f"it is not removed: {reason}")
                continue
            try:
                self._draft.write(meta, None)
            except (MendingError, OSError) as error:
                self._draft.propose(ORPHAN, meta, words_of(error))
            else:
                self._draft.mend(ORPHAN, meta, "removed: it has no asset, and nothing refers to it")

    def _reason(self, meta: str, guid: str, found: GuidHolders, used_outside: Callable[[str], str]) -> str:
        data = self._draft.read(meta) or b""
        if b"fileFormatVersion:" not in data[:64]:
            return "it is not a meta of Unity"
        if meta in self._claimed_by:
            return f"it may be the meta of {self._claimed_by[meta]}, which has none"
        if not guid or guid in self._restored:
            return ""
        owners = [path for path in found.owners(guid) if path not in self._orphans and not hidden_part(path)]
        if owners:
            return ""  # a copy of a meta with an asset: references mean that
        referrers = [path for path in found.referrers(guid) if path != meta]
        if referrers:
            return f"{listed(referrers)} refers to it: restore the asset"
        doubtful = [path for path in found.doubtful(guid) if path != meta]
        if doubtful:
            codes = {found.unread[path] for path in doubtful if path in found.unread}
            why = f" ({', '.join(sorted(codes))})" if codes else ""
            return f"{listed(doubtful)} may refer to it{why}"
        return used_outside(guid)


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _above(path: str) -> str:
    return path.rpartition("/")[0]


def _kin(path: str) -> str:
    """Return the folder and kind of a file."""
    return f"{_above(path)}/*.{extension_of(path)}"


# --- of a project


def orphan_guids(project: Snapshot) -> dict[str, str]:
    """Return the GUIDs of orphaned metas, ``""`` for one without."""
    return with_guids(Draft(project.root), ORPHAN, _of_project(project, ORPHAN))


def strays_of(
    project: Snapshot, draft: Draft, orphans: dict[str, str], paths: Sequence[str], restored: Collection[str] = ()
) -> Strays:
    """Return all orphans of a project, and all paths without metas.

    Args:
        project: as it is.
        draft: the plan so far; assets that get a meta from it are excluded.
        orphans: see :func:`orphan_guids`.
        paths: some that have no meta.
        restored: GUIDs of metas that the plan restores.
    """
    missing = [path for path in sorted({*paths, *_of_project(project, MISSING)}) if not draft.has_content(path + META)]
    return Strays(draft, orphans, missing, _of_project(project, NO_FOLDER), restored)


def _of_project(project: Snapshot, code: str) -> list[str]:
    """Return all paths of a project with a code, whatever is selected."""
    return sorted({item.path.rstrip("/") for item in project.diagnostics() if item.code == code})


def with_guids(draft: Draft, code: str, metas: Iterable[str]) -> dict[str, str]:
    """Return the GUID of each meta, or ``""``; propose unreadable ones."""
    found = {}
    for meta in metas:
        try:
            data = draft.read(meta)
        except (MendingError, OSError) as error:
            draft.propose(code, meta.removesuffix(META), words_of(error))
            continue
        if data is None:  # fixed since, or its name is not UTF-8
            draft.propose(code, meta.removesuffix(META), "its meta no longer exists under this name")
            continue
        guid, facts, _ = read_meta(data)
        if facts.conflict:
            draft.propose(code, meta.removesuffix(META), "its meta has conflict markers: resolve the merge first")
        elif guid or code == ORPHAN:
            found[meta] = guid.decode()
    return found
