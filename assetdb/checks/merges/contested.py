"""References and rules that a merge of whole sides may break.

A verdict depends on the file that refers, on the asset that it refers to, and on the prefabs and models nested in that
asset. If all these files are on one side as they are in the merge, that side has the verdict, too. So a new finding
needs a file from each side, and few references of most merges have one. A rule that depends on some kinds of files
alone needs such files from each side, and a rule on single files one file that both sides changed.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.checks.findings.codes import DUPLICATE, MISSING
from assetdb.checks.findings.guid_owners import guids_of
from assetdb.history.git.entries import FILE
from assetdb.memo.tree import may_refer
from assetdb.settings.project import META, asset_prefix
from assetdb.unity.kinds import extension_of, kind_of
from assetdb.unity.metas.meta import MetaReader
from assetdb.unity.settings.editor_version import VERSION_FILE
from assetdb.unity.settings.packages import LOCK, MANIFEST
from assetdb.unity.settings.tags import TAGS_FILE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from assetdb.checks.findings.finding import Finding
    from assetdb.checks.rules import Rule
    from assetdb.history.git.entries import Entries
    from assetdb.history.lost_guids import Holder
    from assetdb.query.snapshots.snapshot import Snapshot

_OF_ALL: Final = frozenset(map(os.fsencode, (VERSION_FILE, TAGS_FILE, MANIFEST, LOCK)))
"""Files on which verdicts on all references depend."""
_PACKAGE: Final = b"package.json"
_GUID: Final = re.compile(rb"[0-9A-Fa-f]{32}")
_NESTED: Final = (1, 1001)
"""Classes of the main objects of models and prefabs."""


class Side(NamedTuple):
    """One side of a merge, and its differences from the merge.

    Attributes:
        differing: its entries that differ from the merge's.
        removed: the metas among them, by GUID.
    """

    differing: Entries
    removed: Mapping[str, Holder]


def may_be_narrow(project: Snapshot, sides: Sequence[Side]) -> bool:
    """Whether findings of a merge can be told from a few files.

    Not where packages, Unity or the tags differ, something is no file, a folder is also found under another path, or
    GUIDs are encoded.
    """
    listing = project.listing()
    if listing is None or project.has_encoded or any(row.links for row in listing.directories.values()):
        return False
    for side in sides:
        for path, entry in side.differing.items():
            if path in _OF_ALL or path.rpartition(b"/")[2] == _PACKAGE or (entry is not None and entry.kind != FILE):
                return False
    return True


class Contest(NamedTuple):
    """References and rules that may have findings of both sides together.

    Attributes:
        files: by file the GUIDs to which it may refer, None (all) where both sides changed it. Moved files have two
            paths.
        former: by the path of a moved file, the paths that it has on the sides.
        brought: the casefolded paths of the files that each side brought, a line each. A file that comes or goes is
            there with its meta.
        moves_guids: whether a GUID has different files on both sides, or several files in the merge. Then each side
            decides which one the other's are.
    """

    files: dict[str, frozenset[str] | None]
    former: dict[str, list[str]]
    brought: tuple[str, ...]
    moves_guids: bool

    def concerns(self, rule: Rule) -> bool:
        """Whether a rule may have findings that neither side has."""
        if not rule.files or self.moves_guids:
            return True
        pattern = re.compile(rule.files, re.MULTILINE)
        if not pattern.groups:
            return all(map(pattern.search, self.brought))
        ours, theirs = ({match[1] for match in pattern.finditer(paths)} for paths in self.brought)
        return not ours.isdisjoint(theirs)

    def finders(self, findings: Iterable[Finding]) -> Callable[[Rule], bool]:
        """Return whether a rule may have found some findings of the merge."""
        codes = {finding.code for finding in findings}
        return lambda rule: rule.code in codes and self.concerns(rule)


def contested(merged: Snapshot, sides: Sequence[Side]) -> Contest:
    """Return the contested references and rules.

    Args:
        merged: the project after the merge.
        sides: both of them.
    """
    loose = _guids_of_loose(merged)
    first, second = (_Touched(merged, side, loose) for side in sides)
    found: dict[str, frozenset[str] | None] = dict.fromkeys(first.files & second.files)
    for path in first.users.keys() | second.users.keys():
        if path not in found:
            guids = first.used_by(path) & second.used_by(path)
            if path in first.files or path in second.files:
                guids = (second if path in first.files else first).used_by(path)
            if guids:
                found[path] = frozenset(guids)
    former: dict[str, list[str]] = {}
    for path, guid in _guids_of(merged, set(found)):  # a moved file keeps its findings
        former[path] = [side.removed[guid].path for side in sides if guid in side.removed]
        for before in former[path]:  # another file may be there now, and have references of its own
            found[before] = _either(found[path], found.get(before, frozenset()))
    ours, theirs = first.path_of, second.path_of
    moves = any(ours[guid] != theirs[guid] for guid in ours.keys() & theirs.keys())
    shares = any(guid in ours or guid in theirs for guid in (duplicate.asset.guid for duplicate in merged.duplicates))
    return Contest(found, former, tuple(_brought(merged, side) for side in sides), moves or shares)


def _either(one: frozenset[str] | None, other: frozenset[str] | None) -> frozenset[str] | None:
    return None if one is None or other is None else one | other


def _brought(merged: Snapshot, side: Side) -> str:
    """Return the differing paths, casefolded, a line each."""
    prefix = asset_prefix(merged.root)
    lines = []
    for path, entry in side.differing.items():
        shown = f"/{prefix}{os.fsdecode(path)}".casefold()
        lines.append(shown)
        if entry is None or not os.path.lexists(merged.file_of(prefix + os.fsdecode(path))):
            lines.append(shown + META)
    return "\n".join(lines)


class _Touched:
    """References that may have other verdicts after a merge.

    Attributes:
        files: that differ.
        path_of: by the GUIDs that differing files have or had, the path of the file that has it, else had it.
        users: by file, the GUIDs to which it refers and whose asset differs, or nests an asset that differs.
    """

    def __init__(self, merged: Snapshot, side: Side, loose: Mapping[str, frozenset[str]]) -> None:
        """Follow differing assets to their users."""
        prefix = asset_prefix(merged.root)
        self.files = {prefix + os.fsdecode(path).removesuffix(META) for path in side.differing}
        self.users: dict[str, set[str]] = {}
        places = {guid: row.path for guid, row in side.removed.items()}
        places.update((guid, path) for path, guid in _guids_of(merged, self.files))
        self.path_of = dict(places)
        waiting = list(places)
        while waiting:
            guid = waiting.pop()
            for user, path in _users(merged, guid):
                self.users.setdefault(path, set()).add(guid)
                if user not in places and _may_be_nested(path) and _may_be_nested(places[guid]):
                    places[user] = path
                    waiting.append(user)
        for path, guids in loose.items():
            self.users.setdefault(path, set()).update(guids & places.keys())

    def used_by(self, path: str) -> set[str]:
        """Return the GUIDs in ``users`` of a file, maybe none."""
        return self.users.get(path, set())


def _guids_of(merged: Snapshot, paths: set[str]) -> Iterator[tuple[str, str]]:
    """Yield path and GUID of files, also of a lone meta."""
    found = guids_of(merged, paths)
    yield from found.items()
    reader = MetaReader()
    for path in paths - found.keys():
        guid = reader.read(merged.read(path + META) or b"")[0]
        if guid:
            yield path, guid.decode("ascii")


def _guids_of_loose(merged: Snapshot) -> dict[str, frozenset[str]]:
    """Return possible GUIDs in files without a GUID of their own."""
    paths = {item.path for item in merged.diagnostics() if item.code in (MISSING, DUPLICATE)}
    texts = {path: merged.read(path) for path in sorted(paths) if may_refer(os.fsencode(os.path.basename(path)))}
    return {
        path: frozenset(found.decode().lower() for found in _GUID.findall(text)) for path, text in texts.items() if text
    }


def _users(project: Snapshot, guid: str) -> Iterator[tuple[str, str]]:
    """Yield GUID and path of the assets that refer to one."""
    graph = project.graph
    node = graph.node(int(guid, 16))
    for user in graph.guids(graph.incoming(node)) if node is not None else ():
        asset = project.database.by_guid(user)
        if asset is not None:
            yield user, asset.path


def _may_be_nested(path: str) -> bool:
    return kind_of(extension_of(path)).class_id in _NESTED
