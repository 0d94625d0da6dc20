"""Settings of models' metas, once more by patterns."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

import pytest

from assetdb.unity.importers.model_settings import ModelSettings, read_settings
from assetdb.unity.yaml.scalars import scalar_at
from tests.long_cases import long_after

if TYPE_CHECKING:
    from pathlib import Path

META = b"""\
fileFormatVersion: 2
guid: 0123456789abcdef0123456789abcdef
ModelImporter:
  serializedVersion: 22200
  externalObjects:
  - first:
      type: UnityEngine:Material
      assembly: UnityEngine.CoreModule
      name: 'Paint: red'
    second: {fileID: 2100000, guid: 0123456789abcdef0123456789abcdef, type: 2}
  - first:
      type: UnityEngine:Texture2D
      assembly: UnityEngine.CoreModule
      name: not a material
    second: {fileID: 2800000, guid: 0123456789abcdef0123456789abcdef, type: 3}
  materials:
    importMaterials: 0
    materialName: 3
    materialSearch: 2
    materialLocation: 1
  animations:
    optimizeGameObjects: 1
    extraExposedTransformPaths:
    - Hips/Hand
    clipAnimations:
    - serializedVersion: 16
      name: "Walk\\u2122"
      takeName: Take 001
      events:
      - time: 0
      curves:
      - name: no clip
    isReadable: 1
  meshes:
    addColliders: 1
    importCameras: 1
    importLights: 1
    fileIdsGeneration: 2
    preserveHierarchy: 1
  humanDescription:
    serializedVersion: 3
    human:
    - boneName: Hips
      humanName: Hips
    skeleton:
    - name: Guard(Clone)
      parentName:
      position: {x: 0, y: 0, z: 0}
    - name: Hips
      parentName: Guard(Clone)
      position: {x: 0, y: 0, z: 0}
    - name: Spine
      parentName: Hips
    armTwist: 0.5
    hasExtraRoot: 1
  importAnimation: 0
  animationType: 3
  avatarSetup: 2
  additionalBone: 0
"""


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_settings_of_a_meta(newline: bytes) -> None:
    assert read_settings(META.replace(b"\n", newline)) == ModelSettings(
        generation=2,
        preserve_hierarchy=True,
        extra_root=True,
        animation_type=3,
        no_avatar=True,
        animations=False,
        optimized=True,
        colliders=True,
        cameras=True,
        lights=True,
        has_materials=False,
        embedded=True,
        material_name=3,
        material_search=2,
        clips=("Walk\u2122",),
        takes=("Take 001",),
        materials=("Paint: red",),
        skeleton=(("Guard(Clone)", ""), ("Hips", "Guard(Clone)"), ("Spine", "Hips")),
        exposed=("Hips/Hand",),
    )
    assert read_settings(b"fileFormatVersion: 2\nguid: 00\n") == ModelSettings()


def test_a_line_that_holds_a_key_a_hundred_thousand_times_is_read_once() -> None:
    for key in (b" animationType: 1x", b" skeleton:x", b" skeleton:"):
        assert read_settings(b"\nModelImporter:\n " + key * 100_000 + b"\n") == ModelSettings()


# --- the settings once more, by patterns


_CLIP = re.compile(rb"\n(      |    - )name:")
_TAKE = re.compile(rb"\n(      |    - )takeName:")
_MAPPED = re.compile(rb"\n +type: UnityEngine:Material\n +assembly: .*\n( +)name:")
_EXPOSED = re.compile(rb"\n( +)- ")
_NUMBER = re.compile(rb"\n +(\w+): *(\d{1,9})(?=\n|\Z)")


def block_by_pattern(meta: bytes, key: bytes) -> bytes:
    found = re.search(rb"\n( +)" + key + rb":[ \t]*(?=\n)", meta)
    if found is None:
        return b""
    end = re.compile(rb"\n {0,%d}(?![ -])" % len(found[1])).search(meta, found.end())
    return meta[found.end() : end.start() if end else len(meta)]


def settings_by_patterns(meta: bytes) -> ModelSettings:
    meta = meta.replace(b"\r\n", b"\n")
    numbers = {key: int(value) for key, value in _NUMBER.findall(meta)}

    def values(pattern: re.Pattern[bytes], key: bytes) -> tuple[str, ...]:
        block = block_by_pattern(meta, key)
        return tuple(dict.fromkeys(scalar_at(block, item.end(), len(item[1])) for item in pattern.finditer(block)))

    bones = block_by_pattern(meta, b"skeleton")
    starts = [*re.finditer(rb"\n( +- )name:", bones)]
    ends = [*(bone.start() for bone in starts[1:]), len(bones)]
    skeleton = []
    for bone, end in zip(starts, ends, strict=False):
        parent = re.compile(rb"\n( +)parentName:").search(bones, bone.end(), end)
        above = scalar_at(bones, parent.end(), len(parent[1])) if parent else ""
        skeleton.append((scalar_at(bones, bone.end(), len(bone[1])), above))
    return ModelSettings(
        numbers.get(b"fileIdsGeneration", 0),
        numbers.get(b"preserveHierarchy", 0) > 0,
        numbers.get(b"hasExtraRoot", 0) > 0,
        numbers.get(b"animationType"),
        numbers.get(b"copyAvatar", 0) > 0 or numbers.get(b"avatarSetup", 1) in (0, 2),
        numbers.get(b"importAnimation", 1) > 0,
        numbers.get(b"optimizeGameObjects", 0) > 0,
        numbers.get(b"addColliders", 0) > 0,
        numbers.get(b"importCameras", 0) > 0,
        numbers.get(b"importLights", 0) > 0,
        numbers.get(b"importMaterials", 1) > 0 and numbers.get(b"materialImportMode", 1) > 0,
        numbers.get(b"materialLocation", 0) == 1,
        numbers.get(b"materialName", 0),
        numbers.get(b"materialSearch", 1),
        values(_CLIP, b"clipAnimations"),
        values(_TAKE, b"clipAnimations"),
        values(_MAPPED, b"externalObjects"),
        tuple(skeleton),
        values(_EXPOSED, b"extraExposedTransformPaths"),
    )


@pytest.mark.corpus("unity/BoatAttack", "unity/FPSSample")
@pytest.mark.parametrize("name", long_after(1, ["BoatAttack", "FPSSample"]))
def test_settings_of_real_metas_whole_and_damaged(corpus: Path, name: str) -> None:
    chooser = random.Random(23)
    metas = [path.read_bytes() for path in sorted((corpus / "unity" / name).rglob("*.meta"))]
    models = [meta for meta in metas if b"ModelImporter" in meta]
    assert models
    for meta in models:
        assert read_settings(meta) == settings_by_patterns(meta)
    for _ in range(500):
        data = bytearray(chooser.choice(models))
        for _ in range(chooser.randint(1, 30)):
            place = chooser.randrange(len(data))
            if chooser.random() < 0.5:
                data[place] = chooser.choice(b"\n -:#'\" 0a\t")
            else:
                del data[place : place + chooser.randint(1, 4)]
        assert read_settings(bytes(data)) == settings_by_patterns(bytes(data)), bytes(data)
