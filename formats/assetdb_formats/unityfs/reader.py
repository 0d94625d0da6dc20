"""The bounded reader in both byte orders, with Unity's strings."""

from __future__ import annotations

from struct import Struct

from assetdb_formats.binary import Reader
from assetdb_formats.unityfs.errors import UnityFSError

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

OVERLAP: Final = 2
"""Times the data there is that the files of an archive, or the objects of a file, may have together: none of a sound
bundle overlap, some of a broken one may; a million that do would take the square of the file."""
_U16: Final = Struct(">H")
_U32: Final = Struct(">I")
_I16: Final = Struct(">h")
_I32: Final = Struct(">i")
_I64: Final = Struct(">q")


class UnityReader(Reader):
    """Little-endian, as the metadata of every build since 2012 is."""

    __slots__ = ()

    order = "<"

    def error(self, what: str, field: str = "", *, offset: int | None = None) -> UnityFSError:
        """Make (not raise) an error at ``offset``, by default the cursor."""
        at = self.base + (self.position if offset is None else offset)
        return UnityFSError(what, offset=at, field=field)

    def text(self, field: str, *, longest: int = 0xFFFF) -> str:
        """Read a zero-terminated string, keeping bytes that are not UTF-8."""
        start = self.position
        data = self.data
        if isinstance(data, memoryview):  # which has no find
            data = data.tobytes()
        stop = data.find(b"\0", start, min(self.end, start + longest + 1))
        if stop < 0:
            raise self.error(f"no end of the string within {min(longest, self.end - start)} bytes", field)
        self.position = stop + 1
        return data[start:stop].decode("utf-8", "surrogateescape")

    def align(self, size: int) -> None:
        """Skip to the next multiple of ``size`` from the file's beginning."""
        self.need(-(self.base + self.position) % size, "padding")


class BigEndianReader(UnityReader):
    """Big-endian, as the archive and the header of every SerializedFile are."""

    __slots__ = ()

    order = ">"

    def u16(self, field: str = "") -> int:
        """Read an unsigned 16-bit integer."""
        value: int = _U16.unpack_from(self.data, self.need(2, field))[0]
        return value

    def u32(self, field: str = "") -> int:
        """Read an unsigned 32-bit integer."""
        value: int = _U32.unpack_from(self.data, self.need(4, field))[0]
        return value

    def i16(self, field: str = "") -> int:
        """Read a signed 16-bit integer."""
        value: int = _I16.unpack_from(self.data, self.need(2, field))[0]
        return value

    def i32(self, field: str = "") -> int:
        """Read a signed 32-bit integer."""
        value: int = _I32.unpack_from(self.data, self.need(4, field))[0]
        return value

    def i64(self, field: str = "") -> int:
        """Read a signed 64-bit integer."""
        value: int = _I64.unpack_from(self.data, self.need(8, field))[0]
        return value
