from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from assetdb_formats.addressables.binary.reader import BinaryCatalog
from assetdb_formats.addressables.binary.writer import encode_binary
from assetdb_formats.addressables.editing.content import content_of
from assetdb_formats.addressables.errors import AddressablesError
from assetdb_formats.addressables.flavour import BINARY_FLAVOURS, JSON_FLAVOURS, BinaryFlavour, JsonFlavour
from assetdb_formats.addressables.json.reader import JsonCatalog
from assetdb_formats.addressables.json.tagged import read_tagged, write_tagged
from assetdb_formats.addressables.json.writer import encode_json
from assetdb_formats.addressables.lazy import LazyLocations
from assetdb_formats.addressables.model import (
    BundleOptions,
    DirectoryAsset,
    Hash128,
    JsonObject,
    LoadRequestOptions,
    Number,
    Opaque,
    TypeName,
)
from assetdb_formats.addressables.queries.provenance import provenance_of
from assetdb_formats.addressables.queries.verify import verify_catalog
from assetdb_formats.addressables.reading import read_catalog

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb_formats.addressables.editing.content import Content, Entry
    from assetdb_formats.addressables.flavour import Flavour

    Encode = Callable[[Content, Flavour], bytes]


def test_every_flavour_reads_back_as_it_was(content: Content, flavour: Flavour, encode: Encode) -> None:
    data = encode(content, flavour)
    catalog = read_catalog(data)
    assert catalog.problems == []
    wide = isinstance(flavour, JsonFlavour) or flavour.unicode_from == 128
    found = list(catalog.locations())
    # Writers before 1.28 join short parts to the next one and keep that one's encoding alone.
    old = "??/Held ?" if isinstance(flavour, BinaryFlavour) and not flavour.reversed_chains else "영웅/Held ?"
    assert [location.internal_id for location in found] == [
        entry.internal_id if wide else entry.internal_id.replace("영웅/Held ü", old) for entry in content.entries
    ]
    hero = catalog.locate("Prefabs/Hero.prefab")
    assert len(hero) == 1
    assert [catalog.internal_id(index) for index in catalog.dependencies(hero[0])] == [
        content.entries[2].internal_id,
        content.entries[0].internal_id,
    ]
    assert [options.size for options in catalog.bundles().values()] == [1000, 2000, 3000, 4000]
    if isinstance(flavour, JsonFlavour) and flavour.width < 7:
        assert catalog.primary_key(0) is None
        assert catalog.type(0) is None
    else:
        assert len(catalog.locate("icons")) == 4
        assert catalog.primary_key(hero[0]) == "Prefabs/Hero.prefab"
        assert str(catalog.type(hero[0])) == "UnityEngine.GameObject"
    found_wrong = {problem.code for check in verify_catalog(catalog) for problem in check.problems}
    assert found_wrong == ({"primary-key"} if old.startswith("??") else set())


def test_locations_in_one_go_are_those_one_by_one(content: Content, flavour: Flavour, encode: Encode) -> None:
    catalog = read_catalog(encode(content, flavour))
    assert list(catalog.locations()) == [catalog.location(index) for index in range(catalog.location_count)]


def test_writing_again_gives_the_same_bytes(content: Content, flavour: Flavour, encode: Encode) -> None:
    data = encode(content, flavour)
    again = content_of(read_catalog(data))
    assert again.losses == []
    assert encode(again, again.flavour) == data


def test_the_written_flavour_is_recognised(content: Content, flavour: Flavour, encode: Encode) -> None:
    origin = provenance_of(read_catalog(encode(content, flavour)))
    assert origin.contradiction is None
    assert origin.evidence
    if not isinstance(flavour, JsonFlavour):
        assert origin.first in (flavour.name, f"{flavour.name}.0")


def test_json_and_binary_convert_into_each_other(content: Content, encode: Encode) -> None:
    original = encode(content, JSON_FLAVOURS["1.28"])
    there = encode(content_of(read_catalog(original)), BINARY_FLAVOURS["4.0"])
    back = content_of(read_catalog(there))
    assert encode(back, content_of(read_catalog(original)).flavour) == original


def test_what_binary_cannot_hold_is_said(content: Content, bundle_entry: Callable[..., Entry]) -> None:
    content.entries.append(bundle_entry(9, size=1 << 32))
    options = content.entries[0].data
    assert isinstance(options, BundleOptions)
    content.entries[0].data = options._replace(redirect_limit=-1, timeout=1 << 20)
    content.entries.append(content.entries[-2])
    data, losses = encode_binary(content, BINARY_FLAVOURS["1.21.3"])
    assert {loss.code for loss in losses} == {"size", "redirect", "range", "merged", "field", "letters"}
    first = BinaryCatalog(data).bundle(0)
    assert first is not None
    assert (first.redirect_limit, first.timeout) == (32, 32767)


def test_latin_1_letters_are_lost_before_2_9(content: Content) -> None:
    content.entries[-1].internal_id = "Größe"
    old, losses = encode_binary(content, BINARY_FLAVOURS["2.0.8"])
    assert "letters" in {loss.code for loss in losses}
    assert "Gr??e" in {location.internal_id for location in BinaryCatalog(old).locations()}
    assert any("question mark" in text for text in provenance_of(BinaryCatalog(old)).lost)
    new, losses = encode_binary(content, BINARY_FLAVOURS["2.9"])
    assert "letters" not in {loss.code for loss in losses}
    assert "Größe" in {location.internal_id for location in BinaryCatalog(new).locations()}


def test_dependencies_in_a_circle_are_no_binary_catalog(content: Content) -> None:
    content.entries[0].dependencies = [content.entries[1].keys[0]]
    content.entries[1].dependencies = [content.entries[0].keys[0]]
    with pytest.raises(ValueError, match="depends on itself"):
        encode_binary(content, BINARY_FLAVOURS["4.0"])
    data, _ = encode_json(content, JSON_FLAVOURS["1.28"])
    assert JsonCatalog(data).dependencies(0) == (1,)


def test_a_prefix_is_expanded_at_the_last_hash_or_as_it_was_meant(content: Content, encode: Encode) -> None:
    content.entries[-1].internal_id = "Assets/Art/a#b.png"
    data = encode(content, JSON_FLAVOURS["1.16.8"]._replace(compact=True))
    assert "#/a#b.png" in data.decode()
    unity = JsonCatalog(data)
    assert unity.prefixes is not None
    number = unity.prefixes.index("Assets/Art")
    assert unity.internal_id(unity.location_count - 1) == f"{number}#/a#b.png"
    meant = JsonCatalog(data, intended_prefixes=True)
    assert meant.internal_id(meant.location_count - 1) == "Assets/Art/a#b.png"
    assert unity.internal_id(0) == content.entries[0].internal_id
    assert encode(content_of(unity), content_of(unity).flavour) == data


@pytest.mark.parametrize(
    ("stored", "expanded"),
    [("0#/x", "P/x"), (" +0#/x", "P/x"), ("x#/x", "x#/x"), ("#/x", "#/x"), ("1a#/x", "1a#/x"), ("99999999999#", None)],
)
def test_a_prefix_is_parsed_as_dotnet_parses_a_number(content: Content, stored: str, expanded: str | None) -> None:
    fields = json.loads(encode_json(content, JSON_FLAVOURS["1.16.8"])[0])
    fields["m_InternalIdPrefixes"] = ["P"]
    catalog = JsonCatalog(json.dumps(fields).encode())
    assert catalog.expand(stored) == (stored if expanded is None else expanded)


def test_a_prefix_that_is_not_there_is_an_error(content: Content) -> None:
    fields = json.loads(encode_json(content, JSON_FLAVOURS["1.16.8"])[0])
    fields["m_InternalIdPrefixes"] = ["P"]
    catalog = JsonCatalog(json.dumps(fields).encode())
    with pytest.raises(AddressablesError, match="names prefix 7 of 1"):
        catalog.expand("7#/x")


@pytest.mark.parametrize(
    "value",
    [
        "plain", "영웅", "\ud800", "", 0, -1, 2147483647, Number(65535, "UInt16"), Number(4294967295, "UInt32"),
        Hash128("0" * 31 + "1"), TypeName(None, "00" * 16), JsonObject(TypeName("A", "B.C"), '{"a":"ä"}'),
    ],
)  # fmt: skip
def test_every_object_tag_reads_back(value: object) -> None:
    raw = write_tagged(value)  # type: ignore[arg-type]
    assert read_tagged(b"x" + raw, 1, "field") == (value, 1 + len(raw))


def test_a_letter_that_is_not_ascii_reads_as_unity_reads_it() -> None:
    assert read_tagged(b"\0\2\0\0\0a\xe9", 0, "field") == ("a?", 7)


@pytest.mark.parametrize(
    "raw", [b"", b"\0", b"\x09abc", b"\0\xff\xff\xff\x7f", b"\0\xff\xff\xff\xff", b"\1\3\0\0\0abc"]
)
def test_a_broken_object_is_a_typed_error(raw: bytes) -> None:
    with pytest.raises(AddressablesError) as caught:
        read_tagged(raw, 0, "field")
    assert caught.value.field.startswith("field")
    assert caught.value.offset is not None


def test_objects_that_only_binary_catalogs_hold(content: Content) -> None:
    values = [
        LoadRequestOptions(ignore_failures=True, timeout=-1, cache_path="a/longer/cache/path.hash"),
        DirectoryAsset(1, -1, (3, 4), "Data/Directory/one"),
        Number(1, "Boolean"), Number(-5, "Int64"), Hash128("ab" * 16), 7, "text/with/parts-of-it",
    ]  # fmt: skip
    for entry, value in zip(content.entries, values, strict=False):
        entry.data = value  # type: ignore[assignment]
    data, losses = encode_binary(content, BINARY_FLAVOURS["4.0"])
    assert losses == []
    catalog = BinaryCatalog(data)
    assert [catalog.location_data(index) for index in range(len(values))] == values
    _, losses = encode_json(content_of(catalog), JSON_FLAVOURS["1.28"])
    assert "4 objects are of kinds that only binary catalogs hold" in str(losses[0])


def test_an_unknown_type_is_kept_as_an_opaque_value(content: Content) -> None:
    data, _ = encode_binary(content, BINARY_FLAVOURS["4.0"])
    catalog = BinaryCatalog(data.replace(b"AssetBundleRequestOptions", b"AssetBundleRequestOptionz"))
    value = catalog.location_data(0)
    assert isinstance(value, Opaque)
    assert str(value) == value.type.name
    assert value.type.name.endswith("Optionz")
    assert catalog.bundle(0) is None
    _, losses = encode_binary(content_of(catalog), BINARY_FLAVOURS["4.0"])
    assert losses[0].code == "data"


def test_keys_of_every_kind_stay_apart(content: Content, encode: Encode) -> None:
    content.entries[-1].keys = ["7", 7, Hash128("7" * 32), Number(7, "UInt16")]
    data, _ = encode_json(content, JSON_FLAVOURS["0.6"])
    catalog = JsonCatalog(data)
    assert [catalog.locate(key) for key in content.entries[-1].keys] == [(catalog.location_count - 1,)] * 4
    again = content_of(catalog)
    assert encode(again, again.flavour) == data


def test_version_1_is_told_apart_by_its_strings(content: Content, encode: Encode) -> None:
    old = BinaryCatalog(encode(content, BINARY_FLAVOURS["1.21.20"]))
    new = BinaryCatalog(encode(content, BINARY_FLAVOURS["1.28"]))
    assert (old.version, new.version) == (1, 1)
    assert (old.reversed_chains, new.reversed_chains) == (False, True)
    assert old.instance_provider == new.instance_provider == content.instance_provider


def test_a_damaged_bundle_is_our_error() -> None:
    with pytest.raises(AddressablesError):
        read_catalog(b"UnityFS\0" + bytes(100))


def test_white_space_and_a_byte_order_mark_are_no_obstacle(json_bytes: bytes, encode: Encode) -> None:
    plain = JsonCatalog(json_bytes)
    spread = JsonCatalog(json.dumps(json.loads(json_bytes), indent=2, ensure_ascii=True).encode())
    marked = JsonCatalog(b"\xef\xbb\xbf" + json_bytes)
    assert list(plain.locations()) == list(spread.locations()) == list(marked.locations())
    again = content_of(marked)
    assert encode(again, again.flavour) == b"\xef\xbb\xbf" + json_bytes


def test_locations_that_are_made_when_they_are_asked_for(content: Content, encode: Encode, flavour: Flavour) -> None:
    catalog = read_catalog(encode(content, flavour))
    lazy = LazyLocations(catalog)
    assert len(lazy) == catalog.location_count
    assert [location.facts() for location in lazy] == list(catalog.locations())
    for location, facts in zip(lazy, catalog.locations(), strict=True):
        for name in (*facts._fields[1:], "number"):
            assert getattr(location, name) == getattr(facts, name), name
        assert location.bundle == catalog.bundle(location.number)
    assert lazy[-1] == lazy[len(lazy) - 1] == lazy[-2:][1]
    with pytest.raises(IndexError):
        lazy[len(lazy)]


def test_a_lazy_location_decodes_nothing_that_is_not_asked_for(json_bytes: bytes) -> None:
    fields = json.loads(json_bytes)
    fields["m_ExtraDataString"] = ""
    catalog = read_catalog(json.dumps(fields, separators=(",", ":")).encode())
    lazy = LazyLocations(catalog)
    assert [location.internal_id for location in lazy] == [
        catalog.internal_id(at) for at in range(catalog.location_count)
    ]
    with pytest.raises(AddressablesError):
        [location.data for location in lazy]
