"""Objects of a player with a stable layout, read byte by byte in both orders."""

from __future__ import annotations

from struct import pack

import pytest

from assetdb_formats.unityfs.errors import UnityFSError
from assetdb_formats.unityfs.serialized_files.player import (
    Product,
    Script,
    read_prefabs,
    read_product,
    read_resources,
    read_scenes,
    read_script,
    reader_of,
)
from assetdb_formats.unityfs.serialized_files.tree_values import PPtr
from tests.assetdb_formats.unityfs.builder import Packer

ORDERS = (("<", False), (">", True))
# A GUID is four numbers; its text has the lowest digit of each first.
GUID = "".join(word[::-1] for word in ("01234567", "89abcdef", "00000001", "f0000000"))
WORDS = (0x01234567, 0x89ABCDEF, 1, 0xF0000000)


def test_a_script_has_its_assembly_namespace_and_name() -> None:
    for order, big_endian in ORDERS:
        p = Packer(order)
        data = p.string(b"Door") + bytes(4 + 16) + p.string(b"Door") + p.string(b"Game") + p.string(b"Game.dll")
        assert read_script(reader_of(data, big_endian=big_endian)) == Script("Game.dll", "Game", "Door")
    assert Script("a", "Game", "Door").full_name == "Game.Door"
    assert Script("a", "", "Door").full_name == "Door"
    with pytest.raises(UnityFSError, match="needs 20 bytes, 19 are left") as caught:
        read_script(reader_of(data[: 8 + 19], big_endian=True, base=100))
    assert (caught.value.offset, caught.value.field) == (108, "m_PropertiesHash")


def test_scenes_are_in_build_order() -> None:
    p = Packer()
    data = p("i", 2) + p.string(b"b.unity") + p.string(b"") + b"more"
    assert read_scenes(reader_of(data, big_endian=False)) == ("b.unity", "")
    assert read_scenes(reader_of(p("iii", 2, 0, 0), big_endian=False)) == ("", "")
    with pytest.raises(UnityFSError) as caught:
        read_scenes(reader_of(p("i", 2) + p.string(b"b") + b"\1\0\0\0", big_endian=False))
    assert caught.value.field == "scenes[1]"


def test_a_product_is_read_since_unity_5_5() -> None:
    for order, big_endian in ORDERS:
        p = Packer(order)
        data = p("4I", *WORDS) + bytes(20) + p.string(b"Firm") + p.string(b"Game")
        expected = Product(GUID, "Firm", "Game")
        assert read_product(reader_of(data, big_endian=big_endian), (5, 5, 0, "f", 1)) == expected
        assert read_product(reader_of(data, big_endian=big_endian), (5, 4, 9, "f", 9)) is None
        assert read_product(reader_of(data, big_endian=big_endian), None) is None


def test_resources_have_a_path_and_an_object() -> None:
    p = Packer()
    data = p("i", 2) + p.string(b"ui/door") + p("iq", 1, -5) + p.string(b"") + p("iq", 0, 7)
    expected = (("ui/door", PPtr(1, -5)), ("", PPtr(0, 7)))
    assert read_resources(reader_of(data, big_endian=False)) == expected
    with pytest.raises(UnityFSError, match="counts 3 items of 16 bytes") as caught:
        read_resources(reader_of(p("i", 3) + bytes(47), big_endian=False))
    assert caught.value.field == "m_Container"
    assert len(read_resources(reader_of(p("i", 3) + bytes(48), big_endian=False))) == 3


def test_prefabs_of_a_network_manager_fill_the_object() -> None:
    data = bytes(8) + pack("<i", 1) + pack("<4I", *WORDS) + pack("<iq", 2, 9)
    assert read_prefabs(reader_of(data, big_endian=False), "5.6.0f1") == ((GUID, PPtr(2, 9)),)
    assert read_prefabs(reader_of(bytes(12), big_endian=False), "5.6.0f1") == ()
    assert read_prefabs(reader_of(b"other", big_endian=False), "2022.3.1f1") == ()  # has no such class
    with pytest.raises(UnityFSError, match="has bytes behind its table") as behind:
        read_prefabs(reader_of(data + b"\0", big_endian=False, base=50), "5.6.0f1")
    assert (behind.value.offset, behind.value.field) == (50 + len(data), "m_AssetToPrefab")
    with pytest.raises(UnityFSError, match="counts 1 items of 28 bytes, 27 bytes are left"):
        read_prefabs(reader_of(data[:-1], big_endian=False), "5.6.0f1")
