"""JSON catalogs as the packages of each time write them."""

from __future__ import annotations

import json
from array import array
from base64 import b64decode
from typing import TYPE_CHECKING, Any

import pytest

from assetdb_formats.addressables.editing.content import Content, Entry
from assetdb_formats.addressables.errors import UnwritableError
from assetdb_formats.addressables.flavour import JSON_FLAVOURS
from assetdb_formats.addressables.json.reader import JsonCatalog
from assetdb_formats.addressables.json.writer import encode_json
from assetdb_formats.addressables.model import (
    BundleOptions,
    DirectoryAsset,
    JsonObject,
    Number,
    ProviderData,
    TypeName,
)

if TYPE_CHECKING:
    from assetdb_formats.addressables.flavour import JsonFlavour

NEWEST = JSON_FLAVOURS["1.28"]


def written(content: Content, flavour: JsonFlavour = NEWEST) -> tuple[dict[str, Any], list[str]]:
    data, losses = encode_json(content, flavour)
    return json.loads(data.decode("utf-8-sig")), [str(loss) for loss in losses]


def rows(fields: dict[str, Any], width: int = 7) -> list[list[int]]:
    numbers = list(array("i", b64decode(fields.get("m_EntryDataString") or fields["m_entryDataString"])))
    assert len(numbers) == 1 + numbers[0] * width
    return [numbers[at : at + width] for at in range(1, len(numbers), width)]


def test_a_small_catalog_is_written_to_the_letter() -> None:
    content = Content(
        NEWEST, [Entry(["ü"], "a/b", "p", TypeName("A", "C"), data=BundleOptions("h", shape=("m_Hash",)))]
    )
    content.locator_id = "L"
    provider = ProviderData("i", TypeName(None, "System.Object"), "d")
    content.instance_provider, content.resource_providers = provider, (ProviderData(None, None, None),)
    content.core_assembly = "Core, Version=1"
    data, losses = encode_json(content, NEWEST)
    assert losses == []
    assert data.decode() == (
        '{"m_LocatorId":"L","m_BuildResultHash":"",'
        '"m_InstanceProviderData":{"m_Id":"i","m_ObjectType":{"m_AssemblyName":"Core, Version=1",'
        '"m_ClassName":"System.Object"},"m_Data":"d"},'
        '"m_SceneProviderData":{"m_Id":"","m_ObjectType":{"m_AssemblyName":"","m_ClassName":""},"m_Data":""},'
        '"m_ResourceProviderData":[{"m_Id":"","m_ObjectType":{"m_AssemblyName":"","m_ClassName":""},"m_Data":""}],'
        '"m_ProviderIds":["p"],"m_InternalIds":["a/b"],'
        '"m_KeyDataString":"AQAAAAECAAAA/AA=",'
        '"m_BucketDataString":"AQAAAAQAAAABAAAAAAAAAA==",'
        '"m_EntryDataString":"AQAAAAAAAAAAAAAA/////xEAAAAAAAAAAAAAAAAAAAA=",'
        f'"m_ExtraDataString":"{json.loads(data)["m_ExtraDataString"]}",'
        '"m_resourceTypes":[{"m_AssemblyName":"A, Version=0.0.0.0, Culture=neutral, PublicKeyToken=null",'
        '"m_ClassName":"C"}],"m_InternalIdPrefixes":[]}'
    )
    extra = b64decode(json.loads(data)["m_ExtraDataString"])
    assert extra.endswith('{"m_Hash":"h"}'.encode("utf-16-le"))
    assert encode_json(content, NEWEST._replace(bom=True))[0] == b"\xef\xbb\xbf" + data


def test_each_flavour_has_its_fields_and_columns() -> None:
    content = Content(NEWEST, [Entry([5, 7], "i", "p"), Entry([7], "j", "p", dependencies=[5])])
    for flavour in JSON_FLAVOURS.values():
        fields, losses = written(content, flavour)
        assert tuple(fields) == flavour.fields
        assert losses == []
        hashed = [0, 5] if flavour.seed == 0 else [17, 532]  # 17 * 31 + 5
        assert rows(fields, flavour.width) == [
            [0, 0, -1, hashed[0], -1, 0, 0][: flavour.width] if flavour.width > 4 else [0, 0, -1, -1],
            [1, 0, 0, hashed[1], -1, 1, 0][: flavour.width] if flavour.width > 4 else [1, 0, 0, -1],
        ]
        assert fields.get("m_Keys") == (["5", "7"] if "m_Keys" in flavour.fields else None)


def test_fields_that_no_package_knows_are_kept() -> None:
    content = Content(NEWEST._replace(fields=("other", "m_ProviderIds", "gone")), [])
    content.other_fields = {"other": [1], "m_ProviderIds": "ignored", "unwanted": 1}
    assert isinstance(content.flavour, tuple)
    assert written(content, NEWEST._replace(fields=("other", "m_ProviderIds", "gone")))[0] == {
        "other": [1], "m_ProviderIds": []
    }  # fmt: skip


def test_a_set_of_dependencies_is_a_key_with_the_hash_of_its_keys() -> None:
    entries = [Entry([5], "a", "p"), Entry([7], "b", "p"), Entry([7, 9], "c", "p", dependencies=[5, 7, 5])]
    entries.append(Entry([11], "d", "p", dependencies=[5, 7]))
    for name, number in (("1.28", 16499), ("1.21.3", 162)):  # (17 * 31 + 5) * 31 + 7, and 5 * 31 + 7
        fields, losses = written(Content(NEWEST, entries), JSON_FLAVOURS[name])
        assert losses == []
        assert b64decode(fields["m_KeyDataString"]).endswith(str(number).encode())
        buckets = list(array("i", b64decode(fields["m_BucketDataString"])))
        assert buckets[-4:] in ([buckets[-4], 2, 0, 1], [3, 0, 1, 0])
        assert [row[2] for row in rows(fields)] == [-1, -1, 4, 4]
    fields, _ = written(Content(NEWEST, entries), JSON_FLAVOURS["1.1"])
    assert fields["m_Keys"] == ["5", "7", "9", "11", "162"]
    assert b64decode(fields["m_KeyDataString"])[-5:] == b"\4\xa2\0\0\0"


def test_a_set_of_a_file_from_before_1_1_keeps_its_number() -> None:
    entries = [Entry([5], "a", "p"), Entry([7], "b", "p", dependencies=[5, 7])]
    content = Content(JSON_FLAVOURS["0.6"], entries)
    content.set_numbers = {(5, 7): 12345}
    old, _ = written(content, JSON_FLAVOURS["0.6"])
    assert b64decode(old["m_KeyDataString"])[-5:] == b"\4" + (12345).to_bytes(4, "little")
    new, _ = written(content, JSON_FLAVOURS["1.1"])
    assert b64decode(new["m_KeyDataString"])[-5:] == b"\4\xa2\0\0\0"


def test_keys_are_kept_in_their_order_and_without_those_that_nothing_uses() -> None:
    entries = [Entry(["a"], "a", "p", dependencies=["used"]), Entry(["b"], "b", "p")]
    content = Content(NEWEST, entries)
    content.key_order = ["unused", "b", "used", "a"]
    fields, losses = written(content, NEWEST)
    blob = b64decode(fields["m_KeyDataString"])
    assert [blob.find(name) for name in (b"unused", b"b", b"used", b"a")] == [-1, 9, 15, 24]
    assert losses == []
    assert [row[2] for row in rows(fields)] == [1, -1]


def test_what_json_cannot_say_is_a_loss() -> None:
    entries = [Entry(["a"], "a", "p", TypeName("A", "C"), dependencies=["gone"])]
    entries.append(Entry(["b"], "b", "p", None, data=DirectoryAsset(1, 2)))
    entries.append(Entry(["c"], "c", "p", None, data=Number(1, "Boolean")))
    entries.append(Entry(["d"], "d", "p", None, data=Number(1, "UInt16")))
    content = Content(NEWEST, entries)
    content.locator_id, content.build_result_hash = "L", "00"
    fields, losses = written(content, NEWEST)
    assert losses == [
        "dangling: the dependency 'gone' is not a key of the catalog",
        "data: 2 objects are of kinds that only binary catalogs hold",
    ]
    assert [row[4] for row in rows(fields)] == [-1, -1, -1, 0]
    assert b64decode(fields["m_ExtraDataString"]) == b"\2\1\0"
    for name, width in (("0.6", 4), ("0.7", 5)):
        _, losses = written(content, JSON_FLAVOURS[name])
        assert losses[2:] == [
            f"types: rows of {width} columns hold neither types nor primary keys",
            f"field: m_BuildResultHash: packages of {name} have no such field: 00 is lost",
            f"field: m_LocatorId: packages of {name} have no such field: L is lost",
        ]
    untyped = Content(NEWEST, [Entry([], "a", "p")])
    assert written(untyped, JSON_FLAVOURS["0.7"])[1] == []
    with pytest.raises(UnwritableError, match="the entry 'a' has no key, and JSON needs one"):
        written(untyped)


def test_optimized_ids_are_split_before_their_last_slash() -> None:
    ids = ["x/y/z", "x/y", "x/y/w", "/root", "plain", "a/"]
    content = Content(NEWEST, [Entry([name], name, "p") for name in ids])
    fields, _ = written(content, JSON_FLAVOURS["1.16.8"]._replace(compact=True))
    assert fields["m_InternalIds"] == ["0#/z", "1#/y", "0#/w", "/root", "plain", "2#/"]
    assert fields["m_InternalIdPrefixes"] == ["x/y", "x", "a"]
    fields, _ = written(content, JSON_FLAVOURS["1.16.8"])
    assert (fields["m_InternalIds"], fields["m_InternalIdPrefixes"]) == (ids, [])


def test_bundle_options_have_the_fields_of_the_package_unless_they_had_their_own() -> None:
    content = Content(NEWEST, [
        Entry(["a"], "a", "p", data=BundleOptions("h", size=5)),
        Entry(["b"], "b", "p", data=BundleOptions("h", size=5, shape=("m_BundleSize",), type=TypeName("G", "Options"))),
        Entry(["c"], "c", "p", data=JsonObject(TypeName("G", "x"), "{}")),
    ])  # fmt: skip
    fields, _ = written(content, JSON_FLAVOURS["0.6"])
    extra = b64decode(fields["m_ExtraDataString"])
    first, second = extra[: rows(fields, 4)[1][3]], extra[rows(fields, 4)[1][3] :]
    text = first.partition(b"{\0")[2].decode("utf-16-le")
    assert list(json.loads("{" + text)) == [
        "m_Hash", "m_Crc", "m_Timeout", "m_ChunkedTransfer", "m_RedirectLimit", "m_RetryCount", "m_BundleName",
        "m_BundleSize",
    ]  # fmt: skip
    assert b"Unity.ResourceManager, Version=0.0.0.0" in first
    assert b"G, Version=0.0.0.0, Culture=neutral, PublicKeyToken=null" in second
    assert '{"m_BundleSize":5}'.encode("utf-16-le") in second
    assert second.endswith(b"\1G\1x\4\0\0\0{\0}\0")


def test_types_without_a_name_are_written_empty() -> None:
    content = Content(NEWEST, [Entry(["a"], "a", "p", None), Entry(["b"], "b", "p", TypeName("G", ""))])
    content.entries.append(Entry(["c"], "c", "p", TypeName(None, "N")))
    fields, _ = written(content)
    core = "mscorlib, Version=4.0.0.0, Culture=neutral, PublicKeyToken=b77a5c561934e089"
    assert fields["m_resourceTypes"] == [
        {"m_AssemblyName": "", "m_ClassName": ""}, {"m_AssemblyName": "G", "m_ClassName": ""},
        {"m_AssemblyName": core, "m_ClassName": "N"},
    ]  # fmt: skip
    assert [row[6] for row in rows(fields)] == [0, 1, 2]


def test_a_field_that_differs_from_a_known_one_only_in_its_first_letter_is_kept() -> None:
    """The value of m_locatorId became the empty one of m_LocatorId, and m_keys was null."""
    old = JSON_FLAVOURS["0.1"]
    content = Content(old, [Entry(["a"], "a/b", "p")])
    content.other_fields = {"m_locatorId": "x", "m_keys": ["q"]}
    fields, losses = written(content, old._replace(fields=("m_locatorId", "m_keys", *old.fields)))
    assert (fields["m_locatorId"], fields["m_keys"], fields["m_providerIds"], losses) == ("x", ["q"], ["p"], [])


def test_half_a_surrogate_pair_is_an_escape() -> None:
    content = Content(NEWEST, [Entry(["k\udc00"], "a/\ud800\U0001f600", "p")])
    fields, losses = written(content)
    assert (fields["m_InternalIds"], losses) == (["a/\ud800\U0001f600"], [])
    read = JsonCatalog(encode_json(content, NEWEST)[0])
    assert (read.keys, read.internal_id(0)) == (["k\udc00"], "a/\ud800\U0001f600")
