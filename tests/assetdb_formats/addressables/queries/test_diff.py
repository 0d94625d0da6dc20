"""Differences of two small catalogs, one change at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assetdb_formats.addressables.editing.content import Content, Entry
from assetdb_formats.addressables.flavour import BINARY_FLAVOURS, JSON_FLAVOURS
from assetdb_formats.addressables.model import BundleOptions, TypeName
from assetdb_formats.addressables.queries.diff import AssetChange, BundleState, CatalogDiff, diff_catalogs
from assetdb_formats.addressables.reading import read_catalog
from tests.assetdb_formats.addressables.builder import write

if TYPE_CHECKING:
    from assetdb_formats.addressables.flavour import Flavour

JSON, BINARY = JSON_FLAVOURS["1.28"], BINARY_FLAVOURS["4.0"]
HASH = "0f" * 16


def entries(**options: Any) -> list[Entry]:  # noqa: ANN401 - fields of several types
    bundle = BundleOptions(HASH, crc=1, size=5, bundle_name="n", redirect_limit=1)._replace(**options)
    return [
        Entry(["file.bundle"], "path/n", "B", TypeName("A, 1", "Bundle"), data=bundle),
        Entry(["a", "label"], "Assets/a", "P", TypeName("A, 1", "Kind"), ["file.bundle"]),
        Entry(["b", "label"], "Assets/b", "P", TypeName("A, 1", "Kind")),
    ]


def diff(before: list[Entry], after: list[Entry], one: Flavour = JSON, other: Flavour = JSON) -> CatalogDiff:
    contents = Content(one, before), Content(other, after)
    contents[1].build_result_hash = "00"
    return diff_catalogs(*(read_catalog(write(made, made.flavour)) for made in contents))


def test_equal_catalogs_do_not_differ_and_hashes_of_builds_are_shown() -> None:
    for one, other in ((JSON, JSON), (JSON, BINARY), (BINARY, BINARY)):
        found = diff(entries(), entries(), one, other)
        assert found.is_empty
        assert (found.build_hash[1], found.download) == ("00", 0)


def test_a_bundle_is_downloaded_if_its_hash_or_size_is_another() -> None:
    before = BundleState("path/n", HASH, 5, 1)
    for options, fields, download in (
        ({"hash": "ff" * 16}, ("hash",), 5), ({"size": 7}, ("size",), 7), ({"crc": 2}, ("crc",), 0),
        ({"size": 7, "crc": 2}, ("size", "crc"), 7),
    ):  # fmt: skip
        found = diff(entries(), entries(**options))
        (change,) = found.bundles
        assert (change.name, change.before, change.changed_fields) == ("n", before, fields)
        assert (change.download, found.download, found.is_empty) == (download, download, False)
        assert (found.keys_added, found.keys_removed, found.assets_changed) == ((), (), ())
    moved = entries()
    moved[0].internal_id = "elsewhere/n"
    (change,) = diff(entries(), moved).bundles
    assert (change.changed_fields, change.download) == (("internal_id",), 0)
    (added,) = diff(entries()[1:] and [Entry(["x"], "x", "p")], [*entries()[:1], Entry(["x"], "x", "p")]).bundles
    assert (added.before, added.changed_fields, added.download) == (None, (), 5)
    (removed,) = diff([*entries()[:1], Entry(["x"], "x", "p")], [Entry(["x"], "x", "p")]).bundles
    assert (removed.after, removed.changed_fields, removed.download) == (None, (), 0)


def test_sizes_are_compared_whole_between_json_catalogs_and_by_half_with_a_binary_one() -> None:
    large = entries(size=5 + (1 << 32))
    assert diff(entries(), large).bundles[0].download == 5 + (1 << 32)
    assert diff(entries(), large, BINARY, JSON).is_empty
    assert diff(large, entries(), JSON, BINARY).is_empty


def test_assets_change_by_what_they_load() -> None:
    changes: dict[str, dict[str, Any]] = {
        "internal id": {"internal_id": "x"}, "provider": {"provider": "Q"}, "type": {"type": TypeName("A, 1", "Other")},
        "bundle": {"dependencies": ["file.bundle"]},
    }  # fmt: skip
    for name, change in changes.items():
        after = entries()
        for field, value in change.items():
            setattr(after[2], field, value)
        assert diff(entries(), after).assets_changed == (AssetChange("b", (name,)),)
    fewer = entries()
    fewer[2].keys.remove("label")
    assert diff(entries(), fewer).assets_changed == (AssetChange("label", ("members",)),)
    renamed = entries()
    renamed[2].keys[0] = "c"
    found = diff(entries(), renamed)
    assert (found.keys_added, found.keys_removed) == (("c",), ("b",))
    assert found.assets_changed == (AssetChange("label", ("members",)),)


def test_the_file_name_of_a_bundle_is_no_key_and_types_are_not_compared_with_an_old_catalog() -> None:
    renamed = entries()
    renamed[0].keys, renamed[1].dependencies = ["other.bundle"], ["other.bundle"]
    assert diff(entries(), renamed).is_empty
    retyped = entries()
    retyped[2].type = TypeName("A, 1", "Other")
    assert diff(entries(), retyped, JSON_FLAVOURS["0.7"], JSON).is_empty
    twins = [*entries(), Entry(["more.bundle"], "path/m", "B", None, data=entries()[0].data)]
    (added,) = diff(entries(), twins).bundles  # of the same name: then the internal id is the name
    assert added.name == "path/m"
