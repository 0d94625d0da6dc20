"""Gatherable text: where each text is used, with metadata of every kind."""

from __future__ import annotations

from struct import pack

import pytest

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.properties.text import GatherableText, TextSite, read_gatherable_text
from tests.assetdb_formats.unreal.package_writer import fstring
from tests.assetdb_formats.unreal.summaries import summary_with

START = 8
EMPTY = pack("<i", 0)
SUMMARY = summary_with(gatherable_text_count=1, gatherable_text_offset=START)


def values(**given: bytes) -> bytes:
    return pack("<i", len(given)) + b"".join(fstring(key) + value for key, value in given.items())


def test_a_text_has_sites_and_metadata_of_every_kind() -> None:
    listed = pack("<ii", 3, 2) + pack("<ii", 1, 0) + pack("<i", 2) + fstring("x")
    metadata = values(
        nothing=pack("<i", 0),
        true=pack("<ii", 1, 2),
        text=pack("<i", 2) + fstring("word"),
        listed=listed,
        within=pack("<i", 4) + values(deep=pack("<i", 0)),
    )
    site = fstring("Key") + fstring("/Game/A.A") + pack("<ii", 0, 1) + values(a=pack("<i", 0)) + EMPTY
    other = fstring("Other") + fstring("") + pack("<ii", 2, 0) + EMPTY + values(b=pack("<ii", 1, 1))
    data = bytes(START) + fstring("Space") + fstring("Hello") + metadata + pack("<i", 2) + site + other
    assert read_gatherable_text(data, SUMMARY) == [
        GatherableText(
            "Space",
            "Hello",
            {"nothing": None, "true": True, "text": "word", "listed": [False, "x"], "within": {"deep": None}},
            [
                TextSite(
                    "Key", "/Game/A.A", editor_only=False, optional=True, information={"a": None}, key_metadata={}
                ),
                TextSite("Other", "", editor_only=True, optional=False, information={}, key_metadata={"b": True}),
            ],
        )
    ]


@pytest.mark.parametrize(("count", "offset"), [(0, 8), (1, 0), (1, -1)])
def test_a_package_without_a_table_has_no_texts(count: int, offset: int) -> None:
    assert read_gatherable_text(b"", summary_with(gatherable_text_count=count, gatherable_text_offset=offset)) == []


def of(metadata: bytes) -> bytes:
    return bytes(START) + fstring("Space") + fstring("Hello") + metadata + EMPTY


def nested(depth: int, kind: int) -> bytes:
    value = pack("<i", 0)
    for _ in range(depth):
        value = pack("<i", kind) + (values(a=value) if kind == 4 else pack("<i", 1) + value)
    return values(a=value)


@pytest.mark.parametrize("kind", [3, 4])
def test_metadata_nests_as_deep_as_the_bound(kind: int) -> None:
    read_gatherable_text(of(nested(16, kind)), SUMMARY)
    with pytest.raises(UnrealError, match="metadata nests too deep") as caught:
        read_gatherable_text(of(nested(17, kind)), SUMMARY)
    assert caught.value.field == "gatherable_text[0]"


@pytest.mark.parametrize(
    ("data", "message", "field"),
    [
        (of(values(a=pack("<i", 5))), "metadata of the unknown kind 5", "gatherable_text[0]"),
        (bytes(START + 15), "counts 1 items of 16 bytes, 15 bytes are left", "gatherable_text"),
        (bytes(START + 8) + pack("<i", 1) + bytes(7), "counts 1 items of 8 bytes, 7 bytes", "gatherable_text[0]"),
        (bytes(START + 12) + pack("<i", 1) + bytes(23), "counts 1 items of 24 bytes, 23 bytes", "gatherable_text[0]"),
        (of(values(a=pack("<ii", 3, 9))), "counts 9 items of 4 bytes, 4 bytes", "gatherable_text[0]"),
    ],
)
def test_texts_that_are_damaged_are_an_error(data: bytes, message: str, field: str) -> None:
    with pytest.raises(UnrealError, match=message) as caught:
        read_gatherable_text(data, SUMMARY)
    assert caught.value.field == field
