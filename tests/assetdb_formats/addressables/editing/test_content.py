"""What a catalog is taken apart into: keys in their order, primary keys, sets of dependencies."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from assetdb_formats.addressables.editing.content import (
    Content,
    Entry,
    check_pairs,
    content_of,
    dependency_sets,
    first_keys,
    json_era,
)
from assetdb_formats.addressables.errors import AddressablesError
from assetdb_formats.addressables.flavour import BINARY_FLAVOURS, JSON_FLAVOURS
from assetdb_formats.addressables.model import ProviderData
from assetdb_formats.addressables.reading import read_catalog
from tests.assetdb_formats.addressables.builder import write

if TYPE_CHECKING:
    from assetdb_formats.addressables.flavour import Flavour
    from assetdb_formats.addressables.json.reader import JsonCatalog

JSON = JSON_FLAVOURS["1.28"]


def entries() -> list[Entry]:
    return [
        Entry(["a", "label"], "A", "p"), Entry(["b", "label"], "B", "p"), Entry(["c"], "C", "p", None, ["a", "b"]),
        Entry(["d"], "D", "p", None, ["b"]),
    ]  # fmt: skip


def json_of(made: Content) -> JsonCatalog:
    return cast("JsonCatalog", read_catalog(write(made, made.flavour)))


def test_keys_are_in_the_order_of_first_use_or_in_the_one_that_was_kept() -> None:
    made = Content(JSON, entries())
    assert made.key_table() == {"a": [0], "label": [0, 1], "b": [1], "c": [2], "d": [3]}
    made.key_order = ["d", "gone", "label"]
    assert list(made.key_table()) == ["d", "gone", "label", "a", "b", "c"]
    assert made.key_table()["gone"] == []
    made.keep_order("a", [0])
    made.keep_order("label", [0, 1])
    assert made.key_lists == {}
    made.keep_order("label", [1, 0])
    assert made.key_table()["label"] == [1, 0]
    made.entries.append(Entry(["e", "label"], "E", "p"))  # the list that was kept has not all of them
    assert made.key_table()["label"] == [0, 1, 4]
    entry = Entry([], "x", "p")
    entry.add_key("one")
    entry.add_key(2)
    assert entry.keys == ["one", 2]


@pytest.mark.parametrize("flavour", [*JSON_FLAVOURS.values(), *BINARY_FLAVOURS.values()], ids=lambda one: one.name)
def test_entries_come_back_with_their_keys_and_what_they_need(flavour: Flavour) -> None:
    found = content_of(read_catalog(write(Content(flavour, entries()), flavour)))
    assert [(one.keys, one.internal_id, tuple(one.dependencies)) for one in found.entries] == [
        (one.keys, one.internal_id, tuple(one.dependencies)) for one in entries()
    ]
    assert (found.losses, found.key_order, found.key_lists) == ([], [], {})


@pytest.mark.parametrize("flavour", BINARY_FLAVOURS.values(), ids=lambda one: one.name)
def test_equal_entries_that_share_a_location_each_have_its_keys(flavour: Flavour) -> None:
    twins = [Entry(["a", "label"], "A", "p"), Entry(["b", "label"], "B", "p"), Entry(["a", "label"], "A", "p")]
    found = content_of(read_catalog(write(Content(flavour, twins), flavour)))
    assert [(sorted(one.keys), one.internal_id) for one in found.entries] == [
        *((["a", "label"], "A"), (["b", "label"], "B"), (["a", "label"], "A")),
    ]


def test_the_data_of_providers_is_null_where_json_has_empty_text() -> None:
    made = Content(JSON, entries())
    made.instance_provider, made.scene_provider = ProviderData("i", None, "d"), ProviderData("s", None, "")
    found = content_of(json_of(made))
    assert found.instance_provider is not None
    assert found.scene_provider is not None
    assert (found.instance_provider.data, found.scene_provider.data) == ("d", None)


def test_keys_may_name_locations_as_often_as_the_file_has_bytes_and_65536_times_more() -> None:
    catalog = json_of(Content(JSON, entries()))
    most = (1 << 16) + len(catalog.data)
    check_pairs(catalog, most)
    with pytest.raises(AddressablesError, match=f"name locations {most + 1} times, far more than it has bytes"):
        check_pairs(catalog, most + 1)


def test_sets_of_dependencies_are_told_from_keys_that_look_so() -> None:
    for seed in (0, 17):
        catalog = json_of(Content(JSON._replace(seed=seed), entries()))
        assert dependency_sets(catalog) == ({5}, [], seed)
    wrong = json_of(Content(JSON._replace(seed=3), entries()))
    assert dependency_sets(wrong) == (set(), [5], 0)
    assert dependency_sets(json_of(Content(JSON, [Entry(["12", 5], "A", "p")]))) == (set(), [], 0)
    old = json_of(Content(JSON_FLAVOURS["0.7"], entries()))
    assert dependency_sets(old) == ({5}, [], 0)
    content = content_of(wrong)
    assert tuple(content.entries[2].dependencies) == (wrong.keys[5],)  # kept as the key that it is


def test_first_keys_are_those_that_no_earlier_entry_has() -> None:
    made = [
        Entry(["a", "guid a", "label"], "A", "p"), Entry(["b", "label"], "B", "p"),
        Entry(["a", "guid c", "label"], "C", "p"), Entry([7, "label"], "D", "p"),
    ]  # fmt: skip
    catalog = json_of(Content(JSON_FLAVOURS["0.7"], made))
    assert first_keys(catalog, set()) == {0: "a", 1: "b", 2: "guid c", 3: 7}
    assert first_keys(catalog, {0})[0] == "guid a"


def test_the_era_of_a_json_catalog_is_that_of_its_shape() -> None:
    eras = {name: json_era(json_of(Content(flavour, entries()))) for name, flavour in JSON_FLAVOURS.items()}
    later = {"1.21.3": "1.21.1", "1.28": "1.21.1"}
    assert eras == {name: later.get(name, name) for name in JSON_FLAVOURS}


def test_the_seed_of_hashes_is_kept_without_any_set_of_dependencies() -> None:
    for seed in (0, 17):
        flavour = JSON._replace(seed=seed)
        for made in (entries()[:2], [*entries()[:2], entries()[3]]):
            data = write(Content(flavour, made), flavour)
            found = content_of(read_catalog(data))
            assert found.flavour == flavour._replace(name="1.21.1", text_sets=True)
            assert write(found, found.flavour) == data


def test_a_table_in_another_order_is_kept_with_a_loss() -> None:
    made = Content(JSON, [Entry(["a"], "A", "p"), Entry(["b", "c"], "B", "p"), Entry(["c"], "C", "p")])
    made.key_order = ["c", "b", "a"]
    data = write(made, JSON)
    found = content_of(read_catalog(data))
    assert found.key_order == ["c", "b", "a"]
    assert write(found, found.flavour) == data
    assert [str(loss) for loss in found.losses] == [
        "order: the key table is in an order that no package writes; it is kept"
    ]
