"""Faults of settings, package manifests, assembly definitions and scripts."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

from scripts.fuzz.plant_faults import (
    CONFLICT,
    LFS_POINTER,
    LOST,
    Expected,
    Planted,
    draw,
    edited,
    fault,
)
from scripts.fuzz.plant_tree import Reference, Tree, read_yaml

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

# --- settings


def _setting(tree: Tree, name: str, text: bytes | None, codes: Sequence[str], line: int = 0) -> Planted | None:
    path = f"ProjectSettings/{name}"
    if path not in tree.files:
        return None
    return Planted({path: text}, [Expected(codes, path, line)], frozenset((path,)))


_SETTINGS: Final = (
    "EditorSettings",
    "TagManager",
    "GraphicsSettings",
    "QualitySettings",
    "InputManager",
    "ProjectSettings",
)


def _settings_file(tree: Tree, chooser: random.Random) -> str | None:
    names = [f"{name}.asset" for name in _SETTINGS if f"ProjectSettings/{name}.asset" in tree.files]
    names = [name for name in names if tree.text(f"ProjectSettings/{name}").startswith(b"%YAML")]
    return chooser.choice(names) if names else None


@fault
def settings_in_conflict(tree: Tree, chooser: random.Random) -> Planted | None:
    """Leave a merge unresolved in a settings file."""
    name = _settings_file(tree, chooser)
    if name is None:
        return None
    lines = tree.lines(f"ProjectSettings/{name}")
    place = chooser.randrange(5, len(lines))
    lines[place:place] = [CONFLICT[0], lines[place - 1], CONFLICT[1], lines[place - 1], CONFLICT[2]]
    return _setting(tree, name, b"".join(lines), ("conflict-markers",), place + 1)


@fault
def settings_are_a_pointer(tree: Tree, chooser: random.Random) -> Planted | None:
    """Leave an LFS pointer where settings should be."""
    name = _settings_file(tree, chooser)
    return None if name is None else _setting(tree, name, LFS_POINTER, ("lfs-pointer",))


@fault
def settings_are_garbage(tree: Tree, chooser: random.Random) -> Planted | None:
    """Put random bytes in the place of settings."""
    name = _settings_file(tree, chooser)
    return None if name is None else _setting(tree, name, chooser.randbytes(1000), ("broken-asset",))


def _scenes(tree: Tree) -> list[bytes]:
    path = "ProjectSettings/EditorBuildSettings.asset"
    return tree.lines(path) if path in tree.files else []


def _scene_rows(tree: Tree, lines: Sequence[bytes]) -> list[int]:
    """Return the places of the paths of enabled scenes that the project has."""
    return [
        place
        for place, line in enumerate(lines)
        if line.startswith(b"    path: ")
        and b"enabled: 1" in lines[place - 1]
        and place + 1 < len(lines)
        and lines[place + 1].startswith(b"    guid: ")
        and (tree.root / line[10:].strip().decode()).is_file()
    ]


_BUILD: Final = "ProjectSettings/EditorBuildSettings.asset"
_BUILD_CODES: Final = ("build-scene", "no-build-scene")


@fault
def build_scene_deleted(tree: Tree, chooser: random.Random) -> Planted | None:
    """Delete a scene that is in the build."""
    lines = _scenes(tree)
    rows = _scene_rows(tree, lines)
    if not rows:
        return None
    place = chooser.choice(rows)
    path = lines[place][10:].strip().decode()
    edits = {path: None, path + ".meta": None}
    words = frozenset((path, _BUILD, tree.guid_of.get(path, path)))
    return Planted(edits, [Expected(_BUILD_CODES, _BUILD, message=path)], words)


@fault
def build_scene_of_other_guid(tree: Tree, chooser: random.Random) -> Planted | None:
    """Let path and GUID of a scene in the build mean two scenes."""
    lines = _scenes(tree)
    rows = _scene_rows(tree, lines)
    scenes = [path for path in tree.of_kind(".unity") if path.startswith("Assets/")]
    if not rows or len(scenes) < 2:
        return None
    place = chooser.choice(rows)
    other = chooser.choice([path for path in scenes if path != lines[place][10:].strip().decode()])
    lines[place + 1] = f"    guid: {tree.guid_of[other]}\n".encode()
    return Planted({_BUILD: b"".join(lines)}, [Expected(_BUILD_CODES, _BUILD)], frozenset((_BUILD,)))


@fault
def build_without_scenes(tree: Tree, _chooser: random.Random) -> Planted | None:
    """Switch all scenes of the build off."""
    lines = _scenes(tree)
    if not _scene_rows(tree, lines):
        return None
    text = b"".join(lines).replace(b"enabled: 1", b"enabled: 0")
    return Planted({_BUILD: text}, [Expected(_BUILD_CODES, _BUILD)], frozenset((_BUILD,)))


def _lost_setting(tree: Tree, chooser: random.Random, name: str) -> Planted | None:
    path = f"ProjectSettings/{name}.asset"
    if path not in tree.files:
        return None
    _, references = read_yaml(path, tree.text(path))
    references = [item for item in references if item.guid in tree.guids]
    if not references:
        return None
    item = chooser.choice(references)
    edits = edited(tree, item, item.guid.encode(), draw(chooser).encode())
    return Planted(edits, [Expected(LOST, path, item.line)], frozenset((path,)), needs_history=True)


@fault
def graphics_setting_lost(tree: Tree, chooser: random.Random) -> Planted | None:
    """Let GraphicsSettings refer to an asset that is not there."""
    return _lost_setting(tree, chooser, "GraphicsSettings")


@fault
def quality_setting_lost(tree: Tree, chooser: random.Random) -> Planted | None:
    """Let QualitySettings refer to an asset that is not there."""
    return _lost_setting(tree, chooser, "QualitySettings")


_MANIFEST: Final = "Packages/manifest.json"


@fault
def manifest_is_no_json(tree: Tree, _chooser: random.Random) -> Planted | None:
    """Cut the package manifest."""
    if _MANIFEST not in tree.files:
        return None
    text = tree.text(_MANIFEST)
    return Planted({_MANIFEST: text[: len(text) // 2]}, [Expected(("package-manifest",), _MANIFEST)], frozenset(("*",)))


@fault
def manifest_of_a_gone_folder(tree: Tree, chooser: random.Random) -> Planted | None:
    """Name a ``file:`` dependency whose folder is gone."""
    if _MANIFEST not in tree.files:
        return None
    manifest = json.loads(tree.text(_MANIFEST))
    manifest["dependencies"][f"com.example.gone{chooser.randrange(999)}"] = "file:../gone/com.example.gone"
    text = json.dumps(manifest, indent=2).encode()
    return Planted({_MANIFEST: text}, [Expected(("package-manifest",), _MANIFEST)], frozenset(("*",)))


def _asmdefs(tree: Tree) -> list[str]:
    return [path for path in tree.of_kind(".asmdef") if path.startswith("Assets/")]


@fault
def asmdef_is_no_json(tree: Tree, chooser: random.Random) -> Planted | None:
    """Cut an assembly definition."""
    paths = _asmdefs(tree)
    if not paths:
        return None
    path = chooser.choice(paths)
    text = tree.text(path)
    words = frozenset((*paths, tree.guid_of[path], path.rpartition("/")[2].removesuffix(".asmdef")))
    return Planted({path: text[: len(text) // 2]}, [Expected(("asmdef-invalid",), path)], words)


@fault
def asmdef_name_twice(tree: Tree, chooser: random.Random) -> Planted | None:
    """Add an assembly definition of a name that is taken."""
    paths = _asmdefs(tree)
    if not paths:
        return None
    path = chooser.choice(paths)
    folder = f"Assets/planted{chooser.randrange(1 << 30)}"
    copy = f"{folder}/Copy.asmdef"
    edits = {copy: tree.text(path)}
    for name, extra in ((folder, "folderAsset: yes\nDefaultImporter:"), (copy, "AssemblyDefinitionImporter:")):
        meta = f"fileFormatVersion: 2\nguid: {draw(chooser)}\n{extra}\n  externalObjects: {{}}\n"
        edits[name + ".meta"] = meta.encode()
    return Planted(edits, [Expected(("asmdef-duplicate",), "")], frozenset((path, copy)))


@fault
def asmdefs_in_a_circle(tree: Tree, chooser: random.Random) -> Planted | None:
    """Let two assembly definitions refer to each other."""
    paths = _asmdefs(tree)
    if len(paths) < 2:
        return None
    first, second = chooser.sample(paths, 2)
    edits: dict[str, bytes | None] = {}
    for path, other in ((first, second), (second, first)):
        content = json.loads(tree.text(path).decode("utf-8-sig"))
        content.setdefault("references", []).append("GUID:" + tree.guid_of[other])
        edits[path] = json.dumps(content, indent=4).encode()
    return Planted(edits, [Expected(("asmdef-cycle",), "")], frozenset(paths))


@fault
def asmdef_reference_lost(tree: Tree, chooser: random.Random) -> Planted | None:
    """Let an assembly definition refer to a GUID that nothing has."""
    paths = _asmdefs(tree)
    if not paths:
        return None
    path = chooser.choice(paths)
    content = json.loads(tree.text(path).decode("utf-8-sig"))
    guid = draw(chooser)
    content["references"] = ["GUID:" + guid]
    expected = Expected(("asmdef-reference",), path)
    edits = {path: json.dumps(content, indent=4).encode()}
    return Planted(edits, [expected], frozenset((path, guid)), needs_history=True)


# --- scripts


def _script(tree: Tree, chooser: random.Random) -> tuple[str, Reference] | None:
    """Choose a script of the project that components use."""
    paths = [path for path in tree.of_kind(".cs") if path.startswith("Assets/")]
    chooser.shuffle(paths)
    for path in paths:
        users = [
            item
            for item in tree.users.get(tree.guid_of[path], ())
            if item.name == "m_Script" and item.document.class_id == 114 and item.path.endswith((".prefab", ".unity"))
        ]
        if users and re.fullmatch(r"\w+", path.rpartition("/")[2].removesuffix(".cs")):
            return path, chooser.choice(users)
    return None


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".cs")


@fault
def script_without_behaviour(tree: Tree, chooser: random.Random) -> Planted | None:
    """Let the class of a component derive from nothing."""
    place = _script(tree, chooser)
    if place is None:
        return None
    path, _ = place
    text = f"namespace Planted\n{{\n    public class {_stem(path)}\n    {{\n        public int speed;\n    }}\n}}\n"
    words = frozenset((path, tree.guid_of[path], *(item.path for item in tree.users[tree.guid_of[path]])))
    return Planted({path: text.encode()}, [Expected(("script-class",), "", message=_stem(path))], words)


@fault
def script_of_other_name(tree: Tree, chooser: random.Random) -> Planted | None:
    """Let the only class of a script be called otherwise than its file."""
    place = _script(tree, chooser)
    if place is None:
        return None
    path, _ = place
    text = (
        "using UnityEngine;\n\nnamespace Planted\n{\n    public abstract class PlantedBase : MonoBehaviour { }\n\n"
        "    public class PlantedFirst : PlantedBase { }\n\n    public class PlantedSecond : PlantedBase { }\n}\n"
    )
    words = frozenset((path, tree.guid_of[path], *(item.path for item in tree.users[tree.guid_of[path]])))
    return Planted({path: text.encode()}, [Expected(("script-class",), "", message=_stem(path))], words)


@fault
def event_without_method(tree: Tree, chooser: random.Random) -> Planted | None:
    """Let a UnityEvent call a method that the class of its target lacks."""
    place = _script(tree, chooser)
    if place is None:
        return None
    path, user = place
    name = _stem(path)
    script = f"using UnityEngine;\n\npublic class {name} : MonoBehaviour\n{{\n    public void Open() {{ }}\n}}\n"
    lines = tree.lines(user.path)
    if not lines[user.document.end - 2].endswith(b"\n"):
        return None
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
    words = frozenset((path, user.path, *(item.path for item in tree.users[tree.guid_of[path]])))
    return Planted({path: script.encode(), user.path: b"".join(lines)}, [expected], words)
