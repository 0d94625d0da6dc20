"""New GUIDs for assets with invented or shared ones."""

from __future__ import annotations

import os
import re
import time
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.checks.counting import counted, listed
from assetdb.checks.findings.codes import DUPLICATE, PLACEHOLDER
from assetdb.checks.mending.guids.rewriting import find_sites, rewritten
from assetdb.errors import MendingError
from assetdb.history.git.questions import added
from assetdb.history.moved_files import blob_name, committed_blobs
from assetdb.settings.project import META, asset_file, relative_file
from assetdb.system.reading import read_file
from assetdb.unity.kinds import extension_of
from assetdb_formats.files import words_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from assetdb.checks.mending.draft import Draft
    from assetdb.checks.mending.guids.search import GuidHolders

_SECONDS_FOR_GIT: Final = 10.0
_SECONDS_FOR_ONE: Final = 3.0
_ASKED: Final = 3  # files copied together; all must agree
_LARGEST: Final = 64 << 20  # largest file to compare, in bytes
_NEVER: Final = 1 << 62  # uncommitted files are newer than committed ones
# What file managers and editors add to the name of a copy: `Level copy`, `Level - Copy (2)`, `Level (1)`, `Level 1`.
_COPY: Final = re.compile(r"(?i)(?: - copy(?: \(\d{1,4}\))?| copy(?: \d{1,4})?|_copy| ?\(\d{1,4}\)| \d{1,4})\Z")
_COPY_OF: Final = re.compile(r"(?i)\Acopy (?:\(\d{1,4}\) )?of ")


# --- typed GUIDs


def replace_placeholder(
    draft: Draft,
    guid: str,
    meta: str,
    found: GuidHolders,
    used_outside: Callable[[str], str],
    *,
    former: str = "",
    doubt: str = "",
) -> None:
    """Give a meta's asset another GUID everywhere, or propose that.

    Args:
        draft: the plan.
        guid: the placeholder.
        meta: that has it.
        found: the files that have it.
        used_outside: why it may be referred to from outside the project, ``""`` if it is not.
        former: the GUID that the asset had and gets back, ``""`` to draw one.
        doubt: why git cannot tell whether it had one.
    """
    asset = meta.removesuffix(META)
    refused = f"it does not get back the GUID {former}, which git has of it" if former else "it gets no new GUID"
    reason = ""
    owners = [path for path in found.owners(guid) if _is_owner(draft.read(path) or b"", guid)]
    if meta not in owners:
        return  # it was a copy, and already has a new one
    if owners != [meta]:
        reason = f"{listed([path for path in owners if path != meta])} has the same"
    elif found.doubtful(guid):
        reason = _doubt(found, guid)
    elif doubt:
        reason = f"git cannot tell whether it had another: {doubt}"
    else:
        reason = used_outside(guid)
    if reason:
        draft.propose(PLACEHOLDER, asset, f"{refused}, because {reason}")
        return
    new = former or draft.new_guid()
    paths = {meta, *found.referrers(guid)}
    try:
        _rewrite(draft, {path: {guid: new} for path in paths}, {meta: guid})
    except (MendingError, OSError) as error:
        draft.propose(PLACEHOLDER, asset, f"{refused}: {words_of(error)}")
        return
    count = len(paths) - 1
    files = f" and in {counted(count, 'file')} that refer{'s' * (count == 1)} to it" if count else ""
    source = ", which git has of it," if former else ""
    draft.mend(PLACEHOLDER, asset, f"{guid} becomes {new}{source if files else source.rstrip(',')}{files}")


def _is_owner(meta: bytes, guid: str) -> bool:
    return any(sites.definitions for sites in find_sites(meta, "meta", [guid]).values())


def _rewrite(draft: Draft, changes: Mapping[str, Mapping[str, str]], metas: Mapping[str, str]) -> None:
    """Replace GUIDs in files by path; in ``metas`` their own too.

    Raises:
        MendingError: a file is gone, or cannot be written.
        OSError: it cannot be read.
    """
    files = []
    for path, guids in sorted(changes.items()):
        data = draft.read(path)
        if data is None:
            raise MendingError(f"{path}: no longer exists")
        files.append((path, rewritten(data, extension_of(path), guids, defined={metas.get(path, "")})))
    draft.write_all(files)


def _doubt(found: GuidHolders, guid: str) -> str:
    doubtful = found.doubtful(guid)
    unread = [path for path in doubtful if path in found.unread]
    if len(unread) == len(doubtful):
        return f"{listed(doubtful)} could not be read and may refer to it ({found.unread[unread[0]]})"
    held = [path for path in doubtful if path not in found.unread]
    binary = set(found.binary[guid])
    why = "binary" if binary.issuperset(held) else "in a form that is not rewritten"
    return f"{listed(held)} {'hold' if len(held) > 1 else 'holds'} it {'as ' if why == 'binary' else ''}{why}"


# --- shared GUIDs


class Pair(NamedTuple):
    """Two assets that share a GUID, by their paths."""

    guid: str
    one: str
    other: str

    @property
    def roots(self) -> tuple[str, str]:
        """The paths without their common end: ``A/x.mat``, ``B/x.mat`` to ``A``, ``B``."""
        ones, others = self.one.split("/"), self.other.split("/")
        while len(ones) > 1 and len(others) > 1 and ones[-1] == others[-1]:
            ones.pop()
            others.pop()
        one, other = sorted(["/".join(ones), "/".join(others)])
        return one, other


def remake_duplicates(
    draft: Draft,
    pairs: list[Pair],
    found: GuidHolders,
    used_outside: Callable[[str], str],
    advice: Callable[[Pair], str],
) -> None:
    """Give the younger of two assets a new GUID, or propose it."""
    history = _History(draft.root)
    groups: dict[tuple[str, str], list[Pair]] = {}
    for pair in pairs:
        groups.setdefault(pair.roots, []).append(pair)
    for roots, group in sorted(groups.items()):
        young = _younger(history, roots, group)
        if not young:
            _propose(draft, group, "it is unclear which of the two is the copy", advice)
            continue
        sure: dict[str, tuple[Pair, list[str]]] = {}
        for pair in group:
            reason, referrers = _own_references(draft, history, pair, young, group, found)
            reason = reason or used_outside(pair.guid)
            if reason:
                _propose(draft, [pair], reason, advice)
            else:
                sure[pair.guid] = pair, referrers
        _remake(draft, sure, young, advice)


def _remake(draft: Draft, sure: dict[str, tuple[Pair, list[str]]], young: str, advice: Callable[[Pair], str]) -> None:
    guids = {guid: draft.new_guid() for guid in sure}
    by_path: dict[str, dict[str, str]] = {}
    metas: dict[str, str] = {}
    for guid, (pair, referrers) in sure.items():
        meta = _path_in(pair, young) + META
        metas[meta] = guid
        for path in {meta, *referrers}:
            by_path.setdefault(path, {})[guid] = guids[guid]
    try:
        _rewrite(draft, by_path, metas)
    except (MendingError, OSError) as error:
        _propose(draft, [pair for pair, _ in sure.values()], words_of(error), advice)
        return
    for guid, (pair, referrers) in sure.items():
        path = _path_in(pair, young)
        count = len(referrers)
        files_too = f", and in {counted(count, 'file')} that came with it" if count else ""
        draft.mend(DUPLICATE, path, f"{guid} becomes {guids[guid]}{files_too}")


def _path_in(pair: Pair, top: str) -> str:
    return pair.one if _within(pair.one, top) else pair.other


def _propose(draft: Draft, group: Iterable[Pair], reason: str, advice: Callable[[Pair], str]) -> None:
    for pair in group:
        more = advice(pair)
        draft.propose(DUPLICATE, pair.one, f"{pair.other} has the same GUID; {reason}" + (f" ({more})" if more else ""))


def _own_references(
    draft: Draft, history: _History, pair: Pair, young: str, group: list[Pair], found: GuidHolders
) -> tuple[str, list[str]]:
    """Return why references are uncertain (or ``""``), and those to the copy.

    Files copied with it refer to the copy. Their originals do not, nor do files unchanged since their commit if the
    copy is not committed yet. While the two are identical, it does not matter which one others mean.
    """
    if set(found.owners(pair.guid)) != {pair.one + META, pair.other + META}:
        return "more than these two have it", []
    if found.doubtful(pair.guid):
        return _doubt(found, pair.guid), []
    copied = {_path_in(each, young) for each in group}
    originals = {path for each in group for path in (each.one, each.other)} - copied
    referrers, elsewhere = [], []
    for path in found.referrers(pair.guid):
        asset = path.removesuffix(META)
        if asset in copied:
            referrers.append(path)
        elif asset not in originals:
            elsewhere.append(path)
    if elsewhere:
        is_new = history.added(_path_in(pair, young)) == _NEVER
        unsure = history.changed(elsewhere) if is_new else elsewhere
        if unsure and not _are_same(draft, pair):
            return f"which of the two {listed(unsure)} means is not sure", []
    return "", referrers


def _are_same(draft: Draft, pair: Pair) -> bool:
    """Whether two files, and their metas, have the same bytes."""
    try:
        sizes = {os.stat(asset_file(draft.root, path), follow_symlinks=False).st_size for path in pair[1:]}
        if len(sizes) > 1 or max(sizes) > _LARGEST:
            return False
        contents = [(draft.read(path), draft.read(path + META)) for path in pair[1:]]
    except (MendingError, OSError):  # folders among them
        return False
    return contents[0] == contents[1]


class _History:
    """Git's history of assets, until a time limit for all questions."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._until = time.monotonic() + _SECONDS_FOR_GIT

    def added(self, path: str) -> int | None:
        """Return an asset's commit time, :data:`_NEVER` if uncommitted, None if unknown."""
        left = self._until - time.monotonic()
        if left <= 0:
            return None
        when = added(self._root, relative_file(self._root, path) + META, min(_SECONDS_FOR_ONE, left))
        return _NEVER if when == 0 else when

    def changed(self, paths: list[str]) -> list[str]:
        """Return the files that differ from their last commit."""
        blobs = committed_blobs(self._root, [relative_file(self._root, path) for path in paths])
        return [path for path in paths if not self._is_committed(path, blobs)]

    def _is_committed(self, path: str, blobs: dict[str, str]) -> bool:
        name = blobs.get(relative_file(self._root, path))
        data = read_file(asset_file(self._root, path)) if name is not None else None
        return data is not None and name == blob_name(data)


def _younger(history: _History, roots: tuple[str, str], group: list[Pair]) -> str:
    """Return which of two roots is the copy, ``""`` if uncertain."""
    named = _copy_by_name(*roots)
    said = set()
    for pair in group[:_ASKED]:
        times = {top: history.added(_path_in(pair, top)) for top in roots}
        known = [when for when in times.values() if when is not None]
        if len(set(known)) == len(roots):
            said.add(max(roots, key=lambda top: times[top] or 0))
    if named:
        said.add(named)
    return said.pop() if len(said) == 1 else ""


def _copy_by_name(one: str, other: str) -> str:
    """Return the path with the name of a copy, or ``""``."""
    folder, _, name = one.rpartition("/")
    other_folder, _, other_name = other.rpartition("/")
    if folder != other_folder:
        return ""
    stem, extension = os.path.splitext(name)
    other_stem, other_extension = os.path.splitext(other_name)
    if extension.lower() != other_extension.lower():
        return ""
    if _original(stem) == other_stem:
        return one
    return other if _original(other_stem) == stem else ""


def _original(stem: str) -> str:
    """Return the original's name from a copy's name, or ``""``."""
    for pattern in (_COPY, _COPY_OF):
        found = pattern.sub("", stem)
        if found != stem:
            return found
    return ""


def _within(path: str, top: str) -> bool:
    return path in (top, top + META) or path.startswith(f"{top}/")
