from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from assetdb_formats.addressables.companions.layout import BuildLayout, LayoutAsset, LayoutBundle
from assetdb_formats.addressables.editing.content import Content, Entry, content_of
from assetdb_formats.addressables.editing.edit import (
    add_entry,
    remove_key,
    rename_key,
    replace_host,
    replace_prefix,
    set_crc,
)
from assetdb_formats.addressables.errors import PatternError
from assetdb_formats.addressables.flavour import BINARY_FLAVOURS, JSON_FLAVOURS
from assetdb_formats.addressables.hashes import content_hash
from assetdb_formats.addressables.json.reader import JsonCatalog
from assetdb_formats.addressables.json.writer import encode_json
from assetdb_formats.addressables.model import BundleOptions
from assetdb_formats.addressables.queries.diff import diff_catalogs
from assetdb_formats.addressables.queries.extract import extract_text, location_to_plain
from assetdb_formats.addressables.queries.query import (
    assets_in_several_bundles,
    closure_of,
    labels_of,
    search,
    users_of,
)
from assetdb_formats.addressables.queries.verify import BundleFile, verify_catalog
from assetdb_formats.addressables.reading import read_catalog

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb_formats.addressables.catalog import Catalog
    from assetdb_formats.addressables.flavour import Flavour

    Encode = Callable[[Content, Flavour], bytes]


@pytest.fixture(params=[JSON_FLAVOURS["1.28"], BINARY_FLAVOURS["4.0"]], ids=["json", "binary"])
def catalog(request: pytest.FixtureRequest, content: Content, encode: Encode) -> Catalog:
    return read_catalog(encode(content, request.param))


def test_the_closure_of_an_asset_and_what_it_downloads(catalog: Catalog) -> None:
    closure = closure_of(catalog, catalog.locate("Prefabs/Hero.prefab"))
    assert closure.size == 3000 + 1000
    assert [options.bundle_name for _, options in closure.bundles] == ["group_3_assets", "group_1_assets"]
    assert closure_of(catalog, catalog.locate("Settings")).size == 0


def test_what_loads_a_bundle(catalog: Catalog) -> None:
    users = users_of(catalog, [0])
    assert {catalog.primary_key(index) for index in users} == {
        "Art/Icons/sword.png", "Art/Icons/shield.png", "Prefabs/Hero.prefab",
    }  # fmt: skip
    assert users_of(catalog, catalog.locate("a")) == []


def test_search_by_text_type_and_label(catalog: Catalog) -> None:
    assert {catalog.primary_key(index) for index in search(catalog, text="ICONS/S")} == {
        "Art/Icons/sword.png", "Art/Icons/shield.png",
    }  # fmt: skip
    assert len(search(catalog, text="icons", classes=("sprite",))) == 2
    assert len(search(catalog, classes=("UnityEngine.Sprite",), label="preload")) == 1
    assert search(catalog, label="absent") == []
    assert len(search(catalog, text=r"sh.*\.png$", regular=True)) == 2
    for invalid in ("(", "(" * 3000, "a{99999999999}", f"a{{{'9' * 5000}}}"):
        with pytest.raises(PatternError):
            search(catalog, text=invalid, regular=True)


def test_labels_of_a_catalog_without_primary_keys_are_no_addresses() -> None:
    made = Content(JSON_FLAVOURS["0.5"], [
        Entry(["a.bundle"], "x/a.bundle", "b"),
        Entry(["Hero", "0f" * 16, "icons"], "Assets/Hero.png", "p", None, ["a.bundle"]),
        Entry(["Axe", "f0" * 16, "icons", "lone"], "Assets/Axe.png", "p", None, ["a.bundle"]),
    ])  # fmt: skip
    old = JsonCatalog(encode_json(made, JSON_FLAVOURS["0.5"])[0])
    assert not old.has_types
    assert {old.keys[at]: count for at, count in labels_of(old).items()} == {"icons": 2, "lone": 1}


def test_labels_are_keys_of_several_assets(catalog: Catalog) -> None:
    assert {catalog.keys[at]: count for at, count in labels_of(catalog).items()} == {"icons": 2, "preload": 2}


def test_an_asset_in_two_bundles_is_found(content: Content, encode: Encode) -> None:
    hero = next(entry for entry in content.entries if entry.keys[0] == "Prefabs/Hero.prefab")
    twin = type(hero)(["Hero again"], hero.internal_id, hero.provider, hero.type, [content.entries[3].keys[0]])
    content.entries.append(twin)
    catalog = read_catalog(encode(content, JSON_FLAVOURS["1.28"]))
    assert list(assets_in_several_bundles(catalog)) == [hero.internal_id]


def test_the_extract_is_laid_out_as_unity_lays_it_out(catalog: Catalog) -> None:
    lines = list(extract_text(catalog))
    at = lines.index("Prefabs/Hero.prefab")
    assert lines[at + 1 : at + 4] == [
        "\tResourceType: UnityEngine.GameObject",
        "\tProviderId: UnityEngine.ResourceManagement.ResourceProviders.BundledAssetProvider",
        "\tInternalId: Assets/Prefabs/Hero.prefab",
    ]
    assert "preload -> Prefabs/Hero.prefab" in lines
    plain = location_to_plain(catalog, catalog.location(0))
    assert plain["bundle"]["size"] == 1000


def test_json_and_binary_of_the_same_do_not_differ(content: Content, encode: Encode) -> None:
    one = read_catalog(encode(content, JSON_FLAVOURS["1.28"]))
    for flavour in BINARY_FLAVOURS.values():
        if flavour.unicode_from == 128:
            assert diff_catalogs(one, read_catalog(encode(content, flavour))).is_empty


def test_a_diff_says_keys_assets_bundles_and_bytes(content: Content, encode: Encode) -> None:
    before = read_catalog(encode(content, JSON_FLAVOURS["1.28"]))
    options = content.entries[1].data
    assert isinstance(options, BundleOptions)
    content.entries[1].data = options._replace(hash="f" * 32, size=2500)
    assert set_crc(content, 0, key="group_3_assets") == 1
    assert rename_key(content, "a", "b") == 1
    content.entries[-1].internal_id = "Elsewhere"
    result = diff_catalogs(before, read_catalog(encode(content, BINARY_FLAVOURS["4.0"])))
    assert (result.keys_added, result.keys_removed) == (("b",), ("a",))
    assert [(change.key, change.what) for change in result.assets_changed] == [
        ("0123456789abcdef0123456789abcde5", ("members",)),  # the GUID of what has another address now
        ("Settings", ("internal id",)),
    ]
    assert [(change.name, change.download) for change in result.bundles] == [
        ("group_2_assets", 2500),
        ("group_3_assets", 0),
    ]
    assert result.download == 2500


def test_edits_keep_the_rest(content: Content, encode: Encode, bundle_entry: Callable[..., Entry]) -> None:
    data = encode(content, JSON_FLAVOURS["1.28"])
    changed = content_of(read_catalog(data))
    assert set_crc(changed, 0) == 4
    assert (
        replace_prefix(changed, "{UnityEngine.AddressableAssets.Addressables.RuntimePath}", "https://a.b:8080/c") == 4
    )
    assert replace_host(changed, "a.b:8080", "cdn.example") == 4
    add_entry(changed, bundle_entry(5))
    with pytest.raises(ValueError, match="the dependency 'x' is not a key"):
        add_entry(changed, type(changed.entries[0])(["n"], "n", "p", None, ["x"]))
    with pytest.raises(ValueError, match="is a key already"):
        rename_key(changed, "a", "Settings")
    assert remove_key(changed, changed.entries[3].keys[0]) == 1  # type: ignore[arg-type]
    catalog = read_catalog(encode(changed, changed.flavour))
    assert all(check.passed for check in verify_catalog(catalog))
    assert {options.crc for options in catalog.bundles().values()} == {0, 105}
    assert catalog.internal_id(0).startswith("https://cdn.example/c/Windows/group_1")
    assert len(catalog.dependencies(catalog.locate("Prefabs/영웅/Held ü.prefab")[0])) == 1


def test_verification_finds_what_was_broken(content: Content, encode: Encode) -> None:
    data = encode(content, JSON_FLAVOURS["1.28"])
    catalog = read_catalog(data)

    def codes(**given: Any) -> set[str]:  # noqa: ANN401 - the arguments of verify_catalog
        return {problem.code for check in verify_catalog(catalog, **given) for problem in check.problems}

    assert codes(hash_text=content_hash(data)) == codes(hash_text=content_hash(data, method="md5") + "\n") == set()
    assert codes(hash_text="0" * 32) == {"hash"}
    assert codes(bundle_file=lambda _: None) == {"missing-bundle"}
    found = codes(bundle_file=lambda _: BundleFile(1000, lambda: 7))
    assert "bundle-size" in found
    assert found <= {"bundle-size", "bundle-crc"}
    bundle = catalog.bundle(0)
    assert bundle is not None
    good = BuildLayout(
        "json", None, None, content.build_result_hash, None,
        (LayoutBundle("b", None, None, 1000, 101, bundle.hash, catalog.internal_id(0), None),),
        (LayoutAsset(None, "Assets/Hero", "Assets/Prefabs/Hero.prefab", "Prefabs/Hero.prefab", (), 0, 1),),
    )  # fmt: skip
    assert codes(layout=good) == set()
    assert codes(layout=good._replace(build_hash="x")) == {"build-hash"}
    assert codes(layout=good._replace(bundles=(good.bundles[0]._replace(crc=1),))) == {"layout-bundle"}
    assert codes(layout=good._replace(assets=(good.assets[0]._replace(internal_id="x"),))) == {"layout-asset"}


def test_a_stored_hash_that_is_wrong_is_found(content: Content, encode: Encode) -> None:
    data = encode(content, JSON_FLAVOURS["1.28"]._replace(seed=5))
    codes = {problem.code for check in verify_catalog(read_catalog(data)) for problem in check.problems}
    assert codes == {"dependency-hash", "dependency-set"}
