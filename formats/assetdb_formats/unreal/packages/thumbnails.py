"""Thumbnails in a package: PNG, and JPEG from Unreal 5."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.unreal.packages.names import TableReader

if TYPE_CHECKING:
    from assetdb_formats.unreal.packages.summary import Summary

_FIELD: Final = "thumbnails"


class Thumbnail(NamedTuple):
    """A thumbnail, or an empty entry (0 x 0).

    The file marks a JPEG by a negative height; ``height`` is without the sign and ``image_format`` is the format.
    ``offset`` and ``size`` say where the image's bytes are in the package.
    """

    class_name: str
    object_path: str
    width: int
    height: int
    image_format: str
    offset: int
    size: int

    def image(self, data: bytes) -> bytes:
        """Return the image's bytes out of the package's."""
        return data[self.offset : self.offset + self.size]


def read_thumbnails(data: bytes, summary: Summary) -> list[Thumbnail]:
    """Read the thumbnail table (not the images, which stay where they are).

    Raises:
        UnrealError: if the table or an image does not lie within the data, or the images overlap: together
            they have more bytes than the file. Written out they would take the square of it.
    """
    if summary.thumbnail_table_offset <= 0:
        return []
    reader = TableReader(data, summary.thumbnail_table_offset, _FIELD)
    image = TableReader(data, 0, _FIELD)
    found: list[Thumbnail] = []
    left = len(data)
    for number in reader.items(12, _FIELD):
        field = f"{_FIELD}[{number}]"
        class_name, object_path = reader.string(field), reader.string(field)
        image.seek(reader.i32(field), field)
        width, height, size = image.i32(field), image.i32(field), image.i32(field)
        left -= image.count(size, 1, field)
        if left < 0:
            what = f"the images overlap: together they have more than the {len(data)} bytes of the file"
            raise image.error(what, field, offset=image.position - 4)
        image_format = "" if size == 0 else "jpeg" if height < 0 else "png"
        found.append(Thumbnail(class_name, object_path, width, abs(height), image_format, image.position, size))
    return found
