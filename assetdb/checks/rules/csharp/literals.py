"""Names of scenes, resources, tags in C# that nothing has.

Unity looks for them when the call is made, and finds nothing. Judged are names that are literals or constants of the
file, in scripts that players have, and only if everything that could have the name is here.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb.checks.counting import counted
from assetdb.checks.findings.finding import Finding
from assetdb.checks.lineage import COMPONENT, Sources
from assetdb.checks.rules import UNKNOWN_NAME
from assetdb.checks.rules.addressables import group_entries
from assetdb.checks.rules.content.animators import animators_of
from assetdb.checks.rules.content.shaders import shader_at
from assetdb.checks.rules.csharp.compiled import units_of
from assetdb.memo.marks import CALLS
from assetdb.settings.project import META, folder_and_parents
from assetdb.unity.binary.opening import as_text
from assetdb.unity.content.shaders import SHADER
from assetdb.unity.scripts.calls import FUNCTIONS, OF_COMPONENT, TAG
from assetdb.unity.settings.addressables import GROUP_SCRIPT
from assetdb.unity.settings.build_settings import PATH as BUILD_SETTINGS
from assetdb.unity.settings.build_settings import build_scenes
from assetdb.unity.settings.tags import AXES_FILE, TAGS_FILE, read_axes, read_tags

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assetdb.memo.view import View
    from assetdb.store.entry import Asset
    from assetdb.unity.scripts.calls import Call
    from assetdb.unity.settings.build_settings import BuildScene

_RESOURCES: Final = "/Resources/"
_PROFILES: Final = b"/Build Profiles/"
_OF_TAG: Final = ("CompareTag", "FindWithTag", "FindGameObjectWithTag", "FindGameObjectsWithTag")
_NO_TAG: Final = f"{TAGS_FILE} has no such tag"
_ENGINE: Final = "UnityEngine"
_OF_PARAMETER: Final = ("SetTrigger", "ResetTrigger", "SetBool", "SetFloat", "SetInteger")
_OF_STATE: Final = ("Play", "CrossFade", "CrossFadeInFixedTime")
_ANIMATOR: Final = "anim"
_LEGACY: Final = "animation"
_OF_ENGINE: Final = re.compile(
    r"Standard|(?:Autodesk Interactive|FX|GUI|HDRP|Hidden|Legacy Shaders|Mobile|Nature|Particles|Shader Graphs|Skybox"
    r"|Spatial|Sprites|TextMeshPro|UI|Universal Render Pipeline|Unlit|VR|Lightweight Render Pipeline|VFX)(?:/.*)?"
    r"|Diffuse|Bumped.*|Specular|Transparent.*|VertexLit|Self-Illumin.*|Reflective.*|Decal.*|Parallax.*|Standard \(.*"
)
_MOST_COMPONENTS: Final = 20  # of one file: others are no scripts of people
_OF_ITSELF: Final = ("", "this")
_LABEL: Final = re.compile(rb"^    - ([^\r\n]+)", re.MULTILINE)
_LIKE: Final = 0.75
_BUNDLE: Final = b"AssetBundle"
_IN_BUNDLE: Final = re.compile(rb"\n  assetBundleName: \S")
_GRAPHICS: Final = "ProjectSettings/GraphicsSettings.asset"
_INCLUDE: Final = "include"
_GRAPH: Final = ".shadergraph"
_GRAPH_PATH: Final = re.compile(rb'"m_Path"\s*:\s*"([^"\\\n]*)"')
_OTHER_SHADERS: Final = (".surfshader", ".stackedshader", ".orlshader", ".lilcontainer")


def find_names(project: View) -> Iterator[Finding]:
    """Yield names in calls that nothing of the project has."""
    sources = Sources(project)
    units = units_of(project)
    known = _Known(project, sources)
    for path in sorted(project.marked(CALLS)):
        unit = units.get(path)
        if unit is None or unit.is_of_editor:
            continue
        for call in sources.source(path).calls:
            why = known.lacks(call, path)
            if why:
                said = f"{_said(call)}: {why}"
                yield Finding.of(UNKNOWN_NAME, path, said, call.line, asset=sources.guids[path], target=call.argument)


class _Components(NamedTuple):
    """The components of a file, with all methods that they have."""

    names: list[str]
    methods: set[str]


class _Known:
    """The names of a project by kind, read at first use."""

    def __init__(self, project: View, sources: Sources) -> None:
        self._project = project
        self._sources = sources
        self._is_whole = not project.packages.list.missing
        self._names: dict[Callable[[], frozenset[str]], frozenset[str]] = {}
        self._own_shaders: dict[str, list[Asset]] | None = None
        self._needed: set[str] = set()
        self._components: dict[tuple[str, str], _Components | None] = {}
        self._derived: dict[str, set[str] | None] = {}

    def lacks(self, call: Call, path: str) -> str:
        """Return why nothing has the name of a call, or ``""``."""
        if call.function == TAG:
            return self._tag(call, path)
        owner, name = FUNCTIONS[call.function], call.argument
        if call.function in OF_COMPONENT:
            return self._method(call, path)
        if owner and call.receiver != owner:
            return ""
        if owner and self._sources.mentions(owner):  # a class of the project
            return ""
        if owner == "SceneManager" and call.is_index:
            return self._index(int(name))
        if owner == "SceneManager":
            why = self._scene(name)
            # OVRSceneLoader.cs of VRGame loads its scene from a bundle.
            return "" if why and _BUNDLE in (self._project.read(path) or b"") else why
        if owner == "Resources":
            return self._resource(call.function, name.casefold())
        if owner == "Addressables":
            return self._among(self._addresses, name, "no Addressables entry or label is called so")
        if owner == "Shader":
            return "" if _OF_ENGINE.fullmatch(name) else self._shader(name)
        if owner == "LayerMask":
            return self._among(self._layers, name, f"{TAGS_FILE} has no such layer")
        if owner == "Input":
            return self._among(self._axes, name, f"{AXES_FILE} has no such axis or button")
        if call.function in _OF_TAG:
            return self._among(self._tags, name, _NO_TAG)
        if call.function in _OF_PARAMETER and ("Trigger" in call.function or _ANIMATOR in call.receiver.casefold()):
            return self._among(self._parameters, name, "no animator controller has such a parameter")
        receiver = call.receiver.casefold()
        if call.function in _OF_STATE and _ANIMATOR in receiver and _LEGACY not in receiver:
            return self._state(name)
        return ""

    def _shader(self, name: str) -> str:
        """Return why a player has no shader, or ``""``.

        ``Shader.Find`` of one that nothing refers to works in the editor alone (TAA_Unity_URP, issue 4).
        """
        why = self._among(self._shaders, name, "no shader is called so")
        if why or not self._is_whole:
            return why
        if self._own_shaders is None:
            self._own_shaders = {}
            for asset in self._project.database.ending(SHADER):
                shader = shader_at(self._project, asset.path)
                self._own_shaders.setdefault(shader.name, []).append(asset)
                self._needed.update(need.name for need in shader.needs if need.kind != _INCLUDE)
        assets = self._own_shaders.get(name, [])
        if len(assets) != 1 or any(need == name or need.startswith(f"{name}/") for need in self._needed):
            return ""
        return "" if self._is_built(assets[0]) else f"no build has {assets[0].path}, since nothing refers to it"

    def _is_built(self, asset: Asset) -> bool:
        """Whether a build may have an asset."""
        if _RESOURCES.casefold() in asset.path.casefold() or any(self._project.users((asset.guid,)).values()):
            return True
        for place in folder_and_parents(asset.path):
            if _IN_BUNDLE.search((place and self._project.read(f"{place}{META}")) or b""):
                return True
        if any(self._project.database.of_script(GROUP_SCRIPT)):
            addresses = self._addresses()
            if not addresses or asset.guid in addresses:  # none: a folder has an address, or no group can be read
                return True
        return asset.guid.encode() in as_text(self._project.read(_GRAPHICS) or b"")

    def _state(self, name: str) -> str:
        """Return why no animator has a state, or ``""``.

        The name may follow the names of its layer and state machines; a name as a clip's may be one in an Animation.
        """
        state = name.rpartition(".")[2]
        why = self._among(self._states, state, "no animator controller has such a state")
        return "" if why and any(self._project.database.containing(state.encode())) else why

    def _method(self, call: Call, path: str) -> str:
        """Return why a component lacks a method that it calls, or ``""``.

        A class that derives from it may have the method.
        """
        if call.receiver not in _OF_ITSELF:
            return ""
        key = path, call.function
        if key not in self._components:
            self._components[key] = self._callers(*key)
        components = self._components[key]
        if components is None or call.argument in components.methods:
            return ""
        if path not in self._derived:
            self._derived[path] = self._methods_below(components.names)
        below = self._derived[path]
        if below is None or call.argument in below:
            return ""
        return f"{' or '.join(components.names)} has no method of that name, nor has a base or a derived class"

    def _callers(self, path: str, function: str) -> _Components | None:
        """Return the components of a file that may make a call.

        Which class of the file does is not known, but none without a base and a function of that name. None if one is
        no component for certain, or has a function of that name.
        """
        methods: set[str] = set()
        names: list[str] = []
        for each in self._sources.source(path).types:
            if not (each.bases or each.partial or function in each.methods):
                continue
            lineage = self._sources.lineage(path, each.name) if len(names) < _MOST_COMPONENTS else None
            if lineage is None or lineage.end != COMPONENT:
                return None
            names.append(each.name)
            methods.update(chain.from_iterable(part.methods for part in lineage.declarations))
        return _Components(sorted(names), methods) if names and function not in methods else None

    def _methods_below(self, names: list[str]) -> set[str] | None:
        """Return methods of the files of derived classes, None if unknown."""
        derived = {name for each in names for name in self._sources.derived(each)}
        paths = {path for name in derived for path, _ in self._sources.mentions(name)}
        sources = [self._sources.source(path) for path in paths]
        if any(source.unclear for source in sources):
            return None
        return {method for source in sources for each in source.types for method in each.methods}

    def _among(self, names: Callable[[], frozenset[str]], name: str, why: str) -> str:
        """Return why names, if there are any, lack one."""
        known = self._names.get(names)
        if known is None:
            known = self._names[names] = names()
        if not known or name in known:
            return ""
        like = get_close_matches(name, sorted(known), 1, _LIKE)
        return f"{why}; there is {like[0]!r}" if like else why

    def _tag(self, call: Call, path: str) -> str:
        """Return why no object has a tag, or ``""``."""
        source = self._sources.source(path)
        if _ENGINE not in source.usings or call.types in source.aliases or self._sources.mentions(call.types):
            return ""
        return self._among(self._tags, call.argument, _NO_TAG)

    def _build_scenes(self) -> list[BuildScene]:
        """Return the scenes of builds, none where profiles have theirs."""
        if next(self._project.database.containing(_PROFILES), None) is not None:
            return []
        return build_scenes(self._project.read(BUILD_SETTINGS) or b"")

    def _index(self, index: int) -> str:
        """Return why builds have no scene of an index, or ``""``.

        Scenes of bundles have none. If none is enabled, a build takes the scene that is open.
        """
        count = sum(scene.enabled for scene in self._build_scenes())
        if not count or index < count:
            return ""
        return f"the build settings have {counted(count, 'enabled scene')}, and count from 0"

    def _scene(self, name: str) -> str:
        """Return why the build lacks a scene, or ``""``."""
        scenes = self._build_scenes()
        wanted = name.casefold().removesuffix(".unity")
        rows = [scene for scene in scenes if wanted in _ways(scene.path)]
        if any(scene.enabled for scene in rows) or not scenes:
            return ""
        if rows:
            return "the scene is disabled in the build settings"
        there = [asset.path for asset in self._project.database.ending(".unity") if wanted in _ways(asset.path)]
        if there:
            return "" if self._has_bundles() else f"the build settings do not list {there[0]}"
        return "" if self._has_bundles() else "no scene is called so"

    def _has_bundles(self) -> bool:
        """Whether scenes may come from bundles."""
        names = {row.name for row in self._project.packages.list.rows}
        return "com.unity.addressables" in names or bool(self._project.packages.list.unknown)

    def _resource(self, function: str, name: str) -> str:
        if not self._is_whole:
            return ""
        wanted = f"{name.strip('/')}/" if function == "LoadAll" else name
        if function == "LoadAll" and not self._among(self._all_resources, name.strip("/"), "x"):
            return ""
        return self._among(self._all_resources, wanted, "no folder called Resources has it")

    def _all_resources(self) -> frozenset[str]:
        return frozenset(self._resources()) | {"/"}

    def _resources(self) -> Iterator[str]:
        """Yield the paths below Resources, without extension, and their folders."""
        for view in (self._project.database, self._project.packages):
            for asset in view.containing(_RESOURCES.encode()):
                below = f"/{asset.path}".casefold().rpartition(_RESOURCES.casefold())[2]
                stem, dot, _ = below.rpartition(".")
                yield stem if dot and "/" not in below[len(stem) :] else below
                while "/" in below:
                    below = below.rpartition("/")[0]
                    yield f"{below}/"

    def _addresses(self) -> frozenset[str]:
        found: set[str] = set()
        for asset in self._project.database.of_script(GROUP_SCRIPT):
            data = self._project.read(asset.path) or b""
            for guid, address, _ in group_entries(data):
                found.update((guid, address))
                if self._project.database.folder(guid):  # everything below it has an address, too
                    return frozenset()
            found.update(match[1].decode("utf-8", "replace").strip() for match in _LABEL.finditer(data))
        return frozenset(found - {""})

    def _shaders(self) -> frozenset[str]:
        """Return the names of shaders, none where other files may make some.

        A graph's name is its path and its file's name. Better Shaders, ORL and lilToon have files of their own.
        """
        view = self._project.database
        if not self._is_whole or any(chain.from_iterable(view.ending(each) for each in _OTHER_SHADERS)):
            return frozenset()
        names = {shader_at(self._project, asset.path).name for asset in view.ending(SHADER)}
        for asset in view.ending(_GRAPH):
            found = _GRAPH_PATH.search(self._project.read(asset.path) or b"")
            if found:
                stem = asset.path.rpartition("/")[2][: -len(_GRAPH)]
                names.add(f"{found[1].decode('utf-8', 'replace')}/{stem}")
        return frozenset(names - {""})

    def _layers(self) -> frozenset[str]:
        tags = read_tags(self._project.read(TAGS_FILE) or b"")
        return frozenset(tags.layers) - {""} if tags is not None else frozenset()

    def _tags(self) -> frozenset[str]:
        tags = read_tags(self._project.read(TAGS_FILE) or b"")
        return tags.tags if tags is not None else frozenset()

    def _axes(self) -> frozenset[str]:
        return read_axes(self._project.read(AXES_FILE) or b"")

    def _states(self) -> frozenset[str]:
        states = (name for animator in animators_of(self._project).values() for name in animator.states)
        return frozenset(state for name in states for state in (name, name.rpartition(".")[2]))

    def _parameters(self) -> frozenset[str]:
        return frozenset(name for animator in animators_of(self._project).values() for name in animator.parameters)


def _said(call: Call) -> str:
    """Return a call as a message quotes it."""
    if call.function == TAG:
        return f"{TAG} {call.argument!r}"
    return f"{call.function}({call.argument if call.is_index else repr(call.argument)})"


def _ways(path: str) -> tuple[str, ...]:
    """Return the names that load a scene, in lower case."""
    stem = path.casefold().removesuffix(".unity")
    return stem.rpartition("/")[2], stem, stem.removeprefix("assets/")
