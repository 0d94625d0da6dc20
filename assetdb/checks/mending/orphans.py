"""Metas whose asset is not there: removed where it is nowhere and nobody refers to it, kept where it only went."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.checks.mending.codes import ORPHAN
from assetdb.checks.mending.paths import META, extension_of, hidden_part, listed, relative_file
from assetdb.errors import MendingError
from assetdb.history.whereabouts import blob_name, committed_blobs, has_repository, is_ignored, tracked
from assetdb.project import asset_file
from assetdb.system.reading import read_file

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from assetdb.checks.mending.draft import Draft
    from assetdb.checks.mending.search import Found


class Strays:
    """Metas without an asset, and assets without a meta: some belong together, moved by a tool that left the meta."""

    def __init__(self, draft: Draft, orphans: dict[str, str], missing: Sequence[str]) -> None:
        """Take the metas that stand alone with their GUIDs (``""``: none), and the paths that have no meta."""
        self._draft = draft
        self._orphans = orphans
        self._missing = missing
        self._claims: dict[str, str] = {}
        self._claimed_by: dict[str, str] = {}
        self._in_git = bool(orphans) and has_repository(draft.root)
        self._match()

    def claimed(self, path: str) -> str:
        """Return why a path gets no new meta: there is one that is probably its own; ``""`` where there is none."""
        meta = self._claims.get(path, "")
        return f"{meta} stands alone and may be its meta: rename it to {path}{META} to keep its GUID" if meta else ""

    def _match(self) -> None:
        """Find for each asset without a meta the one that it may have had, by content, by name, or as the only one."""
        left = list(self._orphans)
        blobs = self._committed()
        for same in (self._same_content(blobs), _same_name, _same_folder):
            for path in self._missing:
                if path not in self._claims:
                    fitting = [meta for meta in left if same(path, meta.removesuffix(META))]
                    if fitting:
                        self._claims[path] = fitting[0]
                        self._claimed_by[fitting[0]] = path
                        left.remove(fitting[0])

    def _committed(self) -> dict[str, str]:
        if not self._in_git or not self._missing:
            return {}
        root = self._draft.root
        files = {relative_file(root, meta.removesuffix(META)): meta for meta in self._orphans}
        return {files[path]: name for path, name in committed_blobs(root, sorted(files)).items() if path in files}

    def _same_content(self, blobs: dict[str, str]) -> Callable[[str, str], bool]:
        names: dict[str, str] = {}

        def same(path: str, asset: str) -> bool:
            wanted = blobs.get(asset + META)
            if wanted is None:
                return False
            if path not in names:
                data = read_file(asset_file(self._draft.root, path))
                names[path] = blob_name(data) if data is not None else ""
            return names[path] == wanted

        return same

    def remove_orphans(self, found: Found, used_outside: Callable[[str], bool]) -> None:
        """Remove the metas whose asset is nowhere, and propose the others."""
        root = self._draft.root
        files = {meta: relative_file(root, meta.removesuffix(META)) for meta in self._orphans}
        kept = (tracked(root, sorted(files.values())) if self._in_git else set()) or set()
        for meta, guid in self._orphans.items():
            reason = self._reason(meta, guid, found, used_outside)
            if not reason and files[meta] in kept:
                reason = "git still has its asset: restore that, or remove both (git rm)"
            if not reason and self._in_git and is_ignored(root, files[meta]):
                reason = "git ignores its asset, which may be made by a tool on other machines"
            if reason:
                self._draft.propose(ORPHAN, meta, f"it is not removed: {reason}")
                continue
            try:
                self._draft.write(meta, None)
            except (MendingError, OSError) as error:
                self._draft.propose(ORPHAN, meta, str(error))
            else:
                self._draft.mend(ORPHAN, meta, "removed: its asset is nowhere, and nothing refers to it")

    def _reason(self, meta: str, guid: str, found: Found, used_outside: Callable[[str], bool]) -> str:
        data = self._draft.read(meta) or b""
        if b"fileFormatVersion:" not in data[:64]:
            return "it is no meta of Unity's"
        if meta in self._claimed_by:
            return f"it may be the meta of {self._claimed_by[meta]}, which has none"
        if not guid:
            return ""
        owners = [path for path in found.owners(guid) if path not in self._orphans and not hidden_part(path)]
        if owners:
            return ""  # a copy of one that has its asset: who refers to it means that
        referrers = [path for path in found.referrers(guid) if path != meta]
        if referrers:
            return f"{listed(referrers)} refers to it: restore the asset"
        doubtful = [path for path in found.doubtful(guid) if path != meta]
        if doubtful:
            codes = {found.unread[path] for path in doubtful if path in found.unread}
            why = f" ({', '.join(sorted(codes))})" if codes else ""
            return f"{listed(doubtful)} may refer to it{why}"
        return "a package outside the project refers to it" if used_outside(guid) else ""


def _same_name(path: str, asset: str) -> bool:
    return path.rpartition("/")[2] == asset.rpartition("/")[2]


def _same_folder(path: str, asset: str) -> bool:
    return path.rpartition("/")[0] == asset.rpartition("/")[0] and extension_of(path) == extension_of(asset)
