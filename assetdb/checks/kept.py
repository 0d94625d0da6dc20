"""Cache of the findings of rules, with the files they rest on.

A rule looks at the database, the packages, what the scan says of files, and at some hundred files that it reads. While
all of these are what they were it finds the same: then it is not asked. What is kept is one file in the output folder;
where that is absent, damaged, or of another version, nothing is kept.
"""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING, Any, Final

from assetdb.checks.finding import Finding
from assetdb.checks.verdicts.tree import Tree
from assetdb.checks.watched import Watched, identity_of
from assetdb.diagnostics import STAND_ALONE
from assetdb.errors import FileError
from assetdb.packages.listing import read_list
from assetdb.scan.directory import SLASH
from assetdb.store.files import RULES_NAME
from assetdb.system.identity import RACY, identity
from assetdb.system.pausing import pause_here, paused
from assetdb.system.reading import read_small
from assetdb.version import VERSION
from assetdb_formats.atomic import replace_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assetdb.checks.rules import Rule
    from assetdb.diagnostics import Diagnostic
    from assetdb.query.snapshot import Snapshot

_LARGEST: Final = 1 << 26
_FIELDS: Final = len(Finding._fields)
# To ask for so many files takes longer than to compare all that the scan knows of the tree: rules that look at scripts
# read some 10,000 of unitystation.
_MANY: Final = 100
_NO_FILES: Final = b"{}"


def rule_findings(project: Snapshot, rules: Iterable[Rule], diagnostics: Iterable[Diagnostic]) -> Iterator[Finding]:
    """Yield what some rules find, from what is kept where that is still right.

    Args:
        project: as it is.
        rules: those that are wanted.
        diagnostics: of the project: metas that stand alone are assets to some questions.
    """
    known = _Known(project, _stamp(project, diagnostics))
    for rule in rules:
        found = known.findings(rule)
        if found is None:
            watched = Watched(project, time.time_ns())
            found = list(paused(rule.find(watched)))
            known.add(rule, watched.files, found)
        yield from found
        pause_here()
    known.write()


def standing_rules(project: Snapshot, rules: Iterable[Rule], diagnostics: Iterable[Diagnostic]) -> str:
    """Return what tells the findings that are kept of some rules from others, ``""`` where some are not right now."""
    stamp = _stamp(project, diagnostics)
    known = _Known(project, stamp)
    rests = []
    for rule in rules:
        found = known.findings(rule)
        if found is None:
            return ""
        rests.append((rule.code, known.files(rule.code), found if known.rests_on_tree(rule.code) else ()))
    return repr((stamp, rests))


class _Known:
    """What is kept of rules: one line of what they found, and one of the files of those that read many.

    These files are in the tree that a scan has looked at. While that is the same they are, and the second line is not
    even read; else each of them is looked at, once for all rules.
    """

    def __init__(self, project: Snapshot, stamp: str) -> None:
        """Read what is kept, which is nothing where another stamp is on it."""
        self._project = project
        self._stamp = stamp
        self._path = os.path.join(project.folder, RULES_NAME)
        self._rules, self._rest = _read(self._path, stamp)
        self._inside: dict[str, int] | None = None
        self._is_right: bool | None = None
        self._tree: str | None = None
        self._is_changed = False
        self._digests: dict[tuple[str, str], str] = {}
        self._names: dict[bytes, frozenset[bytes]] = {}  # of files, by folder of the tree

    def rests_on_tree(self, code: str) -> bool:
        """Whether a rule read many files, which are kept for all such rules together, or looked at references."""
        return bool(self._rules[code].get("tree"))

    def files(self, code: str) -> list[Any]:
        """Return path and identity of the files that a rule read, but for those of the tree where they are many."""
        found: list[Any] = self._rules[code]["files"]
        return found

    def findings(self, rule: Rule) -> list[Finding] | None:
        """Return the findings that are kept of a rule, None where it rests on something else now, or there are none."""
        kept = self._rules.get(rule.code)
        try:
            if kept is None or not self._are_same(kept["files"]):
                return None
            if kept.get("tree") and not (self._is_tree_right(kept["tree"]) and self._are_edges_same(rule, kept)):
                return None
            return [Finding(*row) for row in kept["findings"] if len(row) == _FIELDS]
        except (AttributeError, LookupError, TypeError, ValueError):
            return None

    def add(self, rule: Rule, files: dict[str, int], found: list[Finding]) -> None:
        """Keep the findings of a rule, if all files that it read can be told from what they may become."""
        if RACY in files.values() or (rule.edges and not self._digest()):
            return
        self._is_changed = True
        entry: dict[str, Any] = {"files": sorted(files.items()), "findings": found}
        if (rule.edges or len(files) > _MANY) and self._digest():
            inside = {path: number for path, number in files.items() if self._is_scanned(path)}
            if self._is_right is not True:  # of other rules, which nobody has looked at now or which are not right
                self._rules = {other: row for other, row in self._rules.items() if not row.get("tree")}
                self._inside, self._is_right = {}, True
            self._all_inside().update(inside)
            entry = {
                "files": sorted(files.items() - inside.items()),
                "findings": found,
                "tree": self._digest(),
                "edges": self._edges(rule),
            }
        self._rules[rule.code] = entry

    def write(self) -> None:
        """Write what is kept if it is another now; where that cannot be, the next check finds it again."""
        if not self._is_changed:
            return
        rest = json.dumps(self._inside).encode() if self._inside is not None else self._rest
        document = {"stamp": self._stamp, "inside": _digest_of(rest), "rules": self._rules}
        head = json.dumps(document).encode()
        try:
            replace_file(self._path, [head, b"\n", rest])
        except OSError:
            return

    def _are_same(self, files: Iterable[tuple[str, int]]) -> bool:
        root = self._project.root
        return all(identity_of(root, path, identity) == known for path, known in files)

    def _is_tree_right(self, digest: str) -> bool:
        """Whether the files of the tree are as they were; they are while its digest is the one that was kept."""
        if self._is_right is None:
            self._is_right = digest == self._digest()
            if not self._is_right and self._are_same(self._all_inside().items()):  # others than these are others
                self._is_right = True
                for row in self._rules.values() if self._digest() else ():
                    if row.get("tree") and not row.get("edges"):
                        row["tree"] = self._digest()
                        self._is_changed = True
        return self._is_right

    def _are_edges_same(self, rule: Rule, kept: dict[str, Any]) -> bool:
        """Whether the references that a rule rests on are as they were; they are while the tree is the same."""
        if not kept["edges"] or kept["tree"] == self._digest():
            return True
        if kept["edges"] != self._edges(rule):
            return False
        if self._digest():
            kept["tree"] = self._digest()
            self._is_changed = True
        return True

    def _edges(self, rule: Rule) -> str:
        key = rule.module, rule.edges
        if key not in self._digests:
            self._digests[key] = rule.edges_digest(self._project)
        return self._digests[key]

    def _all_inside(self) -> dict[str, int]:
        if self._inside is None:
            self._inside = json.loads(self._rest)
        return self._inside

    def _digest(self) -> str:
        """Return what tells the tree from another, ``""`` where nothing does."""
        if self._tree is None:
            listing = self._project.listing()
            tree = Tree(self._project.root, listing) if listing is not None else None
            self._tree = tree.digest.hex() if tree is not None and not tree.is_racy else ""
        return self._tree

    def _is_scanned(self, path: str) -> bool:
        """Whether the tree tells of a file that it is another."""
        folder, _, name = os.fsencode(path).rpartition(SLASH)
        names = self._names.get(folder)
        if names is None:
            listing = self._project.listing()
            directory = listing.directories.get(folder) if listing is not None else None
            rows = directory.files.split(SLASH)[: 2 * directory.pair_count : 2] if directory is not None else []
            names = self._names[folder] = frozenset(rows)
        return name in names


def _stamp(project: Snapshot, diagnostics: Iterable[Diagnostic]) -> str:
    """Return what tells one state of all that rules ask a project from another, but for files."""
    from hashlib import sha256  # noqa: PLC0415 - a check of references alone does without

    listed = read_list(project.folder)  # those not on this machine, too: of what they have nothing is said
    packages = repr((listed.content, listed.rows, listed.problems))
    alone = sorted(item.path for item in diagnostics if item.code in STAND_ALONE)
    rivals = [(rival.asset.path, rival.asset.guid) for rival in project.database.rivals]
    # What git's history says of GUIDs counts where a package is not on this machine.
    history = project.losses.stamp if any(not row.folder for row in listed.rows) else ""
    parts = (VERSION, history, project.root, project.database.fingerprint(), packages, repr(alone), repr(rivals))
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _read(path: str, stamp: str) -> tuple[dict[str, dict[str, Any]], bytes]:
    """Return what is kept of each rule, and the line of files."""
    try:
        head, _, rest = read_small(path, _LARGEST).partition(b"\n")
        found = json.loads(head)
    except (OSError, FileError, ValueError, RecursionError):
        return {}, _NO_FILES
    rules = found.get("rules") if isinstance(found, dict) and found.get("stamp") == stamp else None
    rows = {code: row for code, row in rules.items() if isinstance(row, dict)} if isinstance(rules, dict) else {}
    if rows and found.get("inside") == _digest_of(rest):
        return rows, rest
    return {code: row for code, row in rows.items() if not row.get("tree")}, _NO_FILES


def _digest_of(data: bytes) -> str:
    from hashlib import blake2b  # noqa: PLC0415 - a check of references alone does without

    return blake2b(data, digest_size=16).hexdigest()
