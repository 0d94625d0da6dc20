"""Animation events that call functions of no script.

Unity calls the scripts of the object that plays the clip. Which object that is may be decided at run time, so only
functions that no script of the project declares are reported.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assetdb.checks.clip_files import clip_files
from assetdb.checks.findings.finding import Finding
from assetdb.checks.rules import ANIMATION_EVENT
from assetdb.memo.facts import Extraction
from assetdb.memo.inputs import assets_ending
from assetdb.unity.content.clips import clip_events, clip_events_of
from assetdb.unity.engine.members import METHODS
from assetdb.unity.yaml.property_path import places

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from assetdb.memo.view import View

_EVENTS: Final = Extraction("events of animation clips", "1", clip_events, clip_events_of)
_UNITYS: Final = "com.unity."
_DECLARED: Final = re.compile(rb"[\w>\]?]\s{1,99}([A-Za-z_\x80-\xff][\w\x80-\xff]{0,400})\s{0,99}\(")


def _declared(data: bytes) -> frozenset[str]:
    """Return the names of methods that C# may declare."""
    return frozenset(name.decode("utf-8", "replace") for name in _DECLARED.findall(data))


def _declared_of(names: list[str]) -> frozenset[str]:
    """Return names of their JSON."""
    return frozenset(names)


_METHODS: Final = Extraction("names of methods in C#", "1", _declared, _declared_of)


def find_events(project: View) -> Iterator[Finding]:
    """Yield animation events that call a function of no script."""
    if not _has_all_code(project):
        return
    files = clip_files(project.database)
    clips = {(path, guid): events for path, guid in files if (events := project.facts(path, _EVENTS))}
    lacking = _undeclared(project, {event.function for events in clips.values() for event in events})
    for (path, guid), events in clips.items():
        rows = [event for event in events if event.function in lacking]
        where = places(project.read(path) or b"", [event.offset for event in rows]) if rows else []
        for event, place in zip(rows, where, strict=True):
            said = f"calls {event.function}, which no script declares"
            if not event.function:
                said = "calls no function"
            target = event.function
            yield Finding.of(ANIMATION_EVENT, path, said, place.line, "", place.path, guid, place.file_id, target)


def _has_all_code(project: View) -> bool:
    """Whether all scripts are the project's, or of Unity's packages."""
    packages = project.packages.list
    return not packages.unknown and all(row.name.startswith(_UNITYS) for row in packages.rows)


def _undeclared(project: View, names: Collection[str]) -> frozenset[str]:
    """Return names that neither C# nor a library of the project has."""
    left = {name for name in names if name not in METHODS}
    for path in sorted(project.scripts):
        if not left - {""}:
            break
        known = project.facts(path, _METHODS)
        left = left - known
    for asset in assets_ending(project.database, ".dll") if left - {""} else ():
        data = project.read(asset.path) or b""
        left = {name for name in left if not name or name.encode() not in data}
    return frozenset(left)
