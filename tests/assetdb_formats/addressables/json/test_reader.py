"""JSON catalogs whose tables are made by hand, with each number at its limits."""

from __future__ import annotations

import json
from array import array
from base64 import b64encode
from typing import TYPE_CHECKING, Any

import pytest

from assetdb_formats.addressables.errors import AddressablesError
from assetdb_formats.addressables.json.reader import JsonCatalog
from assetdb_formats.addressables.json.tagged import write_tagged
from assetdb_formats.addressables.model import Hash128, JsonObject, Number, ProviderData, TypeName

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from assetdb_formats.addressables.model import Key

ROW = [0, 0, -1, 0, -1, 0, 0]  # of seven columns: internal id, provider, dependency key, hash, data, primary key, type


def words(*numbers: int) -> bytes:
    return array("I", [number & 0xFFFFFFFF for number in numbers]).tobytes()


def fields_of(
    keys: Sequence[Key] = ("k",), buckets: Sequence[Sequence[int]] = ((0,),), rows: Sequence[Sequence[int]] = (ROW,)
) -> dict[str, Any]:
    """Return the fields of a catalog with these keys, the entries that they name, and rows."""
    blob, table = bytearray(words(len(keys))), [len(keys)]
    for key, named in zip(keys, buckets, strict=True):
        table += [len(blob), len(named), *named]
        blob += write_tagged(key)
    return {
        "m_ProviderIds": ["p", "q"],
        "m_InternalIds": ["i", "j"],
        "m_KeyDataString": bytes(blob),
        "m_BucketDataString": words(*table),
        "m_EntryDataString": words(len(rows), *(number for row in rows for number in row)),
        "m_ExtraDataString": b"",
        "m_resourceTypes": [{"m_AssemblyName": "A", "m_ClassName": "C"}],
    }


def read(fields: dict[str, Any], **options: bool) -> JsonCatalog:
    coded = {name: b64encode(value).decode() if isinstance(value, bytes) else value for name, value in fields.items()}
    return JsonCatalog(json.dumps(coded).encode(), **options)


def fault(use: Callable[[JsonCatalog], object] | None = None, **changes: Any) -> tuple[str, str, str, int | None]:  # noqa: ANN401 - any JSON
    """Return the fault of a catalog with some fields changed: the error, which a salvaging read notes."""
    fields = fields_of() | changes
    fields = {name: value for name, value in fields.items() if value is not ...}
    look = use or id
    with pytest.raises(AddressablesError) as caught:
        look(read(fields))
    salvaged = read(fields, salvage=True)
    look(salvaged)
    problem = salvaged.problems[0]
    assert (problem.message, problem.field, problem.offset) == (
        caught.value.what, caught.value.field, caught.value.offset
    )  # fmt: skip
    return problem.code, problem.message, problem.field, problem.offset


def test_fields_that_are_missing_or_of_another_type_are_named() -> None:
    assert fault(m_ProviderIds=...) == ("missing-field", "is missing", "m_ProviderIds", None)
    assert fault(m_InternalIds="x") == ("wrong-type", "is str, not a list", "m_InternalIds", None)
    assert fault(m_InternalIds=["x", 1]) == ("wrong-type", "is not text", "m_InternalIds[1]", None)
    assert fault(m_LocatorId=1) == ("wrong-type", "is int, not text", "m_LocatorId", None)
    assert fault(m_resourceTypes={}) == ("wrong-type", "is dict, not a list", "m_resourceTypes", None)
    assert fault(m_resourceTypes=[1]) == ("wrong-type", "is not a type", "m_resourceTypes[0]", None)
    for kind in ({"m_ClassName": 1}, {"m_ClassName": "C", "m_AssemblyName": 1}):
        assert fault(m_resourceTypes=[kind]) == ("wrong-type", "is not a type", "m_resourceTypes[0]", None)
    assert fault(m_SceneProviderData=1) == ("wrong-type", "is not an object", "m_SceneProviderData", None)
    for provider in ({"m_Id": 1}, {"m_Data": 1}):
        assert fault(m_ResourceProviderData=[None, provider]) == (
            "wrong-type", "has an id or data that is not text", "m_ResourceProviderData[1]", None
        )  # fmt: skip
    assert fault(m_InstanceProviderData={"m_ObjectType": 1})[1:3] == (
        "is not a type", "m_InstanceProviderData.m_ObjectType"
    )  # fmt: skip
    assert fault(m_KeyDataString=...)[:3] == ("missing-field", "is missing", "m_KeyDataString")
    assert fault(m_KeyDataString="YQ=")[0::2] == ("base64", "m_KeyDataString")
    nothing = {"m_buildTarget": "x"}
    with pytest.raises(AddressablesError, match="is a JSON object, but not a catalog"):
        read(nothing)
    catalog = read(fields_of() | {"m_InstanceProviderData": {"m_Id": "i", "m_ObjectType": {"m_ClassName": "C"}}})
    assert catalog.instance_provider == ProviderData("i", TypeName(None, "C"), None)
    assert catalog.scene_provider is None
    assert catalog.resource_providers == ()


def test_a_table_is_a_count_and_whole_numbers() -> None:
    for name in ("m_BucketDataString", "m_EntryDataString"):
        assert fault(None, **{name: b""}) == ("truncated", "has no count", name, 0)
        whole = fields_of()[name]
        assert fault(None, **{name: whole + b"\0\0\0"}) == (
            "truncated", f"{len(whole) + 3} bytes are not a number of int32", name, None
        )  # fmt: skip
    assert fault(m_KeyDataString=b"\0\0\0") == ("truncated", "has no count", "m_KeyDataString", 0)


def test_buckets_are_as_many_and_as_long_as_they_say() -> None:
    name = "m_BucketDataString"
    assert fault(m_BucketDataString=words(2, 4, 1, 0)) == ("count", "counts 2 buckets, 12 bytes are left", name, 0)
    assert fault(m_BucketDataString=words(-1, 4, 1, 0)) == ("count", "counts -1 buckets, 12 bytes are left", name, 0)
    assert fault(m_BucketDataString=words(1, 4, 2, 0)) == (
        "count", "counts 2 entries, 4 bytes are left", f"{name}[0].entries", 8
    )  # fmt: skip
    assert fault(m_BucketDataString=words(2, 4, 2, 0, 0)) == ("truncated", "needs 8 bytes", f"{name}[1]", 20)
    assert fault(m_BucketDataString=words(2, 4, 2, 0, 0, 4)) == ("truncated", "needs 8 bytes", f"{name}[1]", 20)
    assert fault(m_BucketDataString=words(1, 4, 1, 0, 4)) == ("left-over", "4 bytes are left over", name, 16)
    assert fault(m_BucketDataString=words(1, 4, 1, 0, 4, 0)) == ("left-over", "8 bytes are left over", name, 16)
    exact = read(fields_of() | {name: words(1, 4, 1, 0)})
    assert list(exact.key_locations(0)) == [0]
    none = read(fields_of((), (), ()))
    assert (none.keys, none.location_count, none.width) == ([], 0, 7)


@pytest.mark.parametrize("count", [1, 2, 63, 64, 65, 66, 67, 129, 200])
def test_runs_of_equal_buckets_are_stepped_over_together(count: int) -> None:
    for size in (0, 1, 3):
        buckets = [[0] * size] * count + [[0, 0], [0] * size]
        keys = [str(number) for number in range(count + 2)]
        catalog = read(fields_of(keys, buckets))
        assert [len(catalog.key_locations(at)) for at in range(count + 2)] == [size] * count + [2, size]
        assert catalog.keys == keys


def test_keys_of_all_kinds_and_lengths_are_read_wherever_they_lie() -> None:
    keys: list[Key] = [
        "a", 5, "", "x" * 1023, "é", Hash128("0" * 32), Number(1, "UInt32"), "b", "x" * 300, "c", 5,
        JsonObject(TypeName("A", "B"), "{}"),
    ]  # fmt: skip
    for order in (keys, keys[::-1], [*keys, "x" * 1024], ["x" * 70_000, *keys]):
        catalog = read(fields_of(order, [[]] * len(order), ()))
        assert catalog.keys == order
        assert [catalog.key_type(order.index(key)) for key in ("a", 5, "é", keys[5])] == [
            "AsciiString", "Int32", "UnicodeString", "Hash128"
        ]  # fmt: skip
    blob = words(3) + write_tagged("one") + b"gap" + write_tagged("two")
    table = words(3, 15, 0, 4, 0, 4, 0)
    catalog = read(fields_of() | {"m_KeyDataString": blob, "m_BucketDataString": table, "m_EntryDataString": words(0)})
    assert catalog.keys == ["two", "one", "one"]
    assert [catalog.key_offset(at) for at in range(3)] == [15, 4, 4]
    letters = words(2) + b"\0\2\0\0\0a\xe9" + write_tagged("two")
    table = words(2, 4, 0, 11, 0)
    catalog = read(
        fields_of() | {"m_KeyDataString": letters, "m_BucketDataString": table, "m_EntryDataString": words(0)}
    )
    assert catalog.keys == ["a?", "two"]


def test_keys_that_are_not_there_are_faults() -> None:
    name = "m_KeyDataString"
    assert fault(m_KeyDataString=words(0) + write_tagged("k")) == ("count", "counts 0 keys for 1 buckets", name, 0)
    assert read(fields_of() | {name: words(2) + write_tagged("k")}).keys == ["k"]  # said by ``verify``
    for at, what, field in ((10, "needs 1 bytes, 0 are left", ".tag"), (11, "points to 11, outside 0..10", "")):
        assert fault(m_BucketDataString=words(1, at, 0))[:3] == ("key", what, f"{name}[0]{field}")
    assert fault(m_KeyDataString=words(1) + b"\x09k") == ("key", "unknown object tag 9", f"{name}[0]", 4)
    catalog = read(fields_of() | {name: words(1) + b"\x09k"}, salvage=True)
    assert (catalog.keys, catalog.key_type(0)) == ([None], "tag 9")
    catalog = read(fields_of() | {"m_BucketDataString": words(1, 10, 1, 0)}, salvage=True)
    assert (catalog.keys, catalog.key_type(0), catalog.primary_key(0)) == ([None], "tag -1", None)


def test_rows_have_seven_five_or_four_columns_and_no_others() -> None:
    seven = read(fields_of(rows=[[1, 1, 0, 8, -1, 0, 0]]))
    assert tuple(seven.location(0))[1:] == ("k", "j", "q", TypeName("A", "C"), "k", 8, (0,), None)
    five = read(fields_of(rows=[[1, 1, 0, 8, -1]]))
    assert (five.width, five.has_types) == (5, False)
    assert tuple(five.location(0))[1:] == (None, "j", "q", None, "k", 8, (0,), None)
    extra = write_tagged("x")
    four = read(fields_of(rows=[[1, 1, -1, 0]]) | {"m_ExtraDataString": extra})
    assert (four.width, four.has_types) == (4, False)
    assert tuple(four.location(0))[1:] == (None, "j", "q", None, None, 0, (), "x")
    assert list(four.locations()) == [four.location(0)]
    for table, held in ((words(1, *ROW, 0), 32), (words(1, *ROW[:6]), 24), (words(2, *ROW), 28), (words(-1, *ROW), 28)):
        count = int.from_bytes(table[:4], "little", signed=True)
        assert fault(m_EntryDataString=table) == (
            "count", f"counts {count} entries, which {held} bytes do not hold at 28, 20 or 16 bytes each",
            "m_EntryDataString", 0,
        )  # fmt: skip
    counts = {1: words(1, *ROW, *ROW), 2: words(3, *ROW, *ROW), 0: words(-1, *ROW)}
    for count, table in counts.items():
        assert read(fields_of() | {"m_EntryDataString": table}, salvage=True).location_count == count
    for index in (-1, 1):
        with pytest.raises(IndexError):
            seven.row(index)


def test_fields_of_0_x_begin_with_a_small_letter() -> None:
    modern = fields_of(rows=[[1, 1, -1, -1]])
    old = {f"m_{name[2].lower()}{name[3:]}": value for name, value in modern.items()}
    catalog = read(old)
    assert (catalog.lower_case, catalog.width, catalog.keys) == (True, 4, ["k"])
    assert (catalog.internal_id(0), catalog.provider(0)) == ("j", "q")
    assert catalog.blob_name("KeyData") == "m_keyDataString"
    assert read(fields_of()).blob_name("KeyData") == "m_KeyDataString"
    assert read(old | {"m_entryDataString": words(0)}).width == 4
    assert not read(modern | {"m_keyDataString": ""}).lower_case


COLUMNS = (
    ("internalId", -1, 2), ("provider", -1, 2), ("dependencyKey", -2, 1), ("dependencyHash", None, None),
    ("data", None, None), ("primaryKey", -1, 1), ("resourceType", -1, 1),
)  # fmt: skip


def test_every_number_of_a_row_is_within_its_table() -> None:
    for column, (name, below, above) in enumerate(COLUMNS):
        for number in (below, above):
            if number is None or below is None or above is None:
                continue
            row = list(ROW)
            row[column] = number
            found = fault(lambda catalog: catalog.row(0), m_EntryDataString=words(1, *row))
            what = f"{number} is outside {below + 1}..{above - 1}"
            assert found == ("index", what, f"m_EntryDataString[0].{name}", 4 + 4 * column)
            assert found == fault(lambda catalog: list(catalog.locations()), m_EntryDataString=words(1, *row))
            salvaged = read(fields_of() | {"m_EntryDataString": words(1, *row)}, salvage=True)
            (location,) = salvaged.locations()
            assert location == salvaged.location(0)
            assert len(salvaged.problems) == 1
            assert salvaged.row(0)[column] == -1
            empty = {0: ("internal_id", ""), 1: ("provider", ""), 5: ("primary_key", None), 6: ("type", None)}
            if column in empty:
                field, value = empty[column]
                assert getattr(location, field) == value
    for row in ([1, 1, -1, -(1 << 31), -1, 0, 0], [1, 1, 0, (1 << 31) - 1, -5, 0, 0]):
        catalog = read(fields_of(rows=[row]))
        assert list(catalog.row(0)) == row
        assert list(catalog.locations()) == [catalog.location(0)]


def test_a_bucket_names_entries_that_are_there() -> None:
    found = fault(lambda catalog: catalog.key_locations(1), m_BucketDataString=words(2, 4, 0, 4, 3, 0, 1, 0),
                  m_KeyDataString=words(2) + write_tagged("k"))  # fmt: skip
    assert found == ("index", "names entry 1 of 1", "m_BucketDataString[1].entries[1]", 24)
    salvaged = read(fields_of() | {"m_BucketDataString": words(1, 4, 3, 0, 7, 0)}, salvage=True)
    assert list(salvaged.key_locations(0)) == [0, 0]


def test_primary_keys_are_those_of_m_keys_where_it_differs() -> None:
    rows = [[0, 0, -1, 0, -1, 0, 0], [0, 0, -1, 0, -1, 1, 0]]
    fields = fields_of(("k", 5), ((0,), (1,)), rows)
    for texts, primary in ((None, ["k", "5"]), (["k", "5"], ["k", "5"]), (["other", "six"], ["other", "six"])):
        catalog = read(fields | ({} if texts is None else {"m_Keys": texts}))
        assert [catalog.primary_key(at) for at in range(2)] == primary
        assert [location.primary_key for location in catalog.locations()] == primary
        assert catalog.key_texts == texts
        assert catalog.keys == ["k", 5]
    short = read(fields | {"m_Keys": ["k"]})
    with pytest.raises(AddressablesError, match=r"1 is outside 0\.\.0"):
        short.primary_key(1)


def prefixed(*ids: str, prefixes: Sequence[str] = ("P", "Q"), **options: bool) -> JsonCatalog:
    return read(fields_of() | {"m_InternalIds": list(ids), "m_InternalIdPrefixes": list(prefixes)}, **options)


def test_a_prefix_has_a_number_below_their_count_and_that_dotnet_would_read() -> None:
    catalog = prefixed("1#/x")
    assert catalog.internal_id(0) == "Q/x"
    assert catalog.raw_internal_id(0) == "1#/x"
    assert prefixed("1#/x", prefixes=()).internal_id(0) == "1#/x"
    for stored in ("plain", "#x", "+#x", "\u0661#x", "2147483648#x", "12345678901#x", "--1#x", "1.0#x"):
        assert catalog.expand(stored) == stored
    for stored in ("+1#x", "-0#x", "\t1 #x", "0000000001#x"):
        assert catalog.expand(stored) in ("Qx", "Px")
    for stored, number in (("2#x", 2), ("-1#x", -1), ("2147483647#x", 2147483647)):
        with pytest.raises(AddressablesError, match=f"names prefix {number} of 2") as caught:
            catalog.expand(stored)
        assert caught.value.field == "m_InternalIds"
        assert prefixed("x", salvage=True).expand(stored) == stored
    assert catalog.expand("0#a#b") == "0#a#b"
    assert catalog.expand("0#a#b", intended=True) == "Pa#b"
    assert prefixed("0#a#b", intended_prefixes=True).internal_id(0) == "Pa#b"


@pytest.mark.parametrize(("room", "refused"), [(0, False), (-1, True)])
def test_prefixes_expand_to_eight_characters_a_byte_and_a_million_more(room: int, refused: bool) -> None:  # noqa: FBT001 - parametrized
    fields = fields_of() | {"m_InternalIds": ["0#"] * 32 + ["x"], "m_InternalIdPrefixes": ["x" * (1 << 16)]}
    coded = {name: b64encode(value).decode() if isinstance(value, bytes) else value for name, value in fields.items()}
    size = ((32 << 16) - (1 << 20)) // 8 + room
    data = json.dumps(coded).encode().ljust(size)
    assert len(data) == size
    if not refused:
        assert len(JsonCatalog(data).internal_id(0)) == 1 << 16
        return
    with pytest.raises(AddressablesError, match="the prefixes expand to far more than the file"):
        JsonCatalog(data)
    salvaged = JsonCatalog(data, salvage=True)
    assert (salvaged.prefixes, salvaged.internal_id(0)) == (None, "0#")


def test_objects_are_decoded_where_a_row_says_and_once() -> None:
    extra = write_tagged("first") + write_tagged("second")
    rows = [[0, 0, -1, 0, offset, 0, 0] for offset in (0, 10, -1, 10)]
    fields = fields_of(("k",), ((0, 1, 2, 3),), rows) | {"m_ExtraDataString": extra}
    catalog = read(fields)
    assert [location.data for location in catalog.locations()] == ["first", "second", None, "second"]
    assert catalog.location_data(1) is catalog.location_data(3)
    table = words(1, 0, 0, -1, 0, 5, 0, 0)
    found = fault(lambda one: one.location_data(0), m_EntryDataString=table, m_ExtraDataString=extra)
    assert found == ("data", "unknown object tag 102", "m_ExtraDataString", 5)
    found = fault(lambda one: one.location_data(0), m_EntryDataString=table)
    assert found == ("data", "points to 5, outside 0..0", "m_ExtraDataString", 0)
