"""The bounded reader of this family, with its errors."""

from __future__ import annotations

from assetdb_formats import binary
from assetdb_formats.unreal.errors import UnrealError
from assetdb_formats.unreal.strings import string_at


class Reader(binary.Reader):
    """A cursor over little-endian bytes that never reads past its end."""

    __slots__ = ()

    failure = UnrealError

    def items(self, size: int, field: str) -> range:
        """Read a count of items of at least ``size`` bytes."""
        count = self.i32(field)
        if not 0 <= count * size <= self.end - self.position:
            self.count(count, size, field)
        return range(count)

    def string(self, field: str) -> str:
        """Read an FString as packages store it."""
        text, self.position = string_at(self.data, self.position, field)
        return text
