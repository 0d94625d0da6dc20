"""Texts within texts: bounded, and of known histories alone."""

from __future__ import annotations

from struct import pack

import pytest

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.packages.package import Package
from assetdb_formats.unreal.properties import value_decoder as values
from assetdb_formats.unreal.properties.value_decoder import ValueDecoder
from tests.assetdb_formats.unreal.package_writer import fstring, full

PLAIN = pack("<iB", 0, 0) + fstring("") + fstring("key") + fstring("Hello")
UPPER = 10


def decoder(data: bytes) -> ValueDecoder:
    made = ValueDecoder(Package(full(-8, 522, 1009).data()), data)
    made.budget = 1000
    return made


def nested(depth: int) -> bytes:
    """Return a text whose pattern is a text, so often."""
    return pack("<iB", 0, UPPER) * depth + PLAIN + bytes(depth)


def test_texts_are_read_as_deep_as_the_bound() -> None:
    data = nested(values._DEEPEST)
    text, end = decoder(data).text(0)
    for _ in range(values._DEEPEST):
        text, upper = text
        assert upper == 0
    assert text == ("", "key", "Hello")
    assert end == len(data)


@pytest.mark.parametrize("depth", [1, 100_000])
def test_texts_that_nest_deeper_are_an_error(depth: int) -> None:
    with pytest.raises(UnrealError, match=f"text with history {UPPER}"):
        decoder(nested(values._DEEPEST + depth)).text(0)


@pytest.mark.parametrize("history", [4, 9, 12, 200])
def test_a_text_of_an_unknown_history_is_an_error_at_its_byte(history: int) -> None:
    with pytest.raises(UnrealError, match=f"text with history {history}") as caught:
        decoder(pack("<iB", 0, history) + PLAIN).text(0)
    assert caught.value.offset == 4
