from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from assetdb.unity.engine.file_ids import ImportedObject, hashed_id
from assetdb.unity.importers.layered import layered_objects

if TYPE_CHECKING:
    from pathlib import Path

META = b"""fileFormatVersion: 2
guid: 0123456789abcdef0123456789abcdef
ScriptedImporter:
  script: {fileID: 11500000, guid: b2a9591990af98743ba3ff7cf1000886, type: 3}
  singleSpriteImportData:
  - name:
    spriteID:
  layeredSpriteImportData:
  - name: 'arm: left'
    rect:
      serializedVersion: 2
      x: 1
    spriteID: 752525a065c5b42788ca0a700de3c59c
    spriteBone:
    - name: shoulder_l
      guid: a92d96a02151a4540a8e081789086d90
      spriteID: 11111111111111111111111111111111
  - name: hat
    spriteID: ff455addc3ccf431ba70e232fabe1ebd
  rigSpriteImportData:
  - name: rig hat
    spriteID: 9c9d78c0ca4c347b1ad1731ac8c8f4db
  otherThings:
  - name: nobody
    spriteID: 22222222222222222222222222222222
  prefabAssetName: knight Prefab
"""


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"])
def test_sprites_and_prefab(line_end: bytes) -> None:
    found = layered_objects(META.replace(b"\n", line_end))
    sprites = {item.path: number for number, item in found.items() if item.class_name == "Sprite"}
    assert sprites == {
        "arm: left": hashed_id("Sprite", "752525a065c5b42788ca0a700de3c59c"),
        "hat": hashed_id("Sprite", "ff455addc3ccf431ba70e232fabe1ebd"),
        "rig hat": hashed_id("Sprite", "9c9d78c0ca4c347b1ad1731ac8c8f4db"),
    }
    assert all(item.certain for item in found.values())
    for name in ("Prefab", "knight Prefab"):
        assert found[hashed_id("PrefabInstance", name)] == ImportedObject("PrefabInstance", "", certain=True)
    assert len(found) == 5


@pytest.mark.corpus("unity/com.unity.2d.animation")
def test_references_to_layered_files_of_a_real_package(corpus: Path) -> None:
    root = corpus / "unity" / "com.unity.2d.animation"
    known = {}
    for meta in [*root.rglob("*.psb.meta"), *root.rglob("*.psd.meta")]:
        data = meta.read_bytes()
        if b"priteImportData:" in data:
            guid = re.search(rb"^guid: (\w{32})", data, re.MULTILINE)
            assert guid is not None
            known[guid[1]] = layered_objects(data)
    wanted = {
        (guid, int(number))
        for path in root.rglob("*")
        if path.is_file() and path.suffix != ".meta"
        for number, guid in re.findall(rb"fileID:\s+(-?\d+),\s+guid:\s+(\w{32})", path.read_bytes())
        if guid in known
    }
    named = [known[guid][number].class_name for guid, number in wanted if number in known[guid]]
    assert len(wanted) == 212  # the others are bones and GameObjects
    assert (named.count("Sprite"), named.count("PrefabInstance")) == (33, 6)
