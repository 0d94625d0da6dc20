"""Lists of a small catalog, counted by hand."""

from __future__ import annotations

import pytest

from assetdb_formats.addressables.editing.content import Content, Entry
from assetdb_formats.addressables.flavour import BINARY_FLAVOURS, JSON_FLAVOURS
from assetdb_formats.addressables.model import BundleOptions, ProviderData, TypeName
from assetdb_formats.addressables.queries.listing import (
    DuplicateAsset,
    InitialProvider,
    ListedKey,
    ListedLabel,
    ListedLocation,
    ListedProvider,
    ListedType,
    list_bundles,
    list_duplicates,
    list_initialization,
    list_keys,
    list_labels,
    list_locations,
    list_providers,
    list_types,
)
from assetdb_formats.addressables.queries.query import (
    assets_in_several_bundles,
    keys_by_location,
    labels_of,
    locations_named,
    needs_of,
    search,
    similar_classes,
    similar_keys,
    users_of,
)
from assetdb_formats.addressables.reading import read_catalog
from tests.assetdb_formats.addressables.builder import write

TEXTURE, SPRITE = TypeName("Core, Version=1", "U.Texture2D"), TypeName("Core, Version=1", "U.Sprite")
GUID = "0123456789abcdef" * 2


def content() -> Content:
    options = BundleOptions("0f" * 16, bundle_name="first", size=5, redirect_limit=1)
    made = Content(JSON_FLAVOURS["1.28"], [
        Entry(["one.bundle"], "p/one", "x.Bundles", TypeName("A, B", "x.Bundle"), data=options),
        Entry(["two.bundle"], "p/two", "x.Bundles", TypeName("A, B", "x.Bundle"),
              data=options._replace(bundle_name="second", size=6)),
        Entry(["a", GUID, "label", "lone"], "Assets/a", "x.Assets", TEXTURE, ["one.bundle", "two.bundle"]),
        Entry(["a", GUID, "label", "lone"], "Assets/a", "x.Assets", SPRITE, ["one.bundle", "two.bundle"]),
        Entry(["b", "label"], "Assets/b", "x.Assets", TEXTURE, ["two.bundle"]),
        Entry(["again"], "Assets/b", "x.Assets", TEXTURE, ["one.bundle"]),
        Entry(["plain"], "plain", "x.Other", TEXTURE),
    ])  # fmt: skip
    made.instance_provider = ProviderData("i", TEXTURE, None)
    made.resource_providers = (ProviderData("r", SPRITE, None), ProviderData("s", None, "d"))
    return made


CATALOG = read_catalog(write(content(), JSON_FLAVOURS["1.28"]))
OLD = read_catalog(write(content(), JSON_FLAVOURS["0.6"]))


def test_a_bundle_has_the_assets_that_need_it_first() -> None:
    listed = list_bundles(CATALOG)
    assert [(one.number, one.primary_key, one.internal_id, one.options.size, one.assets) for one in listed] == [
        (0, "one.bundle", "p/one", 5, 3), (1, "two.bundle", "p/two", 6, 1)
    ]  # fmt: skip
    chained = content()
    chained.entries[0].dependencies = ["two.bundle"]
    catalog = read_catalog(write(chained, JSON_FLAVOURS["1.28"]))
    assert [one.assets for one in list_bundles(catalog)] == [3, 1]  # a bundle is no asset of another
    assert users_of(catalog, [1], direct=True) == [0, 2, 3, 4]


def test_keys_and_labels_come_in_the_order_of_the_table() -> None:
    assert list(list_keys(CATALOG))[:4] == [
        ListedKey("one.bundle", "AsciiString", 1), ListedKey("two.bundle", "AsciiString", 1),
        ListedKey("a", "AsciiString", 2), ListedKey(GUID, "AsciiString", 2),
    ]  # fmt: skip
    assert len(list(list_keys(CATALOG))) == 10
    assert list_labels(CATALOG) == [ListedLabel("label", 2), ListedLabel("lone", 1)]
    assert labels_of(CATALOG) == {4: 2, 5: 1}


def test_locations_have_the_bare_name_of_their_class_or_else_of_their_provider() -> None:
    listed = list(list_locations(CATALOG))
    assert [one.number for one in listed] == list(range(7))
    assert listed[2:4] == [
        ListedLocation(2, "Texture2D", "a", "Assets/a"), ListedLocation(3, "Sprite", "a", "Assets/a")
    ]  # fmt: skip
    assert list(list_locations(CATALOG, [3])) == listed[3:4]
    assert list(list_locations(CATALOG, [])) == []
    assert list(list_locations(OLD, [6])) == [ListedLocation(6, "Other", None, "plain")]


def test_types_and_providers_are_sorted_by_their_number_and_then_by_name() -> None:
    assert [(str(one.type), one.locations) for one in list_types(CATALOG)] == [
        ("U.Texture2D", 4), ("x.Bundle", 2), ("U.Sprite", 1)
    ]  # fmt: skip
    assert list_types(OLD) == [ListedType(TypeName(None, ""), 7)]
    assert list_providers(CATALOG) == [
        ListedProvider("x.Assets", 4), ListedProvider("x.Bundles", 2), ListedProvider("x.Other", 1)
    ]  # fmt: skip
    twins = Content(JSON_FLAVOURS["1.28"], [
        Entry(["b"], "b", "q", TypeName("B, 1", "T")), Entry(["a"], "a", "p", TypeName("A, 1", "T")),
        Entry(["c"], "c", "r", TypeName(None, "T")),
    ])  # fmt: skip
    binary = read_catalog(write(twins, BINARY_FLAVOURS["4.0"]))
    assert [one.type.assembly for one in list_types(binary)] == [None, "A", "B"]
    assert [one.provider for one in list_providers(binary)] == ["p", "q", "r"]


def test_what_a_game_makes_when_it_starts() -> None:
    full = TypeName("Core, Version=1", "U.Sprite")
    assert [one.role for one in list_initialization(CATALOG)] == ["instance", "scene", "resource", "resource"]
    binary = read_catalog(write(content(), BINARY_FLAVOURS["2.9"]))
    assert list_initialization(binary) == [
        InitialProvider("instance", ProviderData("i", TEXTURE, None)),
        InitialProvider("resource", ProviderData("r", full, None)),
        InitialProvider("resource", ProviderData("s", None, "d")),
    ]


def test_an_asset_is_a_duplicate_if_one_type_of_it_is_in_two_bundles() -> None:
    assert list_duplicates(CATALOG) == [DuplicateAsset("Assets/b", (4, 5))]
    assert assets_in_several_bundles(CATALOG) == {"Assets/b": [4, 5]}
    same = content()
    same.entries[5].dependencies = ["two.bundle"]
    assert list_duplicates(read_catalog(write(same, JSON_FLAVOURS["1.28"]))) == []


def test_locations_are_named_by_key_or_else_by_bundle_name_or_internal_id() -> None:
    assert locations_named(CATALOG, "label") == [2, 3, 4]
    assert locations_named(CATALOG, "Assets/b") == [4, 5]
    assert locations_named(CATALOG, "second") == [1]
    assert locations_named(CATALOG, "nothing") == []


def test_what_locations_need_is_asked_for_directly_or_to_the_end() -> None:
    chained = content()
    chained.entries[1].dependencies = ["one.bundle"]
    catalog = read_catalog(write(chained, JSON_FLAVOURS["1.28"]))
    needs = needs_of(catalog, [4], direct=True)
    assert (needs.locations, list(needs.bundles), needs.size) == ((1,), [1], 6)
    needs = needs_of(catalog, [4])
    assert (needs.locations, list(needs.bundles), needs.size) == ((1, 0), [1, 0], 11)
    needs = needs_of(catalog, [1, 4])
    assert (needs.locations, list(needs.bundles), needs.size) == ((0,), [1, 0], 11)
    assert needs_of(catalog, [1, 4], direct=True).locations == (0, 1)
    assert users_of(catalog, [0], direct=True) == [1, 2, 3, 5]
    assert users_of(catalog, [0]) == [1, 2, 3, 4, 5]
    assert users_of(catalog, [1, 4]) == [2, 3]
    assert users_of(catalog, [6]) == users_of(catalog, []) == []


def test_keys_of_a_location_are_listed_in_the_order_of_the_table() -> None:
    assert keys_by_location(CATALOG)[:5] == [[0, 9], [1, 9], [2, 3, 4, 5], [2, 3, 4, 5], [4, 6]]


def test_a_search_combines_text_class_and_label() -> None:
    assert search(CATALOG) == list(range(7))
    assert search(CATALOG, text="ASSETS/") == [2, 3, 4, 5]
    assert search(CATALOG, text="AGAIN") == [5]
    assert search(CATALOG, text=".") == [0, 1]  # no regular expression
    assert search(CATALOG, text="^A", regular=True) == [2, 3, 4, 5]
    assert search(CATALOG, label="label") == [2, 3, 4]
    assert search(CATALOG, label="label", text="/a") == [2, 3]
    assert search(CATALOG, classes=["texture2d"]) == search(CATALOG, classes=["u.TEXTURE2D"]) == [2, 4, 5, 6]
    assert search(CATALOG, classes=["Sprite", "x.Bundle"]) == [0, 1, 3]
    assert search(CATALOG, classes=["Texture2D"], label="label", text="s/b") == [4]
    assert search(OLD, classes=["Texture2D"]) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [("BUND", ["one.bundle", "two.bundle"]), ("labol", ["label"]), ("zzzz", []), ("a", ["a", GUID, "label"])],
)
def test_keys_that_contain_the_text_are_suggested_or_else_similar_ones(text: str, found: list[str]) -> None:
    assert similar_keys(CATALOG, text) == found


def test_a_similar_class_is_suggested() -> None:
    assert similar_classes(CATALOG, "U.Texture3D") == ["Texture2D"]
    assert similar_classes(CATALOG, "Zzz") == []
    assert similar_classes(OLD, "Texture2D") == []
