"""Binary catalogs as the packages of each time write them: looked at byte by byte."""

from __future__ import annotations

from struct import unpack_from
from typing import TYPE_CHECKING

import pytest

from assetdb_formats.addressables.binary.reader import BinaryCatalog
from assetdb_formats.addressables.binary.strings import CHAIN_FLAG, NULL, OFFSET_MASK, UNICODE_FLAG
from assetdb_formats.addressables.binary.writer import encode_binary
from assetdb_formats.addressables.editing.content import Content, Entry
from assetdb_formats.addressables.flavour import BINARY_FLAVOURS
from assetdb_formats.addressables.model import BundleOptions, Hash128, JsonObject, Number, TypeName

if TYPE_CHECKING:
    from assetdb_formats.addressables.flavour import BinaryFlavour
    from assetdb_formats.addressables.model import Data, Key

OLDEST, OLD, USUAL, WIDE, TAIL_FIRST, NEWEST = (
    BINARY_FLAVOURS[name] for name in ("1.21.3", "1.21.20", "2.0.8", "2.9", "3.1", "4.0")
)


def written(*entries: Entry, flavour: BinaryFlavour = USUAL) -> tuple[BinaryCatalog, list[str]]:
    data, losses = encode_binary(Content(flavour, list(entries)), flavour)
    return BinaryCatalog(data), [str(loss) for loss in losses]


def text_at(data: bytes, identity: int) -> str:
    at = identity & OFFSET_MASK
    raw = data[at : at + int(unpack_from("<I", data, at - 4)[0])]
    return raw.decode("utf-16-le" if identity & UNICODE_FLAG else "ascii")


def stored(data: bytes, identity: int) -> str | list[str]:
    """Return plain text, or the parts of a chain in the order of its nodes."""
    if not identity & CHAIN_FLAG:
        return text_at(data, identity)
    parts, at = [], identity & OFFSET_MASK
    while at != NULL:
        part, at = unpack_from("<II", data, at)
        parts.append(text_at(data, part))
    return parts


def stored_id(text: str, flavour: BinaryFlavour) -> str | list[str]:
    """Return an internal id as a flavour stores it."""
    catalog, _ = written(Entry(["k"], text, "p"), flavour=flavour)
    assert catalog.internal_id(0) == text
    return stored(catalog.data, catalog.row(0)[1])


EIGHT, SEVEN = "12345678", "1234567"


@pytest.mark.parametrize(
    ("text", "first", "usual", "tail_first"),
    [
        ("ab", "ab", "ab", "ab"),
        ("abc/def", "abc/def", "abc/def", "abc/def"),  # 6 bytes: smaller than a node with and without the separator
        ("abc/defg", "abc/defg", "abc/defg", ["abc/defg"]),  # 7: with it, 8
        ("abcd/efgh", ["abcd/efgh"], ["abcd/efgh"], ["abcd/efgh"]),
        ("a/b/c", ["a/b/c"], ["a/b/c"], ["a/b/c"]),
        (f"{EIGHT}/{EIGHT}", [EIGHT, EIGHT], [EIGHT, EIGHT], [EIGHT, EIGHT]),
        (f"{SEVEN}/{EIGHT}", [f"{SEVEN}/{EIGHT}"], [EIGHT, SEVEN], [EIGHT, SEVEN]),
        (f"{EIGHT}/{SEVEN}", [f"{EIGHT}/{SEVEN}"], [f"{EIGHT}/{SEVEN}"], [f"{EIGHT}/{SEVEN}"]),
        (f"{EIGHT}/{EIGHT}0/x", [EIGHT, f"{EIGHT}0/x"], [f"{EIGHT}0/x", EIGHT], [f"{EIGHT}0/x", EIGHT]),
        (f"{EIGHT}/abc/defg", [f"{EIGHT}/abc/defg"], ["abc/defg", EIGHT], ["abc/defg", EIGHT]),
        (f"{EIGHT}/abc/def", [f"{EIGHT}/abc/def"], [f"{EIGHT}/abc/def"], [f"{EIGHT}/abc/def"]),
        ("영영/abcdefgh", ["영영/abcdefgh"], ["abcdefgh", "영영"], ["abcdefgh", "영영"]),
        ("abcdefgh/영영영영", ["abcdefgh", "영영영영"], ["영영영영", "abcdefgh"], ["영영영영", "abcdefgh"]),
        ("abcdefgh/영영영", ["abcdefgh/영영영"], ["abcdefgh/영영영"], ["abcdefgh/영영영"]),
    ],
)
def test_a_path_is_split_where_both_parts_are_worth_a_node(
    text: str, first: str | list[str], usual: str | list[str], tail_first: str | list[str]
) -> None:
    if "영영/" not in text:  # the oldest keep the letters of the last part alone
        assert stored_id(text, OLD) == first
    assert stored_id(text, USUAL) == usual
    assert stored_id(text, TAIL_FIRST) == tail_first


def test_parts_are_written_from_the_first_node_and_since_3_1_from_the_last() -> None:
    nodes = ["file.png", "folder_2", "folder_1"]
    for flavour, chain, places in (
        (OLD, nodes[::-1], nodes[::-1]),
        (USUAL, nodes, nodes),
        (TAIL_FIRST, nodes, nodes[::-1]),
    ):
        catalog, _ = written(Entry(["k"], "folder_1/folder_2/file.png", "p"), flavour=flavour)
        assert stored(catalog.data, catalog.row(0)[1]) == chain
        assert sorted(nodes, key=lambda part: catalog.data.index(part.encode())) == places


def test_letters_are_wide_from_256_and_since_2_9_from_128() -> None:
    for text, narrow in (("a\x7f", "a\x7f"), ("a\x80", "a?"), ("aÿ", "a?"), ("aĀ", None)):
        for flavour, kept in ((USUAL, narrow), (WIDE, None if not text.isascii() else text)):
            catalog, losses = written(Entry(["k"], text, "p"), flavour=flavour)
            assert catalog.internal_id(0) == (text if kept is None else kept)
            assert bool(catalog.row(0)[1] & UNICODE_FLAG) is (kept is None)
            lost = "letters: 1 strings with letters that became question marks"
            assert losses == ([lost] if kept is not None and "?" in kept else [])


def key_form(key: str, flavour: BinaryFlavour) -> tuple[str | list[str], str]:
    """Return how a text key is stored, and its separator."""
    catalog, _ = written(Entry([key], "i", "p"), flavour=flavour)
    assert catalog.keys == [key]
    (at,) = unpack_from("<I", catalog.data, 8)
    (named,) = unpack_from("<I", catalog.data, at)
    _, value = unpack_from("<II", catalog.data, named)
    identity, separator = unpack_from("<IH", catalog.data, value)
    return stored(catalog.data, identity), chr(separator)


@pytest.mark.parametrize(
    ("key", "split", "noted"),
    [
        ("abcdefgh", "\0", "\0"),
        ("abcde/fghij", "/", "\0"),
        ("abcd/efghij", "\0", "\0"),  # one part of more than four letters
        ("abc\U00010000/fghij", "/", "\0"),  # four letters, of which one is two units
        ("abcdefghi.abcdefghi", ".", "."),
        ("abcdefgh.abcdefghi", ".", "\0"),
        ("abcdefghi/abcdefghi.abcdefghi", "/", "/"),  # of equally many the first
        ("abcdefghi.abcdefghi-abcdefghi", ".", "."),
        ("abcdefghi\\abcdefghi.abcdefghi", "\\", "."),
        ("abcdefghi-abcdefghi_abcdefghi_abcdefghi", "_", "_"),  # the more frequent
        ("abcdefghi,abcdefghi", ",", ","),
        ("abcdefghi_abcdefghi,abcdefghi", "_", "_"),
        ("abcdefghi\\abcdefghi,abcdefghi", "\\", "\\"),
    ],
)
def test_a_key_is_split_at_its_most_frequent_separator_if_that_leaves_two_long_parts(
    key: str, split: str, noted: str
) -> None:
    assert key_form(key, USUAL)[1] == split
    if key.isascii():
        assert key_form(key, OLD) == (key, noted)


def test_an_empty_key_is_null_since_1_28() -> None:
    catalog, _ = written(Entry(["", "b"], "i", "p"))
    assert catalog.keys == ["", "b"]
    assert key_form("abcdefgh/ijklmnop", USUAL)[0] == ["ijklmnop", "abcdefgh"]
    old, _ = written(Entry(["", "b"], "i", "p"), flavour=OLD)
    assert old.keys == ["", "b"]


def options_of(**changes: int | str | bool | None) -> tuple[BundleOptions, list[str]]:
    options = BundleOptions("ab" * 16, redirect_limit=1)._replace(**changes)  # type: ignore[arg-type]
    catalog, losses = written(Entry(["k"], "i", "p", data=options))
    found = catalog.bundle(0)
    assert found is not None
    return found, losses


def test_every_option_of_a_bundle_has_its_own_bit() -> None:
    for name in (
        "chunked_transfer", "use_crc_for_cached", "use_web_request_for_local", "clear_other_versions",
    ):  # fmt: skip
        found, losses = options_of(**{name: True})
        assert losses == []
        assert {field for field, value in found._asdict().items() if value is True} == {name}
    found, _ = options_of(asset_load_mode=1, chunked_transfer=False)
    assert (found.asset_load_mode, found.chunked_transfer) == (1, False)


def test_numbers_of_a_bundle_keep_what_fits_and_the_rest_is_said() -> None:
    ranged = ["range: 1 timeouts or counts were clamped to what fits"]
    fitting = (
        ("timeout", 32767), ("timeout", -32768), ("redirect_limit", 255), ("redirect_limit", 0), ("retry_count", 255),
        ("retry_count", 0), ("size", (1 << 32) - 1), ("crc", (1 << 32) - 1), ("bundle_name", None),
    )  # fmt: skip
    for name, value in fitting:
        found, losses = options_of(**{name: value})
        assert (getattr(found, name), losses) == (value, []), name
    clamped = (
        ("timeout", 32768, 32767), ("timeout", -32769, -32768), ("redirect_limit", 256, 255), ("retry_count", 256, 255),
        ("retry_count", -1, 0),
    )  # fmt: skip
    for name, value, kept in clamped:
        found, losses = options_of(**{name: value})
        assert (getattr(found, name), losses) == (kept, ranged), (name, value)
    found, losses = options_of(size=(1 << 32) + 5)
    assert (found.size, losses) == (5, ["size: 1 bundle sizes of 4 GiB and more kept their low 32 bits"])
    found, losses = options_of(redirect_limit=-1)
    assert (found.redirect_limit, losses) == (
        32, ["redirect: 1 redirect limits of -1 (the engine's default) became 32"]
    )  # fmt: skip


@pytest.mark.parametrize("digits", ["", "zz" * 16, "ab" * 15, "ab" * 17, "ab " * 10 + "ab", "ab" * 8 + " " * 16])
def test_a_hash_that_is_not_32_digits_is_zero(digits: str) -> None:
    found, _ = options_of(hash=digits)
    assert found.hash == "0" * 32
    catalog, _ = written(Entry(["k", Hash128("0f" * 16)], "i", "p", data=Hash128(digits)))
    assert catalog.location_data(0) == Hash128("0" * 32)
    assert catalog.keys[1] == Hash128("0f" * 16)


def test_objects_without_a_binary_form_are_dropped_and_named() -> None:
    kind = TypeName("A", "Game.Extra")
    values: list[tuple[Data, str]] = [
        (JsonObject(kind, "{}"), "Game.Extra"),
        (Number(5, "UInt16"), "UInt16"),
        (kind, "TypeName"),
    ]
    for value, name in values:
        catalog, losses = written(Entry(["k"], "i", "p", data=value))
        assert catalog.location_data(0) is None
        assert losses == [f"data: 1 objects of a type without a binary form ({name}) are dropped"]
    kept: list[Data] = [7, -7, "x", "", Number(1 << 40, "Int64"), Number(0, "Boolean"), Number(1, "Boolean")]
    for value in kept:
        catalog, losses = written(Entry(["k"], "i", "p", data=value))
        assert (catalog.location_data(0), losses) == (value, [])


def test_types_have_full_names_before_4_0_and_simple_ones_since() -> None:
    details = "Culture=neutral, PublicKeyToken=null"
    nested = f"Game.List`1[[System.Int32, mscorlib, Version=4.0.0.0, {details}]]"
    kinds = [
        TypeName(f"Game, Version=0.0.0.0, {details}", nested), TypeName("Game", "Game.Other"),
        TypeName(f"mscorlib, Version=4.0.0.0, {details}", "System.String"), TypeName(None, "System.Object"),
        TypeName(f"Other, Version=1.2.3.4, {details}", "Other.Kind"),
    ]  # fmt: skip
    entries = [Entry([f"k{at}"], f"i{at}", "p", kind) for at, kind in enumerate(kinds)]
    new, losses = written(*entries, flavour=NEWEST)
    assert [new.type(at) for at in range(5)] == [
        TypeName("Game", "Game.List`1[[System.Int32, mscorlib]]"), TypeName("Game", "Game.Other"),
        TypeName(None, "System.String"), TypeName(None, "System.Object"), TypeName("Other", "Other.Kind"),
    ]  # fmt: skip
    assert losses == ["versions: 1 assemblies lost a version that is not 0.0.0.0"]
    old, losses = written(*entries)
    assert [old.type(at) for at in range(5)] == [
        kinds[0], TypeName(f"Game, Version=0.0.0.0, {details}", "Game.Other"), kinds[2],
        TypeName("mscorlib, Version=4.0.0.0, Culture=neutral, PublicKeyToken=b77a5c561934e089", "System.Object"),
        kinds[4],
    ]  # fmt: skip
    assert losses == []
    assert old.type(0) == kinds[0]
    untyped, _ = written(Entry(["k"], "i", "p"))
    assert untyped.type(0) is None


def test_an_entry_lies_behind_what_it_needs_and_names_each_of_them_once() -> None:
    needs: list[Key] = ["b", "c", "b"]
    entries = [
        Entry(["a"], "A", "p", dependencies=needs),
        Entry(["b"], "B", "p", dependencies=["d"]),
        Entry(["c"], "C", "p"),
        Entry(["d"], "D", "p"),
        Entry(["e"], "E", "p", dependencies=["d", *needs]),
    ]
    catalog, losses = written(*entries)
    ids = {catalog.internal_id(at): at for at in range(catalog.location_count)}
    by_place = sorted(ids, key=lambda name: catalog.offset(ids[name]))
    assert losses == []
    assert by_place == ["D", "B", "C", "A", "E"]
    for name, needed in {"A": "BC", "B": "D", "C": "", "D": "", "E": "DBC"}.items():
        assert [catalog.internal_id(at) for at in catalog.dependencies(ids[name])] == list(needed)
    with pytest.raises(ValueError, match="'E' depends on itself"):
        written(Entry(["e", "b"], "E", "p", dependencies=["b"]))
    circle = [Entry(["x"], "X", "p", dependencies=["a"]), Entry(["a"], "A", "p", dependencies=["b"])]
    with pytest.raises(ValueError, match="'A' depends on itself"):
        written(*circle, Entry(["b"], "B", "p", dependencies=["a"]))


def test_dependencies_come_in_the_order_of_the_keys_that_name_them() -> None:
    catalog, losses = written(
        Entry(["x", "both"], "X", "p"),
        Entry(["y", "both"], "Y", "p"),
        Entry(["z"], "Z", "p", dependencies=["y", "both", "gone", "lost"]),
    )
    (found,) = catalog.locate("z")
    assert [catalog.internal_id(at) for at in catalog.dependencies(found)] == ["Y", "X"]
    assert losses == ["dangling: 2 dependencies are keys that nothing has"]


def test_what_the_table_of_locations_cannot_say_is_counted() -> None:
    catalog, losses = written(
        Entry([5], "A", "p"), Entry(["k"], "B", "p"), Entry(["k"], "B", "p"), Entry(["k"], "B", "p")
    )
    assert losses == [
        "primary: 1 primary keys that are not text became null",
        "merged: 2 entries are equal to another and share its place",
    ]
    assert catalog.primary_key(0) is None
    assert catalog.locate("k") == (1, 1, 1)
    content = Content(OLDEST, [Entry(["k"], "B", "p"), Entry(["l"], "B", "p")])
    content.build_result_hash = "00" * 16
    _, found = encode_binary(content, OLDEST)
    assert [str(one) for one in found] == ["field: 1 build result hashes have no place in a header of 28 bytes"]
    data, found = encode_binary(content, OLD)
    assert (BinaryCatalog(data).build_result_hash, found) == ("00" * 16, [])


def test_equal_values_are_written_once() -> None:
    catalog, _ = written(Entry(["same"], "same", "same"), Entry(["other"], "same", "same"))
    assert catalog.data.count(b"same") == 1
    assert catalog.row(0)[:3] == (catalog.row(0)[0],) * 3
