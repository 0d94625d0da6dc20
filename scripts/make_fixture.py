"""Write ``fixtures/unity_project/``: a small synthetic Unity project with one case for each oddity of real ones.

Everything here is made up; the shapes are those that real projects have. ``python -m scripts.make_fixture`` replaces
the folder in the checkout; a test runs it into another folder and compares. What each case must become stands in
``tests/system/bake/test_fixture.py``.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import struct
from typing import Final, NamedTuple, TypeAlias

TARGET: Final = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "fixtures", "unity_project")

ATLAS: Final = 4343727234628468602  # the fileID of every atlas
YAML_HEAD: Final = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n"
TAIL: Final = "  userData: \n  assetBundleName: \n  assetBundleVariant: \n"
SCRIPT_OF_SETTINGS: Final = "Assets/Scripts/GameSettings.cs"
SCRIPT_OF_ITEMS: Final = "Assets/Scripts/Item.cs"


class Link(NamedTuple):
    """A symbolic link to a folder."""

    target: str


Files: TypeAlias = dict[str, bytes | Link]


def guid_of(path: str) -> str:
    """Return the GUID that the fixture gives an asset: a hash of its path, so that files can be added freely."""
    return hashlib.md5(path.encode(), usedforsecurity=False).hexdigest()


# --- metas


def meta(path: str, importer: str = "DefaultImporter", body: str = "  externalObjects: {}\n", head: str = "") -> str:
    """Return an ordinary meta; ``head`` comes between the GUID and the importer."""
    return f"fileFormatVersion: 2\nguid: {guid_of(path)}\n{head}{importer}:\n{body}{TAIL}"


def folder_meta(path: str) -> str:
    """Return the meta of a folder."""
    return meta(path, head="folderAsset: yes\n")


def native_meta(path: str, main_id: int = 11400000) -> str:
    """Return the meta of an asset in Unity's own YAML."""
    return meta(path, "NativeFormatImporter", f"  externalObjects: {{}}\n  mainObjectFileID: {main_id}\n")


def script_meta(path: str) -> str:
    """Return the meta of a C# script."""
    return meta(path, "MonoImporter", "  externalObjects: {}\n  serializedVersion: 2\n  defaultReferences: []\n")


def sprite_row(name: str, internal_id: int | None) -> str:
    """Return one row of a sprite sheet; sheets of Unity 2018 and older have no ids."""
    identity = "" if internal_id is None else f"      internalID: {internal_id}\n"
    return (
        "    - serializedVersion: 2\n"
        f"      name: {name}\n"
        "      rect:\n        serializedVersion: 2\n        x: 0\n        y: 0\n        width: 8\n        height: 8\n"
        "      alignment: 0\n      pivot: {x: 0.5, y: 0.5}\n      border: {x: 0, y: 0, z: 0, w: 0}\n"
        "      outline: []\n      physicsShape: []\n      tessellationDetail: 0\n      bones: []\n"
        f"      spriteID: {guid_of(name)}\n{identity}      vertices: []\n      indices: \n      edges: []\n"
        "      weights: []\n"
    )


def texture_meta(
    path: str,
    *,
    mode: int = 0,
    kind: int = 0,
    sprites: tuple[tuple[str, int | None], ...] = (),
    internal_ids: tuple[tuple[int, int, str], ...] = (),
    recycle_names: tuple[tuple[int, str], ...] = (),
    name_file_ids: tuple[tuple[str, int], ...] = (),
) -> str:
    """Return the meta of a texture with any of the four tables of sub-assets."""
    if recycle_names:
        first = "  fileIDToRecycleName:\n" + "".join(f"    {number}: {name}\n" for number, name in recycle_names)
    elif internal_ids:
        rows = "".join(f"  - first:\n      {cls}: {number}\n    second: {name}\n" for cls, number, name in internal_ids)
        first = "  internalIDToNameTable:\n" + rows
    else:
        first = "  internalIDToNameTable: []\n"
    sheet = "    sprites:\n" + "".join(sprite_row(*row) for row in sprites) if sprites else "    sprites: []\n"
    if name_file_ids:
        table = "    nameFileIdTable:\n" + "".join(f"      {name}: {number}\n" for name, number in name_file_ids)
    else:
        table = "    nameFileIdTable: {}\n"
    return meta(
        path,
        "TextureImporter",
        f"{first}  externalObjects: {{}}\n  serializedVersion: 12\n  mipmaps:\n    mipMapMode: 0\n    enableMipMap: 0\n"
        f"  maxTextureSize: 2048\n  spriteMode: {mode}\n  spriteExtrude: 1\n  alphaIsTransparency: 1\n"
        f"  textureType: {kind}\n  textureShape: 1\n"
        f"  spriteSheet:\n    serializedVersion: 2\n{sheet}"
        "    outline: []\n    physicsShape: []\n    bones: []\n    spriteID: 5e97eb03825dee720800000000000000\n"
        "    internalID: 0\n    vertices: []\n    indices: \n    edges: []\n    weights: []\n"
        f"    secondaryTextures: []\n{table}  spritePackingTag: \n  pSDRemoveMatte: 0\n",
    )


# --- text assets


def document(class_id: int, file_id: int, class_name: str, *lines: str, stripped: bool = False) -> str:
    """Return one YAML document; ``lines`` are its body, indented by two already."""
    mark = " stripped" if stripped else ""
    return f"--- !u!{class_id} &{file_id}{mark}\n{class_name}:\n" + "".join(f"  {line}\n" for line in lines)


def asset(*documents: str) -> str:
    """Return a text asset of these documents."""
    return YAML_HEAD + "".join(documents)


def named(class_id: int, file_id: int, class_name: str, name: str) -> str:
    """Return a document with nothing but a name, given as YAML."""
    return document(class_id, file_id, class_name, "m_ObjectHideFlags: 0", f"m_Name: {name}", "m_Value: 1")


def scriptable(path_of_script: str, name: str, file_id: int = 11400000, *, wrapped: bool = False) -> str:
    """Return a ScriptableObject's document, with its script's reference on one line or wrapped over two."""
    separator = ",\n    " if wrapped else ", "
    nothing = ("CorrespondingSourceObject", "PrefabInstance", "PrefabAsset", "GameObject")
    return document(
        114,
        file_id,
        "MonoBehaviour",
        "m_ObjectHideFlags: 0",
        *(f"m_{name}: {{fileID: 0}}" for name in nothing),
        "m_Enabled: 1",
        "m_EditorHideFlags: 0",
        f"m_Script: {{fileID: 11500000, guid: {guid_of(path_of_script)}{separator}type: 3}}",
        f"m_Name: {name}",
        "m_EditorClassIdentifier: ",
    )


def material(name: str) -> str:
    """Return a Material's document with nothing but a name."""
    return named(21, 2100000, "Material", name)


def clip(name: str, file_id: int = 7400000) -> str:
    """Return an AnimationClip's document with nothing but a name."""
    return named(74, file_id, "AnimationClip", name)


def settings(name: str, file_id: int = 11400000, *, wrapped: bool = False) -> str:
    """Return the document of a ScriptableObject with settings."""
    return scriptable(SCRIPT_OF_SETTINGS, name, file_id, wrapped=wrapped)


def item(name: str, file_id: int = 11400000) -> str:
    """Return the document of a ScriptableObject of an item."""
    return scriptable(SCRIPT_OF_ITEMS, name, file_id)


def game_object(file_id: int, name: str, *components: int) -> str:
    """Return a GameObject with its Transform and other components."""
    rows = [f"- component: {{fileID: {component}}}" for component in (file_id + 1, *components)]
    return document(
        1, file_id, "GameObject", "m_ObjectHideFlags: 0", "m_Component:", *rows, f"m_Name: {name}", "m_IsActive: 1"
    ) + document(4, file_id + 1, "Transform", f"m_GameObject: {{fileID: {file_id}}}", "m_Children: []")


def instance(file_id: int, source: str) -> str:
    """Return a PrefabInstance that renames the root of the prefab at ``source``."""
    return document(
        1001,
        file_id,
        "PrefabInstance",
        "m_ObjectHideFlags: 0",
        "serializedVersion: 2",
        "m_Modification:",
        "  m_TransformParent: {fileID: 0}",
        "  m_Modifications:",
        f"  - target: {{fileID: 1000, guid: {guid_of(source)}, type: 3}}",
        "    propertyPath: m_Name",
        "    value: Renamed Root",
        "    objectReference: {fileID: 0}",
        "  m_RemovedComponents: []",
        f"m_SourcePrefab: {{fileID: 100100000, guid: {guid_of(source)},\n    type: 3}}",
    )


def serialized_file(version: int, unity: str, class_id: int) -> bytes:
    """Return the shape of a binary SerializedFile with one object of one class; 17 has the old header, 22 the new."""
    metadata = unity.encode() + b"\0" + struct.pack("<iB", -2, 0)
    metadata += struct.pack("<iiBh", 1, class_id, 0, -1) + bytes(16)  # one type: class, not stripped, no script, hash
    if version >= 22:
        metadata += struct.pack("<i", 1) + bytes(-(48 + len(metadata) + 4) % 4)
        metadata += struct.pack("<qqIi", class_id * 100000, 0, 8, 0)
    else:
        metadata += struct.pack("<i", 1) + bytes(-(20 + len(metadata) + 4) % 4)
        metadata += struct.pack("<qIIi", class_id * 100000, 0, 8, 0)
    metadata += struct.pack("<iii", 0, 0, 0) + b"\0"
    start = 48 if version >= 22 else 20
    data_start = (start + len(metadata) + 15) & ~15
    size = data_start + 8
    if version >= 22:
        head = struct.pack(">4IB3xIqqq", 0, 0, version, 0, 0, len(metadata), size, data_start, 0)
    else:
        head = struct.pack(">4IB3x", len(metadata), size, version, data_start, 0)
    return (head + metadata).ljust(data_start, b"\0") + bytes(8)


# --- the project


class Project:
    """The files of the project, path to bytes."""

    def __init__(self) -> None:
        self.files: Files = {}

    def add(self, path: str, content: str | bytes, meta_text: str | bytes | None = None, **parts: str) -> None:
        """Add an asset and its meta (as text, or in the parts of an ordinary one), and the metas of its folders."""
        self.put(path, content)
        self.put(path + ".meta", meta(path, **parts) if meta_text is None else meta_text)
        self.folders_of(path)

    def native(self, path: str, *documents: str, main_id: int = 11400000) -> None:
        """Add an asset of Unity's own documents."""
        self.add(path, asset(*documents), native_meta(path, main_id))

    def script(self, path: str, text: str) -> None:
        """Add a C# script."""
        self.add(path, text, script_meta(path))

    def texture(self, path: str, **options: object) -> None:
        """Add a texture, which is empty."""
        self.add(path, b"", texture_meta(path, **options))  # type: ignore[arg-type]  # handed on as they are

    def put(self, path: str, content: str | bytes) -> None:
        """Add one file as it is."""
        self.files[path] = content.encode() if isinstance(content, str) else content

    def change(self, path: str, *replacements: tuple[bytes, bytes]) -> None:
        """Replace bytes of a file that was added."""
        content = self.files[path]
        if isinstance(content, bytes):
            for old, new in replacements:
                content = content.replace(old, new)
        self.files[path] = content

    def folders_of(self, path: str) -> None:
        """Add the metas of the folders above a path that have none yet."""
        parts = path.split("/")[:-1]
        for depth in range(2, len(parts) + 1):
            folder = "/".join(parts[:depth])
            if (parts[0], depth) != ("Packages", 2):  # a package's own folder has no meta
                self.files.setdefault(folder + ".meta", folder_meta(folder).encode())


def build() -> Files:
    """Return every file of the project."""
    project = Project()
    project.put("ProjectSettings/ProjectVersion.txt", "m_EditorVersion: 2022.3.10f1\n")
    project.put("ProjectSettings/ProjectSettings.asset", asset(document(129, 1, "PlayerSettings", "productName: Odd")))
    project.put("Packages/manifest.json", '{\n  "dependencies": {\n    "com.example.embedded": "1.0.0"\n  }\n}\n')
    steps = (_ordinary, _metas, _missing, _documents, _prefabs, _main_objects, _scalars, _not_yaml, _sprites, _names)
    for step in (*steps, _package):
        step(project)
    return project.files


def _ordinary(project: Project) -> None:
    """Add what every project has, one of each kind of type."""
    add = project.add
    for path in (SCRIPT_OF_SETTINGS, SCRIPT_OF_ITEMS):
        name = path.rpartition("/")[2][:-3]
        project.script(path, f"public class {name} : UnityEngine.ScriptableObject {{ }}\n")
    add("Assets/Scripts/Game.asmdef", '{ "name": "Game" }\n', importer="AssemblyDefinitionImporter")
    # A key-less map row, which most YAML libraries refuse.
    body = "  externalObjects: {}\n  serializedVersion: 2\n  platformData:\n  - first:\n      : Any\n"
    body += "    second:\n      enabled: 0\n      settings:\n        Exclude Editor: 1\n"
    add("Assets/Scripts/Plugin.dll", b"", importer="PluginImporter", body=body)
    project.native("Assets/Art/Red.mat", material("Red"), main_id=2100000)
    body = "  serializedVersion: 22200\n  fileIdsGeneration: 2\n"
    add("Assets/Art/Hero.fbx", b"", importer="ModelImporter", body=body)
    body = "  serializedVersion: 19\n  fileIDToRecycleName:\n    100000: //RootNode\n    400000: //RootNode\n"
    body += "    4300000: Body\n    7400000: 'Take: 1'\n  externalObjects: {}\n"
    add("Assets/Art/Old.fbx", b"", importer="ModelImporter", body=body)
    body = "  serializedVersion: 27\n  internalIDToNameTable:\n  - first:\n      74: 1827226128182048838\n"
    body += "    second: Take 001\n  externalObjects: {}\n"
    add("Assets/Art/New.fbx", b"", importer="ModelImporter", body=body)
    body = "  internalIDToNameTable: []\n  externalObjects: {}\n"
    add("Assets/Art/Unknown.widget", b"", importer="ScriptedImporter", body=body)
    culling = document(29, 1, "OcclusionCullingSettings", "serializedVersion: 2")
    add("Assets/Scenes/Main.unity", asset(culling, game_object(500, "Camera")))


def _metas(project: Project) -> None:
    """Add the oddities of metas."""
    add = project.add
    folder = "Assets/Metas"
    path = f"{folder}/ByteOrderMark.cs"
    add(path, "// BOM\n", b"\xef\xbb\xbf" + script_meta(path).encode())
    path = f"{folder}/Minimal.txt"
    add(path, "minimal\n", f"fileFormatVersion: 2\nguid: {guid_of(path)}\n")
    path = f"{folder}/MinimalUnfinished.txt"
    add(path, "minimal\n", f"fileFormatVersion: 2\nguid: {guid_of(path)}")
    path = f"{folder}/Unfinished.cs"
    add(path, "// no line feed at the end of its meta\n", script_meta(path).rstrip("\n"))
    path = f"{folder}/CarriageReturns.png"
    add(path, b"", texture_meta(path, mode=2, kind=8, sprites=(("returned", 777),)).replace("\n", "\r\n"))
    path = f"{folder}/Created.cs"
    text = script_meta(path).replace("Mono", "timeCreated: 1479\nlicenseType: Pro\nMono", 1)
    add(path, "// timeCreated before the importer\n", text)
    path = f"{folder}/UpperCase.txt"
    add(path, "upper\n", f"fileFormatVersion: 2\nguid: {guid_of(path).upper()}\nTextScriptImporter:\n{TAIL}")
    for path, marker in ((f"{folder}/SevenMarkers.cs", 7), (f"{folder}/EightMarkers.cs", 8)):
        ours, theirs = guid_of(path), guid_of(path + " theirs")
        text = "fileFormatVersion: 2\n" + "<" * marker + f" HEAD\nguid: {ours}\n" + "=" * marker
        text += f"\nguid: {theirs}\n" + ">" * marker + f" branch\nMonoImporter:\n{TAIL}"
        add(path, "// conflict\n", text)
    path = f"{folder}/ConflictedFolder"
    text = f"fileFormatVersion: 2\n<<<<<<< HEAD\nguid: {guid_of(path)}\n=======\nguid: {guid_of(path + ' theirs')}\n"
    project.put(path + ".meta", text + f">>>>>>> branch\nfolderAsset: yes\nDefaultImporter:\n{TAIL}")
    add(f"{path}/Inside.txt", "inside\n")
    add(f"{folder}/NoGuid.txt", "no guid\n", "fileFormatVersion: 2\nguid: not-a-guid\n")
    add(f"{folder}/EmptyMeta.txt", "empty meta\n", "")
    add(f"{folder}/FolderThatIsAFile.txt", "folderAsset on a file\n", head="folderAsset: yes\n")
    path = f"{folder}/Native.framework"
    project.put(path + ".meta", meta(path, "PluginImporter"))
    add(f"{path}/Info.plist", "<plist/>\n")
    path = f"{folder}/Labelled.prefab"
    text = meta(path, "PrefabImporter", head="labels:\n- Hero\n- 'Sci-Fi: Door'\n")
    text = text.replace("userData: \n", "userData: '{\"note\":1}'\n").replace("Name: \n", "Name: heroes/all\n")
    add(path, asset(game_object(1000, "Labelled")), text.replace("Variant: \n", "Variant: hd\n"))
    for name, guid in (
        ("SmallGuid.txt", "0000000000000000000000000000002a"),
        ("ByteGuid.txt", "000000000000000000000000000000fb"),
        ("HalfGuid.txt", "0000000000000001fedcba9876543210"),
    ):
        add(f"{folder}/{name}", "guid\n", f"fileFormatVersion: 2\nguid: {guid}\nTextScriptImporter:\n{TAIL}")
    add("Assets/Duplicates/First.txt", "first\n")
    add("Assets/Duplicates/Second.txt", "second\n", meta("Assets/Duplicates/First.txt"))


def _missing(project: Project) -> None:
    """Add assets and metas that are not where they should be."""
    folder = "Assets/Missing"
    project.put(f"{folder}/Deleted.cs.meta", script_meta(f"{folder}/Deleted.cs"))
    project.put(f"{folder}/EmptyFolder.meta", folder_meta(f"{folder}/EmptyFolder"))
    project.put(f"{folder}/NoMeta.txt", "no meta\n")
    project.put(f"{folder}/NoMetaFolder/Inside.txt", "inside\n")
    project.put(f"{folder}/NoMetaFolder/Inside.txt.meta", meta(f"{folder}/NoMetaFolder/Inside.txt"))
    project.put(f"{folder}/AiController.cs", "// case\n")
    project.put(f"{folder}/AIcontroller.cs.meta", script_meta(f"{folder}/AIcontroller.cs"))
    project.folders_of(f"{folder}/NoMeta.txt")
    project.put("Assets/Hidden/Samples~/Sample.cs", "// not seen by Unity\n")
    project.put("Assets/Hidden/.cache/State.txt", "not seen by Unity\n")
    project.put("Assets/Hidden/.DS_Store", b"\0\0\0\1Bud1")
    project.add("Assets/Hidden/Seen.txt", "seen\n")
    project.add("Assets/Umläute/Grün.txt", "non-ASCII\n")
    project.files["Assets/Linked"] = Link("Art")
    project.put("Assets/Linked.meta", folder_meta("Assets/Linked"))


def _documents(project: Project) -> None:
    """Add the oddities of text assets' documents."""
    native = project.native
    folder = "Assets/Documents"
    native(f"{folder}/Wrapped.asset", settings("Wrapped", wrapped=True))
    rows = item("Sword", 9007199254740993) + item("Shield", -42) + clip("Idle")
    native(f"{folder}/Settings.asset", settings("Settings"), rows, named(1, 100000, "GameObject", "Not A Row"))
    untitled = document(114, -123, "MonoBehaviour", "m_Name: ", "version: 7")
    native(f"{folder}/Negative.mat", untitled, material("Negative"), main_id=2100000)
    path = f"{folder}/Returns.asset"
    project.add(path, asset(item("Returns"), item("Inner", 12)).replace("\n", "\r\n"), native_meta(path))
    path = f"{folder}/Headless.asset"
    project.add(path, item("Headless") + named(28, 2800000, "Texture2D", "Baked"), native_meta(path))
    native(f"{folder}/UnknownClass.asset", named(4242, 424200000, "Mystery", "UnknownClass"), main_id=424200000)
    line = document(43, 4300000, "Mesh", "m_Name: Long", "_typelessdata: " + "0f" * 60_000)
    native(f"{folder}/LongLine.asset", line, clip("After The Long Line"), main_id=4300000)
    path = f"{folder}/Unfinished.asset"
    text = asset(item("Unfinished"), document(74, 7400000, "AnimationClip", "m_Name: Last Line"))
    project.add(path, text.rstrip("\n"), native_meta(path))
    native(f"{folder}/Twice.asset", item("Twice"), clip("Same"), clip("Same"))
    layer, machine = (
        named(1107, -1, "AnimatorStateMachine", "Base Layer"),
        named(91, 9100000, "AnimatorController", "Machine"),
    )
    native(f"{folder}/Machine.controller", layer, machine, named(1102, 2**62, "AnimatorState", "Idle"), main_id=9100000)
    sounds = named(241, 24100000, "AudioMixerController", "Sounds")
    native(f"{folder}/Sounds.mixer", sounds, named(243, 24300002, "AudioMixerGroup", "Master"), main_id=24100000)
    native(f"{folder}/Cut.playable", settings("Cut"), item("Track", -5))
    native(f"{folder}/Icons.spriteatlas", named(687078895, ATLAS, "SpriteAtlas", "Icons"), main_id=ATLAS)


def _main_objects(project: Project) -> None:
    """Add assets whose main object is not the first document, and YAML that only its head shows to be that."""
    native = project.native
    folder = "Assets/MainObjects"
    native(f"{folder}/Universal.mat", settings("", -4912), material("Universal"), main_id=2100000)  # as URP writes them
    # A font: its material and texture first.
    letters, atlas = material("Letters Material"), named(28, 2800000, "Texture2D", "Letters Atlas")
    native(f"{folder}/Letters.asset", letters, atlas, settings("Letters"))
    native(f"{folder}/Untold.asset", letters, settings("Untold"), main_id=0)  # of older metas: then the extension tells
    native(f"{folder}/Chosen.asset", settings("Other"), clip("Chosen"), main_id=7400000)
    begins = asset(settings("", -7), game_object(1000, "Begins", -7))
    project.add(f"{folder}/Begins.prefab", begins, importer="PrefabImporter")
    body = "  internalIDToNameTable: []\n  externalObjects: {}\n  serializedVersion: 2\n"
    project.add(f"{folder}/Parts.spriteLib", asset(settings("Parts")), importer="ScriptedImporter", body=body)
    project.add(f"{folder}/Window.wlt", asset(settings("Window", 1)))
    conflict = "<<<<<<< HEAD\n  m_Name: Merged\n=======\n  m_Name: Other\n>>>>>>> theirs\n"
    native(f"{folder}/Merged.asset", settings("Merged").replace("  m_Name: Merged\n", conflict))


def _prefabs(project: Project) -> None:
    """Add prefabs: plain, with a nested instance and stripped documents, a variant without objects of its own."""
    base = "Assets/Prefabs/Base.prefab"
    body = document(114, 1002, "MonoBehaviour", "m_GameObject: {fileID: 1000}", "m_Name: Component")
    nested = instance(2000, base) + document(
        4,
        2001,
        "Transform",
        f"m_CorrespondingSourceObject: {{fileID: 1001, guid: {guid_of(base)},\n    type: 3}}",
        "m_PrefabInstance: {fileID: 2000}",
        "m_PrefabAsset: {fileID: 0}",
        stripped=True,
    )
    for name, documents in (
        ("Base", (game_object(1000, "Base", 1002), body, clip("Embedded Clip"))),
        ("Nested", (game_object(1500, "Nested"), nested)),
        ("Variant", (instance(3000, base),)),
    ):
        project.add(f"Assets/Prefabs/{name}.prefab", asset(*documents), importer="PrefabImporter")


def _scalars(project: Project) -> None:
    """Add names that YAML writes in other ways than they read."""
    names = (
        "'Material #75'",
        "'It''s'",
        '"Trade\\u2122 \\"mark\\" \\\\ \\x41"',
        "'[benchmark]'",
        "'Cactus '",
        "A name that is so long that Unity wraps it onto the next line because it\n    has more than eighty columns",
        '"Wrapped in quotes \\\n    and escaped"',
        "Plain:with# no comment",
        "Grün",
        '"\\uD83D\\uDC0D"',
    )
    rows = [clip(name, 7400000 + 2 * number) for number, name in enumerate(names)]
    project.native("Assets/Documents/Scalars.asset", item("Scalars"), *rows, clip("", 7500000))


def _not_yaml(project: Project) -> None:
    """Add text assets that are something else."""
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0123456789abcdef' * 4}\nsize 4096\n"
    for name, content, main_id in (
        ("NavMesh", serialized_file(17, "2018.4.1f1", 238), 23800000),
        ("LightingData", serialized_file(22, "2022.3.10f1", 1120), 112000000),
        ("Noise", bytes(range(256)), 11400000),
        ("Pointer", pointer, 11400000),
        ("Json", '{\n  "m_Name": "json"\n}\n', 11400000),
        ("Empty", b"", 11400000),
    ):
        path = f"Assets/NotYaml/{name}.asset"
        project.add(path, content, native_meta(path, main_id))


def _sprites(project: Project) -> None:
    """Add textures: each sprite mode, each table of sub-assets, tables that are stale."""
    folder = "Assets/Sprites"
    project.texture(f"{folder}/Plain.png")
    project.texture(f"{folder}/Single.png", mode=1, kind=8)
    project.texture(f"{folder}/NotASprite.png", mode=1, kind=0)
    project.texture(f"{folder}/Polygon.png", mode=3, kind=8, sprites=(("Polygon_0", 21300000),))

    def sheet(name: str, *sprites: tuple[str, int | None], **tables: object) -> None:
        project.texture(f"{folder}/{name}.png", mode=2, kind=8, sprites=sprites, **tables)

    sheet("Sheet", ("walk_0", 21300000), ("walk_1", 21300002), ("walk_2", -77))
    sheet("OneSprite", ("only", 5531))
    sheet("ZeroId", ("zero", 0), ("one", 1))
    sheet("NoIds", ("old_0", None), ("old_1", None), recycle_names=((21300000, "old_0"),))
    sheet("Quoted", ("'[0]'", 10), ('"q\\u2122"', 11), ("plain name (2)", 12))
    sheet("InternalIds", internal_ids=((213, 21300000, "table_0"), (213, -9, "'table: 1'")))
    sheet("RecycleNames", recycle_names=((21300000, "recycled_0"), (21300002, "recycled_1")))
    sheet("NameFileIds", ("n_0", 31), name_file_ids=(("n_0", 31), ("n_1", -32)))
    sheet("Outlined", ("outlined_0", 61), ("outlined_1", 62))
    outline = b"      outline:\n      - - {x: 1, y: -1}\n        - {x: 1, y: 1}\n"
    project.change(f"{folder}/Outlined.png.meta", (b"      outline: []\n", outline))
    sheet("Damaged", ("damaged", 71))
    project.change(f"{folder}/Damaged.png.meta", (b"name: damaged", b"damaged"), (b"internalID: 71", b""))
    stale = ((213, 40, "stale_table"),)
    project.texture(f"{folder}/Stale.png", mode=1, kind=8, sprites=(("stale_0", 41),), internal_ids=stale)


def _names(project: Project) -> None:
    """Add contested names."""
    for folder in ("Doors/Wood", "Doors/Steel", "Windows/Wood"):
        project.native(f"Assets/Names/{folder}/Handle.mat", material("Handle"), main_id=2100000)
    for path in ("Assets/End.mat", "Assets/Assets/End.mat"):
        project.native(path, material("End"), main_id=2100000)
    for name in ("Fire.tga", "Fire.exr"):
        project.texture(f"Assets/Names/OneFolder/{name}")
    for name in ("security.png", "jumpsuit.png"):
        project.texture(f"Assets/Names/TwoSheets/{name}", mode=2, kind=8, sprites=(("security_0", 21300000),))
    for path in ("Assets/Names/Carets/Editor/Foo.txt", "Assets/Names/Carets/Runtime/Foo.txt"):
        project.add(path, "foo\n")
    project.add("Assets/Names/Carets/Foo^Editor.txt", "a file that is itself called so\n")
    project.script("Assets/Names/Types/Foo.cs", "// another type, another bucket\n")


def _package(project: Project) -> None:
    """Add an embedded package."""
    folder = "Packages/com.example.embedded"
    manifest = '{ "name": "com.example.embedded", "version": "1.0.0" }\n'
    project.add(f"{folder}/package.json", manifest, importer="PackageManifestImporter")
    project.native(f"{folder}/Runtime/Handle.mat", material("Handle"), main_id=2100000)
    project.put(f"{folder}/Documentation~/index.md", "# Not seen by Unity\n")


def write(folder: str, files: Files, *, links: bool = True) -> None:
    """Write the files below ``folder``, in place of what is there."""
    shutil.rmtree(folder, ignore_errors=True)
    for path, content in sorted(files.items()):
        target = os.path.join(folder, *path.split("/"))
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if isinstance(content, bytes):
            with open(target, "wb") as file:
                file.write(content)
        elif links:
            os.symlink(content.target, target, target_is_directory=True)


def main() -> None:
    """Replace the fixture in the checkout."""
    files = build()
    write(TARGET, files)
    print(f"{len(files)} files -> {TARGET}")


if __name__ == "__main__":
    main()
