"""Thumbnails in a package: PNG, and JPEG from Unreal 5."""

from __future__ import annotations

from struct import Struct, error
from typing import TYPE_CHECKING, Final, NamedTuple

from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.strings import string_at

if TYPE_CHECKING:
    from assetdb_formats.unreal.packages.summary import Summary

_I32: Final = Struct("<i")
_IMAGE: Final = Struct("<iii")
_FIELD: Final = "thumbnails"


class Thumbnail(NamedTuple):
    """One image, or the empty entry (0 x 0) that two of three assets have.

    The file marks a JPEG by a negative height; ``height`` is without the sign and ``image_format`` says which it is.
    ``offset`` and ``size`` are where the image's bytes are in the package.
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
        UnrealError: if the table or an image does not lie within the data, or the images lie in each other: together
            they have more bytes than the file. Written out they would take the square of it.
    """
    position = summary.thumbnail_table_offset
    if position <= 0:
        return []
    found: list[Thumbnail] = []
    left = len(data)
    try:
        (count,) = _I32.unpack_from(data, position)
        position += 4
        if count < 0 or count * 12 > len(data) - position:
            raise UnrealError(f"counts {count} thumbnails", offset=position - 4, field=_FIELD)
        for number in range(count):
            field = f"{_FIELD}[{number}]"
            class_name, position = string_at(data, position, field)
            object_path, position = string_at(data, position, field)
            (offset,) = _I32.unpack_from(data, position)
            position += 4
            if not 0 <= offset <= len(data) - 12:
                raise UnrealError(f"an image at {offset}", offset=position - 4, field=field)
            width, height, size = _IMAGE.unpack_from(data, offset)
            start = offset + 12
            if size < 0 or size > len(data) - start:
                raise UnrealError(f"an image of {size} bytes", offset=offset + 8, field=field)
            left -= size
            if left < 0:
                what = f"the images lie in each other: together they have more than the {len(data)} bytes of the file"
                raise UnrealError(what, offset=offset + 8, field=field)
            image_format = "" if size == 0 else "jpeg" if height < 0 else "png"
            found.append(Thumbnail(class_name, object_path, width, abs(height), image_format, start, size))
    except error:
        raise UnrealError("the table is cut off", offset=position, field=_FIELD) from None
    return found
