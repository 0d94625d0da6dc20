"""References that a file makes by name, and no GUID says.

A model finds its materials by their names (``assetdb.unity.importers.model_materials``), a SpeedTree the materials in
the folder beside it, a shader its ``Fallback`` by the name that the fallback declares, a font the others of its family
(``assetdb.unity.content.fonts``). Which asset that is depends on all others'
names, so these references are in no index: they are found when a question needs them, from the files as they are now.
Facts of a file are kept by the identity of the file and its meta (``assetdb.query.graph.sought``), in memory and for
the next process; nothing else is kept, so nothing can be stale.
"""

from __future__ import annotations

import os
import re
import time
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from assetdb.query.graph.sought import KeptNames, Sought
from assetdb.settings.project import META, files_of
from assetdb.system.cancelling import check_cancelled
from assetdb.system.identity import RACY, Identities
from assetdb.unity.kinds import BYTE_ORDER_MARK, FONTS, extension_of
from assetdb.unity.settings.editor_version import VERSION_FILE, unity_version

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.store.entry import Asset

_MEMORY: Final = "names that files look for"
_MODELS: Final = frozenset(("fbx", "obj"))
_TREES: Final = frozenset(("spm", "st"))
_SHADER: Final = "shader"
MATERIAL: Final = "mat"
_FIRST_WITHOUT_TIMES: Final = (2018, 1)
_FONT_SUFFIXES: Final = tuple(f".{extension}" for extension in sorted(FONTS))
_SUFFIXES: Final = {
    _SHADER: (".shader",),
    MATERIAL: (".fbx", ".obj", ".spm", ".st"),
    **dict.fromkeys(FONTS, _FONT_SUFFIXES),
}
FOUND_OR_FINDING: Final = frozenset((MATERIAL, *_MODELS, *_TREES))
"""Extensions of the assets that find others, or are found, by their paths."""
_NAME: Final = re.compile(rb'^[ \t]*Shader[ \t\r\n]*"([^"\r\n]{1,512})"', re.MULTILINE)
_COMMENT: Final = re.compile(rb"//[^\r\n]*+|/\*(?:.*?\*/|.*)", re.DOTALL)
_ELSEWHERE: Final = re.compile(rb'\b(?:Fallback\s*"([^"\r\n]+)"|UsePass\s*"([^"\r\n]+)/[^"/\r\n]*")', re.IGNORECASE)


class _Materials(NamedTuple):
    """All materials: GUIDs by path, and paths by name in lower case."""

    guids: dict[str, str]
    paths: dict[str, list[str]]


class NamedReferences:
    """The references by name of one project, found when asked for."""

    def __init__(self, project: Snapshot, moved: Callable[[str], str] = str) -> None:
        """Find nothing yet.

        Args:
            project: as it is.
            moved: returns the path that an asset is to have; ``""`` where Unity will not see it.
        """
        self._project = project
        self._moved = moved
        self._identities = Identities(time.time_ns())
        self._users: dict[str, dict[str, list[str]]] = {}

    def targets(self, asset: Asset) -> list[str]:
        """Return the GUIDs of the assets that an asset finds by name."""
        extension, path = extension_of(asset.path), self._moved(asset.path)
        if not path:
            return []
        if extension in _MODELS:
            from assetdb.unity.importers.model_materials import SoughtMaterials, found_materials  # noqa: PLC0415 - models only

            sought = self._sought(asset.path)
            if not sought.names:
                return []
            names, paths = SoughtMaterials(sought.names, sought.search), self._materials.paths
            places = found_materials(path, names, lambda name: paths.get(name, []))
            return [self._materials.guids[place] for place in places]
        if extension in _TREES:
            folder = f"{path.rpartition('.')[0]} Materials/"
            return [guid for place, guid in self._materials.guids.items() if place.startswith(folder)]
        if extension == _SHADER:
            declared = (names[0] for names in self._sought(asset.path).names)
            found = dict.fromkeys(self._shaders[name] for name in declared if name in self._shaders)
            return [guid for guid in found if guid != asset.guid]
        if extension in FONTS:
            return self._earlier_fonts(asset)
        return []

    def _earlier_fonts(self, asset: Asset) -> list[str]:
        """Return the fonts of a font's families that were imported before it.

        None are known where Unity writes no times to metas: its rows have such a family in projects of 5.6 alone.
        """
        if not self._has_times:
            return []
        sought = self._sought(asset.path)
        place = sought.search, asset.guid
        found = (row for names in sought.names for family in names for row in self._fonts.get(family, ()))
        return list(dict.fromkeys(guid for created, guid in found if (created, guid) < place))

    def users(self, asset: Asset) -> list[str]:
        """Return the GUIDs of assets that find one by name."""
        kind = extension_of(asset.path)
        if kind not in self._users:
            users: dict[str, list[str]] = {}
            for user in self._ending(_SUFFIXES.get(kind, ())):
                check_cancelled()
                for target in self.targets(user):
                    users.setdefault(target, []).append(user.guid)
            self._users[kind] = users
            self.keep()
        return self._users[kind].get(asset.guid, [])

    def finders(self) -> dict[str, Asset]:
        """Return the assets that find others by their paths."""
        return {asset.path: asset for asset in self._ending(_SUFFIXES[MATERIAL])}

    def lost(self, asset: Asset, former: Mapping[str, str]) -> list[str]:
        """Return the former materials that one found, and nothing instead.

        Args:
            asset: a model or a SpeedTree.
            former: the GUIDs of materials by the paths that they had.
        """
        if extension_of(asset.path) in _TREES:
            folder = f"{asset.path.rpartition('.')[0]} Materials/"
            current = set(self.targets(asset))
            removed = former.keys() - self._materials.guids.keys()
            return sorted(path for path in removed if path.startswith(folder) and former[path] not in current)
        from assetdb.unity.importers.model_materials import SoughtMaterials, found_materials  # noqa: PLC0415 - models only

        sought, paths = self._sought(asset.path), self._materials.paths
        before = _by_name(former)
        found: dict[str, None] = {}
        for names in sought.names:
            one = SoughtMaterials((names,), sought.search)
            if not found_materials(asset.path, one, lambda name: paths.get(name, [])):
                found.update(dict.fromkeys(found_materials(asset.path, one, lambda name: before.get(name, []))))
        return list(found)

    def keep(self) -> None:
        """Keep the names that were read for the next process."""
        self._kept.write(lambda: {asset.path for asset in self._ending((*chain(*_SUFFIXES.values()),))})

    # --- the names of all assets

    def _ending(self, suffixes: Iterable[str]) -> Iterator[Asset]:
        for suffix in suffixes:
            yield from self._project.database.ending(suffix)

    @cached_property
    def _materials(self) -> _Materials:
        guids = {self._moved(asset.path): asset.guid for asset in self._ending((f".{MATERIAL}",))}
        guids.pop("", None)
        return _Materials(guids, _by_name(guids))

    @cached_property
    def _shaders(self) -> dict[str, str]:
        """The GUIDs of shaders by the name that they declare."""
        found: dict[str, str] = {}
        for asset in self._ending(_SUFFIXES[_SHADER]):
            own = self._sought(asset.path).own
            if own:
                found.setdefault(own, asset.guid)
        return found

    @cached_property
    def _has_times(self) -> bool:
        """Whether Unity writes ``timeCreated`` to metas, which it does up to 2017."""
        return unity_version(self._project.read(VERSION_FILE) or b"") < _FIRST_WITHOUT_TIMES

    @cached_property
    def _fonts(self) -> dict[str, list[tuple[int, str]]]:
        """Time and GUID of fonts, in this order, by family."""
        found: dict[str, list[tuple[int, str]]] = {}
        for asset in self._ending(_FONT_SUFFIXES):
            check_cancelled()
            sought = self._sought(asset.path)
            if sought.own:
                found.setdefault(sought.own, []).append((sought.search, asset.guid))
        return {family: sorted(set(rows)) for family, rows in found.items()}

    # --- facts of one file

    def _sought(self, path: str) -> Sought:
        place = self._file_of(path)
        stem = self._moved(path).rpartition("/")[2].rpartition(".")[0]
        identity = self._identity(place), self._identity(place + META)
        if stem != path.rpartition("/")[2].rpartition(".")[0]:
            return _read(path, stem, self._project)
        found = self._kept.get(path, *identity)
        if found is None:
            found = _read(path, stem, self._project)
            self._kept.put(path, *identity, found)
        return found

    @cached_property
    def _file_of(self) -> Callable[[str], str]:
        return files_of(self._project.root)

    @cached_property
    def _kept(self) -> KeptNames:
        held = self._project.memory.get(_MEMORY)
        return cast("KeptNames", held or self._project.memory.setdefault(_MEMORY, KeptNames(self._project.folder)))

    def _identity(self, place: str) -> int:
        try:
            return self._identities.of(os.stat(place))
        except OSError:
            return RACY


def _by_name(materials: Iterable[str]) -> dict[str, list[str]]:
    """Return the paths of materials by their names in lower case."""
    paths: dict[str, list[str]] = {}
    for path in sorted(materials):
        paths.setdefault(path.rpartition("/")[2].rpartition(".")[0].lower(), []).append(path)
    return paths


def _read(path: str, stem: str, project: Snapshot) -> Sought:
    """Return the names that a file looks for."""
    extension = extension_of(path)
    if extension == _SHADER:
        text = _COMMENT.sub(b" ", (project.read(path) or b"").removeprefix(BYTE_ORDER_MARK))
        own = _NAME.search(text)
        others = dict.fromkeys((one or two).decode(errors="replace") for one, two in _ELSEWHERE.findall(text))
        return Sought(tuple((name,) for name in others), 0, own[1].decode(errors="replace") if own else "")
    if extension in FONTS:
        from assetdb.unity.content.fonts import sought_fonts  # noqa: PLC0415 - fonts only

        fonts = sought_fonts(project.read(path + META) or b"", project.read(path) or b"")
        return Sought(tuple((name,) for name in fonts.families), fonts.created, fonts.own)
    from assetdb.unity.importers.model_materials import sought_materials  # noqa: PLC0415 - models only

    meta = project.read(path + META) or b""
    return Sought(*sought_materials(extension, stem, meta, lambda: project.read(path) or b""))
