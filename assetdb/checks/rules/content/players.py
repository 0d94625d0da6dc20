"""Hierarchies that play an animation clip, where all of them are known.

Known are the Animators and Animations of prefabs and scenes. Whatever else refers to a clip or its controller may play
it anywhere: a field of a script, a timeline, a folder from which code loads.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from itertools import chain, islice
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.checks.rules.addressables import group_entries
from assetdb.contents.hierarchy import Hierarchy
from assetdb.unity.kinds import extension_of, extensions_named_by
from assetdb.unity.settings.addressables import GROUP_SCRIPT
from assetdb.unity.yaml.documents import documents
from assetdb.unity.yaml.objects import TextObject
from assetdb.unity.yaml.scalars import scalar_at
from assetdb.unity.yaml.stored_values import OVERRIDE_ROW

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from assetdb.contents.hierarchy import Component, Node
    from assetdb.contents.opened import Part
    from assetdb.memo.view import View

_VERSION: Final = "2"
_CONTROLLERS: Final = ("controller", "overridecontroller")
_PLAYABLE: Final = ("anim", *_CONTROLLERS)
_PLACES: Final = ("prefab", "unity")
_MODELS: Final = extensions_named_by("model")
_PLAYERS: Final = frozenset((95, 111))
_CLASSES: Final = ("Animator", "Animation")
_PLAYED: Final = re.compile(rb"m_Controller|m_Animations?\b")
_RESOURCES: Final = "/resources/"
_BUNDLE: Final = re.compile(rb"\n  assetBundleName: \S")
_NAMED: Final = re.compile(rb"(?:m_Name|value): ([^\r\n]*)")
_NAMED_OTHERWISE: Final = re.compile(rb"(?:m_Name|value):(?= (?:['\"]|[^\r\n]{60}))")  # in quotes, or folded
_GUID: Final = re.compile(rb"guid: ([0-9a-f]{32})")


class Player(NamedTuple):
    """An object with a component that plays clips.

    Attributes:
        name: of the object.
        paths: of the objects below it, as clips name them.
        closed: paths of objects that are not opened, below which anything may be.
        scripts: GUIDs of the scripts of the object itself.
        played: GUIDs of what its components play, as they are saved.
        is_overridden: whether instances change these components.
        is_whole: whether all components of the object are known.
    """

    name: str
    paths: frozenset[str]
    closed: tuple[str, ...]
    scripts: frozenset[str]
    played: frozenset[str]
    is_overridden: bool
    is_whole: bool

    def may_have(self, path: str) -> bool:
        """Whether there may be an object with a path."""
        return path in self.paths or any(not each or f"{path}/".startswith(f"{each}/") for each in self.closed)


class _Place(NamedTuple):
    """A prefab or scene.

    Attributes:
        players: all in it, None if there are too many objects.
        elsewhere: clips and controllers to which not only its players refer.
        overridden: clips and controllers that its instances choose.
    """

    players: tuple[Player, ...] | None
    elsewhere: frozenset[str]
    overridden: frozenset[str]


class Players:
    """The players of a project, found on demand."""

    def __init__(self, project: View) -> None:
        self._project = project
        self._loaded: tuple[frozenset[str], tuple[str, ...]] | None = None
        self._places: dict[str, _Place] = {}

    def places_of(self, guid: str) -> dict[str, frozenset[str]] | None:
        """Return prefabs and scenes that play a clip, None if others may.

        Each with the assets that it has played: the clip itself, or controllers with it.
        """
        places: dict[str, set[str]] = {}
        waiting, seen = [guid], {guid}
        while waiting:
            played = waiting.pop()
            asset = self._project.database.by_guid(played)
            if asset is None or self._may_be_loaded(played, asset.path):
                return None
            for user in self._project.users([played]).get(played, ()):
                found = self._project.database.by_guid(user)
                extension = extension_of(found.path) if found is not None else ""
                if extension in _PLACES:
                    places.setdefault(user, set()).add(played)
                elif extension not in _CONTROLLERS:
                    return None
                elif user not in seen:
                    seen.add(user)
                    waiting.append(user)
        return {place: frozenset(all_played) for place, all_played in sorted(places.items())}

    def players_in(self, guid: str, played: frozenset[str]) -> list[Player] | None:
        """Return the players in a file, None if it has other uses."""
        if guid not in self._places:
            key = f"players in {guid}"
            self._places[guid] = self._project.part(key, _VERSION, lambda view: _place_of(view, guid), _CODEC)
        place = self._places[guid]
        if place.players is None or place.elsewhere & played:
            return None
        is_chosen = bool(place.overridden & played)
        return [player for player in place.players if player.played & played or (is_chosen and player.is_overridden)]

    def described(self, place: str, player: Player, count: int) -> str:
        """Return where a player is, with the number of all of ``count``."""
        asset = self._project.database.by_guid(place)
        more = f" and {count - 1:,} more" if count > 1 else ""
        return f"{player.name} in {asset.path if asset is not None else place}{more}"

    def is_mentioned_around(self, guid: str, text: bytes) -> bool:
        """Whether a prefab or scene that nests a file has a text.

        It may add objects and components to players in the file, or give objects other names.
        """
        return any(text in data for data in self._around(guid))

    def named_around(self, guid: str, names: Collection[str]) -> set[str]:
        """Return names that a prefab or scene around a file has."""
        wanted, found = {name.encode() for name in names}, set[str]()
        for data in self._around(guid) if names else ():
            found |= _named_in(data, wanted)
            if len(found) == len(wanted):
                break
        return found

    def _around(self, guid: str) -> Iterator[bytes]:
        """Yield the prefabs and scenes that nest a file."""
        waiting, seen = [guid], {guid}
        while waiting:
            nested = waiting.pop()
            for user in self._project.users([nested]).get(nested, ()):
                asset = self._project.database.by_guid(user)
                if asset is None or user in seen or extension_of(asset.path) not in _PLACES:
                    continue
                seen.add(user)
                waiting.append(user)
                yield self._project.read(asset.path) or b""

    def _may_be_loaded(self, guid: str, path: str) -> bool:
        """Whether code may load an asset by a name."""
        if self._loaded is None:
            entries: set[str] = set()
            folders: list[str] = []
            for group in self._project.database.of_script(GROUP_SCRIPT):
                for entry, _, _ in group_entries(self._project.read(group.path) or b""):
                    folder = self._project.database.folder(entry) if entry else None
                    folders += [f"{folder}/"] if folder else []
                    entries.add(entry)
            self._loaded = frozenset(entries), tuple(folders)
        if guid in self._loaded[0] or path.startswith(self._loaded[1]) or _RESOURCES in f"/{path}".casefold():
            return True
        return _BUNDLE.search(self._project.read(f"{path}.meta") or b"") is not None


def _place_of(project: View, guid: str) -> _Place:
    """Return the players of a prefab or scene."""
    asset = project.database.by_guid(guid)
    data = (project.read(asset.path) if asset is not None else None) or b""
    playable = {each for each in {match[1].decode() for match in _GUID.finditer(data)} if _is_playable(project, each)}
    overridden, spans = set(), []
    for row in OVERRIDE_ROW.finditer(data) if playable else ():
        chosen = row[7].decode().lower() if row[7] else ""
        if chosen in playable and _PLAYED.match(row[3]):
            overridden.add(chosen)
            spans.append(row.span())
    every = documents(data) if playable else []
    spans += [(item.start, item.end) for item in every if item.class_id in _PLAYERS and not item.stripped]
    spans.sort()
    elsewhere = {
        match[1].decode()
        for match in _GUID.finditer(data)
        if match[1].decode() in playable and not _is_within(spans, match.start())
    }
    hierarchy = Hierarchy(project.resolver.content, guid)
    players = tuple(_players_of(project, list(hierarchy.nodes(having=_is_player))))
    return _Place(None if hierarchy.truncated else players, frozenset(elsewhere), frozenset(overridden))


def _named_in(data: bytes, wanted: Collection[bytes]) -> set[str]:
    """Return wanted names that objects of a file have or get.

    Whole ones: Main is no beginning of "Main Camera", which nearly every scene has (BoatAttack). All in one search: one
    for each path of a clip, with a pattern of its name, took 80 s of a name of 1 MB, and minutes of 1,000 paths.
    """
    found = {value for value in map(bytes.rstrip, _NAMED.findall(data)) if value in wanted}
    for match in _NAMED_OTHERWISE.finditer(data):
        column = match.start() - data.rfind(b"\n", 0, match.start()) - 1
        name = scalar_at(data, match.end(), column).encode("utf-8", "replace")
        if name in wanted:
            found.add(name)
    return {name.decode() for name in found}


def _is_within(spans: list[tuple[int, int]], place: int) -> bool:
    """Whether a place is in one of some sorted spans."""
    number = bisect_right(spans, (place, place)) - 1
    return number >= 0 and place < spans[number][1]


def _is_playable(project: View, guid: str) -> bool:
    asset = project.database.by_guid(guid)
    return asset is not None and extension_of(asset.path) in _PLAYABLE


def _players_of(project: View, nodes: list[Node]) -> Iterator[Player]:
    for place, node in enumerate(nodes):
        components = [each for each in node.components if not each.removed]
        playing = [each for each in components if _is_player(each)]
        if playing and not node.removed:
            scripts = frozenset(each.script[1] for each in components if each.script[1])
            played = frozenset(chain.from_iterable(_played(project, each.guid, each.source_id) for each in playing))
            is_overridden = any(each.overridden for each in playing)
            below = _below(project, nodes, place)
            yield Player(node.name, *below, scripts, played, is_overridden, _is_whole(project, node))


def _is_player(component: Component | Part) -> bool:
    return component.class_id in _PLAYERS or component.class_name in _CLASSES


def _below(project: View, nodes: list[Node], place: int) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the paths below an object, and those that are closed."""
    names: list[str] = []
    paths, closed = set(), [""] if _is_closed(project, nodes[place]) else []
    for node in islice(nodes, place + 1, None):
        level = node.depth - nodes[place].depth
        if level <= 0:
            break
        del names[level - 1 :]
        names.append(node.name)
        path = "/".join(names)
        paths.add(path)
        if _is_closed(project, node):
            closed.append(path)
    return frozenset(paths), tuple(closed)


def _played(project: View, guid: str, file_id: int) -> Iterator[str]:
    """Yield the GUIDs in the document of a component."""
    content = project.resolver.content(guid)
    item = content.objects.get(file_id) if not isinstance(content, str) else None
    if isinstance(item, TextObject):
        yield from (match[1].decode() for match in _GUID.finditer(item.body))


def _is_closed(project: View, node: Node) -> bool:
    """Whether there may be more below an object than is listed."""
    if node.reason or not node.source_id:
        return True
    asset = project.database.by_guid(node.guid)
    return asset is None or extension_of(asset.path) not in _PLACES


def _is_whole(project: View, node: Node) -> bool:
    """Whether all scripts of an object are known."""
    asset = project.database.by_guid(node.guid)
    kinds = (*_PLACES, *_MODELS)
    return not node.reason and bool(node.source_id) and asset is not None and extension_of(asset.path) in kinds


def _encoded(place: _Place) -> bytes:
    return json.dumps(place, default=sorted, separators=(",", ":")).encode()


def _decoded(data: bytes) -> _Place:
    rows, elsewhere, overridden = json.loads(data)
    players = None
    if rows is not None:
        players = tuple(
            Player(name, frozenset(paths), tuple(closed), frozenset(scripts), frozenset(played), *map(bool, known))
            for name, paths, closed, scripts, played, *known in rows
        )
    return _Place(players, frozenset(elsewhere), frozenset(overridden))


_CODEC: Final = (_encoded, _decoded)
