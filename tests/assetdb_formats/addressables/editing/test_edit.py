"""Edits of three entries, each counted and looked at."""

from __future__ import annotations

from typing import Any

import pytest

from assetdb_formats.addressables.editing.content import Content, Entry
from assetdb_formats.addressables.editing.edit import (
    EditResult,
    Edits,
    add_entry,
    apply_edits,
    change_bundles,
    entry_from_plain,
    remove_key,
    rename_key,
    replace_host,
    replace_prefix,
    set_crc,
)
from assetdb_formats.addressables.errors import EditError
from assetdb_formats.addressables.flavour import JSON_FLAVOURS
from assetdb_formats.addressables.json.reader import JsonCatalog
from assetdb_formats.addressables.json.tagged import bundle_json, bundle_options
from assetdb_formats.addressables.json.writer import encode_json
from assetdb_formats.addressables.model import BundleOptions, JsonObject, TypeName
from assetdb_formats.addressables.queries.verify import verify_catalog


def content() -> Content:
    options = BundleOptions("h", crc=5, bundle_name="first")
    return Content(JSON_FLAVOURS["1.28"], [
        Entry(["one", 7], "http://a.b/x/one", "p", data=options),
        Entry(["two", "label"], "https://a.b:80/two", "p", data=bundle_json(options._replace(bundle_name="second"))),
        Entry(["asset", "label"], "http://a.b", "q", TypeName("A", "C"), ["one", "two"]),
    ])  # fmt: skip


def crcs(made: Content) -> list[int | None]:
    return [options and options.crc for options in (bundle_options(entry.data) for entry in made.entries)]


def test_a_crc_is_set_for_all_bundles_or_for_one_by_name_or_key() -> None:
    for key, changed, after in (
        (None, 2, [0, 0, None]), ("first", 1, [0, 5, None]), ("7", 1, [0, 5, None]), ("two", 1, [5, 0, None]),
        ("label", 1, [5, 0, None]), ("none", 0, [5, 5, None]),
    ):  # fmt: skip
        made = content()
        assert (set_crc(made, 0, key=key), crcs(made)) == (changed, after)
        assert isinstance(made.entries[0].data, BundleOptions)
        assert isinstance(made.entries[1].data, JsonObject)
    made = content()
    assert set_crc(made, 5) == 0  # they have it
    assert set_crc(made, (1 << 32) - 1) == 2
    for crc in (-1, 1 << 32):
        with pytest.raises(EditError, match="a CRC is 0 to 4294967295"):
            set_crc(made, crc)
    assert change_bundles(made, lambda entry, options: options._replace(size=len(entry.keys))) == 2


def test_hosts_and_prefixes_of_ids_are_replaced() -> None:
    made = content()
    assert replace_host(made, "a.b", "c:1") == 2
    assert [entry.internal_id for entry in made.entries] == ["http://c:1/x/one", "https://a.b:80/two", "http://c:1"]
    assert replace_host(made, "a.b", "x") == replace_host(made, "c:1", "c:1") == 0
    assert replace_prefix(made, "http:", "file:") == 2
    assert made.entries[0].internal_id == "file://c:1/x/one"
    assert replace_prefix(made, "", "") == replace_prefix(made, "two", "x") == 0
    bare = Content(JSON_FLAVOURS["1.28"], [Entry(["k"], "path", "p")])
    assert replace_host(bare, "", "x") == 0


def test_a_key_is_renamed_wherever_it_is_used() -> None:
    made = content()
    made.key_order, made.key_lists = ["one", "two"], {"label": [made.entries[2]], "x": []}
    assert rename_key(made, "one", "1") == 1
    assert (made.entries[0].keys, made.entries[2].dependencies) == (["1", 7], ["1", "two"])
    assert rename_key(made, "label", "l") == 2
    assert (made.key_order, list(made.key_lists)) == (["1", "two"], ["l", "x"])
    assert rename_key(made, "7", "seven") == 1
    assert made.entries[0].keys == ["1", "seven"]
    assert rename_key(made, "absent", "new") == 0
    with pytest.raises(EditError, match="'two' is a key already"):
        rename_key(made, "1", "two")


def test_a_removed_key_takes_its_entries_and_the_dependencies_on_them_along() -> None:
    made = content()
    assert remove_key(made, "7") == 1
    assert [entry.keys[0] for entry in made.entries] == ["two", "asset"]
    assert made.entries[1].dependencies == ["two"]
    assert remove_key(made, "label") == 2
    assert made.entries == []
    shared = content()
    shared.entries[1].keys.append("one")
    assert remove_key(shared, "7") == 1
    assert shared.entries[1].dependencies == ["one", "two"]  # another entry still has that key
    assert remove_key(shared, "absent") == 0


def test_an_entry_is_added_with_a_key_and_with_dependencies_that_are_there() -> None:
    made = content()
    add_entry(made, Entry(["new"], "n", "p", None, ["two", 7]))
    assert made.entries[-1].keys == ["new"]
    with pytest.raises(EditError, match="an entry needs a key"):
        add_entry(made, Entry([], "n", "p"))
    with pytest.raises(EditError, match="the dependency '8' is not a key of the catalog"):
        add_entry(made, Entry(["other"], "n", "p", None, ["two", 8]))
    assert len(made.entries) == 4


def test_a_value_for_which_the_bundles_of_a_catalog_have_no_field_is_refused() -> None:
    """It was left out of the written catalog without a word: packages before 1.17 have eight fields."""
    old = Content(JSON_FLAVOURS["1.1"], [])
    for field, value in (("use_web_request_for_local", True), ("use_crc_for_cached", False)):
        options = BundleOptions("h", use_crc_for_cached=True)._replace(**{field: value})
        entry = Entry(["new"], "n", "p", data=options)
        with pytest.raises(EditError, match=rf"^bundle\.{field}: the bundles of this catalog have no m_U"):
            add_entry(old, entry)
        add_entry(Content(JSON_FLAVOURS["1.28"], []), entry)
    add_entry(old, Entry(["new"], "n", "p", data=BundleOptions("h", crc=7, timeout=3, use_crc_for_cached=True)))
    assert len(old.entries) == 1


@pytest.mark.parametrize(
    "dependencies", [["one", "one"], [7, "two"], ["label"], ["label", "one"], ["two", "label", "two"]]
)
def test_an_added_entry_needs_all_that_its_dependencies_name_once(dependencies: list[str | int]) -> None:
    made = content()
    add_entry(made, Entry(["new"], "n", "p", None, dependencies))
    catalog = JsonCatalog(encode_json(made, JSON_FLAVOURS["1.28"])[0])
    (number,) = catalog.locate("new")
    meant = {entry.internal_id for key in dependencies for entry in made.entries if key in entry.keys}
    found = [catalog.internal_id(needed) for needed in catalog.dependencies(number)]
    assert (set(found), len(found)) == (meant, len(meant))
    assert all(check.passed for check in verify_catalog(catalog))


def test_a_crc_is_set_where_a_bundle_had_no_field_for_it() -> None:
    made = content()
    made.entries[0].data = JsonObject(TypeName("A", "AssetBundleRequestOptions"), '{"m_Hash":"h"}')
    assert set_crc(made, 9, key="one") == 1
    assert crcs(made) == [9, 5, None]
    assert set_crc(made, 9, key="one") == 0


def test_edits_are_made_in_their_order_and_counted() -> None:
    made = content()
    edits = Edits(
        1, "first", (("http:", "ftp:"),), (("a.b", "c"),), (("two", "2"),), ("asset",), (Entry(["n"], "n", "p"),)
    )
    assert apply_edits(made, edits) == [
        EditResult("CRC 1", 1), EditResult("prefix http:", 2), EditResult("host a.b", 2), EditResult("key two", 1),
        EditResult("key asset", 1), EditResult("entry", 1),
    ]  # fmt: skip
    assert apply_edits(made, Edits()) == []
    assert apply_edits(made, Edits(crc=0)) == [EditResult("CRC 0", 2)]


ENTRY: dict[str, Any] = {"keys": ["k"], "internal_id": "i", "provider": "p"}


def test_an_entry_of_plain_fields_has_what_was_given() -> None:
    made = entry_from_plain(ENTRY)
    assert (made.keys, made.internal_id, made.provider, made.type, made.dependencies, made.data) == (
        ["k"], "i", "p", None, [], None
    )  # fmt: skip
    bundle = {"hash": "0f" * 16, "size": 5}
    made = entry_from_plain(ENTRY | {"type": "T", "assembly": "A", "dependencies": ["d"], "bundle": bundle})
    assert (made.type, made.dependencies) == (TypeName("A", "T"), ["d"])
    assert made.data == BundleOptions("0f" * 16, size=5, use_crc_for_cached=True)
    assert entry_from_plain(ENTRY | {"type": "T", "bundle": {}}).type == TypeName("Assembly-CSharp", "T")
    assert entry_from_plain(ENTRY | {"bundle": {}}).data == BundleOptions("0" * 32, use_crc_for_cached=True)
    assert entry_from_plain(ENTRY | {"type": None, "bundle": None}).data is None
    assert entry_from_plain(ENTRY | {"keys": ["k", "l", "k"]}).keys == ["k", "l"]


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ([], "is not a JSON object"),
        (ENTRY | {"z": 1, "a": 2}, "there is no field 'a'"),
        (ENTRY | {"keys": None}, "keys is a list of text"),
        (ENTRY | {"keys": "k"}, "keys is a list of text"),
        (ENTRY | {"keys": ["k", 1]}, "keys is a list of text"),
        (ENTRY | {"dependencies": [1]}, "dependencies is a list of text"),
        (ENTRY | {"dependencies": None}, "dependencies is a list of text"),
        ({"keys": ["k"], "provider": "p"}, "internal_id is text and must be there"),
        (ENTRY | {"provider": 1}, "provider is text and must be there"),
        (ENTRY | {"type": 1}, "type and assembly are text"),
        (ENTRY | {"type": "T", "assembly": None}, "type and assembly are text"),
        (ENTRY | {"bundle": 1}, "bundle is an object with asset_load_mode, bundle_name"),
        (ENTRY | {"bundle": {"shape": []}}, "bundle is an object with asset_load_mode, bundle_name"),
        (ENTRY | {"bundle": {"crc": True}}, "bundle.crc is not int"),
        (ENTRY | {"bundle": {"bundle_name": None}}, "bundle.bundle_name is not str"),
        (ENTRY | {"bundle": {"crc": 1 << 32}}, "bundle.crc is 0 to 4294967295"),
        (ENTRY | {"bundle": {"crc": -1}}, "bundle.crc is 0 to 4294967295"),
        (ENTRY | {"bundle": {"size": -1}}, "bundle.size is 0 to"),
        (ENTRY | {"bundle": {"asset_load_mode": 2}}, "bundle.asset_load_mode is 0 to 1"),
        (ENTRY | {"bundle": {"redirect_limit": -2}}, "bundle.redirect_limit is -1 to 2147483647"),
        (ENTRY | {"bundle": {"timeout": 1 << 31}}, "bundle.timeout is 0 to 2147483647"),
        (ENTRY | {"bundle": {"hash": "0f"}}, "bundle.hash is 32 hexadecimal digits, or empty"),
        (ENTRY | {"bundle": {"hash": "0g" * 16}}, "bundle.hash is 32 hexadecimal digits, or empty"),
    ],
)
def test_plain_fields_that_describe_no_entry_are_refused_by_name(fields: object, what: str) -> None:
    with pytest.raises(EditError, match=what):
        entry_from_plain(fields)
