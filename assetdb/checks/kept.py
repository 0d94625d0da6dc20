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
from assetdb.checks.watched import Watched, identity_of
from assetdb.diagnostics import STAND_ALONE
from assetdb.errors import FileError
from assetdb.packages.listing import read_list
from assetdb.store.files import RULES_NAME
from assetdb.system.identity import RACY, identity
from assetdb.system.reading import read_small
from assetdb.version import VERSION
from formats.atomic import replace_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assetdb.checks.rules import Rule
    from assetdb.diagnostics import Diagnostic
    from assetdb.query.snapshot import Snapshot

_LARGEST: Final = 1 << 26
_FIELDS: Final = len(Finding._fields)


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
            found = list(rule.find(watched))
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
    parts = (VERSION, project.root, project.database.fingerprint(), packages, repr(alone), repr(rivals))
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _still_right(root: str, kept: Any) -> list[Finding] | None:  # noqa: ANN401 - JSON
    """Return the findings that are kept of a rule, None where a file is another, or they are none."""
    try:
        if kept is None or any(identity_of(root, path, identity) != known for path, known in kept["files"]):
            return None
        return [Finding(*row) for row in kept["findings"] if len(row) == _FIELDS]
    except (LookupError, TypeError, ValueError):
        return None


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
