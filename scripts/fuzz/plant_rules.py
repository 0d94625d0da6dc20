"""Faults that rules find: in code, names, animations, layers, shaders and Addressables."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

from scripts.fuzz.plant_faults import FAULTS, Expected, Fault, NoPlaceError, Planted, Planter, fault
from scripts.fuzz.plant_tree import Reference

_SCRIPT: Final = b"MonoImporter:\n  externalObjects: {}\n  serializedVersion: 2\n"
_FOLDER: Final = b"folderAsset: yes\nDefaultImporter:\n  externalObjects: {}\n"
_PLAIN: Final = b"DefaultImporter:\n  externalObjects: {}\n"
_NATIVE: Final = b"NativeFormatImporter:\n  externalObjects: {}\n"
_DEFINITION: Final = b"AssemblyDefinitionImporter:\n  externalObjects: {}\n"
_FILES_TO_AN_EMPTY_ONE: Final = 10
_SPECIAL: Final = frozenset(("Plugins", "Standard Assets", "Editor"))


def _meta(at: Planter, importer: bytes) -> bytes:
    return b"fileFormatVersion: 2\nguid: " + at.guid().encode() + b"\n" + importer


def _name(at: Planter) -> str:
    return f"Planted{at.chooser.randrange(1 << 30)}"


def _new(at: Planter, path: str, text: str, importer: bytes) -> dict[str, bytes | None]:
    return {path: text.encode(), f"{path}.meta": _meta(at, importer)}


def _scripts(at: Planter) -> list[str]:
    """Return the scripts of assemblies without a definition, outside of Plugins; looked for once."""

    def found() -> Iterator[str]:
        folders = {definition.rpartition("/")[0] for definition in at.tree.of_kind(".asmdef", ".asmref")}
        for path in at.tree.of_kind(".cs"):
            parts = path.split("/")
            above = {"/".join(parts[:count]) for count in range(1, len(parts))}
            if path.startswith("Assets/") and not _SPECIAL.intersection(parts) and not above & folders:
                yield path

    return list(at.tree.pool("scripts without a definition", found))  # a caller shuffles it


def _with_code(plant: Fault) -> Fault:
    """Return a fault for projects with their code: nothing is decided where Git LFS, or a copy, left it out."""

    def plant_with_code(at: Planter) -> Planted:
        paths = at.tree.of_kind(".cs")
        empty = at.tree.pool("scripts without bytes", lambda: (path for path in paths if not at.tree.text(path)))
        if len(empty) * _FILES_TO_AN_EMPTY_ONE > len(paths):
            raise NoPlaceError
        return plant(at)

    return plant_with_code


# --- code


@fault
def script_moved_to_editor(at: Planter) -> Planted:
    """Move the script of a component into an Editor folder beside it."""
    for path in at.shuffled(_scripts(at)):
        folder, _, name = path.rpartition("/")
        users = [item for item in at.tree.users.get(at.tree.guid_of[path], ()) if _is_component(item)]
        declares = re.search(rb"\bclass\s+" + name.removesuffix(".cs").encode() + rb"\b", at.tree.text(path))
        if users and declares and f"{folder}/Editor" not in at.tree.guid_of:
            editor = f"{folder}/Editor"
            edits: dict[str, bytes | None] = {
                path: None,
                f"{path}.meta": None,
                f"{editor}.meta": _meta(at, _FOLDER),
                f"{editor}/{name}": at.tree.text(path),
                f"{editor}/{name}.meta": at.tree.text(f"{path}.meta"),
            }
            user = users[0]
            words = frozenset((*at.words(path), editor, name.removesuffix(".cs")))
            return Planted(edits, [Expected(("editor-script",), user.path, user.line)], words)
    raise NoPlaceError


def _is_component(item: Reference) -> bool:
    is_script = item.name == "m_Script" and item.document.class_id == 114 and not item.document.stripped
    return is_script and item.path.endswith((".prefab", ".unity"))


@fault
def editor_api_in_a_player(at: Planter) -> Planted:
    """Use a class of the editor in a script that players have."""
    name = _name(at)
    path = f"{at.one_of(_scripts(at)).rpartition('/')[0]}/{name}.cs"
    text = f"using UnityEditor;\n\nclass {name}\n{{\n    AssetImporter found;\n}}\n"
    return Planted(_new(at, path, text, _SCRIPT), [Expected(("editor-api",), path)], frozenset((path, name)))


@fault
def message_with_another_value(at: Planter) -> Planted:
    """Give a message of the physics a parameter of another type than Unity passes."""
    name = _name(at)
    path = f"{at.one_of(_scripts(at)).rpartition('/')[0]}/{name}.cs"
    message = at.one_of(
        ["OnTriggerEnter2D(Collider it)", "OnTriggerStay(Collision it)", "OnCollisionExit(Collider it)"]
    )
    text = f"using UnityEngine;\n\npublic class {name} : MonoBehaviour\n{{\n    private void {message}\n    {{\n    }}\n}}\n"
    return Planted(_new(at, path, text, _SCRIPT), [Expected(("message-parameter",), path, 5)], frozenset((path, name)))


@fault
def class_twice(at: Planter) -> Planted:
    """Copy a script that declares one class, with a GUID of its own."""
    for path in at.shuffled(_scripts(at)):
        text = at.tree.text(path)
        if len(re.findall(rb"\b(?:class|struct|enum|interface)\s+\w", text)) == 1 and b"#if" not in text:
            if b"partial" in text:
                continue
            copy = f"{path.rpartition('/')[0]}/{_name(at)}.cs"
            edits: dict[str, bytes | None] = {copy: text, f"{copy}.meta": _meta(at, _SCRIPT)}
            expected = [Expected(("duplicate-type",), one) for one in (path, copy)]
            words = frozenset((copy, *at.words(path), path.rpartition("/")[2].removesuffix(".cs")))
            return Planted(edits, expected, words)
    raise NoPlaceError


@fault
def brace_not_closed(at: Planter) -> Planted:
    """Leave out the brace that ends a block, where indentation says which one it begins with."""
    alone = re.compile(rb"^([ \t]+)\}\s*$")
    for path in at.shuffled(_scripts(at)):
        lines = at.tree.lines(path)
        if any(line.lstrip().startswith(b"#") or b"/*" in line for line in lines) or _is_of_mixed_indentation(lines):
            continue
        for end in at.shuffled([place for place, line in enumerate(lines) if alone.match(line)]):
            around = lines[end][: len(lines[end]) - len(lines[end].lstrip())]
            begin = max((place for place in range(end) if lines[place].rstrip() == around + b"{"), default=-1)
            inside = lines[begin + 1 : end]
            if begin >= 0 and all(not line.strip() or line.startswith(around + around[:1]) for line in inside):
                edits: dict[str, bytes | None] = {path: b"".join([*lines[:end], *lines[end + 1 :]])}
                return Planted(edits, [Expected(("unclear-script",), path, begin + 1)], at.words(path))
    raise NoPlaceError


def _is_of_mixed_indentation(lines: list[bytes]) -> bool:
    return len({line[:1] for line in lines if line[:1] in (b" ", b"\t")}) > 1


@fault
def namespace_without_reference(at: Planter) -> Planted:
    """Import the namespace of an assembly that the definition does not reference."""
    one, other = _name(at), _name(at)
    edits: dict[str, bytes | None] = {}
    for name, text in (
        (one, f"namespace {one}.Sound {{ public class Tone {{ }} }}\n"),
        (other, f"using {one}.Sound;\n\npublic class {other}\n{{\n    Tone tone;\n}}\n"),
    ):
        edits[f"Assets/{name}.meta"] = _meta(at, _FOLDER)
        edits.update(_new(at, f"Assets/{name}/{name}.asmdef", json.dumps({"name": name}), _DEFINITION))
        edits.update(_new(at, f"Assets/{name}/{name}.cs", text, _SCRIPT))
    path = f"Assets/{other}/{other}.cs"
    return Planted(edits, [Expected(("assembly-namespace",), path, 1)], frozenset((one, other)))


def _managed_type_that_is_gone(at: Planter) -> Planted:
    """Write an asset whose managed reference has a class that nothing declares."""
    name = _name(at)
    script = f"Assets/{name}.cs"
    code = f"using UnityEngine;\n\nclass {name} : ScriptableObject\n{{\n    [SerializeReference] object goal;\n}}\n"
    edits = _new(at, script, code, _SCRIPT)
    guid = (edits[f"{script}.meta"] or b"").split()[3].decode()
    text = (
        "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!114 &11400000\nMonoBehaviour:\n  m_ObjectHideFlags: 0\n"
        f"  m_Script: {{fileID: 11500000, guid: {guid}, type: 3}}\n  m_Name: {name}\n  goal:\n    rid: 5\n"
        "  references:\n    version: 2\n    RefIds:\n    - rid: 5\n"
        f"      type: {{class: Gone{name}, ns: , asm: Assembly-CSharp}}\n      data:\n        count: 1\n"
    )
    path = f"Assets/{name}.asset"
    edits.update(_new(at, path, text, _NATIVE))
    return Planted(edits, [Expected(("missing-type",), path, 14)], frozenset((name, path, script)))


FAULTS["managed-type-that-is-gone"] = _with_code(_managed_type_that_is_gone)


@fault
def component_made_by_new(at: Planter) -> Planted:
    """Make a component as an object of any class is made."""
    name, maker = _name(at), _name(at)
    folder = at.one_of(_scripts(at)).rpartition("/")[0]
    code = f"using UnityEngine;\n\npublic class {name} : MonoBehaviour\n{{\n}}\n"
    edits = _new(at, f"{folder}/{name}.cs", code, _SCRIPT)
    path = f"{folder}/{maker}.cs"
    edits.update(_new(at, path, f"public class {maker}\n{{\n    {name} own = new {name}();\n}}\n", _SCRIPT))
    return Planted(edits, [Expected(("new-component",), path, 3, message=name)], frozenset((name, maker, path)))


# --- names in code


_NO_INDEX: Final = "4321"
_ENABLED: Final = b"\n  - enabled: 1\n"


def _calling(call: str, needs: str) -> Fault:
    """Return a fault that adds a script with a call whose name or index nothing has."""

    def plant(at: Planter) -> Planted:
        manifest = "Packages/manifest.json"
        has_bundles = manifest in at.tree.files and b"com.unity.addressables" in at.tree.text(manifest)
        of_scene = "LoadScene(" in call
        if needs not in at.tree.files or (
            has_bundles and of_scene and _NO_INDEX not in call
        ):  # scenes may be in bundles
            raise NoPlaceError
        has_profiles = any("/Build Profiles/" in each for each in at.tree.files)  # each has scenes of its own
        if _NO_INDEX in call and (has_profiles or _ENABLED not in at.tree.text(needs)):
            raise NoPlaceError
        name = _name(at)
        path = f"{at.one_of(_scripts(at)).rpartition('/')[0]}/{name}.cs"
        said = call.replace("NAME", f"Gone{name}")
        text = (
            f"using UnityEngine;\nusing UnityEngine.SceneManagement;\n\nclass {name} : MonoBehaviour\n{{\n"
            f"    void Start()\n    {{\n        {said};\n    }}\n}}\n"
        )
        expected = Expected(("unknown-name",), path, 8, message=_NO_INDEX if _NO_INDEX in call else f"Gone{name}")
        needed = frozenset((needs,)) if _NO_INDEX in call else frozenset[str]()  # of no scene nothing is out of range
        return Planted(_new(at, path, text, _SCRIPT), [expected], frozenset((path, name)), needed=needed)

    return plant


_TAGS: Final = "ProjectSettings/TagManager.asset"
_SCENES: Final = "ProjectSettings/EditorBuildSettings.asset"
FAULTS["scene-of-no-build"] = _calling('SceneManager.LoadScene("NAME")', _SCENES)
FAULTS["scene-of-no-index"] = _calling(f"SceneManager.LoadScene({_NO_INDEX})", _SCENES)
FAULTS["compared-tag-of-nothing"] = _calling('bool isGone = gameObject.tag == "NAME"', _TAGS)
FAULTS["tag-of-nothing"] = _calling('CompareTag("NAME")', _TAGS)
FAULTS["layer-of-nothing"] = _calling('LayerMask.NameToLayer("NAME")', _TAGS)
FAULTS["axis-of-nothing"] = _calling('Input.GetAxis("NAME")', "ProjectSettings/InputManager.asset")
FAULTS["method-of-nothing"] = _calling('Invoke("NAME", 1f)', _TAGS)


# --- animations, tags


def _line_changed(kinds: tuple[str, ...], pattern: bytes, code: str, by: bytes, below: int = 0) -> Fault:
    """Return a fault that writes another value into a line of an asset.

    The finding is that many lines below it.
    """

    def plant(at: Planter) -> Planted:
        row = re.compile(pattern)

        def places() -> list[tuple[str, int]]:
            paths = [path for path in at.tree.yaml if path.endswith(kinds) and path in at.tree.guid_of]
            return [
                (path, place)
                for path in paths
                for place, line in enumerate(at.tree.lines(path))
                if row.match(line) and _is_in_use(at, path, place)
            ]

        path, place = at.one_of(at.tree.pool((pattern, code), places))
        lines = at.tree.lines(path)
        name = _name(at)
        lines[place] = row.sub(by.replace(b"NAME", name.encode()), lines[place])
        words = frozenset((path, name))
        return Planted({path: b"".join(lines)}, [Expected((code,), path, place + 1 + below)], words)

    return plant


def _is_in_use(at: Planter, path: str, place: int) -> bool:
    """Whether a line is of an object, and no left transition (MainMenu.controller of BoatAttack has some)."""
    own = next((item for item in at.tree.documents[path] if item.line <= place < item.end), None)
    if own is None or own.stripped:
        return False
    users = (item for item in at.tree.references(path) if not item.guid and item.file_id == own.file_id)
    return own.class_id not in _TRANSITIONS or any(item.document != own for item in users)


_TRANSITIONS: Final = (1101, 1109)
FAULTS["event-of-no-script"] = _with_code(
    _line_changed(
        (".anim",),
        rb"^  m_Events: \[\]\r?\n",
        "animation-event",
        b"  m_Events:\n  - time: 0\n    functionName: NAME\n    data: \n    objectReferenceParameter: {fileID: 0}\n"
        b"    floatParameter: 0\n    intParameter: 0\n    messageOptions: 0\n",
        below=2,
    )
)
FAULTS["parameter-of-no-controller"] = _line_changed(
    (".controller",), rb"^(    m_ConditionEvent:) \w.*", "animator-parameter", rb"\1 NAME"
)
FAULTS["machine-without-default"] = _line_changed(
    (".controller",), rb"^(  m_DefaultState:) \{fileID: -?[1-9]\d*\}", "animator-default", rb"\1 {fileID: 0}"
)
FAULTS["object-with-unknown-tag"] = _line_changed(
    (".prefab", ".unity"), rb"^(  m_TagString:) \w.*", "unknown-tag", rb"\1 NAME"
)


# --- shaders, Addressables


@fault
def shader_twice(at: Planter) -> Planted:
    """Copy a shader, with a GUID of its own."""
    paths = [path for path in at.tree.of_kind(".shader") if path.startswith("Assets/") and at.tree.text(path)]
    path = at.one_of(paths)
    copy = f"{path.rpartition('/')[0]}/{_name(at)}.shader"
    edits: dict[str, bytes | None] = {copy: at.tree.text(path), f"{copy}.meta": _meta(at, _PLAIN)}
    expected = [Expected(("duplicate-shader",), one) for one in (path, copy)]
    return Planted(edits, expected, frozenset((path, copy)))


@fault
def include_of_nothing(at: Planter) -> Planted:
    """Include a file that is not there into a shader."""
    row = re.compile(rb"^\s*#\s*(?:include|pragma) ")
    paths = [path for path in at.tree.of_kind(".shader") if path in at.tree.guid_of and path.startswith("Assets/")]
    for path in at.shuffled(paths):
        lines = at.tree.lines(path)
        places = [place for place, line in enumerate(lines) if row.match(line)]
        if places:
            place, name = at.chooser.choice(places), _name(at)
            lines.insert(place, f'#include "./{name}.cginc"\n'.encode())
            edits: dict[str, bytes | None] = {path: b"".join(lines)}
            return Planted(edits, [Expected(("missing-include",), path, place + 1)], frozenset((path, name)))
    raise NoPlaceError


def _groups(at: Planter) -> list[str]:
    """Return groups of assets, without the group of built-in data."""

    def found() -> Iterator[str]:
        for path in at.tree.yaml:
            text = at.tree.text(path)
            if b"\n  m_SerializeEntries:\n  - m_GUID: " in text and b"m_GUID: EditorSceneList" not in text:
                yield path

    return list(at.tree.pool("groups", found))


@fault
def label_of_no_settings(at: Planter) -> Planted:
    """Give an Addressables entry a label that the settings lack."""
    path = at.one_of(_groups(at))
    lines = at.tree.lines(path)
    name = _name(at)
    empty, filled = b"    m_SerializedLabels: []", b"    m_SerializedLabels:"
    places = [place for place, line in enumerate(lines) if line.rstrip() in (empty, filled)]
    place = at.one_of(places)
    lines[place : place + 1] = [filled + b"\n", f"    - {name}\n".encode()]
    edits: dict[str, bytes | None] = {path: b"".join(lines)}
    return Planted(edits, [Expected(("addressables-label",), path, message=name)], frozenset((path, name)))


@fault
def address_twice(at: Planter) -> Planted:
    """Give two Addressables entries of a group one address."""
    row = re.compile(rb"^    m_Address: (\S.*)")
    for path in at.shuffled(_groups(at)):
        lines = at.tree.lines(path)
        places = [place for place, line in enumerate(lines) if row.match(line)]
        if len(places) > 1:
            one, other = at.chooser.sample(places, 2)
            lines[other] = lines[one]
            address = lines[one].split(b": ", 1)[1].strip().decode("utf-8", "replace")
            edits: dict[str, bytes | None] = {path: b"".join(lines)}
            return Planted(edits, [Expected(("addressables-duplicate",), path)], frozenset((path, address)))
    raise NoPlaceError
