"""Missing metas, restored from git or written anew.

No referenced GUID is lost.
"""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING, Final

from assetdb.checks.counting import listed
from assetdb.checks.findings.codes import DUPLICATE, MISSING
from assetdb.checks.mending.guids.rewriting import rewritten
from assetdb.checks.mending.guids.unowned import may_be_of, unowned_guids
from assetdb.checks.mending.metas import MetaMaker
from assetdb.checks.placeholder_guids import is_placeholder
from assetdb.errors import HistoryError, MendingError
from assetdb.history.former_metas import FormerMetas
from assetdb.history.git.questions import folder_with_git
from assetdb.history.moved_files import blob_name, ignored
from assetdb.query.graph.references import AssetGraph, settings_files
from assetdb.resolve.resolver import MISSING_ASSET
from assetdb.settings.project import META, asset_file, asset_prefix, relative_file
from assetdb.system.reading import read_file
from assetdb.unity.kinds import OTHER, extension_of, kind_of
from assetdb.unity.metas.meta import read_meta
from assetdb.unity.referring.references import digit_runs
from assetdb_formats.files import words_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from assetdb.checks.mending.draft import Draft
    from assetdb.checks.mending.guids.unowned import Unowned
    from assetdb.history.former_metas import Former
    from assetdb.query.snapshots.snapshot import Snapshot

_SURE: Final = 90  # similarity of a moved file in percent; unrelated materials have 60 to 80
_LIKELY: Final = 50  # similarity in percent if the name is unchanged


class MetaRestorer:
    """Restores metas and GUIDs that git has, and writes new metas."""

    def __init__(self, draft: Draft, project: Snapshot, *, anew: bool = False) -> None:
        """Take plan and project; with ``anew`` ignore former metas."""
        self._draft = draft
        self._project = project
        self._anew = anew
        self._maker = MetaMaker(draft, project)
        self._left: list[str] = []
        self._unowned: list[Unowned] | None = None
        self._failure = ""  # why git cannot answer

    @cached_property
    def _former(self) -> FormerMetas | None:
        try:
            return FormerMetas(self._draft.root)
        except HistoryError as error:
            if folder_with_git(self._draft.root):  # otherwise there is no git to ask
                self._failure = words_of(error)
            return None

    def restore(self, paths: Sequence[str]) -> set[str]:
        """Draft metas that git has; return their GUIDs; propose uncertain ones.

        Paths unknown to git are left to :meth:`write_new`.
        """
        files = {relative_file(self._draft.root, path): path for path in paths if not self._has(path + META)}
        if not files:
            return set()
        known: dict[str, list[Former]] = {}
        if not self._anew and self._former is not None:
            try:
                known = self._former.of(list(files))
            except HistoryError as error:
                self._failure = words_of(error)
        guids = set()
        for file, path in files.items():
            try:
                former, reason = self._choose(path, file, known.get(file, []))
            except HistoryError as error:
                self._failure = words_of(error)
                former, reason = None, ""
            if reason:
                self._draft.propose(MISSING, path, reason)
            elif former is None:
                self._left.append(path)
            elif self._restore(path, file, former):
                guids.add(self._reserve(former))
        return guids

    def _restore(self, path: str, file: str, former: Former) -> bool:
        """Draft a path's former meta, with changes made at the old path."""
        if former.path == file:
            return self._maker.make(path, former.data, f"gets its meta back from {former.where}")
        old = self._path_of(former.path) + META
        data = self._draft.read(old) if self._has(old) else None
        if data is None or read_meta(data)[0] != read_meta(former.data)[0]:
            return self._maker.make(path, former.data, f"gets its meta back from {former.where} (of {former.path})")
        done = self._maker.make(path, data, f"gets its meta back, which was left at {old}")
        if done:
            self._draft.write(old, None)
        return done

    def _path_of(self, file: str) -> str:
        """Return the path in the project of a file in the repository."""
        return asset_prefix(self._draft.root) + file

    def _has(self, path: str) -> bool:
        try:
            return self._draft.read(path) is not None
        except (MendingError, OSError):  # reported when one is made
            return False

    def write_new(self, claimed: Callable[[str], str]) -> None:
        """Draft new metas for the rest, except those that ``claimed`` explains."""
        files = {path: relative_file(self._draft.root, path) for path in self._left}
        remembered = self._remembered(list(files.values()))
        for path, file in files.items():
            reason = claimed(path) if not self._anew else ""
            if self._failure and not (reason or self._anew):
                reason = (
                    f"git cannot tell whether it had a meta: {self._failure}. Try again;"
                    f" or, if it is new, `assetdb register --new-guid {path}` writes one"
                )
            if not (reason or self._anew or file in remembered or not self._may_have_meta(path)):
                reason = self._may_be_lost(path)
            if not reason and self._is_unkept(path):
                reason = "git does not keep a folder without files: put a file into it, or remove it"
            if reason:
                self._draft.propose(MISSING, path, reason)
            else:
                self._maker.make(path)

    def _is_unkept(self, path: str) -> bool:
        """Whether a path is a folder that no commit can contain.

        Its meta would come to others without the folder, and Unity would delete it there.
        """
        place = asset_file(self._draft.root, path)
        if os.path.islink(place) or not os.path.isdir(place) or not folder_with_git(self._draft.root):
            return False
        return not any(names for _, _, names in os.walk(place))

    def _may_have_meta(self, path: str) -> bool:
        place = asset_file(self._draft.root, path)
        return not os.path.islink(place) and (os.path.isfile(place) or os.path.isdir(place))

    def guid_in_git(self, path: str) -> str:
        """Return a path's GUID in HEAD or the index, or ``""``."""
        if self._former is None:
            return ""
        for former in reversed(self._former.at(relative_file(self._draft.root, path))):
            guid, facts, _ = read_meta(former.data)
            if guid and not facts.conflict:
                return guid.decode()
        return ""

    def reserve_former(self, path: str) -> tuple[str, str]:
        """Reserve the GUID that git has for a path; return it.

        The GUID is ``""`` if another asset has it or nothing refers to it. The second text is why git cannot answer, or
        ``""``.
        """
        try:
            former = self.guid_in_git(path)
        except HistoryError as error:
            self._failure = words_of(error)
        if self._failure:
            return "", self._failure
        if not former or is_placeholder(former) or self._holder(former) or not self._is_referred_to(former):
            return "", ""
        self._draft.take_guid(former)
        return former, ""

    def restore_guids(self, guid: str, paths: Sequence[str]) -> list[str]:
        """Restore the GUIDs that git has of copies; return the other assets.

        Args:
            guid: that all of them have now.
            paths: of the assets.
        """
        try:
            former = {path: self.guid_in_git(path) for path in paths}
        except HistoryError as error:
            self._failure = words_of(error)
        if self._failure:
            for path in paths:
                others = listed([other for other in paths if other != path])
                message = f"{others} has the same GUID, and git cannot tell whose it is: {self._failure}"
                self._draft.propose(DUPLICATE, path, message)
            return []
        is_sure = guid in former.values()
        replaced = [
            path for path in paths if former[path] not in ("", guid) and (is_sure or self._is_referred_to(former[path]))
        ]
        for path in replaced:
            holder = self._holder(former[path])
            if not is_sure or holder:
                said = f", which {holder} has now" if holder else ""
                others = listed([other for other in paths if other != path])
                message = f"{others} has the same GUID, and git has it with {former[path]}{said}: restore {path}{META}"
                self._draft.propose(DUPLICATE, path, message)
                continue
            meta = path + META
            try:
                data = self._draft.read(meta) or b""
                self._draft.write(meta, rewritten(data, "meta", {guid: former[path]}, defined={guid}))
            except (MendingError, OSError) as error:
                self._draft.propose(DUPLICATE, path, words_of(error))
                continue
            self._draft.take_guid(former[path])
            self._draft.mend(DUPLICATE, path, f"{guid} becomes {former[path]}, which git has of it")
        return [path for path in paths if path not in replaced]

    def propose_lost(self) -> None:
        """Propose to restore metas of HEAD with GUIDs that would be lost."""
        try:
            changed = self._changed_in_head
        except HistoryError:  # then the findings about the references report it
            return
        for former in changed:
            path = self._path_of(former.path)
            guid, facts, _ = read_meta(former.data)
            lost = guid.decode()
            if not guid or facts.conflict or self._holder(lost) or self._draft.has_proposal(path, lost):
                continue
            if self._is_referred_to(lost):
                has_other = os.path.lexists(asset_file(self._draft.root, path)) and self._has(path + META)
                what = "its meta has another GUID now" if has_other else "it is not there any more"
                said = f"others refer to {lost}, which it has in HEAD, and nothing has now: {what}"
                self._draft.propose(MISSING_ASSET, path, f"{said}; restore it (git restore)")

    # --- metas in git

    def _choose(self, path: str, file: str, known: Sequence[Former]) -> tuple[Former | None, str]:
        """Return the former meta of a path, or why it has none.

        If the GUIDs of index and HEAD differ, HEAD's is preferred if something refers to it.
        """
        fitting: list[Former] = []
        reasons: list[str] = []
        is_folder = os.path.isdir(asset_file(self._draft.root, path))
        for former in known:
            guid, facts, _ = read_meta(former.data)
            if not guid or facts.conflict or facts.folder != is_folder:
                continue
            holder = self._holder(guid.decode())
            owner = self._owner_in_head(guid.decode(), former)
            if owner:
                reasons.append(
                    f"{former.where} has it with the GUID {guid.decode()}, and HEAD has {owner} with that: restore the"
                    " meta of the one that is meant (git restore)"
                )
            elif holder:
                reasons.append(self._dispute(path, guid.decode(), holder, same_path=former.path == file))
            elif former.path == file or former.likeness >= (_SURE if _name(former.path) != _name(file) else _LIKELY):
                fitting.append(former)
            elif self._is_referred_to(guid.decode()):
                reasons.append(
                    f"it may be {former.path}, whose GUID {guid.decode()} is referred to and gone."
                    f" If it was moved, `git show HEAD:./{former.path}{META}` has its meta; if it is new,"
                    f" `assetdb register --new-guid {path}` writes one"
                )
        best = [former for former in fitting if self._is_referred_to(read_meta(former.data)[0].decode())]
        if fitting:
            return best[-1] if best else fitting[0], ""
        return None, next(filter(None, reasons), "")

    @cached_property
    def _changed_in_head(self) -> list[Former]:
        """The metas of HEAD that have changed or disappeared.

        Raises:
            HistoryError: git fails.
        """
        return self._former.changed() if self._former is not None else []

    def _owner_in_head(self, guid: str, former: Former) -> str:
        """Return the unmoved other asset with a GUID in HEAD, or ``""``.

        Somebody may have staged, stashed or committed a meta beside the wrong file.
        """
        if former.where == "HEAD":
            return ""
        for other in self._changed_in_head:
            if read_meta(other.data)[0].decode() == guid and other.path != former.path:
                was_moved = not os.path.lexists(os.path.join(self._draft.root, other.path))
                if not was_moved or extension_of(other.path) != extension_of(former.path):
                    return self._path_of(other.path)
        return ""

    def _is_referred_to(self, guid: str) -> bool:
        return bool(AssetGraph(self._project).usages(guid)) or guid in self._named_elsewhere

    @cached_property
    def _named_elsewhere(self) -> set[str]:
        """GUID digits in files without edges: settings, assets without a meta."""
        found: set[str] = set()
        missing = [item.path for item in self._project.diagnostics() if item.code == MISSING]
        referring = [path for path in missing if kind_of(extension_of(path)).content not in ("", OTHER)]
        for path in (*settings_files(self._draft.root), *referring):
            found.update(map(bytes.decode, digit_runs((self._project.read(path) or b"").lower())))
        return found

    def _dispute(self, path: str, guid: str, holder: str, *, same_path: bool) -> str:
        """Return why a GUID that another asset has stays there, or ``""``."""
        other = self.guid_in_git(holder)
        metas = f"{path}{META}"
        if other and other != guid:
            said = f"whose own in git is {other}"
            metas = f"{metas} and {holder}{META}"
        elif same_path and self._is_unchanged(path):
            said = "so that its meta was moved without it"
        else:
            return ""
        return f"git has it with the GUID {guid}, which {holder} has now, {said}: restore {metas} (git restore)"

    def _is_unchanged(self, path: str) -> bool:
        data = read_file(asset_file(self._draft.root, path)) if self._former is not None else None
        if data is None or self._former is None:
            return False
        file = relative_file(self._draft.root, path)
        return any(self._former.is_unchanged(file, blob_name(each)) for each in {data, data.replace(b"\r\n", b"\n")})

    def _holder(self, guid: str) -> str:
        """Return the asset or folder that has a GUID, or ``""``."""
        if self._draft.is_given(guid):
            return "another one"
        asset = self._project.assets.by_guid(guid)
        if asset is not None:
            return asset.path
        return self._project.assets.folder(guid) or ""

    def _reserve(self, former: Former) -> str:
        guid = read_meta(former.data)[0].decode()
        self._draft.take_guid(guid)
        return guid

    # --- unknown to git

    def _remembered(self, files: Sequence[str]) -> set[str]:
        """Return the files with former metas that git would know."""
        if self._former is None or self._former.is_empty:
            return set()
        hidden = ignored(self._draft.root, [*files, *(file + META for file in files)])
        return {file for file in files if file not in hidden and file + META not in hidden}

    def _may_be_lost(self, path: str) -> str:
        """Return why a new GUID might lose references, ``""`` if it cannot."""
        if self._unowned is None:
            self._unowned = unowned_guids(self._project)
        folder = os.path.isdir(asset_file(self._draft.root, path))
        fitting = [row for row in self._unowned if may_be_of(row, path, folder=folder)]
        if not fitting:
            return ""
        rows = [f"{row.guid} (in {row.path})" for row in fitting]
        return (
            f"nothing has {listed(rows)}, and git does not know what had: it may be this one. Restore its meta;"
            f" or, if it is new, `assetdb register --new-guid {path}` writes one"
        )


def _name(path: str) -> str:
    return path.rpartition("/")[2]
