"""Content states laid down record by record, and settings field by field."""

from __future__ import annotations

from struct import pack

import pytest

from assetdb_formats.addressables.companions.content_state import (
    ContentState,
    StateAsset,
    StateBundle,
    StateSummary,
    read_content_state,
    summary_of_state,
)
from assetdb_formats.addressables.errors import AddressablesError


def text(value: str) -> bytes:
    return bytes((len(value),)) + value.encode()


class Stream:
    """Objects of a BinaryFormatter stream; each record is the value of a member."""

    def __init__(self) -> None:
        self.last = 0

    def number(self) -> bytes:
        self.last += 1
        return pack("<i", self.last)

    def string(self, value: str) -> bytes:
        return b"\x06" + self.number() + text(value)

    def items(self, *records: bytes) -> bytes:
        return b"\x10" + self.number() + pack("<i", len(records)) + b"".join(records)

    def instance(self, name: str, **members: bytes) -> bytes:
        head = b"\x02" + self.number() + text(name) + pack("<i", len(members))
        return head + b"".join(map(text, members)) + b"".join(members.values())


def whole(root: bytes) -> bytes:
    """Return a stream; the root is the object whose number its record has."""
    return b"\0" + root[1:5] + pack("<3i", -1, 1, 0) + root + b"\x0b"


def u32(value: int) -> bytes:
    return b"\x08\x0f" + pack("<I", value)


def u64(value: int) -> bytes:
    return b"\x08\x10" + pack("<Q", value)


NULL = b"\x0a"


def state(made: Stream, **members: bytes) -> ContentState:
    return read_content_state(whole(made.instance("X.AddressablesContentState", **members)))


def test_assets_have_their_guid_hash_group_and_what_they_need() -> None:
    made = Stream()
    guid = made.instance("GUID", a=u32(1), b=u32(0x10203040), c=u32(0), d=u32(0xFFFFFFFF))
    halves = made.instance("Hash128", a=u64(1), b=u64(0x1122334455667788))
    needed = made.instance("AssetState", guid=made.string("g"), hash=made.instance("Hash128", text=made.string("h")))
    odd = made.instance("AssetState", guid=made.instance("GUID", a=u32(1), b=u32(1), c=u32(1)), hash=u32(5))
    mixed = made.instance("AssetState", guid=made.instance("GUID", a=u32(1), b=made.string("x")), hash=NULL)
    asset = made.instance(
        "CachedAssetState",
        asset=made.instance("AssetState", guid=guid, hash=halves),
        dependencies=made.items(needed, odd, mixed, NULL),
        groupGuid=made.string("group"),
        bundleFileId=made.string("file"),
    )
    bare = made.instance("CachedAssetState", asset=NULL)
    found = state(made, playerVersion=made.string("1.2"), cachedInfos=made.items(asset, NULL, bare))
    assert found == ContentState("1.2", None, None, (
        StateAsset(
            "01000000" "40302010" "00000000" "ffffffff", "0100000000000000" "8877665544332211", "group", "file",
            (("g", "h"), ("", ""), ("", ""), ("", "")),
        ),
        StateAsset("", "", None, None, ()),
    ), ())  # fmt: skip


def test_bundles_have_their_options_and_enumerations_their_number() -> None:
    made = Stream()
    options = made.instance(
        "Options", m_Hash=made.string("h"), m_Crc=u32(7), m_BundleSize=u64(9), mode=made.instance("E", value__=u32(3))
    )
    first = made.instance("CachedBundleState", bundleFileId=made.string("file"), data=options)
    other = made.instance("Options", m_Hash=u32(1), m_Crc=made.string("x"), m_BundleSize=NULL)
    second = made.instance("CachedBundleState", data=other)
    third = made.instance("CachedBundleState", data=NULL)
    found = state(
        made, cachedBundles=made.items(first, second, third), editorVersion=made.string("2022"),
        remoteCatalogLoadPath=made.string("p"),
    )  # fmt: skip
    assert (found.editor_version, found.catalog_load_path, found.assets) == ("2022", "p", ())
    assert found.bundles == (
        StateBundle("file", {"m_Hash": "h", "m_Crc": 7, "m_BundleSize": 9, "mode": 3}),
        StateBundle("", {"m_Hash": 1, "m_Crc": "x", "m_BundleSize": None}),
        StateBundle("", {}),
    )
    assert [(one.hash, one.crc, one.size) for one in found.bundles] == [("h", 7, 9)] + [(None, None, None)] * 2


def test_a_state_is_summed_up_by_its_groups() -> None:
    assets = tuple(StateAsset("", "", group, None, ()) for group in ("a", "b", "a"))
    found = ContentState("1", "2", "3", assets, (StateBundle("f", {}),))
    assert summary_of_state(found) == StateSummary("1", "2", "3", 2, 3, 1)


def test_another_root_is_refused_by_its_class() -> None:
    made = Stream()
    for root, name in ((made.instance("X.Other"), "X.Other"), (made.items(), "list"), (made.string("x"), "str")):
        with pytest.raises(AddressablesError, match=f"holds a {name}, not an AddressablesContentState") as caught:
            read_content_state(whole(root))
        assert (caught.value.offset, caught.value.field) == (0, "root")
    assert state(Stream()) == ContentState(None, None, None, (), ())
