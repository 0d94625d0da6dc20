"""Every code has a project that triggers it, and it alone, and one that nearly does."""

from __future__ import annotations

import base64
import errno
import os
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

import pytest

import assetdb
from assetdb.checks.changes.lost_materials import LOST_MATERIAL
from assetdb.checks.changes.lost_values import LOST_VALUE
from assetdb.checks.findings.codes import UNKNOWN_GUID
from assetdb.checks.findings.engine import Selection, check_project
from assetdb.diagnostics.codes import CODES
from assetdb.errors import BakeError
from assetdb.query.snapshots.snapshot import open_project
from assetdb.store import lock
from tests.assetdb.checks.healthy import (
    ADDRESSABLES,
    COUNT,
    FOLDER,
    ITEM,
    NATIVE,
    SCRIPT,
    enemy,
    guid_of,
    make_healthy,
    material,
    placed,
    put,
    put_group,
    put_meta,
    put_settings,
    script_of,
    scriptable,
)
from tests.assetdb.checks.rule_cases import RULE_CASES, streamed
from tests.assetdb.history.git_project import git
from tests.assetdb.store.lock_holder import without_locks
from tests.assetdb.unity_project import HEAD, SPRITES, component, game_object

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LEFTOVER = "7a68c43fe1f2a47cfa234b5eeaa98012"  # HDAdditionalLightData of a pipeline
NOWHERE = "8f57b4a070f7b43bbb3925467e6752ab"
POINTER = f"version https://git-lfs.github.com/spec/v1\noid sha256:{7:064}\nsize 1\n"
ENCODED = base64.b64encode(bytes.fromhex("0d7e1ab628fb557c") + bytes(range(33))).decode()  # of 24532f67...
PLAIN = "DefaultImporter:\n  userData: \n"
ROWS = "    m_Modifications:\n"
HAT = (
    f"    - target: {{fileID: 200, guid: {guid_of(enemy(1))}, type: 3}}\n"
    "      propertyPath: m_Name\n      value: Cap\n      objectReference: {fileID: 0}\n"
)
ASSEMBLY = "AssemblyDefinitionImporter:\n  userData: \n"


class Case(NamedTuple):
    """What breaks a healthy project, the findings that this makes, and what looks like it and is none.

    ``expected`` are code and path of every finding, of whatever code. ``beside`` are those of what only nearly breaks.
    """

    trigger: Callable[[Path], None]
    expected: tuple[tuple[str, str], ...]
    nearly: Callable[[Path], None]
    beside: tuple[tuple[str, str], ...] = ()


def renamed(field: str, former: str) -> str:
    """Return a script of which a field had another name."""
    now = f"public {field}"
    return ITEM.replace("public Sprite icon", f'[UnityEngine.Serialization.FormerlySerializedAs("{former}")] {now}')


def refer(root: Path, reference: str, path: str = "Assets/Data/Refers.asset") -> None:
    put(root, path, scriptable("Assets/Scripts/Item.cs", "Refers", f"  target: {reference}\n"), NATIVE)


def to(path: str, file_id: int) -> str:
    return f"{{fileID: {file_id}, guid: {guid_of(path)}, type: 3}}"


def override(root: Path, target: int) -> None:
    put(root, "Assets/Scenes/Over.unity", HEAD + placed(7, enemy(0), target, "X"))


def text(root: Path, path: str, data: str, importer: str = PLAIN) -> None:
    put(root, path, data, importer)


def stored(root: Path, path: str, size: int, rule: str = "") -> None:
    """Add all to git, with a file of NULs, and a rule."""
    put(root, path, b"")
    os.truncate(root / path, size)
    (root / ".gitattributes").write_text(rule)
    git(root, "init", "-q")
    git(root, "-c", "filter.lfs.clean=cat", "-c", "filter.lfs.required=false", "add", "-A")


def half_committed(root: Path, forgotten: str) -> None:
    """Add all to git but one asset."""
    git(root, "init", "-q")
    git(root, "add", "-A")
    if forgotten:
        git(root, "rm", "-q", "--cached", forgotten, f"{forgotten}.meta")


def twin(root: Path, guid: str) -> None:
    put(root, "Assets/Art/Copy.mat", material("Copy"), NATIVE)
    put_meta(root, "Assets/Art/Copy.mat", NATIVE, guid)


def package(root: Path, guid: str) -> None:
    folder = root / "Library" / "PackageCache" / "com.acme.tools@1.0.0"
    folder.mkdir(parents=True)
    (folder / "package.json").write_text('{"name": "com.acme.tools", "version": "1.0.0"}')
    (folder / "Tool.cs").write_text("class Tool {}\n")
    (folder / "Tool.cs.meta").write_text(f"fileFormatVersion: 2\nguid: {guid}\n{SCRIPT}")
    (root / "Packages" / "manifest.json").write_text(
        f'{{"dependencies": {{{ADDRESSABLES}, "com.acme.tools": "1.0.0"}}}}'
    )
    (root / "Packages" / "packages-lock.json").write_text(
        '{"dependencies": {"com.acme.tools": {"version": "1.0.0", "depth": 0, "source": "registry"},'
        ' "com.unity.addressables": {"version": "1.21.19", "source": "registry", "dependencies": {}}}}'
    )


def to_script(guid: str) -> str:
    return f"{{fileID: 11500000, guid: {guid}, type: 3}}"


def absent_package(root: Path, name: str) -> None:
    (root / "Packages" / "manifest.json").write_text(f'{{"dependencies": {{{ADDRESSABLES}, "{name}": "1.0.0"}}}}')
    (root / "Packages" / "packages-lock.json").unlink()
    refer(root, f"{{fileID: 11400000, guid: {NOWHERE}, type: 2}}")


def local_package(root: Path, where: str) -> None:
    folder = root / "Packages" / where
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text('{"name": "com.acme.local", "version": "1.0.0"}')
    (root / "Packages" / "manifest.json").write_text(
        f'{{"dependencies": {{{ADDRESSABLES}, "com.acme.local": "file:{where}"}}}}'
    )
    (root / "Packages" / "packages-lock.json").unlink()


def meta_alone(root: Path, path: str, importer: str) -> None:
    put_meta(root, path, importer)


def without_meta(root: Path, path: str) -> None:
    (root / path).parent.mkdir(exist_ok=True)
    (root / path).write_text("x")


def in_case(root: Path, meta: str) -> None:
    (root / "Assets/Scripts/Odd.cs").write_text("class Odd {}\n")
    put_meta(root, f"Assets/Scripts/{meta}", SCRIPT)


def parted(root: Path, file: str, meta: str) -> None:
    (root / "Assets/Art" / file).write_bytes(b"\x89PNG")
    put_meta(root, f"Assets/Art/{meta}", SPRITES)


def link(root: Path, name: str, target: str) -> None:
    (root / "Assets" / name).symlink_to(target)
    if not target.startswith("Art/") or "." in target:
        put_meta(root, f"Assets/{name}", PLAIN)


def pipe(root: Path) -> None:
    os.mkfifo(root / "Assets/Pipe.asset")
    put_meta(root, "Assets/Pipe.asset", NATIVE)


def named_in_latin(root: Path, name: bytes) -> None:
    folder = os.fsencode(root / "Assets/Art")
    for ending, data in ((b"", b"x"), (b".meta", f"fileFormatVersion: 2\nguid: {guid_of('latin')}\n{PLAIN}".encode())):
        with open(os.path.join(folder, name + ending), "wb") as file:
            file.write(data)


def meta_of_size(root: Path, size: int) -> None:
    put(root, "Assets/Art/Large.png", b"\x89PNG", SPRITES)
    meta = root / "Assets/Art/Large.png.meta"
    meta.write_bytes(meta.read_bytes().ljust(size, b"\n"))


def scrubbed(root: Path, name: str) -> None:
    (root / "assetdb.toml").write_text('scrub-characters = "#"\n')
    put(root, f"Assets/Art/{name}.mat", material("x"), NATIVE)


def definition(root: Path, **fields: object) -> None:
    import json  # noqa: PLC0415 - one case of many

    put(root, "Assets/More/More.asmdef", json.dumps({"name": "More", **fields}, indent=4), ASSEMBLY)


def one_after_the_other(*_made: object) -> None:
    """Take what several steps made."""


def local_folder(root: Path) -> None:
    (root / "Local").mkdir()
    (root / "Local/package.json").write_text('{"name": "com.example.here", "version": "1.0.0"}')
    manifest(root, f'\ufeff{{"dependencies": {{{ADDRESSABLES}, "com.example.here": "file:../Local"}}}}')


def structured(root: Path, *, owner: int = 100, anchor: int = 300, target: int = 0) -> None:
    renderer = component(23, 102, 100, "MeshRenderer", f"  m_ProbeAnchor: {{fileID: {target}}}\n")
    text = HEAD + game_object(100, "Made", 0, renderer) + game_object(300, "Other").replace("&300", f"&{anchor}")
    text = text.replace("m_GameObject: {fileID: 300}", f"m_GameObject: {{fileID: {anchor}}}")
    text = text.replace(
        "MeshRenderer:\n  m_GameObject: {fileID: 100}", f"MeshRenderer:\n  m_GameObject: {{fileID: {owner}}}"
    )
    put(root, "Assets/Prefabs/Made.prefab", text, "PrefabImporter:\n  userData: \n")


def nested_in(root: Path, name: str, inner: str) -> None:
    source = guid_of(f"Assets/Prefabs/{inner}.prefab")
    text = (
        f"{HEAD}--- !u!1001 &100\nPrefabInstance:\n  m_Modification:\n    m_Modifications: []\n"
        f"  m_SourcePrefab: {{fileID: 100100000, guid: {source}, type: 3}}\n"
    )
    put(root, f"Assets/Prefabs/{name}.prefab", text, "PrefabImporter:\n  userData: \n")


def meta_begins(root: Path, mark: str) -> None:
    meta = root / "Assets/Art/Paint0.mat.meta"
    meta.write_text(mark + meta.read_text())


def second_definition(root: Path, name: str, **fields: object) -> None:
    import json  # noqa: PLC0415 - few cases of many

    put(root, "Assets/Other/Other.asmdef", json.dumps({"name": name, **fields}, indent=4), ASSEMBLY)


def build_list(root: Path, path: str, *, enabled: int = 1, guid: str = "0" * 32) -> None:
    scene = f"  m_Scenes:\n  - enabled: {enabled}\n    path: {path}\n    guid: {guid}\n"
    settings = f"{HEAD}--- !u!1045 &1\nEditorBuildSettings:\n  serializedVersion: 2\n{scene}"
    (root / "ProjectSettings/EditorBuildSettings.asset").write_text(settings)


def manifest(root: Path, text: str) -> None:
    (root / "Packages/manifest.json").write_text(text)


def group(root: Path, guid: str) -> None:
    put_group(root, f"  - m_GUID: {guid}\n    m_Address: Gone\n    m_ReadOnly: 0\n")


def button(root: Path, method: str) -> None:
    put(root, "Assets/Scripts/Health.cs", "class Health : MonoBehaviour { void Restore() {} }\n", SCRIPT)
    called = f"""  onClick:
    m_PersistentCalls:
      m_Calls:
      - m_Target: {{fileID: 30}}
        m_TargetAssemblyTypeName: Health, Game
        m_MethodName: {method}
        m_Mode: 1
        m_CallState: 2
"""
    health = component(114, 30, 10, "MonoBehaviour", script_of(guid_of("Assets/Scripts/Health.cs")))
    clicked = component(114, 31, 10, "MonoBehaviour", called)
    put(root, "Assets/Scenes/Button.unity", HEAD + game_object(10, "Button", 0, health + clicked))


def coin(root: Path, path: str, importer: str = SPRITES) -> None:
    put(root, path, b"\x89PNG", importer)


def objects_of_one_id(root: Path, second: int) -> None:
    documents = f"--- !u!74 &7400000\nAnimationClip:\n  m_Name: A\n--- !u!74 &{second}\nAnimationClip:\n  m_Name: A\n"
    put(root, "Assets/Data/Two.asset", scriptable("Assets/Scripts/Item.cs", "Two") + documents, NATIVE)


def merged_texts(root: Path, middle: str, end: str) -> None:
    for path in ("Assets/Art/Fog.shader", "Assets/Data/Levels.json"):
        put(root, path, f"// one\n<<<<<<< HEAD\n// two\n{middle}// three\n{end}")


def merged(root: Path, mark: str) -> None:
    put(root, "Assets/Art/Merged.png", b"\x89PNG", SPRITES)
    meta = root / "Assets/Art/Merged.png.meta"
    own, other = guid_of("Assets/Art/Merged.png"), guid_of("other")
    if len(mark) == 7:
        sides = f"{mark} HEAD\nguid: {own}\n=======\nguid: {other}\n>>>>>>> main\n"
        meta.write_text(f"fileFormatVersion: 2\n{sides}{SPRITES}")
    else:
        meta.write_text(f"fileFormatVersion: 2\nguid: {own}\n{SPRITES}  userData: {mark} HEAD\n")


CASES: dict[str, Case] = {
    # Of files
    "binary-asset": Case(
        lambda root: put(root, "Assets/Data/Bin.asset", b"\0\1\2\3" * 40, NATIVE),
        (("binary-asset", "Assets/Data/Bin.asset"), ("broken-asset", "Assets/Data/Bin.asset")),
        lambda root: put(root, "Assets/Data/Bin.bytes", b"\0\1\2\3" * 40),
    ),
    "case-mismatch": Case(
        lambda root: in_case(root, "odd.cs"),
        (("case-mismatch", "Assets/Scripts/Odd.cs"),),
        lambda root: in_case(root, "Odd.cs"),
    ),
    "conflict-markers": Case(
        lambda root: (merged(root, "<<<<<<<"), merged_texts(root, "=======\n", ">>>>>>> main\n")),
        (
            ("conflict-markers", "Assets/Art/Fog.shader"),
            ("conflict-markers", "Assets/Art/Merged.png.meta"),
            ("conflict-markers", "Assets/Data/Levels.json"),
        ),
        lambda root: (merged(root, "<<<<<<"), merged_texts(root, "======= more\n", "")),
    ),
    "duplicate-guid": Case(
        lambda root: twin(root, guid_of("Assets/Art/Paint0.mat")),
        (("duplicate-guid", "Assets/Art/Copy.mat"), ("duplicate-guid", "Assets/Art/Paint0.mat")),
        lambda root: twin(root, guid_of("Assets/Art/Paint0.mat")[::-1]),
    ),
    "duplicate-sub-asset": Case(
        lambda root: objects_of_one_id(root, 7400000),
        (("duplicate-object", "Assets/Data/Two.asset"), ("duplicate-sub-asset", "Assets/Data/Two.asset")),
        lambda root: objects_of_one_id(root, 7400002),
    ),
    "empty-asset": Case(
        lambda root: put(root, "Assets/Data/None.asset", b"", NATIVE),
        (("empty-asset", "Assets/Data/None.asset"),),
        lambda root: put(root, "Assets/Data/None.txt", b""),
    ),
    "guid-in-package": Case(
        lambda root: package(root, guid_of("Assets/Scripts/Health.cs")),
        (("guid-in-package", "Assets/Scripts/Health.cs"),),
        lambda root: package(root, NOWHERE),
    ),
    "invalid-file-name": Case(
        lambda root: named_in_latin(root, b"Schr\xffift.txt"),
        (("invalid-file-name", "Assets/Art/Schr\ufffdift.txt"),),
        lambda root: named_in_latin(root, "Schrÿift.txt".encode()),
    ),
    "lfs-pointer": Case(
        lambda root: (
            put(root, "Assets/Data/Big.asset", POINTER, NATIVE),
            put(root, "Assets/Art/Big.png", POINTER, "TextureImporter:\n  userData: \n"),
            put(root, "Assets/Data/Big.bytes", POINTER),
        ),
        (
            ("lfs-pointer", "Assets/Art/Big.png"),
            ("lfs-pointer", "Assets/Data/Big.asset"),
            ("lfs-pointer", "Assets/Data/Big.bytes"),
        ),
        lambda root: put(root, "Assets/Data/Big.txt", f"Of Git LFS:\n{POINTER}"),
    ),
    "linked-directory": Case(
        lambda root: link(root, "Linked", "Art"),
        (("linked-directory", "Assets/Linked"),),
        lambda root: link(root, "Linked.png", "Art/tiles.png"),
    ),
    "missing-directory": Case(
        lambda root: meta_alone(root, "Assets/Empty", FOLDER),
        (("missing-directory", "Assets/Empty.meta"),),
        lambda root: ((root / "Assets/Empty").mkdir(), meta_alone(root, "Assets/Empty", FOLDER)),
    ),
    "missing-meta": Case(
        lambda root: without_meta(root, "Assets/New.txt"),
        (("missing-meta", "Assets/New.txt"),),
        lambda root: without_meta(root, "Assets/Samples~/New.txt"),
    ),
    "encoded-guid": Case(
        lambda root: (put(root, "Assets/A.txt", "x"), (root / "Assets/A.txt.meta").write_text(f"guid: {ENCODED}\n")),
        (("encoded-guid", "Assets/A.txt.meta"),),
        lambda root: (put(root, "Assets/A.txt", "x"), (root / "Assets/A.txt.meta").write_text(f"guid: x{ENCODED}\n")),
        (("no-guid", "Assets/A.txt.meta"),),
    ),
    "no-guid": Case(
        lambda root: (put(root, "Assets/A.txt", "x"), (root / "Assets/A.txt.meta").write_text("guid: 12\n")),
        (("no-guid", "Assets/A.txt.meta"),),
        lambda root: (put(root, "Assets/A.txt", "x"), (root / "Assets/A.txt.meta").write_text(f"guid: {NOWHERE}\n")),
    ),
    "not-a-file": Case(
        pipe, (("not-a-file", "Assets/Pipe.asset"),), lambda root: link(root, "Pipe.png", "Art/tiles.png")
    ),
    "not-yaml": Case(
        lambda root: put(root, "Assets/Data/Table.asset", '{"rows": []}', NATIVE),
        (("not-yaml", "Assets/Data/Table.asset"),),
        lambda root: put(root, "Assets/Data/Table.json", '{"rows": []}'),
    ),
    "invalid-guid": Case(
        lambda root: (
            refer(root, "{fileID: 11400000, guid: 0123456789abcdef, type: 2}"),
            (root / "ProjectSettings/GraphicsSettings.asset").write_text(
                f"{HEAD}--- !u!30 &1\nGraphicsSettings:\n  m_Shader: {{fileID: 46, guid: f00, type: 0}}\n"
            ),
        ),
        (("invalid-guid", "Assets/Data/Refers.asset"), ("invalid-guid", "ProjectSettings/GraphicsSettings.asset")),
        lambda root: refer(root, "{fileID: 11400000, guid: , type: 2}"),
    ),
    "left-behind": Case(
        lambda root: (root / "Assets/Art/.Old.mat.5e1f0c7b.assetdb-removed").write_text("x") and None,
        (("left-behind", "Assets/Art/.Old.mat.5e1f0c7b.assetdb-removed"),),
        lambda root: (root / "Assets/Art/.Old.mat.5e1f0c7b.removed").write_text("x") and None,
    ),
    "orphan-meta": Case(
        lambda root: meta_alone(root, "Assets/Gone.txt", PLAIN),
        (("orphan-meta", "Assets/Gone.txt.meta"),),
        lambda root: meta_alone(root, "Assets/.Samples", PLAIN),
    ),
    "package-too-large": Case(
        lambda root: local_package(root, ".."),
        (("package-too-large", "Packages/com.acme.local"),),
        lambda root: local_package(root, "../../shared"),
    ),
    "sanitized-name": Case(
        lambda root: scrubbed(root, "A#B"),
        (("sanitized-name", "Assets/Art/A#B.mat"),),
        lambda root: scrubbed(root, "A_B"),
    ),
    "too-large": Case(
        lambda root: meta_of_size(root, (32 << 20) + 1),
        (("too-large", "Assets/Art/Large.png.meta"),),
        lambda root: meta_of_size(root, 1 << 20),
    ),
    "unreadable": Case(
        lambda root: link(root, "Lost.asset", "nowhere"),
        (("unreadable", "Assets/Lost.asset"),),
        lambda root: link(root, "Lost.asset", "Data/Item0.asset"),
    ),
    # Of what several files say together, and of settings
    "addressables-entry": Case(
        lambda root: group(root, NOWHERE),
        (("addressables-entry", "Assets/AddressableAssetsData/AssetGroups/Default.asset"),),
        lambda root: group(root, "EditorSceneList"),
    ),
    "asmdef-cycle": Case(
        lambda root: one_after_the_other(
            definition(root, references=["Other"]),
            second_definition(root, "Other", references=[f"GUID:{guid_of('Assets/More/More.asmdef')}"]),
        ),
        (("asmdef-cycle", "Assets/More/More.asmdef"), ("asmdef-cycle", "Assets/Other/Other.asmdef")),
        lambda root: one_after_the_other(definition(root, references=["Other"]), second_definition(root, "Other")),
    ),
    "asmdef-duplicate": Case(
        lambda root: one_after_the_other(definition(root), second_definition(root, "more")),
        (("asmdef-duplicate", "Assets/More/More.asmdef"), ("asmdef-duplicate", "Assets/Other/Other.asmdef")),
        lambda root: one_after_the_other(definition(root), second_definition(root, "More2")),
    ),
    "asmdef-invalid": Case(
        lambda root: put(root, "Assets/More/More.asmdef", '{"name": "More",', ASSEMBLY),
        (("asmdef-invalid", "Assets/More/More.asmdef"),),
        lambda root: put(root, "Assets/More/More.asmdef", '\ufeff{"name": "More"}', ASSEMBLY),
    ),
    "broken-asset": Case(
        lambda root: one_after_the_other((root / "ProjectSettings/TagManager.asset").write_bytes(b"garbage")),
        (("broken-asset", "ProjectSettings/TagManager.asset"),),
        lambda root: one_after_the_other(
            (root / "ProjectSettings/XRSettings.asset").write_bytes(b'{"m_SettingKeys": []}')
        ),
    ),
    "broken-hierarchy": Case(
        lambda root: structured(root, owner=300),
        (("broken-hierarchy", "Assets/Prefabs/Made.prefab"),),
        lambda root: structured(root, owner=100),
    ),
    "doubtful-text": Case(
        lambda root: put(root, "Assets/Scenes/Level1.unity", HEAD + game_object(10, "a\tb")),
        (("doubtful-text", "Assets/Scenes/Level1.unity"),),
        lambda root: put(root, "Assets/Scenes/Level1.unity", HEAD + game_object(10, '"a\\tb"')),
    ),
    "duplicate-override": Case(
        lambda root: put(
            root,
            "Assets/Scenes/Level1.unity",
            HEAD + game_object(10, "Camera") + placed(800, enemy(1), 200, "Hat").replace(ROWS, ROWS + HAT),
        ),
        (("duplicate-override", "Assets/Scenes/Level1.unity"),),
        lambda root: put(
            root,
            "Assets/Scenes/Level1.unity",
            HEAD
            + game_object(10, "Camera")
            + placed(800, enemy(1), 200, "Hat").replace(ROWS, ROWS + HAT.replace("m_Name", "m_Layer")),
        ),
    ),
    "duplicate-object": Case(
        lambda root: structured(root, anchor=100),
        (("duplicate-object", "Assets/Prefabs/Made.prefab"),),
        lambda root: structured(root, anchor=-100),
    ),
    "missing-object": Case(
        lambda root: structured(root, target=77),
        (("missing-object", "Assets/Prefabs/Made.prefab"),),
        lambda root: structured(root, target=0),
    ),
    "recursive-prefab": Case(
        lambda root: one_after_the_other(nested_in(root, "A", "B"), nested_in(root, "B", "A")),
        (("recursive-prefab", "Assets/Prefabs/A.prefab"), ("recursive-prefab", "Assets/Prefabs/B.prefab")),
        lambda root: nested_in(root, "A", "Enemy0"),
    ),
    "byte-order-mark": Case(
        lambda root: meta_begins(root, "\ufeff"),
        (("byte-order-mark", "Assets/Art/Paint0.mat.meta"),),
        lambda root: meta_begins(root, ""),
    ),
    "main-object": Case(
        lambda root: put(root, "Assets/Art/Paint0.mat", material("Paint0"), NATIVE.replace("ID: 0", "ID: 77")),
        (("main-object", "Assets/Art/Paint0.mat"),),
        lambda root: put(root, "Assets/Art/Paint0.mat", material("Paint0"), NATIVE.replace("ID: 0", "ID: 2100000")),
    ),
    "meta-kind": Case(
        lambda root: (
            put(root, "Assets/Data/Note.txt", "text", f"folderAsset: yes\n{PLAIN}"),
            put(root, "Assets/Art/logo.png", b"\x89PNG", "TextScriptImporter:\n  userData: \n"),
        ),
        (("meta-kind", "Assets/Art/logo.png"), ("meta-kind", "Assets/Data/Note.txt")),
        lambda root: (
            put(root, "Assets/Data/Note.txt", "text", PLAIN),
            put(root, "Assets/Art/new.png", b"\x89PNG", PLAIN),
            put(root, "Assets/StreamingAssets/logo.png", b"\x89PNG", "TextScriptImporter:\n  userData: \n"),
            put(root, "Assets/Share.androidlib/icon.png", b"\x89PNG", "TextScriptImporter:\n  userData: \n"),
            put(root, "Assets/Art/layers.psd", b"8BPS", "ScriptedImporter:\n  userData: \n"),
        ),
    ),
    "build-scene": Case(
        lambda root: build_list(root, "Assets/Scenes/Gone.unity"),
        (("build-scene", "ProjectSettings/EditorBuildSettings.asset"),),
        lambda root: build_list(root, "Packages/com.example.gone/Demo.unity"),
    ),
    "no-build-scene": Case(
        lambda root: build_list(root, "Assets/Scenes/Gone.unity", enabled=0),
        (("no-build-scene", "ProjectSettings/EditorBuildSettings.asset"),),
        lambda root: (
            (root / "ProjectSettings/EditorBuildSettings.asset").write_text(f"{HEAD}  m_Scenes: []\n") and None
        ),
    ),
    "package-manifest": Case(
        lambda root: manifest(root, f'{{"dependencies": {{{ADDRESSABLES}, "com.example.gone": "file:../gone"}}}}'),
        (("package-manifest", "Packages/manifest.json"),),
        local_folder,
    ),
    "asmdef-reference": Case(
        lambda root: definition(root, references=["Game.Dato"]),
        (("asmdef-reference", "Assets/More/More.asmdef"),),
        lambda root: definition(
            root,
            references=["Vendor.Optional"],
            versionDefines=[{"name": "com.vendor.optional", "expression": "", "define": "OPTIONAL"}],
        ),
    ),
    "hidden-metas": Case(
        lambda root: put_settings(root, metas="Hidden Meta Files"),
        (("hidden-metas", "ProjectSettings/VersionControlSettings.asset"),),
        lambda root: put_settings(root, metas="Perforce"),
    ),
    "large-file": Case(
        lambda root: stored(root, "Assets/Video.bytes", 100_000_001),
        (("large-file", "Assets/Video.bytes"),),
        lambda root: stored(root, "Assets/Video.bytes", 100_000_000),
    ),
    "lfs-mismatch": Case(
        lambda root: stored(root, "Assets/Rock.psd", 2000, "*.psd filter=lfs"),
        (("lfs-mismatch", "Assets/Rock.psd"),),
        lambda root: stored(root, "Assets/Rock.psd", 2000, "*.tga filter=lfs"),  # its pictures are contents, too
    ),
    "not-committed": Case(
        lambda root: half_committed(root, "Assets/Scripts/Item.cs"),
        tuple(
            ("not-committed", path)
            for path in ("Assets/Data/Item0.asset", "Assets/Data/Item1.asset", "Assets/Data/Item2.asset")
        ),
        lambda root: half_committed(root, ""),
    ),
    "placeholder-guid": Case(
        lambda root: twin(root, "a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6"),
        (("placeholder-guid", "Assets/Art/Copy.mat.meta"),),
        lambda root: twin(root, "0123456789abc0000f0e0d0000f00f00"),
    ),
    "missing-method": Case(
        lambda root: button(root, "Heal"),
        (("missing-method", "Assets/Scenes/Button.unity"),),
        lambda root: button(root, "Restore"),
    ),
    "resources-duplicate": Case(
        lambda root: coin(root, "Assets/Art/Resources/icons/Coin.jpg"),
        (
            ("resources-duplicate", "Assets/Art/Resources/icons/Coin.jpg"),
            ("resources-duplicate", "Assets/Resources/Icons/coin.png"),
        ),
        lambda root: put(root, "Assets/Art/Resources/Icons/coin.mat", material("coin"), NATIVE),
    ),
    "script-class": Case(
        lambda root: put(root, "Assets/Scripts/Health.cs", "class Health {}\n", SCRIPT),
        (("script-class", "Assets/Scripts/Health.cs"),),
        lambda root: put(root, "Assets/Scripts/Health.cs", "class Health : Vendor.Base {}\n", SCRIPT),
    ),
    "serialization-mode": Case(
        lambda root: put_settings(root, mode=0),
        (("serialization-mode", "ProjectSettings/EditorSettings.asset"),),
        lambda root: (root / "ProjectSettings/EditorSettings.asset").unlink(),
    ),
    "former-name": Case(
        lambda root: put(root, "Assets/Scripts/Item.cs", renamed("Sprite icon", "picture"), SCRIPT),
        (("former-name", "Assets/Scripts/Item.cs"),),
        lambda root: put(root, "Assets/Scripts/Item.cs", renamed("Sprite picture", "icon"), SCRIPT),
    ),
    "stale-field": Case(
        lambda root: put(root, "Assets/Scripts/Item.cs", ITEM.replace("icon", "picture"), SCRIPT),
        tuple(("stale-field", f"Assets/Data/Item{number}.asset") for number in range(COUNT)),
        lambda root: put(
            root,
            "Assets/Scripts/Item.cs",
            ITEM.replace("public Sprite icon", '[FormerlySerializedAs("icon")] public Sprite picture'),
            SCRIPT,
        ),
    ),
    "unportable-name": Case(
        lambda root: text(root, "Assets/Art/aux.txt", "x"),
        (("unportable-name", "Assets/Art/aux.txt"),),
        lambda root: text(root, "Assets/Art/auxiliary.txt", "x"),
    ),
    "unicode-mismatch": Case(
        lambda root: parted(root, "Caf\u00e9.png", "Cafe\u0301.png"),
        (("unicode-mismatch", "Assets/Art/Caf\u00e9.png"),),
        lambda root: parted(root, "Cafe\u0301.png", "Cafe\u0301.png"),
    ),
    # Of references
    "dangling": Case(
        lambda root: refer(root, to(enemy(0), 12345)),
        (("dangling", "Assets/Data/Refers.asset"),),
        lambda root: refer(root, to(enemy(0), 200)),
    ),
    "stale-override": Case(
        lambda root: override(root, 12345),
        (("stale-override", "Assets/Scenes/Over.unity"),),
        lambda root: override(root, 100),
    ),
    "target-absent": Case(
        lambda root: (meta_alone(root, "Assets/Gone.mat", NATIVE), refer(root, to("Assets/Gone.mat", 2100000))),
        (("target-absent", "Assets/Data/Refers.asset"), ("orphan-meta", "Assets/Gone.mat.meta")),
        lambda root: refer(root, to("Assets/Art/Paint0.mat", 2100000)),
    ),
    "missing-asset": Case(
        lambda root: refer(root, f"{{fileID: 2100000, guid: {NOWHERE}, type: 2}}"),
        (("missing-asset", "Assets/Data/Refers.asset"),),
        lambda root: refer(root, NOWHERE),  # a scalar may be anything
    ),
    "missing-script": Case(
        lambda root: text(root, "Assets/Data/Odd.asset", scriptable("no such script", "Odd"), NATIVE),
        (("missing-script", "Assets/Data/Odd.asset"),),
        lambda root: text(
            root,
            "Assets/Data/Odd.asset",
            f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n  m_Script: {{fileID: 0}}\n  m_Name: Odd\n",
            NATIVE,
        ),
    ),
    "wrong-type": Case(
        lambda root: text(root, "Assets/Data/Odd.asset", scriptable("Assets/Scripts", "Odd"), NATIVE),
        (("wrong-type", "Assets/Data/Odd.asset"),),
        lambda root: text(root, "Assets/Data/Odd.asset", scriptable("Assets/Scripts/Item.cs", "Odd"), NATIVE),
    ),
    "absent-packages": Case(
        lambda root: absent_package(root, "com.acme.secret"),
        (("absent-packages", "Packages/manifest.json"), ("package-not-present", "Assets/Data/Refers.asset")),
        lambda root: absent_package(root, "com.unity.ide.rider"),
        (("missing-asset", "Assets/Data/Refers.asset"),),
    ),
    "package-leftover": Case(
        lambda root: refer(root, to_script(LEFTOVER)),
        (("package-leftover", "Assets/Data/Refers.asset"),),
        lambda root: refer(root, to_script(NOWHERE)),
        (("missing-asset", "Assets/Data/Refers.asset"),),
    ),
    "package-not-present": Case(
        lambda root: absent_package(root, "com.acme.secret"),
        (("absent-packages", "Packages/manifest.json"), ("package-not-present", "Assets/Data/Refers.asset")),
        lambda root: absent_package(root, "com.unity.modules.audio"),
        (("missing-asset", "Assets/Data/Refers.asset"),),
    ),
    "importer-unknown": Case(
        lambda root: (put(root, "Assets/Art/Tree.spm", b"x"), refer(root, to("Assets/Art/Tree.spm", 4300006))),
        (("importer-unknown", "Assets/Data/Refers.asset"),),
        lambda root: (put(root, "Assets/Art/Tree.spm", b"x"), refer(root, to("Assets/Art/Tree.spm", 100100000))),
    ),
    "built-in-unnamed": Case(
        lambda root: refer(root, "{fileID: 987654, guid: 0000000000000000e000000000000000, type: 0}"),
        (("built-in-unnamed", "Assets/Data/Refers.asset"),),
        lambda root: refer(root, "{fileID: 10202, guid: 0000000000000000e000000000000000, type: 0}"),
    ),
}
CASES.update((code, Case(*row)) for code, row in RULE_CASES.items())
NO_SCRIPT = "  m_Script: {fileID: 0}\n"
PREFAB = "PrefabImporter:\n  userData: \n"
OF_A_BAKE = {"cache-not-written", "facts-not-shared", "no-file-locks", "shared-name"}
"""Said of a run, and where a bake is told to be strict: a check of a project never finds them."""
ON_POSIX = {"not-a-file", "linked-directory", "unreadable", "invalid-file-name", "case-mismatch"}


def found_in(root: Path, folder: Path) -> list[tuple[str, str]]:
    project = open_project(str(root), str(folder))
    try:
        report = check_project(project, Selection(select=("all",)))
    finally:
        project.close()
    return [(finding.code, finding.path) for finding in report.findings]


def test_every_code_has_its_pair() -> None:
    known = (
        CASES.keys() | OF_A_BAKE | {UNKNOWN_GUID, LOST_MATERIAL, LOST_VALUE}
    )  # of changes: their own tests have the pairs
    new, gone = sorted(CODES.keys() - known), sorted(known - CODES.keys())
    assert not new, "give each of these a row in CASES"
    assert not gone, "these are no codes"


def test_a_healthy_project_has_no_findings(tmp_path: Path) -> None:
    assert found_in(make_healthy(tmp_path / "Game"), tmp_path / "out") == []


@pytest.mark.parametrize("code", CASES)
def test_a_code_is_found_where_it_is_meant(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The project was checked while it was healthy: whatever is kept of that is stale now."""
    # What has just been written counts as changing; here all of it is old.
    monkeypatch.setattr(time, "time_ns", lambda: time.perf_counter_ns() + (1 << 62))
    if code in ON_POSIX and sys.platform == "win32":
        pytest.skip("its file systems have no such files")
    case = CASES[code]
    broken, whole = make_healthy(tmp_path / "a" / "Game"), make_healthy(tmp_path / "b" / "Game")
    assert found_in(broken, tmp_path / "one") == []
    case.trigger(broken)
    assert sorted(found_in(broken, tmp_path / "one")) == sorted(case.expected)
    case.nearly(whole)
    assert found_in(whole, tmp_path / "two") == list(case.beside)


def test_a_component_without_a_script_is_missing_one(tmp_path: Path) -> None:
    root = make_healthy(tmp_path / "Game")
    path = "Assets/Prefabs/Made.prefab"
    put(root, path, HEAD + game_object(100, "Made", 0, component(114, 102, 100, "MonoBehaviour", NO_SCRIPT)), PREFAB)
    project = open_project(str(root), str(tmp_path / "out"))
    (finding,) = check_project(project, Selection(select=("all",))).findings
    project.close()
    assert (finding.code, finding.path, finding.line) == ("missing-script", path, 16)
    assert (finding.object_path, finding.property_path) == ("Made (MonoBehaviour)", "m_Script")
    assert finding.message == "the component has no script: the reference is empty"


@pytest.mark.parametrize(("folder", "count"), [("Assets/StreamingAssets", 1), ("Assets/Art/StreamingAssets", 0)])
def test_a_sprite_of_a_file_that_unity_copies_is_not_there(tmp_path: Path, folder: str, count: int) -> None:
    root = make_healthy(tmp_path / "Game")
    streamed(root, folder)
    project = open_project(str(root), str(tmp_path / "out"))
    rows = check_project(project, Selection()).findings
    project.close()
    said = f"refers to object 555 of {folder}/Hat.png: Unity copies the files of that folder as they are"
    assert [(row.code, row.message.partition(",")[0]) for row in rows] == [("dangling", said)] * count


def test_shared_names_are_said_where_a_bake_is_strict(tmp_path: Path) -> None:
    root = make_healthy(tmp_path / "Game")
    put(root, "Assets/Data/One.txt", "x")
    put(root, "Assets/Art/One.txt", "x")
    assert assetdb.bake(root, tmp_path / "out", strict_names=True).diagnostics == ()  # folders tell them apart
    put(root, "Assets/Data/One.json", "x")
    with pytest.raises(BakeError) as caught:
        assetdb.bake(root, tmp_path / "out", strict_names=True)
    assert {found.code for found in caught.value.diagnostics} == {"shared-name"}
    assert found_in(root, tmp_path / "other") == []


def test_locks_are_said_of_a_run_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = make_healthy(tmp_path / "Game")
    assert assetdb.bake(root, tmp_path / "out").diagnostics == ()
    monkeypatch.setattr(lock, "flock", lock.flock)  # to be put back
    without_locks(errno.ENOLCK)
    assert [found.code for found in assetdb.bake(root, tmp_path / "out").diagnostics] == ["no-file-locks"]
    assert found_in(root, tmp_path / "out") == []
