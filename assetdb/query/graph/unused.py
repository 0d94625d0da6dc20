"""Unused assets, and the reason that keeps each other one.

Kept are the *roots* and what can be reached from them, by references in files and by those that are found by name
(``assetdb.query.graph.named``: a model's materials). Roots, each with its reason:

- what ``ProjectSettings/`` refers to: the scenes of the build settings, always-included shaders, preloaded assets;
- what is loaded by path: ``Resources/``, ``StreamingAssets/``;
- what is loaded by address: Addressables groups, with all that lies in a folder that a group names;
- what is in an AssetBundle, by its own meta or the meta of a folder above it;
- the files of the selected WebGL template, which a build copies;
- what a package outside the project refers to;
- what cannot be judged by references: code (scripts, assemblies, plugins, shader includes), what only the editor uses
  (``Editor/``, ``Gizmos/``), and the packages.

Nothing refers to a sprite atlas: it is kept by the sprites that it packs. Its other sprites are unused and yet in the
build, so each names its atlas. Lightmaps and reflection probes are kept with the ``LightingData.asset`` beside them,
which is binary: its references are read, unless it is a Git LFS pointer.
"""

from __future__ import annotations

import os
import re
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.packages.view import PackageView
from assetdb.query.graph.assignments import of_metas
from assetdb.query.graph.named import NamedReferences
from assetdb.query.graph.references import settings_files
from assetdb.settings.project import is_part
from assetdb.store.indexes.supplement import Unread
from assetdb.system.reading import read_file, read_head
from assetdb.unity.kinds import LFS_POINTER, OTHER, extension_of, kind_of
from assetdb.unity.referring.references import references
from assetdb.unity.settings.addressables import GROUP_SCRIPT
from assetdb.unity.settings.build_settings import PATH as BUILD_SETTINGS
from assetdb.unity.settings.build_settings import build_scenes
from assetdb.unity.yaml.scalars import scalar_at
from assetdb_formats.globs import name_matcher

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Sequence

    from assetdb.query.snapshots.snapshot import Snapshot
    from assetdb.store.database import Database
    from assetdb.store.entry import Asset

_CODE: Final = frozenset(
    (
        *("cs", "asmdef", "asmref", "dll", "so", "dylib", "a", "lib", "aar", "jar", "java", "kt", "winmd", "bundle"),
        *("framework", "jslib", "jspre", "c", "cc", "cpp", "h", "m", "mm", "rsp", "js", "ruleset", "editorconfig"),
        *("additionalfile", "cginc", "hlsl", "glslinc", "hlslinc"),
    )
)
_CODE_NAMES: Final = frozenset(("link.xml", "package.json", "packages.config"))
_EDITOR_FOLDERS: Final = ("/Editor/", "/Editor Default Resources/", "/Gizmos/")
_EDITOR_EXTENSIONS: Final = frozenset(("preset", "scenetemplate", "unitypackage", "brush"))
_ATLASES: Final = frozenset(("spriteatlas", "spriteatlasv2"))
_BAKED: Final = re.compile(r"(?:Lightmap|ReflectionProbe|LightProbe|ShadowMask)\w*-\d")
_GRAPHICS: Final = "ProjectSettings/GraphicsSettings.asset"
_PLAYER: Final = "ProjectSettings/ProjectSettings.asset"
_TEMPLATE: Final = re.compile(rb"^  webGLTemplate:", re.MULTILINE)
_OF_PROJECT: Final = "PROJECT:"
_TEMPLATES: Final = "Assets/WebGLTemplates"
_TEXTURES: Final = frozenset((28, 213))  # Texture2D, Sprite
_HEAD: Final = 1024
_SEVERAL: Final = -1
_SHADERS: Final = re.compile(rb"\n  m_AlwaysIncludedShaders:[^\n]*\n((?:  - [^\n]*\n|    [^\n]*\n)*)")


_ATLAS: Final = "sprite atlas:"
_BAKED_LIGHTING: Final = "baked lighting"
KEPT_WITH_OTHERS: Final = (_ATLAS, _BAKED_LIGHTING)
"""Prefix of the reasons of assets that are kept because of others, and are not roots."""


class Kept(NamedTuple):
    """A used asset: a root for ``reason``, or ``used_by`` a path."""

    path: str
    type: int
    guid: str
    reason: str
    used_by: str


class Unused(NamedTuple):
    """An asset without used referrers; a used atlas may pack it."""

    path: str
    type: int
    guid: str
    packed_by: str


class UsageReport(NamedTuple):
    """All assets, used or unused, by path; roots counted by reason.

    Attributes:
        unused: assets without used referrers.
        kept: all others.
        roots: how many for each reason.
        alone: by the path of a root what would be unused if it were no root, itself included; if it was asked for.
    """

    unused: tuple[Unused, ...]
    kept: tuple[Kept, ...]
    roots: dict[str, int]
    alone: dict[str, tuple[str, ...]] = {}  # noqa: RUF012 - no report changes it


class _Nodes:
    """All assets, entries of a database first, and references between them.

    A reference to a shared GUID leads to each of its assets: it is unknown which one is meant.
    """

    def __init__(self, project: Snapshot) -> None:
        database = project.database
        self._graph = database.graph
        self._named = NamedReferences(project)
        entries = list(database)  # in the order of GUIDs, as the nodes of the graph are
        self._count = len(entries)
        self._duplicates = database.duplicates
        self.assets = [*entries, *(duplicate.asset for duplicate in self._duplicates)]
        self._sharing: dict[str, list[int]] = {}
        for node, duplicate in enumerate(self._duplicates, start=self._count):
            self._sharing.setdefault(duplicate.asset.guid, []).append(node)
        self._node_of = {asset.guid: node for node, asset in enumerate(entries)}
        self.folder_guids = database.folder

    def of(self, guid: str) -> list[int]:
        """Return the assets that have a GUID."""
        node = self._node_of.get(guid)
        return [*([node] if node is not None else ()), *self._sharing.get(guid, ())]

    def outgoing(self, node: int) -> Iterator[int]:
        """Yield the assets of the project that an asset refers to."""
        if node >= self._count:
            for guid in self._duplicates[node - self._count].targets:
                yield from self.of(guid)
            return
        for target in self._graph.outgoing(node):
            if target < self._count:
                yield target
            if self._sharing:
                yield from self._sharing.get(f"{self._graph.guid(target):032x}", ())
        for guid in self._named.targets(self.assets[node]):
            yield from self.of(guid)

    def keep_names(self) -> None:
        """Keep the names that were read for the next process."""
        self._named.keep()

    def folders(self, node: int) -> Iterator[str]:
        """Yield the folders that an asset refers to."""
        if node >= self._count:
            guids: Iterable[str] = self._duplicates[node - self._count].targets
        else:
            guids = (f"{self._graph.guid(target):032x}" for target in self._graph.outgoing(node))
        for guid in guids:
            folder = self.folder_guids(guid)
            if folder is not None:
                yield folder


def find_unused(project: Snapshot, more_roots: Sequence[str] = (), *, alone: bool = False) -> UsageReport:
    """Return the used and the unused assets of a project.

    Args:
        project: the project; its database is one with references.
        more_roots: patterns of paths that are kept as well (``Assets/Mods/*``); a folder means all that is in it.
        alone: whether to tell what each root keeps alone.

    Raises:
        DatabaseError: the database was written without references, or its index is damaged.
        ConfigurationError: ``assetdb.toml`` is wrong.
        ScanError: whether a file can be read cannot be determined now.
    """
    nodes = _Nodes(project)
    assets = nodes.assets
    reasons = _reasons(project, nodes, more_roots)
    used_by: dict[int, int] = {}
    with_others: list[int] = []
    frontier = sorted(reasons)
    kept_alone = _alone(nodes, frontier) if alone else {}
    kept = set(frontier)
    while frontier:
        reached: list[int] = []
        for node in frontier:
            for target in nodes.outgoing(node):
                if target not in kept:
                    kept.add(target)
                    used_by[target] = node
                    reached.append(target)
        frontier = sorted(reached)
    nodes.keep_names()
    lit = {assets[node].path.rpartition("/")[0] for node in kept if assets[node].path.endswith("/LightingData.asset")}
    for node, asset in enumerate(assets):
        if node not in kept:
            reason = _kept_with(asset.path, node, nodes, kept, lit)
            if reason:
                with_others.append(node)
                reasons[node] = reason
    kept.update(with_others)
    packed = _packed(nodes, with_others, kept)
    unused = [
        Unused(asset.path, asset.class_id, asset.guid, packed.get(node, ""))
        for node, asset in enumerate(assets)
        if node not in kept
    ]
    rows = [
        Kept(
            assets[node].path,
            assets[node].class_id,
            assets[node].guid,
            reasons.get(node, ""),
            assets[used_by[node]].path if node in used_by else "",
        )
        for node in kept
    ]
    counts: dict[str, int] = {}
    for reason in reasons.values():
        short = reason.partition(": ")[0]
        counts[short] = counts.get(short, 0) + 1
    return UsageReport(tuple(sorted(unused)), tuple(sorted(rows)), dict(sorted(counts.items())), kept_alone)


def _alone(nodes: _Nodes, roots: Iterable[int]) -> dict[str, tuple[str, ...]]:
    """Return the paths that only one root leads to, by its path.

    Each asset gets the one root that leads to it, or ``_SEVERAL``, so it changes at most twice.
    """
    owner = {root: root for root in roots}
    frontier = list(owner)
    while frontier:
        reached: dict[int, None] = {}
        for node in frontier:
            for target in nodes.outgoing(node):
                before = owner.get(target)
                after = owner[node] if before in (None, owner[node]) else _SEVERAL
                if after != before:
                    owner[target] = after
                    reached[target] = None
        frontier = list(reached)
    found: dict[str, list[str]] = {}
    for node, root in owner.items():
        if root != _SEVERAL:
            found.setdefault(nodes.assets[root].path, []).append(nodes.assets[node].path)
    return {root: tuple(sorted(paths)) for root, paths in sorted(found.items())}


def lacking(root: str, database: Database) -> list[Unread]:
    """Return unreadable files that may refer to assets, by path.

    Raises:
        ScanError: whether one can be read cannot be determined now.
    """
    found = [item for item in database.supplement.unread if item.code != "encoded-guid" or _may_refer(item.path)]
    for path in settings_files(root):
        head = read_head(os.path.join(root, path), _HEAD)
        if head is None:
            found.append(Unread(path, "unreadable"))
        elif head.startswith(LFS_POINTER):
            found.append(Unread(path, "lfs-pointer"))
        elif not head.strip():
            found.append(Unread(path, "empty-asset"))
    return sorted(found)


def _may_refer(meta: str) -> bool:
    """Whether an asset's kind of file refers to others."""
    return kind_of(extension_of(meta.removesuffix(".meta"))).content not in ("", OTHER)


def has_build_scenes(root: str) -> bool:
    """Whether the build settings have an enabled scene."""
    return any(scene.enabled for scene in build_scenes(_read(os.path.join(root, BUILD_SETTINGS))))


def _kept_with(path: str, node: int, nodes: _Nodes, kept: Container[int], lit: Container[str]) -> str:
    """Return why an asset without users is kept with others, or ``""``."""
    if extension_of(path) in _ATLASES:
        packed = next((target for target in nodes.outgoing(node) if target in kept), None)
        return f"{_ATLAS} packs {nodes.assets[packed].path}" if packed is not None else ""
    folder, _, name = path.rpartition("/")
    return _BAKED_LIGHTING if folder in lit and _BAKED.match(name) else ""


def _packed(nodes: _Nodes, kept_with: Iterable[int], kept: Container[int]) -> dict[int, str]:
    """Return unused textures that a used sprite atlas, or its folder, packs."""
    found: dict[int, str] = {}
    folders: dict[str, str] = {}
    for node in kept_with:
        atlas = nodes.assets[node].path
        if extension_of(atlas) in _ATLASES:
            found.update((target, atlas) for target in nodes.outgoing(node) if target not in kept)
            folders.update((folder, atlas) for folder in nodes.folders(node))
    for node, asset in enumerate(nodes.assets) if folders else ():
        if node not in kept and node not in found and asset.class_id in _TEXTURES:
            atlas = next((folders[above] for above in _above(asset.path) if above in folders), "")
            if atlas:
                found[node] = atlas
    return found


def _reasons(project: Snapshot, nodes: _Nodes, more_roots: Sequence[str]) -> dict[int, str]:
    """Return the roots, each with the first reason that applies."""
    by_path = {asset.path: asset.guid for asset in nodes.assets}
    reasons: dict[int, str] = {}
    for guid, reason in _from_settings(project.root, by_path):
        for node in nodes.of(guid):
            reasons.setdefault(node, reason)
    bundles, bundle_folders = _bundles(project)
    folders_of = (_addressed_folders(nodes), bundle_folders, _template(project.root))
    are_roots = list(map(root_matcher, more_roots))
    around = "the project around may use it" if is_part(project.root) else ""

    @cache  # the assets of a folder share it: a tenth of the time of unitystation
    def reason_of(folder: str) -> str:
        places = (folder, *_above(folder))
        return next((folders[place] for folders in folders_of for place in places if place in folders), "")

    for node, asset in enumerate(nodes.assets):
        reason = _reason(asset, are_roots) or bundles.get(asset.path, "") or around
        reason = reason or reason_of(asset.path.rpartition("/")[0])
        if reason:
            reasons.setdefault(node, reason)
    users = set(_used_by_packages(project.database))
    for node, asset in enumerate(nodes.assets):
        if asset.guid in users:
            reasons.setdefault(node, "used by a package")
    return reasons


def _used_by_packages(database: Database) -> list[str]:
    """Return assets that packages outside the project, built or not, use."""
    packages = PackageView(os.path.dirname(database.path))
    try:
        graph = packages.graph
        return graph.guids(range(graph.asset_count, graph.node_count)) if graph is not None else []
    finally:
        packages.close()


def _reason(asset: Asset, are_roots: Sequence[Callable[[str], bool]]) -> str:
    path = asset.path
    name = path.rpartition("/")[2]
    extension = extension_of(path)
    if any(is_root(path) for is_root in are_roots):
        return "root"
    if path.startswith("Packages/"):
        return "package"
    if extension in _CODE or name in _CODE_NAMES:
        return "code"
    if any(folder in path for folder in _EDITOR_FOLDERS) or extension in _EDITOR_EXTENSIONS:
        return "editor"
    if "/Resources/" in path:
        return "Resources"
    if path.startswith("Assets/StreamingAssets/"):
        return "StreamingAssets"
    return "Addressables group" if asset.script == GROUP_SCRIPT else ""


def root_matcher(pattern: str) -> Callable[[str], bool]:
    """Return a predicate for paths of a glob or below a folder."""
    pattern = pattern.rstrip("/")
    matches = name_matcher(pattern)
    return lambda path: matches(path) or path.startswith(pattern + "/")


def _from_settings(root: str, by_path: dict[str, str]) -> Iterable[tuple[str, str]]:
    """Yield GUID and reason of references in ``ProjectSettings/``, scenes first."""
    files = {path: _read(os.path.join(root, path)) for path in settings_files(root)}
    known = set(by_path.values())
    for scene in build_scenes(files.get(BUILD_SETTINGS, b"")):
        guid = scene.guid if scene.guid in known else by_path.get(scene.path, "")
        yield guid, "scene of the build settings" if scene.enabled else "scene of the build settings, switched off"
    for block in _SHADERS.findall(files.get(_GRAPHICS, b"")):
        for shader in sorted(references(block, b"asset").certain):
            yield shader.decode(), "always-included shader"
    for path, data in files.items():
        found = references(data, b"asset")
        for target in sorted(found.certain | found.candidates):
            yield target.decode(), f"settings: {path}"


def _bundles(project: Snapshot) -> tuple[dict[str, str], dict[str, str]]:
    """Return assets and folders with an AssetBundle, with reasons, by path."""
    assigned = of_metas(project.root, [path for _, path in project.database.folders()])
    folders = {path: found.bundle for path, found in assigned.items() if found.bundle}
    assets, above = (
        {path: f"AssetBundle: {name}" for path, name in names.items()} for names in (project.bundle_names(), folders)
    )
    return assets, above


def _addressed_folders(nodes: _Nodes) -> dict[str, str]:
    folders: dict[str, str] = {}
    for node, asset in enumerate(nodes.assets):
        if asset.script == GROUP_SCRIPT:
            for folder in nodes.folders(node):
                folders[folder] = f"Addressables: {asset.path} has its folder {folder}"
    return folders


def _template(root: str) -> dict[str, str]:
    """Return the folder of the selected WebGL template, if the project's own."""
    settings = _read(os.path.join(root, _PLAYER))
    selected = _TEMPLATE.search(settings)
    _, prefix, name = (scalar_at(settings, selected.end(), 2) if selected else "").partition(_OF_PROJECT)
    return {f"{_TEMPLATES}/{name}": "WebGL template"} if prefix and name else {}


def _above(path: str) -> Iterable[str]:
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path


def _read(path: str) -> bytes:
    return read_file(path) or b""


def unmatched_roots(report: UsageReport, patterns: Iterable[str]) -> list[str]:
    """Return the patterns of roots that no asset matches."""
    paths = [*(row.path for row in report.unused), *(row.path for row in report.kept)]
    return [pattern for pattern in dict.fromkeys(patterns) if not any(map(root_matcher(pattern), paths))]
