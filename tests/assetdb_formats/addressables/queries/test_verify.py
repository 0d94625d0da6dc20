"""Each check of a catalog: its count of facts, and its problems with their places."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from typing import TYPE_CHECKING, Any

import pytest

from assetdb_formats.addressables.companions.layout import BuildLayout, LayoutAsset, LayoutBundle
from assetdb_formats.addressables.editing.content import Content, Entry
from assetdb_formats.addressables.errors import AddressablesError
from assetdb_formats.addressables.flavour import BINARY_FLAVOURS, JSON_FLAVOURS
from assetdb_formats.addressables.hashes import content_hash, fold_hashes, mono_hash
from assetdb_formats.addressables.model import BundleOptions, JsonObject, TypeName
from assetdb_formats.addressables.queries.verify import BundleFile, Check, verify_catalog
from assetdb_formats.addressables.reading import read_catalog
from tests.assetdb_formats.addressables.builder import write

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assetdb_formats.addressables.catalog import Catalog
    from assetdb_formats.addressables.flavour import Flavour
    from assetdb_formats.addressables.model import Data

JSON, BINARY = JSON_FLAVOURS["1.28"], BINARY_FLAVOURS["4.0"]
HASH = "0f" * 16


def bundle(name: str, **options: Any) -> Entry:  # noqa: ANN401 - fields of several types
    return Entry([name], f"path/{name}", "p", data=BundleOptions(HASH, bundle_name=name, redirect_limit=1, **options))


def catalog_of(*entries: Entry, flavour: Flavour = JSON, salvage: bool = False, **fields: Any) -> Catalog:  # noqa: ANN401 - any JSON
    data = write(Content(flavour, list(entries)), flavour)
    if fields:
        data = json.dumps(json.loads(data) | fields, separators=(",", ":")).encode()
    return read_catalog(data, salvage=salvage)


def check_of(name: str, catalog: Catalog, **given: Any) -> Check:  # noqa: ANN401 - the arguments of verify_catalog
    (found,) = [check for check in verify_catalog(catalog, **given) if check.name == name]
    assert found.wrong == len(found.problems)
    assert found.passed is not bool(found.problems)
    return found


def said(check: Check) -> list[tuple[str, str, str]]:
    return [(problem.code, problem.field, problem.message) for problem in check.problems]


def test_every_key_and_location_counts_and_is_named() -> None:
    rows = [Entry(["a", "b"], "i", "p"), Entry(["a"], "j", "p"), Entry(["c"], "k", "p", dependencies=["c"])]
    check = check_of("tables", catalog_of(*rows))
    assert check.compared == 3 + 3
    assert said(check) == [("cycle", "locations[2]", "'c' depends on itself")]
    fields = json.loads(write(Content(JSON, rows[:2]), JSON))
    numbers = b64decode(fields["m_BucketDataString"])
    unnamed = numbers[:8] + b"\1\0\0\0" + numbers[12:16] + numbers[20:]  # of "a", the first location alone
    check = check_of("tables", catalog_of(*rows[:2], m_BucketDataString=b64encode(unnamed).decode()))
    assert said(check) == [("keyless", "locations[1]", "no key names 'j'")]
    check = check_of("tables", catalog_of(*rows[:2], m_Keys=["x", "b"]))
    assert said(check) == [
        ("primary-key", f"locations[{at}]", "its primary key 'x' is not one of its keys") for at in range(2)
    ]


def test_faults_of_a_salvaging_read_are_problems_of_the_tables_and_of_the_objects() -> None:
    catalog = catalog_of(Entry(["a"], "i", "p", data="text"), salvage=True, m_InternalIds=[1], m_ExtraDataString="CQ==")
    checks = {check.name: check for check in verify_catalog(catalog)}
    assert [problem.code for problem in checks["tables"].problems] == ["wrong-type"]
    assert said(checks["objects"]) == [("data", "m_ExtraDataString", "unknown object tag 9")]


def test_a_key_is_there_once_and_names_something() -> None:
    check = check_of("keys", catalog_of(Entry(["a"], "i", "p", dependencies=["gone"])))
    assert (check.compared, said(check)) == (2, [("dangling-key", "keys[1]", "'gone' names nothing")])
    fields = json.loads(write(Content(JSON, [Entry(["a", "b"], "i", "p")]), JSON))
    twice = b64encode(b64decode(fields["m_KeyDataString"]).replace(b"b", b"a")).decode()
    check = check_of("keys", catalog_of(Entry(["a", "b"], "i", "p"), m_KeyDataString=twice))
    assert said(check) == [("duplicate-key", "keys[1]", "duplicate key 'a'")]


def test_keys_lie_behind_each_other_and_are_as_many_as_the_buckets() -> None:
    rows = [Entry(["a", "bc"], "i", "p")]
    name = "m_KeyDataString"
    good = b64decode(json.loads(write(Content(JSON, rows), JSON))[name])
    assert check_of("key table", catalog_of(*rows)) == Check("key table", 2, ())
    check = check_of("key table", catalog_of(*rows, m_KeyDataString=b64encode(b"\3" + good[1:]).decode()))
    assert said(check) == [("count", name, "counts 3 keys for 2 buckets")]
    assert (check.problems[0].offset, check.problems[0].part) == (0, name)
    shorter = good[:4] + b"\0\0\0\0\0" + good[9:]  # the first key is empty now, its letter lies between
    check = check_of("key table", catalog_of(*rows, m_KeyDataString=b64encode(shorter).decode()))
    assert said(check) == [("layout", f"{name}[1]", "begins at 10, the one before ends at 9")]
    assert (check.problems[0].offset, check.problems[0].part) == (10, name)
    broken = good[:4] + b"\x09" + good[5:]
    check = check_of("key table", catalog_of(*rows, salvage=True, m_KeyDataString=b64encode(broken).decode()))
    assert check.passed  # noted when the keys were read


def test_the_stored_hash_is_that_of_the_dependency_key() -> None:
    rows = [Entry([5], "i", "p"), Entry([6], "j", "p", dependencies=[5]), Entry([7], "k", "p", dependencies=[5])]
    for seed in (0, 17):
        check = check_of("dependency hashes", catalog_of(*rows, flavour=JSON._replace(seed=seed)))
        assert check == Check("dependency hashes", 3, ())
    check = check_of("dependency hashes", catalog_of(*rows, flavour=JSON._replace(seed=1)))
    assert said(check) == [
        ("dependency-hash", "entries[0].dependencyHash", "is 1, the key '' gives 0"),
        ("dependency-hash", "entries[1].dependencyHash", "is 36, the key '5' gives 5"),
        ("dependency-hash", "entries[2].dependencyHash", "is 36, the key '5' gives 5"),
    ]
    assert [problem.offset for problem in check.problems] == [4 + 4 * 3, 4 + 4 * 10, 4 + 4 * 17]
    five = check_of("dependency hashes", catalog_of(*rows, flavour=JSON_FLAVOURS["0.7"]._replace(seed=1)))
    assert [problem.offset for problem in five.problems] == [4 + 4 * 3, 4 + 4 * 8, 4 + 4 * 13]
    four = check_of("dependency hashes", catalog_of(*rows, flavour=JSON_FLAVOURS["0.6"]))
    assert four == Check("dependency hashes", 0, (), "rows of 4 columns have none")
    kind = JsonObject(TypeName("A", "B"), "{}")
    other = check_of("dependency hashes", catalog_of(Entry([kind], "i", "p"), Entry([1], "j", "p", None, [kind])))
    assert other.compared == 1  # a key of another kind has no hash that is known


def test_sets_of_dependencies_are_counted_with_their_seed() -> None:
    rows = [Entry(["a"], "i", "p"), Entry(["b"], "j", "p"), Entry(["c"], "k", "p", dependencies=["a", "b"])]
    assert check_of("dependency sets", catalog_of(*rows)) == Check("dependency sets", 1, (), "seed 17")
    old = catalog_of(*rows, flavour=JSON._replace(seed=0))
    assert check_of("dependency sets", old) == Check("dependency sets", 1, ())
    wrong = check_of("dependency sets", catalog_of(*rows, flavour=JSON._replace(seed=1)))
    number = fold_hashes([mono_hash("a"), mono_hash("b")], 1)
    assert (wrong.compared, wrong.note) == (1, "")
    assert said(wrong) == [("dependency-set", "keys[3]", f"{number} is not the hash of what it names")]
    before = catalog_of(Entry(["i"], "i", "p"), flavour=JSON_FLAVOURS["0.7"])
    assert check_of("dependency sets", before) == Check("dependency sets", 0, ())


def test_a_bundle_that_is_called_by_a_number_is_no_set() -> None:
    check = check_of("dependency sets", catalog_of(bundle("7"), Entry(["asset"], "i", "p", dependencies=["7"])))
    assert (check.compared, said(check)) == (0, [])


def test_objects_are_counted_and_options_are_the_json_that_they_should_be() -> None:
    values: list[Data] = [None, "x", JsonObject(TypeName("A", "AssetBundleRequestOptions"), "{")]
    check = check_of(
        "objects", catalog_of(*(Entry([f"{at}"], f"{at}", "p", data=one) for at, one in enumerate(values)))
    )
    assert check.compared == 2
    assert said(check) == [("bundle-options", "locations[2].data", "are not the JSON that they should be")]


def test_a_hash_is_compared_by_both_methods() -> None:
    catalog = catalog_of(Entry(["a"], "i", "p"))
    spooky, md5 = content_hash(catalog.data), content_hash(catalog.data, method="md5")
    assert check_of("hash file", catalog, hash_text=f" {spooky.upper()}\n") == Check(
        "hash file", 1, (), "SpookyHash V2"
    )
    assert check_of("hash file", catalog, hash_text=md5) == Check("hash file", 1, (), "MD5")
    check = check_of("hash file", catalog, hash_text="0" * 32)
    message = f"is {'0' * 32}; the catalog's is {spooky} (SpookyHash V2) or {md5} (MD5)"
    assert (check.compared, check.wrong, said(check)) == (1, 1, [("hash", ".hash", message)])
    assert [check.name for check in verify_catalog(catalog)] == [
        "tables", "keys", "key table", "dependency hashes", "dependency sets", "objects"
    ]  # fmt: skip


GOOD = LayoutBundle("n", None, None, 5, 7, HASH, "path/n", None)


@pytest.mark.parametrize("flavour", [JSON, BINARY], ids=["json", "binary"])
def test_a_layout_has_the_sizes_and_names_of_the_catalog(flavour: Flavour) -> None:
    asset = LayoutAsset("g", "Assets/a", "Assets/a", "a", (), 0, 0)
    catalog = catalog_of(bundle("n", size=5, crc=7), Entry(["a", "g"], "Assets/a", "p"), flavour=flavour)

    def against(*bundles: LayoutBundle, assets: tuple[LayoutAsset, ...] = (), build_hash: str | None = None) -> Check:
        layout = BuildLayout("json", None, None, build_hash, None, bundles, assets)
        return check_of("build layout", catalog, layout=layout)

    assert against(GOOD, GOOD._replace(load_path=None, size=9), assets=(asset,)) == Check("build layout", 2, ())
    assert against(GOOD._replace(crc=None, hash=None)).passed
    assert said(against(GOOD._replace(load_path="x"))) == [("layout-bundle", "bundles", "x is not in the catalog")]
    for field, value, what in (("size", 6, "size is 5"), ("crc", 8, "CRC is 7"), ("hash", "h", f"hash is {HASH}")):
        (problem,) = against(GOOD._replace(**{field: value})).problems  # type: ignore[arg-type]
        assert problem.message == f"n: {what}, the layout's {value}"
    assert against(GOOD._replace(size=5 + (1 << 32))).passed is (flavour is BINARY)
    by_guid = asset._replace(address="elsewhere")
    assert against(assets=(asset, by_guid, asset._replace(internal_id=None))) == Check("build layout", 3, ())
    assert said(against(assets=(by_guid._replace(guid="h"),))) == [
        ("layout-asset", "keys", "elsewhere is not in the catalog")
    ]
    assert said(against(assets=(asset._replace(internal_id="x"),))) == [
        ("layout-asset", "keys", "a loads ['Assets/a'], the layout's internal id is x")
    ]
    check = against(build_hash="00")
    stored = catalog.build_result_hash
    assert (check.compared, said(check)) == (1, [("build-hash", "m_BuildResultHash", f"is {stored}, the layout's 00")])


def test_a_bundle_that_is_not_checked_has_any_crc_in_the_layout() -> None:
    layout = BuildLayout("json", None, None, None, None, (GOOD,), ())
    assert check_of("build layout", catalog_of(bundle("n", size=5)), layout=layout).passed


def files_of(catalog: Catalog, files: Mapping[str, BundleFile | None], **given: Any) -> Check:  # noqa: ANN401 - further arguments
    return check_of("bundle files", catalog, bundle_file=lambda internal_id: files[internal_id], **given)


@pytest.mark.parametrize("flavour", [JSON, BINARY], ids=["json", "binary"])
def test_files_of_bundles_have_their_size_and_crc(flavour: Flavour) -> None:
    catalog = catalog_of(bundle("a", size=5, crc=7), bundle("b", size=6), bundle("c"), flavour=flavour)
    calls: list[tuple[int, int]] = []

    def damaged() -> int:
        raise AddressablesError("is cut", offset=3)

    good: Mapping[str, BundleFile | None]
    good = {"path/a": BundleFile(5, lambda: 7), "path/b": BundleFile(6, lambda: 99), "path/c": BundleFile(99, damaged)}
    check = files_of(catalog, good, progress=lambda done, whole: calls.append((done, whole)))
    assert (check, calls) == (Check("bundle files", 3, ()), [(0, 5)])
    found = files_of(catalog, {**good, "path/a": BundleFile(5, lambda: 8), "path/b": BundleFile(7, lambda: 0)})
    assert said(found) == [
        ("bundle-crc", "locations[0]", "path/a has the CRC 00000008, in the catalog 00000007"),
        ("bundle-size", "locations[1]", "path/b has 7 bytes, in the catalog 6"),
    ]
    found = files_of(catalog, {**good, "path/a": BundleFile(5, damaged), "path/b": None})
    assert [one[:2] for one in said(found)] == [("bundle-damaged", "locations[0]"), ("missing-bundle", "locations[1]")]
    assert "path/a: " in found.problems[0].message
    assert "is cut" in found.problems[0].message
    assert found.problems[1].message == "path/b is not there"
    assert files_of(catalog, {**good, "path/b": BundleFile((1 << 32) + 6, lambda: 0)}).passed is (flavour is BINARY)


def test_bytes_of_all_files_before_are_the_progress() -> None:
    catalog = catalog_of(bundle("a", size=5, crc=7), bundle("b", size=6, crc=8), bundle("c", size=7))
    calls: list[tuple[int, int]] = []
    files: dict[str, BundleFile | None] = {
        "path/a": BundleFile(5, lambda: 7), "path/b": BundleFile(6, lambda: 8), "path/c": BundleFile(7, lambda: 9)
    }  # fmt: skip
    assert files_of(catalog, files, progress=lambda done, whole: calls.append((done, whole))).passed
    assert calls == [(0, 11), (5, 11)]


def test_bundles_that_are_all_elsewhere_are_a_note_where_that_is_fine() -> None:
    catalog = catalog_of(bundle("a", size=5), bundle("b", size=6), bundle("c", size=7))
    none: dict[str, BundleFile | None] = {"path/a": None, "path/b": None}
    assert files_of(catalog, none, lone_is_fine=True) == Check(
        "bundle files", 0, (), "not here, none of 2; 1 others are not local files"
    )
    assert files_of(catalog, none | {"path/c": None}, lone_is_fine=True).note == "not here, none of 3"
    alone = files_of(catalog, none)
    assert (alone.compared, alone.wrong, alone.note) == (2, 2, "1 others are not local files")
    one = files_of(catalog, none | {"path/c": BundleFile(7, lambda: 0)}, lone_is_fine=True)
    assert (one.compared, one.wrong, one.note) == (3, 2, "")
    remote = files_of(catalog, {}, lone_is_fine=True)
    assert remote == Check("bundle files", 0, (), "3 others are not local files")


def test_the_first_thousand_problems_are_kept_and_all_are_counted() -> None:
    for count in (1000, 1001):
        entries = [Entry(["k"], "i", "p", dependencies=[f"{number}"]) for number in range(count)]
        check = next(one for one in verify_catalog(catalog_of(*entries)) if one.name == "keys")
        assert (len(check.problems), check.wrong, check.passed) == (1000, count, False)
