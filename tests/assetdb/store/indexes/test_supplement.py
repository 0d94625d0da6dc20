"""Assets without an entry and unread files, at the end of an index."""

from __future__ import annotations

from itertools import permutations

import pytest

from assetdb.errors import DatabaseError
from assetdb.store.entry import SubAsset
from assetdb.store.indexes.supplement import Duplicate, Supplement, Unread, encode
from assetdb_formats.codecs.bincode import signed, string, unsigned

SCRIPT = "ab" * 16


def body(name: bytes, path: bytes, *rows: tuple[int, int, bytes]) -> bytes:
    packed = b"".join(signed(number) + unsigned(kind) + string(text) for number, kind, text in rows)
    return string(name) + unsigned(len(rows)) + packed + string(path)


ONE = (b"1" * 16, b"28", body(b"one", b"Assets/z/one.png", (5, 213, b"s")), b"t" * 16 + b"u" * 16)
TWO = (b"1" * 16, SCRIPT.encode(), body(b"two", b"Assets/a/two.asset"), b"")
FILES = [(b"Assets/p.mat", b"lfs-pointer"), (b"Assets/\xff.mat", b"unreadable")]


def test_what_was_encoded_is_read_by_path() -> None:
    found = Supplement(encode([ONE, TWO], FILES))
    first, second = found.duplicates
    assert (first.asset.path, first.asset.class_id, first.asset.script) == ("Assets/a/two.asset", 114, SCRIPT)
    assert (second.asset.path, second.asset.class_id, second.asset.script) == ("Assets/z/one.png", 28, "")
    assert (second.asset.guid, second.asset.name) == ("31" * 16, "one")
    assert tuple(second.asset.sub_assets) == (SubAsset(5, 213, "s"),)
    assert (first.targets, second.targets) == ((), ("74" * 16, "75" * 16))
    assert found.unread == (Unread("Assets/p.mat", "lfs-pointer"), Unread("Assets/\ufffd.mat", "unreadable"))


def test_the_order_of_what_is_given_does_not_matter() -> None:
    assert {encode(rows, files) for rows in permutations([ONE, TWO]) for files in permutations(FILES)} == {
        encode([ONE, TWO], FILES)
    }


def test_nothing_is_encoded_as_nothing() -> None:
    assert encode([], []) == b""
    empty = Supplement()
    assert (empty.duplicates, empty.unread, empty.at("x"), empty.of("x"), empty.referring_to("x")) == (
        (),
        (),
        None,
        (),
        (),
    )


@pytest.mark.parametrize(("duplicates", "files"), [([ONE], []), ([], FILES[:1]), ([ONE, TWO], FILES)])
def test_each_kind_may_be_alone(
    duplicates: list[tuple[bytes, bytes, bytes, bytes]], files: list[tuple[bytes, bytes]]
) -> None:
    found = Supplement(encode(duplicates, files))
    assert (len(found.duplicates), len(found.unread)) == (len(duplicates), len(files))


def test_duplicates_are_found_by_path_guid_and_target() -> None:
    found = Supplement(encode([ONE, TWO], FILES))
    one, two = found.at("Assets/z/one.png"), found.at("Assets/a/two.asset")
    assert isinstance(one, Duplicate)
    assert isinstance(two, Duplicate)
    assert found.at("Assets/z") is None
    assert found.of("31" * 16) == (two, one)
    assert found.of("32" * 16) == ()
    assert found.referring_to("75" * 16) == (one,)
    assert found.referring_to("76" * 16) == ()


def test_any_cut_is_damage() -> None:
    whole = encode([ONE, TWO], FILES)
    for end in range(1, len(whole)):
        with pytest.raises(DatabaseError, match=r"^the end of the index is damaged: delete it and bake again$"):
            Supplement(whole[:end])
    with pytest.raises(DatabaseError, match="the end of the index is damaged"):
        Supplement(whole + b"\0")


@pytest.mark.parametrize(
    "duplicate",
    [
        (b"1" * 15, *ONE[1:]),
        (ONE[0], b"x", *ONE[2:]),
        (ONE[0], b"", *ONE[2:]),
        (ONE[0], b"1" * 11, *ONE[2:]),
        (*ONE[:2], b"\xff", ONE[3]),
        (*ONE[:3], b"t" * 17),
    ],
)
def test_a_duplicate_that_is_none_is_damage(duplicate: tuple[bytes, bytes, bytes, bytes]) -> None:
    found = Supplement(encode([duplicate], []))
    with pytest.raises(DatabaseError, match="the end of the index is damaged"):
        _ = found.duplicates


def test_a_class_of_ten_digits_is_a_type() -> None:
    (found,) = Supplement(encode([(ONE[0], b"4294967295", *ONE[2:])], [])).duplicates
    assert found.asset.path == Supplement(encode([ONE], [])).duplicates[0].asset.path
