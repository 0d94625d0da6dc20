"""Tagged objects, byte by byte."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from assetdb_formats.addressables.errors import AddressablesError, UnwritableError
from assetdb_formats.addressables.json.tagged import (
    ascii_text,
    bundle_json,
    bundle_options,
    is_bundle_options,
    read_tagged,
    write_tagged,
)
from assetdb_formats.addressables.model import (
    BUNDLE_FIELDS,
    BundleOptions,
    Hash128,
    JsonObject,
    LoadRequestOptions,
    Number,
    TypeName,
)

if TYPE_CHECKING:
    from assetdb_formats.addressables.model import Data

OBJECT = b"\7\1A\3B.C\4\0\0\0{\0}\0"
OPTIONS = TypeName("A", "x.AssetBundleRequestOptions")


def test_every_kind_of_object_has_its_tag_and_its_length() -> None:
    forms: list[tuple[Data, bytes]] = [
        ("ab", b"\0\2\0\0\0ab"),
        ("", b"\0\0\0\0\0"),
        ("é", b"\1\2\0\0\0\xe9\0"),
        (Number(258, "UInt16"), b"\2\2\1"),
        (Number(258, "UInt32"), b"\3\2\1\0\0"),
        (-2, b"\4\xfe\xff\xff\xff"),
        (Hash128("0f"), b"\5\x020f"),
        (TypeName(None, "00ff"), b"\6\2\0\xff"),
        (JsonObject(TypeName("A", "B.C"), "{}"), OBJECT),
    ]
    for value, raw in forms:
        assert write_tagged(value) == raw
        assert read_tagged(raw + b"rest", 0, "f") == (value, len(raw))
        assert read_tagged(b"\x09" * 3 + raw, 3, "f") == (value, 3 + len(raw))
        for cut in range(len(raw)):
            with pytest.raises(AddressablesError) as caught:
                read_tagged(raw[:cut], 0, "f")
            assert caught.value.field.startswith("f"), (value, cut)
    assert write_tagged(JsonObject(TypeName(None, "B.C"), "{}")) == OBJECT.replace(b"\1A", b"\0")


def test_an_object_is_read_as_ascii_and_whole_letters() -> None:
    found, _ = read_tagged(OBJECT.replace(b"A", b"\xe4"), 0, "f")
    assert found == JsonObject(TypeName("?", "B.C"), "{}")
    found, _ = read_tagged(OBJECT.replace(b"C", b"\x80"), 0, "f")
    assert found == JsonObject(TypeName("A", "B.?"), "{}")
    with pytest.raises(AddressablesError, match="3 bytes") as caught:
        read_tagged(OBJECT.replace(b"\4", b"\3"), 0, "f")
    assert (caught.value.field, caught.value.offset) == ("f.json", 0)
    with pytest.raises(AddressablesError, match="unknown object tag 8") as caught:
        read_tagged(b"..\x08", 2, "f")
    assert (caught.value.field, caught.value.offset) == ("f", 2)
    assert ascii_text(b"a\x7f\x80\xff") == "a\x7f??"


def test_names_of_more_than_255_bytes_are_not_written() -> None:
    for assembly, name in (("a" * 255, "b" * 255), ("a" * 255, ""), ("", "b" * 255)):
        value = JsonObject(TypeName(assembly, name), "")
        assert read_tagged(write_tagged(value), 0, "") == (value, 7 + len(assembly) + len(name))
    for assembly, name in (("a" * 256, "b"), ("a", "b" * 256)):
        with pytest.raises(UnwritableError, match=f"the name of type '{name[:60]}' is over 255 bytes"):
            write_tagged(JsonObject(TypeName(assembly, name), ""))
    unwritable: list[Data] = [None, Number(1, "Int64"), Number(1, "Boolean"), TypeName("A", "B")]
    unwritable.append(LoadRequestOptions(ignore_failures=False, timeout=0))
    for other in unwritable:
        with pytest.raises(UnwritableError, match=f"cannot hold a {type(other).__name__}"):
            write_tagged(other)


def test_options_of_a_bundle_keep_their_fields_and_order() -> None:
    text = '{"m_Crc":7,"m_Hash":"h","unknown":1,"m_BundleName":null,"m_ChunkedTransfer":true}'
    found = bundle_options(JsonObject(OPTIONS, text))
    assert found == BundleOptions(
        "h", 7, chunked_transfer=True, bundle_name=None, type=OPTIONS,
        shape=("m_Crc", "m_Hash", "unknown", "m_BundleName", "m_ChunkedTransfer"),
    )  # fmt: skip
    assert found is not None
    assert bundle_options(found) is found
    again = bundle_json(found)
    assert again == JsonObject(OPTIONS, '{"m_Crc":7,"m_Hash":"h","m_BundleName":"","m_ChunkedTransfer":true}')
    assert write_tagged(found) == write_tagged(again)
    whole = bundle_json(BundleOptions(bundle_name="ü"))
    assert list(json.loads(whole.text)) == list(BUNDLE_FIELDS)
    assert '"m_BundleName":"ü"' in whole.text
    assert whole.type.name == "UnityEngine.ResourceManagement.ResourceProviders.AssetBundleRequestOptions"
    assert bundle_json(BundleOptions(shape=("m_Crc",))).text == '{"m_Crc":0}'


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "1", "[" * 100_000, '{"m_Crc":"1"}', '{"m_Crc":null}', '{"m_Crc":true}', '{"m_ChunkedTransfer":1}',
     '{"m_BundleName":1}', '{"m_Hash":null}'],
)  # fmt: skip
def test_options_that_are_not_what_they_should_be_are_none(text: str) -> None:
    value = JsonObject(OPTIONS, text)
    assert is_bundle_options(value)
    assert bundle_options(value) is None


def test_other_objects_are_no_options() -> None:
    for value in ("text", None, JsonObject(TypeName("A", "x.Other"), "{}")):
        assert not is_bundle_options(value)
        assert bundle_options(value) is None
    assert is_bundle_options(BundleOptions())
