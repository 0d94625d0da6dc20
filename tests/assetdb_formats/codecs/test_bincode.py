"""bincode 2: integers of each size, strings, GUIDs, and what is cut off."""

from __future__ import annotations

import pytest

from assetdb_formats.binary import FormatError
from assetdb_formats.codecs import bincode
from assetdb_formats.codecs.bincode import Decoder

UNSIGNED = [
    (0, b"\0"),
    (250, b"\xfa"),
    (251, b"\xfb\xfb\0"),
    (0xFFFF, b"\xfb\xff\xff"),
    (0x10000, b"\xfc\0\0\1\0"),
    ((1 << 32) - 1, b"\xfc" + b"\xff" * 4),
    (1 << 32, b"\xfd\0\0\0\0\1\0\0\0"),
    ((1 << 64) - 1, b"\xfd" + b"\xff" * 8),
    (1 << 64, b"\xfe" + bytes(8) + b"\1" + bytes(7)),
]


@pytest.mark.parametrize(("number", "data"), UNSIGNED)
def test_an_integer_takes_the_shortest_form(number: int, data: bytes) -> None:
    assert bincode.unsigned(number) == data
    decoder = Decoder(b"?" + data + b"more", 1)
    assert (decoder.unsigned(), decoder.position) == (number, 1 + len(data))
    for size in range(len(data)):
        with pytest.raises(FormatError) as caught:
            Decoder(b"?" + data, 1, 1 + size).unsigned("field")
        assert (caught.value.offset, caught.value.field) == (1, "field")


@pytest.mark.parametrize(
    ("number", "data"), [(0, b"\0"), (-1, b"\1"), (1, b"\2"), (-2, b"\3"), (125, b"\xfa"), (-126, b"\xfb\xfb\0")]
)
def test_a_signed_integer_is_zigzag(number: int, data: bytes) -> None:
    assert bincode.signed(number) == data
    assert Decoder(data).signed() == number


@pytest.mark.parametrize(("text", "head"), [(b"", b"\0"), (b"a" * 250, b"\xfa"), (b"a" * 251, b"\xfb\xfb\0")])
def test_a_string_has_its_length_in_front(text: bytes, head: bytes) -> None:
    assert bincode.string(text) == head + text
    decoder = Decoder(head + text + b"more")
    assert (decoder.string(), decoder.position) == (text, len(head) + len(text))
    if text:
        with pytest.raises(FormatError, match=f"counts {len(text)} items, {len(text) - 1} bytes are left") as caught:
            Decoder(head + text[1:]).string("field")
        assert (caught.value.offset, caught.value.field) == (0, "field")


def test_a_guid_is_a_number_of_128_bits() -> None:
    assert bincode.guid(bytes(range(16))) == b"\xfe" + bytes(range(15, -1, -1))
    assert bincode.guid(bytes(15) + b"\7") == b"\7"
    assert bincode.guid(bytes(7) + b"\1" + bytes(8)) == b"\xfe" + bytes(8) + b"\1" + bytes(7)


def test_no_integer_starts_with_255() -> None:
    with pytest.raises(FormatError, match="no integer starts with byte 255"):
        Decoder(b"\xff" * 20).unsigned()
    with pytest.raises(FormatError, match="the file ends here"):
        Decoder(b"").unsigned()


def test_a_count_is_of_items_that_fit() -> None:
    assert Decoder(b"\3" + bytes(12)).count(4) == 3
    with pytest.raises(FormatError, match="counts 3 items, 11 bytes are left") as caught:
        Decoder(b"\3" + bytes(11)).count(4, "field")
    assert (caught.value.offset, caught.value.field) == (0, "field")
