"""Data resources and trailers, in every version of their own."""

from __future__ import annotations

from struct import pack

import pytest

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.files.package_file import BytesSource
from assetdb_formats.unreal.packages.payloads import (
    DataResource,
    Payload,
    Trailer,
    read_data_resources,
    read_trailer,
    starts_trailer,
)
from tests.assetdb_formats.unreal.summaries import summary_with

START = 9
TAG, FOOTER, PACKAGE = 0xD1C43B2E80A5F697, 0x29BFCA045138DE76, 0x9E2A83C1
HASH = bytes(range(20))


@pytest.mark.parametrize("version", [1, 2])
def test_a_data_resource_is_a_place_with_flags(version: int) -> None:
    cooked = b"\7" if version == 2 else b""
    row = pack("<I", 1) + cooked + pack("<qqqqiI", 2, -1, 3, 4, 5, 6)
    data = bytes(START) + pack("<Ii", version, 2) + row + row
    expected = DataResource(1, 7 if version == 2 else 0, 2, -1, 3, 4, 5, 6)
    summary = summary_with(data_resource_offset=START)
    assert read_data_resources(data, summary) == [expected, expected]
    with pytest.raises(UnrealError, match="counts 2 items") as caught:
        read_data_resources(data[:-1], summary)
    assert caught.value.field == "data_resources"


def test_data_resources_have_a_table_and_a_known_version() -> None:
    for offset in (0, -1):
        assert read_data_resources(b"", summary_with(data_resource_offset=offset)) == []
    for version in (0, 3):
        with pytest.raises(UnrealError, match=f"data resources of version {version}; 1 and 2 are known") as caught:
            read_data_resources(bytes(START) + pack("<Ii", version, 0), summary_with(data_resource_offset=START))
        assert (caught.value.offset, caught.value.field) == (START, "data_resources")


def trailer(version: int, **change: int) -> bytes:
    rows = b""
    for number, size in enumerate((7, 4)):
        rows += HASH + pack("<qQQ", 7 * number, size, size + 100)
        rows += (b"", pack("<B", number), pack("<HHB", 11, 12, number))[version]
    header_size = 28 + len(rows) + (version == 0)
    whole = header_size + 11 + 20
    head = pack(
        "<QiIQi",
        change.get("tag", TAG),
        change.get("stated", version),
        change.get("header_size", header_size),
        change.get("data_size", 11),
        change.get("count", 2),
    )
    mode = pack("<B", change.get("access", 1)) if version == 0 else b""
    foot = pack("<QQI", change.get("footer", FOOTER), change.get("size", whole), change.get("package", PACKAGE))
    return head + mode + rows + b"payload" + b"more" + foot


@pytest.mark.parametrize("version", [0, 1, 2])
def test_a_trailer_lists_its_payloads(version: int) -> None:
    data = trailer(version)
    access = ["referenced", "referenced"] if version == 0 else ["local", "referenced"]
    flags = (11, 12) if version == 2 else (0, 0)
    first = START + len(data) - 20 - 11
    for rest in (b"", b"behind"):
        source = BytesSource(bytes(START) + data + rest)
        assert starts_trailer(source, START)
        assert read_trailer(source, START) == Trailer(
            version,
            [Payload(HASH, 0, 7, 107, *flags, access[0]), Payload(HASH, 7, 4, 104, *flags, access[1])],
            first,
            11,
            START + len(data),
        )


def test_a_trailer_begins_with_its_tag() -> None:
    tag = TAG.to_bytes(8, "little")
    assert starts_trailer(BytesSource(tag), 0)
    assert not starts_trailer(BytesSource(tag[:7]), 0)
    assert not starts_trailer(BytesSource(bytes(8)), 0)


@pytest.mark.parametrize(
    ("change", "message", "offset"),
    [
        ({"tag": 5}, "starts with 0x0000000000000005", 0),
        ({"stated": 3}, "a trailer of version 3; 0 to 2 are known", 8),
        ({"stated": -1}, "a trailer of version -1; 0 to 2 are known", 8),
        ({"count": -1}, "counts -1 payloads", 24),
        ({"count": 9}, "counts 9 payloads", 24),
        ({"count": 1}, r"its header has \d+ bytes, but its entries end at", 12),
        ({"header_size": 1}, "its header has 1 bytes", 12),
        ({"data_size": 12}, "the trailer is cut off", 0),
        ({"data_size": 10}, "the trailer has no footer at its end", -21),
        ({"footer": 1}, "the trailer has no footer at its end", -20),
        ({"package": 1}, "the trailer has no footer at its end", -20),
        ({"size": 8}, "the footer has a size of 8 bytes, the trailer has", -12),
    ],
)
@pytest.mark.parametrize("version", [0, 1, 2])
def test_a_trailer_is_whole(version: int, change: dict[str, int], message: str, offset: int) -> None:
    data = trailer(version, **change)
    with pytest.raises(UnrealError, match=message) as caught:
        read_trailer(BytesSource(bytes(START) + data), START)
    assert caught.value.offset == START + offset + (len(data) if offset < 0 else 0)
    assert caught.value.field == "trailer"


def test_a_trailer_that_is_cut_off_is_an_error() -> None:
    data = bytes(START) + trailer(2)
    for size in (START + 27, len(data) - 1):
        with pytest.raises(UnrealError, match="the trailer is cut off") as caught:
            read_trailer(BytesSource(data[:size]), START)
        assert caught.value.offset == START
    whole = pack("<QiIQi", TAG, 2, 28, 0, 0) + pack("<QQI", FOOTER, 48, PACKAGE)
    assert read_trailer(BytesSource(whole), 0) == Trailer(2, [], 28, 0, 48)


@pytest.mark.parametrize(("version", "place"), [(0, 28), (1, 28 + 44), (2, 28 + 48)])
def test_an_access_mode_is_a_known_one(version: int, place: int) -> None:
    data = bytearray(bytes(START) + trailer(version))
    data[START + place] = 2
    assert read_trailer(BytesSource(bytes(data)), START).payloads[0].access == "virtualized"
    data[START + place] = 3
    with pytest.raises(UnrealError, match="access mode 3") as caught:
        read_trailer(BytesSource(bytes(data)), START)
    assert (caught.value.offset, caught.value.field) == (START + 28, "trailer.payloads")
