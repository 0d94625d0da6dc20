"""Asset registries of cooked games: synthetic ones of every version, whole, cut off and damaged."""

from __future__ import annotations

import json
import random
from struct import pack
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from assetdb_formats.binary import FormatError
from assetdb_formats.unreal.asset_registry import read_asset_registry
from tests.assetdb_formats.unreal.registry_writer import MAGIC, RegistryWriter, sample

if TYPE_CHECKING:
    from pathlib import Path

EACH_VERSION = pytest.mark.parametrize("version", range(4, 22))


@EACH_VERSION
def test_every_field_of_every_version(version: int) -> None:
    writer = sample(version)
    registry = read_asset_registry(writer.data())
    assert (registry.version, registry.left) == (version, 0)
    first, second = registry.assets
    assert first.tags == {key: text for key, (_, text) in writer.assets[0][4].items()}
    assert second.tags == {"Format_2": "PF_DXT5"}
    assert (first.package_name, first.asset_name) == ("/Game/A", "A")
    assert first.class_name == ("/Script/Engine.Blueprint" if version >= 14 else "Blueprint")
    assert first.bundles == ([("Client", ["/Game/A.A:Inner"])] if version >= 8 else [])
    assert (first.chunk_ids, first.package_flags) == ((3, 4), 0x80000000)
    assert registry.dependencies(registry.nodes[0]) == ["/Game/B", "/Script/Engine"]
    assert [node.hard for node in registry.nodes] == ([1, 1, 1] if version < 7 else [-1, -1, -1])
    assert [(package.name, package.disk_size) for package in registry.packages] == writer.packages
    if version >= 6:
        assert registry.packages[0].cooked_hash == bytes(range(16))
    if version >= 11:
        assert registry.packages[0].file_version == (522, 1009)
    if version >= 10:
        assert registry.packages[0].imported_classes == ["Texture2D"]
    if version >= 17:
        assert registry.packages[0].extension == ".uasset"


def test_texts_behind_the_paths() -> None:
    data = sample(12, text_first=False).data()
    assert read_asset_registry(data).assets[0].tags["Label"] == 'NSLOCTEXT("A", "B", "Hello")'


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "GUID of asset registries"),
        (sample(22).data(), "version 22; 4 to 21 are read"),
        (MAGIC + pack("<i", 3), "version 3; 4 to 21 are read"),
        (sample(16, filtered=False).data(), "editor-only data"),
    ],
)
def test_what_is_not_known_is_refused_by_its_name(data: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_asset_registry(data)


@EACH_VERSION
def test_cut_off_and_damaged_ones_are_our_error(version: int) -> None:
    data = sample(version).data()
    for size in range(len(data) - (4 if version < 8 else 0)):
        with pytest.raises(FormatError):
            read_asset_registry(data[:size])
    chance = random.Random(version)
    for _ in range(1000):
        changed = bytearray(data)
        for _ in range(chance.choice((1, 1, 4))):
            changed[chance.randrange(20, len(data))] = chance.choice((0, 1, 127, 128, 255, chance.randrange(256)))
        try:
            read_asset_registry(bytes(changed))
        except FormatError as error:
            assert error.field or error.offset is not None  # noqa: PT017 - every error is looked at


@pytest.mark.parametrize(("first", "count"), [(0, 3), (2, 1), (1, 2)])
def test_tags_beyond_those_of_the_store_are_refused(first: int, count: int) -> None:
    two = {"One": (0, "a"), "Two": (0, "b")}
    data = sample(21, assets=[("/Game/A", "A", "/Script/Engine", "Blueprint", two)]).data()
    handle = pack("<Q", 1 << 63 | 2 << 32)
    assert data.count(handle) == 1
    damaged = data.replace(handle, pack("<Q", 1 << 63 | count << 32 | first))
    with pytest.raises(FormatError, match=f"{count} tags from {first} on, the store has 2"):
        read_asset_registry(damaged)


@pytest.mark.long
def test_tags_that_all_assets_share_do_not_multiply() -> None:
    many = {f"Key{'x' * number}": (0, "value") for number in range(200)}
    writer = sample(21, assets=[("/Game/A", "A", "/Script/Engine", "Blueprint", many)] * 30)
    data = writer.data()
    handle = pack("<Q", 1 << 63 | 200 << 32 | 200)
    assert handle in data
    for number in range(30):  # each asset one pair further on: all in each other
        own = pack("<Q", 1 << 63 | 200 << 32 | 200 * number)
        data = data.replace(own, pack("<Q", 1 << 63 | 5000 << 32 | number))
    with pytest.raises(FormatError, match="overlap"):
        read_asset_registry(data)


@pytest.mark.parametrize("version", [7, 21])
def test_names_are_no_longer_than_an_engine_makes_them(version: int) -> None:
    writer = RegistryWriter(version, nodes=[(f"{'a' * 1023}_1", [], [], [])])
    assert read_asset_registry(writer.data()).nodes[0].name == f"{'a' * 1023}_1"
    # References to one name with numbers are text of its length, each: 280 kB would make 300 MB.
    writer = RegistryWriter(version, nodes=[(f"{'a' * 1024}_{number}", [], [], []) for number in range(1, 100)])
    with pytest.raises(FormatError, match="a name of 1024 characters"):
        read_asset_registry(writer.data())


def test_info_of_a_registry(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "AssetRegistry.bin"
    path.write_bytes(sample(21).data())
    assert main(["unreal", "info", str(path)]) == 0
    out = capsys.readouterr().out
    assert "version 21" in out
    assert "/Game/A.A  /Script/Engine.Blueprint  7 tags" in out
    assert main(["unreal", "info", str(path), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["dependencies"]["/Game/A"] == ["/Game/B", "/Script/Engine"]
    assert document["assets"][0]["tags"]["Wide"] == "語"
    path.write_bytes(sample(22).data())
    assert main(["unreal", "info", str(path)]) == 2
    assert f"assetdb: error: {path}: offset 16" in capsys.readouterr().err
    assert main(["unreal", "info", str(path), "--properties"]) == 2
    assert "--properties is not for an asset registry" in capsys.readouterr().err
