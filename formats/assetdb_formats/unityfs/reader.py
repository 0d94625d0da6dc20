"""The bounded reader in both byte orders, with Unity's strings."""

from __future__ import annotations

from assetdb_formats.binary import Reader, number
from assetdb_formats.unityfs.errors import UnityFSError

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

OVERLAP: Final = 2
"""Times the data there is that the files of an archive, or the objects of a file, may have together: none of a sound
bundle overlap, some of a broken one may; a million that do would take the square of the file."""


class UnityReader(Reader):
    """Little-endian, as the metadata of every build since 2012 is."""

    __slots__ = ()

    failure = UnityFSError
    order = "<"

    def text(self, field: str, *, longest: int = 0xFFFF) -> str:
        """Read a zero-terminated string, keeping bytes that are not UTF-8."""
        start = self.position
        data = bytes(self.data)  # of a view, which has no find; bytes are not copied
        stop = data.find(b"\0", start, min(self.end, start + longest + 1))
        if stop < 0:
            raise self.error(f"no end of the string within {min(longest, self.end - start)} bytes", field)
        self.position = stop + 1
        return data[start:stop].decode("utf-8", "surrogateescape")

    def string(self, field: str) -> str:
        """Read an object's counted string, and its padding to 4 bytes."""
        text = self.take(self.count(self.i32(field), 1, field), field).decode("utf-8", "surrogateescape")
        self.position = min(self.position + -self.position % 4, self.end)
        return text

    def align(self, size: int) -> None:
        """Skip to the next multiple of ``size`` from the file's beginning."""
        self.need(-(self.base + self.position) % size, "padding")


class BigEndianReader(UnityReader):
    """Big-endian, as the archive and the header of every SerializedFile are."""

    __slots__ = ()

    order = ">"

    u16 = number(">H")
    u32 = number(">I")
    i16 = number(">h")
    i32 = number(">i")
    i64 = number(">q")
