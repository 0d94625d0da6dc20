from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.unity.metas.lookup import sprite_name
from assetdb.unity.metas.meta import read_meta, sprite_rows

if TYPE_CHECKING:
    from pathlib import Path

META = b"""fileFormatVersion: 2
guid: 00000000000000000000000000000abc
TextureImporter:
  spriteMode: 2
  textureType: 8
  spriteSheet:
    sprites:
    - serializedVersion: 2
      name: first
      internalID: 5
    - serializedVersion: 2
      name: 'quoted #1'
      internalID: -6
    - serializedVersion: 2
      name: the third
      internalID: 55
    outline: []
    internalID: 0
"""


@pytest.mark.parametrize(
    ("file_id", "name"), [(5, "first"), (-6, ""), (55, "the third"), (0, ""), (7, ""), (21300000, "first")]
)
def test_a_sheet(file_id: int, name: str) -> None:
    assert sprite_name(META, "tiles", file_id) == name


def test_one_sprite_and_none() -> None:
    assert sprite_name(META.replace(b"spriteMode: 2", b"spriteMode: 1"), "tiles", 21300000) == "tiles"
    assert sprite_name(META.replace(b"spriteMode: 2", b"spriteMode: 0"), "tiles", 21300000) == ""
    assert sprite_name(META.replace(b"TextureImporter", b"ModelImporter"), "tiles", 5) == ""
    assert sprite_name(META.replace(b"\n", b"\r\n"), "tiles", 5) == ""
    assert sprite_name(b"", "tiles", 5) == ""


@pytest.mark.long
@pytest.mark.corpus("unity/unitystation", "unity/daggerfall-unity", "unity/unity-explorer")
def test_it_says_what_the_whole_table_says(corpus: Path) -> None:
    known = unknown = 0
    for project in ("unitystation", "daggerfall-unity", "unity-explorer"):
        for path in (corpus / "unity" / project).rglob("*.png.meta"):
            meta = path.read_bytes()
            if b"\n    sprites:\n" not in meta:
                continue
            for file_id, _, name in sprite_rows(read_meta(meta)[1].sprites):
                found = sprite_name(meta, "", file_id)
                assert found in {"", name.decode()}
                known += bool(found)
                unknown += not found
    assert known > 60_000
    assert unknown < known // 100
