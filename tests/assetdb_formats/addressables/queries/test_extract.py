"""Extracts of a small catalog, to the letter, and their bounds."""

from __future__ import annotations

import pytest

from assetdb_formats.addressables.editing.content import Content, Entry
from assetdb_formats.addressables.errors import AddressablesError
from assetdb_formats.addressables.flavour import BINARY_FLAVOURS, JSON_FLAVOURS
from assetdb_formats.addressables.model import (
    BundleOptions,
    DirectoryAsset,
    Hash128,
    JsonObject,
    LoadRequestOptions,
    Number,
    TypeName,
)
from assetdb_formats.addressables.queries.extract import (
    bounded,
    bounded_plain,
    data_to_plain,
    extract_plain,
    extract_text,
)
from assetdb_formats.addressables.reading import read_catalog
from tests.assetdb_formats.addressables.builder import write

ENTRIES = [
    Entry(["b"], "path/b", "P", TypeName("A, 1", "B.Bundle"), data=BundleOptions("0f" * 16, size=5, redirect_limit=1)),
    Entry(["a", 5], "path/a", "Q", TypeName("A, 1", "B.Asset"), ["b"], "text"),
    Entry(["c"], "path/c", "Q"),
]
JSON = read_catalog(write(Content(JSON_FLAVOURS["1.28"], ENTRIES), JSON_FLAVOURS["1.28"]))
BINARY = read_catalog(write(Content(BINARY_FLAVOURS["2.9"], ENTRIES), BINARY_FLAVOURS["2.9"]))
OLD = read_catalog(write(Content(JSON_FLAVOURS["0.7"], ENTRIES), JSON_FLAVOURS["0.7"]))


def test_the_text_of_unity_is_followed_line_by_line() -> None:
    assert list(extract_text(BINARY)) == [
        "b", "\tResourceType: B.Bundle", "\tProviderId: P", "\tInternalId: path/b",
        "\tData: UnityEngine.ResourceManagement.ResourceProviders.AssetBundleRequestOptions", "\tDependencyHash: 0",
        "a", "\tResourceType: B.Asset", "\tProviderId: Q", "\tInternalId: path/a", "\tData: text",
        "\tDependencyHash: 0", "\tDependencies:", "\t\tb",
        "5 -> a",
        "c", "\tResourceType: ", "\tProviderId: Q", "\tInternalId: path/c", "\tData: ", "\tDependencyHash: 0",
    ]  # fmt: skip


def test_the_text_of_a_catalog_without_primary_keys_has_its_locations() -> None:
    assert [line for line in extract_text(OLD) if "Data" not in line and "Provider" not in line] == [
        "b", "\tResourceType: ", "\tInternalId: path/b", f"\tDependencyHash: {OLD.dependency_hash(0)}",
        "a", "\tResourceType: ", "\tInternalId: path/a", f"\tDependencyHash: {OLD.dependency_hash(1)}",
        "\tDependencies:", "\t\tb",
        "5 -> a",
        "c", "\tResourceType: ", "\tInternalId: path/c", f"\tDependencyHash: {OLD.dependency_hash(2)}",
    ]  # fmt: skip


def test_plain_rows_have_every_fact_of_a_location() -> None:
    first, second, third = extract_plain(BINARY)
    assert first["bundle"]["size"] == 5
    assert {"shape", "type"}.isdisjoint(first["bundle"])
    assert "data" not in first
    assert second == {
        "number": 1, "primary_key": "a", "internal_id": "path/a", "provider": "Q", "type": "B.Asset",
        "assembly": "A, 1", "dependencies": [0], "dependency_key": None, "dependency_hash": 0, "keys": ["a", 5],
        "data": "text",
    }  # fmt: skip
    assert (third["type"], third["assembly"]) == (None, None)
    assert {"bundle", "data"}.isdisjoint(third)
    assert [row["dependency_key"] for row in extract_plain(JSON)] == [None, "b", None]


def test_objects_are_plain_values_with_their_kind() -> None:
    kind = TypeName("A", "B")
    assert data_to_plain(LoadRequestOptions(ignore_failures=True, timeout=5)) == {
        "kind": "LoadRequestOptions", "ignore_failures": True, "timeout": 5, "cache_path": None
    }  # fmt: skip
    assert data_to_plain(DirectoryAsset(1, 2, (3, 4)))["sub_ids"] == [3, 4]  # type: ignore[index]
    assert data_to_plain(JsonObject(kind, "{}")) == {"kind": "JsonObject", "type": ["A", "B"], "text": "{}"}
    assert data_to_plain(Hash128("0f")) == {"hash128": "0f"}
    assert data_to_plain(Number(1, "Int64")) == {"kind": "Int64", "value": 1}
    assert data_to_plain(7) == 7
    assert data_to_plain("x") == "x"


def test_an_extract_has_a_hundred_characters_a_byte_and_a_million_more() -> None:
    most = 100 * len(JSON.data) + (1 << 20)
    lines = ["x" * (most - 5), "x" * 5]
    assert list(bounded(JSON, lines)) == lines
    passed = bounded(JSON, [*lines, "", "x"])
    assert [next(passed) for _ in range(3)] == [*lines, ""]
    with pytest.raises(AddressablesError, match="expand to more than 100 times the file") as caught:
        next(passed)
    assert caught.value.field == "locations"
    rows = [{"a": "x" * most}, {"b": ""}]
    assert list(bounded_plain(JSON, rows)) == rows
    with pytest.raises(AddressablesError):
        list(bounded_plain(JSON, [*rows, {"c": 1}]))
