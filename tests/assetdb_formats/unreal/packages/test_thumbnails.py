"""The thumbnail table."""

from __future__ import annotations

from struct import pack

import pytest

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.packages.thumbnails import Thumbnail, read_thumbnails
from tests.assetdb_formats.unreal.package_writer import fstring
from tests.assetdb_formats.unreal.summaries import summary_with


def table(*images: tuple[int, int, bytes]) -> tuple[bytes, int]:
    """Return images with their table, and the offset of that."""
    data, rows = bytes(4), b""
    for width, height, image in images:
        rows += fstring("Class") + fstring("Thing") + pack("<i", len(data))
        data += pack("<iii", width, height, len(image)) + image
    return data + pack("<i", len(images)) + rows, len(data)


def test_a_negative_height_marks_a_jpeg() -> None:
    data, offset = table((2, 3, b"\x89PNG"), (4, -5, b"jpeg!"), (0, 0, b""), (0, -1, b""))
    found = read_thumbnails(data, summary_with(thumbnail_table_offset=offset))
    assert found == [
        Thumbnail("Class", "Thing", 2, 3, "png", 16, 4),
        Thumbnail("Class", "Thing", 4, 5, "jpeg", 32, 5),
        Thumbnail("Class", "Thing", 0, 0, "", 49, 0),
        Thumbnail("Class", "Thing", 0, 1, "", 61, 0),
    ]
    assert [each.image(data) for each in found] == [b"\x89PNG", b"jpeg!", b"", b""]


def test_a_package_without_a_table_has_no_thumbnails() -> None:
    for offset in (0, -1):
        assert read_thumbnails(b"", summary_with(thumbnail_table_offset=offset)) == []


@pytest.mark.parametrize("height", [1, 0])
def test_an_image_of_no_height_is_no_jpeg(height: int) -> None:
    data, offset = table((2, height, b"data"))
    assert read_thumbnails(data, summary_with(thumbnail_table_offset=offset))[0].image_format == "png"


def test_images_have_no_more_bytes_than_the_file() -> None:
    def overlapping(size: int) -> bytes:
        image = pack("<iii", 1, 1, size) + bytes(size)
        row = fstring("") + fstring("") + pack("<i", 0)
        return image + pack("<i", 2) + row + row

    for size, sound in ((40, True), (41, False)):  # the file has 80 bytes, and one more
        data = overlapping(size)
        assert len(data) == 80 + size - 40
        summary = summary_with(thumbnail_table_offset=12 + size)
        if sound:
            assert len(read_thumbnails(data, summary)) == 2
            continue
        with pytest.raises(
            UnrealError, match="the images overlap: together they have more than the 81 bytes"
        ) as caught:
            read_thumbnails(data, summary)
        assert (caught.value.offset, caught.value.field) == (8, "thumbnails[1]")


@pytest.mark.parametrize(("place", "message"), [(-1, "points to -1"), (999, "points to 999")])
def test_an_image_lies_in_the_data(place: int, message: str) -> None:
    data = pack("<i", 1) + fstring("") + fstring("") + pack("<i", place)
    with pytest.raises(UnrealError, match=message) as caught:
        read_thumbnails(bytes(4) + data, summary_with(thumbnail_table_offset=4))
    assert caught.value.field == "thumbnails[0]"
    with pytest.raises(UnrealError, match="counts 2 items of 12 bytes, 23 bytes are left") as caught:
        read_thumbnails(bytes(4) + pack("<i", 2) + bytes(23), summary_with(thumbnail_table_offset=4))
    assert caught.value.field == "thumbnails"
