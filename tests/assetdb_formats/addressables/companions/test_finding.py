from __future__ import annotations

import json
import struct
from typing import TYPE_CHECKING

import pytest

from assetdb_formats.addressables.companions.content_state import read_content_state
from assetdb_formats.addressables.companions.finding import (
    check_hash,
    find_content_states,
    find_hashes,
    find_layouts,
    find_settings,
    layout_for,
    open_layout,
)
from assetdb_formats.addressables.companions.layout import read_layout
from assetdb_formats.addressables.companions.nrbf import Stream
from assetdb_formats.addressables.companions.settings import read_settings
from assetdb_formats.addressables.errors import AddressablesError, CompanionNotFoundError
from assetdb_formats.addressables.flavour import JSON_FLAVOURS
from assetdb_formats.addressables.hashes import content_hash
from assetdb_formats.addressables.json.tagged import write_tagged
from assetdb_formats.addressables.model import JsonObject, TypeName
from assetdb_formats.addressables.opening import open_catalog
from assetdb_formats.inputs import file_input
from tests.assetdb_formats.addressables.builder import make_build, make_content, make_layout, write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from assetdb_formats.inputs import Input


def test_settings_say_version_and_catalogs() -> None:
    options = JsonObject(TypeName("A", "ProviderLoadRequestOptions"), '{"m_IgnoreFailures":true}')
    location = {
        "m_Keys": ["AddressablesMainContentCatalog"], "m_InternalId": "x/catalog.bin", "m_Provider": "P",
        "m_Dependencies": ["Hash"], "m_ResourceType": {"m_AssemblyName": "A", "m_ClassName": "C"},
        "SerializedData": list(write_tagged(options)),
    }  # fmt: skip
    fields = {"m_buildTarget": "Android", "m_AddressablesVersion": "2.2.2", "m_CatalogLocations": [location]}
    settings = read_settings(json.dumps(fields).encode())
    assert (settings.version, settings.build_target) == ("2.2.2", "Android")
    assert settings.catalogs[0].data == options
    assert settings.catalogs[0].dependencies == ("Hash",)


@pytest.mark.parametrize("data", [
    b"", b"[]", b"\xff", b'{"m_CatalogLocations":[1]}', b'{"m_CatalogLocations":{}}', b'{"m_AddressablesVersion":1}',
    b'{"m_CatalogLocations":[{"SerializedData":[999]}]}', b'{"m_CatalogLocations":[{"SerializedData":[9]}]}',
    b'{"m_CatalogLocations":[{"m_Keys":[1]}]}', b"[" * 100_000,
    b'{"m_CatalogLocations":[{"SerializedData":1000000000000000}]}',  # a size to bytes(), not a list of them
])  # fmt: skip
def test_broken_settings_are_typed_errors(data: bytes) -> None:
    with pytest.raises(AddressablesError):
        read_settings(data)


def test_a_build_layout_of_either_form() -> None:
    graph = {
        "PackageVersion": "com.unity.addressables: 2.2.2", "BuildResultHash": "ab" * 16,
        "references": {"version": 2, "RefIds": [
            {"rid": -2, "type": {"class": ""}, "data": {}},
            {"rid": 1, "type": {"class": "BuildLayout/Group"}, "data": {"Name": "Main"}},
            {"rid": 2, "type": {"class": "BuildLayout/Bundle"}, "data": {
                "Name": "b", "FileSize": 5, "CRC": 6, "Hash": {"serializedVersion": "2", "Hash": "cd" * 16},
                "Group": {"rid": 1}, "LoadPath": "p"}},
            {"rid": 3, "type": {"class": "BuildLayout/ExplicitAsset"}, "data": {
                "Guid": "ef" * 16, "AssetPath": "Assets/a", "InternalId": "Assets/a", "AddressableName": "a",
                "Labels": ["l"], "SerializedSize": 2, "StreamedSize": 3, "Bundle": {"rid": 2}}},
        ]},
    }  # fmt: skip
    layout = read_layout(json.dumps(graph).encode())
    assert (layout.package_version, layout.build_hash) == ("2.2.2", "ab" * 16)
    assert layout.bundles[0][:6] == ("b", None, "Main", 5, 6, "cd" * 16)
    assert (layout.assets[0].bundle, layout.assets[0].size, layout.assets[0].labels) == (0, 5, ("l",))
    text = (
        "Unity Version: 2022.3.1f1\ncom.unity.addressables: 1.20.0\nSummary\n\tAddressable Groups: 1\n\n"
        "Group Main (Bundles: 1, Total Size: 1KB, Explicit Asset Count: 1)\n"
        "\tArchive main_all.bundle (Size: 1.5KB, Compression: Lz4, Asset Bundle Object Size: 1B)\n"
        "\t\tExplicit Assets\n"
        "\t\t\tAssets/a.png (Total Size: 2KB, Size from Objects: 2KB, Addressable Name: icon, Labels: x, y)\n"
        "\t\t\t\tInternal References: Assets/b (1).mat\n"
        "\t\tFiles:\n\t\t\tFile 0 (MonoScripts: 0)\n"
    )
    layout = read_layout(text.encode())
    assert (layout.unity_version, layout.package_version) == ("2022.3.1f1", "1.20.0")
    assert [(bundle.name, bundle.group, bundle.size) for bundle in layout.bundles] == [
        ("main_all.bundle", "Main", 1536)
    ]
    assert [(asset.path, asset.address, asset.size) for asset in layout.assets] == [("Assets/a.png", "icon", 2048)]


@pytest.mark.parametrize(
    "data", [b"", b"text", b"{}", b'{"references":{"RefIds":[1]}}', b'{"references":{"RefIds":5}}']
)
def test_broken_layouts_are_typed_errors(data: bytes) -> None:
    with pytest.raises(AddressablesError):
        read_layout(data)


def test_references_and_sizes_of_layouts_that_are_none() -> None:
    classes = {"ExplicitAsset": {"Bundle": {"rid": []}}, "DataFromOtherAsset": {"File": {"rid": 1}}}
    objects = [
        {"rid": number, "type": {"class": f"BuildLayout/{name}"}, "data": data}
        for number, (name, data) in enumerate(classes.items())
    ]
    layout = read_layout(json.dumps({"references": {"RefIds": objects}}).encode())
    assert (layout.assets[0].bundle, layout.implicit[0].bundle) == (None, None)
    layout = read_layout(b"Addressable Groups: 1\n\tArchive a (Size: " + b"9" * 400 + b"B)")
    assert layout.bundles[0].size == 0


def name(text: str) -> bytes:
    return bytes((len(text),)) + text.encode()


def state_stream(body: bytes) -> bytes:
    return b"\0" + struct.pack("<4i", 1, -1, 1, 0) + body + b"\x0b"


def test_a_stream_is_read_without_making_any_object() -> None:
    body = b"\x0c" + struct.pack("<i", 2) + name("Unity.Addressables.Editor")
    body += b"\x05" + struct.pack("<i", 1) + name("X.AddressablesContentState") + struct.pack("<i", 3)
    body += name("playerVersion") + name("cachedInfos") + name("cachedBundles") + bytes((1, 4, 2))
    body += name("X.CachedAssetState[]") + struct.pack("<i", 2) + struct.pack("<i", 2)
    body += b"\x06" + struct.pack("<i", 3) + name("1.2.3") + b"\x09" + struct.pack("<i", 4) + b"\x0a"
    body += (
        b"\x07" + struct.pack("<i", 4) + b"\0" + struct.pack("<ii", 1, 2) + b"\x04" + name("X") + struct.pack("<i", 2)
    )
    body += b"\x0d\x02"
    state = read_content_state(state_stream(body))
    assert state.player_version == "1.2.3"
    assert (state.assets, state.bundles) == ((), ())


@pytest.mark.parametrize("body", [
    b"", b"\x63", b"\x0a", b"\x06" + struct.pack("<i", 1) + b"\xff\xff\xff\xff\xff\xff",
    b"\x10" + struct.pack("<ii", 1, 0x7FFFFFFF), b"\x0f" + struct.pack("<ii", 1, 0x7FFFFFFF) + b"\x08",
    b"\x01" + struct.pack("<ii", 1, 99), b"\x10" + struct.pack("<ii", 1, 1) + b"\x0d\xff",
    (b"\x10" + struct.pack("<ii", 1, 1)) * 1000,
])  # fmt: skip
def test_a_broken_stream_is_a_typed_error(body: bytes) -> None:
    with pytest.raises(AddressablesError):
        read_content_state(state_stream(body)[: -1 if not body else None])


def test_a_circle_of_references_is_no_circle_of_calls() -> None:
    body = b"\x10" + struct.pack("<ii", 1, 1) + b"\x09" + struct.pack("<i", 1)
    stream = Stream(state_stream(body))
    assert stream.resolve(stream.objects[1][0]) is stream.objects[1]


@pytest.mark.parametrize("asked", ["catalog.bin", "catalog.hash"])
def test_the_hash_of_a_damaged_catalog_is_compared(tmp_path: Path, binary_bytes: bytes, asked: str) -> None:
    damaged = binary_bytes[: len(binary_bytes) * 3 // 4]
    (tmp_path / "catalog.bin").write_bytes(damaged)
    (tmp_path / "catalog.hash").write_text(content_hash(binary_bytes))
    found = check_hash(file_input(str(tmp_path / asked)))
    assert found.is_wrong
    assert found.right["spooky"] == content_hash(damaged)


def fill(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b'{"m_CatalogLocations":[]}')


@pytest.mark.parametrize(
    ("find", "names", "others"),
    [
        (find_layouts, ("buildlayout.json", "a/BuildLayout_2024.txt", "x_buildlayout.json"), ("layout.json",)),
        (
            find_content_states,
            ("addressables_content_state.bin", "a/b-addressables_content_state_2.bin"),
            ("content_state.bin", "addressables_content_state.txt"),
        ),
        (find_settings, ("settings.json", "aa/x-settings.json"), ("mysettings.json", "settings.txt")),
        (find_hashes, ("catalog.hash", "a/my_catalog_1.hash"), ("other.hash", "catalogs.txt")),
    ],
)
def test_companions_of_a_folder_by_their_names(
    tmp_path: Path, find: Callable[[str], list[Input]], names: tuple[str, ...], others: tuple[str, ...]
) -> None:
    fill(tmp_path, *others)
    with pytest.raises(CompanionNotFoundError, match="holds no ") as caught:
        find(str(tmp_path))
    assert caught.value.path == str(tmp_path)
    fill(tmp_path, *names)
    assert sorted(each.name for each in find(str(tmp_path))) == sorted(str(tmp_path / name) for name in names)


def test_settings_of_something_else_are_passed_unless_they_are_named(tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_text("{}")
    with pytest.raises(CompanionNotFoundError, match=r"settings\.json of Addressables"):
        find_settings(str(tmp_path))
    (found,) = find_settings(str(tmp_path / "settings.json"))
    assert found.name == str(tmp_path / "settings.json")


def test_a_hash_is_named_by_its_catalog_where_there_is_one(tmp_path: Path) -> None:
    data = write(make_content(), JSON_FLAVOURS["1.28"])
    (tmp_path / "catalog.json").write_bytes(data)
    (tmp_path / "catalog.hash").write_text(content_hash(data))
    (found,) = find_hashes(str(tmp_path))
    assert found.name == str(tmp_path / "catalog.json")
    right = {method: content_hash(data, method=method) for method in ("spooky", "md5")}
    for name in ("catalog.json", "catalog.hash"):
        checked = check_hash(file_input(str(tmp_path / name)))
        assert checked == (
            str(tmp_path / "catalog.hash"), right["spooky"], str(tmp_path / "catalog.json"), "spooky", right
        )  # fmt: skip
        assert not checked.is_wrong
    (tmp_path / "catalog.hash").write_text("0" * 32)
    checked = check_hash(found)
    assert (checked.method, checked.digits, checked.is_wrong) == (None, "0" * 32, True)
    (tmp_path / "catalog.hash").unlink()
    checked = check_hash(found)
    assert (checked.name, checked.digits, checked.catalog, checked.is_wrong) == (None, None, found.name, False)
    (tmp_path / "catalog_2.hash").write_text("0" * 32)
    checked = check_hash(file_input(str(tmp_path / "catalog_2.hash")))
    assert (checked.catalog, checked.right, checked.is_wrong) == (None, {}, False)
    (tmp_path / "catalog_2.hash").write_text("0" * 31)
    with pytest.raises(AddressablesError, match="32 hexadecimal digits"):
        check_hash(file_input(str(tmp_path / "catalog_2.hash")))


def test_the_layout_of_a_catalog_is_named_or_beside_it(tmp_path: Path) -> None:
    make_build(tmp_path, write(make_content(), JSON_FLAVOURS["1.28"]))
    place = tmp_path / "Game_Data" / "StreamingAssets" / "aa"
    opened = open_catalog(str(place / "catalog.json"))
    assert layout_for(opened) is None
    (place / "buildlayout.json").write_text(json.dumps(make_layout()))
    beside = layout_for(opened)
    assert beside is not None
    assert layout_for(opened, str(place)) == beside == open_layout(file_input(str(place / "buildlayout.json")))
    (place / "buildlayout_2.json").write_text(json.dumps(make_layout()))
    with pytest.raises(AddressablesError, match="holds 2 build layouts, name one:"):
        layout_for(opened, str(place))
    (place / "buildlayout.json").write_text("{")
    with pytest.raises(AddressablesError) as caught:
        layout_for(opened)
    assert "buildlayout.json beside " in caught.value.path
