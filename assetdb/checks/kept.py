"""What the rules found, kept until something that they rest on is another.

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
from assetdb.diagnostics import STAND_ALONE
from assetdb.errors import FileError
from assetdb.packages.listing import read_list
from assetdb.project import asset_file
from assetdb.store.files import RULES_NAME
from assetdb.system.identity import RACY, Identities, identity
from assetdb.system.reading import read_small
from assetdb.version import VERSION
from formats.atomic import replace_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from assetdb.checks.rules import Rule
    from assetdb.diagnostics import Diagnostic
    from assetdb.query.snapshot import Snapshot

_LARGEST: Final = 1 << 26
_ABSENT: Final = -3  # identity of a file that is not there; none that is has it by more than accident
_FIELDS: Final = len(Finding._fields)


class Watched:
    """A project whose files are noted when a rule reads them: all else is that project's."""

    def __init__(self, project: Snapshot, since_ns: int) -> None:
        """Begin to note; ``since_ns`` is when nothing had been read yet."""
        self._project = project
        self._identities = Identities(since_ns)
        self.files: dict[str, int] = {}
        """Identity of each file that was read, by its path; :data:`RACY` where a change might leave the same one."""

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever a project has
        return getattr(self._project, name)

    def read(self, path: str) -> bytes | None:
        """Return the bytes of a file, as the project does."""
        self.files[path] = _identity(self._project.root, path, self._identities.of)
        return self._project.read(path)


def rule_findings(project: Snapshot, rules: Iterable[Rule], diagnostics: Iterable[Diagnostic]) -> Iterator[Finding]:
    """Yield what some rules find, from what is kept where that is still right.

    Args:
        project: as it is.
        rules: those that are wanted.
        diagnostics: of the project: metas that stand alone are assets to some questions.
    """
    path = os.path.join(project.folder, RULES_NAME)
    stamp = _stamp(project, diagnostics)
    known = _read(path, stamp)
    changed = False
    for rule in rules:
        found = _still_right(project.root, known.get(rule.code))
        if found is None:
            watched = Watched(project, time.time_ns())
            found = list(rule.find(watched))  # type: ignore[arg-type]  # it has all that a project has
            if RACY not in watched.files.values():
                known[rule.code] = {"files": sorted(watched.files.items()), "findings": found}
                changed = True
        yield from found
    if changed:
        _write(path, stamp, known)


def standing_rules(project: Snapshot, rules: Iterable[Rule], diagnostics: Iterable[Diagnostic]) -> str:
    """Return what tells the findings that are kept of some rules from others, ``""`` where some are not right now."""
    stamp = _stamp(project, diagnostics)
    known = _read(os.path.join(project.folder, RULES_NAME), stamp)
    rests = []
    for rule in rules:
        kept = known.get(rule.code)
        if kept is None or _still_right(project.root, kept) is None:
            return ""
        rests.append((rule.code, kept["files"]))
    return repr((stamp, rests))


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


def _still_right(root: str, kept: Any) -> list[Finding] | None:  # noqa: ANN401 - JSON
    """Return the findings that are kept of a rule, None where a file is another, or they are none."""
    try:
        if kept is None or any(_identity(root, path, identity) != known for path, known in kept["files"]):
            return None
        return [Finding(*row) for row in kept["findings"] if len(row) == _FIELDS]
    except (LookupError, TypeError, ValueError):
        return None


def _identity(root: str, path: str, of: Callable[[os.stat_result], int]) -> int:
    try:
        return of(os.stat(asset_file(root, path)))
    except (OSError, ValueError):
        return _ABSENT


def _read(path: str, stamp: str) -> dict[str, Any]:
    try:
        found = json.loads(read_small(path, _LARGEST))
    except (OSError, FileError, ValueError, RecursionError):
        return {}
    rules = found.get("rules") if isinstance(found, dict) and found.get("stamp") == stamp else None
    return rules if isinstance(rules, dict) else {}


def _write(path: str, stamp: str, known: dict[str, Any]) -> None:
    """Write what is known; where that cannot be, the next check finds it again."""
    try:
        replace_file(path, [json.dumps({"stamp": stamp, "rules": known}).encode()])
    except OSError:
        return
