"""Binary catalogs with one number changed: each place that can lie outside the file, to its last byte."""

from __future__ import annotations

from struct import pack, pack_into, unpack_from
from typing import TYPE_CHECKING, Any

import pytest

from assetdb_formats.addressables.binary.reader import BinaryCatalog
from assetdb_formats.addressables.editing.content import Content, Entry
from assetdb_formats.addressables.errors import AddressablesError
from assetdb_formats.addressables.flavour import BINARY_FLAVOURS
from assetdb_formats.addressables.model import BundleOptions, Hash128, Number, Opaque, TypeName
from tests.assetdb_formats.addressables.builder import write

if TYPE_CHECKING:
    from collections.abc import Callable

    from assetdb_formats.addressables.model import Data

FLAVOUR = BINARY_FLAVOURS["2.9"]
NULL = 0xFFFFFFFF
KIND = TypeName("A, 1", "N.Kind")


def catalog_of(*entries: Entry) -> bytes:
    return write(Content(FLAVOUR, list(entries)), FLAVOUR)


def patched(data: bytes, at: int, number: int) -> bytes:
    changed = bytearray(data)
    pack_into("<I", changed, at, number)
    return bytes(changed)


def fault(data: bytes, use: Callable[[BinaryCatalog], Any]) -> tuple[str, str, str, int | None]:
    """Return the fault of a file: the error, which a salvaging read notes."""
    with pytest.raises(AddressablesError) as caught:
        use(BinaryCatalog(data))
    salvaged = BinaryCatalog(data, salvage=True)
    use(salvaged)
    found = salvaged.problems[0]
    assert (found.message, found.field, found.offset) == (caught.value.what, caught.value.field, caught.value.offset)
    assert len(list(salvaged.locations())) == salvaged.location_count
    return found.code, found.message, found.field, found.offset


def test_each_column_of_a_location_is_checked_where_it_is_read() -> None:
    data = catalog_of(Entry(["k"], "i", "p", KIND, ["l"], 7), Entry(["l"], "j", "p", KIND))
    (number,) = BinaryCatalog(data).locate("k")
    at, end = BinaryCatalog(data).offset(number), len(data)
    outside = f"points to {end + 1}, outside 4..{end}"
    texts = {0: "primaryKey", 1: "internalId", 2: "provider"}
    reads: dict[int, Callable[[BinaryCatalog], object]] = {
        0: lambda one: one.primary_key(number), 1: lambda one: one.internal_id(number),
        2: lambda one: one.provider(number),
    }  # fmt: skip
    for column, name in texts.items():
        broken = patched(data, at + 4 * column, end + 1)
        wanted = ("string", outside, f"locations[{number}].{name}", end + 1)
        assert fault(broken, reads[column]) == wanted
        assert fault(broken, lambda one: list(one.locations())) == wanted
        assert reads[column](BinaryCatalog(broken, salvage=True)) == ""
        whole = patched(data, at + 4 * column, NULL)
        assert reads[column](BinaryCatalog(whole)) == (None if column == 0 else "")
    broken = patched(data, at + 12, end + 1)
    assert fault(broken, lambda one: one.dependencies(number))[:2] == ("array", outside)
    objects: list[tuple[int, str, Callable[[BinaryCatalog], object]]]
    objects = [(20, "data", lambda one: one.location_data(number)), (24, "type", lambda one: one.type(number))]
    for column, code, use in objects:
        broken = patched(data, at + column, end - 7)
        assert fault(broken, use)[:3] == (
            code, f"points to {end - 7}, 8 bytes do not fit", f"locations[{number}].{code}"
        )  # fmt: skip
        assert use(BinaryCatalog(patched(data, at + column, NULL))) is None
    good = BinaryCatalog(data)
    assert list(good.locations()) == [good.location(index) for index in range(2)]
    for index in (-1, 2):
        with pytest.raises(IndexError):
            good.row(index)


def test_an_array_has_whole_numbers_and_its_length_before_it() -> None:
    data = catalog_of(Entry(["k"], "i", "p", None, ["l", "m"]), Entry(["l"], "j", "p"), Entry(["m"], "n", "p"))
    (number,) = BinaryCatalog(data).locate("k")
    (array,) = unpack_from("<I", data, BinaryCatalog(data).offset(number) + 12)
    left = len(data) - array
    assert len(BinaryCatalog(data).dependencies(number)) == 2
    longer = patched(data, array - 4, left + 1)
    found = fault(longer, lambda one: one.dependencies(number))
    assert found[:2] == ("array", f"needs {left + 1} bytes, {left} are left")
    assert found[3] == array - 4
    assert len(BinaryCatalog(patched(data, array - 4, 7)).dependencies(number)) == 1
    (keys,) = unpack_from("<I", data, 8)
    assert fault(patched(data, keys - 4, 23), lambda one: one.keys) == ("count", "23 bytes are not pairs", "keys", 32)
    assert BinaryCatalog(patched(data, keys - 4, 16)).keys == ["k", "l"]


def test_a_location_lies_within_the_file_to_its_last_byte() -> None:
    data = catalog_of(Entry(["k"], "i", "p"))
    (keys,) = unpack_from("<I", data, 8)
    (array,) = unpack_from("<I", data, keys + 4)
    moved = data + data[BinaryCatalog(data).offset(0) :][:28]
    last = BinaryCatalog(patched(moved, array, len(moved) - 28))
    assert [location.internal_id for location in last.locations()] == ["i"]
    beyond = patched(moved, array, len(moved) - 27)
    assert fault(beyond, lambda one: one.location_count) == (
        "index", f"points to {len(moved) - 27}, 28 bytes do not fit", "locations", len(moved) - 27
    )  # fmt: skip
    assert BinaryCatalog(beyond, salvage=True).key_locations(0) == ()


@pytest.mark.parametrize(
    ("value", "size"),
    [(7, 4), (Number(1 << 40, "Int64"), 8), (Number(1, "Boolean"), 1), (Hash128("0f" * 16), 16), ("text", 8),
     (BundleOptions("0f" * 16, redirect_limit=1), 20)],
)  # fmt: skip
def test_an_object_lies_within_the_file_to_its_last_byte(value: Data, size: int) -> None:
    data = catalog_of(Entry(["k"], "i", "p", None, [], value))
    (pair,) = unpack_from("<I", data, BinaryCatalog(data).offset(0) + 20)
    _, at = unpack_from("<II", data, pair)
    moved = data + data[at : at + size]
    last = BinaryCatalog(patched(moved, pair + 4, len(moved) - size)).location_data(0)
    assert last == BinaryCatalog(data).location_data(0)
    assert last == (value if not isinstance(value, BundleOptions) else value._replace(type=last.type))  # type: ignore[union-attr]
    place = len(moved) - size + 1
    beyond = patched(moved, pair + 4, place)
    assert fault(beyond, lambda one: one.location_data(0)) == (
        "data", f"points to {place}, {size} bytes do not fit", "locations[0].data", place
    )  # fmt: skip
    null = BinaryCatalog(patched(data, pair + 4, NULL)).location_data(0)
    assert null == "" if value == "text" else isinstance(null, Opaque)
    untyped = fault(patched(data, pair, NULL), lambda one: one.location_data(0))
    assert untyped == ("data", "has no type", "locations[0].data", pair)


def test_options_of_a_bundle_may_lack_their_hash_and_their_common_part() -> None:
    options = BundleOptions("0f" * 16, crc=1, timeout=2, redirect_limit=3, retry_count=4, size=5, bundle_name="n")
    data = catalog_of(Entry(["k"], "i", "p", None, [], options))
    (pair,) = unpack_from("<I", data, BinaryCatalog(data).offset(0) + 20)
    _, at = unpack_from("<II", data, pair)
    whole = BinaryCatalog(data).bundle(0)
    assert whole is not None
    assert whole[:9] == ("0f" * 16, 1, 2, False, 3, 4, "n", 0, 5)
    without = BinaryCatalog(patched(patched(data, at, NULL), at + 16, NULL)).bundle(0)
    assert without is not None
    assert without[:9] == ("0" * 32, 1, 0, False, 0, 0, "n", 0, 5)
    for place, size, field in ((at, 16, "hash"), (at + 16, 8, "common")):
        beyond = fault(patched(data, place, len(data) - size + 1), lambda one: one.location_data(0))
        assert beyond[1:3] == (
            f"points to {len(data) - size + 1}, {size} bytes do not fit",
            f"locations[0].data.{field}",
        )


def test_a_key_that_cannot_be_read_is_none_and_has_no_type() -> None:
    data = catalog_of(Entry(["k", 5, "l"], "i", "p"))
    (keys,) = unpack_from("<I", data, 8)
    assert BinaryCatalog(data).keys == ["k", 5, "l"]
    beyond = patched(data, keys + 8, len(data) - 7)
    found = fault(beyond, lambda one: one.key_type(1))
    assert found == ("key", f"points to {len(data) - 7}, 8 bytes do not fit", "keys[1]", len(data) - 7)
    salvaged = BinaryCatalog(beyond, salvage=True)
    assert salvaged.keys == ["k", None, "l"]
    assert [salvaged.key_type(at) for at in range(3)] == ["System.String", "", "System.String"]
    null = BinaryCatalog(patched(data, keys + 8, NULL), salvage=True)
    assert null.keys == ["k", None, "l"]


def test_a_header_lies_before_the_keys_that_it_names() -> None:
    data = catalog_of(Entry(["k"], "i", "p"))
    assert BinaryCatalog(data).header_size == 32
    old = BinaryCatalog(write(Content(BINARY_FLAVOURS["2.0.3"], [Entry(["k"], "i", "p")]), BINARY_FLAVOURS["2.0.3"]))
    assert (old.header_size, old.build_result_hash) == (28, None)
    for version in (0, 4):
        assert fault(patched(data, 4, version), lambda one: one.keys) == (
            "version", f"is {version}, not 1 to 3", "header.version", 4
        )  # fmt: skip
    for size in (27, 0):
        with pytest.raises(AddressablesError, match=f"is {size} bytes, a header has 28 or 32"):
            BinaryCatalog(data[:size])
    for keys in (31, len(data) + 1):
        with pytest.raises(AddressablesError, match=rf"points to {keys}, outside 32\.\.{len(data)}") as caught:
            BinaryCatalog(patched(data, 8, keys))
        assert (caught.value.offset, caught.value.field) == (8, "header.keysOffset")
    empty = BinaryCatalog(data[:8] + pack("<6I", 32, NULL, NULL, NULL, NULL, 0))
    assert (empty.keys, empty.location_count) == ([], 0)
    for at, field in ((16, "header.instanceProvider"), (20, "header.sceneProvider")):
        beyond = fault(patched(data, at, len(data) - 11), lambda one: one.keys)
        assert beyond[:3] == ("provider", f"points to {len(data) - 11}, 12 bytes do not fit", field)
    beyond = fault(patched(data, 12, len(data) + 1), lambda one: one.locator_id)
    assert beyond[0::2] == ("string", "header.idOffset")
