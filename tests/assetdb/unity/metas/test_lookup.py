"""The short way through a meta says what the long one says, or nothing."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from assetdb.unity.metas.lookup import _fast_sub_assets, sub_assets
from assetdb.unity.metas.meta import read_meta, sub_asset_names

if TYPE_CHECKING:
    from pathlib import Path

HEAD = b"fileFormatVersion: 2\nguid: " + b"ab" * 16 + b"\n"
OLD = HEAD + b"ModelImporter:\n  serializedVersion: 19\n  fileIDToRecycleName:\n    100000: //RootNode\n"
OLD += b"    4300000: Wheel\n    -8679921383154817045: Far\n  externalObjects: {}\n  meshes:\n    globalScale: 1\n"
NEW = HEAD + b"ModelImporter:\n  serializedVersion: 25\n  internalIDToNameTable:\n"
NEW += b"".join(
    b"  - first:\n      %d: %d\n    second: %b\n" % row
    for row in (
        (1, 100000, b"//RootNode"),
        (74, -9_000_000_000_000_000_001, b"Take 001"),
        (43, 4300000, "Rad é".encode()),
    )
)
NEW += b"  externalObjects: {}\n"
PLUGIN = HEAD + b"folderAsset: yes\nPluginImporter:\n  userData: \n"


def thorough(meta: bytes) -> tuple[str, list[tuple[int, int, bytes]]]:
    facts = read_meta(meta)[1]
    return facts.importer, list(sub_asset_names(facts).values())


@pytest.mark.parametrize("meta", [OLD, NEW, HEAD + b"PluginImporter:\n  userData: \n"])
def test_usual_metas(meta: bytes) -> None:
    found = _fast_sub_assets(meta)
    assert found is not None
    assert found == thorough(meta)
    assert sub_assets(meta, fast=True)[:2] == sub_assets(meta, fast=False)[:2] == found


@pytest.mark.parametrize(
    "meta",
    [
        *(b"", HEAD, PLUGIN, OLD.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + OLD, NEW.replace(b"Model", b"Texture")),
        OLD.replace(b"Wheel", b"'Wheel'"),
        OLD.replace(b"Wheel", b"Wheel # 2"),
        OLD.replace(b"Wheel", b"Wheel\n      and more"),
        OLD.replace(b"4300000", b"9223372036854775808"),
        NEW.replace(b"Take 001", b""),
        NEW.replace(b"    second: Take 001\n", b""),
        OLD + b"<<<<<<< HEAD\n",
    ],
)
def test_what_is_unusual_is_left_to_the_other(meta: bytes) -> None:
    assert _fast_sub_assets(meta) is None
    assert sub_assets(meta, fast=True) == sub_assets(meta, fast=False)


def test_damaged_metas_have_the_same_rows_or_none() -> None:
    numbers = random.Random(17)
    answered = 0
    for _ in range(6000):
        data = bytearray(numbers.choice((OLD, NEW)))
        for _ in range(numbers.randint(1, 3)):
            data[numbers.randrange(60, len(data))] = numbers.choice(b"\n -:#'\" 0a\t\xff")
        found = _fast_sub_assets(bytes(data))
        if found is not None:
            answered += 1
            assert found == thorough(bytes(data)), bytes(data)
    assert answered > 500


@pytest.mark.corpus("unity/BoatAttack", "unity/FPSSample")
@pytest.mark.parametrize("name", ["BoatAttack", "FPSSample"])
def test_metas_of_real_projects(corpus: Path, name: str) -> None:
    metas = [path.read_bytes() for path in (corpus / "unity" / name).rglob("*.meta")]
    answered = [
        (meta, _fast_sub_assets(meta)) for meta in metas if b"ModelImporter" in meta or b"PluginImporter" in meta
    ]
    assert sum(found is not None for _, found in answered) > 0.95 * len(answered) > 0
    for meta, found in answered:
        assert found is None or found == thorough(meta)
