"""Faults of settings, package manifests, assembly definitions and scripts."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from scripts.fuzz.plant_faults import (
    FAULTS,
    LFS_POINTER,
    LOST,
    Expected,
    Fault,
    NoPlaceError,
    Planted,
    Planter,
    edited,
    fault,
    meta,
    rewriting,
)
from scripts.fuzz.plant_tree import Reference, Tree, read_yaml

# --- settings

_SETTINGS: Final = (
    *("EditorSettings", "TagManager", "GraphicsSettings", "QualitySettings", "InputManager", "ProjectSettings"),
)


def _settings(at: Planter) -> str:
    """Choose a settings file in YAML."""
    paths = [f"ProjectSettings/{name}.asset" for name in _SETTINGS]
    return at.one_of([path for path in paths if path in at.tree.files and at.tree.text(path).startswith(b"%YAML")])


@fault
def settings_in_conflict(at: Planter) -> Planted:
    """Leave a merge unresolved in a settings file."""
    return at.in_conflict(_settings(at), 5)


FAULTS["settings-are-a-pointer"] = rewriting(_settings, "lfs-pointer", lambda _at, _path: LFS_POINTER)
FAULTS["settings-are-garbage"] = rewriting(_settings, "broken-asset", lambda at, _: at.chooser.randbytes(1000))

_BUILD: Final = "ProjectSettings/EditorBuildSettings.asset"
_BUILD_CODES: Final = ("build-scene", "no-build-scene")


def _scenes(tree: Tree) -> tuple[list[bytes], list[int]]:
    """Return the lines of the build's settings, and the places of scenes."""
    lines = tree.lines(_BUILD) if _BUILD in tree.files else []
    rows = [
        place
        for place, line in enumerate(lines)
        if line.startswith(b"    path: ")
        and b"enabled: 1" in lines[place - 1]
        and place + 1 < len(lines)
        and lines[place + 1].startswith(b"    guid: ")
        and (tree.root / line[10:].strip().decode()).is_file()
    ]
    if not rows:
        raise NoPlaceError
    return lines, rows


@fault
def build_scene_deleted(at: Planter) -> Planted:
    """Delete a scene that is in the build."""
    lines, rows = _scenes(at.tree)
    path = lines[at.chooser.choice(rows)][10:].strip().decode()
    words = frozenset((path, _BUILD, at.tree.guid_of.get(path, path)))
    return Planted({path: None, path + ".meta": None}, [Expected(_BUILD_CODES, _BUILD, message=path)], words)


@fault
def build_scene_of_other_guid(at: Planter) -> Planted:
    """Let path and GUID of a scene in the build mean two scenes."""
    lines, rows = _scenes(at.tree)
    scenes = [path for path in at.tree.of_kind(".unity") if path.startswith("Assets/")]
    if len(scenes) < 2:
        raise NoPlaceError
    place = at.chooser.choice(rows)
    other = at.chooser.choice([path for path in scenes if path != lines[place][10:].strip().decode()])
    lines[place + 1] = f"    guid: {at.tree.guid_of[other]}\n".encode()
    return Planted({_BUILD: b"".join(lines)}, [Expected(_BUILD_CODES, _BUILD)], frozenset((_BUILD,)))


@fault
def build_without_scenes(at: Planter) -> Planted:
    """Switch all scenes of the build off."""
    text = b"".join(_scenes(at.tree)[0]).replace(b"enabled: 1", b"enabled: 0")
    return Planted({_BUILD: text}, [Expected(_BUILD_CODES, _BUILD)], frozenset((_BUILD,)))


def _lost(name: str) -> Fault:
    """Return a fault that lets settings refer to a missing asset."""
    path = f"ProjectSettings/{name}.asset"

    def plant(at: Planter) -> Planted:
        tree = at.tree
        references = read_yaml(path, tree.text(path))[1] if path in tree.files else []
        item = at.one_of([item for item in references if item.guid in tree.guids])
        edits = edited(tree, item, item.guid.encode(), at.guid().encode())
        return Planted(edits, [Expected(LOST, path, item.line)], frozenset((path,)), is_new=True)

    return plant


FAULTS["graphics-setting-lost"] = _lost("GraphicsSettings")
FAULTS["quality-setting-lost"] = _lost("QualitySettings")


_MANIFEST: Final = "Packages/manifest.json"


def _with_manifest(text: bytes) -> Planted:
    return Planted({_MANIFEST: text}, [Expected(("package-manifest",), _MANIFEST)], frozenset(("*",)))


def _manifest(at: Planter) -> bytes:
    if _MANIFEST not in at.tree.files:
        raise NoPlaceError
    return at.tree.text(_MANIFEST)


@fault
def manifest_is_no_json(at: Planter) -> Planted:
    """Cut the package manifest."""
    text = _manifest(at)
    return _with_manifest(text[: len(text) // 2])


@fault
def manifest_of_a_gone_folder(at: Planter) -> Planted:
    """Name a ``file:`` dependency whose folder is gone."""
    manifest = json.loads(_manifest(at))
    manifest["dependencies"][f"com.example.gone{at.chooser.randrange(999)}"] = "file:../gone/com.example.gone"
    return _with_manifest(json.dumps(manifest, indent=2).encode())


def _asmdefs(at: Planter) -> list[str]:
    return [path for path in at.tree.of_kind(".asmdef") if path.startswith("Assets/")]


def _asmdef(at: Planter, path: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(at.tree.text(path).decode("utf-8-sig"))
    return content


@fault
def asmdef_is_no_json(at: Planter) -> Planted:
    """Cut an assembly definition."""
    paths = _asmdefs(at)
    path = at.one_of(paths)
    text = at.tree.text(path)
    words = frozenset((*paths, at.tree.guid_of[path], path.rpartition("/")[2].removesuffix(".asmdef")))
    return Planted({path: text[: len(text) // 2]}, [Expected(("asmdef-invalid",), path)], words)


@fault
def asmdef_name_twice(at: Planter) -> Planted:
    """Add an assembly definition of a name that is taken."""
    path = at.one_of(_asmdefs(at))
    folder = f"Assets/planted{at.chooser.randrange(1 << 30)}"
    copy = f"{folder}/Copy.asmdef"
    edits = {copy: at.tree.text(path)}
    for name, importer in ((folder, "folderAsset: yes\nDefaultImporter"), (copy, "AssemblyDefinitionImporter")):
        edits[name + ".meta"] = meta(at.guid(), importer)
    # Another fault of the batch cut the one of the two that was there, and the name was no other's.
    expected = [Expected(("asmdef-duplicate",), "")]
    return Planted(edits, expected, frozenset((path, copy)), needed=frozenset((path,)))


@fault
def asmdefs_in_a_circle(at: Planter) -> Planted:
    """Let two assembly definitions refer to each other."""
    paths = _asmdefs(at)
    if len(paths) < 2:
        raise NoPlaceError
    first, second = at.chooser.sample(paths, 2)
    edits: dict[str, bytes | None] = {}
    for path, other in ((first, second), (second, first)):
        content = _asmdef(at, path)
        content.setdefault("references", []).append("GUID:" + at.tree.guid_of[other])
        edits[path] = json.dumps(content, indent=4).encode()
    return Planted(edits, [Expected(("asmdef-cycle",), "")], frozenset(paths))


@fault
def asmdef_reference_lost(at: Planter) -> Planted:
    """Let an assembly definition refer to a GUID that nothing has."""
    path = at.one_of(_asmdefs(at))
    guid = at.guid()
    own = _asmdef(at, path)
    text = json.dumps(own | {"references": ["GUID:" + guid]}, indent=4).encode()
    words = frozenset((path, guid, str(own.get("name", path))))  # its scripts import what it no longer refers to
    return Planted({path: text}, [Expected(("asmdef-reference",), path)], words, is_new=True)


# --- scripts


def _script(at: Planter) -> tuple[str, str, Reference]:
    """Choose a used script; return its path, its class and a component."""
    paths = [path for path in at.tree.of_kind(".cs") if path.startswith("Assets/")]
    for path in at.shuffled(paths):
        users = [
            item
            for item in at.tree.users.get(at.tree.guid_of[path], ())
            if item.name == "m_Script" and item.document.class_id == 114 and item.path.endswith((".prefab", ".unity"))
        ]
        name = path.rpartition("/")[2].removesuffix(".cs")
        if users and re.fullmatch(r"\w+", name):
            return path, name, at.chooser.choice(users)
    raise NoPlaceError


def _without_class(text: str) -> Fault:
    """Return a fault that writes a script anew, so that its class is no component."""

    def plant(at: Planter) -> Planted:
        path, name, user = _script(at)
        expected = Expected(("script-class",), "", message=name)
        edits = {path: text.replace("NAME", name).encode()}
        return Planted(edits, [expected], at.words(path), needed=frozenset((user.path,)))

    return plant


FAULTS["script-without-behaviour"] = _without_class(
    "namespace Planted\n{\n    public class NAME\n    {\n        public int speed;\n    }\n}\n"
)
FAULTS["script-of-other-name"] = _without_class(
    "using UnityEngine;\n\nnamespace Planted\n{\n    public abstract class PlantedBase : MonoBehaviour { }\n\n"
    "    public class PlantedFirst : PlantedBase { }\n\n    public class PlantedSecond : PlantedBase { }\n}\n"
)


@fault
def event_without_method(at: Planter) -> Planted:
    """Let a UnityEvent call a method that the class of its target lacks."""
    path, name, user = _script(at)
    script = f"using UnityEngine;\n\npublic class {name} : MonoBehaviour\n{{\n    public void Open() {{ }}\n}}\n"
    lines = at.tree.lines(user.path)
    if not lines[user.document.end - 2].endswith(b"\n"):
        raise NoPlaceError
    block = (
        "  planted:\n    m_PersistentCalls:\n      m_Calls:\n"
        f"      - m_Target: {{fileID: {user.document.file_id}}}\n"
        f"        m_TargetAssemblyTypeName: {name}, Assembly-CSharp\n"
        "        m_MethodName: Close\n        m_Mode: 1\n        m_Arguments:\n"
        "          m_ObjectArgument: {fileID: 0}\n          m_ObjectArgumentAssemblyTypeName: UnityEngine.Object, UnityEngine\n"
        "          m_IntArgument: 0\n          m_FloatArgument: 0\n          m_StringArgument: \n          m_BoolArgument: 0\n"
        "        m_CallState: 2\n"
    )
    lines[user.document.end - 1 : user.document.end - 1] = [block.encode()]
    expected = Expected(("missing-method",), user.path, user.document.end + 5, user.document.file_id)
    words = frozenset((path, user.path, *(item.path for item in at.tree.users[at.tree.guid_of[path]])))
    return Planted({path: script.encode(), user.path: b"".join(lines)}, [expected], words)
