"""Strings of packages: single bytes, UTF-16, and UTF-8 without a NUL."""

from __future__ import annotations

from struct import pack

import pytest

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.strings import string_at, string_bytes, utf8_string_at

START = 3
WIDE = "語\0".encode("utf-16-le")


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (pack("<i", 0), ""),
        (pack("<i", 1) + b"\0", ""),
        (pack("<i", 3) + b"a\xe4\0", "aä"),
        (pack("<i", -2) + WIDE, "語"),
        (pack("<i", -1) + b"\0\0", ""),
        (pack("<i", -2) + b"\x00\xd8\0\0", "\ud800"),
    ],
)
def test_a_positive_length_counts_bytes_and_a_negative_one_units(data: bytes, text: str) -> None:
    for rest in (b"", b"more"):
        assert string_at(bytes(START) + data + rest, START, "field") == (text, START + len(data))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\0\0\0", "a string's length lies outside the data"),
        (pack("<i", 3) + b"a\0", "a string of 3 bytes, 2 are left"),
        (pack("<i", 2) + b"ab", "a string of 2 bytes has no NUL at its end"),
        (pack("<i", -2) + WIDE[:-1], "a string of 2 UTF-16 units, 3 bytes are left"),
        (pack("<i", -1) + b"a\0", "a string of 1 UTF-16 units has no NUL at its end"),
        (pack("<i", -1) + b"\0a", "a string of 1 UTF-16 units has no NUL at its end"),
    ],
)
def test_a_string_that_does_not_end_is_an_error_at_its_length(data: bytes, message: str) -> None:
    with pytest.raises(UnrealError, match=message) as caught:
        string_at(bytes(START) + data, START, "field")
    assert (caught.value.offset, caught.value.field) == (START, "field")


def test_a_string_is_stored_in_single_bytes_if_it_can_be() -> None:
    assert string_bytes("") == pack("<i", 0)
    assert string_bytes("ab") == pack("<i", 3) + b"ab\0"
    assert string_bytes("語") == pack("<i", -2) + WIDE


def test_utf_8_is_counted_in_bytes() -> None:
    data = bytes(START) + pack("<i", 3) + "語".encode()
    assert utf8_string_at(data, START, "field") == ("語", len(data))
    assert utf8_string_at(bytes(4), 0, "field") == ("", 4)
    assert utf8_string_at(pack("<i", 1) + b"\xff", 0, "field") == ("\udcff", 5)
    for damaged, message in (
        (data[:-1], "a string of 3 bytes, 2 are left"),
        (bytes(START) + pack("<i", -1), "a string of -1 bytes, 0 are left"),
        (bytes(START + 3), "a string's length lies outside the data"),
    ):
        with pytest.raises(UnrealError, match=message) as caught:
            utf8_string_at(damaged, START, "field")
        assert (caught.value.offset, caught.value.field) == (START, "field")
