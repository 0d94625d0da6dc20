import re
from collections import Counter
from pathlib import Path

import pytest

from assetdb.unity.engine.builtin import TITLES, BuiltIn, _table, built_in, built_in_file
from assetdb.unity.engine.builtin_table import ROWS
from assetdb.unity.engine.classes import class_number

DEFAULT = bytes.fromhex("0000000000000000e000000000000000")
EXTRA = bytes.fromhex("0000000000000000f000000000000000")
EDITOR = bytes.fromhex("0000000000000000d000000000000000")


def test_files_are_told_by_their_guid() -> None:
    assert [built_in_file(guid) for guid in (EDITOR, DEFAULT, EXTRA)] == ["d", "e", "f"]
    for text in (
        "00000000000000000000000000000000",
        "0000000000000000c000000000000000",
        "00000000000000000f00000000000000",
        "0000000000000000e000000000000001",
        "1000000000000000e000000000000000",
    ):
        assert built_in_file(bytes.fromhex(text)) == ""
        assert built_in(bytes.fromhex(text), 10202) is None


@pytest.mark.parametrize(
    ("guid", "file_id", "class_name", "name"),
    [
        (DEFAULT, 10202, "Mesh", "Cube"),
        (DEFAULT, 10210, "Mesh", "Quad"),
        (DEFAULT, 10102, "Font", "Arial"),
        (DEFAULT, 19102, "MonoScript", "UIDocument"),
        (EXTRA, 46, "Shader", "Standard"),
        (EXTRA, 10303, "Material", "Default-Material"),
        (EXTRA, 10905, "Sprite", "UISprite"),
        (EXTRA, 10904, "Texture2D", "UISprite"),
        (EXTRA, 10753, "Shader", "Sprites/Default"),
        (EXTRA, 20201, "LightingDataAsset", ""),
    ],
)
def test_well_known_objects(guid: bytes, file_id: int, class_name: str, name: str) -> None:
    found = built_in(guid, file_id)
    assert found is not None
    assert (found.class_name, found.name) == (class_name, name)


def test_former_names() -> None:
    found = built_in(EXTRA, 200)
    assert found is not None
    assert found.name == "Legacy Shaders/Particles/Additive"
    assert "Particles/Additive" in found.former


def test_an_id_of_the_other_file() -> None:
    assert built_in(EXTRA, 10202) == BuiltIn("f", "Mesh", "Cube", ())
    assert built_in(DEFAULT, 10905) == BuiltIn("e", "Sprite", "UISprite", ())


def test_what_no_source_names_keeps_its_id() -> None:
    assert built_in(EXTRA, 31337) == BuiltIn("f", "", "", ())
    assert built_in(EDITOR, 10202) == BuiltIn("d", "", "", ())  # editor ids are hashes: never another file's
    assert built_in(EDITOR, -964228994112308473) == BuiltIn("d", "", "", ())


def test_the_table_is_in_order() -> None:
    assert len(_table()) == sum(rows.strip().count("\n") + 1 for rows in ROWS.values()) >= 350
    assert {file for file, _ in _table()} <= set(TITLES)
    for (class_name, _), rows in ROWS.items():
        assert class_number(class_name) is not None
        numbers = [int(row.split(" ")[0]) for row in rows.strip().split("\n")]
        assert numbers == sorted(set(numbers))
    for _, name, former in _table().values():
        assert name.strip() == name
        assert all(former)
        assert name not in former


@pytest.mark.long
@pytest.mark.corpus("unity/BoatAttack", "unity/Mirror", "unity/unity-explorer")
def test_share_of_real_references_that_are_named(corpus: Path) -> None:
    counts: Counter[bool] = Counter()
    for project in ("BoatAttack", "Mirror", "unity-explorer"):
        for path in (corpus / "unity" / project).rglob("*"):
            if path.suffix in {".unity", ".prefab", ".mat", ".asset"} and path.is_file():
                for file_id, digit in re.findall(rb"fileID: (-?\d+), guid: 0{16}([ef])0{15}", path.read_bytes()):
                    found = built_in(bytes.fromhex("0" * 16 + digit.decode() + "0" * 15), int(file_id))
                    assert found is not None
                    counts[bool(found.name)] += 1
    assert counts.total() > 1500
    assert counts[True] / counts.total() > 0.98
