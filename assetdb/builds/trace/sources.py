"""What a project has that built objects may have been made of: by PathID, by class and name, by class of a script."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.builds.groups.plan import extension_of
from assetdb.project import asset_file
from assetdb.resolve.instances import Imported
from assetdb.system.pausing import beside, pause_here, paused
from assetdb.system.reading import read_file
from assetdb.unity.classes import canonical_file_id, class_name
from assetdb.unity.kinds import DOCUMENTS, kind_of
from formats.unityfs.identity import BUILTIN_EXTRA, IMPORTED, NATIVE, builtin_path_id, object_path_id

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from assetdb.query.snapshot import Snapshot
    from assetdb.store.entry import Asset
    from formats.unityfs.player import Script

MOST_HASHES: Final = 400_000
"""Candidates that are hashed to find PathIDs (40 us each); the likeliest assets are tried first."""
_MONO_SCRIPT: Final = "MonoScript"
_MONO_BEHAVIOUR: Final = 114
_TEXTURES: Final = (2800000, 21300000, 8900000)
_BUILTIN_IDS: Final = range(1, 20_000)
_TEXTURE: Final = 28
_SCRIPT_ID: Final = 11500000
_LARGEST_SOURCE: Final = 1 << 22
_NAMESPACE: Final = re.compile(rb"^[ \t]*namespace[ \t]+([\w.]+)", re.MULTILINE)
_MODIFIERS: Final = rb"(?:(?:public|internal|private|protected|sealed|abstract|static|partial|unsafe|new)[ \t]+)*"
_CLASS: Final = rb"^[ \t]*(?:\[[^\]\n]*\][ \t]*)*" + _MODIFIERS + rb"class[ \t]+%b(?![\w])"
# Objects that lie in every scene and prefab by the same few names: a name says nothing of them.
_OF_MODELS: Final = frozenset(("Mesh", "AnimationClip", "Avatar"))
_MODEL: Final = 1
_NAMELESS: Final = frozenset(("GameObject", "Transform", "RectTransform", "PrefabInstance", "Prefab", "AssetBundle"))


class Source(NamedTuple):
    """An object of a project. ``guid`` is ``""`` for Unity's own, ``file_id`` None for an asset as a whole."""

    guid: str
    file_id: int | None
    path: str


class Sources:
    """The objects of a project, found as built ones name them."""

    def __init__(self, project: Snapshot) -> None:
        """Take a project whose files are up to date."""
        self.project = project
        self._by_name: dict[tuple[str, str], list[Source]] | None = None
        self._of_models: dict[tuple[str, str], list[Source]] | None = None
        self._paths: dict[str, Asset] | None = None

    # --- by PathID -------------------------------------------------------------------------------------------------

    def by_path_id(self, wanted: Collection[int], likely: Iterable[str]) -> tuple[dict[int, Source], bool]:
        """Return what PathIDs were made of, and whether all of the project was tried.

        Args:
            wanted: PathIDs.
            likely: paths of assets to try first.
        """
        left = set(wanted)
        found: dict[int, Source] = {}
        hashes = 0
        paths = self.by_path
        first = [paths[path.casefold()] for path in dict.fromkeys(likely) if path.casefold() in paths]
        seen = {asset.guid for asset in first}
        rest = (asset for asset in self.project.database if asset.guid not in seen)
        for asset in (*first, *rest):
            if not left:
                break
            if hashes > MOST_HASHES:
                return found, False
            pause_here()
            for file_id, path_id in self.path_ids(asset):
                hashes += 1
                if path_id in left:
                    left.discard(path_id)
                    found[path_id] = Source(asset.guid, file_id, asset.path)
        for path_id in left.intersection(beside(_builtin)) if left else ():
            found[path_id] = Source("", _builtin()[path_id], BUILTIN_EXTRA)
        return found, True

    def path_ids(self, asset: Asset) -> Iterator[tuple[int, int]]:
        """Yield the fileID and the PathID of each object that an asset may have."""
        extension = extension_of(asset.path)
        is_native = kind_of(extension).content == DOCUMENTS and extension != "prefab"
        for file_id in sorted(self._file_ids(asset)):
            yield file_id, object_path_id(asset.guid, NATIVE if is_native else IMPORTED, file_id)

    def _file_ids(self, asset: Asset) -> set[int]:
        found = {row.file_id for row in asset.sub_assets}
        extension = extension_of(asset.path)
        if extension == "cs":
            return {_SCRIPT_ID}
        content = self.project.resolver.content(asset.guid)
        if not isinstance(content, str):
            found.update(content.objects)
        main = canonical_file_id(asset.class_id)
        if main:
            found.add(main)
        if asset.class_id == _TEXTURE:
            found.update(_TEXTURES)
        return found

    # --- by name ---------------------------------------------------------------------------------------------------

    def by_name(self, kind: str, name: str) -> list[Source]:
        """Return the objects of a class and a name: of a MonoBehaviour's the class is that of its script."""
        if self._by_name is None:
            named: dict[tuple[str, str], list[Source]] = {}
            for asset in paused(self.project.database):
                for key, source in self._named(asset):
                    named.setdefault(key, []).append(source)
            self._by_name = named  # when it is whole: in a daemon others ask in the pauses, and work may end in one
        found = self._by_name.get((kind, name), [])
        return [*found, *self._in_models.get((kind, name), ())] if kind in _OF_MODELS else found

    @property
    def _in_models(self) -> dict[tuple[str, str], list[Source]]:
        """Objects of models by class and name, read from all of them when the first is asked for."""
        if self._of_models is None:
            found: dict[tuple[str, str], list[Source]] = {}
            for asset in paused(self.project.database):
                if asset.class_id != _MODEL:
                    continue
                content = self.project.resolver.content(asset.guid)
                for file_id, item in content.objects.items() if isinstance(content, Imported) else ():
                    if item.class_name in _OF_MODELS and item.certain and item.path:
                        # ``Beams.004`` of a meta is ``Beams_004`` in the player (Granary.fbx of Urbanize).
                        for name in dict.fromkeys((item.path, item.path.replace(".", "_"))):
                            source = Source(asset.guid, file_id, asset.path)
                            found.setdefault((item.class_name, name), []).append(source)
            self._of_models = found
        return self._of_models

    def names_of(self, asset: Asset) -> set[str]:
        """Return what the objects of an asset are called in a build."""
        found = {stem_of(asset.path), *(row.name for row in asset.sub_assets)}
        if asset.class_id == _MODEL:
            found.update(name for (_, name), rows in self._in_models.items() if any(r.guid == asset.guid for r in rows))
        return found - {""}

    def _named(self, asset: Asset) -> Iterator[tuple[tuple[str, str], Source]]:
        stem = stem_of(asset.path)
        kind = class_name(asset.class_id)
        if asset.class_id == _MONO_BEHAVIOUR and asset.script:
            script = self.project.assets.by_guid(asset.script)
            kind = stem_of(script.path) if script is not None else ""
        if kind and kind not in _NAMELESS:
            yield (kind, stem), Source(asset.guid, canonical_file_id(asset.class_id), asset.path)
        for row in asset.sub_assets:
            inner = class_name(row.class_id)
            if inner and inner not in _NAMELESS:
                yield (inner, row.name), Source(asset.guid, row.file_id, asset.path)

    @property
    def by_path(self) -> dict[str, Asset]:
        """The assets by their paths, folded as bundles have them."""
        if self._paths is None:
            self._paths = {asset.path.casefold(): asset for asset in paused(self.project.database)}
        return self._paths

    # --- scripts ---------------------------------------------------------------------------------------------------

    def of_script(self, script: Script) -> tuple[list[Source], list[Source]]:
        """Return the source files that declare the class of a script, and those that are only called so."""
        declared: list[Source] = []
        called: list[Source] = []
        for source in self.by_name(_MONO_SCRIPT, script.name):
            if extension_of(source.path) != "cs":
                continue
            source = source._replace(file_id=_SCRIPT_ID)  # noqa: PLW2901 - the same, as references have it
            (declared if self._declares(source.path, script) else called).append(source)
        return declared, called

    def _declares(self, path: str, script: Script) -> bool:
        data = (read_file(asset_file(self.project.root, path)) or b"")[:_LARGEST_SOURCE].removeprefix(b"\xef\xbb\xbf")
        if re.search(_CLASS.replace(b"%b", re.escape(script.name).encode()), data, re.MULTILINE) is None:
            return False
        spaces = {match[1].decode("ascii", "replace") for match in _NAMESPACE.finditer(data)}
        return script.namespace in spaces if script.namespace else not spaces


@cache
def _builtin() -> dict[int, int]:
    """Return the fileID of each of Unity's own objects by its PathID; they take a second to hash."""
    return {builtin_path_id(file_id): file_id for file_id in _BUILTIN_IDS}


def stem_of(path: str) -> str:
    """Return the name of a file without its extension: what Unity calls the main object."""
    name = path.rpartition("/")[2]
    return name.rpartition(".")[0] or name
