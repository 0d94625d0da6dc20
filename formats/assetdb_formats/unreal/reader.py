"""The bounded reader of this family, with its errors."""

from __future__ import annotations

from assetdb_formats import binary
from assetdb_formats.unreal.errors import UnrealError


class Reader(binary.Reader):
    """A cursor over little-endian bytes that never reads past its end."""

    __slots__ = ()

    failure = UnrealError

    def items(self, size: int, field: str) -> range:
        """Read a count of items of at least ``size`` bytes."""
        return range(self.count(self.i32(field), size, field))
