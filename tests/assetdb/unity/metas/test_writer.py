"""The metas that are written for what has none: importer, keys and their order as Unity has them."""

from __future__ import annotations

import os
import random
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

import pytest
import yaml

from assetdb.unity.metas.layouts import NUMBERS, rows_of
from assetdb.unity.metas.meta import read_meta
from assetdb.unity.metas.writer import (
    Context,
    has_sprites_by_default,
    importer_of,
    layout_of,
    meta_bytes,
    newest,
    ordered_keys,
)
from assetdb.unity.settings.editor_version import unity_version

if TYPE_CHECKING:
    from pathlib import Path

    from assetdb.unity.metas.writer import Layout

GUID = "5e1f0c7b9a3d4826b1c09e7f24d8a635"
NAMES = (
    *("a.png", "a.tga", "a.cs", "a.mat", "a.prefab", "a.unity", "a.asset", "a.fbx", "a.wav", "a.dll", "a.so", "a.txt"),
    *("a.json", "a.asmdef", "a.asmref", "a.shader", "a.compute", "a.hlsl", "a.ttf", "a.mp4", "a.dds", "a.spriteatlas"),
    *("a.spriteatlasv2", "a.vfx", "a.uxml", "a.uss", "a.shadergraph", "a.inputactions", "a.anim", "a.controller"),
    *("package.json", "README", "a.pdf", "a.po", "a.raytrace", "Grün b.otf", "a.psb", "a.glb", "a.weird"),
)
VERSIONS = (
    (2017, 4),
    (2018, 1),
    (2018, 4),
    (2019, 4),
    (2020, 3),
    (2021, 3),
    (2022, 3),
    (2023, 1),
    (6000, 0),
    (6000, 5),
)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", NAMES)
def test_what_is_written_is_a_meta(name: str, version: tuple[int, int]) -> None:
    data = meta_bytes(GUID, name, Context(version))
    guid, facts, _ = read_meta(data)
    assert guid == GUID.encode()
    assert not facts.folder
    assert facts.importer == importer_of(name, Context(version)) or not facts.importer
    assert data.startswith(b"fileFormatVersion: 2\nguid: ")
    assert data.endswith(b"\n")
    assert b"#" not in data
    assert b"~" not in data
    text = yaml.safe_load(data)
    assert set(text) == {"fileFormatVersion", "guid"} | ({facts.importer} if facts.importer else set())
    keys = ordered_keys(data)
    assert len(keys) == len(set(keys))


def test_the_importer_is_that_of_the_kind() -> None:
    expected = {
        "a.PNG": "TextureImporter",
        "a.cs": "MonoImporter",
        "a.mat": "NativeFormatImporter",
        "a.prefab": "PrefabImporter",
        "a.unity": "DefaultImporter",
        "a.fbx": "ModelImporter",
        "a.ogg": "AudioImporter",
        "a.dll": "PluginImporter",
        "a.jslib": "PluginImporter",
        "a.json": "TextScriptImporter",
        "a.asmdef": "AssemblyDefinitionImporter",
        "a.asmref": "AssemblyDefinitionReferenceImporter",
        "a.shader": "ShaderImporter",
        "a.hlsl": "ShaderIncludeImporter",
        "a.compute": "ComputeShaderImporter",
        "a.uxml": "ScriptedImporter",
        "a.rsp": "DefaultImporter",
        "a.zip": "DefaultImporter",
        "a": "DefaultImporter",
        "package.json": "PackageManifestImporter",
        "a.spriteatlas": "NativeFormatImporter",
        "a.spriteatlasv2": "SpriteAtlasImporter",
        "a.dds": "IHVImageFormatImporter",
        "a.glb": "",
    }
    assert {name: importer_of(name, Context()) for name in expected} == expected
    assert importer_of("a.prefab", Context((2017, 4))) == "NativeFormatImporter"
    assert importer_of("a.hlsl", Context((2019, 4))) == "ShaderImporter"
    assert importer_of("Some.folder", Context(), folder=True) == "DefaultImporter"
    assert importer_of("a.androidlib", Context(), folder=True) == "PluginImporter"


def test_a_folder_says_so() -> None:
    assert meta_bytes(GUID, "Art", Context((2021, 3)), folder=True).decode() == (
        f"fileFormatVersion: 2\nguid: {GUID}\nfolderAsset: yes\nDefaultImporter:\n  externalObjects: {{}}\n"
        "  userData: \n  assetBundleName: \n  assetBundleVariant: \n"
    )


@pytest.mark.parametrize(
    ("name", "data", "main"),
    [
        ("a.mat", b"", 2100000),
        ("a.anim", b"", 7400000),
        ("a.controller", b"", 9100000),
        ("a.asset", b"%YAML 1.1\n--- !u!114 &11400000\nMonoBehaviour:\n", 11400000),
        ("a.asset", b"%YAML 1.1\n--- !u!114 &-5\nMonoBehaviour:\n--- !u!114 &11400000\n", 11400000),
        ("a.asset", b"%YAML 1.1\n--- !u!43 &4300000\nMesh:\n", 4300000),
        ("a.asset", b"\0binary", 11400000),
    ],
)
def test_the_main_object_is_named(name: str, data: bytes, main: int) -> None:
    assert read_meta(meta_bytes(GUID, name, Context(), data=data))[1].main_object == main


def test_a_project_of_sprites_has_sprites() -> None:
    settings = b"EditorSettings:\n  m_ExternalVersionControlSupport: Visible Meta Files\n  m_DefaultBehaviorMode: 1\n"
    assert has_sprites_by_default(settings)
    assert not has_sprites_by_default(settings.replace(b": 1\n", b": 0\n"))
    facts = read_meta(meta_bytes(GUID, "a.png", Context(sprites=True)))[1]
    assert (facts.texture_type, facts.sprite_mode) == (8, 1)
    facts = read_meta(meta_bytes(GUID, "a.png", Context()))[1]
    assert (facts.texture_type, facts.sprite_mode) == (0, 0)


def test_versions_are_read() -> None:
    assert unity_version(b"m_EditorVersion: 2020.3.23f1\nm_EditorVersionWithRevision: x\n") == (2020, 3)
    assert unity_version(b"\xef\xbb\xbfsomething") == Context().version


def test_own_metas_give_keys_and_no_settings() -> None:
    old = meta_bytes(GUID, "a.png", Context((2018, 4)))
    settled = old.replace(b"isReadable: 0", b"isReadable: 1").replace(b"maxTextureSize: 2048", b"maxTextureSize: 32")
    layout = layout_of(settled)
    assert layout is not None
    assert meta_bytes(GUID, "b.png", Context((6000, 4), layouts=(("png", layout),))) == old.replace(
        b"  - serializedVersion: 2\n", b"  - serializedVersion: 4\n"
    )


def test_the_newest_of_own_metas_counts_but_none_of_a_newer_unity() -> None:
    layouts = [layout_of(meta_bytes(GUID, "a.png", Context(version))) for version in VERSIONS]
    known = [layout for layout in layouts if layout is not None]
    found = newest(known, "TextureImporter", (2018, 4))
    assert found == known[VERSIONS.index((2018, 4))]
    assert newest(known, "TextureImporter", (6000, 5)) == known[-1]
    assert newest([], "TextureImporter", (6000, 5)) is None


def test_a_cut_meta_shows_no_keys() -> None:
    layout = layout_of(b"fileFormatVersion: 2\nguid: x\nTextureImporter:\n  spriteMode: 1\n")
    assert layout is not None
    assert meta_bytes(GUID, "a.png", Context(layouts=(("png", layout),))) == meta_bytes(GUID, "a.png", Context())
    assert layout_of(b"fileFormatVersion: 2\n<<<<<<< a\nTextureImporter:\n") is None


def test_numbers_rise_with_the_version() -> None:
    for rows in NUMBERS.values():
        assert [*rows] == sorted(rows)
        assert [number for _, number in rows] == sorted({number for _, number in rows})


# --- real metas

PROJECTS = (
    *("unity/Mirror", "unity/BoatAttack", "unity/UnityPlayground", "unity/FPSSample", "unity/daggerfall-unity"),
    *("unity/EntityComponentSystemSamples", "unity/unity-explorer", "unity/Pinpoint", "unity/Addressables-Sample"),
)
COUNT = 1000
PER_KIND = 40  # of an importer in a project, so that all are met
# What a meta has by its settings or content, not by its importer: lists, avatars, what DOTS adds to variants.
_SETTLED = (
    *("platformSettings/", "platformData/", "platformSettingOverrides/", "targetSettings/", "externalObjects/"),
    *("lastHumanDescriptionAvatarSource/", "isPrefabVariant", "addedAssetObjects", "addedSourceAssetObjects"),
    *("defaultReferences/", "defaultTextures/", "nonModifiableTextures/", "fallbackFontReferences/", "icon/"),
    *("spriteSheet/spriteCustomMetadata/", "animations/extra", "animations/rig", "animations/animation", "fontNames"),
    *("humanDescription/handles", "spriteSheet/outline", "spriteSheet/physicsShape", "meshes/lODScreenPercentages"),
)
_OLDEST_TEXTURE = 4  # Unity 5.5; older ones have other keys, and Unity writes them anew
# Prefabs had another importer until 2018.3, HLSL until 2020.2, some texts none: who was never written anew says so.
_OLD_NAMES = {
    ("NativeFormatImporter", "PrefabImporter"),
    ("ShaderImporter", "ShaderIncludeImporter"),
    ("DefaultImporter", "TextScriptImporter"),
}


def real_metas(corpus: Path) -> list[tuple[str, bytes, Context]]:
    """Return metas of all projects, importers and ages: name of the asset, bytes, what else its project is."""
    chance = random.Random(15)
    found = []
    for name in PROJECTS:
        for top, folders, names in os.walk(corpus / name):
            if "ProjectVersion.txt" in names and top.endswith("ProjectSettings"):
                found += of_project(os.path.dirname(top), chance)
            folders[:] = [folder for folder in folders if folder not in ("Assets", "Packages", ".git")]
    chance.shuffle(found)
    return found[:COUNT]


def of_project(root: str, chance: random.Random) -> list[tuple[str, bytes, Context]]:
    with open(os.path.join(root, "ProjectSettings", "ProjectVersion.txt"), "rb") as file:
        version = unity_version(file.read())
    kinds: defaultdict[str, list[str]] = defaultdict(list)
    for top in ("Assets", "Packages"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in names:
                if name.endswith(".meta"):
                    kinds[os.path.splitext(name[:-5])[1].lower()[1:]].append(os.path.join(folder, name))
    found = []
    for extension, paths in sorted(kinds.items()):
        taken = chance.sample(sorted(paths), min(len(paths), PER_KIND))
        metas = []
        for path in taken:
            with open(path, "rb") as file:
                metas.append(file.read())
        layouts = [layout_of(meta) for meta in metas]
        for number, (path, meta) in enumerate(zip(taken, metas, strict=True)):
            others: list[tuple[str, Layout]] = [
                (extension, layout) for other, layout in enumerate(layouts) if other != number and layout is not None
            ]
            if layouts[number] is not None:
                found.append((os.path.basename(path)[:-5], meta, Context(version, layouts=tuple(others))))
    return found


def keys_of(meta: bytes) -> list[str]:
    return [key for key in ordered_keys(meta) if not key.startswith(_SETTLED)]


@pytest.mark.corpus(*PROJECTS)
@pytest.mark.long
def test_a_thousand_real_metas_have_the_importer_and_the_order_of_keys(corpus: Path) -> None:
    metas = real_metas(corpus)
    assert len(metas) == COUNT
    counts: Counter[str] = Counter()
    wrong = []
    for name, meta, context in metas:
        layout = layout_of(meta)
        assert layout is not None
        folder = b"\nfolderAsset: yes" in meta
        importer = importer_of(name, context, folder=folder)
        if importer != layout.importer:
            if importer and (layout.importer, importer) not in _OLD_NAMES:
                wrong.append((name, layout.importer, importer))
            counts["another importer"] += 1
            continue
        counts["same importer"] += 1
        counts[importer] += 1
        if not rows_of(importer) or (importer == "TextureImporter" and layout.number < _OLDEST_TEXTURE):
            continue
        # What Unity wrote then, written again: every key that it has, in its order.
        extension = name.rpartition(".")[2].lower() if "." in name else ""
        version = (9999, 9) if importer in NUMBERS else context.version  # whoever wrote it, it is taken as it is
        itself = context._replace(layouts=((extension, layout),), version=version)
        again = meta_bytes(GUID, name, itself, folder=folder)
        own, ours = keys_of(meta), keys_of(again)
        if importer == "ScriptedImporter":  # each has settings of its own, which its package writes
            own = [key for key in own if key in ours]
        if ours != own:
            wrong.append((name, *sorted(set(own) ^ set(ours))[:5]))
        counts["same keys in the same order"] += 1
    assert "\n".join(map(str, wrong)) == ""
    assert counts["same importer"] > COUNT * 0.97
    assert counts["same keys in the same order"] > COUNT * 0.95
    assert len(counts) > 18, counts


@pytest.mark.parametrize(
    ("name", "neighbour", "importer"),
    [
        ("a.txt", "DefaultImporter", "DefaultImporter"),  # as in versions for which this is no text
        ("a.txt", "TextScriptImporter", "TextScriptImporter"),
        ("a.txt", "", "TextScriptImporter"),
        ("a.png", "DefaultImporter", "TextureImporter"),
        ("a.own", "DefaultImporter", "DefaultImporter"),
        ("a.own", "ScriptedImporter", "ScriptedImporter"),
        ("a.own", "", "DefaultImporter"),
    ],
)
def test_neighbours_tell_the_importer_where_the_extension_does_not(name: str, neighbour: str, importer: str) -> None:
    layout = layout_of(f"fileFormatVersion: 2\nguid: {GUID}\n{neighbour}:\n  userData: \n".encode())
    other = layout_of(f"fileFormatVersion: 2\nguid: {GUID}\nPluginImporter:\n  userData: \n".encode())
    assert other is not None
    layouts = [(name.partition(".")[2], layout)] if layout is not None and neighbour else []
    assert importer_of(name, Context(layouts=(("dll", other), *layouts))) == importer
