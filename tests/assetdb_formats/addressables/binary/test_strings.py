"""Strings and chains that are laid down byte by byte, and read at every edge."""

from __future__ import annotations

from struct import pack

import pytest

from assetdb_formats.addressables.binary.strings import (
    CHAIN_FLAG,
    NULL,
    UNICODE_FLAG,
    StringTable,
    chains_written_tail_first,
)
from assetdb_formats.addressables.errors import AddressablesError


class Bytes(bytearray):
    """The bytes of a file, which grow by one value at a time."""

    def text(self, raw: bytes, length: int | None = None) -> int:
        """Append text behind its length; return where it begins."""
        self.extend(pack("<I", len(raw) if length is None else length))
        self.extend(raw)
        return len(self) - len(raw)

    def node(self, part: int, following: int = NULL) -> int:
        """Append a node of a chain; return where it is."""
        self.extend(pack("<II", part, following))
        return len(self) - 8

    def table(self, *, tail_first: bool = True) -> StringTable:
        return StringTable(bytes(self), reversed_chains=tail_first)


def fails(table: StringTable, identity: int, separator: str = "") -> tuple[str, int | None, str]:
    with pytest.raises(AddressablesError) as caught:
        table.read(identity, separator, "a.field")
    return caught.value.what, caught.value.offset, caught.value.field


def test_text_lies_within_the_file_and_behind_its_length() -> None:
    data = Bytes()
    first, last = data.text(b"ab"), data.text(b"cde")
    table = data.table()
    assert (first, last, len(data)) == (4, 10, 13)
    assert [table.read(at, "", "") for at in (first, last)] == ["ab", "cde"]
    assert fails(table, 3) == ("points to 3, outside 4..13", 3, "a.field")
    assert fails(table, 14) == ("points to 14, outside 4..13", 14, "a.field")
    too_long = Bytes()
    at = too_long.text(b"abcd", 5)
    assert fails(too_long.table(), at) == ("needs 5 bytes, 4 are left", at - 4, "a.field")
    empty = Bytes()
    assert empty.text(b"") == len(empty)  # the last place there is
    assert empty.table().read(4, "", "") == ""


def test_null_is_no_text_or_where_one_is_required_an_empty_one() -> None:
    data = Bytes()
    at = data.text(b"ab")
    table = data.table()
    assert table.read(NULL, "/", "") is None
    assert table.required(NULL, "/", "") == ""
    assert table.required(at, "/", "") == "ab"


@pytest.mark.parametrize("length", [1, 127, 128, 129])
def test_a_byte_that_is_not_ascii_becomes_a_question_mark(length: int) -> None:
    data = Bytes()
    plain, other = data.text(b"x" * length), data.text(b"x" * (length - 1) + b"\xe4")
    table = data.table()
    for _ in range(2):  # the second time from memory
        assert table.read(plain, "", "") == "x" * length
        assert table.read(other, "", "") == "x" * (length - 1) + "?"
    assert not table.narrow_unicode


def test_utf_16_is_narrow_if_all_of_its_letters_are_below_256() -> None:
    for text, narrow in (("", False), ("a", True), ("aÿ", True), ("aĀ", False), ("\ud800", False)):
        data = Bytes()
        at = data.text(text.encode("utf-16-le", "surrogatepass"))
        table = data.table()
        assert table.read(UNICODE_FLAG | at, "", "") == text
        assert table.narrow_unicode is narrow, text
    data = Bytes()
    at = data.text(b"abc")
    assert fails(data.table(), UNICODE_FLAG | at) == ("UTF-16 text of 3 bytes", at, "a.field")


def path_of(data: Bytes, *parts: bytes) -> int:
    """Append a chain of parts, of which the last is the first node; return its id."""
    at = NULL
    for part in parts:
        text = data.text(part)
        at = data.node(text, at if at == NULL else CHAIN_FLAG | at)
    return CHAIN_FLAG | at


def test_a_chain_is_joined_in_its_order_with_the_separator_that_is_asked_for() -> None:
    data = Bytes()
    one, two, three = path_of(data, b"a"), path_of(data, b"a", b"bc"), path_of(data, b"a", b"bc", b"def")
    for tail_first, joined in ((True, "a/bc/def"), (False, "def/bc/a")):
        for order in ((three, two, one), (one, two, three)):
            table = data.table(tail_first=tail_first)
            found = {chain: table.read(chain, "/", "") for chain in order}
            assert found[three] == joined
            assert found[two] == ("a/bc" if tail_first else "bc/a")
            assert found[one] == "a"
            assert table.read(three, ".", "") == joined.replace("/", ".")
            assert table.read(three, "/", "") == joined
            assert table.read(UNICODE_FLAG | three, "/", "") == joined  # no writer sets both flags


def test_a_chain_holds_wide_parts_null_parts_and_parts_of_another_file_s_letters() -> None:
    data = Bytes()
    wide, broken, plain = data.text("영".encode("utf-16-le")), data.text(b"\xff"), data.text(b"p")
    head = data.node(plain)
    for tail_first in (True, False):
        for part, text in ((UNICODE_FLAG | wide, "영"), (broken, "?"), (NULL, "")):
            ends = data.node(part, head)
            middle = data.node(plain, data.node(part, head))
            table = data.table(tail_first=tail_first)
            assert table.read(CHAIN_FLAG | ends, "/", "") == (f"p/{text}" if tail_first else f"{text}/p")
            assert table.read(CHAIN_FLAG | middle, "/", "") == (f"p/{text}/p")


def test_a_chain_is_no_plain_text() -> None:
    data = Bytes()
    chain = path_of(data, b"a", b"b")
    nested = CHAIN_FLAG | data.node(chain, data.node(data.text(b"c")))
    table = data.table()
    at = chain & ~CHAIN_FLAG
    assert fails(table, chain) == ("is a chain where a plain string is expected", at, "a.field")
    assert fails(table, nested, "/") == ("is a chain where a plain string is expected", at, "a.field")


def test_a_node_lies_within_the_file_to_its_last_byte() -> None:
    data = Bytes()
    text = data.text(b"a")
    last = data.node(text, 13)
    table = data.table()
    assert last == len(data) - 8 == 5
    assert fails(table, CHAIN_FLAG | last, "/") == ("points to 13, outside 0..5", 13, "a.field")
    assert fails(table, CHAIN_FLAG | 6, "/") == ("points to 6, outside 0..5", 6, "a.field")
    good = Bytes()
    text = good.text(b"a")
    final = good.node(text)
    assert good.table().read(CHAIN_FLAG | final, "/", "") == "a"


def test_what_failed_once_fails_again_and_takes_its_followers_along() -> None:
    data = Bytes()
    text = data.text(b"a")
    broken = data.node(99_999)
    follower = data.node(text, broken)
    later = data.node(text, follower)
    table = data.table()
    first = fails(table, CHAIN_FLAG | follower, "/")
    assert first[:2] == (f"points to 99999, outside 4..{len(data)}", 99_999)
    assert fails(table, CHAIN_FLAG | follower, "/") == first
    assert fails(table, CHAIN_FLAG | later, "/") == first
    assert fails(table, CHAIN_FLAG | broken, ".") == first


@pytest.mark.parametrize("count", [64, 65, 66, 67, 200])
def test_a_chain_may_be_long_but_not_go_round_in_a_circle(count: int) -> None:
    data = Bytes()
    parts = [b"%d" % number for number in range(count)]
    chain = path_of(data, *parts)
    assert data.table().read(chain, "/", "") == "/".join(map(str, range(count)))
    start = len(data)
    text = data.text(b"x")
    for number in range(count):
        data.node(text, start + 5 + 8 * ((number + 1) % count))
    what, _, field = fails(data.table(), CHAIN_FLAG | start + 5, "/")
    assert (what, field) == ("is a chain that never ends", "a.field")


def test_all_text_together_is_eight_characters_a_byte_and_eight_million_more() -> None:
    size = 1 << 16
    data = Bytes(bytes(4) + b"x" * (size - 4))
    free = (8 << 20) + 8 * size
    # Texts of 30,000 characters that begin at every eighth byte, and one that takes what is left.
    wanted = free // 30_000
    for number in range(wanted + 1):
        data[8 * number : 8 * number + 4] = pack("<I", 30_000)
    data[8 * wanted : 8 * wanted + 4] = pack("<I", free - 30_000 * wanted)
    table = data.table()
    for number in range(wanted + 1):
        table.read(8 * number + 4, "", "")
    table.read(4, "", "")  # known: spelled out once
    data_at = 8 * (wanted + 1) + 4
    data[data_at - 4 : data_at] = pack("<I", 129)
    short = 8 * (wanted + 2) + 4
    data[short - 4 : short] = pack("<I", 128)
    table = data.table()
    for number in range(wanted + 1):
        table.read(8 * number + 4, "", "")
    assert len(table.read(short, "", "") or "") == 128  # brief ones are not counted
    what, at, _ = fails(table, data_at)
    assert (what, at) == ("the strings of this file expand to more than 8 characters a byte", data_at)


def initializers(data: Bytes, *names: int) -> list[int]:
    """Append ObjectInitializationData whose type has these ids as assembly and class."""
    kind = data.node(*names)
    data.extend(pack("<III", NULL, kind, NULL))
    return [len(data) - 12]


def test_the_first_chain_tells_whether_parts_are_written_from_their_end() -> None:
    for swapped in (False, True):
        data = Bytes()
        one, other = data.text(b"one"), data.text(b"other")
        before, part = (other, one) if swapped else (one, other)
        chain = CHAIN_FLAG | data.node(part, data.node(before))
        plain = data.text(b"plain")
        for names in ((chain, NULL), (NULL, chain), (plain, chain)):
            copy = Bytes(data)
            providers = initializers(copy, *names)
            assert chains_written_tail_first(bytes(copy), providers) is not swapped
            assert chains_written_tail_first(bytes(copy), [NULL, len(copy) - 11, len(copy), *providers]) is not swapped
    single = Bytes()
    chain = CHAIN_FLAG | single.node(single.text(b"one"))
    providers = initializers(single, chain, NULL)
    assert not chains_written_tail_first(bytes(single), providers)
    assert not chains_written_tail_first(bytes(single), [])


def test_places_outside_the_file_are_passed_over_in_that_search() -> None:
    data = Bytes()
    one, other = data.text(b"one"), data.text(b"other")
    head = data.node(one)
    chain = data.node(other, head)
    providers = initializers(data, CHAIN_FLAG | chain, NULL)
    end = len(data)
    assert chains_written_tail_first(bytes(data), providers)
    beyond = Bytes(data)
    kind_beyond = pack("<III", NULL, end + 12 - 7, NULL)
    beyond.extend(kind_beyond)
    assert chains_written_tail_first(bytes(beyond), [end, *providers])
    for identity in (CHAIN_FLAG | end + 20 - 7, CHAIN_FLAG | end + 1000):
        beyond = Bytes(data)
        found = initializers(beyond, identity, CHAIN_FLAG | chain)
        assert len(beyond) == end + 20
        assert chains_written_tail_first(bytes(beyond), found)
