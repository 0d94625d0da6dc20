"""Animation events that call functions of no script.

Unity calls the scripts of the object that plays the clip. Which objects play it is known of some clips
(:mod:`assetdb.checks.rules.content.players`); of any other, functions are reported that no script of the project
declares.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

from assetdb.checks.counting import listed
from assetdb.checks.findings.finding import Finding
from assetdb.checks.lineage import FILES_TO_AN_EMPTY_ONE, Sources
from assetdb.checks.rules import ANIMATION_EVENT
from assetdb.checks.rules.content.players import Players
from assetdb.checks.scripts.clip_files import clip_files
from assetdb.memo.facts import Extraction
from assetdb.memo.script_facts import ADDED, MARKS
from assetdb.memo.script_facts import METHODS as METHODS_OF_SCRIPTS
from assetdb.unity.content.clips import clip_events, clip_events_of
from assetdb.unity.engine.members import METHODS
from assetdb.unity.yaml.property_path import places

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from assetdb.checks.rules.content.players import Player
    from assetdb.memo.view import View

_EVENTS: Final = Extraction("events of animation clips", "2", clip_events, clip_events_of)
_CLIP: Final = ".anim"
_UNITYS: Final = "com.unity."


def find_events(project: View) -> Iterator[Finding]:
    """Yield animation events that call a function of no script."""
    files = clip_files(project.database)
    clips = {(path, guid): events for path, guid in files if (events := project.facts(path, _EVENTS))}
    names = {event.function for events in clips.values() for event in events}
    lacking = _undeclared(project, names) if names and _has_all_code(project) else frozenset()
    receivers = _Receivers(project)
    for (path, guid), events in clips.items():
        rows = [(event, why) for event in events if (why := _why(event.function, path, guid, lacking, receivers))]
        where = places(project.read(path) or b"", [event.offset for event, _ in rows]) if rows else []
        for (event, why), place in zip(rows, where, strict=True):
            target = event.function
            yield Finding.of(ANIMATION_EVENT, path, why, place.line, "", place.path, guid, place.file_id, target)


def _why(function: str, path: str, guid: str, lacking: Collection[str], receivers: _Receivers) -> str:
    """Return why nothing receives an event, or ``""``."""
    if not function:
        return "calls no function"
    if function in lacking:
        return f"calls {function}, which no script declares"
    return receivers.why_none(function, guid) if path.lower().endswith(_CLIP) and function not in METHODS else ""


class _Receivers:
    """The scripts of the objects that play clips."""

    def __init__(self, project: View) -> None:
        self._project = project
        self._players = Players(project)
        self._sources = Sources(project)
        self._declaring: dict[str, dict[str, str]] = {}

    def why_none(self, function: str, clip: str) -> str:
        """Return why no player of a clip has a function, or ``""``."""
        found: list[tuple[str, Player]] = []
        for place, played in (self._players.places_of(clip) or {}).items():
            played_by = self._players.players_in(place, played)
            if played_by is None or not all(self._is_known(player) for player in played_by):
                return ""
            found += [(place, player) for player in played_by]
        if not found or any(self._receives(player, function) for _, player in found):
            return ""
        declaring = self._scripts_with(function)  # seldom: reads all C#
        if not declaring or self._may_be_added({place for place, _ in found}, declaring):
            return ""
        where = self._players.described(*found[0], len(found))
        return f"calls {function}, which no script of {where} declares; {listed(sorted(declaring.values()))} has it"

    def _is_known(self, player: Player) -> bool:
        """Whether all classes of an object's scripts, and their bases, are known."""
        paths = [self._sources.paths.get(script, "") for script in player.scripts]
        types = [self._types(path) if path else () for path in paths]
        return (
            player.is_whole
            and all(types)
            and all(self._sources.may_be_proven(name) for rows in types for name, _ in rows)
        )

    def _types(self, path: str) -> tuple[tuple[str, str], ...]:
        """Return the types that a script may declare, with their first bases."""
        return self._project.facts(path, MARKS).types

    def _receives(self, player: Player, function: str) -> bool:
        """Whether a script of an object has a function, or inherits it."""
        sources = self._sources
        types = chain.from_iterable(self._types(sources.paths[script]) for script in player.scripts)
        names = {each for name, _ in types for each in sources.ancestors(name)}
        paths = {path for name in names for path, _ in sources.mentions(name)}
        return any(function in self._project.facts(path, METHODS_OF_SCRIPTS) for path in sorted(paths))

    def _scripts_with(self, function: str) -> dict[str, str]:
        """Return paths by GUID of scripts with a function, maybe inherited."""
        known = self._declaring.get(function)
        if known is None:
            sources = self._sources
            declaring = [
                path for path in sorted(sources.guids) if function in self._project.facts(path, METHODS_OF_SCRIPTS)
            ]
            names = {name for path in declaring for name, _ in self._types(path)}
            below = {each for name in names for each in sources.derived(name)}
            paths = {*declaring, *(path for name in below for path, _ in sources.mentions(name))}
            known = self._declaring[function] = {sources.guids[path]: path for path in paths}
        return known

    def _may_be_added(self, places: Collection[str], declaring: dict[str, str]) -> bool:
        """Whether files around or code may add one of the scripts."""
        around = (script.encode() for script in sorted(declaring))
        if any(self._players.is_mentioned_around(place, script) for script in around for place in sorted(places)):
            return True
        added = {name for path in self._sources.guids for name in self._project.facts(path, ADDED)}
        return any(name in added for path in declaring.values() for name, _ in self._types(path))


def _has_all_code(project: View) -> bool:
    """Whether all scripts are here, and of the project or Unity."""
    packages = project.packages.list
    if packages.unknown or not all(row.name.startswith(_UNITYS) for row in packages.rows):
        return False
    scripts = project.scripts
    return project.empty_among(scripts, len(scripts) // FILES_TO_AN_EMPTY_ONE) is not None


def _undeclared(project: View, names: Collection[str]) -> frozenset[str]:
    """Return names that neither C# nor a library of the project has."""
    left = {name for name in names if name not in METHODS}
    for path in sorted(project.scripts):
        if not left - {""}:
            break
        known = project.facts(path, METHODS_OF_SCRIPTS)
        left = left - known
    for asset in project.database.ending(".dll") if left - {""} else ():
        data = project.read(asset.path) or b""
        left = {name for name in left if not name or name.encode() not in data}
    return frozenset(left)
