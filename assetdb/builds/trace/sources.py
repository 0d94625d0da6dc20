"""Candidates of a project for built objects, by PathID, name and class."""

from __future__ import annotations

import json
import re
from functools import cache, cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.builds.trace.contents import UNKNOWN, Contents, stem_of
from assetdb.builds.trace.placed import Hierarchies
from assetdb.resolve.instances import Imported
from assetdb.settings.project import META, asset_file
from assetdb.system.cancelling import check_cancelled
from assetdb.system.reading import read_file
from assetdb.unity.engine.builtin import built_in_names
from assetdb.unity.engine.classes import canonical_file_id, class_name
from assetdb.unity.kinds import ASSET_MAIN, DOCUMENTS, SCRIPT_MAIN, extension_of, kind_of
from assetdb_formats.unityfs.identity import BUILTIN_EXTRA, IMPORTED, NATIVE, builtin_path_id, object_path_id

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.store.entry import Asset
    from assetdb_formats.unityfs.serialized_files.player import Script

MOST_HASHES: Final = 400_000
"""Candidates that are hashed to find PathIDs (40 us each); the likeliest assets are tried first."""
_MONO_SCRIPT: Final = "MonoScript"
_MONO_BEHAVIOUR: Final = 114
_TEXTURES: Final = (2800000, 21300000, 8900000)
_CUBEMAP: Final = "Cubemap"
_CUBEMAP_ID: Final = 8900000
_TEXTURE_2D: Final = "Texture2D"
# Unity 5.5 and later have the shape; 5.4 has only how the six sides are cut from the picture.
_SHAPE: Final = re.compile(rb"\A(?:.*\n  textureShape: (\d)|.*\n  generateCubemap: (\d))", re.DOTALL)
_BUILTIN_IDS: Final = range(1, 20_000)
_TEXTURE: Final = 28
_SHADER: Final = 48
_LARGEST_SOURCE: Final = 1 << 22
_OF_UNITY: Final = ("UnityEngine", "UnityEditor", "Unity.")
_BY_GUID: Final = "GUID:"
_PREDEFINED: Final = ("Assembly-", "Assembly - ")  # ``Assembly - CSharp - first pass`` in Unity 3
_NAMESPACE: Final = re.compile(rb"^[ \t]*namespace[ \t]+([\w.]+)", re.MULTILINE)
_MODIFIERS: Final = rb"(?:(?:public|internal|private|protected|sealed|abstract|static|partial|unsafe|new)[ \t]+)*"
_CLASS: Final = rb"^[ \t]*(?:\[[^\]\n]*\][ \t]*)*" + _MODIFIERS + rb"class[ \t]+%b(?![\w])"
_SMALL: Final = 1 << 31
_OF_MODELS: Final = frozenset(("Mesh", "AnimationClip", "Avatar"))
_MODEL: Final = 1
# Every scene and prefab has objects with a few usual names: for them a name is no evidence.
_NAMELESS: Final = frozenset(("GameObject", "Transform", "RectTransform", "PrefabInstance", "Prefab", "AssetBundle"))


class Source(NamedTuple):
    """An object of a project.

    ``guid`` is ``""`` for Unity's own, ``file_id`` None for an asset as a whole.
    """

    guid: str
    file_id: int | None
    path: str


class Sources:
    """The objects of a project, found as built ones name them."""

    def __init__(self, project: Snapshot) -> None:
        """Take a project with files that are up to date."""
        self.project = project
        self.contents = Contents(project)
        self.hierarchies = Hierarchies(project, self.contents)

    # --- by PathID -------------------------------------------------------------------------------------------------

    def by_path_id(self, wanted: Collection[int], likely: Iterable[str]) -> tuple[dict[int, Source], bool]:
        """Return the sources of PathIDs, likely paths first, and whether complete."""
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
            check_cancelled()
            for file_id, path_id in self.path_ids(asset):
                hashes += 1
                if path_id in left:
                    left.discard(path_id)
                    found[path_id] = Source(asset.guid, file_id, asset.path)
        for path_id in left.intersection(_builtin_path_ids()) if left else ():
            found[path_id] = Source("", _builtin_path_ids()[path_id], BUILTIN_EXTRA)
        return found, True

    def path_ids(self, asset: Asset) -> Iterator[tuple[int, int]]:
        """Yield fileID and PathID of each object of an asset."""
        extension = extension_of(asset.path)
        is_native = kind_of(extension).content == DOCUMENTS and extension != "prefab"
        for file_id in sorted(self._file_ids(asset)):
            yield file_id, object_path_id(asset.guid, NATIVE if is_native else IMPORTED, file_id)

    def _file_ids(self, asset: Asset) -> set[int]:
        found = {row.file_id for row in asset.sub_assets}
        extension = extension_of(asset.path)
        if extension == "cs":
            return {SCRIPT_MAIN}
        content = self.project.resolver.content(asset.guid)
        if not isinstance(content, str):
            found.update(content.objects)
        main = canonical_file_id(asset.class_id)
        if main:
            found.add(main)
        if asset.class_id == _TEXTURE:
            found.update(_TEXTURES)
        return found

    def is_built_in(self, kind: str, name: str) -> bool:
        """Whether one of Unity's own objects has this class and name."""
        return (kind, name) in self._builtin_names

    @cached_property
    def _builtin_names(self) -> frozenset[tuple[str, str]]:
        # Importers give the objects of every font the names that they have in Unity's own fonts.
        return built_in_names() - {("Material", "Font Material"), ("Texture2D", "Font Texture")}

    # --- by name ---------------------------------------------------------------------------------------------------

    def by_name(self, kind: str, name: str) -> list[Source]:
        """Return objects by name and class (a MonoBehaviour's script)."""
        found = self._by_name.get((kind, name), [])
        if kind == _CUBEMAP:
            textures = self._by_name.get((_TEXTURE_2D, name), ())
            return [*found, *(row._replace(file_id=_CUBEMAP_ID) for row in textures if self._is_cubemap(row.path))]
        return [*found, *self._in_models.get((kind, name), ())] if kind in _OF_MODELS else found

    @cached_property
    def _by_name(self) -> dict[tuple[str, str], list[Source]]:
        named: dict[tuple[str, str], list[Source]] = {}
        for asset in self.project.database:
            for key, source in self._named(asset):
                named.setdefault(key, []).append(source)
        return named

    def _is_cubemap(self, path: str) -> bool:
        """Whether the meta of a texture says that it is a cubemap."""
        found = _SHAPE.search(read_file(asset_file(self.project.root, path) + META) or b"")
        return found is not None and (found[1] == b"2" if found[1] else found[2] != b"0")

    @cached_property
    def _in_models(self) -> dict[tuple[str, str], list[Source]]:
        """Objects of all models by class and name."""
        found: dict[tuple[str, str], list[Source]] = {}
        for asset in self.project.database:
            if asset.class_id != _MODEL:
                continue
            content = self.project.resolver.content(asset.guid)
            for file_id, item in content.objects.items() if isinstance(content, Imported) else ():
                # A small fileID is in the meta's table, which also has what the model had when the player was built
                # (BaseRing of Granary.fbx in Urbanize); others that are not certain are guesses.
                is_known = item.certain or 0 < file_id < _SMALL
                if item.class_name in _OF_MODELS and is_known and item.path:
                    # ``Beams.004`` of a meta is ``Beams_004`` in the player (Granary.fbx of Urbanize).
                    for name in dict.fromkeys((item.path, item.path.replace(".", "_"))):
                        source = Source(asset.guid, file_id, asset.path)
                        found.setdefault((item.class_name, name), []).append(source)
        return found

    def names_of(self, asset: Asset) -> set[str]:
        """Return the names of an asset's objects in a build."""
        found = {name for (_, name), _ in self._named(asset)}
        if asset.class_id == _MODEL:
            found.update(name for (_, name), rows in self._in_models.items() if any(r.guid == asset.guid for r in rows))
        return found - {""}

    def _named(self, asset: Asset) -> Iterator[tuple[tuple[str, str], Source]]:
        main = Source(asset.guid, canonical_file_id(asset.class_id), asset.path)
        kind, name = class_name(asset.class_id), stem_of(asset.path)
        if asset.class_id == _MONO_BEHAVIOUR:
            kind = self.kind_of(asset)
        if asset.class_id == _SHADER:
            name = self.contents.shader_name(asset.path)
        if kind and name and kind not in _NAMELESS:
            yield (kind, name), main
        for row in asset.sub_assets:
            inner = class_name(row.class_id)
            if inner and inner not in _NAMELESS:
                # ``Run (32x32)_4^Mask Dude`` where several sheets have one of that name: the build has it without.
                known = self.contents.objects(asset.guid).get(row.file_id) if "^" in row.name else None
                yield (
                    (inner, known.name if known is not None else row.name),
                    Source(asset.guid, row.file_id, asset.path),
                )

    def kind_of(self, asset: Asset) -> str:
        """Return the class of a main object, a MonoBehaviour's script."""
        if asset.class_id != _MONO_BEHAVIOUR:
            return class_name(asset.class_id)
        script = self.project.assets.by_guid(asset.script) if asset.script else None
        if script is not None and extension_of(script.path) == "cs":
            return stem_of(script.path)
        known = self.contents.objects(asset.guid)
        stem = stem_of(asset.path)
        main = known.get(ASSET_MAIN) or next((item for item in known.values() if item.name == stem), None)
        return main.kind if main is not None else UNKNOWN

    def path_of(self, guid: str) -> str:
        """Return the path of an asset of the project, or ``""``."""
        asset = self.project.assets.by_guid(guid)
        return asset.path if asset is not None else ""

    @cached_property
    def by_path(self) -> dict[str, Asset]:
        """The assets by their paths, folded as bundles have them."""
        return {asset.path.casefold(): asset for asset in self.project.database}

    def loadable(self, path: str) -> list[Asset]:
        """Return the assets that have a folded path below Resources."""
        return self._loadable.get(path, [])

    @cached_property
    def _loadable(self) -> dict[str, list[Asset]]:
        found: dict[str, list[Asset]] = {}
        for asset in self.by_path.values():
            path = path_in_resources(asset.path)
            if path:
                found.setdefault(path, []).append(asset)
        return found

    # --- scripts ---------------------------------------------------------------------------------------------------

    def of_script(self, script: Script, file_name: str = "") -> tuple[list[Source], list[Source]]:
        """Return the sources that declare a script's class, then its namesakes.

        Since Unity 2022 the file may be called otherwise than the class: ``file_name``, from the MonoScript. No source
        of the project is a namesake of a class of the engine or of a package: a ``Button`` of a game is not
        UnityEngine.UI's. A source that declares the class in another assembly counts as a namesake: its assembly
        definition may be newer than the build.
        """
        assembly = _assembly(script.assembly.removesuffix(".dll"))
        if assembly.startswith(_OF_UNITY) and assembly not in self._assemblies.values():
            return [], []
        declared: list[Source] = []
        called: list[Source] = []
        for name in dict.fromkeys(filter(None, (script.name, file_name))):
            for source in self.by_name(_MONO_SCRIPT, name):
                if extension_of(source.path) == "cs":
                    row = source._replace(file_id=SCRIPT_MAIN)  # as references have it
                    is_same = not script.assembly or self._assembly_of(row.path) == assembly
                    declares = self._declares(row.path, script)
                    if is_same or declares:
                        (declared if is_same and declares else called).append(row)
        return declared, called

    def _assembly_of(self, path: str) -> str:
        """Return the name of the assembly that a script is compiled to."""
        folder = path.rpartition("/")[0]
        while folder and folder not in self._assemblies:
            folder = folder.rpartition("/")[0]
        return self._assemblies.get(folder, "")

    @cached_property
    def _assemblies(self) -> dict[str, str]:
        """The assemblies by the folders of their definitions and references."""
        found: dict[str, str] = {}
        by_guid: dict[str, str] = {}
        references: list[tuple[str, str]] = []
        for asset in self.by_path.values():
            if not asset.path.lower().endswith((".asmdef", ".asmref")):
                continue
            stated = _stated(read_file(asset_file(self.project.root, asset.path)) or b"")
            folder, name, reference = asset.path.rpartition("/")[0], stated.get("name"), stated.get("reference")
            if isinstance(reference, str):
                references.append((folder, reference))
            elif isinstance(name, str) and name:
                found[folder] = by_guid[asset.guid] = name
        for folder, name in references:
            guid = name.removeprefix(_BY_GUID)
            found[folder] = name if guid == name else by_guid.get(guid.lower(), "")
        return found

    def _declares(self, path: str, script: Script) -> bool:
        data = (read_file(asset_file(self.project.root, path)) or b"")[:_LARGEST_SOURCE].removeprefix(b"\xef\xbb\xbf")
        if re.search(_CLASS.replace(b"%b", re.escape(script.name).encode()), data, re.MULTILINE) is None:
            return False
        namespaces = {match[1].decode("ascii", "replace") for match in _NAMESPACE.finditer(data)}
        return script.namespace in namespaces if script.namespace else not namespaces


def _stated(data: bytes) -> dict[str, object]:
    """Return the fields of an assembly definition or reference."""
    try:
        found = json.loads(data[:_LARGEST_SOURCE].decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _assembly(name: str) -> str:
    """Return an assembly's name, ``""`` if it has no definition."""
    return "" if name.startswith(_PREDEFINED) else name


@cache
def _builtin_path_ids() -> dict[int, int]:
    """Return PathID -> fileID of Unity's own objects, hashed once."""
    return {builtin_path_id(file_id): file_id for file_id in _BUILTIN_IDS}


def path_in_resources(path: str) -> str:
    """Return the folded path below Resources, without extension, or ``""``."""
    folder, _, name = path.casefold().rpartition("/resources/")
    extension = extension_of(name)
    return "" if not folder else name.removesuffix(f".{extension}") if extension else name
